"""Tic-tac-toe, after the page about games and the sentences about its columns.

A board is a text of nine signs, row by row from the top: `x` for a stone of the side to move, `y` for one
of the other side, `.` for a free square. A state is the least image of a board.
"""

from functools import cache
from itertools import product

from common import Move

SWAP = str.maketrans("xy", "yx")
ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
DIAGONALS = [(0, 4, 8), (2, 4, 6)]
NAMES = [file + rank for rank in "321" for file in "abc"]
QUARTER, MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


def turns():
    """The eight symmetries of the board."""
    found = [tuple(range(9))]
    for turn in found:
        for other in (tuple(turn[i] for i in QUARTER), tuple(turn[i] for i in MIRROR)):
            if other not in found:
                found.append(other)
    return found


TURNS = turns()


class TicTacToe:
    kinds = ("block", "threat", "fork")
    tempting = frozenset({"block", "threat"})
    restricted = False
    stuck = None

    def __init__(self, diagonals=True):
        self.spec = "tictactoe" + ":diagonals=none" * (not diagonals)
        self.lines = ROWS + DIAGONALS * diagonals

    @cache
    def state(self, board):
        return min("".join([board[i] for i in turn]) for turn in TURNS)

    # The game.

    def won(self, board):
        return any(all(board[i] == "x" for i in line) for line in self.lines)

    def threats(self, board):
        """Lines with two stones of the side to move whose third square is free: their third squares."""
        lines = [[i for i in line if board[i] == "."] for line in self.lines
                 if sorted(board[i] for i in line) == [".", "x", "x"]]
        return [free for free, in lines]

    def moves(self, state):
        found, own, opp = [], self.threats(state), self.threats(state.translate(SWAP))
        for i in (i for i, sign in enumerate(state) if sign == "."):
            after = state[:i] + "x" + state[i + 1 :]
            made = len(self.threats(after)) - len([square for square in own if square != i])
            kinds = set()
            if i in opp:
                kinds.add("block")
            if made > 0:
                kinds.add("threat")
            if made > 1:
                kinds.add("fork")
            result = 1 if self.won(after) else None if "." in after else 0
            child = self.state(after.translate(SWAP)) if result is None else None
            found.append(Move(NAMES[i], child, result, frozenset(kinds)))
        return found

    def free(self, state):
        return state

    def passed(self, state):
        return None  # The stones say whose turn it is.

    def place(self, state):
        return state

    def static(self, state):
        return 0

    # The states.

    def listed(self):
        boards = ("".join(signs) for signs in product("xy.", repeat=9))
        return {self.state(board) for board in boards if board.count("y") - board.count("x") in (0, 1)
                and "." in board and not self.won(board) and not self.won(board.translate(SWAP))}

    def read(self, row):
        board = row["position"].replace("/", "")
        crosses_to_move = board.count("x") == board.count("o")
        return self.state(board.translate(str.maketrans("xo", "xy" if crosses_to_move else "yx")))

    # The columns.

    @cache
    def board(self, state, solved):
        return {
            "stones": 9 - state.count("."),
            "own_threats": len(self.threats(state)),
            "opp_threats": len(self.threats(state.translate(SWAP))),
            "symmetries": sum(all(state[i] == state[j] for j, i in enumerate(turn)) for turn in TURNS),
        }
