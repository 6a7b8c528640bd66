"""Games with rules in Python."""

import re
import xml.dom.minidom
from collections.abc import Iterator

import polars as pl
import pytest

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

LINES = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]


class Noughts:
    """Tic-tac-toe, written without a look at the library's. A state is nine letters."""

    sides = ("X", "O")
    size = (3, 3)
    pieces = {"x": "X cross", "o": "O ring"}

    def initial(self) -> str:
        return "." * 9

    def side(self, state: str) -> int:
        return (state.count("x") + state.count("o")) % 2

    def moves(self, state: str) -> Iterator[int]:
        return (square for square in range(9) if state[square] == ".")

    def name(self, state: str, square: int) -> str:
        return "abc"[square % 3] + "321"[square // 3]

    def play(self, state: str, square: int) -> str | Outcome:
        letter = "xo"[self.side(state)]
        after = state[:square] + letter + state[square + 1 :]
        if any(all(after["abcdefghi".index(at)] == letter for at in line) for line in LINES):
            return Outcome.WIN
        return after if "." in after else Outcome.DRAW

    def key(self, state: str) -> str:
        return f"{state[:3]}/{state[3:6]}/{state[6:]} {'xo'[self.side(state)]}"

    def stage(self, state: str) -> int:
        return 9 - state.count(".")

    def features(self, state: str) -> dict[str, bool | int | str | None]:
        corners = [state[at] for at in (0, 2, 6, 8)]
        return {
            "centre": {"x": "cross", "o": "ring"}.get(state[4]),
            "n_corners": sum(letter != "." for letter in corners),
            "x_in_corner": "x" in corners,
        }


@pytest.fixture(scope="module")
def noughts() -> tesuji.OwnGame[str, int]:
    return tesuji.from_rules(Noughts())


def test_names_of_moves_may_have_blanks() -> None:
    class Wordy(Noughts):
        def name(self, state: str, square: int) -> str:
            return f"to {super().name(state, square)}"

    puzzles = tesuji.from_rules(Wordy()).mine("outcome = 'win' AND plies = 3 AND n_winning = 1", limit=1)
    assert puzzles[0]["key"].startswith("to ") and puzzles[0]["solution"].count("to ") == 3
    assert puzzles.solution_svg(0) == puzzles.position(0).strip(caption=puzzles[0]["stipulation"])


def test_the_list_and_all_values_are_those_of_the_library_s_own_game(noughts) -> None:
    theirs = tesuji.open("tictactoe")
    # 4,520 of the 5,478 positions of tic-tac-toe are unfinished.
    assert len(noughts) == 4520
    outcomes: dict[str, int] = {}
    for frame in noughts.states(["outcome", "plies", "position"]):
        for outcome in frame["outcome"]:
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    expected: dict[str, int] = {}
    seen = {theirs.position().text}
    waiting = list(seen)
    while waiting:
        position = theirs.position(waiting.pop())
        for move in position.legal_moves:
            after = position.play(move)
            if isinstance(after, tesuji.Position) and after.text not in seen:
                seen.add(after.text)
                waiting.append(after.text)
    for outcome in theirs.evaluate(sorted(seen))["outcome"]:
        expected[outcome] = expected.get(outcome, 0) + 1
    assert outcomes == expected
    assert noughts.position().value == tesuji.Value(Outcome.DRAW)


def test_it_is_probed_and_mined(noughts) -> None:
    position = noughts.position("xx./oo./... x")
    assert position.side == "X" and str(position.value) == "win in 1"
    assert position.moves[0].name == "c3" and position.play("c3") is Outcome.WIN
    assert position.line == ["c3"]
    forks = noughts.mine("outcome = 'win' AND plies = 3 AND n_winning = 1", limit=5)
    for found in forks.positions():
        winning = [move for move in found.moves if move.value.outcome is Outcome.WIN]
        assert len(winning) == 1 and winning[0].value.plies == 3
    assert forks[0]["stipulation"] in ("X to move and win in 3", "O to move and win in 3")
    fitting = noughts.compose("x??/?o?/??x o", "n_moves > 0")
    assert all(re.match("x../.o./..x o", text) for text in fitting["position"])


def test_its_own_columns_are_columns(noughts) -> None:
    types = {column["name"]: column["type"] for column in noughts.columns()}
    assert types["centre"] == "VARCHAR"
    assert types["n_corners"] == "INTEGER" and types["x_in_corner"] == "BOOLEAN"
    rows = pl.DataFrame(noughts.states(["centre", "n_corners", "x_in_corner", "position"]))
    for centre, corners, crossed, text in rows.select(
        "centre", "n_corners", "x_in_corner", "position"
    ).rows():
        board = text[:11].replace("/", "")
        assert centre == {"x": "cross", "o": "ring", ".": None}[board[4]]
        assert corners == sum(board[at] != "." for at in (0, 2, 6, 8))
        assert crossed == any(board[at] == "x" for at in (0, 2, 6, 8))
    ringed = noughts.mine("centre = 'ring' AND plies >= 1", limit=5)
    assert len(ringed) > 0 and all(text[5] == "o" for text in ringed["position"])


def test_it_is_drawn_and_goes_into_a_book(noughts, tmp_path) -> None:
    position = noughts.position("xx./oo./... x")
    assert str(position) == "  3 x x .\n  2 o o .\n  1 . . .\n    a b c"
    svg = position.svg(arrows=["c3"])
    xml.dom.minidom.parseString(svg)
    assert svg != position.svg()
    puzzles = noughts.mine("outcome = 'win' AND plies = 3 AND n_winning = 1", limit=3)
    assert puzzles._repr_html_().count("<svg") == len(puzzles)
    tesuji.book(puzzles, tmp_path / "noughts.html")
    assert "win in 3" in (tmp_path / "noughts.html").read_text()


def test_states_are_found_again(noughts) -> None:
    for text in ["xx./oo./... x", "x../.../... o", ".../.../... x"]:
        state = noughts.state(text)
        assert noughts.rules.key(state) == text


class Nim:
    """Heaps; who takes the last match wins. Keys are sorted heaps: symmetric ones are one."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def initial(self) -> tuple[int, ...]:
        return tuple(sorted(self.heaps))

    def moves(self, heaps: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(i, n) for i, heap in enumerate(heaps) for n in range(1, heap + 1)]

    def play(self, heaps: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...] | Outcome:
        i, n = move
        left = sorted(heaps[:i] + (heaps[i] - n,) + heaps[i + 1 :])
        return tuple(left) if any(left) else Outcome.WIN

    def key(self, heaps: tuple[int, ...]) -> str:
        return "-".join(map(str, heaps))

    def svg(self, heaps: tuple[int, ...]) -> str:
        return f"<svg xmlns='http://www.w3.org/2000/svg'><text>{heaps}</text></svg>"


def test_nim_is_lost_where_the_heaps_cancel() -> None:
    game = tesuji.from_rules(Nim(3, 5, 7), memory=10**9)
    assert game.position().side == "Next player"
    for frame in game.states(position=True):
        for text, outcome in zip(frame["position"], frame["outcome"]):
            sum_ = 0
            for heap in map(int, text.split("-")):
                sum_ ^= heap
            assert (outcome == "loss") == (sum_ == 0), text
    assert "(3, 5, 7)" in game.position().svg()
    assert game.position()._repr_svg_() == game.position().svg()
    with pytest.raises(tesuji.UnsupportedError, match="size"):
        tesuji.book(game.mine("plies > 3", limit=2), "nim.pdf")


def test_it_is_told_early_that_memory_is_short() -> None:
    class Endless(Nim):
        def moves(self, heaps: tuple[int, ...]) -> list[tuple[int, int]]:
            return [(0, -1), (1, -1)]

    with pytest.raises(tesuji.SizeError, match="positions up to now") as raised:
        tesuji.from_rules(Endless(1, 1), memory=5_000_000)
    found = int(re.search(r"more than ([\d,]+) positions", str(raised.value)).group(1).replace(",", ""))
    assert found < 60_000, "it went on for long"


def broken(**methods) -> object:
    return type("Broken", (Nim,), methods)(2, 1)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (object(), "initial"),
        (broken(moves=None), "moves"),
        (broken(moves=lambda self, s: []), "no moves"),
        (broken(moves=lambda self, s: 5), "not iterable"),
        (broken(moves=lambda self, s: [(0, 1), (0, 1)]), "two moves have one name"),
        (broken(play=lambda self, s, m: None), "None"),
        (broken(play=lambda self, s, m: 1 / 0), "ZeroDivisionError"),
        (broken(key=lambda self, s: 5), "no str"),
        (broken(key=lambda self, s: "a\nb"), "one line"),
        (broken(initial=lambda self: Outcome.WIN), "initial"),
        (broken(side=lambda self, s: 0), "same side"),
        (broken(side=lambda self, s: "X"), "neither 0 nor 1"),
        (broken(stage=lambda self, s: -1), "stage"),
        (broken(stage=lambda self, s: sum(s)), "smaller stage"),
        (broken(features=lambda self, s: [1]), "dict"),
        (broken(features=lambda self, s: {"Not a name": 1}), "no name of a column"),
        (broken(features=lambda self, s: {"x": 1.5}), "float"),
        (broken(features=lambda self, s: {"x": 2**40}), "32 bits"),
        (broken(features=lambda self, s: {"plies": 1}), "plies"),
        (broken(features=lambda self, s: {"x": 1 if sum(s) > 2 else "a"}), "type"),
        (broken(features=lambda self, s: {} if sum(s) < 3 else {"x": 1}), "0 values"),
        (broken(size=(3, 3)), "begins with the board"),
        (broken(size=(0, 300)), "size"),
        (broken(sides=7), "sides"),
        (broken(pieces={"xx": "cross"}, size=(1, 1)), "pieces"),
    ],
)
def test_rules_that_contradict_themselves(rules: object, message: str) -> None:
    with pytest.raises((tesuji.RulesError, TypeError), match=message) as raised:
        tesuji.from_rules(rules)  # type: ignore[arg-type]
    if message == "ZeroDivisionError":
        assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_ctrl_c_in_rules_stays_what_it_is() -> None:
    def play(self, heaps, move):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tesuji.from_rules(broken(play=play))


@pytest.mark.parametrize("name", ["", "a b", "a/b", "ostle:4x4", "x" * 10 + "\n", "é"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(tesuji.RulesError, match="name"):
        tesuji.from_rules(Nim(1, 2), name)
