"""Chess endings on small boards from a file of rules, after the pages about them and the sentences about
their columns.

A board is a text of one sign a square, row by row from the far rank, as the side to move sees it: its own
men are capitals. A state is a board and the square that a pawn has just passed, if it can be taken there
in passing; of all images the least one stands for the state.
"""

import os
import tomllib
from functools import cache
from itertools import permutations, product
from pathlib import Path

from common import Move, Value, before, turns_of
from solution import UNSAID, agreed, said

STRAIGHT, SLANTED = [(-1, 0), (1, 0), (0, -1), (0, 1)], [(-1, -1), (-1, 1), (1, -1), (1, 1)]
JUMPS = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
STEPS = {"K": STRAIGHT + SLANTED, "Q": STRAIGHT + SLANTED, "R": STRAIGHT, "B": SLANTED, "N": JUMPS}
STEPS["P"] = SLANTED[:2]  # What it attacks.
NO_MOVE = {"loss": -1, "draw": 0, "win": 1}
LONG, MANY = 9, 40  # Longer main lines, and states with more of them, are not followed man by man.


class Chess:
    kinds = ("check", "capture", "drop", "promotion", "underpromotion", "royal", "sacrifice", "in_passing")
    kinds += ("quiet", "stalemate")
    tempting = frozenset({"check", "capture", "promotion"})
    restricted = False

    def __init__(self, spec, file, men):
        """`men` are those of both sides, such as KP-KP."""
        self.spec, self.men = spec, [part[1:] for part in men.split("-")]
        self.shown = {}  # The board that a row shows of a state, which may be turned.
        rules = tomllib.loads(file.read_text())
        self.stuck = NO_MOVE[rules["no_move"]]
        self.columns, self.rows = rules["columns"], rules["rows"]
        self.squares = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        self.number = {square: i for i, square in enumerate(self.squares)}
        self.letters = [piece["letter"] for piece in rules["piece"]]
        [pawn] = [piece for piece in rules["piece"] if piece["moves"] != piece["letter"]]
        self.promotes_to, self.ranks = pawn["promotes_to"], pawn["ranks"]
        self.doubles, self.takes_in_passing = "D" in pawn["moves"], "e" in pawn["moves"]
        self.initial_rank = pawn.get("initial_rank", 2)
        # Squares are (row, column) here.
        ways = turns_of(self.rows, self.columns)
        self.turns = [[self.number[way(*square)] for square in self.squares] for way in ways]
        self.mirror = [self.number[row, self.columns - 1 - column] for row, column in self.squares]
        self.rays = {sign: [self.rays_from(*square, sign) for square in self.squares]
                     for letter in self.letters for sign in (letter, letter.lower())}

    def rays_from(self, row, column, sign):
        """The squares that a man attacks from one, by directions, those nearer first."""
        rays, ahead = [], 1 if sign.isupper() else -1
        for a, b in STEPS[sign.upper()]:
            ray, i, j = [], row + a * ahead, column + b
            while (i, j) in self.number:
                ray.append(self.number[i, j])
                i, j = i + a * ahead, j + b
                if sign.upper() not in "QRB":
                    break
            rays.append(ray)
        return rays

    @cache
    def turned(self, board):
        """The same board as the other side sees it."""
        c = self.columns
        return "".join([board[i : i + c] for i in range(len(board) - c, -1, -c)]).swapcase()

    def turned_square(self, i):
        row, column = self.squares[i]
        return self.number[self.rows - 1 - row, column]

    def images(self, board):
        """The symmetries that the men on a board leave: pawns know ahead and back."""
        return self.turns if "P" not in board and "p" not in board else [range(len(board)), self.mirror]

    @cache
    def state(self, board, passed=None):
        turns = self.images(board)
        if passed is None:
            return min("".join([board[i] for i in turn]) for turn in turns), None
        return min(("".join([board[i] for i in turn]), turn.index(passed)) for turn in turns)

    # The game.

    def reach(self, board, i):
        """The squares that the man on a square attacks, own and other men on them included."""
        found = []
        for ray in self.rays[board[i]][i]:
            for j in ray:
                found.append(j)
                if board[j] != "-":
                    break
        return found

    def attackers(self, board, j, own):
        """The squares from which men of one side attack a square."""
        return [i for i, sign in enumerate(board)
                if sign != "-" and sign.isupper() == own and i != j and j in self.reach(board, i)]

    @cache
    def in_check(self, board):
        return bool(self.attackers(board, board.index("K"), False))

    def targets(self, board, i, passed=None):
        """Where an own man can go, checks ignored."""
        if board[i] != "P":
            return [j for j in self.reach(board, i) if not board[j].isupper()]
        found = [j for j in self.reach(board, i) if board[j].islower() or j == passed]
        c = self.columns
        if board[i - c] == "-":
            found.append(i - c)
            if self.doubles and self.rank(i) == self.initial_rank and board[i - 2 * c] == "-":
                found.append(i - 2 * c)
        return found

    def rank(self, i):
        """The rank of a square, from 1, the home of the side to move, on."""
        return self.rows - self.squares[i][0]

    def placed(self, board, i, j, passed=None, man=None):
        """The board after an own man has gone from one square to another."""
        after = list(board)
        after[j], after[i] = man or board[i], "-"
        if board[i] == "P" and j == passed:
            after[j + self.columns] = "-"
        return "".join(after)

    @cache
    def steps(self, board, passed=None):
        """The legal moves: from, to, the man there, the board after it."""
        found = []
        for i, sign in enumerate(board):
            for j in self.targets(board, i, passed) if sign.isupper() else ():
                for man in self.promotes_to if sign == "P" and j < self.columns else sign:
                    after = self.placed(board, i, j, passed, man)
                    if not self.in_check(after):
                        found.append((i, j, man, after))
        return found

    def left(self, i, j, man, after):
        """The board and the passed square that a move leaves, as the other side sees them."""
        other, passed = self.turned(after), None
        if man == "P" and i - j == 2 * self.columns:
            passed = self.turned_square(j + self.columns)
            if not self.is_takable(other, passed):
                passed = None
        return other, passed

    def is_takable(self, board, passed):
        return any(board[i] == "P" and j == passed for i, j, _, _ in self.steps(board, passed))

    def moves(self, state):
        board, passed = state
        found = []
        for i, j, man, after in self.steps(board, passed):
            other = self.left(i, j, man, after)
            kinds, name = self.kinds_of(board, passed, i, j, man, after), self.name(i) + self.name(j) + man
            if self.steps(*other):
                found.append(Move(name, self.state(*other), None, kinds))
            elif self.in_check(other[0]):
                found.append(Move(name, None, 1, kinds))
            else:
                draws = {"stalemate"} if self.stuck == 0 else set()
                found.append(Move(name, None, -self.stuck, kinds | draws))
        return found

    def kinds_of(self, board, passed, i, j, man, after):
        kinds = set()
        if self.in_check(self.turned(after)):
            kinds.add("check")
        if board[j] != "-":
            kinds.add("capture")
        if board[i] == "P" and j == passed:
            kinds |= {"capture", "in_passing"}
        if man != board[i]:
            kinds.add("promotion")
            if man != self.promotes_to[0]:
                kinds.add("underpromotion")
        if man == "K":
            kinds.add("royal")
        elif self.is_given_up(after, j):
            kinds.add("sacrifice")
        return frozenset(kinds if kinds & {"check", "capture", "promotion"} else kinds | {"quiet"})

    def is_given_up(self, after, j):
        """Whether a man of less worth attacks the one on a square, or one that is not defended."""
        men = [after[i].upper() for i in self.attackers(after, j, False)]
        if not men or not self.attackers(after, j, True):
            return bool(men)
        return any(man != "K" and self.worth(man) < self.worth(after[j]) for man in men)

    @cache
    def worth(self, man):
        """The mean number of squares that a man goes to or takes on from a square of an empty board."""
        free = "-" * len(self.squares)
        squares = [i for i in range(len(free)) if self.stands(man, i)]
        boards = {i: free[:i] + man + free[i + 1 :] for i in squares}
        reached = [{*self.targets(boards[i], i), *self.reach(boards[i], i)} for i in squares]
        return sum(map(len, reached)) / len(squares)

    def stands(self, sign, i):
        """Whether a man can stand on a square."""
        first, last = self.ranks if sign in "Pp" else (1, self.rows)
        return first <= self.rank(i if sign.isupper() else self.turned_square(i)) <= last

    def name(self, i):
        return "abcdefgh"[self.squares[i][1]] + str(self.rank(i))

    def free(self, state):
        return state

    @cache
    def passed(self, state):
        board = state[0]
        if self.in_check(board):
            return None  # The other side would take the king.
        other = self.turned(board)
        if not self.steps(other):
            return Value((-self.stuck, 1 if self.stuck else None))
        return self.state(other)

    def place(self, state):
        return state

    def static(self, state):
        return 0

    # The states.

    def materials(self):
        """The men that captures and promotions make of those that began, kings left out."""
        found, waiting = set(), [tuple(self.men), tuple(self.men[::-1])]
        while waiting:
            sides = tuple("".join(sorted(side)) for side in waiting.pop())
            if sides in found:
                continue
            found.add(sides)
            for side in (0, 1):
                for k, man in enumerate(sides[side]):
                    rest = sides[side][:k] + sides[side][k + 1 :]
                    for become in [rest] + [rest + new for new in self.promotes_to] * (man == "P"):
                        waiting.append((become, sides[1]) if side == 0 else (sides[0], become))
        return found

    def listed(self):
        """All ways to place the men, but those in which the game has ended or the other side is in check."""
        found = set()
        for own, opp in self.materials():
            for board in self.filled("K" + own + "k" + opp.lower()):
                if self.is_least(board) and not self.in_check(self.turned(board)):
                    if self.steps(board):
                        found.add(self.state(board))
                    passable = [i for i in self.passable(board) if self.is_takable(board, i)]
                    found.update(self.state(board, i) for i in passable)
        return found

    def filled(self, men):
        """All ways to place some men."""
        for places in permutations(range(len(self.squares)), len(men)):
            if all(self.stands(man, i) for man, i in zip(men, places)):
                board = ["-"] * len(self.squares)
                for man, i in zip(men, places):
                    board[i] = man
                yield "".join(board)

    def is_least(self, board):
        return all("".join([board[i] for i in turn]) >= board for turn in self.images(board))

    def passable(self, board):
        """The squares that a pawn of the other side may have passed by its last move."""
        if not self.takes_in_passing:
            return []
        row, c = self.initial_rank, self.columns
        return [i for i in range(row * c, row * c + c) if board[i - c : i + c + 1 : c] == "--p"]

    def read(self, row):
        board, passed = self.seen(row)
        state = self.state(board, passed)
        self.shown[state] = board
        return state

    def seen(self, row):
        """The board of a row as the side to move sees it, and the passed square."""
        ranks, side, *passed = row["position"].split()
        board = "".join("-" * int(sign) if sign.isdigit() else sign for sign in ranks.replace("/", ""))
        at = None
        if passed and passed[-1] != "-":
            at = self.number[self.rows - int(passed[-1][1:]), ord(passed[-1][0]) - ord("a")]
        if side == "w":
            return board, at
        return self.turned(board), None if at is None else self.turned_square(at)

    # The columns.

    def dominated(self, board):
        """Own men that can go only to squares where they can be captured."""
        found = 0
        for i, sign in enumerate(board):
            if sign.isupper() and sign not in "KP":
                goals = self.targets(board, i)
                taken = [j for j in goals if self.attackers(self.placed(board, i, j), j, False)]
                found += bool(goals) and taken == goals
        return found

    @cache
    def board(self, state, solved):
        board, passed = state
        other = self.turned(board)
        columns = {
            "in_check": self.in_check(board),
            "checkers": len(self.attackers(board, board.index("K"), False)),
            "en_passant": any("in_passing" in move.kinds for move in solved.moves_of[state]),
            "layer": f"{self.material(board)}-{self.material(other)}" + "*" * (passed is not None),
            "symmetries": sum(self.is_kept(state, turn) for turn in self.images(board)),
        }
        shown = self.shown[state]
        for side, seen in (("own", shown), ("opp", self.turned(shown))):
            row, column = self.squares[seen.index("K")]
            men = [i for i, sign in enumerate(seen) if sign.isupper()]
            columns |= {f"{side}_{sign.lower()}": seen.count(sign) for sign in self.letters if sign != "K"}
            columns[f"{side}_men"] = len(men)
            columns[f"{side}_royal_rank"] = self.rows - row
            columns[f"{side}_royal_file"] = min(column, self.columns - 1 - column)
            columns[f"{side}_advance"] = sum(self.rank(i) - 1 for i in men if seen[i] == "P")
            columns[f"{side}_dominated"] = self.dominated(seen)
        (row, column), (other_row, other_column) = (self.squares[board.index(king)] for king in "Kk")
        columns["royal_distance"] = max(abs(row - other_row), abs(column - other_column))
        return columns | self.themes(state, solved, columns)

    def is_kept(self, state, turn):
        board, passed = state
        same = all(board[i] == board[j] for j, i in enumerate(turn))
        return same and (passed is None or turn[passed] == passed)

    def material(self, board):
        return "".join(letter * board.count(letter) for letter in self.letters)

    # Solutions.

    def themes(self, state, solved, columns):
        """What the sentences say of themes and of the solution tree, where all best lines agree."""
        outcome, plies = solved.value(state)
        # Nothing is pushed, there is no hole, and this is no placement game.
        no_such_thing = ("decoy", "edge_sacrifice", "hole_key", "hole_sacrifice", "mirror_trap")
        themes = {f"theme_{name}": False for name in no_such_thing}
        themes["theme_underdog"] = outcome == 1 and columns["own_men"] < columns["opp_men"]
        if outcome != 1:
            themes["theme_zugzwang"] = False
            themes["tree_nodes"] = 0
        else:
            themes["variations"] = self.variations(solved, state)
            turns = self.turns_of_tree(solved, state)
            themes["tree_nodes"] = len(turns) if turns else UNSAID
            last = [turn for turn in turns if solved.value(self.state(*turn)) == (1, 1)]
            themes["theme_echo"] = len({self.state(*turn) for turn in last}) < len(last) if last else UNSAID
        if outcome:
            themes["theme_promotion_race"] = agreed({all(sides) for sides in self.promoting(solved, state)})
            if plies <= LONG:
                lines = self.lines(solved, state)
                for name, is_there in FOLLOWED.items():
                    themes[name] = agreed({is_there(line) for line in lines}) if lines else UNSAID
        if outcome != 1:
            themes["theme_self_block"] = False
        return said(themes)

    @cache
    def variations(self, solved, state):
        """The sequences of defences that hold out longest."""
        found = set()
        for move in solved.best(state):
            replies = [None] if move.child is None else [reply.child for reply in solved.best(move.child)]
            after = [1 if reply is None else self.variations(solved, reply) for reply in replies]
            found.add(UNSAID if UNSAID in after else sum(after))
        return agreed(found)

    def turns_of_tree(self, solved, state):
        """The positions of the solver in a tree without duals; none if there are duals."""
        found, waiting = {state}, [state]
        while waiting:
            best = self.best_steps(solved, *waiting.pop())
            if len(best) > 1:
                return set()
            other = self.left(*best[0])
            for step in self.best_steps(solved, *other) if self.steps(*other) else []:
                turn = self.left(*step)
                if turn not in found and self.steps(*turn):
                    found.add(turn)
                    waiting.append(turn)
        return found

    @cache
    def promoting(self, solved, state):
        """Whether the side to move and the other one promote, for all best lines."""
        found = set()
        for move in solved.best(state):
            here = "promotion" in move.kinds
            after = self.promoting(solved, move.child) if move.child is not None else {(False, False)}
            found |= {(here or own, other) for other, own in after}
        return found

    def lines(self, solved, state):
        """All best lines as lists of from, to, taken or not, in squares of the solver; none if too many."""
        found, open_lines = [], [([], *state)]
        while open_lines:
            line, board, passed = open_lines.pop()
            for i, j, man, after in self.best_steps(solved, board, passed):
                ours = (i, j) if len(line) % 2 == 0 else (self.turned_square(i), self.turned_square(j))
                longer = [*line, (*ours, board[j] != "-" or board[i] == "P" and j == passed)]
                left = self.left(i, j, man, after)
                if self.steps(*left):
                    open_lines.append((longer, *left))
                else:
                    found.append(longer)
            if len(found) + len(open_lines) > MANY:
                return []
        return found

    @cache
    def best_steps(self, solved, board, passed):
        best = solved.value(self.state(board, passed))
        return [step for step in self.steps(board, passed) if self.value_of(solved, step) == best]

    def value_of(self, solved, step):
        """The value of a move for the side that makes it."""
        other = self.left(*step)
        if self.steps(*other):
            return before(solved.value(self.state(*other)))
        result = 1 if self.in_check(other[0]) else -self.stuck
        return result, 1 if result else None


