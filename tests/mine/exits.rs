//! Conditions on captures and sacrifices, tested row by row, find what they find position by
//! position.

use tesuji::base::random::SplitMix64;
use tesuji::base::watch::Unwatched;
use tesuji::game::Repetition;
use tesuji::games::ostle::Ostle;
use tesuji::mine::{Scope, scan};

use super::scan::predicate;
use crate::common;

/// A condition on moves of one kind or two, and now and then on something else.
fn condition(random: &mut SplitMix64) -> String {
    let mut pick = |words: &[&str]| words[random.below(words.len())].to_owned();
    let mut part = || {
        let kind = pick(&["sacrifice", "capture", "capture", "quiet"]);
        let other = pick(&["sacrifice", "capture"]);
        let count = pick(&["n", "winning", "drawing", "losing"]);
        match pick(&["number", "same", "other"]).as_str() {
            "number" => format!(
                "{count}_{kind} {} {}",
                pick(&["=", ">", "<"]),
                pick(&["0", "1", "2"])
            ),
            "same" => format!("{count}_{kind} = n_{kind}"),
            _ => format!("({count}_{kind} > 0 OR losing_{other} > 1)"),
        }
    };
    let parts = [part(), part()];
    format!("{} AND {}", parts[0], parts[1])
}

#[test]
fn conditions_on_exits_find_the_same_by_rows_and_by_positions() {
    let boards = [
        (3, 3, 3, 2),
        (3, 4, 2, 2),
        (3, 4, 3, 2),
        (4, 4, 3, 1),
        (4, 4, 2, 2),
    ];
    let mut random = SplitMix64::new(19);
    let (mut found, mut refused) = (0, 0);
    for (width, height, pieces, losses) in boards {
        for repetition in [Repetition::Exact, Repetition::UpToSymmetry] {
            let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
            let table = common::table(&game);
            let conditions: Vec<_> = (0..20).map(|_| condition(&mut random)).collect();
            let predicates = conditions
                .iter()
                .map(|text| predicate(&game, text, &[]).unwrap());
            let predicates: Vec<_> = predicates.collect();
            let tasks: Vec<_> = predicates
                .iter()
                .map(|predicate| (predicate, None))
                .collect();
            let [rows, positions] = [Scope::all(), Scope::all().by_positions()]
                .map(|scope| scan(&game, &table, &tasks, &scope, &Unwatched).unwrap());
            for ((rows, positions), condition) in rows.iter().zip(&positions).zip(&conditions) {
                let of = |scan: &tesuji::mine::Scan<_>| -> Vec<_> {
                    scan.finds().iter().map(|find| find.index).collect()
                };
                assert_eq!(rows.matched(), positions.matched(), "{condition}");
                assert_eq!(of(rows), of(positions), "{condition}");
                found += rows.matched();
                refused += table.description().slots() - rows.matched();
            }
        }
    }
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}
