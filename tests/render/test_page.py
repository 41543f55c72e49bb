"""The page to step through a match: the one drawing, no secrets beside those of its eyes, at work in a browser."""

import json
import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import THROUGH
from saboteur_env.render import replay_page, scene_of, svg_of, write_page
from saboteur_env.render.text import headline
from saboteur_env.render.words import words_of
from tests.render.test_render import lively, tree
from tests.support.processes import PATIENCE

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


@pytest.fixture(scope="module")
def shown():
    """The transcript, the positions and the page of a match, and annotations for its moves."""
    transcript, positions = match(4, 3)
    notes = [
        {
            "moves": {move: 0.75, "map:0": 0.2496, "map:1": 0.0004},
            "beliefs": {"0": [None, 0.5, 0.25, 1], 2: [0.125, 0, None, 0.0625]},
            "said": f"I say </script> {move}",
        }
        for _, move in positions
        if move
    ]
    page = replay_page(transcript)
    return SimpleNamespace(transcript=transcript, positions=positions, notes=notes, page=page, data=data_of(page))


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def drawn(data, number, step):
    """What the page's script draws, the mine and then the dwarfs."""
    layers = [layer for panel in data["frames"][number][step] for layer in panel]
    return "".join(data["texts"][text] for layer in layers for text in data["layers"][layer])


def extents(positions):
    """For every position the cells that any position of its round shows."""
    result = {}
    for game, _ in positions:
        result.setdefault(game.round, []).append(scene_of(game.view(0)).extent)
    sides = {number: list(zip(*shown, strict=True)) for number, shown in result.items()}
    widest = {number: (*map(min, of[:2]), *map(max, of[2:])) for number, of in sides.items()}
    return [widest[game.round] for game, _ in positions]


def test_messages_are_shown_where_they_were_said_and_cannot_become_part_of_the_page(shown):
    game = Game(players=3, seed=7, options={"talk": "free"})
    game.say(2, "</script><img src=x onerror=alert(1)> $DATA$ <!--")
    game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    game.say(0, "So?")
    page = replay_page(game.transcript())
    assert data_of(page)["heard"] == [[[2, "</script><img src=x onerror=alert(1)> $DATA$ <!--"]], [[0, "So?"]]]
    assert page.count("</script>") == shown.page.count("</script>") and "<!--" not in page
    assert shown.data["heard"] is None


