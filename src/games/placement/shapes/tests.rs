//! Shapes, compared with the same shapes as lists of squares.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use super::{BoardShapes, Mask, Rules, bits};
use crate::base::progress::NoProgress;
use crate::solve::nimbers::{Nimbers, Shapes};

/// Squares by row and column.
type Squares = BTreeSet<(u32, u32)>;

/// Boards that can be turned and boards that cannot, up to the largest.
const BOARDS: [(u32, u32); 6] = [(4, 4), (7, 5), (11, 3), (24, 3), (16, 8), (11, 11)];

fn squares(shapes: &BoardShapes, mask: Mask) -> Squares {
    bits(mask)
        .map(|bit| (bit / shapes.stride, bit % shapes.stride))
        .collect()
}

fn mask(shapes: &BoardShapes, squares: &Squares) -> Mask {
    squares.iter().fold(0, |mask, &(row, column)| {
        mask | 1 << shapes.bit(row, column)
    })
}

fn near(kings: bool, a: (u32, u32), b: (u32, u32)) -> bool {
    let (down, across) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    if kings {
        down.max(across) <= 1
    } else {
        down + across <= 1
    }
}

fn parts(kings: bool, mut rest: Squares) -> BTreeSet<Squares> {
    let mut all = BTreeSet::new();
    while let Some(first) = rest.pop_first() {
        let mut part = vec![first];
        let mut next = 0;
        while next < part.len() {
            let found: Vec<_> = rest
                .iter()
                .copied()
                .filter(|&square| near(kings, part[next], square))
                .collect();
            rest.retain(|square| !found.contains(square));
            part.extend(found);
            next += 1;
        }
        all.insert(part.into_iter().collect());
    }
    all
}

/// Shapes that some games on a board meet: the parts after moves that a seed chooses.
fn met(rules: &Rules, (rows, columns): (u32, u32), games: usize) -> (BoardShapes, Vec<Mask>) {
    let shapes = BoardShapes::new(rules, rows, columns).unwrap();
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let full = mask(&shapes, &all.collect());
    let mut seed = 1_u64;
    let mut met = vec![full];
    for _ in 0..games {
        let mut left = full;
        while left != 0 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let free: Vec<u32> = bits(left).collect();
            let square = free[(seed >> 33) as usize % free.len()];
            left &= !shapes.around[square as usize];
            met.extend(shapes.parts(left));
        }
    }
    (shapes, met)
}

#[test]
fn parts_after_moves_are_those_that_lists_of_squares_give() {
    for (rules, kings) in [(Rules::Kings, true), (Rules::Regio, false)] {
        for board in BOARDS {
            let (shapes, met) = met(&rules, board, 2);
            for shape in met {
                let free = squares(&shapes, shape);
                let mut found = BTreeSet::new();
                shapes.options(shape, &mut |left| {
                    let set: BTreeSet<Squares> =
                        left.iter().map(|&part| squares(&shapes, part)).collect();
                    assert_eq!(set.len(), left.len(), "{free:?}");
                    assert!(found.insert(set), "{free:?}");
                });
                let expected = free.iter().map(|&taken| {
                    let rest = free.iter().copied();
                    parts(
                        kings,
                        rest.filter(|&other| !near(kings, taken, other)).collect(),
                    )
                });
                assert_eq!(found, expected.collect(), "{free:?}");
            }
        }
    }
}

#[test]
fn images_of_a_shape_have_one_canonical_form() {
    for board in BOARDS {
        let (shapes, met) = met(&Rules::Kings, board, 10);
        for shape in met {
            let free = squares(&shapes, shape);
            let form = shapes.canonical(shape);
            let turn = |&(row, column): &(u32, u32)| (column, 40 - row);
            let mirror = |&(row, column): &(u32, u32)| (row, 40 - column);
            let turned: Squares = free.iter().map(turn).collect();
            let half: Squares = turned.iter().map(turn).collect();
            let back: Squares = half.iter().map(turn).collect();
            let mut images = vec![free.clone(), half];
            if shapes.turns {
                images.extend([turned, back]);
            }
            images.extend(
                images
                    .clone()
                    .iter()
                    .map(|image| image.iter().map(mirror).collect()),
            );
            let images: Vec<Squares> = images.iter().map(moved_to_corner).collect();
            // The form is one of the images, and that of each of them.
            assert!(images.contains(&squares(&shapes, form)), "{free:?}");
            for image in images {
                assert_eq!(shapes.canonical(mask(&shapes, &image)), form, "{image:?}");
            }
        }
    }
}

