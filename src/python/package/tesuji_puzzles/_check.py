"""A look at rules that one wrote oneself."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

from ._arguments import whole
from ._errors import RulesError
from ._rules import ArrayRules, Rules, Told, from_rules
from ._values import Outcome

#: Positions of one distance from the start that are looked at once there are enough near it.
FEW = 4


def check_rules(rules: Rules[Any, Any] | ArrayRules, *, positions: int = 2000) -> None:
    """Replays a sample of positions and looks for what :func:`from_rules` cannot see while it lists:
    one key for two positions, moves that change when they are asked for again, sides that do not
    alternate, answers that are no outcome and no state, arrays that depend on what stands beside.

    Args:
        rules: as :func:`from_rules` takes them.
        positions: how many are looked at: those near the start, and others deep in random games.

    Raises:
        RulesError: the first contradiction, with its example.

    >>> class Nim:
    ...     def initial(self): return (3, 4)
    ...     def moves(self, heaps): return [(i, n) for i in (0, 1) for n in range(1, heaps[i] + 1)]
    ...     def play(self, heaps, move):
    ...         left = [heap - move[1] * (i == move[0]) for i, heap in enumerate(heaps)]
    ...         return tuple(left) if any(left) else True
    ...     def key(self, heaps): return "-".join(map(str, heaps))
    >>> check_rules(Nim())
    Traceback (most recent call last):
    tesuji_puzzles._errors.RulesError: play() gives True in '0-4', move '(1, 4)'; give the next state, or Outcome.WIN, DRAW or LOSS for the side that moved
    """
    count = whole("positions", positions, 1, 10**7)
    sample: Any = _Arrays if callable(getattr(rules, "expand", None)) else _OneByOne
    from_rules(sample(rules, count), "sample")


class _Sample:
    """Rules that are asked twice, and of which some positions are listed: those near the start, then a few
    at each distance from it, as deep as play goes. Moves to others are drawn."""

    def __init__(self, rules: Any, count: int) -> None:
        self.rules, self.count, self.chance = Told(rules), count, random.Random(0)
        #: How far from the start positions are, and how many are as far.
        self.depths: dict[Any, int] = {}
        self.width = Counter[int]()
        #: By key, the first state that has it.
        self.seen: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def listed(self, before: Any, after: Any) -> bool:
        """Whether the position after a move is among those that are listed."""
        depth = self.depths.setdefault(before, 0) + 1
        if after not in self.depths:
            if len(self.depths) >= self.count or len(self.depths) >= self.count // 2 and self.width[depth] >= FEW:
                return False
            self.depths[after] = depth
            self.width[depth] += 1
        return True


class _OneByOne(_Sample):
    """Rules that tell the moves of one state at a time."""

    def __init__(self, rules: Any, count: int) -> None:
        super().__init__(rules, count)
        self.keys: dict[Any, str] = {}
        #: States that are yet to be compared with others of the same key.
        self.left = count

    def moves(self, state: Any) -> list[Any]:
        key = self.key(state)
        moves, again = self.rules.moves(state), self.rules.moves(state)
        names, other = ([self.rules.name(state, move) for move in given] for given in (moves, again))
        if names != other:
            raise RulesError(f"moves() gives {names} in '{key}', and {other} when asked again")
        if not moves:
            raise RulesError(f"there are no moves in '{key}'; let the move that leads there end the game")
        self.seen.setdefault(key, state)
        self.chance.shuffle(moves)
        return moves  # type: ignore[no-any-return]

    def play(self, state: Any, move: Any) -> Any:
        key, name = self.key(state), self.rules.name(state, move)
        after, again = self.rules.play(state, move), self.rules.play(state, move)
        if self.key(state) != key:
            raise RulesError(f"play() changes its state: '{key}' has become '{self.key(state)}'; give a new one")
        if after is None or isinstance(after, bool | Outcome):
            return after
        text = self.key(after)
        if isinstance(again, Outcome) or self.key(again) != text:
            raise RulesError(f"play() gives '{text}' in '{key}', move '{name}', and another position when asked again")
        before = self.seen.setdefault(text, after)
        if before is not after and before != after and self.left:
            self.left -= 1
            one, two = self.leads(before), self.leads(after)
            if one != two:
                only = " ".join((one - two) | (two - one))
                raise RulesError(
                    f"the key '{text}' stands for two positions, {before!r:.80} and {after!r:.80}: only one of them leads to {only}"
                )
        return after if self.listed(key, text) else Outcome.DRAW

    def leads(self, state: Any) -> Counter[str]:
        """Where the moves of a state lead, whatever they are called, and its stage."""
        after = [self.rules.play(state, move) for move in self.rules.moves(state)]
        found = Counter(str(next_) if isinstance(next_, Outcome) else f"'{self.key(next_)}'" for next_ in after)
        return found + Counter([f"stage {self.rules.stage(state)}"] if self.rules.stage else [])

    def key(self, state: Any) -> Any:
        key, again = self.rules.key(state), self.rules.key(state)
        if again != key:
            raise RulesError(f"key() gives '{key}' for {state!r:.80}, and '{again}' when asked again")
        try:
            known = self.keys.setdefault(state, key)
        except TypeError:
            return key
        if known != key:
            raise RulesError(f"equal states have two keys, '{known}' and '{key}'; tell the states apart with __eq__")
        return key


class _Arrays(_Sample):
    """Rules that expand arrays: whatever stands beside a state, its moves are the same."""

    def expand(self, states: Any) -> Any:
        from ._arrays import Arrays

        arrays = Arrays(self.rules)
        place, child, over, move = arrays.moves(states)
        rows, backwards = _rows(place, child, over, move), _rows(*arrays.moves(states[::-1]))
        for at, state in enumerate(states.tolist()):
            text, row, other = arrays.key(state), rows[at], backwards[len(states) - 1 - at]
            if row != other:
                raise RulesError(f"expand() gives {text} other moves when other states stand beside it: {row} and {other}")
            if self.seen.setdefault(text, state) != state:
                raise RulesError(f"the key '{text}' stands for two states, {self.seen[text]} and {state}")
            arrays.written(state)
            self.chance.shuffle(row)
            for next_, end, *_ in row:
                self.listed(state, next_)
        if (arrays.canonical(states) != states).any():
            raise RulesError("canonical() changes states that it gave itself")
        over = [end if end or next_ in self.depths else 2 for next_, end in zip(child.tolist(), over.tolist(), strict=True)]
        return (place, child, over) if move is None else (place, child, over, move)


def _rows(place: Any, *columns: Any) -> dict[int, list[tuple[int, ...]]]:
    """The moves of each state by its place."""
    rows: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for at, *row in zip(*(column.tolist() for column in (place, *columns) if column is not None), strict=True):
        rows[at].append(tuple(row))
    return rows
