"""Frames: what other libraries make of them, and what of theirs is read."""

import array
import sys
from functools import lru_cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tesuji_puzzles as tesuji

TYPES = {
    "BIGINT": (pl.Int64, pa.int64()),
    "INTEGER": (pl.Int32, pa.int32()),
    "BOOLEAN": (pl.Boolean, pa.bool_()),
    "VARCHAR": (pl.String, pa.string()),
}


@lru_cache
def sources(game: tesuji.Game) -> dict[str, tesuji.Frame | tesuji.States]:
    texts = game.mine("plies >= 5", limit=30)["position"] + [game.position()]
    return {
        "values": game.evaluate(texts),
        "moves": game.moves(texts),
        "puzzles": game.mine("outcome <> 'loss'", limit=20),
        "states": game.states(),
        "board": game.states(["plies", "outcome", "own_mobility", "theme_quiet_key", "position"], sample=500),
        "all moves": game.states(moves=True, sample=20),
    }


def test_polars_pyarrow_and_duckdb_take_every_frame(small: tesuji.Game) -> None:
    missing = 0
    for name, frame in sources(small).items():
        polars = pl.DataFrame(frame)
        arrow = pa.table(frame)
        duck = duckdb.sql("SELECT * FROM frame").pl()
        described = {row[0]: row[1] for row in duckdb.sql("DESCRIBE SELECT * FROM frame").fetchall()}
        assert polars.columns == frame.columns == arrow.column_names, name
        for (column, sql, nullable), field in zip(frame.schema, arrow.schema):
            as_polars, as_arrow = TYPES[sql]
            assert polars.schema[column] == as_polars, (name, column)
            assert field.type == as_arrow and field.nullable == nullable, (name, column)
            assert described[column] == sql, (name, column)
            empty = polars[column].null_count()
            assert nullable or empty == 0, (name, column)
            missing += empty
        assert polars.height > 0
        assert polars.equals(duck) and polars.equals(pl.from_arrow(arrow)), name
    assert missing > 0, "no value is missing, so NULLs were not tested"


def test_pandas_takes_frames(small: tesuji.Game) -> None:
    frame = small.mine("outcome <> 'loss'", limit=20)
    pandas = pa.table(frame).to_pandas()
    assert list(pandas.columns) == frame.columns and len(pandas) == len(frame)
    assert pandas["n_moves"].dtype == "int32" and pandas["slot"].dtype == "int64"
    plain = pd.DataFrame(frame.to_dict())
    assert plain["position"].tolist() == pandas["position"].tolist()
    assert plain["forbidden"].isna().tolist() == pandas["forbidden"].isna().tolist()
    if hasattr(pd.DataFrame, "from_arrow"):
        assert pd.DataFrame.from_arrow(frame)["slot"].tolist() == frame["slot"]


def test_types_are_told_without_rows(small: tesuji.Game) -> None:
    for frame in sources(small).values():
        assert pa.schema(frame) == pa.table(frame).schema


def test_types_that_are_asked_for(small: tesuji.Game) -> None:
    other = {"BIGINT": pa.uint64(), "INTEGER": pa.int16(), "BOOLEAN": pa.string(), "VARCHAR": pa.large_string()}
    for name, frame in sources(small).items():
        schema = pa.schema([(column, other[sql]) for column, sql, _ in frame.schema])
        cast = pa.RecordBatchReader.from_stream(frame, schema=schema)
        assert cast.schema == schema and pa.table(frame, schema=schema) == pa.table(frame).cast(schema), name
    with pytest.raises(ValueError):
        pa.table(frame, schema=pa.schema([("slot", pa.int64())]))


def test_types_that_are_asked_for_without_pyarrow(small: tesuji.Game, monkeypatch: Any) -> None:
    monkeypatch.setattr("tesuji_puzzles._frame.find_spec", lambda name: None)
    frame = small.evaluate([small.position()])
    schema = pa.schema([(name, pa.large_string() if sql == "VARCHAR" else pa.int64()) for name, sql, _ in frame.schema])
    assert pa.RecordBatchReader.from_stream(frame, schema=schema).schema == pa.table(frame).schema


