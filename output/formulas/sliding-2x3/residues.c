// sliding:2x3: a best move in every state.
// n: the squares row by row from the top as digits in base 6, the blank being 0.
// best_move(n): the blank goes 0 down, 1 left, 2 up, 3 right.
// Made by: tesuji formula sliding:2x3 --family residues --verify rust,c,python
// Size: 288 bits of constants, 2,360 characters of source. All best moves take 720 bits as a table,
// 792 compressed by zstd, 691 by their entropy.
// verified on 359 of 359 states (rust, c, python)

#include <stdint.h>
#include <string.h>

/* TABLE: for every second state the distance modulo 6, as 0, 1 or 2 for 1, 3 or 5. */
static const uint8_t TABLE[36] = {
    121,179,27,133,148,56,84,194,181,78,197,160,108,98,60,83,39,33,203,18,
    163,52,198,16,132,149,216,220,114,7,178,51,91,109,198,26,
};
static const int KEPT[] = {0, 2, 4};

static int blank_of(const int *t) {
    int i = 0;
    while (t[i]) i++;
    return i;
}

static int residue(const int *t) {
    static const int power[] = {1, 3, 9, 27, 81};
    int blank = blank_of(t), rank = 0, i, j, seen = 0, tiles[5];
    while (KEPT[rank] != blank) rank++;
    for (i = 0; i < 6; i++)
        if (t[i]) tiles[seen++] = t[i];
    for (i = 0; i < 5; i++) {
        rank *= 5 - i;
        for (j = i + 1; j < 5; j++) rank += tiles[j] < tiles[i];
    }
    return TABLE[rank / 10] / power[rank / 2 % 5] % 3;
}

/* Makes a move in a copy; 0 if it leaves the board. */
static int moved(const int *t, int move, int *u) {
    static const int down[] = {1, 0, -1, 0}, right[] = {0, -1, 0, 1};
    int blank = blank_of(t);
    int row = blank / 3 + down[move], column = blank % 3 + right[move];
    if (row < 0 || row >= 2 || column < 0 || column >= 3) return 0;
    memcpy(u, t, 6 * sizeof *u);
    u[blank] = u[row * 3 + column];
    u[row * 3 + column] = 0;
    return 1;
}

uint64_t best_move(uint64_t n) {
    int t[6], u[6], v[6], i, move, reply, blank;
    for (i = 5; i >= 0; i--) {
        t[i] = (int)(n % 6);
        n /= 6;
    }
    blank = blank_of(t);
    if ((blank / 3 + blank % 3 + 1) % 2 == 0) {
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
            for (nearer = 1, i = 0; i < 6; i++) nearer &= u[i] == (i + 1) % 6;
            for (reply = 0; reply < 4; reply++) nearer |= moved(u, reply, v) && residue(v) == (here + 2) % 3;
            if (nearer) return move;
        }
    }
    return 0;
}
