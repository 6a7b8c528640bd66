"""Ostle on small boards, after the rules and the sentences about its columns.

A board is a text of one sign a square, file by file from a1: `x` for a piece of the side to move, `y`
for one of the other side, `o` for the hole, `.` for an empty square. A state is a board and the board
that rule 8 forbids to make, which is None if nothing is forbidden. Both are as the side to move sees them.
If all images of a board are forbidden, the least of them stands for all.
"""

from functools import cache
from itertools import combinations

from common import Move, turns_of

SWAP = str.maketrans("xy", "yx")
STEPS = {"U": (0, 1), "D": (0, -1), "L": (-1, 0), "R": (1, 0)}


def turned(board, turn):
    return "".join([board[i] for i in turn])


class Ostle:
    kinds = ("sacrifice", "capture", "hole", "push", "quiet", "retreat")
    tempting = frozenset({"capture"})
    restricted = True
    stuck = None

    def __init__(self, rows, columns, pieces, losses, fixed=False, images=False):
        size = f"{rows}x{columns}" if rows == columns else f"rows={rows},columns={columns}"
        self.spec = f"ostle:{size},pieces={pieces},losses={losses}"
        self.spec += ",repetition=all-images" * images + ",hole=fixed" * fixed
        self.images = images
        self.rows, self.columns, self.pieces, self.fixed = rows, columns, pieces, fixed
        self.least = pieces - losses + 1
        self.squares = [(file, rank) for file in range(columns) for rank in range(rows)]
        self.number = {square: i for i, square in enumerate(self.squares)}
        self.turns = self._turns()

    def _turns(self):
        """The symmetries of the board: the square that comes to each square."""
        ways = turns_of(self.columns, self.rows)
        return [[self.number[way(*square)] for square in self.squares] for way in ways]

    def name(self, square):
        return "abcde"[square[0]] + str(square[1] + 1)

    # The game.

    @cache
    def plain_moves(self, board):
        """All moves, rule 8 left aside: name, board after it as the mover sees it, kinds."""
        found = []
        for i, sign in enumerate(board):
            if sign == "x" or sign == "o" and not self.fixed:
                for letter, step in STEPS.items():
                    move = self.move_hole(board, i, step) if sign == "o" else self.push(board, i, step)
                    if move:
                        found.append((self.name(self.squares[i]) + letter, *move))
        return found

    def beside(self, i, step):
        file, rank = self.squares[i]
        return self.number.get((file + step[0], rank + step[1]))

    def move_hole(self, board, i, step):
        j = self.beside(i, step)
        if j is None or board[j] != ".":
            return None
        after = list(board)
        after[i], after[j] = ".", "o"
        return "".join(after), frozenset({"hole"})

    def push(self, board, i, step):
        """A piece moves, and what stands before it moves on, until a square is empty or a piece falls."""
        after, kinds, moving, at = list(board), set(), board[i], i
        after[i] = "."
        while True:
            at = self.beside(at, step)
            if at is None or board[at] == "o":
                kinds.add("sacrifice" if moving == "x" else "capture")
                break
            after[at], moving = moving, board[at]
            if moving == ".":
                break
            kinds.add("push")
        if not kinds:
            kinds.add("quiet")
            if self.gap(self.beside(i, step), board, "y") > self.gap(i, board, "y"):
                kinds.add("retreat")
        return "".join(after), frozenset(kinds)

    @cache
    def state(self, board, banned=None):
        """The least image of a state, without its ban if no move would make the forbidden board."""
        if banned is None:
            return self.image(board), None
        if self.images:
            board, banned = self.image(board), self.image(banned)
        else:
            board, banned = min((turned(board, turn), turned(banned, turn)) for turn in self.turns)
        return board, banned if any(self.made(after) == banned for _, after, _ in self.plain_moves(board)) else None

    @cache
    def image(self, board):
        return min(turned(board, turn) for turn in self.turns)

    def made(self, board):
        """What rule 8 compares of a board that a move makes."""
        return self.image(board) if self.images else board

    def over(self, board):
        """1 or -1 if a side has lost too many pieces, for the side whose pieces are x."""
        if board.count("y") < self.least:
            return 1
        return -1 if board.count("x") < self.least else None

    def moves(self, state):
        board, banned = state
        found = []
        for name, after, kinds in self.plain_moves(board):
            if banned is None or self.made(after) != banned:
                result = self.over(after)
                child = None if result else self.state(after.translate(SWAP), board.translate(SWAP))
                found.append(Move(name, child, result, kinds))
        return found

    def free(self, state):
        return (state[0], None)

    def passed(self, state):
        return self.state(state[0].translate(SWAP))

    def place(self, state):
        return state[0]

    def choice(self, state, move):
        """What an only move is counted by: moves that are forbidden together are one."""
        if not self.images:
            return move.name
        return self.image(next(after for name, after, _ in self.plain_moves(state[0]) if name == move.name))

    def named(self, row, move):
        """The name of a move on the board that a row shows, which may be turned."""
        board, forbidden = self.seen(row)
        for name, after, kinds in self.plain_moves(board):
            if name == forbidden:
                continue
            result = self.over(after)
            child = None if result else self.state(after.translate(SWAP), board.translate(SWAP))
            if (child, result, kinds) == (move.child, move.result, move.kinds):
                return name

    def static(self, state):
        return state[0].count("x") - state[0].count("y")

    # The states.

    def listed(self):
        numbers = range(self.least, self.pieces + 1)
        middle = self.number[(self.columns - 1) // 2, (self.rows - 1) // 2]
        found = set()
        for hole in [middle] if self.fixed else range(len(self.squares)):
            others = [i for i in range(len(self.squares)) if i != hole]
            for own in (set(own) for n in numbers for own in combinations(others, n)):
                rest = [i for i in others if i not in own]
                for other in (other for n in numbers for other in combinations(rest, n)):
                    board = ["."] * len(self.squares)
                    board[hole] = "o"
                    for i in own:
                        board[i] = "x"
                    for i in other:
                        board[i] = "y"
                    found.add(self.state("".join(board)))
        return found | {move.child for state in found for move in self.moves(state) if move.child}

    def read(self, row):
        board, forbidden = self.seen(row)
        banned = next((after for name, after, _ in self.plain_moves(board) if name == forbidden), None)
        assert forbidden == "-" or banned, row["position"]
        return self.state(board, banned)

    def seen(self, row):
        """The board of a row, as the side to move sees it, and the forbidden move."""
        ranks, side, forbidden = row["position"].split()
        signs = {}
        for rank, text in zip(range(self.rows - 1, -1, -1), ranks.split("/")):
            line = "".join("." * int(sign) if sign.isdigit() else sign for sign in text)
            signs |= {(file, rank): sign for file, sign in enumerate(line)}
        board = "".join(signs[square] for square in self.squares)
        return board.translate(str.maketrans("bw", "xy" if side == "b" else "yx")), forbidden

    # The columns.

    def gap(self, i, board, sign):
        """Steps from a square to the nearest one with this sign."""
        file, rank = self.squares[i]
        there = [self.squares[j] for j, other in enumerate(board) if other == sign]
        return min(abs(file - other[0]) + abs(rank - other[1]) for other in there)

    @cache
    def board(self, state, solved):
        board = state[0]
        other = board.translate(SWAP)
        replies = self.plain_moves(other)
        hole = board.index("o")
        rim = [min(f, r, self.columns - 1 - f, self.rows - 1 - r) for f, r in self.squares]
        own, opp = board.count("x"), board.count("y")
        return {
            "layer": f"{own}-{opp}",
            "own_pieces": own,
            "opp_pieces": opp,
            "own_spare": own - self.least,
            "opp_spare": opp - self.least,
            "hole": min(self.name(self.squares[turn[hole]]) for turn in self.turns),
            "hole_edge_distance": rim[hole],
            "own_on_edge": sum(sign == "x" and rim[i] == 0 for i, sign in enumerate(board)),
            "opp_on_edge": sum(sign == "y" and rim[i] == 0 for i, sign in enumerate(board)),
            "own_hole_distance": self.gap(hole, board, "x"),
            "opp_hole_distance": self.gap(hole, board, "y"),
            "contact_distance": min(self.gap(i, board, "y") for i, sign in enumerate(board) if sign == "x"),
            "own_mobility": len(self.plain_moves(board)),
            "opp_mobility": len(replies),
            "opp_captures": sum("capture" in kinds for _, _, kinds in replies),
            "symmetries": sum(all(board[i] == board[j] for j, i in enumerate(turn)) for turn in self.turns),
        }
