//! Moves of chess in standard algebraic notation (SAN): `Qxe5+`, `Nbd2`, `e8=Q#`.
//!
//! PGN standard, section 8.2.3, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>.

use crate::base::value::Outcome;
use crate::game::{Moves, Next};
use crate::games::pieces::Pieces;
use crate::games::pieces::file::shipped;
use crate::games::pieces::rules::Rules;
use crate::games::pieces::state::{Move, Origin, State};

impl Rules {
    pub(in crate::games::pieces) fn is_chess(&self) -> bool {
        let chess = shipped("chess").and_then(|text| Self::parse(text).ok());
        let title = self.title.clone();
        chess.is_some_and(|chess| {
            let castling = self.castling.as_ref().and(chess.castling);
            let chess = Self {
                title,
                castling,
                ..chess
            };
            chess == *self
        })
    }
}

/// A move of a state in SAN; `None` unless it is a move of chess.
pub(in crate::games::pieces) fn format_san(
    game: &Pieces,
    state: &State,
    mv: Move,
) -> Option<String> {
    let rules = game.rules();
    let Origin::Square(from) = mv.from else {
        return None;
    };
    if !game.is_chess {
        return None;
    }
    let seen = state.seen_by_first(rules);
    let letter_on = |square| {
        let (_, kind) = seen.on(square)?;
        Some(rules.kinds[kind].letter)
    };
    let (_, step, _) = game.made(state, mv)?;
    let man = letter_on(from)?;
    let [from_name, to_name] = [from, mv.to].map(|square| rules.board.name(square));
    let (file, rank) = from_name.split_at(1);
    let mut text = String::new();
    if rules.way_of(&step).is_some() {
        text += if mv.to > from { "O-O" } else { "O-O-O" };
    } else if man == 'P' {
        if step.takes.is_some() {
            text += file;
        }
    } else {
        text.push(man);
        // Other men of the kind that can go there, too.
        let others = game.moves(state).into_iter().filter_map(|other| {
            let Origin::Square(square) = other.from else {
                return None;
            };
            let alike = square != from && other.to == mv.to && letter_on(square) == Some(man);
            alike.then(|| rules.board.name(square))
        });
        let others: Vec<_> = others.collect();
        let same_file = others.iter().any(|other| other.starts_with(file));
        let same_rank = others.iter().any(|other| other.ends_with(rank));
        if !others.is_empty() && (!same_file || same_rank) {
            text += file;
        }
        if same_file {
            text += rank;
        }
    }
    if step.takes.is_some() {
        text.push('x');
    }
    if !text.starts_with('O') {
        text += &to_name;
    }
    if let Some(kind) = mv.promotes {
        text.push('=');
        text.push(rules.kinds[usize::from(kind)].letter);
    }
    match game.play(state, mv) {
        Next::Over(Outcome::Win) => text.push('#'),
        Next::State(next) if game.in_check(&next.at) => text.push('+'),
        _ => {}
    }
    Some(text)
}
