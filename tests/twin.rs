//! The fast solver against its naive twin: every state of small boards.

use tesuji::game::{Game, Moves, Ranked, Repetition, Symmetric};
use tesuji::games::ostle::{Move, Ostle};
use tesuji::solve::{Solver, Unwatched, naive};
use tesuji::value::Wide;

fn compare(width: u8, height: u8, pieces: u8, losses: u8) {
    for repetition in [Repetition::Exact, Repetition::UpToSymmetry] {
        let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
        let roots = (0..game.slots())
            .filter_map(|slot| game.unrank(slot))
            .flat_map(|state| {
                let restricted = game.moves(&state).into_iter().map(Move::number);
                let restricted: Vec<_> = restricted
                    .filter_map(|number| game.forbid(&state, number))
                    .collect();
                std::iter::once(state).chain(restricted)
            });
        let naive = naive::solve(&game, roots, |state| game.canonical(state));
        let mut solver = Solver::<_, Wide>::new(&game);
        let mut compared = 0;
        while let Some(solved) = solver.solve_next(&Unwatched).unwrap() {
            for slot in solved.slots() {
                let record = solved.record(slot);
                let Some(state) = game.unrank(slot) else {
                    assert!(record.is_vacant());
                    continue;
                };
                let value = naive.value(&game.canonical(&state));
                assert_eq!(
                    Some(record.best()),
                    value,
                    "{} {}",
                    game.spec(),
                    game.format_state(&state)
                );
                for mv in game.moves(&state) {
                    let Some(restricted) = game.forbid(&state, mv.number()) else {
                        continue;
                    };
                    let value = naive.value(&game.canonical(&restricted));
                    let fast = record.without(Some(mv.number()));
                    assert_eq!(
                        Some(fast),
                        value,
                        "{} {}",
                        game.spec(),
                        game.format_state(&restricted)
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 0);
        println!("{}: {} states", game.spec(), naive.len());
    }
}

#[test]
fn on_3x3_with_two_pieces() {
    compare(3, 3, 2, 2);
    compare(3, 3, 2, 1);
}

#[test]
fn on_4x4_with_three_pieces() {
    compare(4, 4, 3, 2);
}

#[test]
fn on_3x4_and_5x3_rectangles() {
    compare(3, 4, 2, 2);
    compare(5, 3, 2, 2);
}

#[test]
fn on_5x5_with_two_pieces() {
    compare(5, 5, 2, 2);
}

#[test]
fn on_crowded_boards_where_a_side_may_have_to_give_up_its_last_piece() {
    compare(3, 3, 4, 1);
    compare(3, 3, 4, 3);
    compare(3, 3, 3, 3);
    compare(3, 4, 5, 1);
}
