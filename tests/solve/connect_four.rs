//! Connect Four on small boards: published values and counts of positions.

#[path = "../examples/connect_four.rs"]
#[allow(dead_code, reason = "its main is for whoever runs it")]
mod example;

pub(super) use example::ConnectFour;
use example::solve;
use tesuji::base::value::Outcome;

/// J. Tromp, <https://tromp.github.io/c4/c4.html>: values of boards, and how many positions they
/// have; M. Böck counted them again, <https://github.com/markus7800/Connect4-Strong-Solver>.
#[test]
fn small_boards_have_the_published_values_and_positions() {
    for (columns, rows, positions) in [
        (1, 4, 5),
        (2, 4, 179),
        (3, 3, 869),
        (3, 4, 6_000),
        (3, 6, 235_781),
        (4, 3, 12_031),
        (4, 4, 161_029),
        (4, 5, 1_706_255),
        (5, 3, 158_911),
    ] {
        let (outcome, found) = solve(ConnectFour(columns, rows)).unwrap();
        // Values are published from four columns and rows on.
        assert!(outcome == Outcome::Draw || columns.min(rows) < 4);
        assert_eq!(found, positions, "{columns} columns, {rows} rows");
    }
}
