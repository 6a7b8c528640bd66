//! Columns, moves by slot and scans of small games, against what the slow solver and
//! plain playing say: every unrestricted state, and every restricted one that can
//! arise.

mod board;
mod expected;
mod facts;
mod moves_by_slot;
mod scans;
mod solution;

use expected::{Rule, expected};
use facts::Facts;
use tesuji::game::{Game, Symmetric};
use tesuji::games::ostle::State;
use tesuji::mine::{Catalogue, Column, Tier, measure};

use crate::common;
use crate::common::truth::{Truth, on_3x3, on_3x4, on_4x4};

/// States measured together.
const TOGETHER: usize = 500;

/// Compares every column of some states.
fn compare(truth: &Truth, columns: &[(Column, Rule)], wanted: &[usize], states: &[State]) {
    let game = &truth.game;
    let catalogue = Catalogue::new(game);
    for states in states.chunks(TOGETHER) {
        let rows = measure(game, &truth.table, &catalogue, wanted, states).unwrap();
        assert_eq!(rows.len(), states.len());
        for (state, row) in states.iter().zip(rows) {
            assert_eq!(row.len(), wanted.len());
            let facts = Facts::new(truth, state);
            for (&place, cell) in wanted.iter().zip(row) {
                let (Column { feature, .. }, rule) = &columns[place];
                let seen = rule(&facts);
                if seen == expected::Seen::Unchecked {
                    continue;
                }
                assert_eq!(
                    cell.get(),
                    seen.held(feature),
                    "{} of {} in {truth:?}, where it should be {seen:?}",
                    feature.name,
                    game.format_state(state),
                );
            }
        }
    }
}

/// Compares the columns of every `stride`-th state, of one in five of these once more
/// in a mirror, and those about whole lines of one in `lines`.
fn every_column(truths: [&Truth; 2], stride: usize, lines: usize) {
    for truth in truths {
        let catalogue = Catalogue::new(&truth.game);
        let with_rule = |column: &Column| (column.clone(), expected(&column.feature.name));
        let columns: Vec<_> = catalogue.columns.iter().map(with_rule).collect();
        // Lures are examined in tests/solve/lures.
        let lure = |place: &usize| columns[*place].0.tier == Tier::Lure;
        let all: Vec<usize> = (0..columns.len()).filter(|place| !lure(place)).collect();
        let quick = |&place: &usize| columns[place].0.tier != Tier::Solution;
        let quick: Vec<usize> = all.iter().copied().filter(quick).collect();
        assert!(quick.len() < all.len());
        let states = truth.states();
        let restricted = states.iter().filter(|state| state.forbidden.is_some());
        let restricted = restricted.count();
        assert!(restricted > 0 && restricted < states.len());
        let chosen: Vec<_> = states.iter().step_by(stride).copied().collect();
        if lines > 1 {
            compare(truth, &columns, &quick, &chosen);
        }
        let some: Vec<_> = chosen.iter().step_by(lines).copied().collect();
        compare(truth, &columns, &all, &some);
        let mirrored = chosen.iter().skip(1).step_by(5);
        let mirrored: Vec<_> = mirrored.map(|state| truth.mirrored(state)).collect();
        compare(truth, &columns, &quick, &mirrored);
        println!(
            "{truth:?}: {} states, {restricted} restricted",
            states.len()
        );
    }
}

#[test]
fn which_of_the_moves_that_lead_back_is_forbidden_changes_no_value() {
    for truth in [on_3x3(), on_4x4()].concat() {
        // Every state for itself, up to images of the board only.
        let naive = common::naive(&truth.game);
        let mut known = 0;
        for state in truth.states() {
            let value = naive.value(&truth.game.canonical(&state));
            let worth = value.map(|value| (value.outcome(), value.plies()));
            assert!(worth.is_none_or(|worth| worth == truth.worth(&state)));
            known += usize::from(worth.is_some());
        }
        assert!(known > truth.states().len() / 2);
    }
}

#[test]
fn every_column_on_3x3_is_what_playing_says() {
    every_column(on_3x3(), 1, 1);
}

#[test]
fn every_column_on_3x4_is_what_playing_says() {
    every_column(on_3x4(), 5, 7);
}

#[test]
fn every_column_on_4x4_is_what_playing_says() {
    every_column(on_4x4(), 1, 23);
}
