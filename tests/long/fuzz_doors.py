"""What must hold of whatever is let in: it writes itself the same, every seat sees it, and it is played to its end."""

import json
import linecache
import traceback
from functools import cache
from pathlib import Path

import numpy as np

from saboteur_env import Game, wazabi
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.core.compiled.jit import ONE, kernel
from saboteur_env.core.prng import below
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.environment.settings import Settings
from saboteur_env.environment.stepping import look, new_step
from saboteur_env.wazabi.actions import ACTIONS
from saboteur_env.wazabi.engine.cards import FACES
from saboteur_env.wazabi.engine.legal import MAX_MOVES as MAX_WAZABI_MOVES
from saboteur_env.wazabi.engine.legal import legal_moves as legal_wazabi_moves
from saboteur_env.wazabi.engine.play import next_game
from saboteur_env.wazabi.engine.play import play_unchecked as play_wazabi_unchecked
from saboteur_env.wazabi.observations import BYTES
from saboteur_env.wazabi.stepping import look as look_at_wazabi

PAST = ("winner", "roles", "role_aside", "first_seat", "last_seat", "gold")
HOUSE = Path(__file__).resolve().parents[2]
LONGEST = 20_000  # moves of a match of Wazabi, which may never end


def check_game(game, data, rng):
    """A game of Saboteur that was made from `data`, a position, or None."""
    check_text(game, data)
    check_seat(game, rng.choice([game.seat, rng.randrange(game.rules.players)]), rng)
    if not game.round_over:
        move = KernelAgent("scripted").act(game.view(game.seat), 1)
        assert move in game.legal_moves(), f"a dwarf plays {move}"
    end = type(game).of_records(game.records.copy(), game.rules)  # its messages would be those of another round
    play_to_the_end(end.records, np.empty(MAX_MOVES, np.int32), np.uint64(rng.getrandbits(64)))
    assert end.over
    check_text(end, None)


def check_text(game, data):
    """The game writes itself as it was read, and is read as it was written."""
    text = game.to_json()
    again = type(game).from_json(text)
    assert again == game, "it is not read as it was written"
    written = json.loads(text)
    if data is not None:
        assert told(data, written) == told(written, data), "it does not write itself the same"


def told(data, like):
    """What a position tells of what `like` has, without order where there is none."""
    skipped = {"options", "chance"} | ({"deck"} if data["format"].startswith("wazabi") else set())  # of several names
    skipped |= {"forgotten"} if "past" not in data or "past" not in like else set()
    return {name: _plain(data[name], name) for name in like if name in data and name not in skipped}


KEYS = {"discards": ("card", "by"), "tunnels": ("card", "turned", "at")}  # others are ignored


def _plain(value, name):
    if name in ("discards", "tunnels", "short", "keepers"):
        return sorted(json.dumps(_only(item, KEYS.get(name, item)), sort_keys=True) for item in value)
    if name in ("hands", "broken", "maps"):
        return [sorted(item) for item in value]
    if name == "known":
        return [[sorted(hand) for hand in item] for item in value]
    if name == "pending" and value:
        return {
            key: part if key in ("stone", "claim") else sorted(map(json.dumps, part)) for key, part in value.items()
        }
    if name == "goals":
        return [{key: item[key] for key in ("face", "open", "turned")} for item in value]
    if name == "past":
        return [{key: item[key] for key in PAST} for item in value]
    return {key: value[key] for key in FACES} if name == "rolled" else value


def _only(item, keys):
    return {key: item[key] for key in keys if key in item} if isinstance(item, dict) else item


@cache
def _settings(players, talk):
    return Settings(players=players, window="full", history=128, options={"talk": talk})


def check_seat(game, seat, rng):
    """What a seat sees, believes and imagines."""
    view = game.view(seat)
    str(view), view.record, view.offers
    settings = _settings(game.rules.players, "claims" if game.rules.talks else "none")
    size = settings.observations.bytes
    seen = np.zeros(size + settings.actions.count, np.int8)
    records = game.records
    look(records["public"], records["private"], seat, settings.encoding, _step(), seen)
    assert bool(seen[size:].any()) == (game.seat == seat and not game.round_over), "a mask without an action"
    believed = _belief().of(view)
    for part in (believed.weights, believed.saboteur, believed.treasure):
        assert np.isfinite(part).all(), f"seat {seat} believes {part}"
    assert np.isclose(believed.weights.sum(), 1)
    other = view.resample(rng.getrandbits(64))
    assert other.view(seat) == view, f"seat {seat} can tell what it imagines from the game"
    assert np.allclose(_belief().of(other.view(seat)).weights, believed.weights)


@cache
def _belief():
    return Belief(fitted())


@cache
def _step():
    return new_step()


@kernel
def play_to_the_end(games, moves, stream):
    """Play random moves until the match is over. Mutates: games."""
    game, counter = games[0], np.uint64(0)
    public = game.public
    while not public.over or public.round_number < public.rules.rounds:
        if public.over:
            next_round_unchecked(game)
        pick, counter = below(stream, counter, legal_moves(public, game.private[public.seat], moves))
        play_unchecked(game, np.int64(moves[pick]))


def check_wazabi(game, data, rng):
    """A game of Wazabi that was made from `data`, a position, or None."""
    check_text(game, data)
    for seat in {rng.randrange(game.rules.players), game.seat}:
        view = game.view(seat)
        flat, mask = np.zeros(BYTES, np.int8), np.zeros(ACTIONS, np.int8)
        look_at_wazabi(game.records, seat, np.empty(MAX_WAZABI_MOVES, np.int32), flat, mask)
        assert bool(mask.any()) == (game.seat == seat and not game.game_over), "a mask without an action"
        assert view.resample(rng.getrandbits(64)).view(seat) == view, f"seat {seat} can tell what it imagines"
    end = game.copy()
    play_wazabi_on(end.records, np.empty(MAX_WAZABI_MOVES, np.int32), np.uint64(rng.getrandbits(64)), LONGEST)
    public = end.records[0].public
    assert min(public.turns, public.shuffles, public.picks) >= 0
    check_text(end, None)


@kernel
def play_wazabi_on(games, moves, stream, most):
    """Play random moves until the match is over, but not longer than `most`. Mutates: games."""
    game, counter = games[0], ONE
    public = game.public
    for _ in range(most):
        if public.over and public.game_number == public.rules.games:
            return
        if public.over:
            next_game(game)
        pick, counter = below(stream, counter, legal_wazabi_moves(public, game.private[public.seat], moves))
        play_wazabi_unchecked(game, np.int64(moves[pick]))


def refused(error, *prefixes):
    """Whether an error is one of the house: a ValueError raised by our own words, which say what it is about."""
    last, line = [(codec.f_code.co_filename, line) for codec, line in traceback.walk_tb(error.__traceback__)][-1]
    ours = HOUSE in Path(last).resolve().parents and linecache.getline(last, line).strip().startswith("raise")
    assert ours, f"raised elsewhere: {error!r}"
    text = str(error)
    assert text.startswith(prefixes or text) and text, f"no words of the house: {text!r}"
    return True


DOORS = {"saboteur": (Game, check_game), "wazabi": (wazabi.Game, check_wazabi)}
