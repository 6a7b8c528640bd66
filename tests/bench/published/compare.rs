//! Do both methods find the same states, with the same values?

use std::fmt::Write;

use rayon::prelude::*;
use tesuji::base::value::{Outcome, Record, Value};
use tesuji::game::{Game, Ranked, Retrograde};
use tesuji::games::ostle::Ostle;

use crate::method::{Analysis, STATES};
use crate::rules::{Position, Rules};

/// Panics unless both methods agree on every state and every checkmate position.
pub fn compare(game: &Ostle, records: &[Record], analysis: &Analysis) {
    let rules = analysis.list.rules;
    let states: usize = (0..game.slots())
        .filter_map(|slot| game.cursor(slot).map(|cursor| (slot, cursor)))
        .filter(|&(slot, _)| records[as_index(slot)].best() != Value::CHECKMATE)
        .map(|(_, cursor)| {
            let mut states = 0;
            game.arrivals(cursor, |_| states += 1);
            states
        })
        .sum();
    assert_eq!(states, analysis.values.len(), "states that can arise");
    let record = |slot: u64| records[as_index(slot)];
    (0..analysis.list.keys.len())
        .into_par_iter()
        .for_each(|place| {
            let at = analysis.list.at(place);
            let digits = digits(rules, at);
            let slot_of = |text: &str| game.slot(&game.parse_state(text).expect(text));
            let unrestricted = slot_of(&digits);
            let is_checkmate = record(unrestricted.index).best() == Value::CHECKMATE;
            assert_eq!(is_checkmate, rules.is_checkmate(at), "{digits}");
            let mut names = vec![None];
            rules.moves(at, |_, step| {
                let square = (step.from / rules.height, step.from % rules.height);
                let letter = char::from(b"UDLR"[usize::from(step.direction)]);
                names.push(Some(format!(
                    "{}{}{letter}",
                    char::from(b'a' + square.0),
                    square.1 + 1
                )));
            });
            let mut marked = analysis.marks.of(place);
            let first = analysis.marks.rank(place * STATES);
            for &value in &analysis.values[first..first + marked.count_ones() as usize] {
                let name = &names[marked.trailing_zeros() as usize];
                marked &= marked - 1;
                let text = name
                    .iter()
                    .fold(digits.clone(), |text, name| text + " " + name);
                let slot = slot_of(&text);
                assert_eq!(
                    record(slot.index).without(slot.forbidden),
                    as_value(value),
                    "{text}"
                );
            }
        });
}

/// A value of the published method in this crate's terms.
fn as_value(value: i16) -> Value {
    let outcome = if value > 0 {
        Outcome::Win
    } else {
        Outcome::Loss
    };
    Value::decided(outcome, value.unsigned_abs()).unwrap_or(Value::DRAW)
}

/// A position in the notation of the paper's program.
fn digits(rules: &Rules, at: Position) -> String {
    let mut text = String::new();
    for rank in (0..rules.height).rev() {
        for square in (0..rules.width).map(|file| file * rules.height + rank) {
            let own = u32::from(at.own >> square & 1 == 1);
            let opp = 2 * u32::from(at.opp >> square & 1 == 1);
            let hole = 3 * u32::from(at.hole == square);
            let _ = write!(text, "{}", own + opp + hole);
        }
        text += if rank > 0 { "-" } else { "" };
    }
    text
}

fn as_index(slot: u64) -> usize {
    usize::try_from(slot).expect("records are in memory")
}
