//! Nimbers of kings boards: a plain search with a memory, without parts, against the
//! search of the crate, side by side in one run.
//!
//! `cargo bench --bench sums -- [most squares for the plain search, default 49]`

use std::collections::HashMap;
use std::time::Instant;

use tesuji::base::progress::NoProgress;
use tesuji::game::Nimber;
use tesuji::game::{Game, Impartial};
use tesuji::games::placement::Placement;

/// Sets of free squares, up to the symmetries of the board, with their nimbers.
struct Plain {
    rows: usize,
    columns: usize,
    around: Vec<u64>,
    known: HashMap<u64, Nimber>,
}

impl Plain {
    fn new(rows: usize, columns: usize) -> Self {
        let near = |a: usize, b: usize| {
            (a / columns).abs_diff(b / columns) <= 1 && (a % columns).abs_diff(b % columns) <= 1
        };
        let squares = 0..rows * columns;
        let around = |a| {
            squares
                .clone()
                .filter(|&b| near(a, b))
                .fold(0, |set, b| set | 1 << b)
        };
        Self {
            rows,
            columns,
            around: squares.clone().map(around).collect(),
            known: HashMap::new(),
        }
    }

    /// The least of a set's images.
    fn least(&self, set: u64) -> u64 {
        let (rows, columns) = (self.rows, self.columns);
        let maps = if rows == columns { 8 } else { 4 };
        let image = |map: usize| {
            let mut image = 0;
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let (mut row, mut column) = (square / columns, square % columns);
                if map & 1 == 1 {
                    row = rows - 1 - row;
                }
                if map & 2 == 2 {
                    column = columns - 1 - column;
                }
                if map & 4 == 4 {
                    (row, column) = (column, row);
                }
                image |= 1 << (row * columns + column);
            }
            image
        };
        (0..maps).map(image).min().unwrap_or(set)
    }

    fn nimber(&mut self, set: u64) -> Nimber {
        let set = self.least(set);
        if let Some(&nimber) = self.known.get(&set) {
            return nimber;
        }
        let mut seen = 0_u64;
        let mut rest = set;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            seen |= 1 << self.nimber(set & !self.around[square]);
        }
        let nimber = Nimber::try_from(seen.trailing_ones()).unwrap();
        self.known.insert(set, nimber);
        nimber
    }
}

fn main() {
    let most = std::env::args().find_map(|word| word.parse().ok());
    let most: usize = most.unwrap_or(49);
    println!("board   nimber   plain: sets      s    tesuji: shapes        s    ratio of times");
    for (rows, columns) in [
        (4, 5),
        (5, 5),
        (4, 7),
        (5, 6),
        (5, 7),
        (6, 6),
        (6, 7),
        (7, 7),
    ] {
        let game = Placement::from_spec(&format!("kings:{rows}x{columns}")).unwrap();
        let begun = Instant::now();
        let nimber = game.nimber(&game.initial(), &NoProgress).unwrap();
        let ours = begun.elapsed().as_secs_f64();
        let shapes = game.effort().kept;
        if rows * columns > most {
            println!("{rows}x{columns} {nimber:>10} {shapes:>40} {ours:>8.4}");
            continue;
        }
        let mut plain = Plain::new(rows, columns);
        let begun = Instant::now();
        let expected = plain.nimber((1 << (rows * columns)) - 1);
        let theirs = begun.elapsed().as_secs_f64();
        assert_eq!(nimber, expected, "{rows}x{columns}");
        println!(
            "{rows}x{columns} {nimber:>10} {:>13} {theirs:>6.2} {shapes:>17} {ours:>8.4} {:>13.0}",
            plain.known.len(),
            theirs / ours
        );
    }
}
