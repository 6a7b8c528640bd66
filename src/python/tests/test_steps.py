"""The rules by slot, and solving by shards: the same tables as the solver's."""

import multiprocessing
from itertools import chain, pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow
import pytest
from alone import here, solved
from test_arrays import Graph, Heaps, OneByOne
from test_own import Misere
from test_rules import Nim, Noughts

import tesuji_puzzles as tesuji
from tesuji_puzzles import spark
from tesuji_puzzles._steps import Layer
from tesuji_puzzles.shards import Shards

GAMES = [
    "tictactoe",
    "ostle:3x3,pieces=2,losses=2",
    "ostle:rows=4,columns=3,pieces=2,losses=2",
    "ostle:rows=4,columns=3,pieces=3,losses=2,repetition=up-to-symmetry",
    "ostle:3x3,pieces=3,losses=2,repetition=all-images",
    "hexapawn",
    "tapatan",
    "chess:KP-K",
    "chess:KR-K",
]


#: Each move adds a man, so none stays in its group of layers.
WITHOUT = ["tictactoe"]


def alike(plan, tmp_path, call=here):
    """Whether the table by shards is that of the solver, byte for byte."""
    same = solved(plan, call) == plan.game.solve(tmp_path / "whole.tsj")
    return same and Path(plan.folder, "table.tsj").read_bytes() == (tmp_path / "whole.tsj").read_bytes()


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("count", [1, 3])
def test_shards_give_the_table_of_the_solver(spec, count, tmp_path):
    assert alike(Shards(tesuji.open(spec), str(tmp_path / "shards"), count), tmp_path)


@pytest.mark.parametrize("rules", [Nim(3, 5, 7), Heaps(3, 5, 7), Noughts(), Graph(5), OneByOne(5)])
def test_shards_solve_games_of_ones_own(rules, tmp_path, monkeypatch):
    monkeypatch.setattr(Shards, "LEAST", 8)
    plan = Shards(tesuji.from_rules(rules), str(tmp_path / "shards"), 4)
    assert max(len(edges) for edges in plan.bounds()) > 2
    assert alike(plan, tmp_path)


@pytest.mark.parametrize("least, most, count", [(1, 1 << 32, 10**6), (1 << 12, 7, 1)])
def test_shards_of_a_few_slots(least, most, count, tmp_path, monkeypatch):
    monkeypatch.setattr(Shards, "LEAST", least)
    monkeypatch.setattr(Shards, "MOST", most)
    plan = Shards(tesuji.open("ostle:3x3,pieces=1,losses=1"), str(tmp_path / "shards"), count)
    assert all(0 < slots <= most for edges in plan.bounds() for slots in np.diff(edges).tolist())
    assert alike(plan, tmp_path)


def test_bounds_of_groups_without_slots_and_of_large_ones():
    layers = [Layer("a", 0, 0, 0), Layer("b", 0, 9, 1), Layer("c", 9, 3**30, 2), Layer("d", 3**30, 3**30 + 9, 2)]
    game = SimpleNamespace(steps=SimpleNamespace(layers=lambda: layers))
    empty, small, large = (edges.tolist() for edges in Shards(game, "", 1).bounds())
    assert (empty, small) == ([0, 0], [0, 9])
    assert large[0] == 9 and large[-1] == 3**30 + 9
    assert all(first < end <= first + 2**32 for first, end in pairwise(large))


def test_shards_and_rules_go_to_other_processes(tmp_path):
    plan = Shards(tesuji.from_rules(Nim(2, 3)), str(tmp_path / "shards"))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert alike(plan, tmp_path, lambda *asked: pool.apply(here, asked))


def test_steps_that_are_run_again_do_the_same(tmp_path):
    plan = Shards(tesuji.open("ostle:rows=4,columns=3,pieces=2,losses=2"), str(tmp_path / "shards"), 3)
    calls = 0

    def twice(*asked):
        nonlocal calls
        calls += 1
        first = here(*asked)
        states = {file: file.read_bytes() for file in Path(plan.folder).glob("*/*/*")}
        assert here(*asked) == first
        assert states == {file: file.read_bytes() for file in Path(plan.folder).glob("*/*/*")}
        return first

    assert alike(plan, tmp_path, twice) and calls > 30


def test_steps_out_of_order_are_refused(tmp_path):
    plan = Shards(tesuji.from_rules(Noughts()), str(tmp_path))
    with pytest.raises(tesuji.FileError, match="run the steps in order"):
        list(plan.sends(0, 0, 1))
    plan.begin(0, 0, [])
    with pytest.raises(tesuji.FileError, match="before 0 plies; run the steps in order"):
        plan.take(0, 0, 0, [])
    plan.forget(0, 0, -1)
    asked = list(plan.asks(1, 0))
    assert asked
    for answers in ([], [(slots[8:], plan.answers(*owner, slots[8:])) for *owner, slots in asked]):
        with pytest.raises(tesuji.ArgumentError, match="none has the value of slot"):
            plan.begin(1, 0, answers)
    with pytest.raises(tesuji.UnsupportedError, match="has no steps"):
        Shards(tesuji.open("sliding:2x2"), str(tmp_path)).bounds()


