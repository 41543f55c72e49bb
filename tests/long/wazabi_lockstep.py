"""Wazabi's engine and its slow twin play the same matches, move by move, and may never differ.

    python -m tests.long.wazabi_lockstep --moves 200000 --seed 0 --workers 2

A match is settled by (seed, number), so that a difference is seen again with `--seed S --match N`.
"""

import json
import random
from functools import partial

from tests.support import in_step
from tests.twins.wazabi_cards import COSTS, DECKS, ORDER
from tests.twins.wazabi_chance import Stream
from tests.twins.wazabi_oracle import Oracle

# What must happen in a run of some length before agreement says anything.
INTERESTING = [
    *(f"play:{card}" for card in COSTS), "take", "give", "keep", "pass", "left", "right", "counter-clockwise",
    "a turn missed", "two cards lie before a seat", "pile shuffled", "draw three from an empty pile",
    "a card taken from a known hand", "counted out", "remove one barred", "somebody left, others play on",
    "won by a card", "won by giving", "won by a team", "next game", "nobody has a card", "a tie for the start",
]  # fmt: skip


LONG = 3000  # moves after which a match is broken off; without cards the last seats could go on for a million


def table(rng):
    """A match to be played: players, deck, games, options, seed."""
    players = rng.randint(2, 6)
    deck = rng.choice(["sheet", "french", _custom_deck(rng)])
    options = {
        "dice": rng.randint(1, min(5, 24 // players)), "cards": rng.randint(0, 5), "play_on": True,
        "first_seat": rng.randrange(players),
        "costs": {card: rng.randint(0, 3) for card in rng.sample(ORDER, 4)},
        "faces": {"wasabi": rng.randint(1, 4), "card": rng.randint(0, 4), "die": rng.randint(1, 4)},
    }  # fmt: skip
    if players >= 4:
        options |= {"neighbours": True, "teams": rng.sample([0, 0, 1, 1, 2, 2], players)}
    chosen = {name: value for name, value in options.items() if rng.random() < 0.4}
    size = sum((DECKS[deck] if isinstance(deck, str) else deck).values())
    if players * chosen.get("cards", 4) > size:
        chosen["cards"] = size // players
    seed = rng.getrandbits(64)
    return {"players": players, "deck": deck, "games": rng.choice([1, 1, 2, 4]), "options": chosen, "seed": seed}


def _custom_deck(rng):
    few = {card: rng.randint(0, 3) for card in ORDER if rng.random() < 0.6}
    return {card: copies for card, copies in few.items() if copies} | {"remove_one": 2, "remove_two": 2}


def hoard(move):
    """Plays no card unless it must, so that the pile runs out."""
    return move == "pass"


BIASES = {
    "uniform": lambda move: 0,
    "cards": lambda move: move.startswith("play"),
    "hoarding": hoard,
    "hands": lambda move: 2 * (":swap_cards" in move or ":pass_cards" in move) + ("take_card" in move),
    "missing": lambda move: 2 * (move in ("play:miss:0", "play:reverse")) + hoard(move),
}


def play_match(seed, number, counts):
    """One match of the engine against the oracle.

    Raises:
        AssertionError: they differ; the message says where, and how to see it again.
    """
    from saboteur_env.wazabi import Game

    rng = random.Random(f"{seed}/{number}")
    settings = table(rng)
    bias = rng.choices(list(BIASES), [3, 5, 1, 3, 2])[0]
    game, oracle = Game(**settings), Oracle(**settings)
    played = []
    try:
        while len(played) < LONG:
            compare(game, oracle)
            if oracle.over:
                if game.over:
                    return
                game.next_game()
                oracle.next_game()
                counts["next game"] += 1
                continue
            move = choose(rng, BIASES[bias], oracle)
            before = oracle.position()
            game.play(move)
            oracle.play(move)
            played.append(move)
            note(counts, before, move, oracle)
    except Exception as difference:
        difference.add_note(f"match {number} of seed {seed}: {settings}, after {' '.join(played)}")
        raise


def choose(rng, bias, oracle):
    """A legal move, most often one of those that this bias likes best."""
    moves = oracle.legal_moves()
    if rng.random() < 0.2:
        return rng.choice(moves)
    best = max(map(bias, moves))
    return rng.choice([move for move in moves if bias(move) == best])


def compare(game, oracle):
    """Asserts that the engine's game and the oracle stand alike."""
    here, there = json.loads(game.to_json()), oracle.position()
    for position in (here, there):
        del position["options"], position["deck"]
    wrong = [
        f"{name}: engine {here.get(name)}, oracle {there[name]}" for name in there if here.get(name) != there[name]
    ]
    assert not wrong, "; ".join(wrong)
    assert here.keys() == there.keys()
    assert game.legal_moves() == oracle.legal_moves()
    assert (game.game_over, game.over) == (oracle.over, oracle.over and oracle.game == oracle.games)


def note(counts, before, move, oracle):
    """Counts what a move made happen; `before` is the position it was played in."""
    verb, *parts = move.split(":")
    counts["moves"] += 1
    counts[f"play:{parts[0]}" if verb == "play" else verb] += 1
    counts[parts[-1] if parts and parts[-1] in ("left", "right") else ""] += 1
    counts["counter-clockwise"] += not oracle.clockwise
    counts["pile shuffled"] += oracle.shuffles > before["shuffles"]
    counts["a turn missed"] += sum(oracle.misses) < sum(before["misses"])
    counts["two cards lie before a seat"] += max(oracle.misses) > 1
    counts["draw three from an empty pile"] += verb == "take" and before["card"] == "draw_three"
    counts["remove one barred"] += before["rolled"]["die"] > 1 and "remove_one" in before["hands"][before["mover"]]
    if verb == "take" or move.startswith("play:take_card"):
        victim = int(parts[-1])
        knowing = [who for who in range(oracle.players) if who not in (victim, before["mover"])]
        counts["a card taken from a known hand"] += any(before["known"][who][victim] for who in knowing)
    if oracle.shuffles > before["shuffles"]:
        known = [sum(map(len, row)) for row in before["known"]]
        counts["counted out"] += sum(known) < sum(cards.total() for row in oracle.known for cards in row)
    _note_end(counts, before, verb, oracle)


def _note_end(counts, before, verb, oracle):
    counts["nobody has a card"] += not any(oracle.hands) and not oracle.over
    if sum(map(bool, oracle.places)) > sum(map(bool, before["places"])):
        counts["somebody left, others play on"] += not oracle.over
        counts["won by a card" if verb == "play" else "won by giving"] += 1
        counts["won by a team"] += oracle.rules["teams"] is not None
    if oracle.turns == 2:
        counts["a tie for the start"] += _tied(oracle)


def _tied(oracle):
    stream = Stream(oracle.seed_of_match, oracle.game, 0, 0)
    rolls = [oracle._roll(stream, oracle.rules["dice"])["wasabi"] for _ in range(oracle.players)]
    return rolls.count(max(rolls)) > 1 and oracle.rules["first_seat"] is None


run = partial(in_step.run, play_match)


if __name__ == "__main__":
    in_step.main("Plays Wazabi's engine against its slow twin.", play_match, INTERESTING, moves=200_000)
