// sliding:2x2: a best move in every state.
// n: the squares row by row from the top as digits in base 4, the blank being 0.
// best_move(n): the blank goes 0 down, 1 left, 2 up, 3 right.
// Made by: tesuji formula sliding:2x2 --family magic --verify rust,c,python
// Size: 32 bits of constants, 110 characters of source. All best moves take 24 bits as a table,
// 96 compressed by zstd, 21 by their entropy.
// verified on 11 of 11 states (rust, c, python)

#include <stdint.h>

uint64_t best_move(uint64_t n) {
    return 0x8bdULL >> 2 * (305ULL * n >> 9 & 7) & 3;
}