def test_a_journal_of_another_run_is_refused(tmp_path):
    path = tmp_path / "journal.json"
    # Rules with one name and other moves or results.
    nim, misere = (tesuji.from_rules(rules(2, 3), "mine") for rules in (Nim, Misere))
    digests = [spark._digest(game) for game in (nim, misere, tesuji.from_rules(Nim(2, 3)))]
    assert digests[0] == digests[2] != digests[1]
    journal = spark._Journal(path, {"rules": digests[0]})
    journal.after(0, 0, {0: [1, 3], 1: [2], 2: []})
    assert journal.next() == (1, [0])
    journal.after(0, 1, {1: [2, 4]})
    again = spark._Journal(path, {"rules": digests[0]})
    assert (again.next(), again.due) == ((2, [1]), {0: [3], 1: [2, 4], 2: []})
    with pytest.raises(tesuji.FileError, match="of another run"):
        spark._Journal(path, {"rules": digests[1]})
    path.unlink()
    (tmp_path / "group-0000").mkdir()
    with pytest.raises(tesuji.FileError, match="no journal.json"):
        spark._Journal(path, {"rules": digests[0]})


class Rows:
    """What is used of a frame of Spark, in this process: for each task, its batches."""

    def __init__(self, tasks):
        self.tasks = tasks

    def mapInArrow(self, function, schema):
        return Rows([list(function(iter(batches))) for batches in self.tasks])

    def repartition(self, count, *names):
        tasks = [[] for _ in range(count)]
        for batch in chain(*self.tasks):
            (row,) = batch.to_pylist()
            tasks[sum(row[name] for name in names) % count].append(batch)
        return Rows(tasks)

    def collect(self):
        return [SimpleNamespace(**row) for batch in chain(*self.tasks) for row in batch.to_pylist()]


class Session:
    """What is used of a session of Spark."""

    sparkContext = SimpleNamespace(defaultParallelism=2)

    def __init__(self):
        self.settings = {"spark.sql.execution.arrow.maxRecordsPerBatch": "77"}
        self.conf = SimpleNamespace(get=self.settings.get, set=self.settings.__setitem__)
        self.seen = set()

    def range(self, tasks, numPartitions):
        self.seen.update(self.settings.values())
        return Rows([[pyarrow.RecordBatch.from_pydict({"id": [task]})] for task in range(numPartitions)])


def test_spark_solves_and_mines_as_the_solver_and_gives_its_setting_back(tmp_path, monkeypatch):
    monkeypatch.setattr(Shards, "LEAST", 64)
    game, session = tesuji.open("ostle:rows=4,columns=3,pieces=2,losses=2"), Session()
    assert spark.solve(game, session, tmp_path / "run") == game.solve(tmp_path / "whole.tsj")
    with pytest.raises(tesuji.FileError, match="force=True"):
        spark.solve(game, session, tmp_path / "run")
    condition = "outcome = 'win' AND n_winning = 1"
    here = game.mine(condition, limit=20)
    try:
        there = spark.mine(tmp_path / "run" / "table.tsj", session, condition, limit=20)
    finally:
        tesuji.show_progress(None)
    assert list(there) == list(here) and there.matched == here.matched
    # A row may have some megabytes, and Spark would put 10,000 of them together.
    assert session.seen == {str(spark.ROWS)} and set(session.settings.values()) == {"77"}
    session.range = None
    with pytest.raises(TypeError):
        spark.solve(game, session, tmp_path / "other")
    assert set(session.settings.values()) == {"77"}
    for wrong in ({}, {"condition": condition, "filter": "x"}):
        with pytest.raises(tesuji.ArgumentError, match="either a condition or filter="):
            spark.mine(tmp_path / "run" / "table.tsj", session, **wrong)


@pytest.mark.parametrize("spec", GAMES)
def test_un_moves_take_moves_back(spec):
    steps = tesuji.open(spec).steps
    end = steps.layers()[-1].end
    slots = np.arange(end, dtype=np.uint64)[: 1 << 14]
    symmetric = {
        slot for slot, here in zip(slots.tolist(), steps.degrees(slots)["symmetric"], strict=True) if here
    }
    moves = pyarrow.table(steps.successors(slots)).to_pylist()
    forward = {
        (int(slots[move["row"]]), move["number"], move["child"], move["undo"])
        for move in moves
        if move["within"] and not move["symmetric"] and slots[move["row"]] not in symmetric
    }
    children = np.array(sorted({child for _, _, child, _ in forward}), dtype=np.uint64)
    backward = {
        (move["parent"], move["number"], int(children[move["row"]]), move["undo"])
        for move in pyarrow.table(steps.predecessors(children)).to_pylist()
        if not move["symmetric"] and move["parent"] <= slots[-1]
    }
    assert forward == backward
    assert bool(forward) == (spec not in WITHOUT)


