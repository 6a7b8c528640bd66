"""Positions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ._arguments import MOST, listed, text_of, texts, whole
from ._errors import UnsupportedError
from ._pictures import Picture, look
from ._solution import Solution, Verdict
from ._values import Move, Outcome, Value

if TYPE_CHECKING:
    from ._game import Game


#: Positions that are asked about: an array, or any other iterable of texts, positions and numbers of slots.
Asked: TypeAlias = "Iterable[str | int | Position] | Any"


class Position:
    """A position of a game. :meth:`Game.position` makes one.

    In a notebook it shows itself as a picture, in a terminal as letters.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    >>> p = game.position("4/2b1/obwb/w2w b -")
    >>> print(p)
      4 . . . .
      3 . . b .
      2 o b w b
      1 w . . w
        a b c d
    >>> print(p.value, p.line[0])
    win in 7 c3D

    Attributes:
        game: the game.
        text: the position in one line.
        side: the name of the side to move.
    """

    def __init__(self, game: Game, text: str, side: str) -> None:
        self.game = game
        self.text = text
        self.side = side

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.text, self.game._identity) == (other.text, other.game._identity)

    def __hash__(self) -> int:
        return hash((self.text, self.game.spec))

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.game, self.text, self.side)

    def __repr__(self) -> str:
        return f"<Position {self.text} of {self.game.spec}>"

    def __str__(self) -> str:
        return self.game._letters(self)

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """The value of the position and of all its moves, with the names that
        ``tesuji probe --json`` has.

        Raises:
            SizeError: no table was given, and the game is too large to be solved on the way.
        """
        return self.game._native.evaluate(self.text)

    @property
    def value(self) -> Value:
        """What the position is worth to the side to move.

        Raises:
            UnsupportedError: the game has hidden information; see :attr:`evaluation`.
        """
        return Value.of(self._with("outcome", "value"))

    @property
    def moves(self) -> list[Move]:
        """The legal moves with their values, best first.

        Raises:
            UnsupportedError: the game has hidden information; see :attr:`evaluation`.
        """
        found = self._with("moves", "moves")["moves"]
        return [Move(move["move"], Value.of(move)) for move in found]

    @property
    def line(self) -> list[str]:
        """The main line; empty if there is none."""
        return list(self.evaluation.get("line", []))

    @property
    def uniqueness(self) -> str | None:
        """``onlyWin``, ``onlyShortest``, ``onlyDraw``, ``onlyLongest`` or ``multiple``; ``None``
        for games without a table."""
        return cast("str | None", self.evaluation.get("uniqueness"))

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves in the game's order. Nothing is solved for it."""
        return self.game._native.legal_moves(self.text)

    def play(self, move: str | Move) -> Position | Outcome:
        """The position after a legal move, or, if the move ends the game, the outcome for the
        side that moved.

        Raises:
            NotationError: the text is not a move, or not a legal one.
        """
        name = move.name if isinstance(move, Move) else text_of("move", move)
        text, over = self.game._native.play(self.text, name)
        return Outcome(over) if text is None else self.game.position(text)

    def solution(self, *, nodes: int | None = None) -> Solution:
        """The solution: key, variations, duals, tries, set play.

        Args:
            nodes: turns of the attacker in the tree at most; a longer tree is cut, but for its main line.
        """
        most = None if nodes is None else whole("nodes", nodes, 1, MOST)
        return Solution(self, *self.game._native.solution(self.text, most), most)

    def check(self, stipulation: str | None = None) -> Verdict:
        """Judges the position as a problem.

        Args:
            stipulation: what the solver is asked to do, such as ``win in 9``; by default
                what the position is worth, or with hidden information the fewest plies.
        """
        asked = None if stipulation is None else text_of("stipulation", stipulation)
        return Verdict(self, self.game._native.check(self.text, asked))

    def svg(
        self,
        *,
        arrows: Sequence[str] = (),
        highlight: Sequence[str] = (),
        number: int | None = None,
        stipulation: str | None = None,
        captions: str | Sequence[str] = (),
        style: str | os.PathLike[str] = "print",
    ) -> Picture:
        """A picture of the position.

        Args:
            arrows: legal moves to show.
            highlight: squares to highlight, such as ``c3``.
            number: the number of the diagram.
            stipulation: under the board.
            captions: lines of text under the board.
            style: ``print``, ``screen``, ``dark``, or a style sheet, ``FILE.toml``.

        Raises:
            NotationError: an arrow is not a legal move.
            ArgumentError: there is no such square or style.
        """
        own = self.game._picture(self)
        if own is not None:
            return own
        self._check_board()
        looks = look(style=style, number=number, stipulation=stipulation, captions=captions)
        shown = texts("arrows", arrows), texts("highlight", highlight)
        return Picture(self.game._native.board_svg(self.text, *shown, looks))

    def strip(
        self,
        moves: Sequence[str] | None = None,
        *,
        columns: int = 4,
        animated: bool = False,
        caption: str = "",
        style: str | os.PathLike[str] = "print",
    ) -> Picture:
        """A line of play as boards side by side, or in motion.

        Args:
            moves: the line; by default the main line.
            columns: boards in a row.
            animated: one board on which the moves are played.
            caption: above the boards.
            style: ``print``, ``screen``, ``dark``, or a style sheet, ``FILE.toml``.

        Raises:
            NotationError: a move is not legal where it stands.
        """
        self._check_board()
        line = self.line if moves is None else texts("moves", moves)
        looks = look(style=style, captions=[caption] if caption else [])
        across = whole("columns", columns, 1, 50)
        return Picture(self.game._native.line_svg(self.text, line, across, animated, looks))

    def _repr_svg_(self) -> str | None:
        return str(self.svg()) if self.game._drawn else None

    def _with(self, name: str, what: str) -> dict[str, Any]:
        """The evaluation, if it has this name."""
        if name in self.evaluation:
            return self.evaluation
        raise UnsupportedError(f"{self.game.spec} has hidden information: a position has no {what}; evaluation says what was found")

    def _check_board(self) -> None:
        if not self.game._boards:
            raise UnsupportedError(f"{self.game.spec} has no board: give its rules size (columns, rows), or svg(state)")


def asked(positions: Asked) -> list[str | int]:
    """What is asked about, as the native part takes it."""
    found: list[str | int] = []
    values = listed(positions)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"positions is a list of positions, not {type(positions).__name__}")
    for number, position in enumerate(values, 1):
        if isinstance(position, dict) and len(position) == 1:
            (position,) = position.values()  # The rows of a table with one column.
        if isinstance(position, Position):
            position = position.text
        if isinstance(position, str):
            found.append(position)
        elif hasattr(position, "__index__") and not isinstance(position, bool):
            found.append(whole(f"position {number}", position, 0, 2**63))
        else:
            raise TypeError(f"position {number} is a {type(position).__name__}; give texts, positions or numbers of slots")
    return found
