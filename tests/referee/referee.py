#!/usr/bin/env python3
"""Checks mined problems of tsuitate-tsume-shogi with rules written a second time.

The moves of full positions, check and mate come from cshogi; tries, fouls, metapositions
and the search are written here from the rules and share nothing with the program. For
every row of a puzzles.csv it finds out the fewest plies, the fewest fouls that must be
allowed for them, and all first moves that solve with those, and compares them with the
row. It tries fewer plies with as many fouls as the mining allowed (--fouls).

    python referee.py puzzles.csv [more.csv ...] --limit 200 --plies 7 --fouls 2
"""

import argparse
import csv
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import cshogi

SET = {"R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}
STEPS = {
    "P": [(0, -1)],
    "N": [(1, -2), (-1, -2)],
    "S": [(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)],
    "G": [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)],
    "K": [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r],
}
STRAIGHT, SLANTED = [(0, -1), (1, 0), (-1, 0), (0, 1)], [(1, -1), (-1, -1), (1, 1), (-1, 1)]
SLIDES = {"L": [(0, -1)], "B": SLANTED, "R": STRAIGHT}
for gold in ("+P", "+L", "+N", "+S"):
    STEPS[gold] = STEPS["G"]
STEPS["+B"], SLIDES["+B"] = STRAIGHT, SLANTED
STEPS["+R"], SLIDES["+R"] = SLANTED, STRAIGHT


def read_board(sfen):
    """The pieces of an SFEN by (file, rank), and Black's hand."""
    fields = sfen.split()
    board = {}
    for rank, row in enumerate(fields[0].split("/"), 1):
        file = 9
        for piece in re.findall(r"\d|\+?[A-Za-z]", row):
            if piece.isdigit():
                file -= int(piece)
            else:
                board[file, rank] = piece
                file -= 1
    hand = dict.fromkeys(SET, 0)
    for count, kind in re.findall(r"(\d*)([A-Z])", fields[2]):
        hand[kind] = int(count or 1)
    return board, hand


def whole(sfen):
    """The SFEN with all that is nowhere else in White's hand."""
    board, hand = read_board(sfen)
    white = ""
    for kind, total in SET.items():
        on_board = sum(piece.strip("+").upper() == kind for piece in board.values())
        rest = total - on_board - hand[kind]
        if rest:
            white += (str(rest) if rest > 1 else "") + kind.lower()
    black = "".join((str(n) if n > 1 else "") + kind for kind, n in hand.items() if n)
    return f"{sfen.split()[0]} b {black + white or '-'} 1"


def own_tries(sfen):
    """The moves that Black's own pieces allow, in USI."""
    board, hand = read_board(sfen)
    own = {at: piece for at, piece in board.items() if piece[-1].isupper()}
    name = lambda at: f"{at[0]}{'abcdefghi'[at[1] - 1]}"
    inside = lambda at: 1 <= at[0] <= 9 and 1 <= at[1] <= 9
    dead = lambda kind, at: at[1] <= {"P": 1, "L": 1, "N": 2}.get(kind, 0)
    tries = []
    for at, kind in own.items():
        targets = []
        for f, r in STEPS.get(kind, []):
            targets.append((at[0] + f, at[1] + r))
        for f, r in SLIDES.get(kind, []):
            to = (at[0] + f, at[1] + r)
            while inside(to) and to not in own:
                targets.append(to)
                to = (to[0] + f, to[1] + r)
        for to in targets:
            if not inside(to) or to in own:
                continue
            if kind in ("P", "L", "N", "S", "B", "R") and min(at[1], to[1]) <= 3:
                tries.append(name(at) + name(to) + "+")
            if not dead(kind, to):
                tries.append(name(at) + name(to))
    for kind, count in hand.items():
        for file in range(1, 10) if count else ():
            if kind == "P" and any(own.get((file, rank)) == "P" for rank in range(1, 10)):
                continue
            for rank in range(1, 10):
                if (file, rank) not in own and not dead(kind, (file, rank)):
                    tries.append(f"{kind}*{name((file, rank))}")
    return tries


def bare(sfen):
    """A position without the number of its ply."""
    return sfen.rsplit(" ", 1)[0]


