"""Rules made by chance: listed and solved as by a plain solver, or refused by an exception."""

import os
import random
from typing import Any

import pytest

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

#: More cases than in the normal run, as for the other tests of faults.
TIMES = int(os.environ.get("TESUJI_FAULTS", "1"))

#: What may be raised. ``UnicodeError`` is a ``ValueError``, and so is ``RulesError``.
FINE = (TypeError, ValueError, OSError, KeyError, IndexError, OverflowError)

#: What a method of rules may give that is none of the things expected.
ODD: list[Any] = [
    None,
    "",
    "\0",
    "\ud800",
    " x",
    "b" * 10_000,
    "🦀",
    b"x",
    -1,
    2**32,
    2**70,
    1.5,
    float("nan"),
    True,
    Outcome.WIN,
    [],
    [None],
    [[]],
    {},
    {"": 1},
    {"plies": 1},
    {"n_of_own": 2**40},
    {1: 2},
    object(),
    NotImplemented,
    ZeroDivisionError,
]


class Graph:
    """A game on a random graph: from each vertex lead moves to others, or to an end."""

    def __init__(self, chance: random.Random) -> None:
        count = chance.randint(1, 30)
        ends = [Outcome.WIN, Outcome.LOSS, Outcome.DRAW]
        self.targets = [
            [
                chance.choice(ends) if chance.random() < 0.3 else chance.randrange(count)
                for _ in range(chance.randint(1, 4))
            ]
            for _ in range(count)
        ]

    def initial(self) -> Any:
        return 0

    def moves(self, state: Any) -> Any:
        return range(len(self.targets[state]))

    def play(self, state: Any, move: Any) -> Any:
        return self.targets[state][move]

    def key(self, state: Any) -> Any:
        return f"v{state}"


def solved(targets: list[list[Any]]) -> list[tuple[str, int | None]]:
    """The values of all vertices, a ply more in each pass."""
    values: list[tuple[str, int | None]] = [("draw", None)] * len(targets)
    ends = {Outcome.WIN: ("loss", 0), Outcome.LOSS: ("win", 0), Outcome.DRAW: ("draw", None)}
    for ply in range(1, 2 * len(targets) + 2):
        before = list(values)
        for vertex, moves in enumerate(targets):
            if before[vertex][1] is not None:
                continue
            # What the other side has afterwards.
            after = [ends[end] if isinstance(end, Outcome) else before[end] for end in moves]
            if any(outcome == "loss" for outcome, _ in after):
                values[vertex] = ("win", ply)
            elif all(outcome == "win" for outcome, _ in after):
                values[vertex] = ("loss", ply)
    return values


@pytest.mark.parametrize("seed", range(60 * TIMES))
def test_a_random_game_is_solved_as_by_a_plain_solver(seed: int) -> None:
    rules = Graph(random.Random(seed))
    game = tesuji.from_rules(rules)
    values = solved(rules.targets)
    seen, waiting = {0}, [0]
    while waiting:
        for target in rules.targets[waiting.pop()]:
            if not isinstance(target, Outcome) and target not in seen:
                seen.add(target)
                waiting.append(target)
    assert len(game) == len(seen)
    keys = [f"v{vertex}" for vertex in sorted(seen)]
    found = game.evaluate(keys)
    expected = [values[vertex] for vertex in sorted(seen)]
    assert list(zip(found["outcome"], found["plies"], strict=True)) == expected


@pytest.mark.parametrize("seed", range(300 * TIMES))
def test_rules_that_give_something_odd_are_refused_or_harmless(seed: int) -> None:
    chance = random.Random(seed)
    rules: Any = Graph(chance)
    odd = chance.choice(ODD)
    method = chance.choice(
        ["initial", "moves", "play", "key", "name", "side", "stage", "features", "sides", "size", "pieces"]
    )
    if method in ("sides", "size", "pieces"):
        setattr(rules, method, odd)
        if method == "pieces":
            rules.size = (3, 3)
    else:
        plain = getattr(rules, method, lambda *_: {"features": {}}.get(method, 0))
        right = chance.randint(0, 5)
        calls = iter(range(10**9))

        def strange(*given: Any) -> Any:
            if next(calls) < right:
                return plain(*given)
            if odd is ZeroDivisionError:
                raise odd("odd")
            return odd

        setattr(rules, method, strange)
    try:
        game = tesuji.from_rules(rules)
        game.evaluate([game.position().text])
        game.mine("plies >= 0", limit=2)
    except FINE as error:
        assert str(error)
