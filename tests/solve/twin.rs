//! The fast solver against its naive twin: every state of small boards.

use crate::common::naive::{self, NaiveSolution};
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Narrow, Record, Value, Wide, Width};
use tesuji::game::{Game, Moves, Ranked, Repetition, Symmetric};
use tesuji::games::ostle::{Move, Ostle, State};
use tesuji::solve::{SolveError, Solver, WordWidth, least_working_set, working_set};

/// Which restricted states are compared.
#[derive(Clone, Copy, PartialEq)]
enum Restricted {
    /// Any move that can be forbidden is.
    All,
    /// Only moves that take back the last one, wherever the game began.
    Arising,
}

/// States compared.
#[derive(Debug, Default)]
struct Compared {
    unrestricted: u64,
    restricted: u64,
}

/// The state and what becomes of it when one of its moves is forbidden.
fn restrictions(game: &Ostle, state: State) -> impl Iterator<Item = (Move, State)> {
    let moves = game.moves(&state).into_iter();
    moves.filter_map(move |mv| Some((mv, game.forbid(&state, mv.number())?)))
}

/// All records, by slot, of a solution with values of width `W`: by rows, with packed records
/// and by edges, which must agree.
fn records<W: WordWidth>(game: &Ostle) -> Result<Vec<Record>, SolveError> {
    let by_rows = all_of(game, Solver::<_, W>::new(game));
    let packed = all_of(game, Solver::<_, W>::new(game).within(0));
    let by_edges = all_of(game, Solver::<_, W>::new(game).by_edges());
    for other in [packed, by_edges] {
        match (&by_rows, &other) {
            (Ok(rows), Ok(other)) => assert!(rows == other, "{}", game.spec()),
            (Err(_), Err(_)) => (),
            _ => panic!("{}: only one way ends", game.spec()),
        }
    }
    by_rows
}

/// With this little memory the values of a distance are told in several parts.
#[test]
fn in_little_memory() {
    for repetition in [Repetition::Exact, Repetition::UpToSymmetry] {
        let game = Ostle::new(4, 4, 4, 2, repetition).unwrap();
        let plain = all_of(&game, Solver::<_, Narrow>::new(&game)).unwrap();
        let packed = all_of(&game, Solver::<_, Narrow>::new(&game).within(0)).unwrap();
        assert!(plain == packed);
    }
}

/// On small boards the moves of rows weigh more than the records, so this is about a large one.
#[test]
fn packed_records_take_less_memory() {
    let game = Ostle::published(Repetition::Exact);
    let [least, most] = [
        least_working_set::<_, Narrow>(&game),
        working_set::<_, Narrow>(&game),
    ];
    assert!(least < most / 4 * 3, "{least} of {most}");
    assert!(least < 6 << 30, "{least}");
}

fn all_of<W: WordWidth>(
    game: &Ostle,
    mut solver: Solver<'_, Ostle, W>,
) -> Result<Vec<Record>, SolveError> {
    let mut records = Vec::new();
    while let Some(solved) = solver.solve_next(&NoProgress)? {
        assert_eq!(solved.slots().start, records.len() as u64);
        records.extend(solved.records(solved.slots()));
    }
    assert_eq!(records.len() as u64, game.slots());
    Ok(records)
}

/// Compares records with the values of states, and counts these.
fn check(game: &Ostle, records: &[Record], naive: &NaiveSolution<State>, all: bool) -> Compared {
    let mut compared = Compared::default();
    let agree = |fast: Value, state: &State| {
        let slow = naive.value(&game.canonical(state));
        if slow.is_some() || all || state.forbidden.is_none() {
            let text = game.format_state(state);
            assert_eq!(Some(fast), slow, "{}: {text}", game.spec());
        }
        u64::from(slow.is_some())
    };
    for (slot, record) in (0..).zip(records) {
        let Some(state) = game.unrank(slot) else {
            assert!(record.is_vacant());
            continue;
        };
        compared.unrestricted += agree(record.best(), &state);
        for (mv, restricted) in restrictions(game, state) {
            // One of the moves that are forbidden together names them all.
            let named = game.slot(&restricted).forbidden;
            assert!(named.is_some_and(|named| named <= mv.number()));
            let same = if game.repetition() == Repetition::AllImages {
                named
            } else {
                Some(mv.number())
            };
            compared.restricted += agree(record.without(same), &restricted);
        }
    }
    compared
}

