# tictactoe: a best move in states of its own play.
# n: squares 0 to 8 row by row from the top, bit i set if the other side has square i, bit 9 + i if the side to move has.
# best_move(n): the square to fill.
# Made by: tesuji formula tictactoe --family orders --verify rust,c,python
# Size: 85 bits of constants, 445 characters of source. All best moves take 18,080 bits as a table,
# 12,592 compressed by zstd, 12714 by their entropy.
# verified on 353 of 353 states (rust, c, python)

LINES = 0o7, 0o70, 0o111, 0o124, 0o222, 0o421, 0o444, 0o700
ORDERS = 0x871652304, 0x316780524

def best_move(n):
    free = [i for i in range(9) if not (n | n >> 9) >> i & 1]
    for side in n >> 9, n & 511:
        for i in free:
            if any((side | 1 << i) & line == line for line in LINES):
                return i
    order = ORDERS[453 * n >> 11 & 1]
    return next(i for i in (order >> 4 * j & 15 for j in range(9)) if i in free)
