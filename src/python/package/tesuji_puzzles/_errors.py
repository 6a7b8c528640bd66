"""Exceptions. Each is a ``ValueError`` or an ``OSError`` too."""

from __future__ import annotations


class PuzzleError(Exception):
    """What all exceptions of this package are.

    Attributes:
        text: of a :class:`NotationError` or :class:`FilterError`, the text or condition, if the
            place of the fault is known.
        at: the place, in characters from zero, or ``None``.
    """

    text: str | None = None
    at: int | None = None


class NotationError(PuzzleError, ValueError):
    """A text is not a position, a move or a pattern of the game. ``text`` and ``at`` say where."""


class FilterError(PuzzleError, ValueError):
    """A condition, a filter or a part of a table makes no sense. ``text`` and ``at`` say where."""


class GameError(PuzzleError, ValueError):
    """A spec names no game."""


class RulesError(PuzzleError, ValueError):
    """Rules written in Python contradict themselves, or raised an exception."""


class ArgumentError(PuzzleError, ValueError):
    """An argument has a value that makes no sense."""


class AnswerError(PuzzleError, ValueError):
    """There is no answer: a puzzle does not agree with its game, or a search was given up."""


class UnsupportedError(PuzzleError, ValueError):
    """Games of this kind cannot do this."""


class SizeError(PuzzleError, ValueError):
    """A game is too large for what was asked, or memory is short."""


class TableError(PuzzleError, OSError):
    """A table file is of another game, damaged, or no table."""


class FileError(PuzzleError, OSError):
    """A file cannot be read, or may not be written."""
