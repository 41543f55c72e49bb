"""The pages in a real browser: whole matches by mouse and by keys, wide and narrow, without a script error."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from saboteur_env import Game
from tests.support import chat_server
from tests.support.chat_server import serving
from tests.support.tables import PERSON, WAIT, running, with_dwarfs

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium in /usr/bin/chromium")
DECK = {"NESW": 9, "EW": 6, "break:cart": 2, "rockfall": 1, "map": 2}
SHORT = {"rounds": 1, "options": {"hand_size": 2, "deck": DECK}}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as play:
        playwright.expect.set_options(timeout=1000 * WAIT)
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def page_in(browser, width=1280, height=860, **how):
    """A page; when it is left, no script may have gone wrong and nothing may stick out sideways."""
    context = browser.new_context(viewport={"width": width, "height": height}, **how)
    page, faults = context.new_page(), []
    page.set_default_timeout(1000 * WAIT)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("requestfailed", lambda request: faults.append(request.url))
    try:
        yield page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults == []
    finally:
        context.close()


def expect(page, selector):
    return playwright.expect(page.locator(selector))


def play_by_mouse(page):
    """Play until the match is over: the first card that has a place in the mine, else the first one."""
    while True:
        page.locator("#end:visible, #hand button:enabled, #uses button").first.wait_for()
        if page.locator("#end").is_visible():
            if not page.locator("#next").is_visible():
                return
            page.locator("#next").click()
            expect(page, "#end").to_be_hidden()
        elif "your turn" in page.locator("#state").text_content():
            move_by_mouse(page)


def move_by_mouse(page):
    before = page.locator("#moves li").count()
    for card in page.locator("#hand button").all():
        card.click()
        if page.locator("#mine .target").count():
            break
    place = page.locator("#mine .target, #uses button[data-move]").first
    place.dispatch_event("click")
    playwright.expect(page.locator("#moves li")).not_to_have_count(before)


def test_who_has_never_seen_the_game_sits_down_with_one_click_and_is_told_the_rules(server, browser):
    with page_in(browser) as page:
        page.goto(server.lobby)
        page.locator("#quick").click()
        page.locator("#hand button").first.wait_for()
        assert "You are dwarf 0, a" in page.locator("#role").text_content()
        assert "treasure" in page.locator("#guide").text_content()
        playwright.expect(page.locator("#state")).to_contain_text("it is your turn")
        assert "Pick a card up" in page.locator("#guide").text_content()
        page.locator("#hand button").first.click()
        assert page.locator("#help").text_content()
        assert "would say" not in page.locator("#told").text_content()
        page.locator("#ask").click()
        expect(page, "#told").to_contain_text("scripted would say")


def test_one_person_plays_a_match_with_four_dwarfs_by_mouse(server, browser):
    links = server.new(seats=with_dwarfs(), **SHORT | {"rounds": 2})
    with page_in(browser) as page:
        page.goto(server.url(links["seat 0"]))
        play_by_mouse(page)
        page.locator("#thoughts").click()
        page.locator(".thought summary").first.wait_for()
        with page.expect_download() as download:
            page.locator("#keep-transcript").click()
        assert Game.replay(Path(download.value.path()).read_text()).over
        with page.expect_download() as download:
            page.locator("#keep-page").click()
        assert Path(download.value.path()).read_text().startswith("<!DOCTYPE html>")


def test_two_people_play_in_two_browsers(server, browser):
    links = server.new(seats=[PERSON, PERSON, "random"], **SHORT)
    with page_in(browser) as one, page_in(browser, width=1000) as other:
        one.goto(server.url(links["seat 0"]))
        expect(one, "#waiting").to_be_visible()
        expect(one, "#waiting").to_contain_text("dwarf 1: person, is awaited")
        other.goto(server.url(links["seat 1"]))
        people = [one, other]
        while not all(page.locator("#end").is_visible() for page in people):
            for page in people:
                if "your turn" in page.locator("#state").text_content():
                    move_by_mouse(page)
        assert one.locator("#result").text_content() == other.locator("#result").text_content()


def test_a_match_by_keys_alone_on_a_narrow_screen(server, browser):
    links = server.new(seats=with_dwarfs(2), **SHORT)
    with page_in(browser, 390, 844, color_scheme="dark", has_touch=True, reduced_motion="reduce") as page:
        page.goto(server.url(links["seat 0"]))
        page.locator("#hand button").first.wait_for()
        while not page.locator("#end").is_visible():
            if "your turn" not in page.locator("#state").text_content():
                continue
            before = page.locator("#moves li").count()
            page.keyboard.press("1")
            if page.locator("#hand button").count():
                expect(page, '#hand button[aria-pressed="true"]').to_have_count(1)
                page.keyboard.press("t")
                page.keyboard.press("Escape")
                expect(page, '#hand button[aria-pressed="true"]').to_have_count(0)
                page.keyboard.press("1")
            else:
                page.locator("#uses button").first.focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("Enter")
            playwright.expect(page.locator("#moves li")).not_to_have_count(before)


def test_three_models_a_network_and_a_person_play_by_one_command_and_all_is_told_in_the_end(tmp_path, browser):
    """The walk through docs/chat.md: what each said, thought and was."""
    for needed in ("openai", "torch"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    with serving(chat_server.talkative) as (url, _):
        seats = ",".join([PERSON, *[f"chat:model={name}:base_url={url}" for name in "abc"], "ppo"])
        given = ("--seats", seats, "--rounds", 1, "--talk", "free", "--dwarfs", "random")
        with running(tmp_path / "tables.sqlite", *given) as server, page_in(browser) as page:
            page.goto(server.link("seat 0"))
            sit_and_talk(page)
            with page.expect_download() as download:
                page.locator("#keep-page").click()
            download.value.save_as(tmp_path / "replay.html")
    with page_in(browser) as page:
        page.goto((tmp_path / "replay.html").as_uri())
        page.locator("#last").click()
        said = page.locator("#heard li").all_text_contents()
        assert "dwarf 0: 1 <i>trust</i> nobody" in said
        assert {f"dwarf {seat}: <b>I am honest.</b>" for seat in (1, 2, 3)} <= set(said)
        seats = page.locator("#table text").all_text_contents()
        assert sum(role in " ".join(seats) for role in ("miner", "saboteur")) == 2
        wrote, thought = steps_of(page, "#said p"), steps_of(page, "#odds tbody")
        assert any(words.startswith("I dig.") for words in wrote)
        assert any("%" in words for words in thought)


def sit_and_talk(page):
    """Say something, play two moves, and let a dwarf play the rest of the match."""
    expect(page, "#talk").to_be_visible()
    page.locator("#saying").fill("1 <i>trust</i> nobody")
    page.locator("#saying").press("1")  # which picks no card up here
    page.locator("#saying").press("Backspace")
    page.locator("#saying").press("Enter")
    expect(page, "#heard").to_contain_text("dwarf 0: 1 <i>trust</i> nobody")
    expect(page, "#saying").to_have_value("")
    expect(page, '#hand button[aria-pressed="true"]').to_have_count(0)
    for _ in range(2):
        expect(page, "#state").to_contain_text("it is your turn")
        move_by_mouse(page)
    page.locator("#stand-in").select_option("random")
    expect(page, "#end").to_be_visible()


def steps_of(page, selector):
    """The text of an element at every step of a replay."""
    page.locator("#first").click()
    texts = [page.locator(selector).text_content()]
    for _ in range(page.locator("#moves li").count() - 1):
        page.locator("#next").click()
        texts.append(page.locator(selector).text_content())
    return texts


def test_a_card_is_turned_and_its_places_are_marked(server, browser):
    options = {"deck": {"NES": 8, "NEW": 8}, "hand_size": 3, "first_seat": 0}
    links = server.new(seats=with_dwarfs(2, "random"), rounds=1, options=options)
    with page_in(browser) as page:
        page.goto(server.url(links["seat 0"]))
        card = page.locator('#hand button[data-card="NES"], #hand button[data-card="NEW"]').first
        card.click()
        name = card.get_attribute("data-card")
        moves = page.locator("#mine .target").evaluate_all("all => all.map(one => one.dataset.move)")
        assert moves
        assert all(move.startswith(f"{name}@") for move in moves)
        card.click()  # once more turns it
        turned = page.locator("#mine .target").evaluate_all("all => all.map(one => one.dataset.move)")
        assert turned
        assert all(move.startswith({"NES": "NSW@", "NEW": "ESW@"}[name]) for move in turned)
        ghost = page.locator("#mine .target .ghost").first
        assert ghost.get_attribute("href") == {"NES": "#sab-NSW", "NEW": "#sab-ESW"}[name]


def test_a_table_is_made_in_the_lobby_and_a_bad_link_is_told(server, browser):
    with page_in(browser, 390) as page:
        page.goto(server.lobby)
        page.locator("#make:enabled").wait_for()
        page.locator("#count").select_option("4")
        assert page.locator("#seats select").count() == 4
        page.locator("#seats select").nth(1).select_option(PERSON)
        before = page.locator("#tables > li").first.text_content() if page.locator("#tables > li").count() else ""
        page.locator("summary").click()
        page.locator("#watched").check()
        page.locator("#switches select[name=draft]").select_option("true")
        page.locator("#make").click()
        playwright.expect(page.locator("#tables > li").first).not_to_have_text(before)
        links = page.locator("#tables > li").first.locator("a").all_text_contents()
        assert [link.split("/")[-2] for link in links] == ["seat-0", "seat-1", "watch"]
        page.goto("about:blank")
        page.goto(links[0][:-1])
        expect(page, "#problem").to_contain_text("this link does not open a seat")
