"""Rules that fail where texts, columns and names are made; forked processes; tables by the page alone."""

import concurrent.futures
import inspect
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_arrays import Heaps, OneByOne
from test_rules import Nim as Piles

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome


class Nim:
    def initial(self) -> int:
        return 10

    def moves(self, left: int) -> Any:
        return range(1, min(left, 3) + 1)

    def play(self, left: int, take: int) -> Any:
        return left - take or Outcome.WIN

    def key(self, left: int) -> str:
        return str(left)


def nim(**methods: Any) -> Any:
    return type("Nim", (Nim,), methods)()


def heaps(**methods: Any) -> Any:
    return type("Heaps", (Heaps,), methods)(2, 1)


class Walk(Nim):
    def __init__(self, end: Outcome, feature: int = 0) -> None:
        self.end, self.feature = end, feature

    def initial(self) -> int:
        return 0

    def moves(self, at: int) -> Any:
        return ("a", "b")

    def play(self, at: int, move: str) -> Any:
        if move == "b":
            return self.end if at == 7 else Outcome.LOSS
        return at + 1 if at < 19_999 else Outcome.DRAW

    def features(self, at: int) -> Any:
        return {"x": self.feature if at == 7 else 0}


def test_pickles_tell_games_apart_that_differ_in_one_place() -> None:
    games = [tesuji.from_rules(Walk(*how)) for how in [(Outcome.WIN,), (Outcome.LOSS,), (Outcome.WIN, 1)]]
    games.append(tesuji.from_rules(nim(sides=("Left", "Right"), moves=lambda self, n: (1,), side=lambda self, n: n % 2)))
    games.append(tesuji.from_rules(nim(sides=("Left", "Other"), moves=lambda self, n: (1,), side=lambda self, n: n % 2)))
    assert len({game._identity for game in games}) == len(games)
    again = [pickle.loads(pickle.dumps(game)) for game in games[:3]]
    assert [game.position("7").value.outcome for game in again] == ["win", "draw", "win"]
    assert again[2].evaluate(["7"]).to_dict() and again[2].mine("x = 1").matched == 1


