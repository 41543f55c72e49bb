"""Beliefs of all dwarfs before each of their turns, compared with the truth and with the prior of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.beliefs.action_model import TRACE, PlayerTypes, begin, update_action
from saboteur_env.agents.beliefs.filter import weigh_worlds
from saboteur_env.agents.beliefs.script_model import SCRIPT_SCRATCH, Script, weigh_action
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.cards import ROLES, TREASURE
from saboteur_env.engine.moves import PASS, move_of, seat_of, verb_of
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, STATE, Games, InfoState, State
from saboteur_env.inference.rewind import replay, rewind
from saboteur_env.inference.worlds import MAX_WORLDS, treasure_in

from ..common.page import markdown_table
from ..common.statistics import Row
from .calibration import log_loss, scores
from .mixed_tables import Rounds

Floats = npt.NDArray[np.float64]

THIRDS = ("first", "second", "last")
TURNS = 5  # of a row of scores by turn

_MEASURED = [
    ("round", "i4"),
    ("third", "i1"),  # of the moves of the round
    ("turn", "i2"),  # moves played before
    ("saboteur", "i1"),  # what was true
    ("said", "f8"),
    ("prior", "f8"),  # by the rules alone
    ("treasure", "f8"),  # the belief in the goal that was the treasure
    ("treasure_prior", "f8"),
]
# One belief: that of the seat to move, of another seat.
BELIEF_ROW = np.dtype([("edition", "U2"), ("players", "i1"), *_MEASURED])

# The room in which a round is followed.
SCORE_SCRATCH = record_dtype(
    ("game", STATE),
    ("trace", TRACE),
    ("script", SCRIPT_SCRATCH),
    ("worlds", "i2", MAX_WORLDS),
    ("weights", "f8", MAX_WORLDS),
    ("prior", "f8", MAX_WORLDS),
    ("no_evidence", "f8", (MAX_PLAYERS, len(ROLES), MAX_GOALS)),  # zeros
    ("so_far", "f8", (MAX_PLAYERS, len(ROLES), MAX_GOALS)),
)


def score_beliefs(rounds: Rounds, styles: PlayerTypes, edition: str) -> Any:
    """The beliefs of the seat to move about each other seat, before each action, by an action model: BELIEF[n]."""
    return score_evidence(rounds, style_evidence(rounds, styles), edition)


def score_evidence(rounds: Rounds, evidence: Floats, edition: str) -> Any:
    """The same, by the likelihood of all actions before each event.

    Args:
        evidence: float64[events, 10, 2, 3], as `Model.log_likelihood` (filter.py), by round and event.
    """
    players = int(rounds.games["public"]["rules"]["players"][0])
    result = np.zeros(len(evidence) * (players - 1), np.dtype(_MEASURED))
    done = _score_beliefs(rounds.games, evidence, np.zeros(1, SCORE_SCRATCH), result)
    beliefs = np.empty(done, BELIEF_ROW)
    for name, _ in _MEASURED:
        beliefs[name] = result[name][:done]
    beliefs["edition"], beliefs["players"] = edition, players
    return beliefs


def style_evidence(rounds: Rounds, styles: PlayerTypes) -> Floats:
    """What `score_evidence` takes, by an action model."""
    result = _no_evidence(rounds)
    _weigh_by_styles(rounds.games, styles, np.zeros(1, SCORE_SCRATCH), result)
    return result


def script_evidence(rounds: Rounds, script: Script) -> Floats:
    """The same by the script of a dwarf."""
    result = _no_evidence(rounds)
    _weigh_by_script(rounds.games, script, np.zeros(1, SCORE_SCRATCH), result)
    return result


def _no_evidence(rounds: Rounds) -> Floats:
    return np.zeros((int(rounds.games["public"]["event_count"].sum()), MAX_PLAYERS, len(ROLES), MAX_GOALS))


@kernel
def _begin(truth: State, game: State) -> None:
    rewind(truth.public, game)
    for goal in range(MAX_GOALS):  # a map shows its reader the true face
        game.secret.face[goal] = truth.secret.face[goal]


@kernel
def _weigh_by_styles(games: Games, styles: PlayerTypes, scratches: Any, evidence: Any) -> None:
    game, trace, at = scratches[0].game, scratches[0].trace, 0
    for i in range(len(games)):
        begin(trace)
        _begin(games[i], game)
        for j in range(games[i].public.event_count):
            event = np.int64(games[i].public.events[j])
            evidence[at] = trace.log_likelihood
            update_action(game.public, event, styles, trace)
            replay(game, event)
            at += 1


@kernel
def _weigh_by_script(games: Games, script: Script, scratches: Any, evidence: Any) -> None:
    game, so_far, at = scratches[0].game, scratches[0].so_far, 0
    for i in range(len(games)):
        so_far[:] = 0.0
        _begin(games[i], game)
        for j in range(games[i].public.event_count):
            event = np.int64(games[i].public.events[j])
            evidence[at] = so_far
            weigh_action(game.public, event, script, scratches[0].script, so_far)
            replay(game, event)
            at += 1


@kernel
def _score_beliefs(games: Games, evidence: Any, scratches: Any, beliefs: Any) -> int:
    scratch, game, done, at = scratches[0], scratches[0].game, 0, 0
    for i in range(len(games)):
        public = games[i].public
        _begin(games[i], game)
        for j in range(public.event_count):
            event = np.int64(public.events[j])
            if verb_of(move_of(event)) < PASS:
                seat = seat_of(event)
                game.private[seat].role = games[i].private[seat].role
                known = InfoState(game.public, game.private[seat], seat)
                size = weigh_worlds(known, scratch.no_evidence, scratch.worlds, scratch.prior)
                weigh_worlds(known, evidence[at], scratch.worlds, scratch.weights)
                third = len(THIRDS) * j // np.int64(public.event_count)
                for other in range(public.rules.players):
                    if other != seat:
                        beliefs[done].round, beliefs[done].third, beliefs[done].turn = i, third, j
                        _note(games[i], other, scratch, size, beliefs[done])
                        done += 1
            replay(game, event)
            at += 1
    return done


@kernel
def _note(truth: State, seat: int, scratch: Any, size: int, belief: Any) -> None:
    belief.saboteur = truth.private[seat].role
    for i in range(size):
        world = np.int64(scratch.worlds[i])
        belief.said += scratch.weights[i] * (world >> seat & 1)
        belief.prior += scratch.prior[i] * (world >> seat & 1)
        here = truth.secret.face[treasure_in(world)] == TREASURE
        belief.treasure += scratch.weights[i] * here
        belief.treasure_prior += scratch.prior[i] * here


def score_rows(beliefs: Any) -> list[Row]:
    """Scores by third of the round: of all beliefs, then by number of players, then by edition."""
    return [
        {"edition": edition, "players": players, "third": THIRDS[third], **_scored(group[group["third"] == third])}
        for edition, players, group in _groups(beliefs)
        for third in range(len(THIRDS))
    ]


def turn_rows(beliefs: Any) -> list[Row]:
    """Scores by turn, `TURNS` turns a row, `turn` the first of them."""
    first = beliefs["turn"] // TURNS * TURNS
    return [{"turn": turn, **_scored(beliefs[first == turn])} for turn in np.unique(first).tolist()]


def _groups(beliefs: Any) -> Any:
    yield "all", "all", beliefs
    for players in np.unique(beliefs["players"]).tolist():
        yield "all", players, beliefs[beliefs["players"] == players]
    for edition in np.unique(beliefs["edition"]).tolist():
        yield edition, "all", beliefs[beliefs["edition"] == edition]


def _scored(beliefs: Any) -> Row:
    true = beliefs["saboteur"].astype(np.float64)
    posterior, prior = scores(beliefs["said"], true), scores(beliefs["prior"], true)
    open_ = beliefs[beliefs["treasure_prior"] < 1]  # where the seat does not know it
    return {
        "rounds": len(np.unique(beliefs[["edition", "players", "round"]])),
        "beliefs": len(beliefs),
        **posterior,
        **{f"prior_{name}": value for name, value in prior.items()},
        "treasure_log_loss": log_loss(open_["treasure"], np.ones(len(open_))),
        "prior_treasure_log_loss": log_loss(open_["treasure_prior"], np.ones(len(open_))),
    }


def page(rows: list[Row], command: str, what: str) -> str:
    """The scores in Markdown."""
    whole = [row for row in rows if (row["edition"], row["players"]) == ("all", "all")]
    last = [row for row in rows if row["third"] == THIRDS[-1]]
    counts = [row for row in last if row["players"] != "all"]
    editions = [row for row in last if row["edition"] != "all"]
    return f"""# Accuracy of beliefs

{what}

Before each move, the belief of the seat to move about each other seat is compared with the truth. The figures in
brackets are the scores of the prior of the rules (2.1). The log loss is in nats. AUC is the probability that a saboteur
gets a higher belief than a miner. The calibration error is the mean distance between belief and truth over ten bins.
The last column is the log loss of the belief about the treasure, if the seat does not know where it is.

{_table("third of the round", "third", whole)}
The last third of the round, by number of players and by edition:

{_table("players", "players", counts)}
{_table("edition", "edition", editions)}
![Reliability by third of the round](reliability.png)

![Log loss by turn](by_turn.png)

```
{command}
```
"""


def _table(head: str, name: str, rows: list[Row]) -> str:
    heads = (head, "rounds", "beliefs", "log loss", "Brier score", "AUC", "calibration error", "treasure, log loss")
    lines = []
    for row in rows:
        values = (f"{row[key]:.3f} ({row[f'prior_{key}']:.3f})" for key in _SCORES)
        lines.append((str(row[name]), f"{row['rounds']:,}", f"{row['beliefs']:,}", *values))
    return markdown_table(heads, lines) + "\n"


_SCORES = ("log_loss", "brier", "auc", "ece", "treasure_log_loss")
