"""Who plays inside a batch, by controller number: presets in kernels, players made in Python, mixtures of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..core.checks import as_int
from ..core.compiled.jit import kernel
from ..core.prng import EMBEDDED, key
from ..engine.state import MAX_PLAYERS
from .kernels import Embedded
from .seats import FIRST_MIXTURE, MAX_MEMBERS, MAX_MIXTURES, new_seating

OUTSIDE = range(128)  # controllers that `step` waits for
TEAMS = ("miners", "saboteurs")  # in the order of their roles (engine/cards.py)


class Player(Protocol):
    """Plays seats of a batch from Python, for many games at once."""

    spec: Any

    def moves(self, vec: Any, games: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Legal moves (engine/moves.py) of the seats to move in these games of a batch.

        Args:
            games: int64[k]; seeds: uint64[k], of each decision.

        Returns: int64[k].
        """
        ...


class Lineup(NamedTuple):
    """Who plays which seats, as somebody said it.

    Attributes:
        specs: each mention of an opponent.
        mention: int64[2, seats], which of them plays a seat, by its role.
    """

    specs: list[Any]
    mention: npt.NDArray[np.int64]

    @classmethod
    def of(cls, said: Any, seats: int, what: str = "opponents") -> Lineup:
        """The line-up of one opponent for all, of one for each seat, or of either by role.

        Raises: ValueError for another number of seats, and for other roles.
        """
        if not isinstance(said, Mapping):
            mentions = _by_seat(said, seats, what)
            return cls(mentions, np.tile(_spread(len(mentions), seats), (2, 1)))
        if set(said) != set(TEAMS):
            raise ValueError(f"{what} by role are a dict of {' and '.join(TEAMS)}, not of {', '.join(map(str, said))}")
        miners, saboteurs = (_by_seat(said[team], seats, f"{what} of the {team}") for team in TEAMS)
        index = [_spread(len(miners), seats), len(miners) + _spread(len(saboteurs), seats)]
        return cls([*miners, *saboteurs], np.array(index))


def _by_seat(said: Any, seats: int, what: str) -> list[Any]:
    if isinstance(said, str) or not isinstance(said, Sequence) or is_mixture(said):
        return [said]
    if len(said) != seats:
        raise ValueError(f"{what} must be one, or one for each of the {seats} seats, not {len(said)}")
    return list(said)


def _spread(mentions: int, seats: int) -> npt.NDArray[np.int64]:
    return np.arange(seats) if mentions > 1 else np.zeros(seats, np.int64)


def is_mixture(spec: Any) -> bool:
    """Whether a spec is a list of opponents with weights."""
    pairs = isinstance(spec, list | tuple) and len(spec) > 0
    return pairs and all(isinstance(pair, list | tuple) and len(pair) == 2 and _is_weight(pair[1]) for pair in spec)


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


