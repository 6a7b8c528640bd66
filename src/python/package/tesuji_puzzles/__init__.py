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
from importlib.metadata import entry_points as _entry_points
from typing import Any as _Any

from . import _native
from ._arguments import path_of as _path_of
from ._check import check_rules
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
from ._rules import ArrayRules, OwnGame, Rules, from_rules
from ._solution import Solution, Verdict
from ._values import Move, Outcome, Question, Value

__all__ = [
    "AnswerError",
    "ArgumentError",
    "ArrayRules",
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
    "check_rules",
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
            ``kings:5x6``, ``neutreeko``, ``tsuitate``; or the name of an entry point of the group
            ``tesuji.games`` in an installed package: rules as :func:`from_rules` takes them, or
            their class.
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
    try:
        native = _native.open(spec, file, repetition)
    except GameError:
        own = _installed(spec)
        if own is None or repetition is not None:
            raise
        return from_rules(own, spec, table=table)
    return Game(native, opened=(spec, file, repetition))


def _installed(name: str) -> _Any:
    """The rules of this name that an installed package has, from its entry points."""
    for entry in _entry_points(group="tesuji.games", name=name):
        rules = entry.load()
        return rules() if callable(rules) else rules
    return None


def open_table(path: str | _os.PathLike[str]) -> Game:
    """Opens the game that a table file names, with that table.

    Raises:
        TableError: the file is no table, damaged, or of an unknown game.
    """
    file = _path_of(path)
    return Game(_native.open_table(file), opened=(None, file, None))
