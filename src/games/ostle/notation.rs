//! The notation of positions and moves.
//!
//! **One line**, similar to FEN: `wwwww/5/2o2/5/bbbbb b -`. First the ranks from the last
//! to the first, separated by `/`: `b` is a black piece, `w` a white piece, `o` the hole,
//! and a digit that many empty squares. Then the side to move, `b` or `w`, and the move
//! that rule 8 forbids, or `-`. The last field is optional.
//!
//! **Digits**, the notation of the program behind the paper:
//! `22222-00000-00300-00000-11111`. Ranks from the far side: `0` is empty, `1` the side to
//! move, `2` the other side, `3` the hole. Hyphens anywhere are ignored. The side to move
//! is read as Black. The optional second field is the forbidden move, or the position
//! before the last move in the same notation (where `1` is the side that made the move),
//! whose restoration is then forbidden.

use super::state::Placement;
use super::{Move, Ostle, Side, State};
use crate::base::text::plural;
use crate::game::{Game, NotationError, fen_row, words};
use crate::games::ostle::grid::{Direction, Mask};

pub(super) fn format_state(game: &Ostle, state: &State) -> String {
    let grid = &game.grid;
    let [black, white] = state.sides();
    let things = [(black, "b"), (white, "w"), (1 << state.hole(), "o")];
    let letter = |square: u8| {
        let found = things.iter().find(|(mask, _)| mask >> square & 1 == 1);
        found.map(|(_, letter)| letter)
    };
    let rank = |rank| fen_row((0..grid.width).map(|file| letter(file * grid.height + rank)));
    let ranks: Vec<_> = (0..grid.height).rev().map(rank).collect();
    let side = if state.side == Side::Black { 'b' } else { 'w' };
    let forbidden = state.forbidden.map(|mv| game.format_move(mv));
    let forbidden = forbidden.as_deref().unwrap_or("-");
    format!("{} {side} {forbidden}", ranks.join("/"))
}

const SECOND_HOLE: &str = "a second hole; a position has exactly one";

/// A text that a game reads.
pub(super) struct Reader<'r> {
    pub game: &'r Ostle,
    pub text: &'r str,
}

