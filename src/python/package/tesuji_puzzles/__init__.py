"""Solve a small game completely, find the puzzles in the solution, and draw them.

>>> import tesuji_puzzles as tesuji
>>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
>>> p = game.position("4/2b1/obwb/w2w b -")
>>> print(p.value)
win in 7
>>> game.mine("plies >= 9 AND n_winning = 1", limit=50).columns[2]
'position'
"""

from __future__ import annotations

import os as _os

from . import _native
from ._arguments import path_of as _path_of
from ._errors import (
    AnswerError,
    ArgumentError,
    FileError,
    FilterError,
    GameError,
    NotationError,
    PuzzleError,
    RulesError,
    SizeError,
    TableError,
    UnsupportedError,
)
from ._frame import Frame, States
from ._game import Game
from ._pictures import Picture
from ._position import Position
from ._progress import Progress, show_progress
from ._puzzles import Puzzles, book, read_puzzles
from ._rules import OwnGame, Rules, from_rules
from ._solution import Solution, Verdict
from ._values import Move, Outcome, Question, Value

__all__ = [
    "AnswerError",
    "ArgumentError",
    "FileError",
    "FilterError",
    "Frame",
    "Game",
    "GameError",
    "Move",
    "NotationError",
    "Outcome",
    "OwnGame",
    "Picture",
    "Position",
    "Progress",
    "PuzzleError",
    "Puzzles",
    "Question",
    "Rules",
    "RulesError",
    "SizeError",
    "Solution",
    "States",
    "TableError",
    "UnsupportedError",
    "Value",
    "Verdict",
    "book",
    "from_rules",
    "open",
    "open_table",
    "read_puzzles",
    "show_progress",
]


def open(
    spec: str,
    *,
    table: str | _os.PathLike[str] | None = None,
    repetition: str | None = None,
) -> Game:
    """Opens a game.

    Args:
        spec: its name with its parameters, such as ``ostle:4x4,pieces=3,losses=2``,
            ``kings:5x6``, ``neutreeko``, ``tsuitate``.
        table: the file of its table. A small game needs none: it is solved in memory when a
            value is first asked for.
        repetition: how Ostle's rule 8 is read, ``exact``, ``up-to-symmetry`` or ``all-images``; by default as
            the spec says.

    Raises:
        GameError: the spec names no game.
        ArgumentError: there is no such reading.

    >>> print(open("kings:3x4").position().value)
    loss, nimber 0
    """
    if not isinstance(spec, str):
        raise TypeError(f"spec is a text, not {type(spec).__name__}")
    file = None if table is None else _path_of(table)
    return Game(_native.open(spec, file, repetition))


def open_table(path: str | _os.PathLike[str]) -> Game:
    """Opens the game that a table file names, with that table.

    Raises:
        TableError: the file is no table, damaged, or of an unknown game.
    """
    return Game(_native.open_table(_path_of(path)))
