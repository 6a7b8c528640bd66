//! A second game with hidden information, tiny and unlike shogi, which shows that the
//! search knows neither boards nor captures: the numbers that it gives are those of a
//! brute force over strategies that is written here and shares no code with it.
//!
//! A mouse sits in one of several holes in a row. The cat, who does not see it, taps
//! before a hole. On the very hole of the mouse that is a foul (it squeaks); beside it, a
//! check, from which the mouse runs one or two holes away; elsewhere nothing happens,
//! which is forbidden (quiet). A mouse with no hole to run to is caught. The cat hears if
//! the mouse bumps into the end of the row.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use tesuji::base::progress::NoProgress;
use tesuji::game::{Answer, Game, Hidden, NotationError, Reply};
use tesuji::solve::belief::{Limits, Mode, solve};

/// So many holes.
#[derive(Debug)]
struct Row {
    holes: u8,
}

/// A tap before a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Tap(u8);

impl Row {
    fn taps(&self) -> Vec<Tap> {
        (0..self.holes).map(Tap).collect()
    }

    /// What a tap does: nothing if it is quiet, else whether it is a foul.
    fn judge(mouse: u8, tap: Tap) -> Option<bool> {
        match tap.0.abs_diff(mouse) {
            0 => Some(true),
            1 => Some(false),
            _ => None,
        }
    }

    /// Where the mouse may run, and whether that is heard; nowhere if it is caught.
    fn runs(&self, mouse: u8, tap: Tap) -> Vec<(bool, u8)> {
        let away = if tap.0 < mouse { 1 } else { -1 };
        [1, 2]
            .into_iter()
            .filter_map(|far| u8::try_from(i16::from(mouse) + away * far).ok())
            .filter(|&to| to < self.holes)
            .map(|to| (to == 0 || to + 1 == self.holes, to))
            .collect()
    }
}

impl Game for Row {
    type State = u8;
    type Move = Tap;

    fn spec(&self) -> String {
        "row".to_owned()
    }

    fn initial(&self) -> u8 {
        0
    }

    fn format_state(&self, state: &u8) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u8, NotationError> {
        text.parse()
            .map_err(|_| NotationError::new(text, 0, "a number"))
    }

    fn format_move(&self, mv: Tap) -> String {
        format!("{mv:?}")
    }

    fn parse_move(&self, text: &str) -> Result<Tap, NotationError> {
        Err(NotationError::new(text, 0, "not read"))
    }

    fn side_to_move(&self, _state: &u8) -> &'static str {
        "Cat"
    }
}

impl Hidden for Row {
    type Clue = bool;

    fn key(&self, state: &u8) -> u64 {
        u64::from(*state).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn tries(&self, state: &u8, tries: &mut Vec<(Tap, Answer<bool>)>) {
        for mv in self.taps() {
            match self.answer(state, mv) {
                Answer::Quiet => {}
                answer => tries.push((mv, answer)),
            }
        }
    }

    fn answer(&self, state: &u8, mv: Tap) -> Answer<bool> {
        match Self::judge(*state, mv) {
            None => Answer::Quiet,
            Some(true) => Answer::Foul,
            Some(false) => Answer::Stands(false),
        }
    }

    fn wins(&self, state: &u8, mv: Tap) -> bool {
        self.runs(*state, mv).is_empty()
    }

    fn count_replies(&self, state: &u8, mv: Tap) -> usize {
        self.runs(*state, mv).len()
    }

    fn replies(
        &self,
        state: &u8,
        mv: Tap,
        mut visit: impl FnMut(Reply<bool, u8>) -> ControlFlow<()>,
    ) {
        for (heard, to) in self.runs(*state, mv) {
            if visit(Reply::To(heard, to)).is_break() {
                return;
            }
        }
    }

    fn left_over(&self, _state: &u8, mv: Tap) -> u64 {
        u64::from(mv.0)
    }

    fn format_announced(&self, _clue: bool) -> String {
        String::new()
    }

    fn format_reply(&self, clue: bool) -> String {
        if clue { "bump" } else { "-" }.to_owned()
    }
}

/// Whether the cat can catch a mouse that is in one of these holes (a bit each) in so many
/// plies and fouls: every strategy is tried.
fn brute(game: &Row, holes: u32, plies: i32, fouls: i32) -> bool {
    let mice = || (0..game.holes).filter(move |mouse| holes >> mouse & 1 == 1);
    game.taps().into_iter().any(|mv| {
        let judged: Vec<_> = mice().map(|mouse| (mouse, Row::judge(mouse, mv))).collect();
        if plies < 1 || judged.iter().any(|(_, judged)| judged.is_none()) {
            return false;
        }
        let squeaks = judged.iter().filter(|(_, foul)| *foul == Some(true));
        let squeaks = squeaks.fold(0, |set, (mouse, _)| set | 1 << mouse);
        if squeaks == holes {
            return false;
        }
        if squeaks != 0 && (fouls == 0 || !brute(game, squeaks, plies, fouls - 1)) {
            return false;
        }
        let mut next: BTreeMap<bool, u32> = BTreeMap::new();
        for (mouse, _) in judged.iter().filter(|(_, foul)| *foul == Some(false)) {
            for (heard, to) in game.runs(*mouse, mv) {
                *next.entry(heard).or_default() |= 1 << to;
            }
        }
        next.into_values()
            .all(|holes| brute(game, holes, plies - 2, fouls))
    })
}

#[test]
fn another_game_is_solved_as_by_brute_force() {
    let mut answers = Vec::new();
    for holes in 1..=11 {
        let game = Row { holes };
        for mouse in 0..holes {
            let mut expected = None;
            'search: for plies in [1, 3, 5, 7, 9] {
                for fouls in 0..=3 {
                    if brute(&game, 1 << mouse, plies, fouls) {
                        expected = Some((plies, fouls));
                        break 'search;
                    }
                }
            }
            for mode in [Mode::Fast, Mode::Reference, Mode::ProofNumber] {
                let solved = solve(&game, &mouse, &Limits::new(9, 3), mode, &NoProgress).unwrap();
                let found = solved.map(|s| (i32::from(s.plies()), i32::from(s.fouls_allowed)));
                assert_eq!(found, expected, "{holes} holes, mouse in {mouse}, {mode:?}");
            }
            answers.push(expected);
        }
    }
    // Not all of them are the same.
    assert!(answers.contains(&Some((1, 0))) && answers.contains(&None));
    assert!(
        answers
            .iter()
            .flatten()
            .any(|&(plies, fouls)| plies > 3 && fouls > 1)
    );
}
