//! What scans find, against a look at every state.

use std::collections::HashSet;
use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::Ranked;
use tesuji::games::ostle::{Move, State};
use tesuji::mine::{Catalogue, Filter, Find, Predicate, Scan, Scope};
use tesuji::table::{Encoding, Table, ValueWidth};

use super::board;
use super::facts::Facts;
use crate::common::truth::{Identity, Truth, on_3x3, on_3x4, on_4x4};
use crate::common::{scan, with_threads, write};

/// A condition in SQL, and the same said of facts.
struct Condition {
    sql: &'static str,
    holds: fn(&Facts) -> bool,
}

const CONDITIONS: [Condition; 5] = [
    Condition {
        sql: "true",
        holds: |_| true,
    },
    Condition {
        sql: "restricted AND outcome <> free_outcome",
        holds: |f| f.restricted() && f.worth.0 != f.free.0,
    },
    Condition {
        sql: "outcome = 'win' AND n_winning = 1 AND n_moves > 4",
        holds: |f| f.worth.0 == Outcome::Win && f.with(Outcome::Win) == 1 && f.moves.len() > 4,
    },
    Condition {
        sql: "plies BETWEEN 3 AND 8 AND NOT bannable_best AND opp_mobility > 6",
        holds: |f| {
            let short = f.worth.1.is_some_and(|plies| (3..=8).contains(&plies));
            let moves = f.truth.tried(&f.turned).len();
            short && f.banned().is_none() && moves > 6
        },
    },
    Condition {
        sql: "arises AND n_capture > 0 AND (restricted OR banned_outcome = 'loss')",
        holds: |f| {
            let arises = f.restricted() || f.arising.free;
            let lost = f.banned().unwrap_or(f.worth).0 == Outcome::Loss;
            arises && !f.captures().is_empty() && (f.restricted() || lost)
        },
    },
];

fn predicate(truth: &Truth, sql: &str, states: &str) -> Predicate {
    let text =
        format!("name = 'made'\ntitle = ''\ntext = ''\nstates = '{states}'\npredicate = \"{sql}\"");
    let filter = Filter::parse(&text, "made.toml").unwrap();
    Predicate::new(&filter, &Catalogue::new(&truth.game)).unwrap()
}

/// One scan for all conditions: over all states, and over the unrestricted ones.
fn scans(truth: &Truth, scope: &Scope) -> Vec<Scan<State>> {
    scans_of(truth, &truth.table, scope)
}

fn scans_of(truth: &Truth, table: &Table, scope: &Scope) -> Vec<Scan<State>> {
    let predicates = ["all", "unrestricted"].map(|states| {
        let predicates = CONDITIONS.iter().map(|c| predicate(truth, c.sql, states));
        predicates.collect::<Vec<_>>()
    });
    let tasks: Vec<_> = predicates.iter().flatten().map(|p| (p, None)).collect();
    scan(&truth.game, table, &tasks, scope, &NoProgress).unwrap()
}

/// The finds as a set, after a look at each of them and at their order.
fn found(truth: &Truth, scan: &Scan<State>) -> HashSet<Identity> {
    let finds = &scan.finds;
    assert_eq!(scan.matched, finds.len() as u64);
    let place = |find: &Find<State>| (find.index, find.state.forbidden.map(Move::number));
    assert!(finds.is_sorted_by_key(place));
    let identities = finds.iter().map(|find| truth.identity(&find.state));
    let identities: HashSet<_> = identities.collect();
    assert_eq!(identities.len(), finds.len(), "a state is found twice");
    identities
}

/// The states for which a condition holds, of those that `within` wants.
fn expected(facts: &[Facts], holds: impl Fn(&Facts) -> bool) -> HashSet<Identity> {
    let facts = facts.iter().filter(|facts| holds(facts));
    facts.map(|f| f.truth.identity(&f.state)).collect()
}

/// Compares a scan of a scope with a look at every state that `within` has.
fn compare(
    truth: &Truth,
    facts: &[Facts],
    scope: &Scope,
    within: impl Fn(&Facts) -> bool,
) -> usize {
    let scans = scans(truth, scope);
    let (all, unrestricted) = scans.split_at(CONDITIONS.len());
    let mut total = 0;
    for (condition, (all, unrestricted)) in CONDITIONS.iter().zip(all.iter().zip(unrestricted)) {
        let wanted = |f: &Facts| within(f) && (condition.holds)(f);
        let free = |f: &Facts| !f.restricted() && wanted(f);
        let sql = condition.sql;
        assert!(
            found(truth, all) == expected(facts, wanted),
            "{sql} in {truth:?}"
        );
        assert!(
            found(truth, unrestricted) == expected(facts, free),
            "{sql} in {truth:?}"
        );
        total += all.finds.len();
    }
    total
}

fn facts(truth: &Truth) -> Vec<Facts<'_>> {
    let states = truth.states();
    states
        .iter()
        .map(|state| Facts::new(truth, state))
        .collect()
}

