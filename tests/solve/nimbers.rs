//! The search for nimbers on games other than boards: heaps of octal games, whose
//! nimbers the recurrence gives.

use tesuji::base::progress::{NoProgress, Progress};
use tesuji::game::{Nimber, NimberError};
use tesuji::solve::nimbers::{Nimbers, Octal, Shapes};

/// Heaps of an octal game, without any theorem.
struct Heaps(&'static [u8]);

impl Shapes for Heaps {
    type Shape = usize;

    fn options(&self, heap: usize, visit: &mut dyn FnMut(&[usize])) {
        for (taken, digit) in (1..=heap).zip(self.0) {
            let rest = heap - taken;
            if digit & 1 != 0 && rest == 0 {
                visit(&[]);
            }
            if digit & 2 != 0 && rest > 0 {
                visit(&[rest]);
            }
            if digit & 4 != 0 {
                (1..rest).for_each(|part| visit(&[part, rest - part]));
            }
        }
    }

    fn canonical(&self, heap: usize) -> usize {
        heap
    }

    fn size(&self, heap: usize) -> u32 {
        u32::try_from(heap).unwrap()
    }

    fn known(&self, _heap: usize) -> Option<Nimber> {
        None
    }
}

#[test]
fn heaps_are_worth_what_the_recurrence_says() {
    // Kayles, Dawson's chess, Dawson's Kayles, Treblecross, and one without splits.
    for digits in [&[7, 7][..], &[1, 3, 7], &[0, 7], &[0, 0, 7], &[3, 3, 3]] {
        let expected = Octal::new(digits).unwrap().nimbers(120);
        let mut search = Nimbers::new(Heaps(digits), u64::MAX);
        for (heap, &nimber) in expected.iter().enumerate().skip(1) {
            assert_eq!(
                search.nimber(&[heap], &NoProgress),
                Ok(nimber),
                "{digits:?} {heap}"
            );
        }
        for (a, b, c) in [
            (1, 2, 3),
            (7, 7, 5),
            (11, 19, 40),
            (33, 34, 35),
            (60, 60, 120),
        ] {
            let sum = expected[a] ^ expected[b] ^ expected[c];
            assert_eq!(
                search.nimber(&[a, b, c], &NoProgress),
                Ok(sum),
                "{digits:?}"
            );
            for few in [0, 20, 40] {
                let fresh = Nimbers::new(Heaps(digits), u64::MAX);
                let mut fresh = fresh.without_proof_numbers_to(few);
                assert_eq!(
                    fresh.is_lost(&[a, b, c], &NoProgress),
                    Ok(sum == 0),
                    "{digits:?}"
                );
            }
        }
    }
}

/// A progress that asks to stop.
struct Stop;

impl Progress for Stop {
    fn begin(&self, _stage: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_search_that_forgets_still_answers() {
    for digits in [&[7, 7][..], &[1, 3, 7], &[0, 7]] {
        let expected = Octal::new(digits).unwrap().nimbers(60);
        // Room for a few dozen heaps.
        let mut small = Nimbers::new(Heaps(digits), 1000);
        for (heap, &nimber) in expected.iter().enumerate().skip(1).take(28) {
            assert_eq!(
                small.nimber(&[heap], &NoProgress),
                Ok(nimber),
                "{digits:?} {heap}"
            );
        }
        assert!(small.effort().kept <= 64);
    }
}

#[test]
fn a_search_ends_when_patience_does() {
    let digits: &[u8] = &[7; 12];
    let mut stopped = Nimbers::new(Heaps(digits), u64::MAX);
    let error = (1..6000).find_map(|heap| stopped.nimber(&[heap], &Stop).err());
    assert_eq!(error, Some(NimberError::Cancelled));
}
