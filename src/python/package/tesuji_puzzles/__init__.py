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
from collections.abc import Sequence as _Sequence
from typing import Any as _Any

from ._arguments import path_of as _path_of, text_of as _text_of
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
from ._game import Game, opened as _opened
from ._pictures import Picture
from ._position import Position
from ._progress import Progress, show_progress
from ._puzzles import Puzzles, book, read_puzzles
from ._rules import ArrayRules, OwnGame, Rules, from_rules
from ._solution import Solution, Verdict
from ._steps import NO_MOVE, VACANT, Layer, Steps
from ._values import Move, Outcome, Question, Value

__all__ = [
    "AnswerError", "ArgumentError", "ArrayRules", "FileError", "FilterError", "Frame", "Game",
    "GameError", "Layer", "Move", "NO_MOVE", "NotationError", "Outcome", "OwnGame", "Picture", "Position",
    "Progress", "PuzzleError", "Puzzles", "Question", "Rules", "RulesError", "SizeError", "Solution",
    "States", "Steps", "TableError", "UnsupportedError", "VACANT", "Value", "Verdict", "book", "check_rules", "env",
    "from_rules", "open", "open_table", "read_puzzles", "show_progress",
]


def open(spec: str, *, table: str | _os.PathLike[str] | None = None, repetition: str | None = None) -> Game:
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
    return _opened(_text_of("spec", spec), None if table is None else _path_of(table), repetition)


def env(
    game: Game,
    *,
    opponent: int | None = None,
    seat: int = 0,
    start: _Sequence[str] | None = None,
    actions: _Sequence[str] | None = None,
    max_plies: int = 200,
) -> _Any:
    """A game of two players with the interface of environments of `PettingZoo
    <https://pettingzoo.farama.org>`_ (AEC). It needs numpy; PettingZoo need not be installed.

    The agents are ``player_0``, who moves first, and ``player_1``. An agent observes the board, as
    :meth:`Game.boards` gives it, and which actions are legal. ``infos`` of the agent whose turn it is
    have the truth: the ``value`` of the position, its ``moves`` with their values, and ``action_values``, by
    action 1 for a win, 0 for a draw and -1 for a loss. ``env.actions`` are the names of the actions.

    Args:
        game: the game.
        opponent: a player moves for ``player_1`` who sees the ends of the game up to this number of
            plies away, and otherwise moves at random.
        seat: with 1, that is ``player_0``, and the agent is ``player_1``.
        start: positions to begin with, one of them at random; by default the initial one.
        actions: the names of all moves; by default they are collected from the table.
        max_plies: a game that lasts as long is truncated.

    Raises:
        UnsupportedError: the game has not two players, or numpy is not installed.
        ArgumentError: an argument makes no sense.

    >>> e = env(open("ostle:3x3,pieces=2,losses=2"), opponent=2)
    >>> e.reset(seed=1, options={"position": "3/o2/1wb b -"})
    >>> seen, reward, terminated, truncated, info = e.last()
    >>> seen["observation"].shape, int(seen["action_mask"].sum()), str(info["value"])
    ((3, 3), 7, 'win in 3')
    """
    from ._env import Env

    return Env(game, opponent, seat, start, actions, max_plies)


def open_table(path: str | _os.PathLike[str]) -> Game:
    """Opens the game that a table file names, with that table.

    Raises:
        TableError: the file is no table, damaged, or of an unknown game.
    """
    return _opened(None, _path_of(path), None)
