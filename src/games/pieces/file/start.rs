//! The initial position.

use std::ops::Range;

use toml::Spanned;

use super::Reader;
use super::source::List;
use crate::base::text::plural;
use crate::games::pieces::rules::{Counts, KindNumber, MOST_KINDS, Position, Rules, Sets, Try};
use crate::games::pieces::state::Side;
use crate::games::settings::SetupError;

/// The most men that a side can have.
pub(super) fn most_men(rules: &Rules) -> u32 {
    let Some(start) = rules.start else {
        return rules.squares().into();
    };
    let [first, second] = [0, 1].map(|side| start.men_of_side(side));
    if rules.to_hand {
        first + second
    } else {
        first.max(second)
    }
}

impl Reader<'_> {
    pub(super) fn start(&self, rules: &Rules) -> Result<Option<Position>, SetupError> {
        let it = &self.written;
        let Some(start) = &it.start else {
            let Some(hands) = &it.hands else {
                return Ok(None);
            };
            let message =
                "hands belong to a start, and with endings the spec names the men; leave this out";
            return self.source.fault(hands.span(), "hands", message);
        };
        let message = "a game has either start or endings; leave one of them out";
        self.source
            .without_effect("endings", it.endings.as_ref(), message)?;
        let men = self.men(rules, start)?;
        Ok(Some(Position {
            men,
            hands: self.hands(rules)?,
            passing: 0,
            castling: rules.most_rights(&men),
        }))
    }

    fn men(&self, rules: &Rules, start: &Spanned<List<String>>) -> Result<Sets, SetupError> {
        let fault = |message: String| self.source.fault(start.span(), "start", message);
        let (columns, count) = rules.board.size();
        let rows = &start.get_ref().0;
        let fits = |row: &String| row.chars().count() == usize::from(columns);
        if rows.len() != usize::from(count) || !rows.iter().all(fits) {
            return fault(format!(
                "give {} of {} each, the upper row first, or change rows and columns",
                plural(count.into(), "text"),
                plural(columns.into(), "square")
            ));
        }
        let mut men = [[0; MOST_KINDS]; 2];
        for (square, letter) in (0..).zip(rows.iter().flat_map(|row| row.chars())) {
            if matches!(letter, '-' | '.') {
                continue;
            }
            let Some((side, kind)) = rules.man_of(letter) else {
                return fault(format!(
                    "'{letter}' on {} is no piece; use side_letters of the [[piece]] sections or, without them, letters, capitals for the side that begins, and '-' for free squares",
                    rules.board.name(square)
                ));
            };
            if rules.kinds[kind].squares >> rules.seen_by(side, square) & 1 == 0 {
                return fault(format!(
                    "{letter} cannot stand on {}; move it, or give it more ranks or squares",
                    rules.board.name(square)
                ));
            }
            men[side][kind] |= 1 << square;
        }
        Ok(men)
    }

    fn hands(&self, rules: &Rules) -> Result<Counts, SetupError> {
        let mut found = [[0; MOST_KINDS]; 2];
        let Some(hands) = &self.written.hands else {
            return Ok(found);
        };
        let fault = |message: &str| self.source.fault(hands.span(), "hands", message);
        let [first, second] = &hands.get_ref().0[..] else {
            let message =
                "give two texts, that of the side that begins first, such as [\"MMM\", \"MMM\"]";
            return fault(message);
        };
        if first.is_empty() && second.is_empty() {
            return fault("both hands are empty; leave this out");
        }
        for (hand, letters) in found.iter_mut().zip([first, second]) {
            for letter in letters.chars() {
                let Some(kind) = rules.kind_of(letter) else {
                    return fault(&format!(
                        "'{letter}' is no piece; use letters of the [[piece]] sections, all of them capitals"
                    ));
                };
                if rules.kinds[kind].royal {
                    return fault(&format!(
                        "{letter} is royal and never in hand; put it on the board"
                    ));
                }
                let held = rules.kinds[kind].in_hand;
                if held != kind {
                    let held = rules.kinds[held].letter;
                    return fault(&format!("{letter} is {held} in a hand; write {held}"));
                }
                hand[kind] += 1;
                if hand[kind] > rules.squares() {
                    return fault(&rules.too_many_men());
                }
            }
        }
        Ok(found)
    }

    pub(super) fn check_start(&self, rules: &Rules) -> Result<(), SetupError> {
        let (Some(at), Some(start)) = (&rules.start, &self.written.start) else {
            return Ok(());
        };
        if at.men_of_side(0) + at.men_of_side(1) > rules.squares().into() {
            let span = self.written.hands.as_ref().unwrap_or(start).span();
            return self.source.fault(span, "hands", rules.too_many_men());
        }
        let mut sides = Side::BOTH.into_iter();
        sides.try_for_each(|side| self.check_side(rules, side, at, start.span()))
    }

    /// Checks that the game is not over for one of the sides.
    fn check_side(
        &self,
        rules: &Rules,
        side: Side,
        at: &Position,
        span: Range<usize>,
    ) -> Result<(), SetupError> {
        let (name, number) = (side.name(rules.names), side as usize);
        let fault = |message: String| self.source.fault(span, "start", message);
        let (men, hand) = (&at.men[number], &at.hands[number]);
        let royal = rules.royal_kind();
        let others = |kind: KindNumber| Some(kind) != royal && (men[kind] != 0 || hand[kind] != 0);
        let has_others = (0..MOST_KINDS).any(others);
        if let Some(royal) = royal {
            let (letter, squares) = (rules.kinds[royal].letter, men[royal]);
            if squares.count_ones() != 1 {
                return fault(format!(
                    "{name} has {} royal men, and each side has exactly one; change the number of {letter}",
                    squares.count_ones()
                ));
            }
            let far = rules.set_seen_by(number, rules.far());
            if rules.try_rule != Try::Never && squares & far != 0 {
                return fault(format!(
                    "{letter} of {name} is on the far rank and has won already; move it"
                ));
            }
            if rules.bare_loses && !has_others {
                return fault(format!(
                    "{name} has none but royal men and has lost already; give it another man"
                ));
            }
        } else if !has_others {
            return fault(format!(
                "{name} has no men; give it one, on the board or in hands"
            ));
        }
        let all = at.of_side(number);
        if rules.goals.iter().any(|goal| all & goal == *goal) {
            return fault(format!("{name} has lined up already; move one of its men"));
        }
        Ok(())
    }
}
