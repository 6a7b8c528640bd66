"""A look at rules that one wrote oneself."""

from __future__ import annotations

import operator
import random
from collections import Counter
from typing import Any

from ._arguments import whole
from ._errors import RulesError
from ._rules import ArrayRules, Rules
from ._values import Outcome


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
    tesuji_puzzles._errors.RulesError: play() gives True in '0-4', move '(1, 4)'; give the next state, or an Outcome
    """
    count = whole("positions", positions, 1, 10**7)
    chance = random.Random(0)
    if callable(getattr(rules, "expand", None)):
        _check_arrays(rules, count, chance)
    else:
        _Replay(_Told(rules)).check(count, chance)


class _Told:
    """Rules whose exceptions tell where they were raised."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.rules, name, None)
        if found is None and name in ("initial", "moves", "play", "key"):
            raise RulesError(f"the rules have no method {name}()")
        if not callable(found):
            return found

        def ask(*arguments: Any) -> Any:
            try:
                answer = found(*arguments)
                return list(answer) if name == "moves" else answer
            except RulesError:
                raise
            except Exception as error:
                where = " for " + ", ".join(f"{argument!r:.80}" for argument in arguments) if arguments else ""
                raise RulesError(f"{name}() raised {error!r:.200}{where}") from error

        return ask


