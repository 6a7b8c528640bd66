"""Line-up games and games of filling squares from a file of rules, after the pages about them and the
sentences about their columns.

A board is a text of one sign a square, row by row from the top: `x` for a man of the side to move, `y`
for one of the other side, `.` for a free square. A state is the least image of a board; the men on it
say whether the side to move drops a man, and who is to move does not matter.
"""

import tomllib
from functools import cache
from itertools import combinations, permutations

from common import Move, Value, turns_of

SWAP = str.maketrans("xy", "yx")
STRAIGHT, SLANTED = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (-1, -1), (1, -1), (-1, 1)]
NO_MOVE = {"loss": -1, "draw": 0, "win": 1}


class LineUp:
    kinds = ("block", "threat", "fork", "quiet")
    tempting = frozenset({"block", "threat"})
    restricted = False

    def __init__(self, spec, file, diagonals=True):
        self.spec = spec + ":diagonals=none" * (not diagonals)
        rules = self.rules = tomllib.loads(file.read_text())
        self.columns, self.rows = rules["columns"], rules["rows"]
        self.drops = rules.get("drop_first", False)
        [piece] = rules["piece"]
        self.letters = piece["side_letters"]
        on_board = ["".join(rules["start"]).count(letter) for letter in self.letters]
        self.men = [len(hand) for hand in rules["hands"]] if self.drops else on_board
        self.way = piece["moves"].removeprefix("m")
        if not diagonals:
            rules["goal"][0]["directions"].remove("diagonal")
        self.squares = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        self.number = {square: i for i, square in enumerate(self.squares)}
        self.stuck = NO_MOVE[rules["no_move"]]
        self.steps = [self.steps_from(*square) for square in self.squares]
        self.goals = sorted({tuple(sorted(self.number[s] for s in goal)) for goal in self._goals()})
        self.turns = self._turns()
        assert "not_first" not in rules

    def steps_from(self, row, column):
        """The directions in which a square has a neighbour."""
        lined = not self.rules.get("alquerque") or (self.rows - 1 - row + column) % 2 == 0
        steps = STRAIGHT * (bool(set(self.way[-1:]) & set("WRKQ"))) + SLANTED * (bool(set(self.way[-1:]) & set("FBKQ")) and lined)
        return [(a, b) for a, b in steps if (row + a, column + b) in self.number]

    def _goals(self):
        """The sets of squares that win."""
        for rule in self.rules["goal"]:
            for row, column in self.squares:
                if "line" in rule:
                    shapes = [[(a * i, b * i) for i in range(rule["line"])] for a, b in self.lines(rule["directions"])]
                else:
                    shapes = self.corners(rule["square"])
                for shape in shapes:
                    goal = [(row + a, column + b) for a, b in shape]
                    if all(square in self.number for square in goal):
                        yield goal

    def lines(self, directions):
        steps = {"horizontal": [(0, 1)], "vertical": [(1, 0)], "orthogonal": [(0, 1), (1, 0)]}
        return [step for word in directions for step in steps.get(word, [(1, 1), (1, -1)])]

    def corners(self, word):
        """The corners of squares, as seen from one: sides (a, b) and that turned by a right angle."""
        sides = [(a, b) for a in range(1, self.rows) for b in range(self.columns)]
        fits = {"unit": lambda a, b: (a, b) == (1, 0), "upright": lambda a, b: b == 0, "any": lambda a, b: True}
        return [[(0, 0), (a, b), (-b, a), (a - b, b + a)] for a, b in sides if fits[word](a, b)]

    def _turns(self):
        """The symmetries of the board under which neighbours and goals stay the same."""
        # Squares are (row, column) here.
        ways = turns_of(self.rows, self.columns)
        turns = [[self.number[way(*square)] for square in self.squares] for way in ways]
        edges = {(i, self.number[row + a, column + b])
                 for i, (row, column) in enumerate(self.squares) for a, b in self.steps[i]}
        return [turn for turn in turns if {(turn[i], turn[j]) for i, j in edges} == edges
                and sorted(tuple(sorted(turn[i] for i in goal)) for goal in self.goals) == self.goals]

    # The game.

    @cache
    def state(self, board):
        return min("".join([board[i] for i in turn]) for turn in self.turns)

    def targets(self, board, i):
        """Where the man on a square can go."""
        if self.way == "U":
            return [j for j, sign in enumerate(board) if sign == "."]
        found = []
        for a, b in self.steps[i]:
            row, column = self.squares[i]
            j = self.number[row + a, column + b]
            if board[j] != ".":
                continue
            while self.way.startswith("u"):
                row, column = self.squares[j]
                further = self.number.get((row + a, column + b))
                if further is None or board[further] != ".":
                    break
                j = further
            found.append(j)
        return found

    def has_goal(self, board):
        return any(all(board[i] == "x" for i in goal) for goal in self.goals)

    def all_men(self, board):
        """How many men a side has that is to move."""
        return self.men[board.count("x") != board.count("y")]

    def dropping(self, board, men=None):
        return self.drops and board.count("x") < (men or self.all_men(board))

    @cache
    def plain_moves(self, board, men=None):
        """All moves: name, target, board after it as the mover sees it. A side that is not to move has
        so many men."""
        def put(board, i, sign):
            return board[:i] + sign + board[i + 1 :]
        if self.dropping(board, men):
            return [("M@" * (self.way != "") + self.name(i), i, put(board, i, "x")) for i, sign in enumerate(board) if sign == "."]
        return [(self.name(i) + self.name(j), j, put(put(board, i, "."), j, "x"))
                for i, sign in enumerate(board) if sign == "x" for j in self.targets(board, i)]

    def name(self, i):
        row, column = self.squares[i]
        return "abcdefghijklmnop"[column] + str(self.rows - row)

    @cache
    def ways(self, board, men=None):
        """The targets of the moves that complete a goal, one for each move."""
        return [j for _, j, after in self.plain_moves(board, men) if self.has_goal(after)]

    def moves(self, state):
        found = []
        for name, _, after in self.plain_moves(state):
            kinds, other = self.kinds_of(state, after), after.translate(SWAP)
            result = 1 if self.has_goal(after) else None if self.plain_moves(other) else -self.stuck
            found.append(Move(name, self.state(other) if result is None else None, result, kinds))
        return found

    def kinds_of(self, board, after):
        if self.has_goal(after):
            return frozenset()
        kinds, own = set(), self.ways(after, self.all_men(board))
        other = sum(self.men) - self.all_men(board)
        replies_before, replies = self.ways(board.translate(SWAP), other), self.ways(after.translate(SWAP), other)
        if len(replies) < len(replies_before):
            kinds.add("block")
        if len(own) > len(self.ways(board)):
            kinds.add("threat")
            if len(set(own)) > 1:
                kinds.add("fork")
        return frozenset(kinds or {"quiet"})

    def free(self, state):
        return state

    def passed(self, state):
        other = state.translate(SWAP)
        if self.dropping(state):
            return None  # The men on the board say whose turn it is: no position has the other side to move.
        if not self.plain_moves(other):
            return Value((-self.stuck, 1 if self.stuck else None))
        return self.state(other)

    def place(self, state):
        return state

    def static(self, state):
        return 0

    # The states.

    def listed(self):
        numbers = [tuple(self.men)]
        if self.drops:
            numbers += [(n, n + more) for n in range(self.men[0]) for more in (0, 1)]
        found, squares = set(), range(len(self.squares))
        for n, m in numbers:
            for own in combinations(squares, n):
                rest = [i for i in squares if i not in own]
                for other in combinations(rest, m):
                    board = "".join("x" if i in own else "y" if i in other else "." for i in squares)
                    if not (self.has_goal(board) or self.has_goal(board.translate(SWAP))) and self.plain_moves(board):
                        found.add(self.state(board))
        return found

    def read(self, row):
        board, *side = row["position"].split()
        men = board.replace("/", "").translate(str.maketrans(self.letters, "xy"))
        # Where sides only fill squares, the men tell who is to move.
        first = side == ["b"] if side else men.count("x") == men.count("y")
        return self.state(men if first else men.translate(SWAP))

    # The columns.

    def distance(self, board, all_men):
        """Least drops and steps, over a board otherwise free, to a goal in which the other side does not stand."""
        own = [i for i, sign in enumerate(board) if sign == "x"]
        hand = all_men - len(own) if self.drops else 0
        costs = []
        for goal in self.goals:
            if any(board[i] == "y" for i in goal):
                continue
            for men in set(permutations(own + [None] * hand, len(goal))):
                steps = [1 if man is None else self.walk(man).get(i) for man, i in zip(men, goal)]
                if None not in steps:
                    costs.append(sum(steps))
        return min(costs, default=None)

    @cache
    def walk(self, start):
        """The least steps of a man from a square to each other one, alone on the board."""
        if self.way == "U":
            return {i: int(i != start) for i in range(len(self.squares))}
        found, wave = {start: 0}, [start]
        for i in wave:
            row, column = self.squares[i]
            for j in [self.number[row + a, column + b] for a, b in self.steps[i]]:
                if j not in found:
                    found[j] = found[i] + 1
                    wave.append(j)
        return found

    def lacking(self, board, men):
        """Goals that the side to move lacks so many men of, with no man of the other side in them."""
        signs = ["".join(board[i] for i in goal) for goal in self.goals]
        return sum("y" not in goal and goal.count(".") == men for goal in signs)

    @cache
    def board(self, state, solved):
        columns = {"dropping": self.dropping(state)}
        for side, board in (("own", state), ("opp", state.translate(SWAP))):
            men = [self.squares[i] for i, sign in enumerate(board) if sign == "x"]
            rim = [s for s in men if s[0] in (0, self.rows - 1) or s[1] in (0, self.columns - 1)]
            columns[f"{side}_men"] = len(men)
            all_men = self.all_men(state) if side == "own" else sum(self.men) - self.all_men(state)
            columns[f"{side}_mobility"] = len(self.plain_moves(board, all_men))
            columns[f"{side}_threats"] = len(self.ways(board, all_men))
            columns[f"{side}_open_1"] = self.lacking(board, 1)
            columns[f"{side}_open_2"] = self.lacking(board, 2)
            columns[f"{side}_distance"] = self.distance(board, all_men)
            columns[f"{side}_on_rim"] = len(rim)
        columns["layer"] = f"{columns['own_men']}-{columns['opp_men']}"
        columns["phase"] = "drop" if columns["dropping"] else "move"
        columns["symmetries"] = sum(all(state[i] == state[j] for j, i in enumerate(turn)) for turn in self.turns)
        return columns