#[test]
fn scans_find_the_states_that_a_look_at_every_state_finds() {
    let [oblong, _] = on_3x4();
    for truth in [&on_3x3()[..], &[oblong], &on_4x4()].concat() {
        let facts = facts(truth);
        let total = compare(truth, &facts, &Scope::all(), |_| true);
        println!("{truth:?}: {total} finds");
        for condition in &CONDITIONS {
            let some = facts.iter().any(|facts| (condition.holds)(facts));
            // The smallest game may have no example.
            assert!(some || facts.len() < 10_000, "{}", condition.sql);
        }
        // With each find comes what the state is worth.
        let worths = facts.iter().map(|f| (truth.identity(&f.state), f.worth));
        let worths: std::collections::HashMap<_, _> = worths.collect();
        for find in &scans(truth, &Scope::all())[0].finds {
            let best = find.record.best();
            let worth = worths[&truth.identity(&find.state)];
            assert_eq!((best.outcome(), best.plies()), worth);
        }
    }
}

#[test]
fn values_of_one_byte_are_scanned_as_those_of_two() {
    for truth in [on_3x3(), on_4x4()].concat() {
        let slots = 0..truth.game.slots();
        let records: Vec<_> = slots
            .map(|slot| truth.table.record(slot).unwrap())
            .collect();
        for encoding in [Encoding::Raw, Encoding::Packed] {
            let (bytes, _) = write(&truth.game, &records, ValueWidth::NARROW, encoding);
            let narrow = Table::from_bytes(bytes, Path::new("narrow.tsj")).unwrap();
            let here = scans_of(truth, &narrow, &Scope::all());
            let there = scans(truth, &Scope::all());
            let finds = |scans: &[Scan<State>]| -> Vec<_> {
                scans.iter().map(|scan| scan.finds.clone()).collect()
            };
            assert!(there.iter().any(|scan| scan.matched > 0));
            assert_eq!(finds(&here), finds(&there));
        }
    }
}

#[test]
fn scans_of_a_part_find_what_is_there() {
    for truth in [on_3x3(), on_4x4()].concat() {
        let game = &truth.game;
        let facts = facts(truth);
        let layer = |f: &Facts| {
            let state = &f.state;
            format!(
                "{}-{}",
                state.own().count_ones(),
                state.opponent().count_ones()
            )
        };
        let hole = |f: &Facts| board::hole_name(game, &f.state);
        let mut parts = [0, 0, 0];
        for one in ["1-1", "1-2", "2-1", "2-2"] {
            let scope = Scope::all().layer(game, one).unwrap();
            parts[0] += compare(truth, &facts, &scope, |f| layer(f) == one);
        }
        let holes: HashSet<String> = facts.iter().map(hole).collect();
        for one in &holes {
            let scope = Scope::all().class(game, one).unwrap();
            parts[1] += compare(truth, &facts, &scope, |f| hole(f) == *one);
        }
        assert_eq!(holes.len(), 3);
        let scope = Scope::all().layer(game, "2-1").unwrap();
        let scope = scope.layer(game, "2-2").unwrap();
        let scope = scope.class(game, "a1").unwrap().class(game, "b2").unwrap();
        let within = |f: &Facts| f.state.own().count_ones() == 2 && hole(f) != "a2";
        compare(truth, &facts, &scope, within);
        parts[2] = compare(truth, &facts, &Scope::all(), |_| true);
        assert_eq!(parts[0], parts[2]);
        assert_eq!(parts[1], parts[2]);
    }
}

#[test]
fn a_sample_has_about_so_many_positions_with_all_their_states() {
    let [exact, up_to_symmetry] = on_4x4();
    for truth in [exact, up_to_symmetry] {
        let sample = |one_in| {
            let scope = Scope {
                one_in,
                ..Scope::all()
            };
            scans(truth, &scope).swap_remove(0)
        };
        let all = scans(truth, &Scope::all()).swap_remove(0);
        assert_eq!(sample(1).finds, all.finds);
        for one_in in [2, 7, 50] {
            let some = sample(one_in);
            assert_eq!(some.finds, sample(one_in).finds);
            let slots: HashSet<u64> = some.finds.iter().map(|find| find.index).collect();
            let there = |find: &&Find<State>| slots.contains(&find.index);
            let of_them: Vec<_> = all.finds.iter().filter(there).collect();
            assert_eq!(some.finds.iter().collect::<Vec<_>>(), of_them);
            let share = slots.len() * usize::try_from(one_in).unwrap() * 100;
            let share = share / truth.positions.len();
            assert!((75..=125).contains(&share), "{share}% of one in {one_in}");
        }
    }
}

#[test]
fn one_thread_finds_what_two_find() {
    let [exact, up_to_symmetry] = on_3x4();
    for truth in [exact, up_to_symmetry] {
        let [one, two] =
            [1, 2].map(|threads| with_threads(threads, || scans(truth, &Scope::all())));
        for (one, two) in one.iter().zip(&two) {
            assert_eq!(one.finds, two.finds);
            assert_eq!(one.matched, two.matched);
        }
    }
}
