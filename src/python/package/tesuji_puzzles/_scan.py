"""States as a source that polars asks for no more than a query needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._arguments import library

if TYPE_CHECKING:
    from ._game import Game

#: Columns that every data set has, whatever else is asked for.
FREE = ("slot", "layer", "position")


def scan(game: Game, columns: dict[str, str], part: dict[str, Any]) -> Any:
    """The states of a game as a ``polars.LazyFrame`` with columns of these SQL types."""
    polars = library("polars", "lazy frames")
    source = library("polars.io.plugins", "lazy frames").register_io_source
    types = {"BIGINT": polars.Int64, "INTEGER": polars.Int32, "BOOLEAN": polars.Boolean, "VARCHAR": polars.String}

    def rows(
        wanted: list[str] | None, condition: Any, count: int | None, _batch: int | None
    ) -> Iterator[Any]:
        names = list(columns) if wanted is None else wanted
        costly = [name for name in names if name not in FREE]
        states = game.states(costly, position="position" in names, **part)
        for frame in states if count != 0 else ():
            found = polars.DataFrame(frame)
            # A query for no column still wants to know how many rows there are.
            found = found.select(names or "slot")
            if count is not None:
                found = found.head(count)
                count -= found.height
            yield found if condition is None else found.filter(condition)
            if count == 0:
                return

    schema = polars.Schema({name: types[kind] for name, kind in columns.items()})
    return source(rows, schema=schema, explain_name="tesuji", explain_detail=game.spec, is_pure=True)
