# The program that a comment under the article "Formulas that play" proposes, retold: squares are
# 0 to 8 from the upper left, the player's in bits 0 to 8, the program's in bits 9 to 17.
# DIAGONALS are "easy enough to add", says the comment; it has none.
DIAGONALS = False


def third(a):
    # The third square of three of which two are taken, else 0.
    count = a - a // 2 - a // 4
    return (~a & 7) * (count // 2 * (1 - count & 1))


def zero(a):
    return (a - 1 & 262143) // 262143


def column(a):
    s = third((a & 1) + 2 * (a >> 3 & 1) + 4 * (a >> 6 & 1))
    return (s & 1) + 4 * (s & 2) + 16 * (s & 4)


def completed(a):
    rows = [third(a >> 3 * i & 7) << 3 * i for i in range(3)]
    columns = [column(a >> i) << i for i in range(3)]
    found = rows + columns
    if DIAGONALS:
        for squares in ((0, 4, 8), (2, 4, 6)):
            s = third(sum((a >> square & 1) << i for i, square in enumerate(squares)))
            found.append(sum((s >> i & 1) << square for i, square in enumerate(squares)))
    return next((square for square in found if square), 0)


def chosen(n):
    block = completed(n & 511)
    win = completed(n >> 9)
    taken = n | n >> 9
    free = ~taken & (taken + 1)
    return win + block * zero(win) + free * zero(win) * zero(block)


def best_move(n):
    # The comment answers with a bit; two or more bits, or one beyond the board, are no square.
    bit = chosen(n)
    return bit.bit_length() - 1 if bit & bit - 1 == 0 and 0 < bit < 512 else 99