class _Replay:
    """Rules that tell the moves of one state at a time."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        #: By key: a state, where its moves lead whatever they are called, its side and stage.
        self.seen: dict[str, tuple[Any, Counter[str], int | None, int | None]] = {}
        self.keys: dict[Any, str] = {}

    def check(self, count: int, chance: random.Random) -> None:
        start = self.rules.initial()
        if isinstance(start, Outcome):
            raise RulesError("initial() is an outcome; it must be a state")
        near = [start]
        for state in near:
            if len(self.seen) >= count // 2:
                break
            known = len(self.seen)
            after = self.look(state)
            if len(self.seen) > known:
                near += after
        state = start
        for _ in range(count):
            after = self.look(state)
            state = chance.choice(after) if after else start

    def look(self, state: Any) -> list[Any]:
        """Checks a state, and gives the next ones."""
        key = self.key(state)
        side = self.whole("side", state, key, (0, 1))
        stage = self.whole("stage", state, key, range(2**32))
        moves, again = self.rules.moves(state), self.rules.moves(state)
        names, other = ([self.name(state, move) for move in given] for given in (moves, again))
        if names != other:
            raise RulesError(f"moves() gives {names} in '{key}', and {other} when asked again")
        if not moves:
            raise RulesError(f"there are no moves in '{key}'; let the move that leads there end the game")
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise RulesError(f"two moves have the name '{twice[0]}' in '{key}'; tell them apart with name(state, move)")
        after, leads = [], Counter[str]()
        for move, name in zip(moves, names, strict=True):
            there = f"in '{key}', move '{name}'"
            next_ = self.rules.play(state, move)
            if isinstance(next_, Outcome):
                leads[str(next_)] += 1
                continue
            if next_ is None or isinstance(next_, bool):
                raise RulesError(f"play() gives {next_} {there}; give the next state, or an Outcome")
            next_key = self.key(next_)
            if self.key(self.rules.play(state, move)) != next_key:
                raise RulesError(f"play() gives '{next_key}' {there}, and another position when asked again")
            if side is not None and self.whole("side", next_, next_key, (0, 1)) != 1 - side:
                raise RulesError(f"side() is {side} {there}, and again afterwards; let the other side pass in between")
            later = self.whole("stage", next_, next_key, range(2**32))
            if stage is not None and later is not None and later < stage:
                raise RulesError(f"stage() is {stage} {there}, and {later} afterwards; no move may decrease it")
            leads[f"'{next_key}'"] += 1
            after.append(next_)
        if self.key(state) != key:
            raise RulesError(f"play() changes its state: '{key}' has become '{self.key(state)}'; give a new one")
        before = self.seen.setdefault(key, (state, leads, side, stage))
        if before[1:] != (leads, side, stage):
            only = " ".join((leads - before[1]) | (before[1] - leads)) or "sides or stages differ"
            raise RulesError(
                f"the key '{key}' stands for two positions, {before[0]!r:.80} and {state!r:.80}: only one of them leads to {only}"
            )
        return after

    def key(self, state: Any) -> str:
        key = self.rules.key(state)
        if not isinstance(key, str):
            raise RulesError(f"key() gives {key!r:.60}, no str, for {state!r:.80}")
        if key.strip() in ("", "initial"):
            raise RulesError(f"key() gives {key!r} for {state!r:.80}, which stands for the first position; write it otherwise")
        if self.rules.key(state) != key:
            raise RulesError(f"key() gives '{key}' for {state!r:.80}, and '{self.rules.key(state)}' when asked again")
        try:
            known = self.keys.setdefault(state, key)
        except TypeError:
            return key
        if known != key:
            raise RulesError(f"equal states have two keys, '{known}' and '{key}'; tell the states apart with __eq__")
        return key

    def whole(self, method: str, state: Any, key: str, among: Any) -> int | None:
        ask = getattr(self.rules, method, None)
        if not callable(ask):
            return None
        given = ask(state)
        try:
            found = operator.index(given)
        except TypeError:
            found = -1
        if found not in among:
            raise RulesError(f"{method}() gives {given!r:.60} in '{key}'")
        return found

    def name(self, state: Any, move: Any) -> str:
        ask = getattr(self.rules, "name", None)
        named = ask(state, move) if callable(ask) else move
        try:
            return str(named)
        except Exception as error:
            raise RulesError(f"the name of a move cannot be written for {state!r:.80}: {error!r:.200}") from error


def _check_arrays(rules: Any, count: int, chance: random.Random) -> None:
    """Rules that expand arrays: whatever stands beside a state, its moves are the same."""
    from ._arrays import Arrays, numpy

    arrays = Arrays(rules)

    def array(states: list[int]) -> Any:
        return numpy.array(states, dtype=numpy.uint64)

    def expanded(states: list[int]) -> list[list[tuple[int, int, int]]]:
        place, child, over, move = arrays.moves(array(states))
        if len(place) and (place[0] < 0 or place[-1] >= len(states) or (numpy.diff(place) < 0).any()):
            raise RulesError("expand() gives places that are not those of states in their array, in ascending order")
        child = numpy.where(over == 0, child, numpy.uint64(0))
        move = numpy.zeros_like(child) if move is None else move
        rows: list[list[tuple[int, int, int]]] = [[] for _ in states]
        for at, *row in zip(*(column.tolist() for column in (place, child, over, move)), strict=True):
            rows[at].append(tuple(row))
        return rows

    known = numpy.frombuffer(arrays.initial(), dtype=numpy.uint64).tolist()
    seen = set(known)
    done = 0
    texts: dict[str, int] = {}
    while done < len(known) and done < count:
        states = known[done : done + 256]
        done += len(states)
        rows = expanded(states)
        backwards = expanded(states[::-1])[::-1]
        for state, row, other in zip(states, rows, backwards, strict=True):
            text = arrays.key(state)
            if row != other:
                raise RulesError(f"expand() gives {text} other moves when other states stand beside it: {row} and {other}")
            if not row:
                raise RulesError(f"there are no moves in {text}; let the move that leads there end the game")
            if texts.setdefault(text, state) != state:
                raise RulesError(f"the key '{text}' stands for two states, {texts[text]} and {state}")
            arrays.written(state)
        if (arrays.canonical(array(states)) != array(states)).any():
            raise RulesError("canonical() changes states that it gave itself")
        after = [next_ for row in rows for next_, end, _ in row if not end]
        if arrays.has("side"):
            sides = arrays.side(array(states).tobytes())
            later = iter(arrays.side(array(after).tobytes()))
            for text, side, row in zip(map(arrays.key, states), sides, rows, strict=True):
                if any(next(later) == side for _, end, _ in row if not end):
                    raise RulesError(f"side() is {side} in {text}, and again after a move")
        new = sorted(set(after) - seen)
        chance.shuffle(new)
        seen.update(new)
        known += new
