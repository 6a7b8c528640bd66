//! The numbering of positions, written a second time from what the page beside the game
//! says, with strings and loops, and the test vectors of that page.

use std::collections::BTreeMap;

use tesuji::game::{Game, Playable, Ranked};
use tesuji::games::ostle::grid::{Direction, Grid, Symmetry};

use crate::common;

const PAGE: &str = include_str!("../../../src/games/ostle/README.md");

/// A board as a list of squares a1 a2 ... with `b` for the side to move, `w` for the other
/// side, `o` for the hole.
type Squares = Vec<char>;

/// The squares of a position in one-line notation, seen by the side to move.
fn squares(position: &str) -> (usize, usize, Squares) {
    let mut fields = position.split(' ');
    let ranks: Vec<Vec<char>> = fields.next().unwrap().split('/').map(ranks).collect();
    let white = fields.next() == Some("w");
    let (width, height) = (ranks[0].len(), ranks.len());
    let mut squares = Vec::new();
    for file in 0..width {
        for rank in ranks.iter().rev() {
            squares.push(match rank[file] {
                'b' if white => 'w',
                'w' if white => 'b',
                other => other,
            });
        }
    }
    (width, height, squares)
}

fn ranks(text: &str) -> Vec<char> {
    let each = |letter: char| match letter.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![letter],
    };
    text.chars().flat_map(each).collect()
}

/// All images of a board under the symmetries of its rectangle.
fn images(width: usize, height: usize, squares: &Squares) -> Vec<Squares> {
    let mut found = Vec::new();
    for (left, down, turned) in [false, true].into_iter().flat_map(|left| {
        [(false, false), (false, true), (true, false), (true, true)]
            .map(|(down, turned)| (left, down, turned))
    }) {
        if turned && width != height {
            continue;
        }
        let mut image = Vec::new();
        for file in 0..width {
            for rank in 0..height {
                let (file, rank) = if turned { (rank, file) } else { (file, rank) };
                let file = if left { width - 1 - file } else { file };
                let rank = if down { height - 1 - rank } else { rank };
                image.push(squares[file * height + rank]);
            }
        }
        found.push(image);
    }
    found
}

/// The number of the hole's square, the mover's set and the other's, each as a binary number
/// over the squares that are left.
fn key(squares: &[char]) -> (usize, u64, u64) {
    let set = |left: Vec<char>, piece: char| {
        let bits = (0..).zip(left).filter(|&(_, there)| there == piece);
        bits.map(|(bit, _)| 1_u64 << bit).sum::<u64>()
    };
    let hole = squares.iter().position(|&there| there == 'o').unwrap();
    let without = |taken: &[char]| {
        let left = squares.iter().filter(|there| !taken.contains(there));
        left.copied().collect::<Vec<_>>()
    };
    (
        hole,
        set(without(&['o']), 'b'),
        set(without(&['o', 'b']), 'w'),
    )
}

fn choose(n: usize, k: usize) -> u64 {
    match (n, k) {
        (_, 0) => 1,
        (0, _) => 0,
        _ => choose(n - 1, k - 1) + choose(n - 1, k),
    }
}

/// How many smaller numbers have as many bits.
fn place(set: u64) -> u64 {
    let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
    bits.zip(1..).map(|(bit, count)| choose(bit, count)).sum()
}

/// All sets of so many places, as binary numbers in increasing order.
fn sets(places: usize, size: usize) -> Vec<u64> {
    if size == 0 {
        return vec![0];
    }
    let with = |top: usize| {
        sets(top, size - 1)
            .into_iter()
            .map(move |set| set | 1 << top)
    };
    (size - 1..places).flat_map(with).collect()
}

/// The keys of all rows with so many pieces of the mover, each with its number.
fn rows(width: usize, height: usize, own: usize) -> BTreeMap<(usize, u64), u64> {
    let count = width * height;
    let mut keys = Vec::new();
    // A pair whose hole can be on a lower square is not least, whatever the pieces.
    let least_hole = |hole: usize| {
        let mut squares = vec!['.'; count];
        squares[hole] = 'o';
        let images = images(width, height, &squares);
        images.iter().map(|image| key(image)).min().unwrap().0 == hole
    };
    for hole in (0..count).filter(|&hole| least_hole(hole)) {
        for set in sets(count - 1, own) {
            let mut squares: Squares = (0..count - 1)
                .map(|bit| if set >> bit & 1 == 1 { 'b' } else { '.' })
                .collect();
            squares.insert(hole, 'o');
            let images = images(width, height, &squares);
            let least = images.iter().map(|image| key(image)).min().unwrap();
            if (least.0, least.1) == (hole, set) {
                keys.push((hole, set));
            }
        }
    }
    keys.into_iter().zip(0..).collect()
}

/// A numbering.
struct Numbering {
    width: usize,
    height: usize,
    /// The first slot of each layer.
    starts: BTreeMap<(usize, usize), u64>,
    rows: BTreeMap<usize, BTreeMap<(usize, u64), u64>>,
}