fn moved_to_corner(squares: &Squares) -> Squares {
    let top = squares.iter().map(|square| square.0).min().unwrap();
    let left = squares.iter().map(|square| square.1).min().unwrap();
    squares
        .iter()
        .map(|&(row, column)| (row - top, column - left))
        .collect()
}

/// Whether the side to move loses with these squares free, from the rules alone.
fn loses(shapes: &BoardShapes, free: Mask, known: &mut HashMap<Mask, bool>) -> bool {
    if let Some(&loses) = known.get(&free) {
        return loses;
    }
    let loses =
        bits(free).all(|square| !loses(shapes, free & !shapes.around[square as usize], known));
    known.insert(free, loses);
    loses
}

#[test]
fn proof_numbers_find_the_winner_of_every_small_board_and_of_what_moves_leave() {
    for (rules, most) in [(Rules::Kings, 25), (Rules::Regio, 16)] {
        for (rows, columns) in (1..=6_u32).flat_map(|rows| (1..=rows).map(move |c| (rows, c))) {
            if rows * columns > most {
                continue;
            }
            let (shapes, met) = met(&rules, (rows, columns), 3);
            let mut known = HashMap::new();
            let search = |few: u32, bytes: u64| {
                let shapes = BoardShapes::new(&rules, rows, columns).unwrap();
                Nimbers::new(shapes, bytes).without_proof_numbers_to(few)
            };
            // One search for all, one that forgets, and one that changes over.
            let mut searches = [search(0, 1 << 20), search(0, 3000), search(9, 1 << 20)];
            for shape in met {
                let expected = loses(&shapes, shape, &mut known);
                let mut alone = search(0, 1 << 20);
                for search in searches.iter_mut().chain([&mut alone]) {
                    let found = search.is_lost(&[shape], &NoProgress).unwrap();
                    assert_eq!(found, expected, "{:?}", squares(&shapes, shape));
                }
            }
        }
    }
}

#[test]
fn both_searches_agree_on_larger_boards() {
    for (rules, board) in [
        (Rules::Kings, (7, 7)),
        (Rules::Kings, (9, 6)),
        (Rules::Kings, (14, 3)),
        (Rules::Regio, (6, 6)),
    ] {
        let (shapes, met) = met(&rules, board, 2);
        let search = |few: u32| {
            let shapes = BoardShapes::new(&rules, board.0, board.1).unwrap();
            Nimbers::new(shapes, 1 << 26).without_proof_numbers_to(few)
        };
        let (mut with, mut without) = (search(0), search(u32::MAX));
        for shape in met {
            assert_eq!(
                with.is_lost(&[shape], &NoProgress),
                without.is_lost(&[shape], &NoProgress),
                "{:?}",
                squares(&shapes, shape)
            );
        }
    }
}

#[test]
#[ignore = "a measurement: cargo test --release --lib proof_numbers_against -- --ignored --nocapture"]
fn proof_numbers_against_the_search_without_on_boards_of_kings() {
    for (rows, columns) in [(12, 5), (12, 6), (8, 7), (8, 8), (10, 7), (9, 8), (9, 9)] {
        let board = BoardShapes::new(&Rules::Kings, rows, columns).unwrap();
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let full = mask(&board, &all.collect());
        for (name, few) in [("without", u32::MAX), ("above 40", 40), ("everywhere", 0)] {
            let shapes = BoardShapes::new(&Rules::Kings, rows, columns).unwrap();
            let mut search = Nimbers::new(shapes, 1 << 30).without_proof_numbers_to(few);
            let begun = Instant::now();
            let lost = search.is_lost(&[full], &NoProgress).unwrap();
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{columns}x{rows} lost: {lost} {name}: {:?} {seconds:.2} s",
                search.effort()
            );
        }
    }
}
