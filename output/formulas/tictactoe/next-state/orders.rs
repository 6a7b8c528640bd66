// tictactoe: the state after a best move in states of its own play.
// n: squares 0 to 8 row by row from the top, bit i set if the other side has square i, bit 9 + i if the side to move has.
// next_state(n): the number of the state after a best move.
// Made by: tesuji formula tictactoe --family orders --answer next-state --verify rust,c,python
// Size: 85 bits of constants, 718 characters of source. All next states take 81,360 bits as a table,
// 73,280 compressed by zstd, 50326 by their entropy.
// verified on 353 of 353 states (rust, c, python)

const LINES: [u64; 8] = [0o7, 0o70, 0o111, 0o124, 0o222, 0o421, 0o444, 0o700];
const ORDERS: [u64; 2] = [0x871652304, 0x316780524];

pub fn best_move(n: u64) -> u64 {
    let free = |i: &u64| (n | n >> 9) >> i & 1 == 0;
    for side in [n >> 9, n & 511] {
        for i in (0..9).filter(free) {
            if LINES.iter().any(|line| (side | 1 << i) & line == *line) {
                return i;
            }
        }
    }
    let order = ORDERS[(453u64.wrapping_mul(n) >> 11 & 1) as usize];
    (0..9).map(|j| order >> (4 * j) & 15).find(free).unwrap()
}

// The sides change places: the one that has moved is the other side now.
pub fn next_state(n: u64) -> u64 {
    (n & 511) << 9 | n >> 9 | 1 << best_move(n)
}
