"""Throws at every door what nobody should: it is let in and then sound in every way, or refused in words.

Each input is settled by a seed and its number. An input is a fault where anything but an error of the house comes back
(a ValueError that says what it is about), or where something is let in that does not write itself the same, that a
seat cannot look at, believe in or imagine, or that cannot be played to its end (fuzz_doors.py). With
NUMBA_BOUNDSCHECK=1 in the environment no kernel reads or writes outside an array either.
"""

import argparse
import json
import multiprocessing
import random
import time
from collections import Counter
from functools import cache

import numpy as np

from saboteur_env import IllegalMove, env, make_vec, wazabi
from saboteur_env.engine.cards import KINDS
from saboteur_env.engine.editions import EDITIONS, SWITCHES
from saboteur_env.environment.settings import Settings
from saboteur_env.game.notation import parse_cells, parse_map
from saboteur_env.wazabi.aec import wazabi_env
from saboteur_env.wazabi.engine import cards as wazabi_cards
from saboteur_env.wazabi.vector import Vec as WazabiVec
from tests.long.fuzz_doors import DOORS, check_game, check_wazabi, refused
from tests.long.fuzz_inputs import OBJECTS, SAYINGS, junk, moments, mutated, rearranged, spoiled, wazabi_moments


def a_position(rng):
    data = _changed(rng, rng.choice(moments())[0])
    return _enter(rng, "saboteur", data)


def a_wazabi_position(rng):
    data = _changed(rng, rng.choice(wazabi_moments()))
    return _enter(rng, "wazabi", data)


def _changed(rng, text):
    return rng.choice([mutated, rearranged])(rng, json.loads(text))


def _enter(rng, name, data):
    door, check = DOORS[name]
    try:
        game = door.from_json(json.dumps(data))
    except ValueError as error:
        return not refused(error, "bad position: ")
    check(game, data, rng)
    return True


def a_text(rng):
    """A position or transcript cut short or damaged."""
    text = rng.choice([*rng.choice(moments()), rng.choice(wazabi_moments())])
    begin, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    text = text[:begin] + rng.choice(["", "\x00", "\ud800", "9" * 5000, '"', "NaN", "["]) + text[end:]
    text = rng.choice([text, text.encode("utf-8", "surrogatepass"), text[: rng.randint(0, 40)]])
    for read in (DOORS["saboteur"][0].from_json, DOORS["saboteur"][0].replay, wazabi.Game.from_json):
        try:
            read(text)
        except ValueError as error:
            refused(error, "bad position: ", "bad transcript: ")
    return False


def a_transcript(rng):
    door, check = DOORS["saboteur"]
    try:
        game = door.replay(json.dumps(mutated(rng, json.loads(rng.choice(moments())[1]))))
    except ValueError as error:
        return not refused(error, "bad transcript: ")
    check(game, None, rng)
    assert door.replay(game.transcript()) == game
    return True


MOVES = ["EW@1,0", "xNSW@-3,10", "break:lantern:2", "repair:pickaxe+cart:cart:0", "rockfall@2,0", "map:1", "pass"]
MOVES += ["discard:NES", "discard:repair:lantern", "turn:ES", "reveal:2", "take:3", "give:2", "play:swap_dice:2"]
MOVES += ["play:pass_cards:left", "keep:miss+miss", "keep:ace"]
MOVES += ["claim:0:treasure", "claim:1:nothing", "claim:3:stone", "accuse:0", "accuse:2", "vouch:1", "vouch:9"]
LETTERS = [*"@:,-+0129NESWx", "", "\x00", "\n", " ", "\ud800", "١", "²", "99999999999", "left"]


def a_move(rng):
    name = rng.choice(list(DOORS))
    text = rng.choice(moments())[0] if name == "saboteur" else rng.choice(wazabi_moments())
    game = _read(name, text)
    legal = game.legal_moves()
    move = (
        spoiled(rng, rng.choice([*legal, *MOVES]), LETTERS) if rng.random() < 0.8 else rng.choice([junk(rng), *OBJECTS])
    )
    try:
        game.play(move)
    except IllegalMove as error:
        assert refused(error) and game == _read(name, text)
        assert not isinstance(move, str) or move not in legal
        return False
    assert move in legal
    return True


def a_message(rng):
    """A text said at a table that may not hear it, or by somebody who does not sit there."""
    text = rng.choice(moments())[0]
    game = _read("saboteur", text)
    if game.rules.talks and rng.random() < 0.5:
        data = json.loads(text)
        game = type(game).of_position({**data, "options": {**data["options"], "talk": "free"}, "messages": []})
    before, seat = game.copy(), _odd(rng, range(game.rules.players + 1))
    said = spoiled(rng, rng.choice(SAYINGS), LETTERS) if rng.random() < 0.8 else rng.choice([junk(rng), *OBJECTS])
    try:
        game.say(seat, said)
    except ValueError as error:
        assert refused(error) and game == before
        return False
    assert game != before and game.messages[-1] == (len(game.view(0).record), seat, said)
    check_game(game, None, rng)
    return True


