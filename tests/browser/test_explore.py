"""The explorer as people use it. What is expected comes from the program's commands and from
the paper on Ostle, not from the page.

With OSTLE_TABLE, the file of the solved published game, the puzzle of Fig. 1B of the paper
is set up; without it, a puzzle of a small board."""

import csv
import json
import os
import pathlib
import re
import subprocess
from urllib.parse import quote

import pytest

from conftest import GAME, TESUJI, go, tesuji, until

DEFAULT = "ostle:4x4,pieces=4,losses=2"
WORDS = {"b": "black piece", "w": "white piece", "o": "hole"}
DIRECTIONS = {"U": (0, 1), "D": (0, -1), "L": (-1, 0), "R": (1, 0)}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
         "color_scheme": "dark"}


class Server:
    """The program, until it is stopped."""

    def __init__(self, *words):
        self.process = subprocess.Popen([TESUJI, "explore", *map(str, words)], stdout=subprocess.PIPE, text=True)
        text = ""
        while "http://" not in text:
            line = self.process.stdout.readline()
            assert line, "the program ended"
            text += line
        self.url = re.search(r"http://\S+", text).group()

    def stop(self):
        # As Ctrl-C does.
        self.process.send_signal(2)
        assert self.process.wait(timeout=20) == 0


class Puzzle:
    """A puzzle and what the program says of it."""

    def __init__(self, server, game, position, table=()):
        self.server, self.game, self.position = server, game, position
        def says(command):
            run = subprocess.run([TESUJI, command, game, position, "--json", *table], capture_output=True, text=True)
            return json.loads(run.stdout)
        self.values, self.solution = says("probe"), says("solution")
        self.winning = [move["move"] for move in self.values["moves"] if move["outcome"] == "win"]
        self.says = says

    def things(self):
        """Squares of the position with what is on them."""
        ranks = self.position.split()[0].split("/")
        for row, rank in zip(range(len(ranks), 0, -1), ranks):
            column = 0
            for letter in rank:
                if letter.isdigit():
                    column += int(letter)
                else:
                    yield f"{chr(ord('a') + column)}{row}", WORDS[letter]
                    column += 1


@pytest.fixture(scope="module")
def small():
    server = Server(GAME)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def puzzle(small):
    table = os.environ.get("OSTLE_TABLE")
    if not table:
        found = json.loads(tesuji("compose", GAME, "????/????/????/????", "--filter", "forced-sacrifice", "--json"))
        # Two winning moves, as in the figure.
        row = min((row for row in found["puzzles"] if row["n_winning"] == 2), key=lambda row: row["plies"])
        yield Puzzle(small, GAME, row["position"])
        return
    server = Server("ostle", "--table", table)
    this = Puzzle(server, "ostle", "2o2/1b3/w1w2/bwbbb/ww3 b -", ("--table", table))
    # The paper: won in 7 plies, by giving up a piece; the other winning move takes 9.
    assert (this.values["plies"], this.winning) == (7, ["d2L", "e2L"])
    yield this
    server.stop()


