"""Games of one's own."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, cast, overload

from . import _native
from ._arguments import memory_of, path_of, text_of
from ._errors import RulesError
from ._game import Game
from ._pictures import Picture
from ._position import Position
from ._values import Outcome

S = TypeVar("S")
M = TypeVar("M")


class Rules(Protocol[S, M]):
    """What rules must have. States and moves may be anything.

    Two players move in turn. Besides these methods, rules may have

    - ``name(state, move) -> str``: how a move is written (by default ``str(move)``), one name for
      each move of a state;
    - ``side(state) -> int``: 0 if the side that begins is to move, otherwise 1; by default
      every other ply, and if one key is reached with either side to move, all sides are
      called ``Next player``;
    - ``stage(state) -> int``: a number that no move decreases, such as the men on a board on
      which men only appear; stages are solved one by one, with less memory;
    - ``features(state) -> dict[str, bool | int | str | None]``: columns for conditions, the same ones
      in every state;
    - ``svg(state) -> str``: a picture;
    - ``sides = ("Black", "White")``: the names of the sides, the one that begins first;
    - ``size = (columns, rows)``: keys begin with the board, its rows from the top with ``/``
      between them, one letter a square, ``.`` for an empty one. Positions are then drawn,
      puzzles too, and go into books; moves that name squares (``a1`` is the lower left one)
      become arrows;
    - ``pieces = {"b": "black man", "w": "white man"}``: what the letters are; words that begin
      with the name of a side belong to it.
    """

    def initial(self) -> S:
        """The state in which the game begins."""

    def moves(self, state: S, /) -> Iterable[M]:
        """The legal moves, always in the same order, at least one and at most 254."""

    def play(self, state: S, move: M, /) -> S | Outcome:
        """The next state, or how the game ends for the side that moved."""

    def key(self, state: S, /) -> str:
        """The notation of a state in one line. States of one key are the same position, with
        the same side to move; ``initial`` is no key; a key that symmetric states share makes the game smaller. States
        that are equal have one key, and those that are numbers, texts or tuples are not asked
        for it again."""


class ArrayRules(Protocol):
    """Rules that tell the moves of many states at once, in arrays of numpy, many times as fast
    as one by one. A state is a number below 2**64.

    Arrays may also be of pyarrow, polars or lists. Besides these methods, rules may have

    - ``canonical(states) -> states``: of each state the one that stands for all symmetric ones;
    - ``key(state) -> str`` and ``parse(text) -> int``: how a position is written and read, by
      default as the number. They are asked where a position is shown, and must not ask tesuji themselves;
    - ``name(move) -> str``: how a move is written, by default as the number that ``expand`` gives
      it;
    - ``side(states)``, ``stage(states)`` and ``features(states)``: as in :class:`Rules`, with an array
      for many states; features are whole numbers or flags;
    - ``sides``, ``size``, ``pieces`` and ``svg(state)``: as in :class:`Rules`.

    >>> import numpy as np
    >>> class Nim:
    ...     "Take 1 to 3 of 10; who takes the last one wins. A state is what is left."
    ...     def initial(self): return 10
    ...     def expand(self, states):
    ...         place, take = np.nonzero(states[:, None] >= np.arange(1, 4, dtype=np.uint64))
    ...         left = states[place] - (take + 1).astype(np.uint64)
    ...         return place, left, left == 0, take + 1
    >>> game = from_rules(Nim())
    >>> len(game), str(game.position().value), game.position("9").moves[0].name
    (10, 'win in 5', '1')
    """

    def initial(self) -> Any:
        """The state in which the game begins, or several, the first of them."""

    def expand(self, states: Any, /) -> tuple[Any, ...]:
        """All moves of these states, an array ``uint64``: ``(place, child, over)``, one number each
        for each move.

        ``place`` is where in ``states`` the state of the move is, in ascending order, each at
        least once and at most 254 times; ``child`` the next state; ``over`` is 0 where play
        goes on, otherwise 1, -1 or 2: the side that moved wins, loses or draws, and ``child`` does
        not matter.

        A fourth array may give each move a number below 2**64, for its name. Without it, moves are
        called by where they lead, and those of a state that lead to one position are one move.
        """


class OwnGame(Game, Generic[S, M]):
    """A game with rules in Python. :func:`from_rules` makes one.

    Attributes:
        rules: the rules.
    """

    def __init__(
        self,
        rules: Rules[S, M] | ArrayRules,
        native: _native.Game,
        positions: _native.Positions,
        limits: tuple[str | None, int | None],
    ) -> None:
        super().__init__(native, boards=getattr(rules, "size", None) is not None)
        self._svg = getattr(rules, "svg", None)
        self._drawn = self._boards or self._svg is not None
        self.rules = rules
        #: The file of its table, and the bytes that it may take.
        self._limits = limits
        self._positions = positions

    @cached_property
    def _identity(self) -> object:
        return self.spec, self._positions.digest()

    def __reduce__(self) -> tuple[Any, ...]:
        return _relisted, (self._identity, self.rules, self._limits)

    def __len__(self) -> int:
        """The number of positions."""
        return len(self._positions)

    def state(self, position: str | Position) -> S:
        """The state of a position, as the rules know it, found by playing to it.

        Raises:
            NotationError: play cannot reach such a position.
        """
        text = position.text if isinstance(position, Position) else self.position(position).text
        path, number = self._positions.path(text)
        rules: Any = self.rules
        state: Any = number if callable(getattr(rules, "expand", None)) else rules.initial()
        for place in path:
            move = list(rules.moves(state))[place]
            after = rules.play(state, move)
            if isinstance(after, Outcome):
                raise RulesError(f"play() ends the game on the way to '{text}', where it did not before")
            state = after
        return cast(S, state)

    def _picture(self, position: Position) -> Picture | None:
        if self._svg is None:
            return None
        svg = self._svg(self.state(position))
        if not isinstance(svg, str):
            raise RulesError(f"svg() gives no str in '{position.text}'")
        return Picture(svg)

    def _letters(self, position: Position) -> str:
        if not self._boards:
            return position.text
        columns, height = getattr(self.rules, "size")
        letters = self._board(position.text).split("/")
        rows = (f"{height - place:3} {' '.join(row)}" for place, row in enumerate(letters))
        return "\n".join([*rows, "    " + " ".join("abcdefghijklmnopqrstuvwxyz"[:columns])])

    def _board(self, text: str) -> str:
        columns, height = getattr(self.rules, "size", (0, 1))
        return text[: height * (columns + 1) - 1]


@overload
def from_rules(
    rules: Rules[S, M],
    name: str | None = None,
    *,
    table: str | os.PathLike[str] | None = None,
    memory: int | None = None,
) -> OwnGame[S, M]: ...


@overload
def from_rules(
    rules: ArrayRules,
    name: str | None = None,
    *,
    table: str | os.PathLike[str] | None = None,
    memory: int | None = None,
) -> OwnGame[int, int]: ...


def from_rules(
    rules: Any,
    name: str | None = None,
    *,
    table: str | os.PathLike[str] | None = None,
    memory: int | None = None,
) -> OwnGame[Any, Any]:
    """Opens a game with rules in Python, after listing all positions that play can reach.

    Listing asks the rules for every move of every position, once; solving, mining and
    drawing ask them nothing. It stops as soon as the positions found need more memory than
    allowed.

    Args:
        rules: an object with the methods of :class:`Rules` or of :class:`ArrayRules`.
        name: the game's spec (by default the name of the class, in small letters).
        table: the file of its table, which :meth:`Game.solve` wrote.
        memory: bytes that the positions may take once solved (by default four fifths of
            what is free).

    Raises:
        RulesError: the rules contradict themselves, or raised an exception, which is the
            cause.
        SizeError: the positions take more memory than allowed.
        TableError: the table is of other rules.

    >>> class Nim:
    ...     "Take 1 to 3 of 10; who takes the last one wins."
    ...     def initial(self): return 10
    ...     def moves(self, n): return range(1, min(n, 3) + 1)
    ...     def play(self, n, take): return n - take or Outcome.WIN
    ...     def key(self, n): return str(n)
    >>> game = from_rules(Nim())
    >>> len(game), str(game.position().value), game.position().moves[0].name
    (10, 'win in 5', '2')
    >>> [row["position"] for row in game.mine("outcome = 'loss'")]
    ['8', '4']
    """
    spec = type(rules).__name__.lower() if name is None else text_of("name", name)
    if not spec or not spec.isascii() or not spec.replace("-", "").replace("_", "").isalnum():
        raise RulesError(f"name: {spec[:60]!r} is no name of a game; use letters, digits, - and _")
    file = None if table is None else path_of(table)
    bound = memory_of(memory)
    native, positions = _native.list_rules(rules, spec, bound, file)
    return OwnGame(rules, native, positions, (file, bound))


class Told:
    """Rules whose exceptions tell where they were raised. Moves without a name have their own."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def has(self, method: str) -> bool:
        return callable(getattr(self.rules, method, None))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.rules, name, None)
        if found is None and name in (("initial",) if self.has("expand") else ("initial", "moves", "play", "key")):
            raise RulesError(f"the rules have no method {name}()")
        if found is None and name == "name":
            found = lambda *asked: asked[-1]  # noqa: E731
        if not callable(found):
            return found

        def ask(*arguments: Any) -> Any:
            try:
                answer = found(*arguments)
                return list(answer) if name == "moves" else str(answer) if name == "name" else answer
            except RulesError:
                raise
            except Exception as error:
                where = " for " + ", ".join(f"{argument!r:.80}" for argument in arguments) if arguments else ""
                raise RulesError(f"{name}() raised {error!r:.200}{where}") from error

        return ask


#: Games of pickles, the latest last.
_LISTED: dict[object, OwnGame[Any, Any]] = {}


def _relisted(identity: tuple[str, int], rules: Any, limits: tuple[str | None, int | None]) -> OwnGame[Any, Any]:
    """The game of a pickle: one for all pickles of it, so that it is listed once in a process."""
    game = _LISTED.pop(identity, None)
    if game is None:
        file, bound = limits
        game = from_rules(rules, identity[0], table=file, memory=bound)
        if game._identity != identity:
            raise RulesError(f"{identity[0]}: the rules have other moves than when the game was pickled")
    _LISTED[identity] = game
    if len(_LISTED) > 8:
        del _LISTED[next(iter(_LISTED))]
    return game
