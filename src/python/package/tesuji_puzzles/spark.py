"""Games too large for one machine, on Apache Spark.

Spark schedules the steps of :mod:`tesuji_puzzles.shards`, carries the messages between shards, and runs a
step again when an executor is lost. Executors need this package, PyArrow and NumPy, and a folder
that all of them and the driver see under one name.

>>> from pyspark.sql import SparkSession  # doctest: +SKIP
>>> import tesuji_puzzles as tesuji, tesuji_puzzles.spark  # doctest: +SKIP
>>> session = SparkSession.builder.getOrCreate()  # doctest: +SKIP
>>> tesuji.spark.solve(tesuji.open("neutreeko"), session, "/shared/neutreeko")  # doctest: +SKIP
>>> tesuji.spark.mine("/shared/neutreeko/table.tsj", session, "plies = 9 AND n_best = 1")  # doctest: +SKIP
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow

from . import _native
from ._arguments import part_of, path_of, wanted, whole
from ._errors import FileError
from ._progress import show_progress
from ._puzzles import Puzzles
from .shards import Message, Shards, write

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ._game import Game

Batches = Iterable[pyarrow.RecordBatch]

#: What a task sends: to which shard, a value, whether moves are folded, and data.
MESSAGES = "shard bigint, value bigint, folded boolean, data binary"
#: Values that are asked of a shard of an earlier group, or answered to a shard.
QUESTIONS = "owner_group bigint, owner bigint, shard bigint, data binary"
ANSWERS = "shard bigint, slots binary, data binary"
#: What a step says of a shard that it changed.
CHANGES = "shard bigint, due binary"
#: How many states of some slots are admitted, and the slots of those that puzzles are made of.
FINDS = "matched bigint, slots binary"

#: Rows of one batch: a row may have some megabytes.
ROWS = 16
#: Slots of a task of mining: a multiple of those of a block of a table.
BLOCK = 1 << 16


def solve(
    game: Game,
    session: SparkSession,
    folder: str | os.PathLike[str],
    *,
    shards: int | None = None,
    force: bool = False,
) -> str:
    """Solves a game with Spark into ``folder/table.tsj``, the same table that :meth:`Game.solve`
    writes, and gives its fingerprint. A run that was stopped is continued by the next one with the
    same game, folder and shards.

    Args:
        game: a game of two players with a table, a listed game or rules of your own included.
        session: the session of Spark.
        folder: a folder that all executors see under this name.
        shards: shards of a large group of layers; by default two for each core.
        force: replace an existing table.

    Raises:
        FileError: the folder is that of another run, or the table exists.
        UnsupportedError: the game has no table.
    """
    if shards is None:
        shards = 2 * session.sparkContext.defaultParallelism
    count = whole("shards", shards, 1, 1 << 20)
    place = Path(path_of(folder)).absolute()
    plan = Shards(game, str(place), count)
    bounds = plan.bounds()
    if (place / "table.tsj").exists() and not force:
        # Before the work, and not only when the table is written.
        raise FileError(f"{place / 'table.tsj'} exists; give force=True to replace it, or another folder")
    place.mkdir(parents=True, exist_ok=True)
    run = {"game": game.spec, "rules": _digest(game), "shards": count}
    journal = _Journal(place / "journal.json", run)
    with _small_batches(session):
        for group in range(journal.group, len(bounds)):
            if journal.due is None:
                journal.after(group, 0, _begin(plan, session, group))
            while due := journal.next():
                plies, shards_due = due
                changed = _spread(plan, session, group, shards_due, plies)
                journal.after(group, plies, changed)
                for shard in changed:
                    plan.forget(group, shard, plies)
            journal.end(group)
    return plan.table(place / "table.tsj", force=force)


def mine(
    table: str | os.PathLike[str],
    session: SparkSession,
    condition: str | None = None,
    *,
    filter: str | os.PathLike[str] | None = None,
    limit: int | None = None,
) -> Puzzles:
    """The puzzles that a condition or a filter admits: those of :meth:`Game.mine`, found by ranges of
    slots on all executors.

    Args:
        table: the table, in a file that all executors see under this name, of a game that
            :func:`open_table` opens.
        session: the session of Spark.
        condition: as of :meth:`Game.mine`.
        filter: instead, a filter: the name of one that is shipped, or a TOML file that all executors
            see.
        limit: the most puzzles to keep.

    Raises:
        FilterError: the condition or filter cannot be used.
    """
    from ._game import reopened

    path = str(Path(path_of(table)).absolute())
    if filter is not None and Path(path_of(filter)).exists():
        # Executors have other working directories.
        filter = Path(path_of(filter)).absolute()
    asked = wanted(condition, filter, limit)
    game = reopened(None, path, None)
    # What cannot be used is refused before the work.
    _native.finds(game._native, *asked, part_of(slots=range(0)))
    blocks = -(-game.steps.layers()[-1].end // BLOCK)
    tasks = min(blocks, 4 * session.sparkContext.defaultParallelism)
    edges = [blocks * task // tasks * BLOCK for task in range(tasks + 1)]

    def found(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        show_progress(False)  # on executors
        for task in _numbers(batches):
            some = part_of(slots=range(edges[task], edges[task + 1]))
            native = reopened(None, path, None)._native
            matched, slots = _native.finds(native, *asked, some)
            yield _batch(FINDS, matched, slots)

    with _small_batches(session):
        rows = _each(session, tasks).mapInArrow(found, FINDS).collect()
    slots = np.sort(np.concatenate([np.frombuffer(row.slots, np.uint64) for row in rows]))
    # Among the finds of all ranges are those of the whole table.
    scope = part_of()
    scope["slots"] = [(int(slot), int(slot) + 1) for slot in slots]
    about, title, _, kept = game._native.mine(*asked, scope, None)
    return Puzzles(game, kept, title=title, matched=sum(row.matched for row in rows), about=about)


def _digest(game: Game) -> str:
    """A text that differs if the rules have other layers, or other moves in a sample of slots."""
    layers = game.steps.layers()
    digest = hashlib.sha256(repr(layers).encode())
    sample = range(0, layers[-1].end, layers[-1].end // 4096 + 1)
    digest.update(repr(game.steps.successors(sample).to_dict()).encode())
    return digest.hexdigest()[:16]


def _begin(plan: Shards, session: SparkSession, group: int) -> dict[int, list[int]]:
    """Writes the first states of a group of layers, and gives the plies that are due, by shard."""
    shards = len(plan.bounds()[group]) - 1

    def asked(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for shard in _numbers(batches):
            # Shards without questions are to begin too.
            yield _batch(QUESTIONS, -1, shard, shard, b"")
            for owner_group, owner, slots in plan.asks(group, shard):
                yield _batch(QUESTIONS, owner_group, owner, shard, slots)

    def answered(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for row in _rows(batches):
            slots = row["data"]
            values = b""
            if row["owner_group"] >= 0:
                values = plan.answers(row["owner_group"], row["owner"], slots)
            yield _batch(ANSWERS, row["shard"], slots, values)

    def begun(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        answers: dict[int, list[tuple[bytes, bytes]]] = {}
        for row in _rows(batches):
            answers.setdefault(row["shard"], []).append((row["slots"], row["data"]))
        for shard, some in sorted(answers.items()):
            yield _change(shard, plan.begin(group, shard, some))

    questions = _each(session, shards).mapInArrow(asked, QUESTIONS)
    questions = questions.repartition(shards, "owner_group", "owner")
    answers = questions.mapInArrow(answered, ANSWERS).repartition(shards, "shard")
    return _changes(answers.mapInArrow(begun, CHANGES))


def _spread(plan: Shards, session: SparkSession, group: int, due: list[int], plies: int) -> dict[int, list[int]]:
    """Takes the values of some plies from these shards to those of the predecessors."""
    shards = len(plan.bounds()[group]) - 1

    def sent(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for shard in _numbers(batches):
            for message in plan.sends(group, due[shard], plies):
                yield _batch(MESSAGES, *message)

    def taken(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        messages: dict[int, list[Message]] = {}
        for row in _rows(batches):
            message = Message(**row)
            messages.setdefault(message.shard, []).append(message)
        for shard, some in sorted(messages.items()):
            yield _change(shard, plan.take(group, shard, plies, some))

    messages = _each(session, len(due)).mapInArrow(sent, MESSAGES)
    return _changes(messages.repartition(shards, "shard").mapInArrow(taken, CHANGES))


class _Journal:
    """How far a run has come: written after each step, so that the next run goes on from there."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self.path, self.run = path, run
        self.group, self.plies = 0, 0
        #: The plies of values that are still to be sent, by shard; none if the group has not begun.
        self.due: dict[int, list[int]] | None = None
        if not path.exists():
            if any(path.parent.glob("group-*")):
                raise FileError(f"{path.parent} has shards and no journal.json; choose an empty folder")
            self._write()
            return
        try:
            held = json.loads(path.read_text())
            there, self.group, self.plies, due = (held[name] for name in ("run", "group", "plies", "due"))
            if due is not None:
                self.due = {int(shard): some for shard, some in due.items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileError(f"{path} is damaged: {error}; choose an empty folder") from error
        if there != run:
            raise FileError(
                f"{path} is of another run, {there}, and this one is {run}; give the same game and shards, or another folder"
            )

    def next(self) -> tuple[int, list[int]] | None:
        """The fewest plies that are still to be sent, and by which shards."""
        waiting = {shard: due for shard, due in (self.due or {}).items() if due}
        if not waiting:
            return None
        plies = min(due[0] for due in waiting.values())
        return plies, sorted(shard for shard, due in waiting.items() if due[0] == plies)

    def after(self, group: int, plies: int, changed: dict[int, list[int]]) -> None:
        """Notes a step, and what is due in the shards that it changed."""
        due = {shard: [n for n in due if n > plies] for shard, due in (self.due or {}).items()}
        self.due = due | changed
        self.group, self.plies = group, plies
        self._write()

    def end(self, group: int) -> None:
        """Notes that a group is done."""
        self.group, self.plies, self.due = group + 1, 0, None
        self._write()

    def _write(self) -> None:
        held = {name: getattr(self, name) for name in ("run", "group", "plies", "due")}
        write(self.path, lambda file: file.write(json.dumps(held).encode()))


@contextmanager
def _small_batches(session: SparkSession) -> Iterator[None]:
    """Few rows of a batch, as each has some megabytes."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = session.conf.get(name)
    session.conf.set(name, str(ROWS))
    try:
        yield
    finally:
        session.conf.set(name, before or "10000")


def _each(session: SparkSession, tasks: int) -> DataFrame:
    """A row for each task, with its number."""
    return session.range(tasks, numPartitions=tasks)


def _numbers(batches: Batches) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _rows(batches: Batches) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def _batch(schema: str, *row: int | bool | bytes) -> pyarrow.RecordBatch:
    """A row as Spark takes it."""
    names = [column.split()[0] for column in schema.split(", ")]
    return pyarrow.RecordBatch.from_arrays([pyarrow.array([value]) for value in row], names)


def _change(shard: int, due: list[int]) -> pyarrow.RecordBatch:
    return _batch(CHANGES, shard, np.array(due, np.uint16).tobytes())


def _changes(rows: DataFrame) -> dict[int, list[int]]:
    found = {row.shard: np.frombuffer(row.due, np.uint16).tolist() for row in rows.collect()}
    return dict(sorted(found.items()))
