"""Placement games on one rectangle, after the rules and the sentences about their columns.

A state is the set of free squares, in the least of its images: the sides have the same moves, so that
nothing else counts.
"""

from functools import cache

from common import Move, turns_of

NEAR = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


class Placement:
    kinds = ("split", "shatter", "mirror", "lone")
    tempting = frozenset({"mirror"})
    restricted = False

    def __init__(self, name, rows, columns, misere=False):
        self.spec = f"{name}:{rows}x{columns}" + ",play=misere" * misere
        self.rows, self.columns, self.misere = rows, columns, misere
        self.steps = NEAR + SLANTED * (name == "kings")
        self.squares = [(file, rank) for rank in range(rows) for file in range(columns)]
        self.turns = self._turns()

    def _turns(self):
        """The symmetries of the board, each a dictionary."""
        ways = turns_of(self.columns, self.rows)
        return [{square: way(*square) for square in self.squares} for way in ways]

    def near(self, square):
        return {(square[0] + a, square[1] + b) for a, b in self.steps}

    @cache
    def state(self, free):
        return frozenset(min(sorted(turn[square] for square in free) for turn in self.turns))

    def keeping(self, free):
        """The symmetries of the board that keep a set of squares."""
        return [turn for turn in self.turns if all(turn[square] in free for square in free)]

    def parts(self, free):
        """The connected parts that the free squares fall into."""
        found, left = [], set(free)
        while left:
            part, waiting = set(), [left.pop()]
            while waiting:
                square = waiting.pop()
                part.add(square)
                beside = self.near(square) & left
                left -= beside
                waiting.extend(beside)
            found.append(part)
        return found

    # The game.

    def moves(self, state):
        return [self.move(state, square) for square in sorted(state)]

    def move(self, state, square):
        after = state - self.near(square) - {square}
        more = len(self.parts(after)) - len(self.parts(state))
        kinds = set()
        if more > 0:
            kinds.add("split")
        if more > 1:
            kinds.add("shatter")
        if not self.near(square) & state:
            kinds.add("lone")
        if after and len(self.keeping(after)) > 1:
            kinds.add("mirror")
        name = "abcdefgh"[square[0]] + str(square[1] + 1)
        if not after:
            return Move(name, None, -1 if self.misere else 1, frozenset(kinds))
        return Move(name, self.state(after), None, frozenset(kinds))

    def free(self, state):
        return state

    def passed(self, state):
        return None  # Both sides have the same moves: no position says whose turn it is.

    def place(self, state):
        return state

    def static(self, state):
        return 0

    @property
    def stuck(self):
        return 1 if self.misere else -1

    # The states.

    def listed(self):
        found, waiting = set(), [self.state(frozenset(self.squares))]
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                waiting.extend(move.child for move in self.moves(state) if move.child)
        return found

    def read(self, row):
        lines = row["position"].split("/")
        return self.state(frozenset(square for square in self.squares if self.sign(lines, square) == "."))

    def sign(self, lines, square):
        line = "".join("." * int(sign) if sign.isdigit() else sign for sign in lines[self.rows - 1 - square[1]])
        return line[square[0]]

    # The columns.

    @cache
    def nimber(self, state):
        """The least number that no move leads to."""
        after = {self.nimber(move.child) if move.child else 0 for move in self.moves(state)}
        return next(number for number in range(len(after) + 1) if number not in after)

    def mirrored(self, state):
        """Whether a symmetry of order two puts no free square on itself or on a neighbour, in normal play."""
        if self.misere:
            return False
        for turn in self.keeping(state):
            if any(turn[square] != square for square in self.squares) and all(
                turn[turn[square]] == square for square in self.squares
            ):
                if all(turn[square] != square and turn[square] not in self.near(square) for square in state):
                    return True
        return False

    @cache
    def board(self, state, solved):
        parts, turns = self.parts(state), self.keeping(state)
        orbits = {min(turn[square] for turn in turns) for square in state}
        wins = [square for square in orbits if solved.of_move(self.move(state, square))[0] == 1]
        return {
            "layer": str(len(state)),
            "free": len(state),
            "parts": len(parts),
            "largest": max(map(len, parts)),
            "nimber": None if self.misere else self.nimber(state),
            "symmetries": len(turns),
            "move_orbits": len(orbits),
            "winning_orbits": len(wins),
            "mirrored": self.mirrored(state),
        }
