//! Values and records, and numbers as people read them.

use std::io::Read;
use std::path::Path;

use tesuji::base::files::{open_lines, read_text};
use tesuji::base::text::{bytes, grouped, percent, plural, visible};
use tesuji::base::value::{Narrow, Outcome, Record, Value, Wide, Width};
use tesuji::game::Moves;
use tesuji::games::pieces::Pieces;

fn survives<W: Width>() {
    for code in 0..=W::DRAW {
        let value = Value::<W>::from_code(code);
        let Some(distance) = value.plies_to_checkmate().filter(|&d| d <= W::LONGEST) else {
            continue;
        };
        assert_eq!(Value::decided(value.outcome(), distance + 1), Some(value));
        if let Some(narrow) = value.resized::<Narrow>() {
            assert_eq!(narrow.resized::<W>(), Some(value));
        }
    }
    assert_eq!(Value::<W>::decided(Outcome::Win, 0), None);
    assert_eq!(Value::<W>::decided(Outcome::Loss, W::LONGEST + 2), None);
}

#[test]
fn every_code_survives_outcome_and_plies() {
    survives::<Narrow>();
    survives::<Wide>();
}

#[test]
fn preference_orders_quick_wins_first_and_quick_losses_last() {
    let order: [Option<Value>; 8] = [
        Value::decided(Outcome::Loss, 1),
        Value::decided(Outcome::Loss, 2),
        Value::decided(Outcome::Loss, 9),
        Value::decided(Outcome::Loss, 10),
        Some(Value::DRAW),
        Value::decided(Outcome::Win, 9),
        Value::decided(Outcome::Win, 2),
        Value::decided(Outcome::Win, 1),
    ];
    assert!(order.iter().all(Option::is_some));
    assert!(order.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_move_into_a_lost_state_wins_one_ply_later() {
    let game = Pieces::shipped("tictactoe").unwrap();
    let through = |value: Option<Value>| game.through_move(value.unwrap());
    for plies in [1, 6] {
        assert_eq!(
            through(Value::decided(Outcome::Loss, plies)),
            Value::decided(Outcome::Win, plies + 1)
        );
    }
    assert_eq!(through(Some(Value::from_code(Wide::LONGEST))), None);
}

#[test]
fn forbidding_the_only_best_move_leaves_the_second_value() {
    let record = Record::new(Value::CHECKMATE, Value::DRAW, 17);
    assert_eq!(record.without(Some(17)), Value::DRAW);
    assert_eq!(record.without(Some(18)), Value::CHECKMATE);
    assert_eq!(record.without(None), Value::CHECKMATE);
    let tied = Record::new(Value::DRAW, Value::DRAW, 17);
    assert_eq!(tied.only_move(), None);
}

#[test]
fn numbers_and_names_read_well() {
    let numbers = [0, 999, 1000, 2_735_147_685].map(grouped);
    assert_eq!(numbers, ["0", "999", "1,000", "2,735,147,685"]);
    let counts = [(0, "foul"), (1, "ply"), (2, "ply"), (1000, "turn")];
    let counts = counts.map(|(count, one)| plural(count, one));
    assert_eq!(counts, ["0 fouls", "1 ply", "2 plies", "1,000 turns"]);
    assert_eq!([1, 3 << 29].map(bytes), ["1 MiB", "1.50 GiB"]);
    assert_eq!([percent(1, 3), percent(0, 0)], ["33%", "0%"]);
    assert_eq!(visible("a\tb\n"), "a\tb\n");
    assert_eq!(visible("\u{1b}[31mred\u{9b}"), "\u{fffd}[31mred\u{fffd}");
}

#[test]
#[cfg(unix)]
fn files_without_an_end_are_refused() {
    let endless = Path::new("/dev/zero");
    let refused = read_text(endless).unwrap_err().to_string();
    assert_eq!(refused, "it has more than 16 MiB");
    let mut bytes = Vec::new();
    let refused = open_lines(endless).unwrap().read_to_end(&mut bytes);
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "it has more than 1 MiB without a line end");
}
