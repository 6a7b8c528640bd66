"""How fast positions are evaluated, and how fast rules in Python are listed.

python rates.py [SPEC [TABLE]]: a game, and a raw table of it (made by 'tesuji solve SPEC --raw').
"""

import random
import resource
import sys
import time

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

COUNT = 100_000


class Heaps:
    """Nim with heaps in their places: a state is a tuple."""

    def initial(self) -> tuple[int, ...]:
        return (9, 9, 9, 9, 9)

    def moves(self, heaps: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(i, n) for i, heap in enumerate(heaps) for n in range(1, min(heap, 3) + 1)]

    def play(self, heaps: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...] | Outcome:
        i, n = move
        left = heaps[:i] + (heaps[i] - n,) + heaps[i + 1 :]
        return left if any(left) else Outcome.WIN

    def key(self, heaps: tuple[int, ...]) -> str:
        return "-".join(map(str, heaps))


def evaluate(spec: str, table: str | None) -> None:
    game = tesuji.open(spec, table=table)
    game.prepare()
    slots = []
    for frame in game.states([], position=True, sample=max(1, game.statistics()["positions"] // (3 * COUNT))):
        slots += frame["position"]
    random.seed(1)
    positions = random.sample(slots, COUNT) if len(slots) >= COUNT else random.choices(slots, k=COUNT)
    for name, ask in [("evaluate", game.evaluate), ("moves", game.moves)]:
        ask(positions)
        best = min(timed(lambda: ask(positions)) for _ in range(3))
        print(f"{name}: {COUNT / best:,.0f} positions a second, {len(ask(positions)):,} rows")


def own() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()
    game = tesuji.from_rules(Heaps())
    listed = time.perf_counter() - begun
    took = timed(game.prepare)
    used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    print(
        f"rules: {len(game):,} positions listed in {listed:.1f} s ({len(game) / listed:,.0f} a second), "
        f"solved in {took:.1f} s, {used / len(game):,.0f} bytes a position"
    )


def timed(call) -> float:  # type: ignore[no-untyped-def]
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


if __name__ == "__main__":
    own()
    arguments = sys.argv[1:] or ["ostle:4x4,pieces=4,losses=2"]
    evaluate(arguments[0], arguments[1] if len(arguments) > 1 else None)
