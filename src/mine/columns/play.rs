//! Columns that compare the values of all moves, and those that count the moves of a kind.

use super::{Tier, listed, moves, outcome, plies};
use crate::base::value::{Outcome, Value};
use crate::game::{Feature, FeatureValue, MoveKind};
use crate::mine::frame::Rate;

/// The number of columns before those of the kinds.
const GENERAL: usize = 22;

/// The places of the numbers of winning, drawing and best moves.
pub(in crate::mine) const WINNING: usize = 1;
pub(in crate::mine) const DRAWING: usize = 2;
pub(in crate::mine) const BEST: usize = 4;

/// The place of whether one move is the only best one.
pub(in crate::mine) const ONLY: usize = 18;

/// The places of the outcome and the plies of the second-best move.
pub(in crate::mine) const SECOND_OUTCOME: usize = 19;
pub(in crate::mine) const SECOND_PLIES: usize = 20;

/// The place of the number of moves that win by a ban alone.
pub(in crate::mine) const WINNING_BY_BAN: usize = 12;

/// The columns that count positions.
pub(super) const POSITIONS: std::ops::Range<usize> = 14..17;

pub(super) fn features(kinds: &[MoveKind]) -> Vec<Feature> {
    let tempting = kinds.iter().filter(|kind| kind.tempting);
    let tempting = match &tempting.map(|kind| kind.name).collect::<Vec<_>>()[..] {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let mut features = listed(Tier::Play.name());
    for feature in &mut features {
        feature.meaning = feature.meaning.replace("{tempting}", &tempting);
    }
    debug_assert_eq!(features.len(), GENERAL);
    for MoveKind { name, .. } in kinds {
        let meaning = format!("moves of kind '{name}' with the best value");
        features.push(moves(format!("best_{name}"), meaning));
    }
    features
}

/// The kinds that the wanted columns look at, one bit each.
pub(super) fn looked_at(kinds: &[MoveKind], wanted: &[usize]) -> u32 {
    let of_kinds = wanted.iter().filter_map(|place| place.checked_sub(GENERAL));
    of_kinds.fold(tempting(kinds), |set, kind| set | 1 << kind)
}

/// The tempting kinds, one bit each.
fn tempting(kinds: &[MoveKind]) -> u32 {
    let tempting = kinds.iter().enumerate().filter(|(_, kind)| kind.tempting);
    tempting.fold(0, |set, (bit, _)| set | 1 << bit)
}

pub(super) fn values(
    kinds: &[MoveKind],
    wanted: &[usize],
    rates: &[Rate],
    values: &mut Vec<FeatureValue>,
) {
    let best = rates.iter().map(|rate| rate.value).max();
    let best = best.unwrap_or(Value::SELF_MATE);
    let with = |outcome| count(rates, |rate| rate.value.outcome() == outcome);
    let tempting = tempting(kinds);
    let lures = || rates.iter().filter(|rate| rate.kinds & tempting != 0);
    let worst = || lures().map(|rate| rate.value).min();
    for &place in wanted {
        values.push(match place {
            0 => FeatureValue::count(rates.len()),
            WINNING => with(Outcome::Win),
            DRAWING => with(Outcome::Draw),
            3 => with(Outcome::Loss),
            BEST => count(rates, |rate| rate.value == best),
            5 if best.outcome() != Outcome::Win => FeatureValue::NONE,
            6 => count(rates, |rate| fails(rate, best)),
            7 => FeatureValue::count(lures().count()),
            8 => FeatureValue::count(lures().filter(|rate| fails(rate, best)).count()),
            9 => worst().map_or(FeatureValue::NONE, outcome),
            10 => worst().map_or(FeatureValue::NONE, plies),
            11 => FeatureValue::flag(lures().count() > 0 && lures().all(|rate| rate.value != best)),
            WINNING_BY_BAN => count(rates, |rate| {
                rate.value.outcome() == Outcome::Win && rate.free.outcome() != Outcome::Win
            }),
            13 => count(rates, |rate| {
                rate.value.outcome() != Outcome::Loss && rate.free.outcome() == Outcome::Loss
            }),
            14 => positions(rates, Outcome::Win),
            15 => positions(rates, Outcome::Draw),
            16 => positions(rates, Outcome::Loss),
            17 => {
                let values = rates.iter().map(|rate| rate.value);
                let losing = values.filter(|value| value.outcome() == Outcome::Loss);
                FeatureValue::known(losing.filter_map(Value::plies).min())
            }
            ONLY => FeatureValue::flag(
                second(rates).is_some_and(|second| second != best) || rates.len() == 1,
            ),
            SECOND_OUTCOME => second(rates).map_or(FeatureValue::NONE, outcome),
            SECOND_PLIES => second(rates).map_or(FeatureValue::NONE, plies),
            5 | 21 => {
                second(rates).map_or(FeatureValue::NONE, |second| second_margin(best, second))
            }
            _ => {
                let kind = 1 << (place - GENERAL);
                count(rates, |rate| rate.kinds & kind != 0 && rate.value == best)
            }
        });
    }
}

fn count(rates: &[Rate], is_counted: impl Fn(&Rate) -> bool) -> FeatureValue {
    FeatureValue::count(rates.iter().filter(|rate| is_counted(rate)).count())
}

/// How many positions up to symmetry the moves of an outcome lead to.
fn positions(rates: &[Rate], outcome: Outcome) -> FeatureValue {
    let moves = rates.iter().filter(|rate| rate.value.outcome() == outcome);
    let mut slots: Vec<_> = moves.map(|rate| rate.to).collect();
    slots.sort_unstable();
    slots.dedup();
    FeatureValue::count(slots.len())
}

fn second(rates: &[Rate]) -> Option<Value> {
    let mut best = [None; 2];
    for value in rates.iter().map(|rate| Some(rate.value)) {
        best[1] = best[1].max(value.min(best[0]));
        best[0] = best[0].max(value);
    }
    best[1]
}

/// By how many plies the second-best move is shorter or longer than the best.
fn second_margin(best: Value, second: Value) -> FeatureValue {
    let same = best.outcome() == second.outcome();
    let margin = best.plies().zip(second.plies()).filter(|_| same);
    FeatureValue::known(margin.map(|(first, then)| first.abs_diff(then)))
}

fn fails(rate: &Rate, best: Value) -> bool {
    rate.value.outcome() != best.outcome()
}

/// The number of columns of each kind: they count its moves by outcome, and only these moves are
/// rated.
pub(super) const WIDTH: usize = 4;

/// The place of the number of winning moves among them.
pub(in crate::mine) const WINNING_OF_KIND: usize = 1;

pub(super) fn kind_features(kinds: &[MoveKind]) -> Vec<Feature> {
    let mut features = Vec::new();
    for kind in kinds {
        let name = kind.name;
        let all = format!("moves of kind '{name}'");
        let meaning = format!("{all}: {}", kind.meaning);
        features.push(moves(format!("n_{name}"), meaning));
        for (outcome, verb) in [("winning", "win"), ("drawing", "draw"), ("losing", "lose")] {
            let meaning = format!("{all} that {verb}");
            features.push(moves(format!("{outcome}_{name}"), meaning));
        }
    }
    features
}

/// The kinds of moves that the wanted columns need, one bit each.
pub(super) fn needed(wanted: &[usize]) -> u32 {
    let kinds = wanted.iter().map(|place| 1 << (place / WIDTH));
    kinds.fold(0, |set, kind: u32| set | kind)
}

pub(super) fn kind_values(wanted: &[usize], rates: &[Rate], values: &mut Vec<FeatureValue>) {
    for &place in wanted {
        let kind = 1 << (place / WIDTH);
        let outcome = match place % WIDTH {
            0 => None,
            1 => Some(Outcome::Win),
            2 => Some(Outcome::Draw),
            _ => Some(Outcome::Loss),
        };
        values.push(count(rates, |rate| {
            rate.kinds & kind != 0 && outcome.is_none_or(|outcome| rate.value.outcome() == outcome)
        }));
    }
}