class Problem:
    """Solves metapositions: frozen sets of full positions."""

    def __init__(self):
        self.board = cshogi.Board()
        self.answers, self.after, self.sighted, self.solved = {}, {}, {}, {}

    def umpire(self, position):
        """All legal moves, and those that check with what is captured, 0 for nothing, and
        with White's legal moves after them."""
        if position not in self.answers:
            board = self.board
            board.set_sfen(position + " 1")
            legal, checks = set(), {}
            for move in list(board.legal_moves):
                usi = cshogi.move_to_usi(move)
                legal.add(usi)
                captured = 0 if cshogi.move_is_drop(move) else board.piece(cshogi.move_to(move)) & 15
                board.push(move)
                if board.is_check():
                    # A promoted piece is announced by the kind that comes to hand.
                    captured = captured - 8 if captured > 8 else captured
                    checks[usi] = captured, list(board.legal_moves)
                board.pop()
            self.answers[position] = legal, checks
        return self.answers[position]

    def replies(self, position, usi):
        """What White may reply to a check, one by one: the square where a piece of Black's
        vanishes, whether Black is in check, and the position. None at all is mate."""
        for reply in self.umpire(position)[1][usi][1]:
            key = position, usi, reply
            if key not in self.after:
                board = self.board
                board.set_sfen(position + " 1")
                board.push_usi(usi)
                to = cshogi.move_to(reply)
                vanished = to if 0 < board.piece(to) < 16 else None
                board.push(reply)
                self.after[key] = vanished, board.is_check(), bare(board.sfen())
            yield self.after[key]

    def wins_in_sight(self, position, plies):
        """Whether Black would mate in time if he saw everything: needed of every position."""
        won, lost = self.sighted.get(position, (99, 0))
        if won <= plies or lost >= plies:
            return won <= plies
        known = self.umpire(position)[1]
        checks = sorted(known, key=lambda mv: len(known[mv][1]))
        for within in range(lost + (1 if lost == 0 else 2), plies + 1, 2):
            for mv in checks:
                if not known[mv][1] or within > 1 and all(
                    self.wins_in_sight(then, within - 2) for _, _, then in self.replies(position, mv)
                ):
                    self.sighted[position] = within, within - 2
                    return True
        self.sighted[position] = 99, plies
        return False

    def wins(self, positions, plies, fouls):
        key = positions, plies, fouls
        if key not in self.solved:
            self.solved[key] = all(self.wins_in_sight(p, plies) for p in positions) and any(
                self.wins_by(positions, mv, plies, fouls) for mv in own_tries(min(positions))
            )
        return self.solved[key]

    def wins_by(self, positions, mv, plies, fouls):
        squeals, groups, stands = set(), {}, False
        for position in positions:
            legal, checks = self.umpire(position)
            if mv not in legal:
                squeals.add(position)
            elif mv not in checks:
                return False
        for position in positions - squeals:
            stands = True
            captured, white = self.umpire(position)[1][mv]
            if white and plies == 1:
                return False
            for vanished, countercheck, then in self.replies(position, mv):
                if not self.wins_in_sight(then, plies - 2):
                    return False
                groups.setdefault((captured, vanished, countercheck), set()).add(then)
        if not stands or squeals and not fouls:
            return False
        if squeals and not self.wins(frozenset(squeals), plies, fouls - 1):
            return False
        return all(self.wins(frozenset(g), plies - 2, fouls) for g in groups.values())


def judge(job):
    """The fewest plies and fouls of a position, and its first moves."""
    sfen, most_plies, most_fouls = job
    problem = Problem()
    root = frozenset([bare(whole(sfen))])
    for plies in range(1, most_plies + 1, 2):
        if not all(problem.wins_in_sight(position, plies) for position in root):
            continue
        for fouls in range(most_fouls + 1):
            if problem.wins(root, plies, fouls):
                keys = [m for m in own_tries(min(root)) if problem.wins_by(root, m, plies, fouls)]
                return plies, fouls, sorted(keys)
    return None


def claimed(row):
    """What a row of puzzles.csv says: plies, fouls, first moves."""
    fouls = re.search(r"with (\d+) fouls? allowed", row["stipulation"])
    keys = [row["key"]] if row["n_best"] == "1" else None
    return int(row["plies"]), int(fouls[1]) if fouls else 0, keys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("csv", nargs="+")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--plies", type=int, default=7)
    parser.add_argument("--fouls", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    rows = []
    for path in args.csv:
        with open(path, newline="") as file:
            rows += [row for row in csv.DictReader(file) if int(row["plies"]) <= args.plies]
    seen = set()
    rows = [row for row in rows if not (row["position"] in seen or seen.add(row["position"]))]
    rows = list(islice(rows, args.limit))
    wrong = 0
    jobs = [(row["position"], args.plies, args.fouls) for row in rows]
    with ProcessPoolExecutor(args.jobs) as pool:
        for number, (row, found) in enumerate(zip(rows, pool.map(judge, jobs)), 1):
            expected = claimed(row)
            agrees = found is not None and found[:2] == expected[:2] and found[2] == expected[2]
            wrong += not agrees
            verdict = "agrees" if agrees else f"DIFFERS: the row says {expected}"
            print(f"{number:4} {row['position']}: {found}, {verdict}", flush=True)
    print(f"{len(rows)} problems, {len(rows) - wrong} agree, {wrong} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