fn compare(which: Restricted, width: u8, height: u8, pieces: u8, losses: u8) {
    for repetition in Repetition::ALL {
        compare_game(
            which,
            &Ostle::new(width, height, pieces, losses, repetition).unwrap(),
        );
    }
}

fn compare_game(which: Restricted, game: &Ostle) {
    let positions = (0..game.slots()).filter_map(|slot| game.unrank(slot));
    let roots = positions.flat_map(|state| {
        let restricted = restrictions(game, state)
            .filter(|_| which == Restricted::All)
            .map(|(_, restricted)| restricted);
        std::iter::once(state).chain(restricted)
    });
    let naive = naive::solve(game, roots, |state| game.canonical(state));
    let records = self::records::<Wide>(game).unwrap();
    let compared = check(game, &records, &naive, which == Restricted::All);
    assert!(compared.unrestricted > 0);
    // On a full board every move removes a piece, so none can be forbidden.
    let crowded = 2 * game.pieces + 1 == game.grid.squares() && game.losses == 1;
    assert!(compared.restricted > 0 || crowded);
    let longest = naive.longest().unwrap_or(0);
    match self::records::<Narrow>(game) {
        Ok(narrow) => assert!(narrow == records, "{}", game.spec()),
        Err(SolveError::TooLong { .. }) => assert!(longest > Narrow::LONGEST),
        Err(SolveError::Moves(_)) => assert!(game.grid.squares() > 32),
        Err(error) => panic!("{}: {error}", game.spec()),
    }
    println!("{}: {compared:?}, longest {longest}", game.spec());
}

#[test]
fn with_a_hole_that_stays() {
    for repetition in Repetition::ALL {
        for (width, height, pieces, losses) in [(3, 3, 2, 2), (3, 3, 3, 1), (4, 3, 2, 2)] {
            let game = Ostle::new(width, height, pieces, losses, repetition);
            compare_game(Restricted::All, &game.unwrap().with_fixed_hole());
        }
    }
}

#[test]
fn on_3x3_with_two_pieces() {
    compare(Restricted::All, 3, 3, 2, 2);
    compare(Restricted::All, 3, 3, 2, 1);
}

#[test]
fn on_3x4_and_5x3_rectangles() {
    compare(Restricted::All, 3, 4, 2, 2);
    compare(Restricted::All, 5, 3, 2, 2);
}

#[test]
fn on_crowded_boards_where_a_side_may_have_to_give_up_its_last_piece() {
    compare(Restricted::All, 3, 3, 4, 1);
    compare(Restricted::All, 3, 3, 4, 3);
    compare(Restricted::All, 3, 3, 3, 3);
    compare(Restricted::All, 3, 4, 5, 1);
}

#[test]
fn on_4x4_with_three_pieces() {
    compare(Restricted::Arising, 4, 4, 3, 2);
}

#[test]
fn on_4x5_with_two_pieces() {
    compare(Restricted::Arising, 4, 5, 2, 2);
}

#[test]
fn on_boards_with_a_side_of_six() {
    compare(Restricted::All, 6, 5, 1, 1);
    compare(Restricted::All, 5, 6, 1, 1);
    compare(Restricted::All, 6, 6, 1, 1);
    compare(Restricted::All, 6, 3, 2, 1);
    compare(Restricted::Arising, 4, 6, 2, 1);
}

#[test]
fn on_5x5_with_two_pieces() {
    compare(Restricted::Arising, 5, 5, 2, 2);
    compare(Restricted::Arising, 5, 5, 2, 1);
}
