"""Rows with named columns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from . import _native
from ._arguments import library, whole

if TYPE_CHECKING:
    from ._game import Game

#: Rows that a notebook shows.
SHOWN = 10
#: Slots that are nearer to each other than this are measured together with those between them.
NEAR = 32

Self = TypeVar("Self", bound="Frame")


class _Rows:
    """Named columns, which libraries that know Arrow read."""

    _native: Any

    @property
    def schema(self) -> list[tuple[str, str, bool]]:
        """The name of each column, its SQL type, and whether values may be missing."""
        return cast("_native.Schema", self._native.schema())

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _, _ in self.schema]

    def to_polars(self) -> Any:
        """All rows as a ``polars.DataFrame``."""
        return library("polars", "frames of polars").DataFrame(self)

    def to_pandas(self) -> Any:
        """All rows as a ``pandas.DataFrame``, with the types of pandas in which values may be missing:
        ``Int64``, ``Int32``, ``boolean`` and ``string``."""
        pandas, arrow = (library(name, "frames of pandas") for name in ("pandas", "pyarrow"))
        types = {
            arrow.int64(): pandas.Int64Dtype(),
            arrow.int32(): pandas.Int32Dtype(),
            arrow.bool_(): pandas.BooleanDtype(),
            arrow.string(): pandas.StringDtype(),
        }
        return arrow.table(self).to_pandas(types_mapper=types.get)

    def __arrow_c_schema__(self) -> object:
        """The types of the columns for another library."""
        return cast(object, self._native.__arrow_c_schema__())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows for another library, with pyarrow in the types that it asks for."""
        if requested_schema is None or find_spec("pyarrow") is None:
            return self._native.__arrow_c_stream__()
        rows = library("pyarrow", "other types").RecordBatchReader.from_stream(self)
        return cast(object, rows.__arrow_c_stream__(requested_schema))


class Frame(_Rows):
    """Rows with named columns, which any library that knows Arrow takes without a copy of the
    code: ``polars.DataFrame(frame)``, ``pyarrow.table(frame)``, ``duckdb.sql("FROM frame")``,
    ``narwhals.from_arrow(frame, backend="polars")``; also :meth:`to_polars` and :meth:`to_pandas`,
    or without any of them :meth:`to_dict`.

    Numbers are ``INTEGER`` (32 bits) or ``BIGINT`` (64), flags ``BOOLEAN``, texts ``VARCHAR``;
    what is missing is ``NULL``.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
    >>> frame = game.evaluate(["3/o2/1wb b -"])
    >>> len(frame), frame.columns[:4]
    (1, ['slot', 'position', 'side', 'outcome'])
    >>> frame["outcome"], frame[0]["plies"]
    (['win'], 3)
    >>> len(game.evaluate(range(8))[2:5]), game.evaluate(range(8)).head(2)["slot"]
    (3, [0, 1])
    """

    def __init__(self, native: _native.Frame) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...

    @overload
    def __getitem__(self: Self, key: slice) -> Self: ...

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...

    def __getitem__(self: Self, key: str | int | slice) -> list[Any] | dict[str, Any] | Self:
        """A column by its name, a row by its place, or some of the rows as a slice.

        Raises:
            KeyError: there is no such column.
            IndexError: there is no such row.
        """
        if isinstance(key, str):
            return cast(list[Any], self._native.column(key))
        if isinstance(key, slice):
            return cast(Self, self._slice(key))
        return next(iter(Frame(self._native.slice(range(len(self))[key], 1))))

    def _slice(self, rows: slice) -> Frame:
        places = range(len(self))[rows]
        if places.step == 1:
            return Frame(self._native.slice(places.start, len(places)))
        return _frame_of([(*column, self._native.column(column[0])[rows]) for column in self.schema])

    def head(self: Self, rows: int = 10) -> Self:
        """The first rows."""
        return self[: whole("rows", rows, 0, 2**63)]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = self.to_dict()
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(columns, values, strict=True))

    def to_dict(self) -> dict[str, list[Any]]:
        """The values of each column, ``None`` where they are missing."""
        return {name: self._native.column(name) for name in self.columns}

    def __reduce__(self) -> tuple[Any, ...]:
        columns = [(*column, self._native.column(column[0])) for column in self.schema]
        return _frame_of, (columns,)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        shown = self.head(SHOWN)
        head = "".join(f"<th>{escape(name)}</th>" for name in shown.columns)
        rows = (["" if value is None else escape(str(value)) for value in row.values()] for row in shown)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        more = f"<p>{len(self):,} rows, the first {SHOWN} shown</p>" if len(self) > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class States(_Rows):
    """Rows of a whole table, made while they are read, so that they never are all in memory.

    Iterating gives a :class:`Frame` of some tens of thousands of rows at a time. Libraries
    that know Arrow stream it: ``duckdb.sql("SELECT count(*) FROM states")``. Each reader begins
    at the first row.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
    >>> sum(len(frame) for frame in game.states())
    954
    """

    def __init__(self, native: _native.Rows, again: partial[States]) -> None:
        self._native = native
        #: Gives these rows again, in another process.
        self._again = again

    def __iter__(self) -> Iterator[Frame]:
        return map(Frame, self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again, ()

    def __repr__(self) -> str:
        return f"<States: {', '.join(self.columns)}>"


def _frame_of(columns: list[tuple[str, str, bool, list[Any]]]) -> Frame:
    return Frame(_native.frame_of(columns))


def scan(game: Game, columns: dict[str, str], restricted: bool, part: _native.Part) -> Any:
    """The states of a game as a ``polars.LazyFrame`` with columns of these SQL types."""
    polars = library("polars", "lazy frames")
    source = library("polars.io.plugins", "lazy frames").register_io_source
    types = {"BIGINT": polars.Int64, "INTEGER": polars.Int32, "BOOLEAN": polars.Boolean, "VARCHAR": polars.String}

    def measured(names: list[str], **slots: Any) -> Iterator[Any]:
        # Every data set has the others.
        costly = [name for name in names if name not in ("slot", "layer", "position")]
        rows = game._native.rows(costly, False, restricted, "position" in names, part | slots)
        return map(polars.DataFrame, rows)

    def rows(wanted: list[str] | None, condition: Any, count: int | None, _batch: int | None) -> Iterator[Any]:
        names = list(columns) if wanted is None else wanted
        # The columns of a condition come first, the others where it is met.
        first = names if condition is None or count is not None else condition.meta.root_names()
        for found in measured(first) if count != 0 else ():
            if count is not None:
                found = found.head(count)
                count -= found.height
            kept = found if condition is None else found.filter(condition)
            if set(names) <= set(found.columns):
                # A query for no column still wants to know how many rows there are.
                yield kept.select(names or "slot")
            elif kept.height:
                slot = polars.col("slot")
                run = slot.diff().gt(NEAR).fill_null(False).cum_sum().alias("run")
                runs = kept.group_by(run, maintain_order=True).agg(slot.first().alias("first"), slot.last() + 1)
                for more in measured(names, slots=runs.select("first", "slot").rows()):
                    yield more.filter(condition).select(names)
            if count == 0:
                return

    schema = polars.Schema({name: types[kind] for name, kind in columns.items()})
    return source(rows, schema=schema, explain_name="tesuji", explain_detail=game.spec, is_pure=True)
