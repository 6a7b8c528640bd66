//! The effects of moves square by square, and changes to a position.
//!
//! Squares are numbered as on the board, and on from there for hands: two places for each
//! animal, Sente's first.

use super::Dobutsu;
use super::geometry::{Kind, SQUARES, Square, Squares, bit, squares_of};
use super::notation::{checked, square_name};
use super::position::{Army, Position};
use super::state::{Move, Side, State};
use crate::game::{Editable, Leaving, MoveEffect, MoveEffects};

const ANIMALS: [&str; 4] = ["giraffe", "elephant", "chick", "hen"];

/// The number of a place in a hand.
fn place_in_hand(side: Side, animal: usize, place: u8) -> u8 {
    let first = SQUARES + 6 * u8::from(side == Side::Gote);
    first + 2 * u8::try_from(animal).unwrap_or(0) + place
}

/// The side whose hand has a place, its animal, and which of the two places it is; `None`
/// for a square of the board.
fn hand_place(number: u8) -> Option<(Side, usize, u8)> {
    let place = number.checked_sub(SQUARES).filter(|&place| place < 12)?;
    let side = if place < 6 { Side::Sente } else { Side::Gote };
    Some((side, usize::from(place % 6 / 2), place % 2))
}

/// The two sides with their men, from Sente's view, the given side first.
fn sides(state: &State) -> [(Side, Army); 2] {
    let Position { own, opp } = state.as_sente();
    let both = [(Side::Sente, own), (Side::Gote, opp)];
    match state.side {
        Side::Sente => both,
        Side::Gote => [both[1], both[0]],
    }
}

/// Everything that a side has: its number, and its name.
fn possessions(side: Side, army: &Army) -> impl Iterator<Item = (u8, &'static str)> + use<> {
    let army = *army;
    let men = Kind::ALL.into_iter().flat_map(move |kind| {
        squares_of(army.men[kind as usize]).map(move |square| (square, ANIMALS[kind as usize]))
    });
    let held = (0..3).flat_map(move |animal| {
        (0..army.hand[animal])
            .map(move |place| (place_in_hand(side, animal, place), ANIMALS[animal]))
    });
    std::iter::once((army.lion, "lion")).chain(men).chain(held)
}

impl MoveEffects for Dobutsu {
    fn move_effect(&self, state: &State, mv: Move) -> MoveEffect {
        let [(side, own), _] = sides(state);
        let from = mv.from.unwrap_or_else(|| {
            let animal = (mv.animal as usize).saturating_sub(1);
            place_in_hand(side, animal, own.hand[animal].saturating_sub(1))
        });
        MoveEffect {
            from,
            moved: vec![(from, mv.to)],
            removed: mv.takes.then_some(Leaving {
                from: mv.to,
                own: false,
                inside: false,
            }),
            neutral: false,
        }
    }

    fn pieces_of(&self, state: &State) -> (Vec<u8>, Vec<u8>) {
        let numbers = |(side, army): (Side, Army)| {
            possessions(side, &army).map(|(number, _)| number).collect()
        };
        let [own, other] = sides(state);
        (numbers(own), numbers(other))
    }
}

impl Dobutsu {
    /// The position with other men; `None` if the game would be over.
    fn with(&self, state: &State, sente: Army, gote: Army) -> Option<State> {
        checked(self.rules(), state.side, sente, gote).ok()
    }
}

impl Editable for Dobutsu {
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let named = sides(state).into_iter().flat_map(|(side, army)| {
            possessions(side, &army).map(move |(number, name)| {
                let owner = side.name();
                match hand_place(number) {
                    Some(_) => (number, format!("{owner} {name} in hand")),
                    None => (number, format!("{owner} {name} on {}", square_name(number))),
                }
            })
        });
        named.collect()
    }

    fn without(&self, state: &State, square: u8) -> Option<State> {
        if self.rules().drops || square >= SQUARES {
            // All animals stay in the game.
            return None;
        }
        let Position { own, opp } = state.as_sente();
        let clear = |army: Army| Army {
            men: army.men.map(|men| men & !bit(square)),
            ..army
        };
        let (sente, gote) = (clear(own), clear(opp));
        if (sente, gote) == (own, opp) {
            return None;
        }
        self.with(state, sente, gote)
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let whole = state.as_sente();
        let mut found = Vec::new();
        for from in squares_of(whole.own.squares() | whole.opp.squares()) {
            for to in squares_of(whole.empty()) {
                let [sente, gote] = [whole.own, whole.opp].map(|army| moved(army, from, to));
                found.extend(self.with(state, sente, gote).map(|state| (from, to, state)));
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        match hand_place(square) {
            Some((side, animal, _)) => format!("{} in {}'s hand", ANIMALS[animal], side.name()),
            None => square_name(square),
        }
    }
}

/// The men with the one on a square, if any, on another.
fn moved(army: Army, from: Square, to: Square) -> Army {
    let shift = |men: Squares| {
        if men & bit(from) == 0 {
            men
        } else {
            men & !bit(from) | bit(to)
        }
    };
    Army {
        lion: if army.lion == from { to } else { army.lion },
        men: army.men.map(shift),
        ..army
    }
}
