"""The drawing says what the eyes may know, all of it and nothing else."""

import io
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import orientation_name
from saboteur_env.render import draw, scene_of, scene_of_view, svg_of, text_of, to_array, to_png, watch, with_beliefs
from saboteur_env.render.drawing.symbols import CARD_HEIGHT, CARD_WIDTH
from saboteur_env.render.words import words_of

SVG = "{http://www.w3.org/2000/svg}"


def lively(rng, moves):
    """A move that builds, breaks or looks, mostly."""
    laid = [move for move in moves if re.match("[NESW]+@", move)]
    busy = [move for move in moves if not move.startswith("discard")]
    return rng.choice(laid if laid and rng.random() < 0.6 else busy if busy and rng.random() < 0.8 else moves)


def played(players, seed, count, **settings):
    """A game after some moves, dealt on where rounds end before them."""
    game, rng = Game(players=players, seed=seed, **settings), random.Random(seed)
    for _ in range(count):
        if game.round_over:
            game.next_round()
        game.play(lively(rng, game.legal_moves()))
    return game


GAMES = [(3, 1, 0), (3, 5, 40), (5, 2, 25), (5, 4, 66), (5, 7, 150), (10, 3, 12), (10, 5, 50)]


@pytest.fixture(params=GAMES, ids=lambda table: "{}-players-{}-{}-moves".format(*table))
def game(request):
    return played(*request.param)


def views(game):
    return [game.view(seat) for seat in range(game.rules.players)]


def tree(svg):
    return ElementTree.fromstring(svg)


def group(svg, name):
    """The elements of all groups with this name."""
    return [
        child for element in tree(svg).iter(f"{SVG}g") if element.get("class") == f"sab-{name}" for child in element
    ]


def pictures(elements):
    return [element.get("href", "").removeprefix("#sab-") for element in elements if element.tag == f"{SVG}use"]


def test_is_one_self_contained_picture(game):
    for source in (game, *views(game)):
        svg = draw(source)
        root = tree(svg)
        assert root.get("role") == "img"
        assert root[0].tag == f"{SVG}title" and root[0].text.startswith(f"Saboteur, round {game.round} of 3")
        assert svg.count("http") == 1, "the name space is the only address"
        assert set(re.findall('href="#([^"]+)"', svg)) == set(re.findall('id="([^"]+)"', svg))


def test_equal_scenes_give_equal_bytes(game):
    assert draw(game) == draw(game.copy()) == draw(Game.from_json(game.to_json()))
    assert draw(game.view(0)) == draw(game.copy().view(0))


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="a View or a Game, not dict"):
        draw({})


