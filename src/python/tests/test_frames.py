"""Frames: what other libraries make of them."""

import duckdb
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


def sources(game: tesuji.Game) -> dict[str, tesuji.Frame | tesuji.States]:
    texts = game.mine("plies >= 5", limit=30)["position"] + [game.position()]
    return {
        "values": game.evaluate(texts),
        "moves": game.moves(texts),
        "puzzles": game.mine("outcome <> 'loss'", limit=20),
        "states": game.states(),
        "board": game.states(["plies", "outcome", "own_mobility", "theme_quiet_key", "position"], sample=50),
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
    # Each reader begins anew.
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