def test_every_position_is_drawn_for_all_eyes_by_the_one_drawing(shown):
    data = shown.data
    assert data["seats"] == [None, 0, 1, 2, 3]
    assert data["rounds"] == [0, len(shown.positions) // 2]
    for number, eyes in enumerate(data["seats"]):
        assert len(data["frames"][number]) == len(shown.positions)
        for step, ((game, _), extent) in enumerate(zip(shown.positions, extents(shown.positions), strict=True)):
            scene = scene_of(game if eyes is None else game.view(eyes))
            picture = svg_of(replace(scene, extent=extent))
            assert drawn(data, number, step) in picture


def test_moves_are_told_as_far_as_the_eyes_know_them(shown):
    data = shown.data
    for number, eyes in enumerate(data["seats"]):
        told = [data["texts"][words[0]] for words in data["words"][number]]
        for step, (game, move) in enumerate(shown.positions[:-1]):
            if move:
                hidden = move.startswith("discard") and eyes not in (None, game.seat)
                assert told[step + 1] == words_of((game.seat, "discard" if hidden else move))


def test_a_page_for_one_seat_holds_only_what_that_seat_sees(shown):
    whole, own = shown.data, data_of(replay_page(shown.transcript, eyes=2))
    assert own["seats"] == [2]
    assert {drawn(own, 0, step) for step in range(len(shown.positions))} == {
        drawn(whole, 3, step) for step in range(len(shown.positions))
    }
    used = {text for layer in own["layers"] for text in layer} | {text for words in own["words"][0] for text in words}
    assert used == set(range(len(own["texts"])))


def test_it_is_one_file_without_a_network_and_small():
    transcript, _ = match(5, 1, rounds=3)
    page = replay_page(transcript)
    assert len(page) < 1_000_000
    assert "http" not in page
    assert not re.search(r'<link(?! rel="icon" href="data:,")|<img|@import|url\(|src=', page)
    assert page == replay_page(transcript)
    assert set(re.findall(r'href=\\?"#(sab-[\w-]+)', page)) == set(re.findall(r'id="(sab-[\w-]+)"', page))


def test_all_pictures_are_well_formed(shown):
    texts, layers = shown.data["texts"], shown.data["layers"]
    assert any(layers)
    for layer in layers:  # what is not XML raises ParseError
        assert bool(len(tree(f"<g>{''.join(texts[text] for text in layer)}</g>"))) == bool(layer)


@pytest.mark.parametrize(
    "harmed",
    [lambda text: "", lambda text: "{}", lambda text: text[:-9], lambda text: text.replace('"map"', '"mop"', 1)],
    ids=["nothing", "empty", "cut", "unknown move"],
)
def test_a_bad_transcript_is_refused(harmed, shown):
    with pytest.raises(ValueError, match="bad"):
        replay_page(harmed(shown.transcript))


def test_a_seat_nobody_has_is_refused(shown):
    with pytest.raises(ValueError, match="seats go from 0 to 3; there is no seat 4"):
        replay_page(shown.transcript, eyes=4)


def test_annotations_are_shown_to_those_they_belong_to(shown):
    data = data_of(replay_page(shown.transcript, annotations=shown.notes))
    step = next(
        step for step, (game, move) in enumerate(shown.positions) if move and "map" not in move and game.seat == 2
    )
    odds = [[words_of((2, shown.positions[step][1])), 0.75, 1], ["dwarf 2 looks at goal 0", 0.2496, 0]]
    assert data["odds"][0][step] == data["odds"][3][step] == [*odds, ["dwarf 2 looks at goal 1", 0.0004, 0]]
    assert data["odds"][1][step] == []
    bars = [drawn(data, number, step).count('class="sab-beliefs"') for number in range(5)]
    assert bars == [4, 3, 0, 3, 0]
    assert data["odds"][0][-1] == [] and shown.data["odds"] is None
    said = f"I say </script> {shown.positions[step][1]}"
    assert [pages[step] for pages in data["said"]] == [said, "", "", said, ""]
    assert data["said"][0][-1] == "" and shown.data["said"] is None


@pytest.mark.parametrize(
    "changed, fault",
    [
        (lambda notes: notes[1:], "one for each of the {moves} moves of the match, not {last}"),
        (lambda notes: [{"moves": {"pass": 2}}, *notes[1:]], "annotation 0: a probability lies from 0 to 1, not 2"),
        (lambda notes: [*notes[:-1], {"beliefs": {4: [0, 0, 0, 0]}}], "annotation {last}: beliefs of 4"),
        (lambda notes: [*notes[:-1], {"beliefs": {1: [0]}}], "each says something of 4 seats"),
        (lambda notes: [{"thoughts": 1}, *notes[1:]], "there is no 'thoughts', only moves, beliefs and said"),
        (lambda notes: [{"said": 1}, *notes[1:]], "annotation 0: what was said is a text, not 1"),
    ],
    ids=["too few", "a probability of two", "a fifth seat", "one belief", "an unknown name", "no text"],
)
def test_annotations_that_do_not_fit_are_refused(changed, fault, shown):
    said = fault.format(moves=len(shown.notes), last=len(shown.notes) - 1)
    with pytest.raises(ValueError, match=re.escape(said)):
        replay_page(shown.transcript, annotations=changed(shown.notes))


def test_a_page_is_written_whole_or_not_at_all(tmp_path, shown):
    path = tmp_path / "page.html"
    write_page(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_page(path, "second \ud800")
    assert path.read_text() == "first" and list(tmp_path.iterdir()) == [path]
    write_page(str(path), shown.page)
    assert path.read_text(encoding="utf-8") == shown.page


CATCH = """<script>
window.faults = [];
addEventListener("error", event => faults.push(event.message));
</script></head>"""
STEP_THROUGH = """<script>
const look = () => document.getElementById("mine").innerHTML + document.getElementById("table").innerHTML;
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
seen.unknown = [...Array(8).keys()].map(step => {
  slider.value = step; slider.dispatchEvent(new Event("input"));
  return [document.querySelectorAll("#odds tr").length, document.getElementById("unknown").textContent];
});
eyes.value = 0; eyes.dispatchEvent(new Event("change"));
seen.bars = [...document.querySelectorAll("#odds .bar")].map(bar => bar.getBoundingClientRect().width);
seen.label = eyes.parentElement.firstChild.textContent.trim();
eyes.value = 2; eyes.dispatchEvent(new Event("change"));
document.getElementById("moves").children[3].click(); note("list");
seen.says = document.getElementById("says").textContent;
seen.where = document.getElementById("where").textContent;
seen.cards = document.querySelectorAll("#mine .sab-tunnels use").length;
seen.bounds = document.querySelector("#table .sab-dwarf").getBoundingClientRect().width > 50;
document.getElementById("play").click();
setTimeout(() => { note("played"); document.title = JSON.stringify({seen, faults}); }, 2000);
</script></body>"""


def told_by(path, folder, *options):
    """What a page says in its title, as JSON, once its scripts are done."""
    command = [str(CHROMIUM), *OPTIONS, *options, f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=6000"]
    run = subprocess.run([*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=PATIENCE)
    return json.loads(re.search(r"<title>(\{.*?\})</title>", run.stdout)[1])


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM} here to open the page in")
def test_the_page_works_in_a_browser(tmp_path, shown):
    page = replay_page(shown.transcript, annotations=shown.notes)
    path = tmp_path / "page.html"
    write_page(path, page.replace("</head>", CATCH).replace("</body>", STEP_THROUGH))
    result = told_by(path, tmp_path)
    seen, last = result["seen"], len(shown.positions) - 1
    assert result["faults"] == []
    assert seen["changed"] and seen["cut"] and seen["bounds"]
    hashes = {
        name: note[1] for name, note in seen.items() if name not in ("unknown", "bars") and isinstance(note, list)
    }
    assert hashes == {
        "start": "#0", "slider": "#5", "right": "#6", "end": f"#{last}", "round": f"#{len(shown.positions) // 2}",
        "home": "#0", "eyes": "#0/1", "list": "#3/1", "played": "#5/1",
    }  # fmt: skip
    assert seen["slider"][2] == f"5 of {last}"
    assert seen["says"].startswith(words_of(scene_of(shown.positions[3][0].view(1)).last))
    assert seen["where"] == headline(scene_of(shown.positions[3][0].view(1)))
    for (game, _), (rows, words) in zip(shown.positions, seen["unknown"], strict=False):
        others = game.seat != 1
        assert (rows == 0, words) == (others, f"None known here: dwarf {game.seat} to move." * others)
    assert seen["bars"][-1] < 0.5 < 10 < seen["bars"][0]
    assert seen["label"] == "seen by"
    assert seen["cards"] == len(shown.positions[3][0].mine.tunnels)


SIZES = [(1500, 1100), (1100, 800), (420, 900)]
MEASURE = """<script>
const box = element => {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return [left, top, right, bottom];
};
const inside = ([a, b, c, d], [left, top, right, bottom]) => a > left && b > top && c < right && d < bottom;
const apart = ([a, b, c, d], [left, top, right, bottom]) => c <= left || a >= right || d <= top || b >= bottom;
const size = text => parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().a);
function measure(frame) {
  const page = frame.contentDocument, all = query => [...page.querySelectorAll(query)];
  const rows = all(".sab-dwarf");
  const letters = all("#table text, #mine g > text").filter(text => !text.closest(".sab-goals"));
  return {
    name: frame.name, mine: box(page.getElementById("mine")), table: box(page.getElementById("table")),
    wide: page.documentElement.scrollWidth, tall: page.documentElement.scrollHeight,
    bottoms: all("#controls, aside").map(element => box(element)[3]),
    smallest: Math.min(...letters.map(size)),
    words: Math.min(...all("p, button, td, li, label").map(one => parseFloat(getComputedStyle(one).fontSize))),
    beliefs: all(".sab-beliefs").length,
    outside: rows.flatMap(row => [...row.querySelectorAll("text, .sab-beliefs *, .sab-hand use, .sab-backs use")]
      .filter(part => !inside(box(part), box(row.querySelector("rect")))).map(part => part.outerHTML)),
    covered: rows.flatMap(row => [...row.querySelectorAll(".sab-beliefs > *")].filter(part =>
      [...row.querySelectorAll(":scope > g > text, :scope > text, .sab-hand use, .sab-backs use")]
        .some(other => part !== other && !part.contains(other) && other.parentElement !== part.parentElement
          && !apart(box(part), box(other)))).map(part => part.outerHTML)),
  };
}
addEventListener("load", () => setTimeout(() => {
  document.title = JSON.stringify({frames: [...document.querySelectorAll("iframe")].map(measure)});
}, 500));
</script>"""


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM} here to open the page in")
def test_everything_has_room_and_can_be_read_on_screens_of_all_sizes(tmp_path):
    frames = []
    for players in (4, 10):
        transcript, positions = match(players, 3)
        moved = [move for _, move in positions if move]
        said = {seat: [1.0 if other % 2 else 0.5 for other in range(players)] for seat in range(players)}
        part = dict.fromkeys([f"discard:{card}" for card in THROUGH], 0.01)
        notes = [{"moves": part | {move: 0.5}, "beliefs": said} for move in moved]
        write_page(tmp_path / f"{players}.html", replay_page(transcript, annotations=notes))
        late = len(moved) // 2 + players  # in the second round, where there may be gold
        frames += [
            f'<iframe name="{players} {width} {height}" src="{players}.html#{late}" '
            f'style="width:{width}px;height:{height}px;border:0"></iframe>'
            for width, height in SIZES
        ]
    path = tmp_path / "frames.html"
    path.write_text(f"<!DOCTYPE html><head><title></title>{MEASURE}</head><body>{''.join(frames)}</body>")
    result = told_by(path, tmp_path, "--allow-file-access-from-files")["frames"]
    assert len(result) == 6
    for frame in result:
        players, width, height = map(int, frame["name"].split())
        assert frame["beliefs"] == players
        assert (frame["outside"], frame["covered"]) == ([], []), frame["name"]
        assert frame["smallest"] >= 10 and frame["words"] >= 12, frame["name"]
        assert frame["wide"] <= width
        mine, table = frame["mine"], frame["table"]
        if width < 900:
            assert table[1] > mine[3] and min(mine[2] - mine[0], table[2] - table[0]) > 0.9 * width
        else:
            assert table[0] > mine[2] and mine[3] - mine[1] > height / 2
            assert height == frame["tall"]  # all of the window, and no more
            assert all(0.9 * height < bottom < height for bottom in frame["bottoms"])
