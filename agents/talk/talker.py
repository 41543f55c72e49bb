"""A scripted dwarf that talks: it makes claims, and plays as if it had read the claims that it believes.

It accuses and vouches for whose role it is sure of (words.py). At a table without talk it plays like the scripted dwarf
that it is.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core import prng
from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import PerThread, copy_record, record_dtype
from saboteur_env.engine.cards import ROLES, STONE_NE, TREASURE, UNKNOWN
from saboteur_env.engine.moves import CLAIM, SAY_NOTHING, card_of, move, move_of, seat_of, target_of, text_of, verb_of
from saboteur_env.engine.state import CHOOSE_CLAIM, MAX_GOALS, MAX_PLAYERS, PRIVATE, InfoState, known_face
from saboteur_env.engine.talk import may_speak
from saboteur_env.game.view import View
from saboteur_env.inference.worlds import MAX_WORLDS, treasure_in

from ..beliefs.action_model import TRACKED, PlayerTypes, track
from ..beliefs.action_model_file import fitted
from ..beliefs.filter import Floats, draw_world, weigh_worlds
from ..scripted.policy import WORKSPACE
from ..scripted.presets import DWARFS, number_of
from ..scripted.select import choose
from .claims import ClaimModel, add_claims, claim_rates
from .words import WORD_RATES, weigh_words, word_about

SURE = 0.75  # a goal is held for the treasure from this probability on, and for a stone at or below what is left to 1
NEVER_READS = -1000.0  # points
HEARS = ("weighed", "believed", "nothing")  # claims in the light of roles; as if all were honest; none
WHOM_TO_NAME = ("suspects", "nobody")  # whom it accuses and vouches for

# The room in which a talker decides.
HEARD = record_dtype(
    ("workspace", WORKSPACE),
    ("tracked", TRACKED),
    ("worlds", "i2", MAX_WORLDS),
    ("weights", "f8", MAX_WORLDS),
    ("log_likelihood", "f8", (MAX_PLAYERS, len(ROLES), MAX_GOALS)),
    ("treasure", "f8", MAX_GOALS),
    ("private", PRIVATE),
)


class Talking(NamedTuple):
    """What a talker is, as kernels read it.

    Attributes:
        dwarfs: DWARF[1], the scripted dwarf that plays the cards.
        rates: float64[2, 2, 3], what it claims (claims.py).
        log_rates: float64[2, 2, 3], what it expects of the others, as logarithms.
        types: how it reads their cards.
        word_rates: float64[2, 2], what it expects of accusations (words.py).
        listens: whether claims count.
        names: whether it accuses and vouches.
    """

    dwarfs: npt.NDArray[np.void]
    rates: Floats
    log_rates: Floats
    types: PlayerTypes
    word_rates: Floats
    listens: bool
    names: bool


def talking(
    miner: str,
    saboteur: str,
    hears: str = "weighed",
    dwarf: str = "scripted",
    reads: bool = True,
    names: str = "nobody",
) -> Talking:
    """A talker for kernels.

    Args:
        miner, saboteur: what it claims in each role, and what it expects of others (claims.py).
        hears: one of HEARS.
        dwarf: a preset (presets.py).
        reads: whether it reads maps; otherwise it throws them away.
        names: one of WHOM_TO_NAME.

    Raises: ValueError for an unknown name.
    """
    if hears not in HEARS:
        raise ValueError(f"hears must be one of {', '.join(HEARS)}, not {hears!r}")
    if names not in WHOM_TO_NAME:
        raise ValueError(f"names must be one of {', '.join(WHOM_TO_NAME)}, not {names!r}")
    expected = claim_rates("honest", "honest") if hears == "believed" else claim_rates(miner, saboteur)
    model = ClaimModel(expected)
    types, listens = fitted().styles, hears != "nothing"
    dwarfs = DWARFS[[number_of(dwarf)]]
    if not reads:
        dwarfs["characters"]["read"] = NEVER_READS
    rates = claim_rates(miner, saboteur)
    return Talking(dwarfs, rates, model.log_rates, types, WORD_RATES, listens, names == "suspects")


class Talker:
    """A talking dwarf for the validated single game. Threads may share it.

    Args:
        text: `says=honest+liar:hears=weighed:names=suspects:dwarf=scripted`, what it claims as a miner and as a
            saboteur, how it reads claims, whom it accuses and vouches for, and which preset plays the cards; these are
            the defaults.

    Raises: ValueError that names the setting that cannot be read.
    """

    def __init__(self, text: str = "") -> None:
        given = {"says": "honest+liar", "hears": "weighed", "names": "suspects", "dwarf": "scripted"}
        for part in filter(None, text.split(":")):
            name, _, value = part.partition("=")
            if name not in given:
                raise ValueError(f"talk: there is no setting {name!r}; there are {', '.join(given)}")
            given[name] = value
        miner, _, saboteur = given["says"].partition("+")
        self.settings = given
        self._talking = talking(miner, saboteur or miner, given["hears"], given["dwarf"], names=given["names"])
        self._rooms = PerThread(partial(np.zeros, 1, HEARD))

    def act(self, view: View, seed: int) -> str:
        """The move this dwarf plays.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        random_key = np.uint64(checked_int("seed", seed, SEEDS))
        return text_of(_act(self._talking, view.info_state, random_key, self._rooms.local))

    def __repr__(self) -> str:
        return f"<Talker: {', '.join(f'{name}={value}' for name, value in self.settings.items())}>"