FORK = """
import concurrent.futures, multiprocessing, sys
sys.path.insert(0, sys.argv[1])
import tesuji_puzzles as tesuji
from test_faults import Nim, Heaps, nim
game = tesuji.from_rules(Nim()); game.prepare()
small = tesuji.open("ostle:3x3,pieces=2,losses=2"); small.prepare()
def job(position):
    own = tesuji.from_rules(Heaps(2, 3))
    rows = sum(len(frame) for frame in own.states(["n_best"]))
    return str(position.value), str(game.position("9").value), str(own.position().value), rows, len(small.mine("plies > 3", limit=3))
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    positions = [game.position(), small.position("3/o2/1wb b -")]
    ours = list(map(job, positions))
    with context.Pool(2) as pool:
        assert pool.map(job, positions) == ours
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(job, positions)) == ours
    assert list(map(job, positions)) == ours
    print("done")
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked")
def test_forked_processes_have_threads(tmp_path: Any) -> None:
    (tmp_path / "program.py").write_text(FORK)
    command = [sys.executable, str(tmp_path / "program.py"), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert output == "done\n"


@pytest.mark.parametrize(
    "rules",
    [
        nim(key=lambda self, n: "initial" if n == 7 else str(n)),
        nim(key=lambda self, n: "initial"),
        heaps(key=lambda self, s: "initial" if s == 0x11 else str(s), parse=lambda self, t: 0x11 if t == "initial" else int(t)),
    ],
)
@pytest.mark.parametrize("ask", [tesuji.from_rules, tesuji.check_rules])
def test_the_key_of_the_first_position_is_no_other(rules: Any, ask: Any) -> None:
    with pytest.raises(tesuji.RulesError, match="'initial'.*stands for the first position"):
        ask(rules)


class Wide:
    """More states than are asked for columns at once."""

    def __init__(self, late: dict[str, Any]) -> None:
        self.late = late

    def initial(self) -> int:
        return 0

    def expand(self, states: Any) -> Any:
        place = np.repeat(np.arange(len(states)), 2)
        child = states[place] * np.uint64(2) + np.tile(np.array([1, 2], dtype=np.uint64), len(states))
        return place, child, (child >= 100_000).astype(int)

    def features(self, states: Any) -> Any:
        return {name: values(states) for name, values in self.late.items()} if states.max() >= 99_999 else {"x": states}


@pytest.mark.parametrize(
    ("late", "message"),
    [
        ({"x": lambda s: s, "big": lambda s: s}, "2 values instead of those of x"),
        ({}, "0 values"),
        ({"x": lambda s: s > 5}, "'x' is of type bool here and int before"),
        ({"y": lambda s: s}, "'y' stands where 'x' is due"),
    ],
)
def test_columns_of_arrays_stay_the_same(late: Any, message: str) -> None:
    with pytest.raises(tesuji.RulesError, match=message):
        tesuji.from_rules(Wide(late))


@pytest.mark.parametrize("name", ["slot", "position", "side"])
def test_columns_that_every_game_has(name: str) -> None:
    for rules in (nim(features=lambda self, n: {name: n}), heaps(features=lambda self, s: {name: s})):
        with pytest.raises(tesuji.RulesError, match=f"every game has a column '{name}'"):
            tesuji.from_rules(rules)


def test_the_least_number_is_no_value() -> None:
    with pytest.raises(tesuji.RulesError, match="32 bits"):
        tesuji.from_rules(nim(features=lambda self, n: {"a": -(2**31)}))
    assert tesuji.from_rules(nim(features=lambda self, n: {"a": 1 - 2**31})).mine("a < 0").matched == 10


def stumbling(self: Any, left: int) -> Any:
    yield 1
    raise KeyError("mine")


class Unwritten:
    def __str__(self) -> str:
        raise KeyError("mine")


@pytest.mark.parametrize(
    ("rules", "cause"),
    [
        (nim(moves=stumbling), KeyError),
        (nim(moves=lambda self, n: None), TypeError),
        (nim(moves=lambda self, n: [Unwritten()]), KeyError),
        (nim(play=lambda self, n, take: 1 // 0), ZeroDivisionError),
    ],
)
@pytest.mark.parametrize("ask", [tesuji.from_rules, tesuji.check_rules])
def test_exceptions_of_rules_tell_the_position_and_the_cause(rules: Any, cause: type, ask: Any) -> None:
    with pytest.raises(tesuji.RulesError, match="'10'|for 10") as raised:
        ask(rules)
    assert isinstance(raised.value.__cause__, cause)


def test_texts_and_arrays_that_are_none() -> None:
    with pytest.raises(tesuji.RulesError, match="a key raised UnicodeEncodeError"):
        tesuji.from_rules(nim(key=lambda self, n: f"\ud800{n}"))
    with pytest.raises(tesuji.RulesError, match="place is no array") as raised:
        tesuji.from_rules(heaps(expand=lambda self, s: ([[0], [0, 1]], [1], [0])))
    assert isinstance(raised.value.__cause__, ValueError)
    with pytest.raises(tesuji.RulesError, match="initial is no array"):
        tesuji.from_rules(heaps(initial=lambda self: [1, [2]]))


def test_a_child_does_not_matter_where_the_game_ends() -> None:
    class Pile(Heaps):
        def initial(self) -> int:
            return 10

        def expand(self, states: Any) -> Any:
            place = np.repeat(np.arange(len(states)), 2)
            child = states[place].astype(int) - np.tile([1, 2], len(states))
            return place, child, child <= 0

    rules = type("Pile", (Pile,), {"key": None, "parse": None, "name": None, "stage": None, "features": None})()
    assert len(tesuji.from_rules(rules)) == 10


class Spoken(Heaps):
    """Keys that fail once the game is listed."""

    fault: Any = None

    def key(self, state: int) -> str:
        if self.fault is not None:
            self.fault()
        return super().key(state)


def test_key_may_not_ask_back() -> None:
    rules, other = Spoken(2, 1), tesuji.from_rules(nim())
    game = tesuji.from_rules(rules)
    game.prepare()
    rules.fault = lambda: other.position().value
    for ask in (game.position, lambda: game.evaluate(range(3)), lambda: list(game.states(position=True))):
        with pytest.raises(tesuji.RulesError, match="which waits for its answer"):
            ask()
    rules.fault = None
    assert game.position().text == "2-1" and other.position().text == "10"


def test_exceptions_of_key_are_told() -> None:
    rules = Spoken(2, 1)
    game = tesuji.from_rules(rules)
    rules.fault = lambda: 1 // 0
    for ask in (game.position, lambda: game.evaluate(range(3)), lambda: list(game.states(position=True))):
        with pytest.raises(tesuji.RulesError, match="ZeroDivisionError") as raised:
            ask()
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
    rules.fault = lambda: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        game.position()
    rules.fault = None
    assert game.position().text == "2-1"


def test_exceptions_of_key_are_told_to_the_call_that_asked() -> None:
    rules, other = Spoken(2, 1), tesuji.from_rules(nim())
    game = tesuji.from_rules(rules)
    game.prepare()
    first, again, answered = threading.Event(), threading.Event(), threading.Event()

    def fault() -> None:
        if first.is_set():
            again.set()
            answered.wait(30)
        first.set()
        raise KeyError("mine")

    rules.fault = fault
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = pool.submit(game.evaluate, range(3))
        assert first.wait(30)
        # Where a call goes on after an error, the error is kept by now.
        again.wait(0.5)
        try:
            assert other.position().text == "10" and other.evaluate([0])["position"] == ["10"]
        finally:
            answered.set()
        with pytest.raises(tesuji.RulesError, match="KeyError"):
            asked.result()


def test_a_progress_that_raises_at_the_end_of_a_call_leaves_no_error_behind() -> None:
    rules = Spoken(2, 1)
    game = tesuji.from_rules(rules)
    game.prepare()
    asked = threading.Event()

    def told(stage: str, done: int, total: int) -> None:
        if asked.is_set():
            raise LookupError("over")

    def slow() -> None:
        time.sleep(0.3)
        asked.set()

    def fault() -> None:
        slow()
        raise KeyError("mine")

    tesuji.show_progress(told)
    try:
        for rules.fault in (slow, fault):
            # A report may come between the two errors of `fault`; then its error is raised.
            with pytest.raises((LookupError, tesuji.RulesError), match="over|KeyError"):
                game.evaluate([0])
            rules.fault = None
            asked.clear()
            assert game.position().text == "2-1" and len(game.evaluate([0])) == 1
    finally:
        tesuji.show_progress(None)


def test_exceptions_of_key_while_rules_are_refused_leave_no_error_behind() -> None:
    def key(self: Any, state: int) -> str:
        if all(frame.function != "written" for frame in inspect.stack()):
            raise KeyError("mine")
        return Heaps.key(self, state)

    with pytest.raises(tesuji.RulesError, match="KeyError"):
        tesuji.from_rules(heaps(key=key, side=lambda self, states: states * 0))
    assert tesuji.from_rules(nim()).position().text == "10"


@pytest.mark.parametrize("sides", [("A", "A"), ("A", "a"), ("", "B"), ("a\nb", "c"), (" ", "B")])
def test_sides_have_names_that_differ(sides: Any) -> None:
    with pytest.raises(tesuji.RulesError, match="sides are"):
        tesuji.from_rules(nim(sides=sides))


def test_arguments_that_are_none_are_named(tmp_path: Any) -> None:
    game = tesuji.from_rules(nim())
    with pytest.raises(TypeError, match="not str"):
        tesuji.env("x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name is a text, not int"):
        tesuji.from_rules(Nim(), 5)  # type: ignore[call-overload]
    with pytest.raises(tesuji.ArgumentError, match="slots: 1000"):
        game.states(slots=range(10**20))
    with pytest.raises(TypeError, match="not NoneType"):
        game.evaluate(None)
    (tmp_path / "nim.tsj").write_text("x")
    with pytest.raises(tesuji.FileError, match="force=True") as raised:
        game.solve(tmp_path / "nim.tsj")
    assert "--" not in str(raised.value)
    (tmp_path / "nim.csv").write_text(game.mine("plies > 1").to_csv())
    with pytest.raises(tesuji.GameError, match="game="):
        tesuji.read_puzzles(tmp_path / "nim.csv")
    assert len(tesuji.read_puzzles(tmp_path / "nim.csv", game)) > 0


def records_of(game: tesuji.Game) -> Any:
    """The records that the page asks for, from the values of the moves."""

    def worth(value: tesuji.Value) -> tuple[int, int]:
        sign = {"win": 1, "draw": 0, "loss": -1}[value.outcome]
        return sign, sign * (value.plies or 0)

    def records(first: int, end: int) -> Any:
        best, second, only = [], [], []
        for slot, text in zip(range(first, end), game.steps.unrank(range(first, end))):
            steps = list(game.steps.successors([slot]))
            moves = {move.name: worth(move.value) for move in game.position(text).moves}
            ranked = [moves[name] for name in game.position(text).legal_moves]
            order = sorted(range(len(ranked)), key=lambda at: (ranked[at][0], -ranked[at][1]), reverse=True)
            by_number = {step["number"]: step for step in steps}
            top = order[0]
            one = len(order) == 1 or ranked[order[1]] != ranked[top]
            best.append(ranked[top][1])
            bound = by_number.get(top, {}).get("within", False) and by_number[top]["over"] is None
            only.append(top if one and bound else tesuji.NO_MOVE)
            second.append(best[-1] if not (one and bound) else ranked[order[1]][1] if len(order) > 1 else -1)
        return best, second, only

    return records


@pytest.mark.parametrize("rules", [Nim(), Piles(3, 4), *map(OneByOne, range(12))])
def test_a_table_as_the_page_asks_for_it_is_that_of_the_solver(rules: Any, tmp_path: Any) -> None:
    game = tesuji.from_rules(rules, "mine")
    given = game.steps.table_from(tmp_path / "given.tsj", records_of(game))
    assert given == game.solve(tmp_path / "solved.tsj")
    tesuji.from_rules(rules, "mine", table=tmp_path / "given.tsj")
