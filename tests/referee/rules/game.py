"""The rules of a game of pieces, written a second time from the page about them.

A square is a number, row by row from the lower left corner. A man is a sign: its letter, a capital for
side 0, which begins. Each side sees the board with its own home rank at the bottom.
"""

import tomllib
from typing import NamedTuple

from notation import FREE, Position, steps

FILES = "abcdefghijklmnop"
LINES = {"horizontal": [(1, 0)], "vertical": [(0, 1)]}
LINES |= {"orthogonal": [(1, 0), (0, 1)], "diagonal": [(1, 1), (1, -1)]}
NO_MOVE = {"loss": -1, "draw": 0, "win": 1, "pass": 0}


class Ray(NamedTuple):
    """Squares that a man reaches one after the other, each with those between that must be free."""

    path: tuple
    moves: bool
    captures: bool
    en_passant: bool
    furthest: bool
    passes: int  # The square that a double step passes, or -1.


def side_of(sign):
    return int(sign.islower())


class Game:
    def __init__(self, text):
        rules = self.rules = tomllib.loads(text)
        self.columns, self.rows = rules["columns"], rules["rows"]
        self.squares = range(self.columns * self.rows)
        self.clausecker = rules.get("notation") == "clausecker"
        ranks = range(self.rows, 0, -1) if self.clausecker else range(1, self.rows + 1)
        self.names = [FILES[x] + str(rank) for rank in ranks for x in range(self.columns)]
        self.pieces = {piece["letter"]: piece for piece in rules["piece"]}
        self.signs = [sign for letter in self.pieces for sign in (letter, letter.lower())]
        self.royal = next((letter for letter, piece in self.pieces.items() if piece.get("royal")), None)
        self.check, self.attempt = rules.get("check", False), rules.get("try", "none")
        self._letters()
        self.stands = self._where(self._can_stand)
        self.drops = self._where(self._can_be_dropped)
        self.far = self._where(self._is_far)
        self.becomes = self._on_each(self._becoming)
        self.rays = self._on_each(self._rays)
        last = len(self.squares) - 1
        self.corners = [0, self.columns - 1, last - self.columns + 1, last]
        self.goals = {tuple(sorted(goal)) for rule in rules.get("goal", ()) for goal in self._goals(rule)}

    def _letters(self):
        """How men are shown, and what a position has to say."""
        pieces = self.pieces.items()
        self.shown = {}
        for letter, piece in pieces:
            both = letter + letter.lower()
            self.shown |= zip(both, piece.get("side_letters", both))
        self.meant = {shown: sign for sign, shown in self.shown.items()}
        self.own_letters = any("side_letters" in piece for piece in self.pieces.values())
        self.steps = {letter: list(steps(piece["moves"])) for letter, piece in pieces}
        small = {letter: "".join(step[2] for step in self.steps[letter]) for letter in self.pieces}
        # The kinds that are captured en passant.
        self.passed = {letter for letter in small if "e" in small[letter]}
        self.passing = bool(self.passed)
        self.only_drops = not any(self.steps.values())
        self.keeps = self.rules.get("captured") == "hand"
        self.in_hand = self.keeps or any(self.rules.get("hands", ()))
        capture = any("c" in step[2] or "m" not in step[2] for kind in self.steps.values() for step in kind)
        self.brackets = self.in_hand and (capture or any("promotes_to" in piece for _, piece in pieces))

    def _where(self, test):
        return {sign: {square for square in self.squares if test(sign, square)} for sign in self.signs}

    def _on_each(self, find):
        return {sign: [list(find(sign, square)) for square in self.squares] for sign in self.signs}

    # The board.

    def seen(self, square, side):
        """File and rank of a square, from 0, as a side sees them."""
        y, x = divmod(square, self.columns)
        if side == 0:
            return x, y
        rotated = self.rules.get("opponent") == "rotated"
        return (self.columns - 1 - x if rotated else x), self.rows - 1 - y

    def square(self, x, y, side=0):
        """The square on this file and rank as a side sees them, or None outside the board."""
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            return None
        x, y = self.seen(y * self.columns + x, side)  # To turn a board twice changes nothing.
        return y * self.columns + x

    def _can_stand(self, sign, square):
        piece = self.pieces[sign.upper()]
        x, y = self.seen(square, side_of(sign))
        first, last = piece.get("ranks", (1, self.rows))
        name = self.names[x + y * self.columns]
        return first <= y + 1 <= last and name in piece.get("squares", [name])

    def _can_be_dropped(self, sign, square):
        piece, rank = self.pieces[sign.upper()], self.seen(square, side_of(sign))[1] + 1
        first, last = piece.get("drop_ranks", (1, self.rows))
        wins = piece.get("wins_on_far_rank") and rank == self.rows
        return self._can_stand(sign, square) and first <= rank <= last and not wins

    def _is_far(self, sign, square):
        return self.seen(square, side_of(sign))[1] == self.rows - 1

    def _becoming(self, sign, square):
        """What a man may be after a move to a square: nothing if it cannot go there."""
        piece, side = self.pieces[sign.upper()], side_of(sign)
        first = self.rows - piece.get("promotion_ranks", 1)
        if "promotes_to" in piece and self.seen(square, side)[1] >= first:
            others = [letter.lower() if side else letter for letter in piece["promotes_to"]]
            yield from (other for other in others if square in self.stands[other])
            if not piece.get("promotion_optional"):
                return
        if square in self.stands[sign]:
            yield sign

    # How men move.

    def _rays(self, sign, square):
        letter, side = sign.upper(), side_of(sign)
        x, y = self.seen(square, side)
        for offset, most, small in self.steps[letter]:
            if "i" in small and y + 1 != self.pieces[letter].get("initial_rank", 2):
                continue
            plain = not set(small) & set("mce")
            marks = [plain or "m" in small, plain or "c" in small, "e" in small, "u" in small]
            if offset is None:
                yield from (Ray(((other, ()),), *marks, -1) for other in self.squares if other != square)
                continue
            a, b = offset
            if abs(a) == abs(b) and self.rules.get("alquerque") and (x + y) % 2:
                continue
            path, hops = [], max(abs(a), abs(b)) if "n" in small else 1
            for n in range(most):
                on = range(n * hops + 1, (n + 1) * hops + 1)
                *between, target = [self.square(x + a * k // hops, y + b * k // hops, side) for k in on]
                if target is None:
                    break
                path.append((target, tuple(between)))
            if path:
                passes = self.square(x, y + 1, side) if offset == (0, 2) and letter in self.passed else -1
                yield Ray(tuple(path), *marks, passes)

    def targets(self, board, square, passed=-1):
        """Where the man on a square can go, the square of the man that it captures, and the square that it
        passes, or -1."""
        sign = board[square]
        side, becomes = side_of(sign), self.becomes[sign]
        for ray in self.rays[sign][square]:
            found = []
            for target, between in ray.path:
                if any(board[other] != FREE for other in between):
                    break
                if board[target] != FREE:
                    if ray.captures and side_of(board[target]) != side:
                        found.append((target, target, -1))
                    break
                if ray.moves:
                    found.append((target, -1, ray.passes))
                if ray.en_passant and target == passed:
                    x, y = self.seen(target, side)
                    found.append((target, self.square(x, y - 1, side), -1))
            yield from (move for move in (found[-1:] if ray.furthest else found) if becomes[move[0]])

    def men(self, board, side):
        return [(square, sign) for square, sign in enumerate(board) if sign != FREE and side_of(sign) == side]

    def attacked(self, board, square):
        """Whether the man on a square can be captured."""
        others = self.men(board, 1 - side_of(board[square]))
        return any(captured == square for other, _ in others for _, captured, _ in self.targets(board, other))

    def in_check(self, board, side):
        royal = self.royal and (self.royal.lower() if side else self.royal)
        return bool(royal) and royal in board and self.attacked(board, board.index(royal))

    def moves(self, position):
        """The legal moves: by their names the positions that they lead to."""
        royal_captures, moves, drops = {}, {}, {}
        for square, sign in self.men(position.board, position.side):
            for target, captured, passed in self.targets(position.board, square, position.passed):
                victim = position.board[captured].upper() if captured >= 0 else ""
                choices, kind = self.becomes[sign][target], moves
                if victim and victim == self.royal:
                    # The page does not say whether a man that ends the game may choose what it becomes.
                    choices, kind = [sign] if sign in choices else choices[:1], royal_captures
                for other in choices:
                    name = self._move_name(sign, square, target, victim, other)
                    kind[name] = self._after(position, square, target, captured, other, passed)
        if royal_captures and not self.check:
            return royal_captures
        hand = position.hands[position.side]
        for letter in dict.fromkeys(hand):
            drops |= self._dropping(position, letter)
        moves = drops if hand and self.rules.get("drop_first") else moves | drops
        if self.check:
            side = position.side
            moves = {name: after for name, after in moves.items() if not self.in_check(after.board, side)}
        passes = self.rules["no_move"] == "pass" and (not moves or self.rules.get("may_pass"))
        if passes and not (self.check and self.in_check(position.board, position.side)):
            moves["pass"] = Position(position.board, position.hands, 1 - position.side)
        return moves

    def _move_name(self, sign, square, target, victim, other):
        promoted = other != sign
        if self.clausecker:
            letter = self.pieces[sign.upper()].get("in_hand", sign.upper())
            mark = "x" if victim else "-"
            return letter + self.names[square] + mark + self.names[target] + "+" * promoted
        return self.names[square] + self.names[target] + other.lower() * promoted

    def _after(self, position, square, target, captured, sign, passed):
        board, hands = list(position.board), list(position.hands)
        board[square] = FREE
        if captured >= 0:
            victim, board[captured] = board[captured].upper(), FREE
            if self.keeps and victim != self.royal:
                kept = self.pieces[victim].get("in_hand", victim)
                hands[position.side] = "".join(sorted(hands[position.side] + kept))
        board[target] = sign
        return Position("".join(board), tuple(hands), 1 - position.side, passed)

    def _dropping(self, position, letter):
        board, side, hands = position.board, position.side, list(position.hands)
        sign, alone = letter.lower() if side else letter, self.pieces[letter].get("one_per_file")
        hands[side] = hands[side].replace(letter, "", 1)
        forbidden = self.rules.get("not_first", ()) if set(board) == {FREE} else ()
        mark = "" if self.only_drops else letter + "*" if self.clausecker else letter + "@"
        drops = {}
        for square in self.drops[sign]:
            doubled = alone and sign in board[square % self.columns :: self.columns]
            if board[square] == FREE and not doubled and self.names[square] not in forbidden:
                after = board[:square] + sign + board[square + 1 :]
                drops[mark + self.names[square]] = Position(after, tuple(hands), 1 - side)
        if self.pieces[letter].get("no_drop_mate"):
            drops = {name: after for name, after in drops.items() if not self._is_mate(after)}
        return drops

    def _is_mate(self, position):
        over = self.ended(position) is not None
        return not over and self.in_check(position.board, position.side) and not self.moves(position)

    # The end of the game.

    def ended(self, position):
        """The outcome for the side to move if what stands on the board has ended the game, else None."""
        for side, outcome in ((1 - position.side, -1), (position.side, 1)):
            if self._has_won(position, side):
                return outcome
        return None

    def _has_won(self, position, side):
        board, own = position.board, self.men(position.board, side)
        others = len(self.men(board, 1 - side)) + len(position.hands[1 - side])
        if self.royal:
            both = self.royal, self.royal.lower()
            royal, victim = both[side], both[1 - side]
            if victim not in board or self.rules.get("bare_loses") and others == 1:
                return True
            if self.attempt != "none" and any((square, royal) in own for square in self.far[royal]):
                # The royal man of the side to move was not captured.
                safe = self.attempt == "safe" and not self.in_check(board, side)
                if self.attempt == "any" or safe or position.side == side:
                    return True
        if self.rules.get("no_pieces_loses") and others == 0:
            return True
        far = [sign for square, sign in own if square in self.far[sign]]
        if any(self.pieces[sign.upper()].get("wins_on_far_rank") for sign in far):
            return True
        squares = {square for square, _ in own}
        if self.rules.get("cornered_wins") and any(map(self._surrounded, [position.board] * 4, self.corners, [side] * 4)):
            return True
        return any(squares.issuperset(goal) for goal in self.goals)

    def _surrounded(self, board, corner, side):
        """Whether a man of a side stands in a corner, and men of the other one on all squares beside it."""
        x, y = self.seen(corner, 0)
        beside = [self.square(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
        here, *others = [board[square] for square in [corner, *(square for square in beside if square is not None)]]
        return here != FREE and side_of(here) == side and all(other != FREE and side_of(other) != side for other in others)

    def stuck(self, position):
        """The outcome of a side that cannot move."""
        if self.check and self.in_check(position.board, position.side):
            return -1
        return NO_MOVE[self.rules["no_move"]]

    def _goals(self, rule):
        """The sets of squares that win."""
        if "line" in rule:
            ways = [way for word in rule["directions"] for way in LINES[word]]
            shapes = [[(a * n, b * n) for n in range(rule["line"])] for a, b in ways]
        elif rule["square"] == "board":
            yield self.corners
            return
        else:
            # A side of the square, and the same turned by a right angle.
            most, tilt = {"unit": (1, 0), "upright": (99, 0), "any": (99, 99)}[rule["square"]]
            longest = self.columns - 1
            sides = [(a, b) for a in range(1, min(most, longest) + 1) for b in range(min(tilt, longest) + 1)]
            shapes = [[(0, 0), (a, b), (a - b, b + a), (-b, a)] for a, b in sides]
        for square in self.squares:
            x, y = self.seen(square, 0)
            goal = [[self.square(x + a, y + b) for a, b in shape] for shape in shapes]
            yield from (squares for squares in goal if None not in squares)
