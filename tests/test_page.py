"""The page to step through a match: the one drawing, no secrets beside those of its eyes, at work in a browser."""

import json
import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from saboteur_env import Game
from saboteur_env.render import replay_page, scene_of, svg_of, write_page
from saboteur_env.render.words import words_of
from tests.test_render import lively, tree

CHROMIUM = Path("/usr/bin/chromium")
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def match(players, seed, rounds=2):
    """The transcript of a match and every position of it, with the move played there."""
    game, rng, positions = Game(players=players, seed=seed, rounds=rounds), random.Random(seed), []
    while True:
        move = None if game.round_over else lively(rng, game.legal_moves())
        positions.append((game.copy(), move))
        if game.over:
            return game.transcript(), positions
        if move:
            game.play(move)
        else:
            game.next_round()


TRANSCRIPT, POSITIONS = match(4, 3)
PAGE = replay_page(TRANSCRIPT)
MOVES = [move for _, move in POSITIONS if move]


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def drawn(data, number, step):
    """What the page's script puts on its stage."""
    return "".join(data["texts"][text] for layer in data["frames"][number][step] for text in data["layers"][layer])


def extents():
    """For every position the cells that any position of its round shows."""
    found = {}
    for game, _ in POSITIONS:
        found.setdefault(game.round, []).append(scene_of(game.view(0)).extent)
    sides = {number: list(zip(*shown, strict=True)) for number, shown in found.items()}
    widest = {number: (*map(min, of[:2]), *map(max, of[2:])) for number, of in sides.items()}
    return [widest[game.round] for game, _ in POSITIONS]


def test_every_position_is_drawn_for_all_eyes_by_the_one_drawing():
    data = data_of(PAGE)
    assert data["seats"] == [None, 0, 1, 2, 3]
    assert data["rounds"] == [0, len(POSITIONS) // 2]
    for number, eyes in enumerate(data["seats"]):
        assert len(data["frames"][number]) == len(POSITIONS)
        for step, ((game, _), extent) in enumerate(zip(POSITIONS, extents(), strict=True)):
            scene = scene_of(game if eyes is None else game.view(eyes))
            picture = svg_of(replace(scene, extent=extent))
            assert picture.endswith(f"</defs>{drawn(data, number, step)}</svg>")


def test_moves_are_told_as_far_as_the_eyes_know_them():
    data = data_of(PAGE)
    for number, eyes in enumerate(data["seats"]):
        told = [data["texts"][words[0]] for words in data["words"][number]]
        for step, (game, move) in enumerate(POSITIONS[:-1]):
            if move:
                hidden = move.startswith("discard") and eyes not in (None, game.seat)
                assert told[step + 1] == words_of((game.seat, "discard" if hidden else move))


def test_a_page_for_one_seat_holds_only_what_that_seat_sees():
    whole, own = data_of(PAGE), data_of(replay_page(TRANSCRIPT, eyes=2))
    assert own["seats"] == [2]
    assert {drawn(own, 0, step) for step in range(len(POSITIONS))} == {
        drawn(whole, 3, step) for step in range(len(POSITIONS))
    }
    used = {text for layer in own["layers"] for text in layer} | {text for words in own["words"][0] for text in words}
    assert used == set(range(len(own["texts"])))


def test_it_is_one_file_without_a_network_and_small():
    transcript, _ = match(5, 1, rounds=3)
    page = replay_page(transcript)
    assert len(page) < 1_000_000
    assert re.findall(r'https?://[^"]*', page) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r'<link(?! rel="icon" href="data:,")|<img|@import|url\(|src=', page)
    assert page == replay_page(transcript)
    assert set(re.findall(r'href=\\?"#(sab-[\w-]+)', page)) == set(re.findall(r'id="(sab-[\w-]+)"', page))


def test_all_pictures_are_well_formed():
    data = data_of(PAGE)
    for layer in data["layers"]:
        tree(f"<g>{''.join(data['texts'][text] for text in layer)}</g>")


@pytest.mark.parametrize("text", ["", "{}", TRANSCRIPT[:-9], TRANSCRIPT.replace('"map"', '"mop"', 1)])
def test_a_bad_transcript_is_refused(text):
    with pytest.raises(ValueError, match="bad"):
        replay_page(text)


def test_a_seat_nobody_has_is_refused():
    with pytest.raises(ValueError, match="seats go from 0 to 3; there is no seat 4"):
        replay_page(TRANSCRIPT, eyes=4)


