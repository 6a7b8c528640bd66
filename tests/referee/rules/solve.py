"""Which positions a game of pieces has, and their values, by going backwards from the end of the game."""

from collections import defaultdict
from functools import cache
from itertools import combinations

from game import side_of
from notation import FREE, Position


class Solved:
    """The values of some positions and of all to which moves lead from them."""

    def __init__(self, game, positions):
        self.moves_of, self.value_of, before = {}, {}, defaultdict(list)
        waiting, wave = list(positions), []
        while waiting:
            position = waiting.pop()
            if position in self.moves_of:
                continue
            outcome = game.ended(position)
            moves = self.moves_of[position] = game.moves(position) if outcome is None else {}
            if not moves:
                outcome = game.stuck(position) if outcome is None else outcome
                self.value_of[position] = (outcome, 0 if outcome else None)
                wave += [position] if outcome else []
            for after in moves.values():
                before[after].append(position)
                waiting.append(after)
        open_moves = {position: len(moves) for position, moves in self.moves_of.items()}
        while wave:
            following = []
            for position in wave:
                outcome, plies = self.value_of[position]
                for parent in before[position]:
                    open_moves[parent] -= outcome == 1
                    if parent not in self.value_of and (outcome == -1 or open_moves[parent] == 0):
                        self.value_of[parent] = (-outcome, plies + 1)
                        following.append(parent)
            wave = following

    def value(self, position):
        """The outcome for the side to move, and the plies to the end, or None for a draw."""
        return self.value_of.get(position, (0, None))

    def values_of_moves(self, position):
        """By name, the values of all moves for the side to move."""
        values = {}
        for name, after in self.moves_of[position].items():
            outcome, plies = self.value(after)
            values[name] = (-outcome, None if plies is None else plies + 1)
        return values


class Table:
    """Which positions a table has: all ways to place some men, each once up to symmetry, without those in
    which the game has ended. Colours do not matter: here, side 0 is to move in all of them."""

    def __init__(self, game):
        self.game = game
        self.turned = [game.square(*game.seen(square, 0), 1) for square in game.squares]

    def as_first(self, position):
        """The position, or the same with exchanged colours."""
        if position.side == 0:
            return position
        board = "".join(position.board[square] for square in self.turned).swapcase()
        passed = self.turned[position.passed] if position.passed >= 0 else -1
        return Position(board, position.hands[::-1], 0, passed)

    def men(self, position):
        """The men on the board and in hand."""
        position = self.as_first(position)
        return "".join(sorted(position.board.replace(FREE, ""))), position.hands

    def image(self, position, all_men=True):
        """The least of all images of a position, which stands for them. The symmetries keep the rules for
        all that the men of the position may become, or else only for the men themselves."""
        position = self.as_first(position)
        letters = set((position.board + "".join(position.hands)).upper()) - {FREE}
        boards = []
        for way in self.ways(frozenset(letters), all_men):
            board = [FREE] * len(way)
            for square, sign in enumerate(position.board):
                board[way[square]] = sign
            boards.append(("".join(board), way[position.passed] if position.passed >= 0 else -1))
        board, passed = min(boards)
        return Position(board, position.hands, 0, passed)

    @cache
    def ways(self, letters, all_men):
        """The symmetries of the board that keep the rules for men with these letters."""
        game, more = self.game, letters if all_men else ()
        while more:
            pieces = [game.pieces[letter] for letter in letters]
            become = set("".join(piece.get("promotes_to", "") + piece.get("in_hand", "") for piece in pieces))
            more, letters = become - letters, letters | become
        f, r = game.columns - 1, game.rows - 1
        turns = [lambda x, y: (x, y), lambda x, y: (f - x, y)]
        turns += [lambda x, y, turn=turn: turn(x, r - y) for turn in turns[:]]
        if f == r:
            turns += [lambda x, y, turn=turn: turn(y, x) for turn in turns[:]]
        ways = [[game.square(*turn(*game.seen(square, 0))) for square in game.squares] for turn in turns]
        return [way for way in ways if self.keeps_rules(way, letters)]

    def keeps_rules(self, way, letters):
        game = self.game
        forbidden = {game.names.index(name) for name in game.rules.get("not_first", ())}
        for squares in (forbidden, {self.turned[square] for square in forbidden}):
            if {way[square] for square in squares} != squares:
                return False
        if {tuple(sorted(way[square] for square in goal)) for goal in game.goals} != game.goals:
            return False
        files_turned = way[-1] % game.columns == way[game.columns - 1] % game.columns
        for sign in filter(lambda sign: sign.upper() in letters, game.signs):
            if game.pieces[sign.upper()].get("one_per_file") and not files_turned:
                return False
            for square, image in enumerate(way):
                rays = {self.carried(ray, way) for ray in game.rays[sign][square]}
                if rays != set(game.rays[sign][image]) or self.marks(sign, square) != self.marks(sign, image):
                    return False
        return True

    @staticmethod
    def carried(ray, way):
        path = tuple((way[square], tuple(way[other] for other in between)) for square, between in ray.path)
        return ray._replace(path=path, passes=way[ray.passes] if ray.passes >= 0 else -1)

    def marks(self, sign, square):
        """What the rules say of a man on a square, but for its moves."""
        game, piece = self.game, self.game.pieces[sign.upper()]
        wins = piece.get("wins_on_far_rank") or sign.upper() == game.royal and game.attempt != "none"
        drops = game.in_hand and square in game.drops[sign]
        wins = wins and square in game.far[sign]
        return square in game.stands[sign], game.becomes[sign][square], drops, wins

    def listed(self, positions):
        """All positions with the men of some positions, and with those that moves lead to: images of them."""
        waiting, known, found = {self.men(position) for position in positions}, set(), set()
        while waiting:
            men = waiting.pop()
            known.add(men)
            for board in self.placed(FREE * len(self.game.squares), men[0]):
                plain = Position(board, men[1], 0)
                for position in [plain, *self.passing(plain)]:
                    image = self.image(position, all_men=False)
                    if image in found or self.game.check and self.game.in_check(board, 1):
                        continue
                    moves = self.game.moves(position) if self.game.ended(position) is None else {}
                    if moves:
                        found.add(image)
                    waiting |= {self.men(after) for after in moves.values()} - known
        return found

    def placed(self, board, signs):
        if not signs:
            yield board
            return
        rest = signs.lstrip(signs[0])
        free = [square for square in sorted(self.game.stands[signs[0]]) if board[square] == FREE]
        for squares in combinations(free, len(signs) - len(rest)):
            after = "".join(signs[0] if square in squares else sign for square, sign in enumerate(board))
            yield from self.placed(after, rest)

    def passing(self, plain):
        """The same position for each square that a man of side 1 may just have passed, and on which it can be
        captured."""
        game, board = self.game, plain.board
        for sign in filter(lambda sign: side_of(sign) and sign.upper() in game.passed, game.signs):
            rays = [ray for square in game.squares if board[square] == FREE for ray in game.rays[sign][square]]
            for ray in rays:
                if ray.passes >= 0 and board[ray.passes] == FREE and board[ray.path[0][0]] == sign:
                    position = plain._replace(passed=ray.passes)
                    if game.moves(position).keys() != game.moves(plain).keys():
                        yield position
