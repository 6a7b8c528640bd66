"""Random rules of games of pieces, as the text of a file.

Every key of the page about games of pieces occurs but those of castling, which tests compare with another
program. What the page leaves open is left out:
 - `U` together with `alquerque`, and directions of `U`;
 - men that slide as far as they can (`u`) and cannot stand everywhere;
 - men that win on their far rank and cannot stand there, or promote, or are promoted to;
 - `try = "held"` together with another way to win, which the other side could fulfil in between;
 - `side_letters` where men in hand are written in brackets, and sides X and O where men move;
 - `e` but for pawns of chess, and other men with double steps beside these;
 - promoted men that begin in hand in the notation of Dobutsu shogi;
 - three directions of a diagonal step, as in `flrF`;
 - endings in which a side has only its royal man, and has lost by `bare_loses`.
"""

from math import comb, prod

from notation import ATOMS, steps

KINDS = {"G": "goat", "S": "sword", "P": None, "Q": None, "N": None}
MOVERS = "WWFFKKNNRBQDAHGCLZJU"
OBLIQUE = ["f", "b", "l", "r", "v", "s", "fs", "bs", "fh", "bh"]
DIAGONAL = ["f", "f", "b", "l", "r", "v", "s", "fs", "bs", "fl", "fr", "bl", "lb"]
STRAIGHT = DIAGONAL + ["flr", "rbl"]
PAWNS = ["mfWcefFimfnD", "mfWcefFimfnD", "mfWefFimfnD", "fWefFmifnD"]
MANY = 10_000  # Positions of a file, roughly.


def random_rules(random):
    """The text of the rules of a small game, and the men of an ending or nothing."""
    while True:
        writer = Writer(random)
        men = writer.write()
        if writer.size(men) <= MANY:
            return writer.text(), men


