//! The boards of a line of play.

use crate::draw::{Diagram, Frame};
use crate::game::{Drawable, Moves, Next};

/// A numbered board for each of the first `limit` moves of a line, with the move
/// marked, and the position after them if the game is not over. If moves are left
/// out, the last caption says how many.
pub fn boards<G: Drawable + Moves>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    limit: usize,
) -> Vec<Diagram> {
    let mut boards = Vec::new();
    let mut at = Some(state.clone());
    for (ply, &mv) in (1u32..).zip(moves.iter().take(limit)) {
        let Some(from) = at else { break };
        let diagram = game.with_move(game.diagram(&from), &from, mv);
        boards.push(diagram.number(ply).caption(game.format_move(mv)));
        at = after(game, &from, mv);
    }
    let rest = match moves.len().saturating_sub(limit) {
        0 => format!(
            "after {}",
            moves
                .last()
                .map_or(String::new(), |&mv| game.format_move(mv))
        ),
        1 => "\u{2026} 1 more ply".to_owned(),
        plies => format!("\u{2026} {plies} more plies"),
    };
    boards.extend(at.map(|last| game.diagram(&last).caption(rest)));
    boards
}

/// A line of play for an animation, the moves numbered as in a solution.
pub fn frames<G: Drawable + Moves>(game: &G, state: &G::State, moves: &[G::Move]) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut at = Some(state.clone());
    for (ply, &mv) in moves.iter().enumerate() {
        let Some(from) = at else { break };
        let diagram = game.with_move(game.diagram(&from), &from, mv);
        let name = game.format_move(mv);
        let label = if ply % 2 == 0 {
            format!("{}.{name}", ply / 2 + 1)
        } else {
            name
        };
        frames.push(Frame::new(diagram, label, game.slides(&from, mv)));
        at = after(game, &from, mv);
    }
    frames.extend(at.map(|last| Frame::new(game.diagram(&last), "", Vec::new())));
    frames
}

/// The state after a move, unless the game is over.
pub fn after<G: Moves>(game: &G, state: &G::State, mv: G::Move) -> Option<G::State> {
    match game.play(state, mv) {
        Next::State(next) => Some(next),
        Next::Over(_) => None,
    }
}
