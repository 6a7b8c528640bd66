//! The notation of positions and moves.
//!
//! A position is written row by row from the top, with `/` between the rows: `b` is a black
//! man, `w` a white one, `.` a free square. The side to move follows, `b` or `w`. A move is
//! written `b2-c3`, or `c3` if it puts a man on the board.

use super::{LineUp, Move, Side, State};
use crate::game::NotationError;

const LETTERS: [char; 3] = ['.', 'b', 'w'];

pub(super) fn format_state(game: &LineUp, state: &State) -> String {
    let [black, white] = state.sides();
    let board = game.board().write([0, black, white], LETTERS);
    let side = if state.side == Side::Black { 'b' } else { 'w' };
    format!("{board} {side}")
}

pub(super) fn parse_state(game: &LineUp, text: &str) -> Result<State, NotationError> {
    let text = text.trim_end();
    let fault = |at: usize, message: String| Err(NotationError::new(text, at, message));
    let (rows, side) = text.split_once(' ').unwrap_or((text, ""));
    let [_, black, white] = game.board().read(rows, LETTERS)?;
    let at = rows.chars().count() + 1;
    let side = match side.trim_start() {
        "b" | "B" => Side::Black,
        "w" | "W" => Side::White,
        "" => {
            return fault(
                at,
                "the side to move is missing: add ' b' or ' w'".to_owned(),
            );
        }
        _ => {
            return fault(
                at,
                "expected the side to move here, b or w, and no more".to_owned(),
            );
        }
    };
    let black_to_move = State {
        own: black,
        other: white,
        side: Side::Black,
    };
    let state = match side {
        Side::Black => black_to_move,
        Side::White => black_to_move.passed(),
    };
    let [blacks, whites] = [black, white].map(u64::count_ones);
    let men = game.men();
    if !game.drops() && (blacks, whites) != (men, men) {
        let message = format!("Black has {blacks} men and White {whites}; both have {men}");
        return fault(0, message);
    }
    if blacks.max(whites) > men || blacks < whites || blacks > whites + 1 {
        return fault(
            0,
            format!(
                "Black has {blacks} men and White {whites}; they put them on the board in turn, Black first, up to {men} each"
            ),
        );
    }
    let known = game.known_side(state.own.count_ones(), state.other.count_ones());
    if known.is_some_and(|known| known != side) || blacks != whites && side == Side::Black {
        let known = if blacks == whites { 'b' } else { 'w' };
        return fault(
            at,
            format!("Black has {blacks} men and White {whites}, so the side to move is {known}"),
        );
    }
    for (men, name) in [(black, "Black"), (white, "White")] {
        if game.geometry.wins(men) {
            return fault(0, format!("{name} has lined up already: the game is over"));
        }
    }
    if game.is_stuck(state.own, state.other) {
        let name = side.name();
        return fault(0, format!("{name} has no move: the game is over"));
    }
    Ok(state)
}

pub(super) fn format_move(game: &LineUp, mv: Move) -> String {
    let board = game.board();
    if mv.is_drop() {
        return board.name(mv.to);
    }
    format!("{}-{}", board.name(mv.from), board.name(mv.to))
}

pub(super) fn parse_move(game: &LineUp, text: &str) -> Result<Move, NotationError> {
    let board = game.board();
    let name = |part: &str, at: usize| {
        board
            .read_name(part)
            .map_err(|error| NotationError::new(text, at, error.message()))
    };
    match text.split_once('-') {
        None => Ok(Move::drop(name(text, 0)?)),
        Some((from, to)) => {
            let at = from.chars().count() + 1;
            let (from, to) = (name(from, 0)?, name(to, at)?);
            if from == to {
                let message = "a man goes to another square, as in b2-c3";
                return Err(NotationError::new(text, at, message));
            }
            Ok(Move { from, to })
        }
    }
}
