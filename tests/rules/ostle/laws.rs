//! Ostle obeys the laws of games, on every slot of small boards.

use std::collections::HashSet;

use tesuji::base::value::Outcome;
use tesuji::game::laws;
use tesuji::game::{Game, Moves, Next, Ranked, Repetition, Retrograde};
use tesuji::games::ostle::Ostle;

const RULES: [Repetition; 3] = Repetition::ALL;

fn slot(game: &Ostle, slot: u64) {
    laws::ranking(game, slot).unwrap();
    laws::quick_moves(game, slot).unwrap();
    laws::layer_features(game, slot).unwrap();
    if let Some(state) = game.unrank(slot) {
        laws::notation(game, &state).unwrap();
    }
}

#[test]
fn every_slot_of_small_boards() {
    for (width, height) in [(3, 3), (4, 4), (3, 5), (5, 5), (6, 3), (3, 6)] {
        for repetition in RULES {
            let game = Ostle::new(width, height, 2, 2, repetition).unwrap();
            every_slot(&game);
            if width < 5 {
                every_slot(&game.with_fixed_hole());
            }
        }
    }
}

fn every_slot(game: &Ostle) {
    (0..game.slots()).for_each(|index| slot(game, index));
    laws::arrows(game).unwrap();
    assert!(game.unrank(game.slots()).is_none() && game.cursor(game.slots()).is_none());
}

#[test]
fn random_slots_of_large_games() {
    for repetition in RULES {
        let of = |width, height, pieces| Ostle::new(width, height, pieces, 2, repetition).unwrap();
        random_slots(&Ostle::published(repetition));
        for (width, height, pieces) in [(6, 5, 5), (5, 6, 7), (6, 6, 5), (6, 3, 7), (4, 6, 6)] {
            random_slots(&of(width, height, pieces));
        }
    }
    // The opponent's pieces are among few squares, but these are those of a large board.
    random_slots(&Ostle::new(6, 6, 6, 1, Repetition::Exact).unwrap());
}

#[test]
fn a_push_of_five_pieces_is_seen() {
    // a1R alone wins: it pushes White's five pieces, and the last one falls.
    for (spec, position) in [
        (
            "ostle:rows=3,columns=6,pieces=5,losses=1",
            "bbbb1o/6/bwwwww b -",
        ),
        (
            "ostle:rows=6,columns=3,pieces=5,losses=1",
            "o1w/2w/b1w/b1w/b1w/b1b b -",
        ),
    ] {
        let game = Ostle::from_settings(spec, None).unwrap();
        let state = game.parse_state(position).unwrap();
        slot(&game, game.rank(&state));
        let wins = game.moves(&state).into_iter();
        let wins = wins.filter(|&mv| matches!(game.play(&state, mv), Next::Over(Outcome::Win)));
        assert_eq!(wins.count(), 1);
    }
}

#[test]
fn live_slots_of_large_boards_are_those_of_an_independent_count() {
    // By a program in Python that lists the positions kept by each symmetry.
    for (width, height, positions) in [(6, 5, 1_069_398), (6, 6, 1_414_530)] {
        let game = Ostle::new(width, height, 2, 1, Repetition::Exact).unwrap();
        let live = (0..game.slots()).filter(|&slot| game.unrank(slot).is_some());
        assert_eq!(live.count(), positions);
    }
}

fn random_slots(game: &Ostle) {
    let mut random = 88_172_645_463_325_252_u64;
    for _ in 0..3000 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        slot(game, random % game.slots());
    }
}

#[test]
fn the_published_game_has_the_known_number_of_slots() {
    let game = Ostle::published(Repetition::Exact);
    let sizes: Vec<u64> = game
        .layers()
        .iter()
        .map(|l| l.slots.end - l.slots.start)
        .collect();
    let mut middle = sizes[1..3].to_vec();
    middle.sort_unstable();
    assert_eq!((sizes[0], sizes[3]), (162_215_445, 1_550_884_500));
    assert_eq!(middle, [516_961_500, 519_089_424]);
}

/// Images of `(hole, own, other)` squares under the symmetries of a board whose
/// squares are `(file, rank)`.
fn least(board: (u8, u8), hole: u8, own: &[u8], other: &[u8]) -> (u8, Vec<u8>, Vec<u8>) {
    let (width, height) = board;
    let maps = if width == height { 8 } else { 4 };
    let images = (0..maps).map(|map| {
        let image = |square: u8| {
            let (mut file, mut rank) = (square / height, square % height);
            if map & 1 == 1 {
                file = width - 1 - file;
            }
            if map & 2 == 2 {
                rank = height - 1 - rank;
            }
            if map & 4 == 4 {
                rank * height + file
            } else {
                file * height + rank
            }
        };
        let sorted = |squares: &[u8]| {
            let mut images: Vec<u8> = squares.iter().map(|&s| image(s)).collect();
            images.sort_unstable();
            images
        };
        (image(hole), sorted(own), sorted(other))
    });
    images.min().unwrap()
}

fn subsets(squares: &[u8], size: usize) -> Vec<Vec<u8>> {
    let Some((&first, rest)) = squares.split_first() else {
        return if size == 0 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let mut found = subsets(rest, size);
    if let Some(size) = size.checked_sub(1) {
        found.extend(
            subsets(rest, size)
                .into_iter()
                .map(|set| [vec![first], set].concat()),
        );
    }
    found
}

#[test]
fn live_slots_are_the_positions_up_to_symmetry() {
    for (width, height, pieces) in [(3, 3, 2), (3, 3, 3), (3, 4, 2), (5, 3, 2), (4, 4, 2)] {
        let game = Ostle::new(width, height, pieces, 2, Repetition::Exact).unwrap();
        let board: Vec<u8> = (0..width * height).collect();
        let mut all = 0;
        for layer in game.layers() {
            let (own, other) = layer.name.split_once('-').unwrap();
            let (own, other) = (own.parse().unwrap(), other.parse().unwrap());
            let mut positions = HashSet::new();
            for &hole in &board {
                let free: Vec<u8> = board.iter().copied().filter(|&s| s != hole).collect();
                for own in subsets(&free, own) {
                    let free: Vec<u8> = free.iter().copied().filter(|s| !own.contains(s)).collect();
                    for other in subsets(&free, other) {
                        positions.insert(least((width, height), hole, &own, &other));
                    }
                }
            }
            let slots = layer.slots.clone();
            let live = slots.filter(|&slot| game.unrank(slot).is_some()).count();
            assert_eq!(live, positions.len(), "{} {}", game.spec(), layer.name);
            all += live as u64;
        }
        assert_eq!(game.positions(), all);
    }
}
