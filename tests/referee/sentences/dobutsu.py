"""Small Dobutsu shogi, after the page about it and the sentences about its columns.

A state is a board, row by row from the far rank, and the animals in both hands, as the side to move sees
them: its own animals are capitals. Of a position and its mirror image the lesser one is the state.
"""

from functools import cache
from itertools import product

from common import Move

STRAIGHT, SLANTED = [(-1, 0), (1, 0), (0, -1), (0, 1)], [(-1, -1), (-1, 1), (1, -1), (1, 1)]
STEPS = {"L": STRAIGHT + SLANTED, "G": STRAIGHT, "E": SLANTED, "C": [(-1, 0)], "R": STRAIGHT + SLANTED[:2]}
SQUARES = [(row, column) for row in range(4) for column in range(3)]


def turned(board, own, opp):
    """The same position as the other side sees it."""
    return board[::-1].swapcase(), opp, own


class Dobutsu:
    kinds = ("check", "capture", "drop", "promotion", "underpromotion", "royal", "sacrifice", "in_passing", "quiet", "stalemate")
    tempting = frozenset({"check", "capture", "promotion"})
    restricted = False
    stuck = None  # A side without a move has lost, but who could not take the lion would have other moves.

    def __init__(self, animals):
        words = {"G": "giraffe", "E": "elephant", "C": "chick"}
        self.spec = "dobutsu:pieces=" + "+".join(["lion", *(words[animal] for animal in animals)])
        self.animals = animals

    @cache
    def state(self, board, own, opp):
        mirrored = "".join(board[row * 3 + 2 - column] for row, column in SQUARES)
        return (min(board, mirrored), own, opp)

    # The game.

    @cache
    def attacked(self, board):
        """The squares to which own animals can go, whatever of the other side stands there."""
        return {j for i, sign in enumerate(board) if sign.isupper() for j in self.steps(i, sign)}

    def steps(self, i, animal):
        row, column = SQUARES[i]
        goals = [(row + a, column + b) for a, b in STEPS[animal]]
        return [goal[0] * 3 + goal[1] for goal in goals if goal in SQUARES]

    def attacks(self, board, sign):
        """Whether an own animal can take the animal with this sign."""
        return sign in board and board.index(sign) in self.attacked(board)

    def moves(self, state):
        board, own, opp = state
        found = []
        for i, animal in enumerate(board):
            if animal.isupper():
                for j in self.steps(i, animal):
                    if not board[j].isupper():
                        found.append(self.step(state, i, j))
        takes = [move for move in found if "takes the lion" in move.kinds]
        if takes:
            return takes
        for animal in sorted(set(own)):
            for j, sign in enumerate(board):
                if sign == "-":
                    after = board[:j] + animal + board[j + 1 :]
                    name, hand = f"{animal}*{self.name(j)}", own.replace(animal, "", 1)
                    given = {"sacrifice"} if self.is_given_up(after, j) else set()
                    found.append(self.made(name, after, hand, opp, {"drop"} | given))
        return found

    def step(self, state, i, j):
        """The move of an animal from one square to another."""
        board, own, opp = state
        animal, taken, kinds, name = board[i], board[j], set(), board[i] + self.name(i) + "-" + self.name(j)
        if taken != "-":
            kinds.add("capture")
            own = "".join(sorted(own + taken.upper().replace("R", "C"))) if taken != "l" else own
        if animal == "L":
            kinds.add("royal")
        if animal == "C" and j < 3:
            kinds.add("promotion")
            animal, name = "R", name + "+"
        squares = list(board)
        squares[i], squares[j] = "-", animal
        after = "".join(squares)
        if taken == "l":
            return Move(name, None, 1, frozenset(kinds | {"takes the lion"}))
        if animal != "L" and self.is_given_up(after, j):
            kinds.add("sacrifice")
        return self.made(name, after, own, opp, kinds, tries=animal == "L" and j < 3)

    def is_given_up(self, after, j):
        """Whether an animal of less worth attacks the one on a square, or one that is not defended."""
        other = after[::-1].swapcase()
        attackers = [sign for i, sign in enumerate(other) if sign.isupper() and 11 - j in self.steps(i, sign)]
        defended = any(j in self.steps(i, sign) for i, sign in enumerate(after) if sign.isupper() and i != j)
        if not attackers or not defended:
            return bool(attackers)
        return any(sign != "L" and self.worth(sign) < self.worth(after[j]) for sign in attackers)

    @cache
    def worth(self, animal):
        """The squares that an animal reaches from all squares of an empty board."""
        return sum(len(self.steps(i, animal)) for i in range(12))

    def made(self, name, after, own, opp, kinds, tries=False):
        if self.attacks(after, "l"):
            kinds = kinds | {"check"}
        if not kinds & {"check", "capture", "drop", "promotion"}:
            kinds = kinds | {"quiet"}
        other = turned(after, own, opp)
        if tries and not self.attacks(other[0], "l"):
            return Move(name, None, 1, frozenset(kinds))
        return Move(name, self.state(*other), None, frozenset(kinds))

    def name(self, i):
        row, column = SQUARES[i]
        return "abc"[column] + str(row + 1)

    def free(self, state):
        return state

    def passed(self, state):
        other = turned(*state)
        return None if "L" in other[0][:3] else self.state(*other)

    def place(self, state):
        return state

    def static(self, state):
        return 0

    # The states.

    def listed(self):
        """All ways to place the animals that began, but those in which the game has ended."""
        found = set()
        for own, opp in product(range(3, 12), range(12)):
            if own == opp:
                continue
            board = ["-"] * 12
            board[own], board[opp] = "L", "l"
            for board, hand, other in self.placed("".join(board), list(self.animals) * 2, "", ""):
                if opp < 9 or self.attacks(board, "l"):
                    found.add(self.state(board, "".join(sorted(hand)), "".join(sorted(other))))
        return {state for state in found if self.moves(state)}

    def placed(self, board, animals, own, opp):
        """All ways to put some animals, of either side, on the board or in a hand."""
        if not animals:
            yield board, own, opp
            return
        animal, rest = animals[0], animals[1:]
        yield from self.placed(board, rest, own + animal, opp)
        yield from self.placed(board, rest, own, opp + animal)
        for sign in (animal, animal.lower()) + ("R", "r") * (animal == "C"):
            for j in range(12):
                if board[j] == "-":
                    yield from self.placed(board[:j] + sign + board[j + 1 :], rest, own, opp)

    def read(self, row):
        side, *ranks, hands = row["position"].split("/")
        board = "".join(ranks)
        own = "".join(sorted(sign for sign in hands if sign.isupper()))
        opp = "".join(sorted(sign.upper() for sign in hands if sign.islower()))
        return self.state(board, own, opp) if side == "S" else self.state(*turned(board, own, opp))

    # The columns.

    def mates(self, solved):
        """The plies of the shortest mate by checks alone, for all states that have one."""
        if not hasattr(self, "_mates"):
            self._mates, plies, before = {}, 1, None
            while before != len(self._mates):
                before = len(self._mates)
                found = [state for state in solved.moves_of if state not in self._mates
                         and any(self.mating(solved, move) for move in solved.moves_of[state])]
                self._mates |= dict.fromkeys(found, plies)
                plies += 2
        return self._mates

    def mating(self, solved, move):
        """Whether a move is a check after which each reply loses the lion or allows a mate that is known."""
        if "check" not in move.kinds or move.child is None:
            return False
        replies = [reply.child for reply in solved.moves_of[move.child]]
        return all(reply and (reply in self._mates or self.attacks(reply[0], "l")) for reply in replies)

    @cache
    def board(self, state, solved):
        board, own, opp = state
        other = turned(*state)[0]
        lions = board.index("L"), board.index("l")
        mirrored = "".join(board[row * 3 + 2 - column] for row, column in SQUARES)
        men = {"own_" + animal.lower(): board.count(animal) for animal in "CGER"}
        men |= {"opp_" + animal.lower(): board.count(animal.lower()) for animal in "CGER"}
        men |= {"own_hand_" + animal.lower(): own.count(animal) for animal in "CGE"}
        men |= {"opp_hand_" + animal.lower(): opp.count(animal) for animal in "CGE"}
        own_men, opp_men = (sum(of(sign) for sign in board) for of in (str.isupper, str.islower))
        (row, file), (other_row, other_file) = SQUARES[lions[0]], SQUARES[lions[1]]
        return men | {
            "own_men": own_men,
            "opp_men": opp_men,
            "own_hand": len(own),
            "opp_hand": len(opp),
            "own_total": own_men + len(own),
            "opp_total": opp_men + len(opp),
            "own_royal_rank": 4 - row,
            "opp_royal_rank": other_row + 1,
            "own_royal_file": min(file, 2 - file),
            "opp_royal_file": min(other_file, 2 - other_file),
            "royal_distance": max(abs(row - other_row), abs(file - other_file)),
            "own_advance": sum(3 - SQUARES[i][0] for i, sign in enumerate(board) if sign == "C"),
            "opp_advance": sum(SQUARES[i][0] for i, sign in enumerate(board) if sign == "c"),
            "in_check": self.attacks(other, "l"),
            "checkers": sum(other.index("l") in self.steps(i, sign) for i, sign in enumerate(other) if sign.isupper()),
            "can_take_royal": self.attacks(board, "l"),
            "mate": self.mates(solved).get(state),
            "symmetries": 1 + (board == mirrored),
        }
