//! Records of many moves are resolved as the rules of the table say.

use super::*;
use crate::base::value::Wide;

type Work = super::Work<Wide>;

fn win(plies: u16) -> Value {
    Value::decided(Outcome::Win, plies).unwrap()
}

fn loss(plies: u16) -> Value {
    Value::decided(Outcome::Loss, plies).unwrap()
}

#[test]
fn wide_words_count_and_number_moves_in_bytes() {
    let numbers = 0..=253_u8;
    let xor = numbers.clone().fold(0, |xor, mv| xor ^ mv);
    let begun = Work::begin(None, 254, xor);
    let lose = |work: Work, mv| work.resolve(loss(2), mv);
    let one_left = (0..253).fold(begun, lose);
    assert!(one_left.has_second() && !one_left.has_best());
    assert_eq!((one_left.second(), one_left.mv()), (loss(2), 253));
    let won = one_left.resolve(win(7), 253);
    assert_eq!(won.record(), Record::new(win(7), loss(2), 253));
    let lost = lose(one_left, 253);
    assert_eq!(lost.record(), Record::new(loss(2), loss(2), 0));
    let known = (200..254).fold(begun.resolve(win(3), 7), lose);
    assert_eq!((known.count(), known.mv()), (254 - 55, 7));
}

#[test]
fn moves_that_lose_at_once_are_resolved_together_as_one_by_one() {
    for floor in [
        None,
        Some(Value::SELF_MATE),
        Some(loss(9)),
        Some(Value::DRAW),
    ] {
        for lost in 0..=200 {
            for left in 0..3 {
                let xor = |numbers: std::ops::Range<u8>| numbers.fold(0, |xor, mv| xor ^ mv);
                let begun = Work::begin(floor, lost + left, xor(0..lost + left));
                let single = (0..lost).fold(begun, |work, mv| work.resolve_loss(loss(2), mv));
                let together = begun.resolve_first_losses(lost, xor(0..lost));
                // The move of a record with two equal values has no meaning.
                if left == 0 && lost > 1 {
                    assert_eq!(together.record(), single.record());
                } else {
                    assert_eq!(together, single, "{floor:?} {lost} {left}");
                }
            }
        }
    }
}