def test_degrees_count_successors():
    steps = tesuji.open("ostle:rows=4,columns=3,pieces=3,losses=2").steps
    slots = np.arange(0, steps.layers()[-1].end, 17, dtype=np.uint64)
    moves = pyarrow.table(steps.successors(slots)).to_pylist()
    for row, degrees in enumerate(steps.degrees(slots)):
        here = [move for move in moves if move["row"] == row]
        if degrees["open"] is None:
            assert not here
            continue
        inside = [move["number"] for move in here if move["within"] and move["over"] is None]
        assert degrees["open"] == len(inside)
        assert degrees["numbers"] == np.bitwise_xor.reduce(inside, initial=0)
        assert degrees["leaving"] == sum(move["child"] is not None and not move["within"] for move in here)
        assert degrees["over"] == max((m["over"] for m in here if m["over"] is not None), default=None)


def test_slots_have_positions():
    game = tesuji.open("tictactoe")
    slots = game.evaluate(["initial"])["slot"]
    assert game.steps.rank(["initial"]) == slots
    assert game.steps.rank(game.steps.unrank(slots)) == slots
    with pytest.raises(tesuji.NotationError, match="slot"):
        game.steps.degrees([10**9])
    for below in (np.array([3, -1]), [3, -1]):
        with pytest.raises(tesuji.ArgumentError, match="slots: -1 is not from 0"):
            game.steps.degrees(below)


def test_slots_come_as_arrays_of_any_kind():
    steps = tesuji.open("tictactoe").steps
    of_list = list(steps.degrees([5, 6, 7]))
    for slots in (
        np.array([5, 6, 7]),
        np.array([5, 6, 7], np.int16),
        pyarrow.array([5, 6, 7]),
        pyarrow.chunked_array([[5], [6, 7]]),
        np.arange(10, dtype=np.uint64)[5:8],
        np.arange(10, dtype=np.uint64)[5:8][::-1][::-1],
        np.array([5, 6, 7], ">u8"),
        np.array([5, 6, 7], object),
        iter([5, 6, 7]),
    ):
        assert list(steps.degrees(slots)) == of_list
    for wrong in ([1.5], np.array([1.5]), np.array([1.5], ">f8"), [[5]], np.array([[5]]), pyarrow.array([5, None]), [True]):
        with pytest.raises(TypeError, match="slots is a whole number, not"):
            steps.degrees(wrong)
    with pytest.raises(tesuji.ArgumentError, match="slots: -1 is not from 0"):
        steps.degrees([-1])


def test_ranges_of_slots_are_parts_of_the_table():
    game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    end = game.steps.layers()[-1].end
    parts = [range(0, 100_001), range(100_001, 100_001), range(100_001, end)]
    slots = [slot for part in parts for frame in game.states(slots=part) for slot in frame["slot"]]
    assert slots == [slot for frame in game.states() for slot in frame["slot"]]


def test_bad_records_are_refused(tmp_path):
    game = tesuji.open("tictactoe")
    path = tmp_path / "table.tsj"

    def written(records):
        return game.steps.table_from(path, records)

    with pytest.raises(tesuji.AnswerError, match="differ in length"):
        written(lambda first, end: ([0] * (end - first), [0], [255] * (end - first)))
    with pytest.raises(tesuji.AnswerError, match="one for each slot"):
        written(lambda first, end: ([0], [0], [255]))
    with pytest.raises(tesuji.AnswerError, match="no table has values as long"):
        written(lambda first, end: ([9999] * (end - first), [0] * (end - first), [255] * (end - first)))
    with pytest.raises(tesuji.ArgumentError, match="best: 40000 is not from -32768 to 32767"):
        written(lambda first, end: (np.full(end - first, 40000, np.uint16), [0], [255]))
    with pytest.raises(tesuji.ArgumentError, match="only: -1 is not from 0 to 255"):
        written(lambda first, end: ([0], [0], np.full(end - first, -1, np.int8)))
    with pytest.raises(ZeroDivisionError):
        written(lambda first, end: 1 // 0)
    assert not list(tmp_path.iterdir())
    # Draws everywhere are a table, but not that of the game.
    written(lambda first, end: ([0] * (end - first), [0] * (end - first), [255] * (end - first)))
    assert tesuji.open("tictactoe", table=path).position().value.outcome == "draw"
