"""Breakthrough on three columns and five rows: rules that expand arrays, for numpy.

pip install numpy, then python breakthrough.py
"""

import time

import numpy as np

import tesuji_puzzles as tesuji

COLUMNS, ROWS = 3, 5
SQUARES = COLUMNS * ROWS
ALL = (1 << SQUARES) - 1
#: Squares with a column to their lower, and to their higher side.
LOWER = sum(1 << square for square in range(SQUARES) if square % COLUMNS > 0)
HIGHER = sum(1 << square for square in range(SQUARES) if square % COLUMNS < COLUMNS - 1)
FAR = ALL ^ ALL >> COLUMNS
#: A set of squares, turned half around.
TURNED = np.array([int(f"{men:0{SQUARES}b}"[::-1], 2) for men in range(ALL + 1)], dtype=np.uint64)


class Breakthrough:
    """Men go forward, straight or diagonally, and take diagonally; the first one on the far rank
    wins, or whoever takes all. A state is the mover's men, who go up, and above them the other's."""

    def initial(self) -> int:
        two = (1 << 2 * COLUMNS) - 1
        return two | two << SQUARES - 2 * COLUMNS << SQUARES

    def expand(self, states):
        own, others = states & ALL, states >> SQUARES
        places, froms, tos = [], [], []
        for step, where, blocked in [
            (COLUMNS - 1, LOWER, own),
            (COLUMNS, ALL, own | others),
            (COLUMNS + 1, HIGHER, own),
        ]:
            men = own & where & ~(blocked >> step)
            for square in range(SQUARES - COLUMNS):
                found = np.flatnonzero(men & (1 << square)).astype(np.uint16)
                places.append(found)
                froms.append(np.full(len(found), 1 << square, dtype=np.uint64))
                tos.append(np.full(len(found), 1 << square + step, dtype=np.uint64))
        place = np.concatenate(places)
        order = np.argsort(place, kind="stable")
        place, start, end = place[order], np.concatenate(froms)[order], np.concatenate(tos)[order]
        moved, left = own[place] ^ start | end, others[place] & ~end
        over = (end & FAR != 0) | (left == 0)
        return place, TURNED[left] | TURNED[moved] << SQUARES, over.astype(np.int8)


if __name__ == "__main__":
    begun = time.perf_counter()
    game = tesuji.from_rules(Breakthrough())
    took = time.perf_counter() - begun
    print(f"{len(game):,} positions listed in {took:.1f} s ({len(game) / took:,.0f} a second)")
    print(game.position().value)