def test_polars_and_pandas_frames_with_missing_values(small: tesuji.Game) -> None:
    kinds = {"BIGINT": "Int64", "INTEGER": "Int32", "BOOLEAN": "boolean", "VARCHAR": "string"}
    for name, frame in sources(small).items():
        polars, pandas = frame.to_polars(), frame.to_pandas()
        assert polars.equals(pl.DataFrame(frame)), name
        assert [str(kind) for kind in pandas.dtypes] == [kinds[sql] for _, sql, _ in frame.schema], name
        for column in frame.columns:
            values = [None if value is pd.NA else value for value in pandas[column].tolist()]
            assert values == polars[column].to_list(), (name, column)
    monkey = sys.modules.copy()
    try:
        sys.modules["polars"] = None  # type: ignore[assignment]
        with pytest.raises(tesuji.UnsupportedError, match="pip install polars"):
            frame.to_polars()
    finally:
        sys.modules.update(monkey)


def test_slices(small: tesuji.Game) -> None:
    frame = small.evaluate(small.mine("plies = 9", limit=20)["position"])
    puzzles = small.mine("plies = 9", limit=20)
    for whole in (frame, puzzles):
        rows = list(whole)
        for some in (slice(2, 5), slice(None, None, -3), slice(-2, None), slice(30, 40)):
            part = whole[some]
            assert type(part) is type(whole) and list(part) == rows[some] and part.schema == whole.schema
        assert list(whole.head(3)) == rows[:3] and list(whole.head(99)) == rows
    assert puzzles[3:5].position(0) == puzzles.position(3)
    with pytest.raises(tesuji.ArgumentError):
        frame.head(-1)


def test_narwhals_takes_frames(small: tesuji.Game) -> None:
    narwhals = pytest.importorskip("narwhals")
    for frame in sources(small).values():
        for backend in ("polars", "pandas", "pyarrow"):
            assert narwhals.from_arrow(frame, backend=backend).columns == frame.columns


class Capsule:
    """An array with nothing but the Arrow interface."""

    def __init__(self, values: Any) -> None:
        name = "__arrow_c_array__" if hasattr(values, "__arrow_c_array__") else "__arrow_c_stream__"
        setattr(type(self), name, staticmethod(getattr(values, name)))


@pytest.mark.parametrize("dtype", ["int64", "uint16", "uint64"])
def test_slots_of_other_libraries(small: tesuji.Game, dtype: str) -> None:
    plain = [5000, 3, 77, 3]
    numbers = np.array(plain, dtype=dtype)
    expected = small.evaluate(plain).to_dict()
    found = duckdb.sql("SELECT CAST(unnest([5000, 3, 77, 3]) AS BIGINT) AS slot")
    given = [
        numbers,
        list(numbers),
        pd.Series(numbers),
        pd.array(numbers),
        pa.array(numbers),
        list(pa.array(numbers)),
        pa.chunked_array([numbers[:2], numbers[2:]]),
        pl.Series(numbers),
        array.array("q", plain),
        memoryview(numbers),
        type("OfArray", (Capsule,), {})(pa.array(numbers)),
        type("OfStream", (Capsule,), {})(pl.Series(numbers)),
        found,
        pl.DataFrame({"slot": numbers}).iter_rows(named=True),
    ]
    for slots in given:
        assert small.evaluate(slots).to_dict() == expected, type(slots)
    texts = expected["position"]
    for positions in (np.array(texts), pa.array(texts), pl.Series(texts), pd.Series(texts), pd.Series(texts, dtype="string")):
        assert small.evaluate(positions).to_dict() == expected, type(positions)
    for wrong in (numbers.astype(float), np.array([True]), numbers.reshape(2, 2), [None], pa.array([None, 3])):
        with pytest.raises(TypeError):
            small.evaluate(wrong)


def test_whole_numbers_of_other_libraries(small: tesuji.Game) -> None:
    for three in (np.int64(3), np.uint8(3), pd.Series([3])[0], pa.scalar(3), pl.Series([3])[0]):
        assert len(small.mine("plies = 9", limit=three)) == 3
        assert small.position().svg(number=three) == small.position().svg(number=3)
    for wrong in (np.bool_(True), np.float64(3), "3", True):
        with pytest.raises(TypeError):
            small.mine("plies = 9", limit=wrong)  # type: ignore[arg-type]


