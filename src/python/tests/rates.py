"""How fast positions are evaluated, and how fast rules in Python are listed.

python rates.py [SPEC [TABLE]]: a game, and a raw table of it (made by 'tesuji solve SPEC --raw').
"""

import random
import resource
import sys
import time
from array import array
from pathlib import Path

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from breakthrough import Breakthrough  # noqa: E402

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


def own(rules: object) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, busy = time.perf_counter(), time.process_time()
    game = tesuji.from_rules(rules)  # type: ignore[arg-type, var-annotated]
    listed, busy = time.perf_counter() - begun, time.process_time() - busy
    took = timed(game.prepare)
    used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    print(
        f"{game.spec}: {len(game):,} positions listed in {listed:.1f} s ({len(game) / listed:,.0f} a second; "
        f"{busy:.1f} s of processor time), solved in {took:.1f} s, {used / len(game):,.0f} bytes a position"
    )


def plain_set() -> None:
    """What a loop in Python takes that keeps a set."""
    rules = Heaps()
    begun, busy = time.perf_counter(), time.process_time()
    waiting = [rules.initial()]
    seen = set(waiting)
    for state in waiting:
        for move in rules.moves(state):
            after = rules.play(state, move)
            if not isinstance(after, Outcome) and after not in seen:
                seen.add(after)
                waiting.append(after)
    took, busy = time.perf_counter() - begun, time.process_time() - busy
    print(f"a set: {len(seen):,} positions in {took:.1f} s ({len(seen) / took:,.0f} a second; {busy:.1f} s of processor time)")


def plain_listing() -> None:
    """What the same loop takes that also keeps what a game needs: keys, and where moves lead."""
    rules = Heaps()
    busy = time.process_time()
    numbers: dict[object, int] = {rules.initial(): 0} | {over: -1 for over in Outcome}
    waiting, keys = [rules.initial()], {rules.key(rules.initial()): 0}
    names: dict[object, int] = {}
    graph = array("q")
    for state in waiting:
        moves = rules.moves(state)
        for move in moves:
            after = rules.play(state, move)
            if after not in numbers:
                number = keys.setdefault(rules.key(after), len(keys))
                if number == len(waiting):
                    waiting.append(after)
                numbers[after] = number
            graph.append(numbers[after])
        names.setdefault(tuple(moves), len(names))
    print(f"a list in Python: {len(keys):,} positions, {time.process_time() - busy:.1f} s of processor time")


def timed(call) -> float:  # type: ignore[no-untyped-def]
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


if __name__ == "__main__":
    own(Heaps())
    plain_set()
    plain_listing()
    own(Breakthrough())
    arguments = sys.argv[1:] or ["ostle:4x4,pieces=4,losses=2"]
    evaluate(arguments[0], arguments[1] if len(arguments) > 1 else None)
