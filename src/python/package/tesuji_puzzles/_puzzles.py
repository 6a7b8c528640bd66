"""Mined puzzles, and books of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._arguments import path_of, whole
from ._errors import ArgumentError, GameError, UnsupportedError
from ._frame import Frame
from ._pictures import Picture

if TYPE_CHECKING:
    from ._game import Game
    from ._position import Position

#: Puzzles that a notebook shows.
SHOWN = 6


def _puzzles_of(game: Game, text: str, title: str, matched: int, about: str) -> Puzzles:
    return Puzzles(game, _native.puzzles_of(text), title=title, matched=matched, about=about)


class Puzzles(Frame):
    """Puzzles of a game, one row each: ``position``, ``stipulation``, ``outcome``, ``plies``,
    ``key``, ``solution``, ``themes``, ``score`` and so on, as in the CSV of ``tesuji mine``.

    In a notebook it shows the first ones as diagrams.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    >>> puzzles = game.mine("plies = 9 AND n_winning = 1", limit=20)
    >>> puzzles.position(0).value.plies
    9
    >>> len(puzzles.pick([2, 0])), puzzles.pick([2, 0])[1] == puzzles[0]
    (2, True)

    Attributes:
        game: the game.
        title: the title of the filter, if it has one.
        matched: how many positions the filter admits, those that were not kept included.
        about: what was looked at.
    """

    def __init__(
        self, game: Game, rows: _native.Puzzles, *, title: str = "", matched: int = 0, about: str = ""
    ) -> None:
        super().__init__(rows.frame())
        self._rows = rows
        self.game = game
        self.title = title
        self.matched = matched
        self.about = about

    def __reduce__(self) -> tuple[Any, ...]:
        return _puzzles_of, (self.game, self._rows.csv(), self.title, self.matched, self.about)

    def position(self, place: int) -> Position:
        """The position of a puzzle.

        Raises:
            IndexError: there is no such puzzle.
        """
        return self.game.position(self[place]["position"])

    def positions(self) -> list[Position]:
        """The positions of all puzzles."""
        return [self.game.position(text) for text in self["position"]]

    def _slice(self, rows: slice) -> Puzzles:
        return self.pick(range(len(self))[rows])

    def pick(self, places: Sequence[int]) -> Puzzles:
        """Some of the puzzles, by their places, in this order.

        Raises:
            IndexError: there is no such puzzle.
        """
        kept = self._rows.pick([range(len(self))[place] for place in places])
        return Puzzles(self.game, kept, title=self.title, matched=self.matched, about=self.about)

    def svg(self, place: int, *, style: str | os.PathLike[str] = "print") -> Picture:
        """The diagram of a puzzle, with its number and stipulation."""
        number = range(len(self))[place] + 1
        return self.position(place).svg(number=number, stipulation=self["stipulation"][place], style=style)

    def solution_svg(self, place: int, *, columns: int = 4, style: str | os.PathLike[str] = "print") -> Picture:
        """The main line of a puzzle as boards side by side."""
        row, position = self[place], self.position(place)
        whole_line = " ".join(position.line) == row["solution"]  # names of moves may have blanks
        line = position.line if whole_line else row["solution"].split()
        return position.strip(line, columns=columns, caption=row["stipulation"], style=style)

    def to_csv(self) -> str:
        """The puzzles as CSV, which :func:`read_puzzles` and ``tesuji book`` read."""
        return self._rows.csv()

    def _repr_html_(self) -> str:
        if not self.game._drawn:
            return super()._repr_html_()
        figures = (f"<div>{self.svg(place)}</div>" for place in range(min(SHOWN, len(self))))
        more = f"{len(self):,} puzzles of {self.matched:,} positions that match"
        title = f"<b>{escape(self.title)}</b> " if self.title else ""
        style = "display: flex; flex-wrap: wrap; gap: 1em"
        return f"<p>{title}{more}</p><div style='{style}'>{''.join(figures)}</div>"


def read_puzzles(path: str | os.PathLike[str], game: Game | None = None) -> Puzzles:
    """Reads the puzzles of a CSV, as ``tesuji mine`` and :meth:`Puzzles.to_csv` write it.

    Args:
        path: the file.
        game: their game; by default the one that the first row names, as ``tesuji_puzzles.open`` opens it.

    Raises:
        GameError: that is no name of a game: give ``game=``.
        FileError: the file cannot be read, or is no such CSV.
        ArgumentError: it has no puzzles.
    """
    from ._game import reopened

    file = path_of(path)
    rows = _native.read_puzzles(file)
    names = Frame(rows.frame())["game"]
    if not names:
        raise ArgumentError(f"path: {file} has no puzzles")
    try:
        game = game or reopened(names[0], None, None)
    except GameError as error:
        raise GameError(f"{error}; if the game has rules of your own, give it with game=") from None
    return Puzzles(game, rows, matched=len(names), about=file)


def book(
    puzzles: Puzzles,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    subtitle: str | None = None,
    author: str | None = None,
    paper: str = "a4",
    per_page: int = 6,
    style: str = "print",
    force: bool = False,
) -> None:
    """Makes a booklet to print (``.pdf``), or a web page on which the puzzles can be played
    (``.html``).

    Args:
        puzzles: what :meth:`Game.mine` gave, or some of it.
        path: the name ends in ``.pdf`` or ``.html``.
        title: by default the name of the filter.
        subtitle: by default the number of problems.
        author: by default none.
        paper: of a booklet: ``a4``, ``a5`` or ``letter``.
        per_page: of a booklet: diagrams on a page, 1 to 12.
        style: of a booklet: ``print``, ``screen`` or ``dark``.
        force: replace an existing file.

    Raises:
        ArgumentError: an argument makes no sense.
        FileError: the file cannot be written, or exists.
        AnswerError: a puzzle does not agree with its game.
        UnsupportedError: the game has no pictures.
    """
    if not isinstance(puzzles, Puzzles):
        raise TypeError(f"puzzles are what mine() gives, not {type(puzzles).__name__}")
    if not puzzles.game._boards:
        raise UnsupportedError(f"{puzzles.game.spec} has no board, which a book needs: give its rules size (columns, rows)")
    name = path_of(path)
    end = Path(name).suffix.lower()
    if end not in (".pdf", ".html", ".htm"):
        raise ArgumentError(f"path: the name of a book ends in .pdf or .html, not '{end}'")
    setting = (paper, whole("per_page", per_page, 1, 12), style) if end == ".pdf" else None
    puzzles.game._native.book(puzzles._rows, name, (title, subtitle, author), setting, force)