def test_boards_are_those_of_the_notation(small: tesuji.Game) -> None:
    texts = small.mine("plies = 9", limit=30)["position"]
    slots = small.evaluate(texts)["slot"]
    boards = small.boards(texts)
    assert boards.dtype == np.uint8 and boards.shape == (30, 4, 4)
    for board, text in zip(boards, texts):
        rows = [row.split()[1:] for row in str(small.position(text)).splitlines()[:-1]]
        assert [[chr(code) for code in row] for row in board] == rows
    mixed = [slots[0], small.position(texts[1]), texts[2], np.int32(slots[3])]
    expected = small.evaluate([slots[0]])["position"] + texts[1:3] + small.evaluate([slots[3]])["position"]
    assert (small.boards(mixed) == small.boards(expected)).all()
    assert small.boards([]).shape == (0, 4, 4)
    assert tesuji.open("chess:KQ-KR").boards(["initial"]).shape == (1, 8, 8)
    for spec in ("dobutsu", "sliding:2x2"):
        with pytest.raises(tesuji.UnsupportedError):
            tesuji.open(spec).boards(["initial"])
    with pytest.raises(tesuji.NotationError):
        small.boards(["x"])


def test_a_lazy_frame_computes_what_is_asked(tiny: tesuji.Game) -> None:
    lazy = tiny.scan()
    every = pl.DataFrame(tiny.states(["plies", "n_best", "own_mobility"], position=True))
    names = ["slot", "position", "layer", "plies", "n_best", "own_mobility"]
    assert lazy.select(names).collect().equals(every.select(names))
    assert set(lazy.collect_schema()) == {"slot", "position", *(column["name"] for column in tiny.columns())}
    long = pl.col("plies") > 5
    few = lazy.filter(long, pl.col("n_best") == 1).select("position", "plies")
    assert few.collect().equals(every.filter(long, pl.col("n_best") == 1).select("position", "plies"))
    assert "SELECTION" in few.explain() and "PROJECT 3/" in few.explain()
    assert lazy.filter(long).select("slot").head(3).collect().equals(every.filter(long).select("slot").head(3))
    assert lazy.select("slot", "plies").head(20).filter(long).collect().equals(every.select("slot", "plies").head(20).filter(long))
    assert lazy.select(pl.len()).collect().item() == every.height == tiny.statistics()["positions"]
    assert lazy.select("slot").head(0).collect().height == 0
    forbidden = tiny.scan(restricted=True).filter(pl.col("forbidden").is_not_null()).select("slot").collect()
    assert 0 < forbidden.height == pl.DataFrame(tiny.states([], restricted=True)).height - every.height
    with pytest.raises(tesuji.FilterError, match="9-9"):
        tiny.scan(layers=["9-9"]).select("slot").collect()
    with pytest.raises(tesuji.UnsupportedError):
        tesuji.open("sliding:2x2").scan()


class Counted:
    """A game's native part, which remembers the rows that it is asked for."""

    def __init__(self, game: tesuji.Game) -> None:
        self.native, self.asked = game._native, list[tuple[list[str], int]]()
        self.slots = game.steps.layers()[-1].end

    def __getattr__(self, name: str) -> Any:
        return getattr(self.native, name)

    def rows(self, columns: list[str], moves: bool, restricted: bool, position: bool, part: Any) -> Any:
        ranges = [(0, self.slots)] if part["slots"] is None else part["slots"]
        self.asked.append((columns, sum(end - first for first, end in ranges)))
        return self.native.rows(columns, moves, restricted, position, part)


@pytest.mark.parametrize("restricted", [False, True])
def test_the_columns_of_a_condition_come_first(tiny: tesuji.Game, restricted: bool) -> None:
    game = tesuji.open(tiny.spec)
    names = ["slot", "own_mobility", "n_best", "position"]
    for condition in (pl.col("plies") > 30, pl.col("plies") > 99, (pl.col("n_best") == 1) & (pl.col("slot") % 200 == 3)):
        expected = game.scan(restricted=restricted).collect().filter(condition).select(names)
        counted = Counted(game)
        game._native = counted  # type: ignore[assignment]
        found = game.scan(restricted=restricted).filter(condition).select(names).collect()
        game._native = counted.native
        assert found.equals(expected)
        (first, of_all), *later = counted.asked
        assert set(first) <= set(condition.meta.root_names()) and of_all == counted.slots
        assert all("own_mobility" in columns for columns, _ in later) and bool(later) == (expected.height > 0)
        assert sum(slots for _, slots in later) < counted.slots / 3


