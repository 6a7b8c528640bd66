"""The pages under test, and a browser that notes every fault."""

import csv
import json
import os
import pathlib
import subprocess
import time

import pytest
from playwright.sync_api import sync_playwright

GAME = "ostle:4x4,pieces=3,losses=2"
TESUJI = os.environ["TESUJI"]
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]


def tesuji(*words):
    return subprocess.run([TESUJI, *map(str, words)], check=True, capture_output=True, text=True).stdout


class Pages:
    """Files made once: the rows of a CSV, its page, and what the program says of it."""

    def __init__(self, folder):
        self.folder = folder
        self.table = folder / "table.tsj"
        tesuji("solve", GAME, "--output", self.table)
        tesuji("mine", GAME, "--table", self.table, "--filter", "forced-sacrifice",
               "--draw", 0, "--output", folder)
        self.csv = folder / "forced-sacrifice" / "puzzles.csv"
        with open(self.csv, newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.url = self.make(self.csv, "book.html")
        # The shortest is played from one end to the other.
        self.row = min(self.rows, key=lambda row: int(row["plies"]))

    def make(self, source, name, *options):
        path = self.folder / name
        tesuji("book", source, "--table", self.table, "--output", path, *options)
        return path.as_uri()

    def solution(self, row):
        return json.loads(tesuji("solution", GAME, row["position"], "--table", self.table, "--json"))

    def edited(self, name, change):
        """A copy of the CSV with changed rows."""
        rows = [change(place, dict(row)) for place, row in enumerate(self.rows)]
        path = self.folder / name
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        return path


def until(page, condition, arg=None, seconds=10):
    """Waits until a condition holds. Playwright's own wait evaluates text in the page later on, which the
    page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, f"never true: {condition} ({arg})"
        time.sleep(0.02)


def go(page, square):
    """Moves the focus to a square of the board with the arrow keys."""
    for _ in range(30):
        here = page.evaluate("document.activeElement.getAttribute('aria-label')")[:2]
        if here == square:
            return
        if here[0] != square[0]:
            page.keyboard.press("ArrowRight" if here[0] < square[0] else "ArrowLeft")
        else:
            page.keyboard.press("ArrowUp" if here[1] < square[1] else "ArrowDown")
    raise AssertionError(f"the arrow keys never come to {square}")


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    return Pages(tmp_path_factory.mktemp("book"))


def page_of(folder, game, filter_name, *options):
    """A page of the finds of a filter, and the rows that it was made from."""
    tesuji("mine", game, "--filter", filter_name, "--draw", 0, "--output", folder)
    source = folder / filter_name / "puzzles.csv"
    page = folder / "book.html"
    tesuji("book", source, *options, "--output", page)
    with open(source, newline="") as file:
        return page.as_uri(), list(csv.DictReader(file))


@pytest.fixture(scope="session")
def kings(tmp_path_factory):
    """A page of a placement game."""
    return page_of(tmp_path_factory.mktemp("kings"), "kings:4x5", "one-winning-move")


@pytest.fixture(scope="session")
def promotions(tmp_path_factory):
    """A page of chess problems that begin with a promotion."""
    return page_of(tmp_path_factory.mktemp("promotions"), "chess:KP-K", "underpromotion")


@pytest.fixture(scope="session")
def mixed(tmp_path_factory):
    """A page of problems of three games, two of each, and the rows that it was made from."""
    folder, rows = tmp_path_factory.mktemp("mixed"), []
    for game in ["ostle:4x4,pieces=3,losses=2", "neutreeko", "kings:4x5"]:
        name = game.split(":")[0]
        tesuji("mine", game, "--filter", "easy", "--draw", 0, "--output", folder / name)
        with open(folder / name / "easy" / "puzzles.csv", newline="") as file:
            rows += list(csv.DictReader(file))[:2]
    sources = [folder / name / "easy" / "puzzles.csv" for name in ("ostle", "neutreeko", "kings")]
    page = folder / "book.html"
    tesuji("book", *sources, "--limit", 2, "--output", page)
    return page.as_uri(), rows


@pytest.fixture(scope="session")
def on_a_graph(tmp_path_factory):
    """A page of problems on a cube and a path."""
    folder = tmp_path_factory.mktemp("graph")
    graph = folder / "cube.txt"
    graph.write_text("a b\nb c\nc d\nd a\ne f\nf g\ng h\nh e\na e\nb f\nc g\nd h\nx y\ny z\n")
    return page_of(folder, f"graph:{graph}", "one-winning-move", "--game", f"graph:{graph}")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens a page; at the end nothing may have gone wrong or been asked for."""
    contexts, faults, asked, visited = [], [], [], set()

    def visit(url, init=None, expect="\0", **options):
        options.setdefault("viewport", {"width": 1200, "height": 850})
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: expect in message.text or faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        if init:
            page.add_init_script(init)
        visited.add(url.split("#")[0])
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert faults == []
    # The page itself is all that is read, and nothing comes from a network.
    assert {url.split("#")[0] for url in asked if not url.startswith("data:")} <= visited


@pytest.fixture
def shot():
    folder = pathlib.Path(os.environ["SHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    return lambda page, name: page.screenshot(path=folder / f"{name}.png")