def test_every_path_card_lies_where_it_lies(game):
    for source in (game, game.view(0)):
        elements = [element for element in group(draw(source), "tunnels") if element.tag == f"{SVG}use"]
        drawn = {
            (int(element.get("x")) // CARD_WIDTH, int(element.get("y")) // CARD_HEIGHT): element.get("href")
            for element in elements
        }
        assert len(elements) == len(game.mine.tunnels)
        assert drawn == {
            coord: f"#sab-{orientation_name(orientation)}" for coord, orientation in game.mine.tunnels.items()
        }


def test_goals_show_the_faces_that_are_known(game):
    for view in views(game):
        drawn = pictures(group(draw(view), "goals"))
        faces = [name for name in drawn if name.startswith(("treasure", "stone"))]
        assert len(faces) == sum(face is not None for face in view.faces)
        assert drawn.count("goal") == sum(not orientation for orientation in view.mine.goals.values())
    assert [goal.face for goal in scene_of(game).goals] == [
        goal["face"] for goal in json.loads(game.to_json())["goals"]
    ]


def test_hands_tools_and_backs(game):
    position = json.loads(game.to_json())
    names_of = [[card.replace(":", "-").replace("+", "-") for card in hand] for hand in position["hands"]]
    assert pictures(group(draw(game), "hand")) == [card for hand in names_of for card in hand]
    for view in views(game):
        svg = draw(view)
        others = sum(view.hand_sizes) - len(view.hand)
        assert pictures(group(svg, "hand")) == names_of[view.seat]
        assert Counter(pictures(group(svg, "backs"))) == Counter({"back": others} if others else {})
        assert svg.count('class="sab-broken"') == sum(map(len, position["broken"]))


@pytest.mark.parametrize("size", [None, 10])
def test_cards_of_a_hand_are_apart_and_inside_their_row(size):
    for players in range(3, 11):
        hands = {"hand_size": size} if size and players < 6 else {}
        svg = draw(Game(players=players, seed=1, options=hands))
        for hand in [element for element in tree(svg).iter(f"{SVG}g") if element.get("class") == "sab-hand"]:
            placed = [re.findall(r"[\d.]+", card.get("transform")) for card in hand]
            lefts, widths = [float(x) for x, _, _ in placed], [CARD_WIDTH * float(scale) for *_, scale in placed]
            ends = [left + width for left, width in zip(lefts, widths, strict=True)]
            assert len(placed) == (hands.get("hand_size") or len(placed)) and ends[-1] < 348
            assert all(left - end > widths[0] / 10 for left, end in zip(lefts[1:], ends, strict=False))


def test_roles_are_shown_to_those_who_know_them(game):
    for view in views(game):
        known = [dwarf.role for dwarf in scene_of(view).dwarfs]
        expected = view.roles or [view.role if seat == view.seat else None for seat in range(game.rules.players)]
        assert known == expected
    assert None not in [dwarf.role for dwarf in scene_of(game).dwarfs]


def test_gold_values_are_the_owners_secret_until_the_match_ends():
    game = next(game for seed in range(99) if sum((game := played(4, seed, 70)).nuggets) and game.round == 2)
    for view in views(game):
        for dwarf in scene_of(view).dwarfs:
            own = dwarf.seat == view.seat
            assert dwarf.gold == (tuple(view.gold) if own else None)
            assert dwarf.nuggets == (sum(view.gold) if own else None)
    while not game.over:
        if game.round_over:
            game.next_round()
        game.play(game.legal_moves()[0])
    assert [dwarf.nuggets for dwarf in scene_of(game.view(0)).dwarfs] == game.nuggets
    assert "the match with" in draw(game.view(0))


def differing_in_secrets(game, seat, rng):
    """A position that this seat cannot tell from the real one: others' cards, roles, faces and chance exchanged."""
    data = json.loads(game.to_json())
    others = [other for other in range(data["players"]) if other != seat]
    hidden = [entry for entry in data["discards"] if entry.get("by", seat) != seat]
    pool = [card for other in others for card in data["hands"][other]] + data["deck"]
    pool += [entry["card"] for entry in hidden]
    rng.shuffle(pool)
    for other in others:
        data["hands"][other] = [pool.pop() for _ in data["hands"][other]]
    data["deck"] = [pool.pop() for _ in data["deck"]]
    for entry in hidden:
        entry["card"] = pool.pop()
    laid = {other: iter([entry["card"] for entry in hidden if entry["by"] == other]) for other in others}
    for entry in data["record"]:
        if entry[0] != seat and entry[1].startswith("discard"):
            entry[1] = f"discard:{next(laid[entry[0]])}"
    exchange_roles_and_faces(data, seat, others, rng)
    return Game.from_json(json.dumps({**data, "chance": str(rng.getrandbits(64))}))


def exchange_roles_and_faces(data, seat, others, rng):
    roles = [data["roles"][other] for other in others] + [data["role_aside"]]
    rng.shuffle(roles)
    if data["winner"] is None:
        *rest, data["role_aside"] = roles
        for other, role in zip(others, rest, strict=True):
            data["roles"][other] = role
    dark = [i for i, goal in enumerate(data["goals"]) if not goal["open"] and i not in data["maps"][seat]]
    for i, face in zip(dark, rng.sample([data["goals"][i]["face"] for i in dark], len(dark)), strict=True):
        data["goals"][i]["face"] = face


@pytest.mark.parametrize(
    "players, seed, count", [(3, 5, 40), (4, 8, 30), (5, 2, 25), (5, 9, 60), (10, 3, 12), (10, 6, 55)]
)
def test_a_drawing_for_a_seat_hangs_on_nothing_that_this_seat_cannot_know(players, seed, count):
    game, rng = played(players, seed, count), random.Random(seed)
    for seat in range(players):
        other = differing_in_secrets(game, seat, rng)
        assert draw(other) != draw(game)
        assert draw(other.view(seat)) == draw(game.view(seat))
        assert text_of(scene_of(other.view(seat))) == text_of(scene_of(game.view(seat)))


def test_a_card_laid_face_down_stays_hidden_from_others():
    game = Game(players=3, seed=1)
    seat, move = game.seat, next(move for move in game.legal_moves() if move.startswith("discard"))
    game.play(move)
    other = (seat + 1) % 3
    assert scene_of(game).last == scene_of(game.view(seat)).last == (seat, move)
    assert scene_of(game.view(other)).last == (seat, "discard")
    assert scene_of_view(game.view(other), (seat, move)).last == (seat, "discard")
    assert f"dwarf {seat} lays a card face down" in draw(game.view(other), (seat, move))


def test_the_last_move_is_marked_and_told():
    game = played(5, 2, 25)
    svg = draw(game, (1, "NES@4,-1"))
    (ring,) = [element for element in tree(svg).iter(f"{SVG}g") if element.get("class") == "sab-ring"]
    assert (ring[0].get("x"), ring[0].get("y")) == (str(4 * CARD_WIDTH), str(-CARD_HEIGHT))
    assert "Last move: dwarf 1 lays NES at 4,-1" in svg
    assert "No move yet" in draw(Game(players=3, seed=1))


@pytest.mark.parametrize(
    "move, words",
    [
        ("SW@3,-1", "lays SW at 3,-1"),
        ("xNS@2,0", "lays the dead end xNS at 2,0"),
        ("break:lantern:2", "breaks dwarf 2's lantern"),
        ("repair:cart:cart:0", "mends dwarf 0's cart"),
        ("repair:pickaxe+lantern:pickaxe:1", "mends its own pickaxe with pickaxe+lantern"),
        ("rockfall@3,-1", "lets rocks fall at 3,-1"),
        ("map:1", "looks at goal 1"),
        ("discard:repair:pickaxe+cart", "lays repair:pickaxe+cart face down"),
        ("pass", "passes"),
        ("turn:ES", "turns the stone to lie as ES"),
        ("reveal:2", "reveals goal 2"),
        ("take:3", "takes a gold card of 3"),
        ("take", "takes a gold card"),
    ],
)
def test_moves_in_words(move, words):
    assert words_of((1, move)) == f"dwarf 1 {words}"


def test_words_of_others_are_no_markup():
    assert tree(draw(Game(players=3, seed=1), (0, "<b>&"))) is not None


def test_choices_are_told():
    asked = {}
    for seed in range(300):
        game, rng = Game(players=4, seed=seed, edition="uk", options={"draft": True}), random.Random(seed)
        while not game.round_over:
            moves = game.legal_moves()
            asked.setdefault(moves[0].split(":")[0], game.copy())
            ways = [move for move in moves if re.match("[NESW]+@", move)]
            game.play(
                max(ways, key=lambda move: int(move[move.index("@") + 1 :].split(",")[0]))
                if ways
                else rng.choice(moves)
            )
        if {"turn", "reveal", "take"} <= set(asked):
            break
    seat = asked["take"].seat
    assert "chooses how goal" in draw(asked["turn"]) and 'stroke-dasharray="7 5"' in draw(asked["turn"])
    assert "chooses the goal to reveal" in draw(asked["reveal"])
    assert "takes a gold card from" in draw(asked["take"].view(seat))
    assert "takes a gold card from" not in draw(asked["take"].view((seat + 1) % 4))


def test_beliefs_stand_below_the_dwarf_they_are_about():
    scene = with_beliefs(scene_of(Game(players=3, seed=1)), {0: [None, 0.25, 1.0], 1: [0.5, None, 0.0]})
    assert [dwarf.beliefs for dwarf in scene.dwarfs] == [((1, 0.5),), ((0, 0.25),), ((0, 1.0), (1, 0.0))]
    assert re.findall(r"(\d+) %", svg_of(scene)) == ["50", "25", "50"]


def test_pixels(game):
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    pixels = to_array(draw(game), 460)
    assert pixels.shape == (270, 460, 3) and pixels.dtype == np.uint8
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    assert to_png(draw(game))[:4] == b"\x89PNG"
    with pytest.raises(ValueError, match="at least 1 pixel"):
        to_array(draw(game), 0)


def test_text(game):
    for source in (game, *views(game)):
        lines = text_of(scene_of(source)).splitlines()
        assert str(game.mine).splitlines() == lines[2 : 2 + len(str(game.mine).splitlines())]
        assert sum(line.startswith((f"{'':5}", "   ", ">  ")) for line in lines) >= game.rules.players
    assert all(card in text_of(scene_of(game)) for hand in json.loads(game.to_json())["hands"] for card in hand)


@pytest.mark.parametrize("terminal", [False, True])
def test_watching_plays_to_the_end_and_shows_every_position(terminal):
    from rich.console import Console

    rng, game = random.Random(4), Game(players=3, seed=4, rounds=2)
    console = Console(file=io.StringIO(), force_terminal=terminal, width=150, height=60)
    end = watch(game, [lambda view: lively(rng, view.legal_moves())] * 3, delay=0, eyes=1, console=console)
    shown = console.file.getvalue()
    assert end is game and game.over
    assert "Round 2 of 2, seen by dwarf 1" in shown and "the match with" in shown
    assert "S start, o tunnel, x dead end" in " ".join(shown.split())
    if not terminal:
        assert shown.count("dwarf  ") >= shown.count("Round ") > 2
