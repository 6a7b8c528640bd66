//! Dobutsu shogi and its small relatives: the fast solver against the naive one, and what is
//! published.

use crate::common::naive;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Value};
use tesuji::game::{Game, Ranked, Symmetric};
use tesuji::games::pieces::Pieces;
use tesuji::solve::{Rule, reach};

use crate::common::records;

fn game(spec: &str) -> Pieces {
    Pieces::shipped(spec).unwrap()
}

/// Compares the values of all positions of a relative.
fn compare(spec: &str) {
    let game = game(spec);
    let positions = (0..game.slots()).filter_map(|slot| game.unrank(slot));
    let naive = naive::solve(&game, positions, |state| game.canonical(state));
    let (mut compared, mut longest) = (0_u64, 0);
    for (slot, record) in (0..).zip(records(&game)) {
        let Some(state) = game.unrank(slot) else {
            assert!(record.is_vacant());
            continue;
        };
        let slow = naive.value(&game.canonical(&state));
        assert_eq!(
            Some(record.best()),
            slow,
            "{spec}: {}",
            game.format_state(&state)
        );
        compared += 1;
        longest = longest.max(record.best().plies().unwrap_or(0));
    }
    assert!(compared > 0);
    println!("{spec}: {compared} positions, longest {longest}");
}

#[test]
fn every_value_of_small_relatives_is_the_naive_one() {
    for spec in [
        "dobutsu:pieces=lion",
        "dobutsu:pieces=lion+chick",
        "dobutsu:pieces=lion+chick,try=held",
        "dobutsu:pieces=lion+giraffe",
        "dobutsu:pieces=lion+elephant,try=held",
        "dobutsu:pieces=lion+elephant+chick,drops=no",
    ] {
        compare(spec);
    }
}

/// What B. Liou found of the game without drops
/// (<https://github.com/brianhliou/dobutsu-shogi>, README and research/reproduction.md): a
/// draw, no win longer than 37 plies, and 962,894 positions where a lion that has arrived
/// stays for a ply, as in Tanaka's count.
#[test]
#[ignore = "minutes and 1 GB; run it with --ignored"]
fn without_drops_the_published_figures_come_out() {
    let game = game("dobutsu:drops=no");
    let records = records(&game);
    let of = |slot: u64| records[usize::try_from(slot).unwrap()].best();
    assert_eq!(of(game.rank(&game.initial())), Value::DRAW);
    let held = self::game("dobutsu:drops=no,try=held");
    let found = reach(&held, Rule::Legal, &NoProgress).unwrap();
    assert_eq!(found.counts.iter().sum::<u64>(), 962_894);
}

#[test]
fn a_win_of_the_first_to_try_is_a_ply_longer_if_the_lion_must_stay() {
    let text = "S/--l/L--/---/---/CCGGEE";
    for (spec, plies) in [
        ("dobutsu:pieces=lion", 1),
        ("dobutsu:pieces=lion,try=held", 2),
    ] {
        let game = game(spec);
        let state = game.parse_state(&text.replace("CCGGEE", "-")).unwrap();
        let records = records(&game);
        let value = records[usize::try_from(game.rank(&state)).unwrap()].best();
        assert_eq!(
            (value.outcome(), value.plies()),
            (Outcome::Win, Some(plies)),
            "{spec}"
        );
    }
}