class Opponents:
    """Those enrolled in a batch.

    Args:
        embedded: presets in kernels, and what finds all others; nobody plays inside if not given.

    Attributes:
        players: those made in Python, by controller number.
        seating: SEATING[1] (seats.py), the mixtures.
    """

    def __init__(self, embedded: Embedded | None) -> None:
        self.embedded = embedded
        self.players: dict[int, Player] = {}
        self.seating = new_seating()
        self._used: set[int] = set()

    @property
    def presets(self) -> tuple[str, ...]:
        """Those in kernels; number k is controller -1 - k."""
        return self.embedded.names if self.embedded else ()

    def check(self, controllers: npt.NDArray[Any]) -> None:
        """Refuse numbers of nobody.

        Args:
            controllers: whole numbers [...].

        Raises: ValueError unless all are numbers of somebody, or of policies outside.
        """
        mixed = FIRST_MIXTURE - np.flatnonzero(self.seating["limit"][0, :, 0])
        inside = [*range(-1, -1 - len(self.presets), -1), *self.players, *mixed.tolist()]
        known = np.zeros(256, np.bool_)  # by the lowest byte
        known[[number & 255 for number in (*OUTSIDE, *inside)]] = True
        whole = controllers.dtype.kind in "iu" and controllers.min() >= -128 and controllers.max() < 128
        if not whole or not known[controllers.astype(np.int64) & 255].all():
            last = f" ({self.presets[-1]})" if self.presets else ""
            raise ValueError(
                f"controllers go from {-len(self.presets)}{last} to {OUTSIDE[-1]}, and those of `enroll` below"
            )

    def outside(self, controllers: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which controllers stand for policies outside alone.

        Args:
            controllers: whole numbers [...].
        """
        row = self.seating[0]
        drawn = FIRST_MIXTURE - np.flatnonzero((row["limit"][:, 0] > 0) & (row["member"] >= 0).all(1))
        return (controllers >= 0) | np.isin(controllers, drawn)

    def enroll(self, specs: Iterable[Any], in_use: Iterable[int]) -> list[int]:
        """The controller of each spec: of an opponent, or a number that is one already.

        Who is neither among them nor in use leaves.

        Args:
            in_use: controllers that play now or are to play next.

        Raises: ValueError for specs that nobody understands, and for too many; then nothing has changed.
        """
        draft = copy(self)
        draft.seating = self.seating.copy()
        draft._keep({*in_use})
        numbers = [draft._number(spec) for spec in specs]
        self.players, self._used = draft.players, draft._used
        self.seating[:] = draft.seating
        return numbers

    def _keep(self, in_use: set[int]) -> None:
        mixed = [number for number in in_use if number <= FIRST_MIXTURE]
        rows = [FIRST_MIXTURE - number for number in mixed]
        members = self.seating["member"][0, rows]
        self.seating["limit"][0, ~np.isin(np.arange(MAX_MIXTURES), rows)] = 0.0
        self._used = in_use | set(np.unique(members).tolist())
        self.players = {number: player for number, player in self.players.items() if number in self._used}

    def _number(self, spec: Any) -> int:
        given = as_int(spec)
        if is_mixture(spec):
            return self._mixture(spec)
        if given is None:
            return self._opponent(spec)
        self.check(np.array(given))
        return given

    def _opponent(self, spec: Any) -> int:
        if self.embedded is None:
            raise ValueError(f"nobody plays inside this batch: saboteur_env.make_vec makes one in which {spec!r} can")
        for number, player in self.players.items():
            if player.spec is spec or (isinstance(spec, str) and player.spec == spec):
                self._used.add(number)
                return number
        player = self.embedded.player_of(spec)
        if isinstance(player, int):
            return -1 - player
        number = self._free(range(-1 - len(self.presets), FIRST_MIXTURE, -1), "opponents")
        self.players[number] = player
        return number

    def _mixture(self, pairs: Sequence[tuple[Any, float]]) -> int:
        specs, weights = zip(*pairs, strict=True)
        if len(specs) > MAX_MEMBERS or any(is_mixture(spec) for spec in specs):
            raise ValueError(f"a mixture is of at most {MAX_MEMBERS} opponents, none of them a mixture: {pairs!r}")
        if not (np.isfinite(weights).all() and min(weights) >= 0 and max(weights) > 0):
            raise ValueError(f"the weights of a mixture are numbers from 0, not all of them 0: {pairs!r}")
        members = [self._number(spec) for spec in specs]
        number = self._free(range(FIRST_MIXTURE, FIRST_MIXTURE - MAX_MIXTURES, -1), "mixtures")
        limits = np.cumsum(weights) / np.sum(weights)
        row = self.seating[0]
        row["limit"][FIRST_MIXTURE - number] = 1.0
        row["member"][FIRST_MIXTURE - number] = members[-1]
        row["limit"][FIRST_MIXTURE - number, : len(limits)] = np.where(limits >= limits[-1], 1.0, limits)
        row["member"][FIRST_MIXTURE - number, : len(members)] = members
        return number

    def _free(self, numbers: range, what: str) -> int:
        for number in numbers:
            if number not in self._used:
                self._used.add(number)
                return number
        raise ValueError(f"a batch has at most {len(numbers)} {what} at a time")

    def play(self, vec: Any, play: Callable[[Any, Any], object]) -> None:
        """Let players made in Python decide until in every game somebody outside is to move.

        Args:
            vec: the batch; play: plays moves int64[k] in games int64[k] of it, and what kernels do then.

        Raises: what a player raises.
        """
        games = np.arange(vec.num_games)
        while True:
            acting = vec.results["playing"][games, vec.records["public"]["seat"]]
            waiting = np.unique(acting[acting < -len(self.presets)]).tolist()
            if not waiting:
                return
            for number in waiting:
                asked = np.flatnonzero(acting == number)
                seeds = seeds_of(vec.records, vec.results, np.uint64(vec.seed), asked)
                play(asked, self.players[number].moves(vec, asked, seeds))


@kernel
def random_keys(match: np.uint64, round_number: int, events: int) -> np.uint64:
    """The random key of the decision after so many events of a round, in the match of this seed."""
    return key(match, round_number + EMBEDDED, events)


@kernel
def seeds_of(records: Any, results: Any, seed: np.uint64, games: Any) -> Any:
    """The seeds of the decisions that these games of a batch wait for: uint64[k]."""
    seeds = np.empty(len(games), np.uint64)
    for k in range(len(games)):
        i = games[k]
        public = records[i].public
        match = key(seed, i, np.int64(results[i].episode))
        seeds[k] = random_keys(match, np.int64(public.round_number), np.int64(public.event_count))
    return seeds


@contextmanager
def restored_on_error(*arrays: npt.NDArray[Any]) -> Iterator[None]:
    """Put arrays back as they were where the block raises.

    Args:
        arrays: of any dtype and shape [...].
    """
    before = [array.copy() for array in arrays]
    try:
        yield
    except BaseException:
        for array, copied in zip(arrays, before, strict=True):
            array[:] = copied
        raise


def numbers_of(controllers: Any) -> npt.NDArray[Any] | None:
    """Controllers that are numbers alone as an array; None where opponents are named."""
    if isinstance(controllers, list | tuple) and (is_mixture(controllers) or any(map(is_mixture, controllers))):
        return None
    try:
        given = np.asarray(controllers)
    except ValueError:  # lists of several lengths
        return None
    return given if given.ndim and given.dtype.kind in "biuf" else None


def as_controllers(numbers: Sequence[int], lineup: Lineup) -> npt.NDArray[np.int64]:
    """The controllers of a line-up whose specs have these numbers, padded to ten seats by the last: int64[2, 10]."""
    table = np.array(numbers)[lineup.mention]
    return np.pad(table, ((0, 0), (0, MAX_PLAYERS - table.shape[1])), "edge")