NOTES = [
    {"moves": {move: 0.75, "map:0": 0.25}, "beliefs": {"0": [None, 0.5, 0.25, 1], 2: [0.125, 0, None, 0.0625]}}
    for move in MOVES
]


def test_annotations_are_shown_to_those_they_belong_to():
    data = data_of(replay_page(TRANSCRIPT, annotations=NOTES))
    step = next(step for step, (game, move) in enumerate(POSITIONS) if move and move != "map:0" and game.seat == 2)
    assert data["odds"][0][step] == data["odds"][3][step] == [[POSITIONS[step][1], 0.75, 1], ["map:0", 0.25, 0]]
    assert data["odds"][1][step] == []
    bars = [drawn(data, number, step).count('class="sab-beliefs"') for number in range(5)]
    assert bars == [4, 3, 0, 3, 0]
    assert data["odds"][0][-1] == [] and data_of(PAGE)["odds"] is None


@pytest.mark.parametrize(
    "notes, fault",
    [
        (NOTES[1:], f"one for each of the {len(MOVES)} moves of the match, not {len(MOVES) - 1}"),
        ([{"moves": {"pass": 2}}, *NOTES[1:]], "annotation 0: a probability lies from 0 to 1, not 2"),
        ([*NOTES[:-1], {"beliefs": {4: [0, 0, 0, 0]}}], f"annotation {len(MOVES) - 1}: beliefs of 4"),
        ([*NOTES[:-1], {"beliefs": {1: [0]}}], "each says something of 4 seats"),
        ([{"thoughts": 1}, *NOTES[1:]], "there is no 'thoughts', only moves and beliefs"),
    ],
)
def test_annotations_that_do_not_fit_are_refused(notes, fault):
    with pytest.raises(ValueError, match=re.escape(fault)):
        replay_page(TRANSCRIPT, annotations=notes)


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "page.html"
    write_page(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_page(path, "second \ud800")
    assert path.read_text() == "first" and list(tmp_path.iterdir()) == [path]
    write_page(str(path), PAGE)
    assert path.read_text(encoding="utf-8") == PAGE


CATCH = """<script>
window.faults = [];
addEventListener("error", event => faults.push(event.message));
</script></head>"""
STEP_THROUGH = """<script>
const look = () => document.getElementById("stage").innerHTML;
const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const seen = {};
const note = name => seen[name] = [look().length, location.hash, document.getElementById("count").textContent];
const slider = document.getElementById("slider"), eyes = document.getElementById("eyes");
note("start");
const before = look();
slider.value = 5; slider.dispatchEvent(new Event("input")); note("slider");
seen.changed = look() !== before;
press("ArrowRight"); note("right");
press("End"); note("end");
press("PageUp"); note("round");
press("Home"); note("home");
const open = look();
eyes.value = 2; eyes.dispatchEvent(new Event("change")); note("eyes");
seen.cut = look() !== open;
document.getElementById("moves").children[3].click(); note("list");
seen.says = document.getElementById("says").textContent;
seen.cards = document.querySelectorAll("#stage .sab-tunnels use").length;
seen.bounds = document.querySelector("#stage .sab-dwarf").getBoundingClientRect().width > 50;
document.getElementById("play").click();
setTimeout(() => { note("played"); document.title = JSON.stringify({seen, faults}); }, 2000);
</script></body>"""


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM} here to open the page in")
def test_the_page_works_in_a_browser(tmp_path):
    page = replay_page(TRANSCRIPT, annotations=NOTES)
    path = tmp_path / "page.html"
    write_page(path, page.replace("</head>", CATCH).replace("</body>", STEP_THROUGH))
    command = [str(CHROMIUM), *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=6000"]
    run = subprocess.run([*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=120)
    found = json.loads(re.search(r"<title>(\{.*?\})</title>", run.stdout)[1])
    seen, last = found["seen"], len(POSITIONS) - 1
    assert found["faults"] == []
    assert seen["changed"] and seen["cut"] and seen["bounds"]
    hashes = {name: note[1] for name, note in seen.items() if isinstance(note, list)}
    assert hashes == {
        "start": "#0", "slider": "#5", "right": "#6", "end": f"#{last}", "round": f"#{len(POSITIONS) // 2}",
        "home": "#0", "eyes": "#0/1", "list": "#3/1", "played": "#5/1",
    }  # fmt: skip
    assert seen["slider"][2] == f"5 of {last}"
    assert seen["says"].startswith(words_of(scene_of(POSITIONS[3][0].view(1)).last))
    assert seen["cards"] == len(POSITIONS[3][0].mine.tunnels)
