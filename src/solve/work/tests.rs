//! Records are resolved as the rules of the table say.

use super::*;
use crate::base::value::{Narrow, Wide, Width};

type Work = super::Work<Narrow>;

fn win<W: Width>(plies: u16) -> Value<W> {
    Value::decided(Outcome::Win, plies).unwrap()
}

fn loss<W: Width>(plies: u16) -> Value<W> {
    Value::decided(Outcome::Loss, plies).unwrap()
}

#[test]
fn the_last_unresolved_move_is_the_best_one() {
    let work = Work::begin(None, 3, 0x0a ^ 0x14 ^ 0x1e);
    let work = work.resolve(loss(2), 20).resolve(loss(4), 10);
    assert!(work.has_second() && !work.has_best());
    assert_eq!((work.second(), work.mv()), (loss(4), 30));
    assert_eq!(work.record(), Record::new(Value::DRAW, loss(4), 30));
    let won = work.resolve(win(7), 30);
    assert_eq!(won.record(), Record::new(win(7), loss(4), 30));
    let lost = work.resolve(loss(8), 30);
    assert_eq!(lost.record(), Record::new(loss(8), loss(4), 30));
}

#[test]
fn an_early_loss_is_resolved_like_any_other() {
    let records = [
        Work::begin(None, 5, 0x15),
        Work::begin(None, 5, 0x15).resolve(win(3), 9),
        Work::begin(None, 3, 0x15),
        Work::begin(None, 2, 0x15),
        Work::begin(None, 1, 0x15),
        Work::decided(win(3), win(5), 7),
        Work::OPEN,
    ];
    let mut early = 0;
    for work in records {
        let expected = work.resolve(loss(6), 77).bits();
        if let Some(bits) = Work::resolve_early_loss(work.bits(), 77) {
            assert_eq!(bits, expected);
            early += 1;
        } else {
            assert!((1..=2).contains(&work.count()));
        }
    }
    assert_eq!(early, 5);
}

#[test]
fn a_floor_bounds_both_values() {
    let work = Work::begin(Some(loss(12)), 2, 5 ^ 6);
    let work = work.resolve(loss(2), 5).resolve(loss(4), 6);
    assert_eq!(work.record(), Record::new(loss(12), loss(12), 0));
    let work = Work::begin(Some(win(9)), 2, 5 ^ 6).resolve(loss(2), 5);
    let work = work.resolve(win(5), 6);
    assert_eq!(work.record(), Record::new(win(5), win(9), 6));
    let work = Work::begin(Some(Value::DRAW), 2, 5 ^ 6).resolve(loss(2), 5);
    assert_eq!(work.record(), Record::new(Value::DRAW, Value::DRAW, 0));
    assert_eq!(
        work.resolve(win(5), 6).record(),
        Record::new(win(5), Value::DRAW, 6)
    );
}

#[test]
fn the_second_win_is_the_second_value() {
    let work = Work::begin(None, 4, 0)
        .resolve(win(3), 9)
        .resolve(loss(4), 8);
    assert_eq!(work.record(), Record::new(win(3), Value::DRAW, 9));
    let two = work.resolve(win(5), 7);
    assert_eq!(two.record(), Record::new(win(3), win(5), 9));
    assert_eq!(two.resolve(win(7), 6), two);
    let rest_lost = work.resolve(loss(6), 7).resolve(loss(8), 6);
    assert_eq!(rest_lost.record(), Record::new(win(3), loss(8), 9));
}

#[test]
fn wide_words_count_and_number_moves_in_bytes() {
    let numbers = 0..=253_u8;
    let xor = numbers.clone().fold(0, |xor, mv| xor ^ mv);
    let begun = super::Work::<Wide>::begin(None, 254, xor);
    let lose = |work: super::Work<Wide>, mv| work.resolve(loss(2), mv);
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
                let begun = super::Work::<Wide>::begin(floor, lost + left, xor(0..lost + left));
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