def test_the_lazy_frame_has_every_column_in_its_type(tiny: tesuji.Game) -> None:
    whole = tiny.scan(sample=20)
    found = whole.collect()
    assert found.schema == whole.collect_schema() and found.height > 10


def test_values_in_python_are_those_in_polars(small: tesuji.Game) -> None:
    for frame in sources(small).values():
        if isinstance(frame, tesuji.Frame):
            polars = pl.DataFrame(frame)
            assert polars.rows(named=True) == list(frame)
            assert polars.row(0, named=True) == frame[0] and frame[-1] == polars.row(-1, named=True)
            assert frame[frame.columns[1]] == polars[frame.columns[1]].to_list()


def test_a_name_is_one_quantity(tiny: tesuji.Game) -> None:
    puzzles = pl.DataFrame(tiny.mine("outcome = 'win' AND plies > 4", limit=20))
    puzzles = puzzles.filter(pl.col("forbidden").is_null()).sort("slot")
    known = {column["name"] for column in tiny.columns()}
    shared = [column for column in puzzles.columns if column in known]
    states = pl.DataFrame(tiny.states(["slot", *shared])).join(puzzles, on="slot", how="semi").sort("slot")
    assert len(shared) > 10 and len(puzzles) > 10
    values = pl.DataFrame(tiny.evaluate(puzzles["position"].to_list()))
    for frame in (states, values):
        for column in set(frame.columns) & set(puzzles.columns):
            assert frame[column].equals(puzzles[column]), column


def test_states_are_those_of_the_statistics(small: tesuji.Game) -> None:
    counted = small.statistics()["positions"]
    frames = list(small.states())
    assert sum(len(frame) for frame in frames) == counted and len(frames) > 1
    slots = [slot for frame in frames for slot in frame["slot"]]
    assert slots == sorted(set(slots))
    # Each reader begins at the beginning.
    states = small.states()
    assert pl.DataFrame(states).height == pl.DataFrame(states).height == counted
    by_layer = pl.DataFrame(states).group_by("layer").len()
    layers = {layer["layer"]: layer["positions"] for layer in small.statistics()["layers"]}
    assert dict(by_layer.rows()) == layers


def test_a_reader_may_stop_early(small: tesuji.Game) -> None:
    states = small.states()
    first = next(iter(states))
    assert 0 < len(first) < small.statistics()["positions"]
    assert duckdb.sql("SELECT slot FROM states LIMIT 3").fetchall() == [(s,) for s in first["slot"][:3]]


def test_moves_of_positions_are_those_of_each_position(small: tesuji.Game) -> None:
    positions = small.mine("plies >= 5", limit=5).positions()
    frame = pl.DataFrame(small.moves(positions))
    for position in positions:
        rows = frame.filter(pl.col("position") == position.text)
        assert rows["move"].to_list() == position.legal_moves
        values = {move.name: move.value for move in position.moves}
        for name, outcome, plies in rows.select("move", "outcome", "plies").rows():
            assert (values[name].outcome, values[name].plies) == (outcome, plies)
    assert len(small.moves([])) == 0 and small.moves([]).columns == frame.columns


def test_answers_are_in_the_order_of_the_questions(small: tesuji.Game) -> None:
    slots = [5000, 3, 77, 3]
    assert small.evaluate(slots)["slot"] == slots
    texts = small.evaluate(slots)["position"]
    assert small.evaluate(texts)["slot"] == slots


def test_rows_and_columns_that_are_not_there(small: tesuji.Game) -> None:
    frame = small.evaluate([small.position()])
    with pytest.raises(IndexError):
        frame[1]
    with pytest.raises(KeyError):
        frame["pliess"]
    with pytest.raises(tesuji.FilterError, match="plies"):
        small.states(["pliess"])


def test_notebooks_show_the_first_rows(small: tesuji.Game) -> None:
    html = small.evaluate(list(range(3, 40)))._repr_html_()
    assert html.count("<tr>") == 11 and "37 rows" in html
    puzzles = small.mine("plies = 9", limit=8)
    assert puzzles._repr_html_().count("<svg") == 6