@cache
def _loaded(name, text):
    return DOORS[name][0].from_json(text)


def _read(name, text):
    return _loaded(name, text).copy()


def a_map(rng):
    text = str(_loaded("saboteur", rng.choice(moments())[0]))
    text = spoiled(rng, text, [*"S.ox?$c-|!;* \n\t", "", "\x00", "\u2028", "   "])
    text = rng.choice([text, text, text, junk(rng), rng.choice(OBJECTS)])
    for read in (parse_map, parse_cells):
        try:
            mine = read(text)
        except ValueError as error:
            refused(error)
            continue
        assert read is parse_cells or parse_map(str(mine)) == mine
    return False


OPTIONS = [*SWITCHES, "first_seat", "deck", "role_table", "hand_size", "goal_cells", "unknown", 3]
VALUES = [value for switch in SWITCHES.values() for value in switch.values]


def _value(rng):
    numbers = [rng.randint(-1, 12) for _ in range(6)]
    tables = [_counts(rng, KINDS, numbers), {"saboteurs": numbers[0] // 3, "miners": numbers[1]}]
    cells = [[rng.randint(-3, 9), row] for row in sorted(numbers[: rng.randint(1, 4)])]
    return rng.choice([junk(rng), rng.choice(OBJECTS), rng.choice(VALUES), *tables, cells, numbers[0], numbers[1]])


def _counts(rng, names, numbers):
    return dict(zip(rng.sample([*names], 3), numbers, strict=False))


def _odd(rng, values):
    return rng.choice([junk(rng), rng.choice(OBJECTS)]) if rng.random() < 0.1 else rng.choice(values)


def a_setting(rng):
    """Settings of Saboteur, and where they are possible a match of it."""
    options = {rng.choice(OPTIONS): _value(rng) for _ in range(rng.choice([0, 1, 1, 2, 3]))}
    if rng.random() < 0.3:
        players = rng.randint(3, 10)
        saboteurs = rng.randint(0, players)
        options["role_table"] = {"saboteurs": saboteurs, "miners": players + rng.choice([0, 1]) - saboteurs}
        options["roles"] = rng.choice(["aside", "persian"])
    else:
        players = _odd(rng, range(2, 12))
    keywords = {"players": players, "edition": _odd(rng, [*EDITIONS]), "rounds": _odd(rng, [1, 1, 2])}
    keywords["options"] = _odd(rng, [options])
    try:
        game = DOORS["saboteur"][0](seed=_odd(rng, range(9)), **keywords)
    except ValueError as error:
        return not refused(error)
    if game.rules.rounds <= 2:
        check_game(game, None, rng)
        assert type(game).replay(game.transcript()) == game
    return True


FORMS = {
    "window": ["small", "full"],
    "history": [0, 16],
    "form": ["flat", "dict"],
    "mask_in": ["observation", "info"],
}
FORMS |= {
    "reward": ["side", "match"],
    "shaping": [None, "public"],
    "gamma": [1.0, 0.5],
    "illegal": ["raise", "penalty"],
}


def a_form(rng):
    """Settings of an environment."""
    name = rng.choice([*FORMS, "players", "edition", "rounds", "options"])
    try:
        settings = Settings(**{name: rng.choice([junk(rng), rng.choice(OBJECTS), *FORMS.get(name, [5])])})
    except ValueError as error:
        return not refused(error)
    return bool(settings.rules)


WAZABI_OPTIONS = [
    "costs",
    "faces",
    "dice",
    "cards",
    "neighbours",
    "play_on",
    "teams",
    "first_seat",
    "players",
    "deck",
    3,
]


def a_wazabi_setting(rng):
    numbers = [rng.randint(0, 9) for _ in range(6)]
    counts = _counts(rng, rng.choice([wazabi_cards.KINDS, wazabi_cards.FACES]), numbers)
    values = [junk(rng), rng.choice(OBJECTS), True, numbers[:4], numbers[0], counts]
    options = {rng.choice(WAZABI_OPTIONS): rng.choice(values) for _ in range(rng.choice([0, 1, 1, 2]))}
    deck = _odd(rng, [*wazabi_cards.DECKS, {**_counts(rng, wazabi_cards.KINDS, numbers), "miss": 20}])
    try:
        game = wazabi.Game(_odd(rng, range(1, 8)), deck, _odd(rng, range(9)), _odd(rng, [1, 2]), _odd(rng, [options]))
    except ValueError as error:
        return not refused(error)
    if game.rules.games <= 2:
        check_wazabi(game, None, rng)
    return True


@cache
def _environments():
    made = [env(players=3), env(players=4, illegal="penalty", mask_in="info"), wazabi_env(players=3)]
    for table in made:
        table.reset(seed=1)
    return made, [make_vec(3, players=3, seed=1), WazabiVec(3, seed=1)]


def an_action(rng):
    """An action, or a batch of actions, that may be none."""
    single, batches = _environments()
    if rng.random() < 0.3:
        batch = rng.choice(batches)
        before = batch.seat.copy()
        actions = [int(action) for action in batch.sample(rng.getrandbits(30))]
        if rng.random() < 0.5:
            actions[rng.randrange(3)] = rng.choice([junk(rng), rng.randint(-5, 10**4), *OBJECTS])
        return _step(batch, actions, lambda: (batch.seat == before).all())
    table = rng.choice(single)
    if not table.agents or any(table.terminations.values()):
        table.reset(seed=rng.getrandbits(30))
    seen, agent = table.observe(table.agent_selection), table.agent_selection
    mask = seen["action_mask"] if isinstance(seen, dict) else table.infos[agent]["action_mask"]
    legal = int(rng.choice(np.flatnonzero(mask)))
    action = rng.choice([legal, legal, junk(rng), rng.choice(OBJECTS), rng.randint(-5, len(mask) + 5)])
    return _step(table, action, lambda: table.agent_selection == agent)


def _step(table, action, untouched):
    try:
        table.step(action)
    except ValueError as error:
        assert refused(error) and untouched()
        return False
    return True


def a_reset(rng):
    """Options of a reset, with a position or roles that may be none."""
    table = _environments()[0][0]
    data = json.loads(DOORS["saboteur"][0](3, seed=rng.randrange(9)).to_json())
    data = rng.choice([mutated(rng, data), rearranged(rng, data), {**data, rng.choice(OBJECTS[:5]): 1}, junk(rng)])
    options = {rng.choice(["position", "roles", 3]): rng.choice([data, json.dumps(junk(rng)), *OBJECTS])}
    try:
        table.reset(seed=rng.randrange(9), options=options)
    except ValueError as error:
        return not refused(error)
    return True


KINDS_OF_INPUT = {
    a_position: 15,
    a_wazabi_position: 15,
    a_text: 10,
    a_transcript: 1,
    a_move: 40,
    a_message: 5,
    a_map: 30,
    a_setting: 2,
    a_form: 20,
    a_wazabi_setting: 2,
    an_action: 10,
    a_reset: 1,
}


def kinds_of_input():
    """What is thrown, and how often; files only where torch is there to read them."""
    try:
        from tests.long.fuzz_files import a_card, a_checkpoint
    except ImportError:
        return KINDS_OF_INPUT
    return KINDS_OF_INPUT | {a_card: 0.2, a_checkpoint: 1}


def throw(seed, number):
    """One input. Returns its kind, and whether it was let in. Raises: whatever is wrong."""
    rng = random.Random(f"{seed}/{number}")
    kinds = kinds_of_input()
    kind = rng.choices([*kinds], [*kinds.values()])[0]
    return kind.__name__, kind(rng)


def run(inputs, seed, start=0, step=1):
    """Throw so many inputs; count them by kind, and tell of those that are faults."""
    counts, faults = Counter(), []
    for number in range(start, inputs, step):
        try:
            counts[throw(seed, number)] += 1
        except Exception as error:
            faults.append(f"input {number} of seed {seed}: {type(error).__name__}: {error}"[:400])
            counts["fault", True] += 1
    return counts, faults


def _run(arguments):
    return run(*arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--input", type=int, help="only this input of the seed, with its traceback")
    given = parser.parse_args()
    if given.input is not None:
        print(throw(given.seed, given.input))
        return
    began = time.perf_counter()
    shares = [(given.inputs, given.seed, worker, given.workers) for worker in range(given.workers)]
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        results = pool.map(_run, shares)
    counts, faults = (
        sum((counts for counts, _ in results), Counter()),
        [item for _, result in results for item in result],
    )
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind:>20} {counts[kind, True] + counts[kind, False]:>9} {counts[kind, True]:>9} let in")
    print(f"{given.inputs} inputs in {time.perf_counter() - began:.0f} s, {len(faults)} faults")
    if faults:
        raise SystemExit("\n".join(faults[:20]))


if __name__ == "__main__":
    main()