class Writer:
    def __init__(self, random):
        self.random, self.game, self.pieces, self.goals = random, {"title": "Random rules"}, [], []
        sizes = [(columns, rows) for columns in range(1, 6) for rows in range(2, 7)]
        sizes = [(columns, rows) for columns, rows in sizes if 3 < columns * rows < 21]
        self.columns, self.rows = self.game["columns"], self.game["rows"] = random.choice(sizes)
        self.squares = [file + str(rank + 1) for rank in range(self.rows) for file in "abcde"[: self.columns]]

    def maybe(self, chance):
        return self.random.random() < chance

    def span(self, first, last, least=1):
        """Some ranks from the first to the last, `least` of them or more."""
        low = self.random.randint(first, last - least + 1)
        return [low, self.random.randint(low + least - 1, last)]

    # How men move.

    def step(self, taken):
        """One atom with its small letters, or nothing if it leads where another one leads."""
        random = self.random
        atom, mode = random.choice(MOVERS), random.choice(["", "", "m", "c"])
        if atom == "U" and "alquerque" in self.game or atom == "D" and self.passing:
            return ""
        times = random.choice(["", "", "2", "3"]) if atom not in "CLZJU" else ""
        if times and atom in "WFNDAHG" and self.maybe(0.3):
            times = atom
        ways = random.choice(OBLIQUE if atom in "NCLZJ" else STRAIGHT if atom in "WDHR" else DIAGONAL)
        ways = "" if atom == "U" or self.maybe(0.6) else ways[0] if atom in "KQ" else ways
        most = 6 if times == atom or atom in "RBQ" and not times else int(times or 1)
        offsets = {(x * n, y * n) for x, y in ATOMS.get(atom, [(0, 0)]) for n in range(1, most + 1)}
        reach = {(mark, *offset) for mark in mode or "mc" for offset in offsets}
        if reach & taken or taken and atom == "U":
            return ""
        taken |= reach
        small = [ways, mode]
        if self.maybe(0.12):
            small.append("i")
        elif mode == "m" and most > 1 and not self.masks and self.maybe(0.8):
            small.append("u")
        if atom in "DAHG" and not times and self.maybe(0.4):
            small.append("n")
        return "".join(random.sample(small, len(small))) + atom + times

    def moves(self):
        taken, text, most = set(), "", self.random.choice([1, 1, 2, 2, 3])
        while not text or self.maybe(0.5) and most > 1:
            text, most = text + self.step(taken), most - 1
        return text

    # The pieces.

    def piece(self, letter, further):
        """A piece; it may promote to letters that come further on."""
        random, piece = self.random, {"letter": letter}
        if KINDS.get(letter) or self.maybe(0.2):
            piece["name"] = KINDS.get(letter) or "man" + letter.lower()
        if letter == "K":
            piece |= {"royal": True, "moves": random.choice(["K", "W", "F", "WfF", "FfW", self.moves()])}
        elif self.passing and letter == self.pawn:
            piece["moves"] = random.choice(PAWNS)
        else:
            piece["moves"] = self.moves()
        if letter != "K":
            self.promotion(piece, further)
        first, last = 1, self.rows
        if self.masks and self.maybe(0.3) and not piece.get("wins_on_far_rank"):
            if self.maybe(0.5):
                first, last = piece["ranks"] = self.span(1, self.rows, 2)
            else:
                piece["squares"] = sorted(random.sample(self.squares, len(self.squares) * 3 // 4))
        if "i" in piece["moves"] and (self.maybe(0.5) or not first <= 2 <= last):
            last -= 3 * ("e" in piece["moves"])  # Double steps do not end on the far rank.
            piece["initial_rank"] = random.randint(first, max(first, last))
        return piece

    def promotion(self, piece, further):
        if further and self.maybe(0.5):
            many = self.random.randint(1, len(further))
            piece["promotes_to"] = "".join(self.random.sample(further, many))
            self.promoted |= set(piece["promotes_to"])
            if self.maybe(0.3):
                piece["promotion_ranks"] = self.random.randint(1, min(3, self.rows - 1))
            if self.maybe(0.4):
                piece["promotion_optional"] = True
        elif self.alone_wins and piece["letter"] not in self.promoted and self.maybe(0.25):
            piece["wins_on_far_rank"] = True

    def hand_rules(self, piece, letters):
        """What holds for men in hand and those that are dropped."""
        if self.maybe(0.3):
            piece["drop_ranks"] = self.span(*piece.get("ranks", (1, self.rows)))
        if self.maybe(0.2):
            piece["one_per_file"] = True
        if self.game.get("check") and self.maybe(0.5):
            piece["no_drop_mate"] = True
        others = [letter for letter in letters if letter not in ("K", piece["letter"])]
        if self.keeps and others and self.maybe(0.9):
            piece["in_hand"] = self.random.choice(others)

    # The game.

    def write(self):
        """Chooses all rules; gives the men of an ending or nothing."""
        random, game = self.random, self.game
        if self.maybe(0.05):
            return self.filling()
        royal = self.maybe(0.7)
        letters = ["K"] * royal + random.sample(sorted(KINDS), random.choice([1, 1, 2, 2, 3]))
        self.passing, self.pawn, self.promoted = self.rows > 4 and self.maybe(0.4), letters[royal], set()
        self.keeps, self.masks = not self.passing and self.maybe(0.45), self.maybe(0.4)
        game["no_move"] = random.choice(["loss", "draw", "win", "pass"])
        if game["no_move"] == "pass" and self.maybe(0.5):
            game["may_pass"] = True
        if self.maybe(0.1):
            game["text"] = "Made by a program."
        if self.maybe(0.4):
            game["opponent"] = "rotated"
        if self.maybe(0.15):
            game["alquerque"] = True
        if self.maybe(0.2):
            game["sides"] = random.choice(["black-white", "sente-gote"])
        if self.keeps:
            game["captured"] = "hand"
        if royal and self.maybe(0.5):
            game["check"] = True
        if royal and self.maybe(0.5):
            game["try"] = random.choice(["any", "safe"] if "check" in game else ["any", "safe", "held"])
        self.alone_wins = game.get("try") != "held"
        if self.alone_wins and self.maybe(0.4):
            game["bare_loses" if royal else "no_pieces_loses"] = True
        men = self.ending(letters) if royal and self.maybe(0.15) else self.begin(letters)
        for place, letter in enumerate(letters):
            winners = [piece["letter"] for piece in self.pieces if "wins_on_far_rank" in piece]
            further = [other for other in letters[place + 1 :] if other not in winners]
            self.pieces.append(self.piece(letter, further))
            if letter != "K" and (self.keeps or letter in "".join(game.get("hands", ()))):
                self.hand_rules(self.pieces[-1], letters)
        quiet = all("m" in small for _, _, small in steps(self.pieces[0]["moves"]))
        if len(letters) == 1 and "start" in game and (quiet or not self.keeps and "hands" not in game):
            self.pieces[0]["side_letters"] = "bw"
            signs = str.maketrans(letters[0] + letters[0].lower() + "-", "bw.")
            game["start"] = [row.translate(signs) for row in game["start"]]
        if self.keeps and royal and self.maybe(0.3):
            self.as_in_dobutsu()
        return men

    def as_in_dobutsu(self):
        """Writes positions as in Dobutsu shogi, where men in hand are what they were before they promoted."""
        before = {piece["promotes_to"][0]: piece["letter"] for piece in self.pieces if "promotes_to" in piece}
        if set("".join(self.game.get("hands", ""))) & set(before):
            return
        self.game |= {"sides": "sente-gote", "notation": "clausecker"}
        for piece in self.pieces:
            piece.pop("in_hand", None)
            if "promotes_to" in piece:
                piece["promotes_to"] = piece["promotes_to"][0]
            if piece["letter"] in before:
                piece["in_hand"] = before[piece["letter"]]

    def ending(self, letters):
        self.game["endings"] = True
        more = [[letter for letter in letters[1:] if self.maybe(0.5)] for _ in (0, 1)]
        for side in more[: 1 + ("bare_loses" in self.game)]:
            side += letters[1:2] * (not side)
        return "-".join("K" + "".join(side) for side in more)

    def begin(self, letters):
        """Puts men on the board and into hands, and chooses the goals."""
        random, board = self.random, ["-"] * len(self.squares)
        others = [letter for letter in letters if letter != "K"]
        numbers = [random.choice([1, 1, 2, 2, 3, 4]) for _ in (0, 1)]
        men = [["K"] * ("K" in letters) + random.choices(others, k=number) for number in numbers]
        if self.maybe(0.6):
            men[1] = men[0]
        hands, share = ["", ""], random.choice([0, 0, 0.5, 1])
        for side in (0, 1):
            hands[side] = "".join(letter for letter in men[side] if letter != "K" and self.maybe(share))
        if any(hands):
            self.game["hands"] = hands
        if (any(hands) or self.keeps) and not self.passing and self.maybe(0.4):
            self.game["drop_first"] = True
        for side in (0, 1):
            here = list(men[side])
            for letter in hands[side]:
                here.remove(letter)
            half = len(board) // 2
            for letter, square in zip(here, random.sample(range(half), min(half, len(here)))):
                board[-1 - square if side else square] = letter.lower() if side else letter
        rows = [board[i : i + self.columns] for i in range(0, len(board), self.columns)]
        self.game["start"] = ["".join(row) for row in reversed(rows)]
        if set(board) == {"-"} and self.maybe(0.5):
            self.game["not_first"] = random.sample(self.squares, random.randint(1, 3))
        if self.alone_wins and min(self.columns, self.rows) > 1 and self.maybe(0.2):
            self.game["cornered_wins"] = True
        most = max(map(len, men))
        if self.alone_wins and self.maybe(0.1 if "K" in letters else 0.6) and most > 1:
            self.goals = [self.goal(most) for _ in range(random.choice([1, 1, 2]))]
        return ""

    def goal(self, most):
        if most > 3 and self.maybe(0.6):
            return {"square": self.random.choice(["unit", "upright", "any", "board"])}
        lengths = {"horizontal": self.columns, "vertical": self.rows}
        lengths |= dict.fromkeys(["orthogonal", "diagonal"], min(self.columns, self.rows))
        fitting = [word for word in lengths if lengths[word] > 1]
        directions = self.random.sample(fitting, min(len(fitting), self.random.choice([1, 1, 2])))
        longest = min(most, *(lengths[word] for word in directions))
        return {"line": self.random.randint(2, longest), "directions": directions}

    def filling(self):
        """A game of which men are only dropped."""
        random = self.random
        many = random.randint(2, min(5, len(self.squares) // 2))
        self.game |= {"no_move": random.choice(["loss", "draw", "win"]), "drop_first": True}
        self.game["sides"] = random.choice(["x-o", "white-black"])
        self.game["start"] = ["." * self.columns] * self.rows
        self.game["hands"] = ["M" * many, "M" * random.choice([many - 1, many])]
        self.pieces = [{"letter": "M", "side_letters": "xo", "name": "man", "moves": ""}]
        self.goals = [self.goal(many)]
        return ""

    def size(self, men):
        """Roughly how many positions the game has: the places of each man, in all its kinds, or none."""
        begun = men or "".join([*self.game["start"], *self.game.get("hands", ())]).upper()
        promotes = {piece["letter"]: piece.get("promotes_to", "") for piece in self.pieces}
        counts = {letter: begun.count(letter) for letter in {*begun} - {*"-."}}

        def places(letter):
            if letter == "K":
                return len(self.squares)
            kinds, sides = 1 + len(promotes.get(letter, "")), 1 + ("captured" in self.game)
            return sides * (len(self.squares) * kinds + 1)

        return prod(comb(places(letter), many) * comb(many, many // 2) for letter, many in counts.items())

    def text(self):
        lines = [f"{key} = {toml(value)}" for key, value in self.game.items()]
        for head, tables in (("[[piece]]", self.pieces), ("[[goal]]", self.goals)):
            for table in tables:
                lines += ["", head] + [f"{key} = {toml(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'
