"""The rules by slot, and solving by shards: the same tables as the solver's."""

import numpy as np
import pyarrow
import pytest

import tesuji_puzzles as tesuji
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


def solved(game, folder, count):
    """Solves a game by shards on this machine, as a scheduler would on many."""
    plan = Shards(game, str(folder), count, least=100)
    for group, edges in enumerate(plan.bounds()):
        shards = range(len(edges) - 1)
        due = {}
        for shard in shards:
            asked = plan.asks(group, shard)
            answers = [(slots, plan.answers(earlier, owner, slots)) for earlier, owner, slots in asked]
            due[shard] = plan.begin(group, shard, answers)
        while any(due.values()):
            plies = min(some[0] for some in due.values() if some)
            messages = {}
            for shard in shards:
                if plies in due[shard]:
                    for message in plan.sends(group, shard, plies):
                        messages.setdefault(message.shard, []).append(message)
                    due[shard].remove(plies)
            for shard, some in messages.items():
                due[shard] = plan.take(group, shard, plies, some)
                plan.forget(group, shard, plies)
    return plan.table(folder / "table.tsj")


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("count", [1, 3])
def test_shards_give_the_table_of_the_solver(spec, count, tmp_path):
    game = tesuji.open(spec)
    assert solved(game, tmp_path / "shards", count) == game.solve(tmp_path / "whole.tsj")


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
    assert forward or end < 10_000


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


def test_slots_come_as_arrays_of_any_kind():
    steps = tesuji.open("tictactoe").steps
    of_list = list(steps.degrees([5, 6, 7]))
    for slots in (
        np.array([5, 6, 7]),
        np.array([5, 6, 7], np.int16),
        pyarrow.array([5, 6, 7]),
        pyarrow.chunked_array([[5], [6, 7]]),
        np.arange(10, dtype=np.uint64)[5:8],
    ):
        assert list(steps.degrees(slots)) == of_list
    with pytest.raises(TypeError):
        steps.degrees([1.5])


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
    with pytest.raises(ZeroDivisionError):
        written(lambda first, end: 1 // 0)
    assert not list(tmp_path.iterdir())
    # Draws everywhere are a table, but not that of the game.
    written(lambda first, end: ([0] * (end - first), [0] * (end - first), [255] * (end - first)))
    assert tesuji.open("tictactoe", table=path).position().value.outcome == "draw"
