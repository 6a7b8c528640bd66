"""Values of positions and moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Outcome(str, Enum):
    """How a game ends, for the side that the value is of.

    >>> Outcome.WIN == "win", str(Outcome.DRAW)
    (True, 'draw')
    """

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    __str__ = str.__str__

    def __repr__(self) -> str:
        return f"Outcome.{self.name}"


@dataclass(frozen=True)
class Question:
    """What a program that plays a game is asked in a state.

    Attributes:
        number: of the state, as ``tesuji formula`` numbers it.
        position: the state in the game's notation.
        legal: the numbers of the legal moves.
        best: those of them that are right; every answer if the puzzle is finished.
    """

    number: int
    position: str
    legal: tuple[int, ...]
    best: tuple[int, ...]


@dataclass(frozen=True)
class Value:
    """What a position or a move is worth under best play.

    >>> print(Value(Outcome.WIN, plies=9))
    win in 9

    Attributes:
        outcome: for the side to move; of a move, for the side that moves.
        plies: to the end of the game, of a move the move included; ``None`` for a draw, and
            for games with nimbers.
        nimber: of games with nimbers: that of the position, of a move that of what it
            leaves; otherwise ``None``.
    """

    outcome: Outcome
    plies: int | None = None
    nimber: int | None = None

    def __str__(self) -> str:
        if self.plies is not None:
            return f"{self.outcome} in {self.plies}"
        if self.nimber is not None:
            return f"{self.outcome}, nimber {self.nimber}"
        return str(self.outcome)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Value:
        """The value in an answer of the library."""
        return cls(Outcome(data["outcome"]), data.get("plies"), data.get("nimber"))


@dataclass(frozen=True)
class Move:
    """A legal move with its value for the side that moves.

    >>> print(Move("c3U", Value(Outcome.WIN, 9)))
    c3U: win in 9
    """

    name: str
    value: Value

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