impl Numbering {
    fn new(width: usize, height: usize, pieces: usize, losses: usize) -> Self {
        let fewest = pieces + 1 - losses;
        let rows: BTreeMap<_, _> = (fewest..=pieces)
            .map(|own| (own, rows(width, height, own)))
            .collect();
        let mut layers = Vec::new();
        for own in fewest..=pieces {
            for other in fewest..=pieces {
                layers.push((own + other, own.max(other), other, own));
            }
        }
        layers.sort_unstable();
        let (mut starts, mut start) = (BTreeMap::new(), 0);
        for (_, _, other, own) in layers {
            starts.insert((own, other), start);
            let columns = choose(width * height - 1 - own, other);
            start += rows[&own].len() as u64 * columns;
        }
        Self {
            width,
            height,
            starts,
            rows,
        }
    }

    fn slot(&self, squares: &Squares) -> u64 {
        let count = |piece| squares.iter().filter(|&&there| there == piece).count();
        let (own, other) = (count('b'), count('w'));
        let images = images(self.width, self.height, squares);
        let (hole, row, column) = images.iter().map(|image| key(image)).min().unwrap();
        let columns = choose(squares.len() - 1 - own, other);
        self.starts[&(own, other)] + self.rows[&own][&(hole, row)] * columns + place(column)
    }
}

#[test]
fn every_position_has_the_slot_that_the_page_says() {
    for (spec, width, height, pieces, losses) in [
        ("ostle:3x3,pieces=2,losses=2", 3, 3, 2, 2),
        ("ostle:rows=4,columns=3,pieces=2,losses=2", 3, 4, 2, 2),
        ("ostle:rows=3,columns=4,pieces=3,losses=1", 4, 3, 3, 1),
        ("ostle:4x4,pieces=2,losses=1", 4, 4, 2, 1),
        ("ostle:rows=5,columns=6,pieces=1,losses=1", 6, 5, 1, 1),
        ("ostle:6x6,pieces=1,losses=1", 6, 6, 1, 1),
        ("ostle:rows=6,columns=3,pieces=2,losses=1", 3, 6, 2, 1),
    ] {
        let game = common::game(spec);
        let numbering = Numbering::new(width, height, pieces, losses);
        for slot in 0..game.slots() {
            if let Some(state) = game.unrank(slot) {
                let (_, _, squares) = squares(&game.format_state(&state));
                assert_eq!(numbering.slot(&squares), slot, "{spec}");
                // What is symmetric has the same slot, with the other side to move too.
                let text = game.format_state(&state).replace(" b ", " w ");
                let swapped = |letter| match letter {
                    'b' => 'w',
                    'w' => 'b',
                    other => other,
                };
                let (board, rest) = text.split_once(' ').unwrap();
                let turned: String = board.chars().map(swapped).collect();
                let state = game.parse_state(&format!("{turned} {rest}")).unwrap();
                assert_eq!(game.rank(&state), slot, "{spec}");
            }
        }
    }
}

#[test]
fn the_pages_test_vectors_hold() {
    let lines = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| game | position | slot |"));
    let mut checked = 0;
    let mut numberings = BTreeMap::new();
    for line in lines.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [spec, position, slot] = cells[..] else {
            panic!("{line}")
        };
        let (spec, position) = (spec.trim_matches('`'), position.trim_matches('`'));
        let slot: u64 = slot.replace(',', "").parse().unwrap();
        let game = common::game(spec);
        let state = game.parse_state(position).unwrap();
        assert_eq!(game.rank(&state), slot, "{line}");
        let (width, height, squares) = squares(position);
        let numbering = numberings.entry(spec).or_insert_with(|| match spec {
            "ostle" => Numbering::new(5, 5, 5, 2),
            "ostle:4x4,pieces=3,losses=2" => Numbering::new(4, 4, 3, 2),
            other => panic!("{other}"),
        });
        assert_eq!((width, height), (numbering.width, numbering.height));
        assert_eq!(numbering.slot(&squares), slot, "{line}");
        checked += 1;
    }
    assert!(checked >= 8, "the page has {checked} test vectors");
}

#[test]
fn symmetries_move_neighbours_to_neighbours() {
    for (width, height) in [(3, 3), (3, 5), (5, 3), (4, 5), (5, 5), (5, 6), (6, 6)] {
        let grid = Grid::new(width, height).unwrap();
        for symmetry in &grid.symmetries {
            let undoes = |back: &Symmetry| {
                (0..grid.squares()).all(|square| back.square(symmetry.square(square)) == square)
            };
            assert!(grid.symmetries.iter().any(undoes));
            for square in 0..grid.squares() {
                assert_eq!(symmetry.mask(1 << square), 1 << symmetry.square(square));
                for direction in Direction::ALL {
                    assert_eq!(
                        grid.neighbour(square, direction)
                            .map(|s| symmetry.square(s)),
                        grid.neighbour(symmetry.square(square), symmetry.direction(direction)),
                    );
                }
            }
        }
    }
}

#[test]
fn squares_are_named_file_first() {
    let game = common::game("ostle");
    let names = [0, 1, 2, 6, 7, 12].map(|square| game.name_of(square));
    assert_eq!(names, ["a1", "a2", "a3", "b2", "b3", "c3"]);
    assert!(Grid::new(2, 5).is_none() && Grid::new(6, 7).is_none() && Grid::new(4, 7).is_none());
}