impl Reader<'_> {
    fn fault(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    /// Reads a move such as `d2L`, which stands at character `at` of the text.
    pub(super) fn read_move(&self, at: usize, word: &str) -> Result<Move, NotationError> {
        let grid = &self.game.grid;
        let last_file = char::from(b'a' + grid.width - 1);
        let mut letters = word.chars();
        let letter = letters.next();
        let file = (0..grid.width).find(|&file| letter == Some(char::from(b'a' + file)));
        let file = file.ok_or_else(|| {
            let message = format!("a move begins with a file, a to {last_file}, as in b2L");
            self.fault(at, message)
        })?;
        let letter = letters.next();
        let rank = (0..grid.height).find(|&rank| letter == Some(char::from(b'1' + rank)));
        let rank = rank.ok_or_else(|| {
            let message = format!("a rank, 1 to {}, follows the file, as in b2L", grid.height);
            self.fault(at + 1, message)
        })?;
        let letter = letters.next();
        let mut directions = Direction::ALL.into_iter();
        let direction = directions
            .find(|way| Some(way.letter()) == letter)
            .ok_or_else(|| self.fault(at + 2, "a direction follows the square: U, D, L or R"))?;
        if letters.next().is_some() {
            return Err(self.fault(at + 3, "a move has three characters, as in b2L"));
        }
        Ok(Move::new(file * grid.height + rank, direction))
    }

    /// Reads either notation.
    pub(super) fn read_state(&self) -> Result<State, NotationError> {
        let end = self.text.chars().count();
        let fields = words(self.text, char::is_whitespace);
        let Some(&(at, board)) = fields.first() else {
            let message = "the position is empty; see 'tesuji probe --help' for examples";
            return Err(self.fault(0, message));
        };
        // A board in letters has a slash.
        let is_in_digits = |board: &str| board.chars().all(|c| c == '-' || c.is_ascii_digit());
        let digits = is_in_digits(board);
        let (mut state, rest) = if digits {
            let placement = self.read_digits(at, board)?;
            (State::open(placement, Side::Black), &fields[1..])
        } else {
            let black = self.read_ranks(at, board)?;
            let &(at, side) = fields
                .get(1)
                .ok_or_else(|| self.fault(end, "the side to move is missing: add ' b' or ' w'"))?;
            let state = match side {
                "b" => State::open(black, Side::Black),
                "w" => State::open(black.turned(), Side::White),
                _ => {
                    return Err(self.fault(at, "expected the side to move here: b or w"));
                }
            };
            (state, &fields[2..])
        };
        self.check_placement(at, &state.placement)?;
        match rest {
            [] | [(_, "-")] => {}
            [(at, before)] if digits && is_in_digits(before) => {
                let before = self.read_digits(*at, before)?;
                self.check_placement(*at, &before)?;
                state.forbidden = self.game.restoring(&state, &before);
            }
            [(at, forbidden)] => {
                state.forbidden = Some(self.read_forbidden(*at, forbidden, &state)?);
            }
            [_, (at, _), ..] => {
                return Err(self.fault(*at, "nothing may follow the forbidden move"));
            }
        }
        Ok(state)
    }

    fn read_forbidden(&self, at: usize, word: &str, state: &State) -> Result<Move, NotationError> {
        let mv = self.read_move(at, word)?;
        let fault = |message: &str| self.fault(at, format!("{word} {message}"));
        let effect = self
            .game
            .effect(state, mv)
            .ok_or_else(|| fault("cannot be forbidden: it is not a move in this position"))?;
        if effect.removed.is_some() {
            let message = "cannot be forbidden: it removes a piece, and rule 8 only forbids to take back the last move";
            return Err(fault(message));
        }
        Ok(self.game.naming(state, mv))
    }

    /// Reads a board in letters, as Black sees it.
    fn read_ranks(&self, at: usize, board: &str) -> Result<Placement, NotationError> {
        let (width, height) = (self.game.grid.width, self.game.grid.height);
        let (mut own, mut opp, mut hole): (Mask, Mask, Option<u8>) = (0, 0, None);
        let (mut rank, mut file) = (height - 1, 0u8);
        for (offset, letter) in board.chars().enumerate() {
            let fault = |message: &str| Err(self.fault(at + offset, message));
            let name = rank + 1;
            if letter == '/' {
                if file != width {
                    return fault(&format!("rank {name} has {file} squares, expected {width}"));
                }
                if rank == 0 {
                    return fault(&format!("too many ranks, expected {height}"));
                }
                rank -= 1;
                file = 0;
                continue;
            }
            let step = match letter.to_digit(10) {
                Some(0) => return fault("a count of empty squares is 1 or more"),
                Some(count) => u8::try_from(count).unwrap_or(u8::MAX),
                None => 1,
            };
            if step > width - file {
                return fault(&format!("rank {name} has more than {width} squares"));
            }
            let square = file * height + rank;
            match letter {
                'b' => own |= 1 << square,
                'w' => opp |= 1 << square,
                'o' if hole.is_some() => return fault(SECOND_HOLE),
                'o' => hole = Some(square),
                '1'..='9' => {}
                _ => {
                    let message =
                        "expected b (Black), w (White), o (hole), a count of empty squares or /";
                    return fault(message);
                }
            }
            file += step;
        }
        let end = at + board.chars().count();
        if rank != 0 || file != width {
            let message =
                format!("the board ends early: expected {height} ranks of {width} squares");
            return Err(self.fault(end, message));
        }
        let hole =
            hole.ok_or_else(|| self.fault(at, "the hole is missing: one square must be o"))?;
        Ok(Placement { own, opp, hole })
    }

    fn read_digits(&self, at: usize, board: &str) -> Result<Placement, NotationError> {
        let grid = &self.game.grid;
        let (width, height) = (grid.width, grid.height);
        let (mut own, mut opp, mut hole): (Mask, Mask, Option<u8>) = (0, 0, None);
        let (mut count, mut ranks) = (0, 1);
        for (offset, digit) in board.chars().enumerate() {
            let fault = |message: &str| Err(self.fault(at + offset, message));
            if digit == '-' {
                if count != ranks * width || ranks == height {
                    return fault(&format!(
                        "a '-' stands between two ranks, which have {width} squares each on this board"
                    ));
                }
                ranks += 1;
                continue;
            }
            if count == grid.squares() {
                return fault(&format!("too many squares, expected {count}"));
            }
            if ranks > 1 && count == ranks * width {
                let message = format!("expected '-' after {width} squares, as between others");
                return fault(&message);
            }
            let rank = height - 1 - count / width;
            let square = count % width * height + rank;
            match digit {
                '0' => {}
                '1' => own |= 1 << square,
                '2' => opp |= 1 << square,
                '3' if hole.is_some() => return fault(SECOND_HOLE),
                '3' => hole = Some(square),
                _ => {
                    let message =
                        "expected 0 (empty), 1 (side to move), 2 (other side) or 3 (hole)";
                    return fault(message);
                }
            }
            count += 1;
        }
        if count < grid.squares() {
            let message = format!("{count} squares given, expected {}", grid.squares());
            let end = at + board.chars().count();
            return Err(self.fault(end, message));
        }
        let hole =
            hole.ok_or_else(|| self.fault(at, "the hole is missing: one digit must be 3"))?;
        Ok(Placement { own, opp, hole })
    }

    fn check_placement(&self, at: usize, placement: &Placement) -> Result<(), NotationError> {
        let game = self.game;
        if game.holes() >> placement.hole & 1 == 0 {
            let message = format!(
                "the hole is on {}; in {} it stays where the game begins, on {} or a square symmetric to it",
                game.grid.square_name(placement.hole),
                game.spec(),
                game.grid.square_name(game.grid.middle()),
            );
            return Err(self.fault(at, message));
        }
        let range = game.fewest()..=game.pieces;
        for (pieces, who) in [
            (placement.own, "the side to move"),
            (placement.opp, "the other side"),
        ] {
            let count = u8::try_from(pieces.count_ones()).unwrap_or(u8::MAX);
            if !range.contains(&count) {
                let message = format!(
                    "{who} has {}; in an unfinished game of {} it has {} to {}",
                    plural(count.into(), "piece"),
                    game.spec(),
                    range.start(),
                    range.end()
                );
                return Err(self.fault(at, message));
            }
        }
        Ok(())
    }
}
