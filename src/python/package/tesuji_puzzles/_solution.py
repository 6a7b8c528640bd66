"""Solutions and verdicts."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Any

from ._pictures import Picture, look
from ._values import Value

if TYPE_CHECKING:
    from ._position import Position


class Solution:
    """The solution of a position, in the terms of composers.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    >>> solution = game.position("4/2b1/obwb/w2w b -").solution()
    >>> solution.key, solution.soundness, solution.line
    ('c3D', 'dualFreeLine', ['c3D', 'a2U', 'c2D', 'd1U', 'c1L', 'a1U', 'b2L'])

    Attributes:
        data: all of it, with the names that ``tesuji solution --json`` has.
        text: the solution as composers write it.
        key: the best move; of several, the first in the game's order.
        line: the main line; empty for games with hidden information.
        soundness: ``cooked``, ``uniqueShortestKey``, ``dualFreeLine`` or ``dualFreeTree``; ``None`` for
            games with hidden information.
        value: what the position is worth; ``None`` for games with hidden information.
    """

    def __init__(self, position: Position, data: dict[str, Any], text: str, nodes: int | None) -> None:
        self.position = position
        self.data = data
        self.text = text
        self._nodes = nodes
        self.key: str | None = data.get("key")
        self.line: list[str] = data.get("line", [])
        self.soundness: str | None = data.get("soundness")
        self.value = Value.of(data["value"]) if data.get("value") else None

    def svg(self, *, boards: bool = False, style: str | os.PathLike[str] = "print") -> Picture:
        """The solution as a tree.

        Args:
            boards: draw a small board where a variation ends.
            style: ``print``, ``screen``, ``dark``, or a style sheet, ``FILE.toml``.
        """
        native, text = self.position.game._native, self.position.text
        return Picture(native.solution_svg(text, boards, look(style=style), self._nodes))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Solution of {self.position.text}: {' '.join(self.line) or self.key}>"

    def _repr_html_(self) -> str:
        line = self.line
        picture = self.position.strip(line[:8]) if line and self.position.game._boards else ""
        return f"<div>{picture}</div><pre>{escape(self.text)}</pre>"


class Verdict:
    """The verdict on a problem.

    >>> import tesuji_puzzles as tesuji
    >>> game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    >>> verdict = game.position("4/2b1/obwb/w2w b -").check()
    >>> verdict.sound, verdict.stipulation
    (True, 'win in 7')

    Attributes:
        data: all of it, with the names that ``tesuji check --json`` has.
        sound: whether nothing is wrong.
        faults: what is wrong: ``other outcome``, ``distance mismatch``, ``other number of fouls``, ``cooked``.
        stipulation: what the solver is asked to do.
        themes: the themes of the problem; none of one with hidden information.
        score: points for quality, 0 to 100; ``None`` for a problem with hidden information.
    """

    def __init__(self, position: Position, data: dict[str, Any]) -> None:
        self.position = position
        self.data = data
        self.sound: bool = data["sound"]
        self.faults: list[str] = data["faults"]
        self.stipulation: str = data["stipulation"]
        self.themes: list[str] = data.get("themes", [])
        self.score: int | None = data.get("score", {}).get("total")

    def __str__(self) -> str:
        faults = "sound" if self.sound else ", ".join(self.faults)
        themes = f"; {', '.join(self.themes)}" if self.themes else ""
        score = "" if self.score is None else f", score {self.score}"
        return f"{self.stipulation}: {faults}{score}{themes}"

    def __repr__(self) -> str:
        return f"<Verdict on {self.position.text}: {self}>"