def ending(name, men):
    """An ending of a file that is beside this one, or of one that ships."""
    here = Path(__file__).resolve().parent
    file = here / f"{name}.toml"
    if file.exists():
        return Chess(f"rules:{os.path.relpath(file)},{men}", file, men)
    return Chess(f"{name}:{men}", here.parents[2] / "src" / "games" / "pieces" / "shipped" / file.name, men)


def paths(line):
    """The squares of each man of the solver that moves, and the numbers of the moves it makes."""
    found = []
    for n, (i, j, _) in enumerate(line):
        if n % 2:
            found = [(squares, numbers, there and squares[-1] != j) for squares, numbers, there in found]
            continue
        for squares, numbers, there in found:
            if there and squares[-1] == i:
                squares.append(j)
                numbers.append(n // 2)
                break
        else:
            found.append(([i, j], [n // 2], True))
    return [(squares, numbers) for squares, numbers, _ in found]


def is_switchback(line):
    return any(one == other for squares, _ in paths(line) for one, other in zip(squares, squares[2:]))


def is_single_piece(line):
    return len(line[::2]) >= 3 and len(paths(line)) == 1


def is_long_march(line):
    for squares, numbers in paths(line):
        for n in range(len(numbers) - 3):
            if numbers[n + 3] == numbers[n] + 3 and len(set(squares[n : n + 5])) == 5:
                return True
    return False


def is_round_trip(line):
    for squares, _ in paths(line):
        back = next((n for n in range(2, len(squares)) if squares[n] == squares[n - 2]), len(squares))
        if squares[0] in squares[4:back]:
            return True
    return False


def is_self_block(line):
    """Whether the man that the last move of a win takes came there by the move before."""
    *_, (_, at, _), (_, to, takes) = [(None, None, False), *line]
    return takes and at == to


FOLLOWED = {
    "theme_self_block": is_self_block,
    "theme_switchback": is_switchback,
    "theme_single_piece": is_single_piece,
    "theme_long_march": is_long_march,
    "theme_round_trip": is_round_trip,
}
