"""Games and positions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from . import _native
from ._arguments import MOST, library, memory_of, part_of, path_of, text_of, texts, wanted, whole
from ._errors import ArgumentError, GameError, UnsupportedError
from ._frame import Frame, States, scan
from ._pictures import Picture
from ._position import Asked, Position, asked
from ._puzzles import Puzzles
from ._steps import Steps
from ._values import Question

#: Empty squares, of which the notation of a board has the number.
_RUNS = {ord(str(run)): "." * run for run in range(10)}


class Game:
    """A game. :func:`open`, :func:`open_table` and :func:`from_rules` make one.

    A small game is solved in memory when a value is first asked for; several threads may
    share it. Games of all kinds read positions and draw them. What else there is depends on
    the kind: :attr:`operations` lists it, and everything else raises
    :class:`UnsupportedError`.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
    >>> game
    <Game ostle:3x3,pieces=2,losses=2>

    Attributes:
        spec: the name of the game with its parameters.
        kind: how the game is solved, e.g. ``game of two players``.
        operations: what can be asked of the game.
    """

    def __init__(
        self,
        native: _native.Game,
        *,
        boards: bool = True,
        opened: tuple[str | None, str | None, str | None] = (None, None, None),
    ) -> None:
        self._native = native
        self.spec = native.spec()
        self.kind = native.kind()
        self.operations = native.operations()
        #: Spec, table and reading with which it was opened.
        self._opened = opened
        #: Positions have boards, which can be drawn; positions can be drawn, with boards or without.
        self._boards = self._drawn = boards

    @property
    def _identity(self) -> object:
        """What games have in common whose positions of one notation are equal."""
        return self.spec

    def __reduce__(self) -> tuple[Any, ...]:
        return reopened, self._opened

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"

    def _picture(self, position: Position) -> Picture | None:
        """A picture that the game makes itself."""
        return None

    def _letters(self, position: Position) -> str:
        """The board in letters."""
        if "playing" not in self.operations:
            return position.text
        return self._native.letters(position.text).strip("\n")

    def position(self, text: str = "initial") -> Position:
        """Reads a position in the game's notation.

        Raises:
            NotationError: the text is not one; the error has the place.
        """
        return Position(self, *self._native.position(text_of("text", text)))

    def evaluate(self, positions: Asked) -> Frame:
        """The values of many positions, one row each: ``slot``, ``position``, ``side``,
        ``outcome`` and ``plies`` for the side to move, ``n_moves``, ``n_best``, and the first
        of the best moves, ``best``.

        Args:
            positions: texts, positions, or numbers of slots: a list, or an array of numpy, pandas,
                polars, pyarrow or another library with the Arrow or the buffer interface.

        Raises:
            NotationError: a text is not a position, or a slot has none.
            UnsupportedError: the game has no table.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
        >>> game.evaluate(["3/o2/1wb b -", 7])["outcome"]
        ['win', 'win']
        """
        return Frame(self._native.values(asked(positions)))

    def moves(self, positions: Asked) -> Frame:
        """All moves of many positions, one row a move: the position, the move, a flag for each
        kind of move that the game knows (``is_capture``, ...), the slot that it leads to, and
        ``outcome`` and ``plies`` for the side that moves.

        Args:
            positions: texts, positions, or numbers of slots, as in :meth:`evaluate`.

        Raises:
            NotationError: a text is not a position, or a slot has none.
            UnsupportedError: the game has no table.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
        >>> moves = game.moves(["3/o2/1wb b -"])
        >>> len(moves), moves[0]["move"], moves[0]["outcome"]
        (7, 'a2U', 'loss')
        """
        return Frame(self._native.moves(asked(positions)))

    def boards(self, positions: Asked) -> Any:
        """The boards of many positions as an array of numpy, ``uint8[n, rows, columns]``. In each
        square, from the upper left one, stands the code of its letter in the notation; an empty one has
        ``ord(".")``.

        Args:
            positions: texts, positions, or numbers of slots, as in :meth:`evaluate`.

        Raises:
            NotationError: a text is not a position, or a slot has none.
            UnsupportedError: the notation has no board with one letter for each square.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
        >>> boards = game.boards(["3/o2/1wb b -", 7])
        >>> boards.shape, (boards[0] == ord("b")).astype(int).tolist()
        ((2, 3, 3), [[0, 0, 0], [0, 0, 0], [0, 0, 1]])
        """
        numpy = library("numpy", "arrays of boards")
        all_asked = asked(positions)
        slots = [one for one in all_asked if isinstance(one, int)]
        of_slots = iter(self.evaluate(slots)["position"] if slots else ())
        texts = [next(of_slots) if isinstance(one, int) else self._native.position(one)[0] for one in all_asked]
        ranks = self._board(self._native.position("initial")[0]).split("/")
        shape = len(ranks), len(ranks[0]) + 1
        letters = "".join([f"{self._board(text)}/" for text in texts]).encode("ascii", "replace")
        if self._boards and "boards" in self.operations and len(letters) == len(texts) * shape[0] * shape[1]:
            boards = numpy.frombuffer(letters, dtype=numpy.uint8).reshape(len(texts), *shape)
            if (boards[:, :, -1] == ord("/")).all():
                return boards[:, :, :-1].copy()
        raise UnsupportedError(f"{self.spec} has no board with one letter for each square in its notation")

    def _board(self, text: str) -> str:
        """The rows of the board in a position's text, with ``/`` between them."""
        return text.partition(" ")[0].translate(_RUNS)

    def states(
        self,
        columns: Sequence[str] | None = None,
        *,
        moves: bool = False,
        restricted: bool = False,
        position: bool = False,
        layers: Sequence[str] = (),
        classes: Sequence[str] = (),
        sample: int = 1,
        slots: range | None = None,
    ) -> States:
        """All states of the table as rows, made while they are read.

        Args:
            columns: columns that :meth:`columns` lists, whatever they cost; by default
                those of the table's record.
            moves: a row is a move of a position, with the columns of :meth:`moves`.
            restricted: also the states with each forbidden move that can arise.
            position: also the position in one line.
            layers: only these layers of the table, by name.
            classes: only positions of these classes, by name.
            sample: only one position of this many, always the same ones.
            slots: only these slots.

        Raises:
            FilterError: there is no such column, layer or class.
            UnsupportedError: the game has no table.
        """
        if moves and (columns is not None or restricted):
            raise ArgumentError("moves: rows that are moves have columns of their own; leave out columns and restricted")
        names = None if columns is None else texts("columns", columns)
        part = part_of(layers, classes, sample, slots)
        rows = self._native.rows(names, moves, restricted, position, part)
        again: dict[str, Any] = {"moves": moves, "restricted": restricted, "position": position, **part, "slots": slots}
        return States(rows, partial(self.states, names, **again))

    def scan(
        self, *, restricted: bool = False, layers: Sequence[str] = (), classes: Sequence[str] = (), sample: int = 1
    ) -> Any:
        """All states of the table as a ``polars.LazyFrame`` with ``slot``, ``position`` and all columns
        that :meth:`columns` lists. A query computes only the columns that it names, those of
        its conditions first and the others where these are met, and stops when it has enough rows.

        Args:
            restricted, layers, classes, sample: as in :meth:`states`.

        Raises:
            UnsupportedError: polars is not installed, or the game has no table.

        >>> import polars as pl, tesuji_puzzles as tesuji
        >>> states = tesuji.open("ostle:3x3,pieces=2,losses=2").scan()
        >>> states.filter(pl.col("plies") > 20).select("slot", "n_best").head(1).collect().height
        1
        """
        columns = {"slot": "BIGINT", "position": "VARCHAR"} | ({"forbidden": "VARCHAR"} if restricted else {})
        columns |= {column["name"]: column["type"] for column in self.columns()}
        return scan(self, columns, restricted, part_of(layers, classes, sample))

    def columns(self) -> list[dict[str, Any]]:
        """The columns that a condition may use: ``name``, ``type``, ``meaning``, ``cost`` (from
        cheap to expensive) and ``nullable``.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:3x3,pieces=2,losses=2")
        >>> game.columns()[0]["name"]
        'outcome'
        """
        names = ("name", "type", "meaning", "cost", "nullable")
        return [dict(zip(names, column, strict=True)) for column in self._native.columns()]

    def mine(
        self,
        condition: str | None = None,
        *,
        filter: str | os.PathLike[str] | None = None,
        limit: int | None = None,
        layers: Sequence[str] = (),
        classes: Sequence[str] = (),
        sample: int = 1,
        memory: int | None = None,
    ) -> Puzzles:
        """The puzzles that a condition, or a filter, admits.

        Args:
            condition: SQL over the columns that :meth:`columns` lists. The finds have
                different solutions; the longest come first.
            filter: instead, a filter: a TOML file, or the name of one that is shipped.
            limit: the most puzzles to keep; by default all, or as many as the filter says.
            layers, classes, sample: as in :meth:`states`.
            memory: bytes that the table may take.

        Raises:
            FilterError: the condition or filter cannot be used; the error has the place.
            UnsupportedError: the game cannot be mined.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
        >>> puzzles = game.mine("plies >= 9 AND n_winning = 1", limit=3)
        >>> len(puzzles), puzzles.matched
        (3, 35968)
        >>> puzzles[0]["stipulation"]
        'Black to move and win in 75'
        """
        asked, part = wanted(condition, filter, limit), part_of(layers, classes, sample)
        about, title, matched, rows = self._native.mine(*asked, part, memory_of(memory))
        return Puzzles(self, rows, title=title, matched=matched, about=about)

    def compose(
        self,
        pattern: str,
        condition: str = "outcome = 'win' AND plies > 1 AND n_best = 1",
        *,
        limit: int = 20,
        layers: Sequence[str] = (),
        classes: Sequence[str] = (),
        sample: int = 1,
    ) -> Puzzles:
        """Positions that fit a partial diagram and a condition.

        Args:
            pattern: the board as in the notation of positions, with ``?`` for a square that
                may have anything on it. It may be turned and mirrored.
            condition: SQL over the columns that :meth:`columns` lists.
            limit: the most puzzles to keep.
            layers, classes, sample: as in :meth:`states`.

        Raises:
            NotationError: the text is not a pattern.
            FilterError: the condition cannot be used.

        >>> import tesuji_puzzles as tesuji
        >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
        >>> game.compose("????/?o??/????/b??w", "plies = 9 AND n_winning = 1", limit=2).matched
        31
        """
        matched, rows = self._native.compose(
            text_of("pattern", pattern),
            text_of("condition", condition),
            part_of(layers, classes, sample),
            whole("limit", limit, 1, MOST),
        )
        return Puzzles(self, rows, title=pattern, matched=matched, about=self.spec)

    def statistics(self) -> dict[str, Any]:
        """Counts over all positions, with the names that ``tesuji stats --json`` has.

        >>> import tesuji_puzzles as tesuji
        >>> tesuji.open("ostle:3x3,pieces=2,losses=2").statistics()["positions"]
        954
        """
        return self._native.statistics()

    def reach(self, *, take_backs: bool = False, memory: int | None = None) -> dict[str, Any]:
        """Counts the states that play can reach, by distance from the initial one, with the
        names that ``tesuji reach --json`` has.

        Args:
            take_backs: also make the moves that the repetition rule forbids.
            memory: bytes that the search may take.

        >>> import tesuji_puzzles as tesuji
        >>> tesuji.open("tictactoe").reach()["distances"][1]
        {'plies_from_start': 1, 'states': 3}
        """
        return self._native.reach(take_backs, memory_of(memory))

    def questions(self, *, shortest: bool = False) -> list[Question]:
        """What a program that plays the game is asked, by the numbers of states, as
        ``tesuji formula`` does.

        Args:
            shortest: only the quickest win and the slowest loss are right.

        Raises:
            UnsupportedError: the states of the game have no numbers.

        >>> import tesuji_puzzles as tesuji
        >>> questions = tesuji.open("sliding:2x2").questions()
        >>> len(questions), questions[0].number, questions[0].best
        (12, 30, (3,))
        """
        return [
            Question(number, position, tuple(legal), tuple(best))
            for number, position, legal, best in _native.questions(self._native, shortest)
        ]

    @property
    def steps(self) -> Steps:
        """The rules by slot, for solvers of one's own."""
        return Steps(self)

    def prepare(self) -> None:
        """Solves the game, or reads its table, so that what follows is quick."""
        self._native.prepare()

    def solve(self, path: str | os.PathLike[str], *, memory: int | None = None, force: bool = False) -> str:
        """Solves the game into a file, for ``open(spec, table=path)``, and gives the table's
        fingerprint. A run that was stopped is continued by the next one.

        Args:
            path: the file, by convention ``NAME.tsj``.
            memory: bytes that the solver may take.
            force: replace an existing table.

        Raises:
            FileError: the file may not be written.
            SizeError: memory or disk are short.
        """
        return self._native.solve(path_of(path), memory_of(memory), force)


def opened(spec: str | None, table: str | None, reading: str | None) -> Game:
    """The game of a spec, or the one that its table names, or that of an entry point."""
    try:
        return Game(_native.open(spec, table, reading), opened=(spec, table, reading))
    except GameError:
        entry = next(iter(entry_points(group="tesuji.games", name=spec or "")), None)
        if entry is None or reading is not None:
            raise
        from ._rules import from_rules

        rules = entry.load()
        return from_rules(rules() if callable(rules) else rules, spec, table=table)


def reopened(spec: str | None, table: str | None, reading: str | None) -> Game:
    """The game of a pickle: one for all pickles of it, so that it is solved once in a process, until
    its table is replaced."""
    written = Path(table).stat().st_mtime_ns if table and Path(table).exists() else None
    return _reopened(spec, table, reading, written)


@lru_cache(8)
def _reopened(spec: str | None, table: str | None, reading: str | None, written: int | None) -> Game:
    return opened(spec, table, reading)
