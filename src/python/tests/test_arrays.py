"""Rules that expand arrays."""

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from breakthrough import Breakthrough  # noqa: E402


def test_breakthrough_has_the_positions_and_the_value_that_others_counted() -> None:
    # 670,966 positions by another program in numpy; by a recursion in plain Python, on positions
    # that also tell White from Black, whoever begins loses in 18.
    game = tesuji.from_rules(Breakthrough())
    assert len(game) == 670_966
    assert game.position().value == tesuji.Value(Outcome.LOSS, 18)
    # A state does not tell whose men they are.
    assert game.position().side == "Next player"
    assert len(game.position().legal_moves) == 7


class Heaps:
    """Nim with heaps in their places, four bits each; who takes the last match wins."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def initial(self) -> int:
        return sum(heap << 4 * place for place, heap in enumerate(self.heaps))

    def expand(self, states: Any) -> Any:
        rows = []
        for at, state in enumerate(states.tolist()):
            for place in range(len(self.heaps)):
                for take in range(1, (state >> 4 * place & 15) + 1):
                    left = state - (take << 4 * place)
                    rows.append((at, left, int(left == 0), place << 4 | take))
        place, child, over, move = zip(*rows)
        return pa.array(place), pl.Series(child, dtype=pl.UInt64), list(over), np.array(move)

    def key(self, state: int) -> str:
        return "-".join(str(state >> 4 * place & 15) for place in range(len(self.heaps)))

    def parse(self, text: str) -> int:
        return sum(int(heap) << 4 * place for place, heap in enumerate(text.split("-")))

    def name(self, move: int) -> str:
        return f"{'abcdef'[move >> 4]}{move & 15}"

    def stage(self, states: Any) -> Any:
        return [99 - sum(state >> 4 * place & 15 for place in range(6)) for state in states.tolist()]

    def features(self, states: Any) -> dict[str, Any]:
        return {"first_heap": states & 15, "has_first": (states & 15) > 0}


def test_names_keys_stages_and_columns_are_those_of_the_rules() -> None:
    game = tesuji.from_rules(Heaps(3, 5, 7))
    assert len(game) == 4 * 6 * 8 - 1
    assert game.position().side == "Next player"
    assert game.position().text == "3-5-7" and game.state("1-2-3") == 0x321
    found = pl.DataFrame(game.states(["outcome", "first_heap", "has_first", "position"]))
    for outcome, first, has, text in found.select("outcome", "first_heap", "has_first", "position").rows():
        heaps = [int(heap) for heap in text.split("-")]
        assert (outcome == "loss") == (heaps[0] ^ heaps[1] ^ heaps[2] == 0), text
        assert first == heaps[0] and has == (first > 0)
    after = game.position("3-5-7").play("c1")
    assert isinstance(after, tesuji.Position) and after.text == "3-5-6" and after.value.outcome == "loss"
    assert game.position("0-0-2").play("c2") is Outcome.WIN
    with pytest.raises(tesuji.NotationError, match="'3-5-7'"):
        game.position("9-9-9")
    with pytest.raises(tesuji.NotationError, match="invalid literal"):
        game.position("x")


class Graph:
    """A game on a random graph, with numbers that are far apart; expanded by arrays or one by one."""

    ENDS = {1: Outcome.WIN, -1: Outcome.LOSS, 2: Outcome.DRAW}

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        count = chance.randint(1, 400)
        self.numbers = [chance.getrandbits(64) for _ in range(count)]
        self.targets: dict[int, list[tuple[int, int]]] = {}
        for number in self.numbers:
            moves = [(chance.choice(self.numbers), 0) for _ in range(chance.randint(1, 4))]
            moves += [(7, chance.choice([1, -1, 2])) for _ in range(chance.randint(0, 1))]
            self.targets[number] = list(dict.fromkeys(moves))

    def initial(self) -> int:
        return self.numbers[0]

    def expand(self, states: Any) -> Any:
        rows = [(at, *row) for at, state in enumerate(states.tolist()) for row in self.targets[state]]
        place, child, over = zip(*rows)
        return np.array(place), np.array(child, dtype=np.uint64), np.array(over)


class OneByOne(Graph):
    expand = None

    def moves(self, state: int) -> range:
        return range(len(self.targets[state]))

    def play(self, state: int, move: int) -> int | Outcome:
        child, over = self.targets[state][move]
        return self.ENDS[over] if over else child

    def key(self, state: int) -> str:
        return str(state)


@pytest.mark.parametrize("seed", range(40))
def test_arrays_and_single_states_give_the_same_game(seed: int) -> None:
    arrays, single = tesuji.from_rules(Graph(seed)), tesuji.from_rules(OneByOne(seed))
    assert len(arrays) == len(single)
    slots = list(range(len(arrays)))
    texts = arrays.evaluate(slots)["position"]
    ours, theirs = arrays.evaluate(texts), single.evaluate(texts)
    for column in ("position", "outcome", "plies", "n_moves", "n_best", "side"):
        assert ours[column] == theirs[column]
    assert arrays.statistics()["layers"] == single.statistics()["layers"]


def test_several_beginnings_and_canonical_states() -> None:
    class Pile(Graph):
        def __init__(self) -> None:
            pass

        def initial(self) -> Any:
            return [9, 30]

        def expand(self, states: Any) -> Any:
            place = np.repeat(np.arange(len(states)), 2)
            child = states[place] - np.tile(np.array([1, 2], dtype=np.uint64), len(states))
            return place, child, np.where(child > 3, 0, 1)

        def canonical(self, states: Any) -> Any:
            return states & ~np.uint64(1)

    # 8, 6, 4 from 9, and those from 30 down.
    game = tesuji.from_rules(Pile())
    assert len(game) == 14 and game.position().text == "8"
    assert game.position("9") == game.position("8") != game.position("30")


def broken(**methods: Any) -> Any:
    return type("Broken", (Heaps,), methods)(2, 1)


def arrays(place: Any, child: Any, over: Any) -> Any:
    return {"expand": lambda self, states: (place, child, over)}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (broken(expand=lambda self, s: 5), "three arrays"),
        (broken(expand=lambda self, s: 1 / 0), "ZeroDivisionError"),
        (broken(**arrays([0], [0.5], [0])), "child is no array of whole numbers"),
        (broken(**arrays([[0]], [0], [0])), "in 2 dimensions"),
        (broken(**arrays([0], [1, 2], [0])), "2 numbers instead of 1"),
        (broken(**arrays([0], [-1], [0])), "not from 0 to"),
        (broken(**arrays([], [], [])), "no moves"),
        (broken(**arrays([1], [1], [0])), "no moves|places are"),
        (broken(**arrays([0, -1], [1, 1], [0, 0])), "places are those of states"),
        (broken(**arrays([0], [1], [3])), "3 in over"),
        (broken(**arrays([0] * 255, list(range(255)), [0] * 255)), "255 moves"),
        (broken(initial=lambda self: []), "no state"),
        (broken(initial=lambda self: "x"), "whole numbers"),
        (broken(parse=None), "no parse"),
        (broken(parse=lambda self, text: 0), "gives 0, not 18"),
        (broken(name=lambda self, move: "same"), "the name 'same'"),
        (broken(name=lambda self, move: ""), "one line"),
        (broken(stage=lambda self, s: s & 15), "smaller stage"),
        (broken(side=lambda self, s: s * 0), "same side"),
        (broken(side=lambda self, s: s), "neither 0 nor 1"),
        (broken(features=lambda self, s: {"plies": s}), "plies"),
        (broken(features=lambda self, s: {"x": s.astype(float)}), "whole numbers"),
        (broken(canonical=lambda self, s: s[:0]), "0 numbers instead of 1"),
    ],
)
def test_arrays_that_contradict_themselves(rules: Any, message: str) -> None:
    with pytest.raises(tesuji.RulesError, match=message):
        tesuji.from_rules(rules)


def test_memory_that_is_short_is_told_early() -> None:
    class Endless(Heaps):
        def expand(self, states: Any) -> Any:
            place = np.repeat(np.arange(len(states)), 2)
            child = states[place] * np.uint64(2) + np.tile(np.array([1, 2], dtype=np.uint64), len(states))
            return place, child, np.zeros(len(place), dtype=np.int8)

    with pytest.raises(tesuji.SizeError, match="positions up to now"):
        tesuji.from_rules(Endless(1), memory=5_000_000)