@kernel
def _act(talker: Talking, known: InfoState, random_key: np.uint64, rooms: Any) -> int:
    return choose_talking(talker, known, random_key, rooms[0])


@kernel
def choose_talking(talker: Talking, known: InfoState, random_key: np.uint64, room: Any) -> int:
    """The move that a talker plays in the seat to move. Mutates: room, a HEARD record."""
    public, private, seat = known
    if public.choice == CHOOSE_CLAIM:
        goal = 0
        while not public.choice_goals >> goal & 1:
            goal += 1
        told = talker.rates[private.role, np.int64(private.face[goal] == TREASURE)]
        return move(CLAIM, draw_world(told, 3, prng.key(random_key, prng.AGENTS, 0)), goal)
    if talker.names and may_speak(public):
        word = word_about(known, room.worlds, room.weights, _weigh(talker, known, room))
        if word >= 0:
            return word
    if talker.listens and believe(talker, known, room):
        return choose(talker.dwarfs[0], InfoState(public, room.private, seat), random_key, room.workspace)
    return choose(talker.dwarfs[0], known, random_key, room.workspace)


@kernel
def believe(talker: Talking, known: InfoState, room: Any) -> bool:
    """Write what a seat knows and believes of the goals as if it had read it; return whether it believes anything.

    Args:
        room: its `private` becomes a copy of the seat's record, with the faces that claims make sure. Mutates it.
    """
    told = _told(known)
    if told == 0:
        return False
    public, size = known.public, _weigh(talker, known, room)
    room.treasure[:] = 0.0
    for i in range(size):
        room.treasure[treasure_in(np.int64(room.worlds[i]))] += room.weights[i]
    copy_record(room.private, known.private)
    sure = False
    for goal in range(public.rules.goals):
        if told >> goal & 1 and room.treasure[goal] >= SURE:
            room.private.face[goal], sure = TREASURE, True
        elif told >> goal & 1 and room.treasure[goal] <= 1 - SURE:
            room.private.face[goal], sure = STONE_NE, True
    return sure


@kernel
def _weigh(talker: Talking, known: InfoState, room: Any) -> int:
    # Write the worlds and their probabilities, from cards, claims and words; return their number.
    track(known.public, talker.types, room.tracked)
    room.log_likelihood[:] = room.tracked.trace.log_likelihood
    if talker.listens:
        add_claims(known.public, talker.log_rates, room.log_likelihood)
    size = weigh_worlds(known, room.log_likelihood, room.worlds, room.weights)
    if talker.listens:
        weigh_words(known, talker.word_rates, room.worlds, room.weights, size)
    return size


@kernel
def _told(known: InfoState) -> int:
    # The goals of which others claimed something, and whose faces this seat does not know, as bits.
    public, goals = known.public, 0
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        number = move_of(event)
        told = verb_of(number) == CLAIM and seat_of(event) != known.seat and card_of(number) != SAY_NOTHING
        goals |= told << target_of(number)
    for goal in range(public.rules.goals):
        if known_face(public, known.private, goal) != UNKNOWN:
            goals &= ~(1 << goal)
    return goals