@pytest.fixture
def open_page(browser):
    """Opens a page; at the end nothing may have gone wrong or been asked elsewhere."""
    contexts, faults, asked, allowed = [], [], [], []

    def open_page(url, **options):
        options.setdefault("viewport", {"width": 1200, "height": 900})
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(accept_downloads=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        # A text that is not a position, and a search too many, are refused by the program, which the browser notes.
        refused = re.compile("status of (400|503)")
        page.on("console", lambda message: refused.search(message.text) or faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        allowed.append(url.split("#")[0])
        page.goto(url)
        page.locator("body[data-ready]").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
    assert [url for url in asked if not url.startswith((*allowed, "data:", "blob:"))] == []


def cell(page, square):
    return page.locator(f'.cell[aria-label^="{square} "]')


def goal(move):
    right, up = DIRECTIONS[move[2]]
    return chr(ord(move[0]) + right) + str(int(move[1]) + up)


def play(page, move, tap=False):
    """Plays a move such as c2U by pointing."""
    act = (lambda it: it.tap()) if tap else (lambda it: it.click())
    act(cell(page, move[:2]))
    target = cell(page, goal(move))
    act(target if target.count() else page.locator(".cell.ring.goal"))


def said(page, text):
    until(page, "text => document.getElementById('message').textContent.includes(text)", arg=text)
    return page.locator("#message").inner_text()


def shows(page, position):
    until(page, "text => document.getElementById('notation').value === text", arg=position)


def listed(page):
    return page.locator("#moves .name").all_inner_texts()


def hold(page, pattern, count):
    """Holds back the first requests to an address; those that come later go on."""
    held = []
    page.route(pattern, lambda route: held.append(route) if len(held) < count else route.continue_())
    return held


def reached(page, held, count):
    for _ in range(1000):
        if len(held) == count:
            return
        page.wait_for_timeout(10)
    raise AssertionError(f"{len(held)} of {count} requests came")


def at(server, position):
    return f"{server.url}#p={position}"


def set_up(page, puzzle, act=lambda it: it.click()):
    act(page.locator("#mode-setup"))
    act(page.locator("#clear"))
    said(page, "Not a position yet")
    shows(page, "")
    for words in WORDS.values():
        act(page.locator("#palette").get_by_role("radio", name=words))
        for square, thing in puzzle.things():
            if thing == words:
                act(cell(page, square))
                cell(page, square).and_(page.locator(f'[aria-label*="{words}"]')).wait_for()
    shows(page, puzzle.position)
    act(page.locator("#mode-move"))


def test_set_up_by_hand_and_see_the_key(puzzle, open_page, shot):
    page = open_page(puzzle.server.url)
    set_up(page, puzzle)
    assert f"wins in {puzzle.values['plies']} plies" in page.locator("#verdict").inner_text()
    # All moves, the key first, and an arrow for each that is as good.
    assert listed(page) == [move["move"] for move in puzzle.values["moves"]]
    assert listed(page)[0] == puzzle.solution["key"]
    as_good = [move for move in puzzle.values["moves"] if move["plies"] == puzzle.values["plies"]]
    assert len(puzzle.winning) == 2
    assert page.locator(".overlay g.win").count() == len([move for move in as_good if move["outcome"] == "win"]) == 1
    worths = page.locator("#moves .worth").all_inner_texts()
    assert worths[:2] == [f"win in {move['plies']} plies" for move in puzzle.values["moves"][:2]]
    assert page.locator("#line button").all_inner_texts() == puzzle.values["line"]
    shot(page, "explore-values")
    # The address is a bookmark, and undo goes back through the set-up.
    again = open_page(page.url)
    assert listed(again) == listed(page)
    page.click("#undo")
    said(page, "Not a position")
    assert page.locator("#notation").input_value() == ""
    page.click("#redo")
    shows(page, puzzle.position)


def test_set_up_by_touch_on_a_phone(puzzle, open_page, shot):
    page = open_page(puzzle.server.url, **PHONE)
    set_up(page, puzzle, lambda it: it.tap())
    assert listed(page)[0] == puzzle.solution["key"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play(page, puzzle.solution["key"], tap=True)
    said(page, f"{puzzle.solution['key']}!")
    shot(page, "explore-phone")
    for tab in ["#tab-desk", "#tab-mine", "#tab-values"]:
        page.locator(tab).tap()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_set_up_with_the_keyboard_alone(puzzle, open_page):
    page = open_page(puzzle.server.url)

    def tab_to(selector):
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab never comes to {selector}")

    tab_to("#mode-move")
    page.keyboard.press("ArrowRight")
    assert page.locator("#mode-setup").get_attribute("aria-checked") == "true"
    tab_to("#clear")
    page.keyboard.press("Enter")
    said(page, "Not a position yet")
    for _ in range(80):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.cell')"):
            break
    for square, thing in puzzle.things():
        go(page, square)
        page.keyboard.press(str(1 + list(WORDS.values()).index(thing)))
        cell(page, square).and_(page.locator(f'[aria-label*="{thing}"]')).wait_for()
    shows(page, puzzle.position)
    page.locator("#mode-setup").focus()
    page.keyboard.press("ArrowLeft")
    key = puzzle.solution["key"]
    cell(page, key[:2]).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    page.keyboard.press({"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}[key[2]])
    page.keyboard.press("Enter")
    said(page, f"{key}!")
    page.keyboard.press("Control+z")
    shows(page, puzzle.position)


def test_play_the_solution_and_break_it(puzzle, open_page, shot):
    page = open_page(at(puzzle.server, puzzle.position))
    line = puzzle.values["line"]
    for move in line[:-1]:
        before = page.locator("#notation").input_value()
        play(page, move)
        until(page, "text => document.getElementById('notation').value !== text", arg=before)
    play(page, line[-1])
    said(page, f"{line[-1]} ends the game: Black wins.")
    # A wrong move, and the refutation that the program names.
    page.goto("about:blank")
    page.goto(at(puzzle.server, puzzle.position))
    page.locator("body[data-ready]").wait_for()
    wrong = puzzle.solution["tries"][0]
    play(page, wrong["move"])
    assert f"{wrong['move']}? {wrong['refutation']}!" in said(page, "Refuted by")
    assert listed(page)[0] == wrong["refutation"]
    shot(page, "explore-refuted")
    page.click("#undo")
    shows(page, puzzle.position)
    # What is not a move is said so.
    page.keyboard.press("Escape")
    cell(page, puzzle.solution["key"][:2]).click()
    cell(page, "a4" if puzzle.solution["key"][0] > "b" else "d4").click()
    said(page, "is not a legal move")


def test_the_desk_tells_the_verdict_and_the_neighbours(puzzle, open_page, shot):
    page = open_page(at(puzzle.server, puzzle.position))
    page.click("#tab-desk")
    verdict = puzzle.says("check")
    page.locator("#judgement table").first.wait_for()
    text = page.locator("#judgement").inner_text()
    assert f"Sound: {verdict['stipulation']}" in text
    for theme in verdict["themes"]:
        assert theme in text
    assert f"({'★' * verdict['stars']})" in text
    for purpose in verdict["purposes"]:
        if purpose["outcome"] is None:
            assert "cannot be removed" in text
    for tried in verdict["solution"]["tries"]:
        assert f"1.{tried['move']}? {tried['refutation']}!" in page.locator("#solution").inner_text()
    assert page.locator("#tree summary").first.inner_text().startswith(f"1.{verdict['solution']['key']}")
    page.click("#around")
    groups = page.locator("#neighbours summary")
    groups.first.wait_for()
    # A piece none of whose moves leaves the problem sound.
    names = groups.all_inner_texts()
    moved = next(name for name in names if " moved: none of" in name)
    page.locator("#neighbours details", has_text=moved.split(":")[0]).locator("summary").click()
    boards = page.locator("#neighbours details[open] .boards button")
    boards.first.wait_for()
    assert boards.count() == int(re.search(r"none of (\d+)", moved).group(1))
    assert "not sound" in boards.first.inner_text()
    shot(page, "explore-desk")
    page.fill("#stipulation", verdict["stipulation"])
    boards.first.click()
    until(page, "text => document.getElementById('notation').value !== text", arg=puzzle.position)
    page.locator("#judgement .bad").wait_for()
    assert "Not sound" in page.locator("#judgement").inner_text()


def test_drag_and_paste(puzzle, open_page):
    page = open_page(at(puzzle.server, puzzle.position))
    key = puzzle.solution["key"]
    start = cell(page, key[:2]).bounding_box()
    right, up = DIRECTIONS[key[2]]
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * start["width"], y - up * start["height"], steps=5)
    page.mouse.up()
    said(page, f"{key}!")
    page.fill("#notation", puzzle.position)
    page.keyboard.press("Enter")
    shows(page, puzzle.position)
    page.fill("#notation", "nonsense")
    page.keyboard.press("Enter")
    said(page, "invalid position")
    assert page.locator("#message").get_attribute("aria-live") == "polite"
    # A thing dragged off the board in set-up mode is taken away.
    page.click("#mode-setup")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3000, y, steps=3)
    page.mouse.up()
    cell(page, key[:2]).and_(page.locator('[aria-label*="empty"]')).wait_for()


def test_the_verdict_stands_once(puzzle, open_page):
    page = open_page(at(puzzle.server, puzzle.position))
    says = lambda: page.locator("main").inner_text().count("to move wins in") + page.locator("main").inner_text().count("to move loses in")
    assert says() == 1
    assert f"wins in {puzzle.values['plies']} plies" in page.locator("#verdict").inner_text()
    play(page, puzzle.solution["key"])
    said(page, f"{puzzle.solution['key']}!")
    assert says() == 1
    assert page.locator("#verdict").get_attribute("role") == "status"


def test_a_long_position_is_shown_whole(puzzle, open_page, shot):
    page = open_page(at(puzzle.server, puzzle.position), viewport={"width": 320, "height": 740})
    fits = "document.querySelector('#notation').scrollWidth <= document.querySelector('#notation').clientWidth"
    assert page.evaluate(fits)
    # So is what is typed, in as many lines as it needs; Enter sends it and adds none.
    before = page.locator("#notation").bounding_box()["height"]
    page.fill("#notation", puzzle.position * 9)
    shot(page, "explore-long-position")
    assert page.locator("#notation").bounding_box()["height"] > before
    assert page.evaluate("document.querySelector('#notation').scrollHeight <= document.querySelector('#notation').clientHeight")
    page.fill("#notation", "non\nsense\n")
    page.keyboard.press("Enter")
    assert "non sense" in said(page, "invalid position")


def test_what_is_typed_before_an_answer_comes_stays(puzzle, open_page):
    page = open_page(at(puzzle.server, puzzle.position))
    key = puzzle.solution["key"]
    play(page, key)
    said(page, f"{key}!")
    later = page.locator("#notation").input_value()
    questions = []
    # The first question about a value is held back.
    page.route("**/api/evaluate", lambda route: route.continue_() if questions else questions.append(route))

    def submitted():
        questions.clear()
        page.fill("#notation", puzzle.position)
        page.keyboard.press("Enter")
        for _ in range(1000):
            if questions:
                break
            page.wait_for_timeout(10)
        page.fill("#notation", "nonsense")

    submitted()
    questions[0].continue_()
    until(page, "at => location.hash.endsWith(at)", arg=quote(puzzle.position, safe=""))
    shows(page, "nonsense")
    page.keyboard.press("Enter")
    said(page, "invalid position")
    # The position stays on the board, with the values of its moves.
    play(page, key)
    said(page, f"{key}!")
    shows(page, later)
    # A refused text, submitted before the answer about a position came, does not lose the position.
    submitted()
    page.keyboard.press("Enter")
    until(page, "at => location.hash.endsWith(at)", arg=quote(puzzle.position, safe=""))
    said(page, "invalid position")
    questions[0].continue_()
    play(page, key)
    said(page, f"{key}!")


def test_mine_and_make_a_booklet(open_page, shot, tmp_path):
    server = Server(DEFAULT)
    page = open_page(server.url)
    page.click("#tab-mine")
    # Columns are completed by their beginnings.
    page.fill("#condition", "")
    page.type("#condition", "n_winn")
    page.locator("#columns li").first.wait_for()
    assert "moves that win" in page.locator("#columns").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#condition") == "n_winning"
    page.select_option("#filter", "forced-sacrifice")
    page.click("#run")
    # What README.md of the repository says of this game.
    page.locator("#mined", has_text="94 positions fit; 24 are shown.").wait_for(timeout=120_000)
    assert page.locator("#finds li").count() == 24
    until(page, "[...document.querySelectorAll('#finds img')].slice(0, 6).every(one => one.complete && one.naturalWidth)")
    shot(page, "explore-mine")
    for format, start in [("pdf", b"%PDF"), ("html", b"<!doctype html>"), ("svg", b"<svg"), ("csv", b"puzzle_id,"), ("toml", b'name = "my-filter"')]:
        with page.expect_download() as download:
            page.click(f'#exports [data-format="{format}"]')
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.read_bytes().startswith(start)
    # The filter file is one, and finds the same.
    told = tesuji("mine", DEFAULT, "--filter", tmp_path / "my-filter.toml", "--draw", 0, "--output", tmp_path)
    assert re.search(r"my-filter +94 ", told)
    page.locator("#finds button").first.click()
    until(page, "document.getElementById('verdict').textContent.includes('wins in')")
    # A partial diagram from the board.
    page.click("#mode-setup")
    page.get_by_role("radio", name="anything").click()
    free = page.locator('.cell[aria-label$=" empty"]')
    for _ in range(4):
        left = free.count()
        free.first.click()
        until(page, "left => document.querySelectorAll('.cell[aria-label$=\" empty\"]').length < left", arg=left)
    page.click("#from-board")
    until(page, "document.getElementById('pattern').value.split('?').length === 5")
    page.fill("#condition", "outcome = 'win'")
    page.click("#run")
    page.locator("#mined", has_text=re.compile("positions? fits?; ")).wait_for(timeout=120_000)
    # Its filter file keeps the diagram.
    count = page.locator("#mined").inner_text().split()[0]
    with page.expect_download() as download:
        page.click('#exports [data-format="toml"]')
    download.value.save_as(file)
    told = tesuji("mine", DEFAULT, "--filter", file, "--draw", 0, "--force", "--output", tmp_path)
    assert re.search(rf"my-filter +{count} ", told)
    # Opened, it finds the same, and is saved as it is.
    page.fill("#pattern", "")
    page.set_input_files("#open", file)
    until(page, "name => document.getElementById('filter').value === name", arg=file.name)
    page.click("#run")
    page.locator("#mined", has_text=re.compile(f"^{count} positions? fits?; ")).wait_for(timeout=120_000)
    with page.expect_download() as download:
        page.click('#exports [data-format="toml"]')
    download.value.save_as(tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_bytes() == file.read_bytes()
    server.stop()


@pytest.mark.parametrize("spec, name", [
    ("dobutsu:pieces=lion+chick", "tsume"), (GAME, "only-move-draw"), ("kings:5x6", "high-nimber")])
def test_the_file_of_a_filter_that_ships_finds_the_same(spec, name, open_page, tmp_path):
    server = Server(spec)
    page = open_page(server.url)
    page.click("#tab-mine")
    page.select_option("#filter", name)
    page.click("#run")
    page.locator("#mined", has_text="are shown.").wait_for(timeout=120_000)
    files = {}
    for format in ["csv", "toml"]:
        with page.expect_download() as download:
            page.click(f'#exports [data-format="{format}"]')
        files[format] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[format])
    tesuji("mine", spec, "--filter", files["toml"], "--draw", 0, "--output", tmp_path)

    def finds(path):
        with open(path, newline="") as file:
            return [(row["position"], row["stipulation"]) for row in csv.DictReader(file)]

    assert finds(tmp_path / "my-filter" / "puzzles.csv") == finds(files["csv"]) != []
    server.stop()


def test_the_last_search_waits_for_those_that_were_stopped(open_page):
    server = Server("chess:KP-K")
    page = open_page(server.url)
    assert page.locator(".cell.shaded").count() == 32
    assert page.locator(".cell.shaded").and_(cell(page, "a1")).count() == 1
    page.click("#tab-mine")
    page.fill("#condition", "themes LIKE '%zug%'")
    page.keyboard.press("Escape")
    for _ in range(3):
        page.click("#run")
        page.wait_for_timeout(300)
    page.click("#stop")
    until(page, "document.getElementById('mined').textContent.startsWith('Stopped.')")
    page.fill("#condition", "plies > 30")
    page.keyboard.press("Escape")
    page.click("#run")
    page.locator("#mined", has_text="are shown.").wait_for(timeout=60_000)
    page.locator("#stop").wait_for(state="hidden")
    server.stop()


def test_a_search_by_keyboard_keeps_to_the_limits(small, open_page):
    page = open_page(small.url)
    page.click("#tab-mine")
    for limit in ["-1", "0", "1.5"]:
        page.fill("#limit", limit)
        page.focus("#condition")
        page.keyboard.press("Control+Enter")
        assert page.evaluate("document.activeElement.id") == "limit"
        assert page.locator("#mined").inner_text() == ""
    page.fill("#limit", "2")
    page.focus("#condition")
    page.keyboard.press("Control+Enter")
    page.locator("#mined", has_text="2 are shown.").wait_for(timeout=120_000)


def test_answers_about_other_positions_do_not_come_to_the_desk(puzzle, open_page):
    page = open_page(at(puzzle.server, puzzle.position))
    held = hold(page, re.compile("api/(check|neighbours)$"), 2)
    page.click("#tab-desk")
    page.click("#around")
    reached(page, held, 2)
    play(page, puzzle.solution["key"])
    page.locator("#judgement .verdict").wait_for()
    before = page.locator("#desk").inner_text()
    for route in held:
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(100)
    assert page.locator("#desk").inner_text() == before
    assert page.locator("#neighbours").inner_text() == ""


def test_set_play_without_a_line(puzzle, open_page):
    page = open_page(at(puzzle.server, puzzle.position))

    def drawn(route):
        response = route.fetch()
        found = response.json()
        found["solution"]["set_play"] = {"value": {"outcome": "draw", "plies": None}, "line": []}
        route.fulfill(response=response, json=found)

    page.route("**/api/check", drawn)
    page.click("#tab-desk")
    page.locator("#solution table").wait_for()
    assert page.locator("#solution tr", has_text="set play").locator("td").inner_text() == "draw"


def test_undo_judges_what_was_set_up_too_quickly(small, open_page):
    page = open_page(small.url)
    initial = page.locator("#notation").input_value()
    page.click("#mode-setup")
    page.get_by_role("radio", name="empty square").click()
    held = hold(page, "**/api/arrange", 3)
    for thing in ["black piece", "white piece"]:
        page.locator(f'.cell[aria-label*="{thing}"]').first.click()
    page.click("#clear")
    reached(page, held, 3)
    page.keyboard.press("Control+z")
    until(page, "document.getElementById('verdict').textContent.includes(' to move ')")
    until(page, "text => !['', text].includes(document.getElementById('notation').value)", arg=initial)
    both = page.locator("#notation").input_value()
    assert listed(page)
    page.keyboard.press("Control+z")
    until(page, "texts => !texts.includes(document.getElementById('notation').value)", arg=["", both, initial])
    # What was asked before is answered now, and changes nothing.
    one = page.locator("#notation").input_value()
    for route in held:
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(100)
    shows(page, one)
    page.keyboard.press("Control+z")
    shows(page, initial)


def test_a_partial_diagram_is_not_judged(small, open_page):
    page = open_page(small.url)
    page.click("#mode-setup")
    page.click("#fill")
    said(page, "A partial diagram")
    page.click("#tab-desk")
    why = "Only a whole position can be judged."
    assert page.locator("#judgement").inner_text() == why
    page.click("#around")
    assert page.locator("#neighbours").inner_text() == why
    page.click("#copy")
    said(page, "There is no position to copy.")


def test_accessible_to_axe(small, open_page):
    axe = os.environ.get("AXE")
    if not axe:
        pytest.skip("axe-core is not installed: tests/browser/run.sh installs it with npm")
    for scheme in ("light", "dark"):
        page = open_page(small.url, color_scheme=scheme, bypass_csp=True)
        page.evaluate(pathlib.Path(axe).read_text())
        for tab in ["values", "desk", "mine"]:
            page.click(f"#tab-{tab}")
            page.wait_for_load_state("networkidle")
            found = page.evaluate("axe.run()")["violations"]
            assert [(one["id"], one["impact"], one["nodes"][0]["html"]) for one in found] == []


def test_a_page_of_another_origin_gets_nothing(small, browser, tmp_path):
    """A page that somehow knows the address, token and all."""
    other = Server("tictactoe")
    context = browser.new_context()
    page = context.new_page()
    page.goto(other.url)
    attempts = page.evaluate("""async (url) => {
        const tries = {
            get: () => fetch(url + 'api/game'),
            post: () => fetch(url + 'api/board', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"position": ""}'}),
            blind: () => fetch(url + 'api/board', {method: 'POST', mode: 'no-cors', body: '{"position": ""}'}).then((it) => it.text()).then((text) => { if (!text) throw 0; }),
        };
        const got = [];
        for (const [name, act] of Object.entries(tries)) {
            try { await act(); got.push(name); } catch { /* as it should be */ }
        }
        return got;
    }""", small.url)
    assert attempts == []
    # Nor can it be framed.
    hostile = tmp_path / "hostile.html"
    hostile.write_text(f'<iframe src="{small.url}"></iframe><img src="{small.url}api/diagram.svg">')
    page.goto(hostile.as_uri())
    page.wait_for_timeout(500)
    assert all(frame.locator("#stage").count() == 0 for frame in page.frames)
    assert page.evaluate("document.querySelector('img').naturalWidth") == 0
    context.close()
    other.stop()


@pytest.mark.parametrize("spec", ["kings:5x6", "three-mens-morris", "dobutsu:pieces=lion+chick", "tictactoe", "sliding:3x3", "tsuitate"])
def test_every_kind_of_game_is_shown(spec, open_page, shot):
    server = Server(spec)
    page = open_page(server.url)
    found = json.loads(tesuji("probe", spec, "--json"))
    tabs = {"sliding:3x3": ["Values"], "tsuitate": ["Values", "Desk", "Mine", "Umpire"]}
    assert page.locator("#tabs button:visible").all_inner_texts() == tabs.get(spec, ["Values", "Desk", "Mine"])
    if spec == "tsuitate":
        assert "Solved in" in page.locator("#verdict").inner_text() or "No solution" in page.locator("#verdict").inner_text()
        page.click("#tab-desk")
        page.wait_for_selector("#solution img")
        assert page.locator("#judgement .verdict").inner_text() == "Sound: win in 9 with 1 foul allowed (no duals in the main line)."
        page.fill("#stipulation", "win in 7")
        page.keyboard.press("Enter")
        page.wait_for_selector("#judgement .bad")
        assert "distance mismatch" in page.locator("#judgement").inner_text()
        assert page.locator("#solution img").count() == 0
    else:
        assert listed(page) == [move["move"] for move in found["moves"]]
    if spec == "kings:5x6":
        assert f"nimber {found['nimber']}" in page.locator("#verdict").inner_text()
        first = found["moves"][0]["move"]
        cell(page, first).click()
        said(page, first)
        assert "no free square" in cell(page, first).get_attribute("aria-label")
    page.wait_for_load_state("networkidle")
    shot(page, "explore-" + spec.split(":")[0])
    server.stop()


def test_a_problem_is_played_against_the_umpire(open_page, shot):
    server = Server("tsuitate")
    page = open_page(server.url)

    def reads(place, words):
        until(page, "([place, words]) => document.getElementById(place).textContent.includes(words)", [place, words])

    def told(count):
        until(page, "(count) => document.querySelectorAll('#umpire-heard li').length === count", count)

    def make(move):
        page.fill("#umpire-move", move)
        page.keyboard.press("Enter")

    page.click("#tab-umpire")
    reads("umpire-left", "9 plies and 1 foul left")
    # The solution that the program prints, by keyboard, by button and by hint.
    make("2d1e")
    told(1)
    assert page.locator("#umpire-heard li").all_inner_texts() == ["2d1exR: check. White replies -."]
    page.locator("#umpire-list").get_by_role("button", name="R*2c", exact=True).click()
    told(2)
    page.click("#umpire-hint")
    reads("umpire-said", "Hint: 3d1d")
    shot(page, "explore-umpire")
    # What is no try changes nothing.
    make("9i9h")
    reads("umpire-said", "not possible with your own pieces")
    told(2)
    for number, move in enumerate(["3d1d", "1d2d", "2d2b+"]):
        make(move)
        told(number + 3)
    reads("umpire-heard", "2d2b+: mate. You win.")
    assert page.locator("#umpire-left").inner_text() == "Over: Black has won."
    assert page.locator("#umpire-list li").count() == 0
    page.click("#umpire-back")
    told(4)
    server.stop()


def test_without_the_program(open_page, shot, tmp_path):
    file = tmp_path / "page.html"
    tesuji("explore", "tictactoe", "--html", file)
    page = open_page(file.as_uri())
    found = json.loads(tesuji("probe", "tictactoe", "--json"))
    assert listed(page) == [move["move"] for move in found["moves"]]
    assert page.locator("#tabs button:visible").all_inner_texts() == ["Values"]
    cell(page, "b2").click()
    shows(page, ".../.x./...")
    # A blunder, and what the program says of it.
    cell(page, "b1").click()
    after = json.loads(tesuji("probe", "tictactoe", ".../.x./.o.", "--json"))
    said(page, f"Refuted by b1? {after['moves'][0]['move']}!")
    assert page.locator("#moves .worth").all_inner_texts() == [
        move["outcome"] + (f" in {move['plies']} plies" if move["plies"] else "") for move in after["moves"]]
    assert page.locator("#line button").all_inner_texts() == after["line"]
    shot(page, "explore-still")
    # The board can be set up, within what the file has.
    page.click("#mode-setup")
    page.get_by_role("radio", name="O", exact=True).click()
    cell(page, "b1").click()
    shows(page, ".../.x./...")


@pytest.mark.parametrize("width", [1280, 1000, 390])
def test_a_name_of_a_move_stays_in_one_line(small, open_page, width):
    page = open_page(small.url, viewport={"width": width, "height": 900})
    lines = page.evaluate("[...document.querySelectorAll('#moves .name')].map((name) => name.getBoundingClientRect().height"
                          " / parseFloat(getComputedStyle(name).lineHeight))")
    assert lines and max(lines) < 1.5


def test_no_word_that_heads_a_line_of_a_table_is_broken_on_a_phone(small, open_page):
    page = open_page(small.url, **PHONE)
    page.click("#tab-desk")
    page.locator("#desk th").first.wait_for()
    broken = page.evaluate("""() => [...document.querySelectorAll('#desk th')].filter((head) => {
        const words = document.createRange();
        words.selectNodeContents(head);
        return words.getClientRects().length > head.textContent.split(' ').length;
    }).map((head) => head.textContent)""")
    assert broken == []


def test_zoomed_to_twice_the_size(small, open_page):
    # 200 % of 1280 by 1024 leaves 640 by 512 for the page.
    page = open_page(small.url, viewport={"width": 640, "height": 512}, device_scale_factor=2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#stage").bounding_box()["width"] > 200
