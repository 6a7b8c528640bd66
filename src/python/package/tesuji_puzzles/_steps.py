"""The rules by slot: what a solver of one's own asks."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from ._arguments import library, path_of, whole
from ._frame import Frame
from ._position import Asked, asked

if TYPE_CHECKING:
    from ._game import Game

VACANT = -(2**15)  #: stands in arrays of values where a slot has no position
NO_MOVE = 255  #: stands in arrays of moves where several moves are best
#: Gives the best values, the second values and the only best moves of a range of slots.
Records = Callable[[int, int], tuple[Any, Any, Any]]


class Layer(NamedTuple):
    """A layer of a table, such as all positions with the same material: its name, its first slot and the
    slot after its last one. Layers of one group depend on each other; groups depend on those before."""

    name: str
    first: int
    end: int
    group: int


class Steps:
    """The rules of a game by slot, for solvers and searches of one's own: :attr:`Game.steps` makes
    one. Slots are the numbers of positions; positions that are images of each other share one.

    Slots are given as an array of NumPy, an Arrow array, or any integers. Answers are frames, made on
    all threads. Under the reading ``all-images``, of moves that are forbidden together one counts.

    >>> import tesuji_puzzles as tesuji
    >>> steps = tesuji.open("tictactoe").steps
    >>> steps.layers()[0]
    Layer(name='4-5', first=0, end=23, group=0)
    >>> slot = steps.rank(["initial"])[0]
    >>> steps.degrees([slot])[0]
    {'slot': 1202, 'open': 0, 'numbers': 0, 'leaving': 9, 'over': None, 'symmetric': True}
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def layers(self) -> list[Layer]:
        """The layers of the table, in the order in which they can be solved."""
        return [Layer(*layer) for layer in _native.layers(self._game._native)]

    def rank(self, positions: Asked) -> list[int]:
        """The slot of each position.

        Raises:
            NotationError: a text is not a position.
        """
        return [slot for slot, _ in _native.places(self._game._native, asked(positions))]

    def unrank(self, slots: Asked) -> list[str]:
        """The position of each slot.

        Raises:
            NotationError: a slot holds no position.
        """
        return [text for _, text in _native.places(self._game._native, asked(slots))]

    def degrees(self, slots: Any) -> Frame:
        """A row for each slot: ``slot``; ``open``, the number of moves that stay in the group of
        layers, and ``numbers``, the exclusive or of their numbers; ``leaving``, the number of moves to
        an earlier group; ``over``, the best result of the moves that end the game, for the side that
        moves (1, 0 or -1); ``symmetric``, whether the position has a symmetry of its own. All but
        ``slot`` are ``None`` if the slot holds no position of an unfinished game.

        Where a position is symmetric, its moves and the un-moves that lead to it do not correspond
        one to one: ask for its successors.
        """
        return self._relation("degrees", slots)

    def successors(self, slots: Any) -> Frame:
        """A row for each move: ``row``, the place of its slot among ``slots``; ``number``; ``child``,
        the slot that it leads to, or ``None`` and ``over`` the result (1, 0 or -1 for the side that
        moves); ``within``, whether it stays in the group; ``undo``, the number of the child's move
        that takes it back, which the repetition rule may forbid; ``symmetric``, of the child.
        """
        return self._relation("successors", slots)

    def predecessors(self, slots: Any) -> Frame:
        """A row for each un-move to a position of the same group: ``row``; ``parent``, its slot;
        ``number``, of the parent's move; ``undo``, the number of the move from here that takes that
        move back; ``symmetric``, of the parent.
        """
        return self._relation("predecessors", slots)

    def _relation(self, name: str, slots: Any) -> Frame:
        return Frame(_native.relation(self._game._native, name, _bytes("slots", "Q", slots)))

    def table_from(self, path: str | os.PathLike[str], records: Records, *, force: bool = False) -> str:
        """Writes a table of values that were found elsewhere, and gives its fingerprint. The values
        are not held against the rules: ``tesuji verify`` does that.

        Args:
            path: the file, by convention ``NAME.tsj``.
            records: a function that is called with the first slot and the end of ranges, in any
                order and perhaps twice, and gives three arrays: the best value of each slot and the
                value without the only best move, as plies to the end of the game (``int16``: 7 is a
                win in 7 plies, -6 a loss in 6, 0 a draw, ``VACANT`` no position), and the number of
                that move (``uint8``: ``NO_MOVE`` if several moves are best). A move that ends the game
                or leaves the group of layers cannot be forbidden and counts as several: the second value
                then is the best one. Where the only best move is the only move, the second value is -1.
            force: replace an existing table.

        Raises:
            FileError: the file may not be written.
            AnswerError: arrays differ in length, or a value is too long.
            ArgumentError: a number does not fit.
        """

        def given(first: int, end: int) -> tuple[bytes, bytes, bytes]:
            best, second, only = records(first, end)
            return _bytes("best", "h", best), _bytes("second", "h", second), _bytes("only", "B", only)

        return _native.table_from(self._game._native, path_of(path), given, force)


#: The least and the greatest number of a kind of array, and the formats of buffers that are such
#: arrays already.
_KINDS = {"Q": (0, 2**64 - 1, "QLql"), "h": (-(2**15), 2**15 - 1, "h"), "B": (0, 255, "B")}


def _bytes(name: str, kind: str, values: Any) -> bytes:
    """Whole numbers as the bytes of an array of this kind."""
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        values = library("pyarrow", "Arrow arrays").chunked_array(values).to_numpy()
    least, most, formats = _KINDS[kind]
    try:
        view = memoryview(values)
        fits = view.ndim == 1 and view.itemsize == array(kind).itemsize and view.format in formats
        if fits and (kind != "Q" or view.format in "QL" or min(view, default=0) >= 0):
            return view.tobytes()
    except (TypeError, ValueError):
        pass  # It is no buffer, or one of dates, say.
    return array(kind, (whole(name, value, least, most) for value in values)).tobytes()
