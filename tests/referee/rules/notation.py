"""What people write in games of pieces: moves of men in the notation of Betza, and positions in FEN or as
in Dobutsu shogi, after the page about games of pieces.
"""

import re
from typing import NamedTuple

FREE = "."
ENDLESS = 99
STRAIGHT, DIAGONAL = [(0, 1)], [(1, 1)]
ATOMS = {"W": STRAIGHT, "F": DIAGONAL, "D": [(0, 2)], "A": [(2, 2)], "H": [(0, 3)], "G": [(3, 3)]}
ATOMS |= {"N": [(1, 2)], "C": [(1, 3)], "L": [(1, 3)], "Z": [(2, 3)], "J": [(2, 3)], "K": STRAIGHT + DIAGONAL}
ATOMS |= {"R": STRAIGHT, "B": DIAGONAL, "Q": STRAIGHT + DIAGONAL}
WAYS = {"f": (1, 1), "b": (1, -1), "r": (0, 1), "l": (0, -1)}  # The coordinate, and its sign.
SIDES = {"white-black": "wb", "black-white": "bw", "sente-gote": "sg", "x-o": ""}


class Position(NamedTuple):
    board: str  # One sign for each square: a letter, a capital for the side that begins, or FREE.
    hands: tuple  # The letters in hand of each side, sorted.
    side: int
    passed: int = -1  # The square that a man has just passed, for captures en passant.


def steps(text):
    """The steps of Betza's notation: (right, forward), or None for any other square; the most times; the
    small letters."""
    for small, atom, again, times in re.findall(r"([a-z]*)([A-Z])(\2?)(\d*)", text):
        most = int(times) if times else ENDLESS if again or atom in "RBQ" else 1
        ways = "".join(letter for letter in small if letter in "fblrvsh")
        ways = ways.replace("v", "fb").replace("s", "lr")
        for base in ATOMS.get(atom, [None]):
            for offset in directed(base, ways) if base else [None]:
                yield offset, most, small


def directed(base, ways):
    """The steps in all directions that the letters leave."""
    a, b = base
    found = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}

    def leads(step, way):
        axis, sign = WAYS[way]
        return step[axis] * sign > 0

    def mostly(step, way):
        axis = WAYS[way][0]
        return leads(step, way) and abs(step[axis]) > abs(step[1 - axis])

    if not ways:
        return found
    if a == b:  # Letters for one coordinate leave the other one free.
        pairs = [[way for way in ways if way in pair] for pair in ("fb", "lr")]
        return {step for step in found
                if all(not pair or any(leads(step, way) for way in pair) for pair in pairs)}
    if a == 0:
        return {step for step in found if any(leads(step, way) for way in ways)}
    if ways in ("fh", "bh"):
        return {step for step in found if leads(step, ways[0])}
    if ways in ("flr", "blr"):  # fsN, bsN
        return {step for step in found if leads(step, ways[0]) and not mostly(step, ways[0])}
    return {step for step in found if any(mostly(step, way) for way in ways)}


def start(game):
    rows = "".join(reversed(game.rules["start"])).replace("-", FREE)
    board = "".join(game.meant.get(sign, sign) for sign in rows)
    return Position(board, tuple("".join(sorted(hand)) for hand in game.rules.get("hands", ("", ""))), 0)


def write(game, position):
    board, (own, other) = position.board, position.hands
    ranks = [board[i : i + game.columns] for i in range(0, len(board), game.columns)][::-1]
    hands = own + other.lower()
    if game.clausecker:
        return "/".join(["SG"[position.side], *ranks, hands or "-"]).replace(FREE, "-")
    text = "/".join("".join(game.shown.get(sign, sign) for sign in rank) for rank in ranks)
    if not game.own_letters:
        text = re.sub(r"\.+", lambda free: str(len(free[0])), text)
    if game.brackets:
        text += f"[{hands}]"
    if not game.only_drops:
        text += " " + SIDES[game.rules.get("sides", "white-black")][position.side]
    if game.passing:
        text += " - " + (game.names[position.passed] if position.passed >= 0 else "-")
    return text


def read(game, text):
    if game.clausecker:
        side, *ranks, hand = text.replace("-", FREE).split("/")
        return Position("".join(reversed(ranks)), hands_of(hand.strip(FREE)), "SG".index(side))
    fields = text.split()
    ranks, _, hand = fields[0].rstrip("]").partition("[")
    ranks = re.sub(r"\d+", lambda free: FREE * int(free[0]), ranks).split("/")
    board = "".join(game.meant.get(sign, sign) for rank in reversed(ranks) for sign in rank)
    begun = start(game) if "start" in game.rules else None
    if game.in_hand and not game.brackets:
        # No man ever leaves the game or changes, so that those that are not on the board are in hand.
        men = begun.board + begun.hands[0] + begun.hands[1].lower()
        hand = "".join(sign * (men.count(sign) - board.count(sign)) for sign in game.signs)
    if game.only_drops:
        side = (begun.board.count(FREE) - board.count(FREE)) % 2
    else:
        side = SIDES[game.rules.get("sides", "white-black")].index(fields[1])
    passed = game.names.index(fields[3]) if len(fields) > 3 and fields[3] != "-" else -1
    return Position(board, hands_of(hand), side, passed)


def hands_of(text):
    signs = sorted(text)
    return "".join(filter(str.isupper, signs)), "".join(filter(str.islower, signs)).upper()
