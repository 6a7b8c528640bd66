//! Filters that run in one scan, against each alone.

use tesuji::base::progress::NoProgress;
use tesuji::mine::Scope;

use super::scan::{WIDE, predicate};
use crate::common::scan;

/// Filters that run together are settled one by one: by the layer, by what a record says of the
/// numbers of moves, and by the first columns of an order once there are enough finds.
#[test]
fn filters_that_run_together_find_what_each_finds_alone() {
    let (game, table) = &*WIDE;
    let filters: [(&str, &[&str]); 9] = [
        ("outcome = 'win' AND plies > 3", &["-plies"]),
        (
            "outcome = 'draw' AND only_move",
            &["-second_plies", "-n_moves"],
        ),
        (
            "outcome = 'win' AND own_pieces < opp_pieces",
            &["n_winning", "-plies"],
        ),
        ("layer = '3-2' AND n_winning = 1", &["-failing_tempting"]),
        (
            "own_spare = 0 AND n_winning = 0 AND n_drawing = 0",
            &["-plies", "n_moves"],
        ),
        (
            "opp_pieces = 2 AND own_pieces = 3 OR plies = 9",
            &["own_mobility"],
        ),
        ("n_winning = 1 AND arises", &["-plies", "-winning_capture"]),
        ("n_drawing > 1 AND n_winning BETWEEN 0 AND 1", &[]),
        (
            "passed_outcome = 'win' AND outcome <> 'win'",
            &["plies", "-hole_edge_distance"],
        ),
    ];
    let predicates = filters.map(|(condition, order)| predicate(game, condition, order).unwrap());
    let tasks: Vec<_> = predicates.iter().map(|it| (it, Some(40))).collect();
    let together = scan(game, table, &tasks, &Scope::all(), &NoProgress).unwrap();
    let mut full = 0;
    for ((predicate, together), (condition, _)) in predicates.iter().zip(together).zip(filters) {
        let alone = scan(
            game,
            table,
            &[(predicate, None)],
            &Scope::all(),
            &NoProgress,
        )
        .unwrap();
        // Beyond this many finds some come too late to be kept.
        full += u32::from(alone[0].matched > 4096);
        assert!(alone[0].matched > 40, "{condition}");
        assert_eq!(together.matched, alone[0].matched, "{condition}");
        assert_eq!(together.finds, &alone[0].finds[..40], "{condition}");
    }
    assert!(full > 5, "{full} filters found many");
}
