// sliding:2x2: the state after a best move in every state.
// n: the squares row by row from the top as digits in base 4, the blank being 0.
// next_state(n): the number of the state after a best move.
// Made by: tesuji formula sliding:2x2 --family residues --answer next-state --verify rust,c,python
// Size: 8 bits of constants, 2,906 characters of source. All next states take 96 bits as a table,
// 168 compressed by zstd, 36 by their entropy.
// verified on 11 of 11 states (rust, c, python)

#include <stdint.h>
#include <string.h>

/* TABLE: for every second state the distance modulo 6, as 0, 1 or 2 for 1, 3 or 5. */
static const uint8_t TABLE[1] = {
    21,
};
static const int KEPT[] = {1};

static int blank_of(const int *t) {
    int i = 0;
    while (t[i]) i++;
    return i;
}

static int residue(const int *t) {
    static const int power[] = {1, 3, 9, 27, 81};
    int blank = blank_of(t), rank = 0, i, j, seen = 0, tiles[3];
    int flipped[4];
    if (blank / 2 > blank % 2) {
        for (i = 0; i < 4; i++) {
            int tile = t[i % 2 * 2 + i / 2];
            flipped[i] = tile ? (tile - 1) % 2 * 2 + (tile - 1) / 2 + 1 : 0;
        }
        t = flipped;
        blank = blank_of(t);
    }
    while (KEPT[rank] != blank) rank++;
    for (i = 0; i < 4; i++)
        if (t[i]) tiles[seen++] = t[i];
    for (i = 0; i < 3; i++) {
        rank *= 3 - i;
        for (j = i + 1; j < 3; j++) rank += tiles[j] < tiles[i];
    }
    return TABLE[rank / 10] / power[rank / 2 % 5] % 3;
}

/* Makes a move in a copy; 0 if it leaves the board. */
static int moved(const int *t, int move, int *u) {
    static const int down[] = {1, 0, -1, 0}, right[] = {0, -1, 0, 1};
    int blank = blank_of(t);
    int row = blank / 2 + down[move], column = blank % 2 + right[move];
    if (row < 0 || row >= 2 || column < 0 || column >= 2) return 0;
    memcpy(u, t, 4 * sizeof *u);
    u[blank] = u[row * 2 + column];
    u[row * 2 + column] = 0;
    return 1;
}

uint64_t best_move(uint64_t n) {
    int t[4], u[4], v[4], i, move, reply, blank;
    for (i = 3; i >= 0; i--) {
        t[i] = (int)(n % 4);
        n /= 4;
    }
    blank = blank_of(t);
    if ((blank / 2 + blank % 2 + 0) % 2 == 0) {
        int near[4], nearest;
        for (move = 0; move < 4; move++) near[move] = moved(t, move, u) ? residue(u) : -1;
        /* Nearer is what no other is nearer than by two. */
        for (move = 0; move < 4; move++) {
            nearest = near[move] >= 0;
            for (i = 0; i < 4; i++) nearest &= near[i] != (near[move] + 2) % 3;
            if (nearest) return move;
        }
    } else {
        int here = residue(t), nearer;
        for (move = 0; move < 4; move++) {
            if (!moved(t, move, u)) continue;
            for (nearer = 1, i = 0; i < 4; i++) nearer &= u[i] == (i + 1) % 4;
            for (reply = 0; reply < 4; reply++) nearer |= moved(u, reply, v) && residue(v) == (here + 2) % 3;
            if (nearer) return move;
        }
    }
    return 0;
}

/* The blank and the tile beside it change places. */
uint64_t next_state(uint64_t n) {
    static const int step[] = {-2, 1, 2, -1};
    uint64_t power[4] = {1};
    int i, blank = 3, beside;
    for (i = 1; i < 4; i++) power[i] = power[i - 1] * 4;
    while (n / power[blank] % 4) blank--;
    beside = blank + step[best_move(n)];
    return n + n / power[beside] % 4 * (power[blank] - power[beside]);
}
