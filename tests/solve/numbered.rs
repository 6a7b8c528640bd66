//! Games that number their positions: against the same rules with a list, the slow solver, and
//! published figures.

#[path = "../examples/numbered.rs"]
#[allow(dead_code, reason = "its main is for whoever runs it")]
mod example;

use std::collections::BTreeSet;

use example::MuTorere;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Record};
use tesuji::game::{
    Game, Listed, Moves, Next, Numbered, NumberedGame, Ranked, Retrograde, Symmetric, laws,
};
use tesuji::table::{solve_in_memory, verify};

use crate::common::{naive, records};
use crate::listed;

/// Checks the laws, every value and every un-move of a game that numbers its positions; those that
/// can be reached also against a list. Gives the game with its records.
pub(super) fn agrees<G: NumberedGame>(make: impl Fn() -> G) -> (Numbered<G>, Vec<Record>) {
    let game = Numbered::of(make());
    let stored: Vec<_> = (0..game.slots())
        .filter_map(|slot| game.unrank(slot))
        .collect();
    let images = |state: &G::State| {
        let state = *state;
        let turns = 0..game.game().symmetries();
        turns
            .map(|turn| game.game().image(&state, turn))
            .collect::<BTreeSet<_>>()
    };
    let states: BTreeSet<_> = stored.iter().flat_map(images).collect();
    let slow = naive::solve(&game, states.iter().copied(), Clone::clone);
    assert_eq!(slow.len(), states.len(), "no move leads out of the numbers");
    let found = records(&game);
    let record = |state: &G::State| found[usize::try_from(game.rank(state)).unwrap()];
    let (mut moves, mut unmoves, mut entered) = (0, 0, BTreeSet::new());
    for state in &states {
        let text = game.format_state(state);
        assert_eq!(slow.value(state), Some(record(state).best()), "{text}");
        laws::notation(&game, state).unwrap();
        for mv in game.moves(state) {
            if let Next::State(next) = game.play(state, mv) {
                (moves, _) = (moves + 1, entered.insert(game.rank(&next)));
            }
        }
        let befores = game.predecessors(state);
        for (before, mv) in &befores {
            assert_eq!(game.play(before, *mv), Next::State(*state), "{text}");
        }
        unmoves += befores.len();
    }
    assert_eq!(unmoves, moves);
    for slot in 0..game.slots() {
        laws::ranking(&game, slot).unwrap();
        laws::quick_moves(&game, slot).unwrap();
        if let Some(cursor) = game.cursor(slot) {
            let mut arrives = false;
            game.arrivals(cursor, |_| arrives = true);
            assert_eq!(arrives, entered.contains(&slot));
        }
    }
    laws::arrows(&game).unwrap();
    for layer in game.layers() {
        let classes = layer.slots.clone().filter_map(|slot| game.cursor(slot));
        assert!(
            classes.map(|cursor| game.class(cursor)).is_sorted(),
            "{}",
            layer.name
        );
    }
    let table = solve_in_memory(&game, &NoProgress).unwrap();
    assert_eq!(verify(&table, &game, &NoProgress).unwrap().flaws, []);
    let listed = Listed::of(make());
    let in_list = records(&listed);
    for state in listed::states(&listed) {
        let expected = in_list[usize::try_from(listed.rank(&state)).unwrap()].best();
        assert_eq!(
            record(&state).best(),
            expected,
            "{}",
            game.format_state(&state)
        );
        let mut befores = game.predecessors(&state);
        befores.retain(|(before, _)| listed.rank(before) != u64::MAX);
        assert_eq!(befores, listed.predecessors(&state));
    }
    (game, found)
}

/// The position after a move that ends the game.
fn stuck((own, other, black): (u64, u64, bool), (from, to): (u8, u8)) -> (u64, u64, bool) {
    (other, own & !(1 << from) | 1 << to, !black)
}

/// M. Ascher, *Mu Torere: An Analysis of a Maori Game*, Mathematics Magazine 60 (1987): drawn, with 92
/// positions up to symmetry, as in G. Jelliss, <https://mayhematics.com/k/games6.htm>; P. Straffin,
/// *Position Graphs for Pong Hau K'i and Mu Torere* (1995): drawn. Of 1,180 positions that can be
/// reached, 208 are won, 128 lost and 844 drawn: <https://en.wikipedia.org/wiki/M%C5%AB_t%C5%8Drere>.
#[test]
fn mu_torere_has_the_published_counts_and_is_drawn() {
    let (game, found) = agrees(MuTorere::new);
    assert_eq!(example::value().unwrap(), "draw");
    let (mut counts, mut over) = ([0; 3], BTreeSet::new());
    for state in listed::states(&Listed::of(MuTorere::new())) {
        let record = found[usize::try_from(game.rank(&state)).unwrap()];
        counts[record.best().outcome() as usize] += 1;
        let mut moves = game.moves(&state);
        moves.retain(|&mv| game.play(&state, mv) == Next::Over(Outcome::Win));
        over.extend(moves.into_iter().map(|mv| stuck(state, mv)));
    }
    counts[Outcome::Loss as usize] += over.len();
    let of = |outcome| counts[outcome as usize];
    assert_eq!(
        [Outcome::Win, Outcome::Loss, Outcome::Draw].map(of),
        [208, 128, 844]
    );
    let open = (0..game.slots()).filter(|&slot| game.unrank(slot).is_some());
    let over: BTreeSet<_> = over.iter().map(|state| game.canonical(state)).collect();
    assert_eq!(open.count() + over.len(), 92);
}
