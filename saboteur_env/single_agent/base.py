"""A batch with one learner in each game; all others are opponents inside.

The first seat and the roles are dealt by chance, and observations and actions count seats from the observer. So seat 0
stands for any seat (only the option `first_seat` fixes its place in the order). A step runs from one decision of the
learners to the next. gym_vec.py and gym_env.py (Gymnasium) and sb3.py (stable-baselines3) present these games in the
form of their libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..agents.matches.embedded import make_vec
from ..agents.registry import label
from ..batch.opponents import is_mixture
from ..batch.vector import Vec
from ..core.checks import COUNTS, checked_int
from ..core.legal_lists import as_int_array, indices_of
from ..core.schema import counted
from ..environment.infos import Info, columns_of
from ..environment.settings import Settings
from ..game.view import View
from .learner import Learner

PENALTY = -1.0
RewardFn = Callable[[Vec], npt.ArrayLike]


class SingleAgentBatch:
    """One learner in each game. All arrays are new with every step and free to keep.

    Args:
        players: one number for all games, or one for each; that of the settings if not given.
        opponents: one for all other seats; a list of one for each, clockwise from the learner, of which smaller tables
            of a mixed batch take the first; or a dict of either for `miners` and `saboteurs`. An opponent is a name, an
            agent, a function, a model, or a list of (opponent, weight) of which one is drawn in each round
            (docs/opponents.md).
        seed: game i begins as `Game(seed=game_seed(seed, i))`, its next match with `game_seed(seed, i, 1)`.
        threads: as for `make_vec`.
        settings: as for the single environment, or by keywords; `mask_in` does not count here.
        reward_fn: a reward of your own, float[n], from the batch after a step (docs/infos.md); it takes the place of
            that of the settings. The learner has seat 0, if `learner` says no other.
        max_episode_steps: the learner's decisions after which a match is cut short, None for no limit.
        learner: the seat that learns, by its number; `miner` or `saboteur`, one seat of that role in each round, at
            random; `miners` or `saboteurs`, all seats of that role, each decision with what that seat sees, paid the
            mean over them. Where nobody has the role, the learner plays the other one.

    Attributes:
        observation: int8[n, bytes], what each learner sees at its decision.
        mask: int8[n, actions], what it may do.
        reward: float32[n], what it was paid since its last decision.
        ended: bool[n], whether its match ended (the next has begun already).
        truncated: bool[n], whether it was cut short instead (the next has begun already).
        illegal: bool[n], whether it ended by an illegal action, where these are penalised.
        final_observation: int8[k, bytes], what the learners of the k matches that ended or were cut short saw last.
        final_length: int64[n], their decisions in these matches.
        role: int64[n], the learner's role: 0 a miner, 1 a saboteur.
        length: int64[n], its decisions in the match that runs.

    Raises: ValueError that names an impossible setting.
    """

    length: npt.NDArray[np.int64]
    over: npt.NDArray[np.bool_]
    final_observation: npt.NDArray[np.int8]
    _final_role: npt.NDArray[np.int64]

    def __init__(
        self,
        num_games: int,
        players: int | Sequence[int] | None = None,
        opponents: Any = "scripted",
        seed: int | None = None,
        threads: int | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        reward_fn: RewardFn | None = None,
        learner: int | str = 0,
        max_episode_steps: int | None = None,
        **keywords: Any,
    ) -> None:
        if reward_fn is not None and not callable(reward_fn):
            raise ValueError(f"reward_fn must be a function of the batch, not {reward_fn!r}")
        self.reward_fn = reward_fn
        limit = max_episode_steps
        self.max_episode_steps = None if limit is None else checked_int("max_episode_steps", limit, COUNTS)
        self.settings = Settings.of(settings, keywords, players)
        seated = self.settings.players if players is None else players
        self.vec = make_vec(num_games, seated, seed, threads, settings=self.settings)
        self.learner = Learner.of(learner, int(self.vec.players.min()))
        if self.settings.shaping and self.learner.seat < 0:
            raise ValueError(f"shaping is for a learner with a seat of its own, not for {learner!r}")
        self.set_opponents(opponents)
        self.vec.reset()
        self.closed = False
        self._restart()
        self.begun = False

    def set_opponents(self, opponents: Any) -> None:
        """Play against others from the next round of each game on.

        Args:
            opponents: as for `SingleAgentBatch`.

        Raises: ValueError for opponents that nobody understands; those before play on.
        """
        self.learner.seat_among(opponents, self.vec)
        self.opponents = opponents

    def described_by(self, name: str) -> str:
        """The `repr` of an environment over these games, under its own class name."""
        games, seated = counted(self.vec.num_games, "game"), "/".join(map(str, sorted({*self.vec.players.tolist()})))
        edition = self.settings.edition
        return f"<{name} of {games}, {seated} players, edition {edition}, opponents: {_described(self.opponents)}>"

    def __repr__(self) -> str:
        return self.described_by(type(self).__name__)

    __copy__ = deepcopy  # one that shared the arrays would play in them

    def observation_space(self) -> spaces.Space[Any]:
        """The space of one observation, flat or by fields as the settings say."""
        seen = self.settings.observations
        return seen.flat_space() if self.settings.form == "flat" else seen.space()

    def action_space(self) -> spaces.Discrete:
        """The space of one action."""
        return spaces.Discrete(self.settings.actions.count)

    def shaped(self, flat: npt.NDArray[np.int8]) -> Any:
        """Observations in the form of the settings.

        Args:
            flat: int8[..., bytes].
        """
        return flat if self.settings.form == "flat" else self.settings.observations.split(flat)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games again from a seed. Without a seed: the first matches, later the next ones.

        Raises: ValueError for a bad seed, RuntimeError after `close`.
        """
        self._check_open()
        if seed is not None:
            self.vec.reset(seed)
        elif self.begun:
            self.vec.begin(self.vec.episode + 1)
        self._restart()

    def begin(self, episodes: npt.NDArray[np.int64]) -> None:
        """Begin these matches of the games.

        Args:
            episodes: int64[n]; a game with a negative one goes on.

        Raises: RuntimeError after `close`.
        """
        self._check_open()
        self.vec.begin(episodes)
        self.length = np.where(episodes < 0, self.length, 0)
        self.look()

    def _restart(self) -> None:
        self.length = np.zeros(self.vec.num_games, np.int64)
        self.role = np.zeros(self.vec.num_games, np.int64)
        self.look()

    def look(self) -> None:
        """Update the outputs from the batch, after `Vec.restore`."""
        self.begun = True
        self.reward = self.learner.reward(self.vec)
        self._show(self._none(), self._none())

    def step(self, actions: npt.ArrayLike, held: npt.NDArray[np.bool_] | None = None) -> None:
        """Let every learner act, then the other seats, until the learner is to decide again.

        Args:
            actions: whole numbers [n].
            held: bool[n], games whose match has just begun and that wait; their actions do not count.

        Raises: ValueError for a wrong shape or type and, unless illegal actions are penalised, for illegal ones:
            it names their games, and no game is advanced. RuntimeError after `close`.
        """
        self._check_open()
        chosen = as_int_array("actions", actions, self.vec.num_games)
        vec: Any = self.vec  # whose observations and masks are switched on
        waits = self._none() if held is None else held
        wrong, episode = self._penalised(chosen) & ~waits, vec.episode
        # All games of a batch take some step. Those that should not are aborted, or begun again, after it.
        aside = wrong | waits
        vec.step(np.where(aside, vec.legal[:, 0], chosen) if aside.any() else chosen)
        self.length += ~waits
        self._pay(wrong, waits)
        cut = self._too_long() & ~(aside | vec.ended)
        if not (aside | cut).any():
            self._show(wrong, cut)
            return
        at_error, stopped = self.observation[wrong], np.flatnonzero(cut)
        at_limit = vec.observation[stopped], vec.mask[stopped], self._roles(stopped)
        vec.begin(np.where(waits, episode, np.where(wrong | cut, episode + 1, -1)))
        self._show(wrong, cut)
        self.final_observation[wrong[self.over]] = at_error
        self.final_observation[cut[self.over]], self._mask_at_limit, self._final_role[cut] = at_limit

    def _penalised(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        if self.settings.illegal == "raise":
            return self._none()
        illegal: npt.NDArray[np.bool_] = indices_of(chosen, self.vec.legal, self.vec.legal_count) < 0
        return illegal

    def _too_long(self) -> npt.NDArray[np.bool_]:
        limit = self.max_episode_steps
        return self._none() if limit is None else self.length >= limit

    def _none(self) -> npt.NDArray[np.bool_]:
        return np.zeros(self.vec.num_games, np.bool_)

    def _roles(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        vec = self.vec
        return vec.records["private"]["role"][games, vec.seat[games]].astype(np.int64)

    def _show(self, wrong: npt.NDArray[np.bool_], cut: npt.NDArray[np.bool_]) -> None:
        vec: Any = self.vec
        self.observation, self.mask = vec.observation.copy(), vec.mask.copy()
        self._mask_at_limit = self.mask[:0]
        self.illegal, self.truncated, self.ended = wrong, cut, vec.ended | wrong
        self.over = self.ended | self.truncated
        self.final_observation = vec.final_observation[self.over]
        games = np.arange(vec.num_games)
        self._final_role = np.where(vec.ended, vec.roles[games, vec.final_seat], self.role)
        self.final_length = self.length
        self.role = self._roles(games)
        self.length = np.where(self.over, 0, self.length)

    def _pay(self, wrong: npt.NDArray[np.bool_], waits: npt.NDArray[np.bool_]) -> None:
        self.reward = self.learner.reward(self.vec)
        if self.reward_fn is not None:
            paid = np.asarray(self.reward_fn(self.vec), np.float32)
            if paid.shape != self.reward.shape:
                raise ValueError(f"reward_fn must give {len(wrong)} numbers, one for each game, not {paid.shape}")
            self.reward[:] = paid
        self.reward[wrong], self.reward[waits] = PENALTY, 0.0

    def infos(self) -> Info:
        """The infos (infos.py) of the learners' present decisions as columns. The arrays are not overwritten."""
        return {"action_mask": self.mask, **columns_of(self.role)}

    def final_infos(self) -> Info:
        """The infos of the k matches that ended or were cut short, as columns. Those cut short reveal nothing."""
        vec, over, cut = self.vec, self.over, self.truncated[self.over]
        mask = np.zeros((len(cut), self.mask.shape[1]), np.int8)
        mask[cut] = self._mask_at_limit
        infos = {"action_mask": mask, "role": self._final_role[over]}
        infos |= {"winner": np.where(cut, 0, vec.winner[over].astype(np.int64)), "roles": vec.roles[over]}
        infos |= {"nuggets": vec.nuggets[over], "length": np.where(cut, 0, self.final_length[over])}
        return infos | {"illegal": self.illegal[over]}

    def ends(self) -> Iterator[tuple[int, Any, Info]]:
        """The matches that the last step ended or cut short: the game, what the learner saw last, and its info."""
        if not self.over.any():
            return
        games, infos = np.flatnonzero(self.over).tolist(), self.final_infos()
        columns = (column.tolist() if column.ndim == 1 else column for column in infos.values())
        for i, final, *values in zip(games, self.final_observation, *columns, strict=True):
            yield i, self.shaped(final), dict(zip(infos, values, strict=True))

    def view(self, index: int) -> View:
        """What the learner of a game sees at its decision."""
        return self.vec.game(index).view(int(self.vec.seat[index]))

    def close(self) -> None:
        """End the threads; no step follows."""
        self.vec.close()
        self.closed = True

    def _check_open(self) -> None:
        if self.closed:
            raise RuntimeError("this environment is closed: make a new one")


def _described(opponents: Any) -> str:
    if isinstance(opponents, Mapping):
        return "; ".join(f"{team} {_described(one)}" for team, one in opponents.items())
    if is_mixture(opponents):
        return " or ".join(f"{label(one)} ({weight:g})" for one, weight in opponents)
    return ", ".join(map(_described, opponents)) if isinstance(opponents, list | tuple) else label(opponents)


def check_options(options: dict[str, Any] | None) -> None:
    """Raises: ValueError for options of a reset; fixed deals are for the single environment."""
    if options:
        raise ValueError(f"reset takes no options here, not {options!r}; saboteur_env.env() takes fixed deals")
