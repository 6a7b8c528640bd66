# sliding:2x2: a best move in every state.
# n: the squares row by row from the top as digits in base 4, the blank being 0.
# best_move(n): the blank goes 0 down, 1 left, 2 up, 3 right.
# Made by: tesuji formula sliding:2x2 --family residues --verify rust,c,python
# Size: 8 bits of constants, 1,413 characters of source. All best moves take 24 bits as a table,
# 96 compressed by zstd, 21 by their entropy.
# verified on 11 of 11 states (rust, c, python)

# TABLE: for every second state the distance modulo 6, as 0, 1 or 2 for 1, 3 or 5.
TABLE = bytes.fromhex(
    "15"
)
KEPT = (1,)

def residue(t):
    blank = t.index(0)
    if blank // 2 > blank % 2:
        flip = [i % 2 * 2 + i // 2 for i in range(4)]
        t = [t[i] and flip[t[i] - 1] + 1 for i in flip]
        blank = t.index(0)
    rank = KEPT.index(blank)
    tiles = [tile for tile in t if tile]
    for i, tile in enumerate(tiles):
        rank = rank * (3 - i) + sum(later < tile for later in tiles[i:])
    return TABLE[rank // 10] // 3 ** (rank // 2 % 5) % 3

def moved(t):
    blank = t.index(0)
    row, column = divmod(blank, 2)
    for move, (y, x) in enumerate(((row + 1, column), (row, column - 1), (row - 1, column), (row, column + 1))):
        if 0 <= y < 2 and 0 <= x < 2:
            u = t[:]
            u[blank], u[y * 2 + x] = u[y * 2 + x], 0
            yield move, u

def best_move(n):
    t = [n // 4 ** (i) % 4 for i in range(3, -1, -1)]
    blank = t.index(0)
    if (blank // 2 + blank % 2 + 0) % 2 == 0:
        near = [(move, residue(u)) for move, u in moved(t)]
        # Nearer is what no other is nearer than by two.
        return next(move for move, r in near if all(s != (r + 2) % 3 for _, s in near))
    here = residue(t)
    for move, u in moved(t):
        if u == [*range(1, 4), 0] or any(residue(v) == (here + 2) % 3 for _, v in moved(u)):
            return move
