//! Lines of play, for all games in which both sides see everything.

use super::{Lines, Played, Result, SessionError};
use crate::analysis::key_of_line;
use crate::draw::{Diagram, Frame};
use crate::game::{Drawable, Game, Moves, Next, Symmetric};
use crate::solve::perft::perft;

/// The most plies of [`perft`]: it keeps the moves of each in memory, and no game that branches
/// is counted as far.
const MOST_PLIES: u32 = 1000;

/// Reads a position; an empty one, or `initial`, is the initial one.
pub(super) fn read<G: Game>(game: &G, text: &str) -> Result<G::State> {
    match text.trim() {
        "" | "initial" => Ok(game.initial()),
        text => game
            .parse_state(text)
            .map_err(|source| SessionError::Position {
                spec: game.spec(),
                source,
            }),
    }
}

/// Reads a position and what [`Session::position`](super::Session::position) says of it.
pub(super) fn position<G: Game>(game: &G, text: &str) -> Result<super::Position> {
    let state = read(game, text)?;
    Ok(super::Position {
        text: game.format_state(&state),
        side: game.side_to_move(&state).to_owned(),
    })
}

/// Reads a legal move.
fn legal<G: Moves>(game: &G, state: &G::State, text: &str) -> Result<G::Move> {
    let mv = game.parse_move(text).map_err(SessionError::Move)?;
    if game.moves(state).contains(&mv) {
        return Ok(mv);
    }
    Err(SessionError::Illegal {
        mv: text.to_owned(),
        position: game.format_state(state),
    })
}

/// The state after a move, unless the game is over.
pub(super) fn after<G: Moves>(game: &G, state: &G::State, mv: G::Move) -> Option<G::State> {
    match game.play(state, mv) {
        Next::State(next) => Some(next),
        Next::Over(_) => None,
    }
}

/// The moves of a line, each legal where it stands.
pub(super) fn line<G: Moves>(game: &G, state: &G::State, moves: &[String]) -> Result<Vec<G::Move>> {
    let mut at = Some(state.clone());
    let mut line = Vec::with_capacity(moves.len());
    for text in moves {
        let Some(from) = at else {
            return Err(SessionError::AfterEnd(text.clone()));
        };
        let mv = legal(game, &from, text)?;
        at = after(game, &from, mv);
        line.push(mv);
    }
    Ok(line)
}

/// See [`Session::line_key`](super::Session::line_key).
pub(super) fn line_key<G: Moves + Symmetric>(
    game: &G,
    solution: &str,
) -> Result<Option<Vec<String>>> {
    let moves = solution
        .split_whitespace()
        .map(|text| game.parse_move(text).map_err(SessionError::Move));
    let moves = moves.collect::<Result<Vec<_>, _>>()?;
    let key = key_of_line(game, &moves);
    Ok(key.map(|line| line.into_iter().map(|mv| game.format_move(mv)).collect()))
}

/// Writes the methods of [`Session`](super::Session) that ask the field `game`.
macro_rules! session_methods {
    () => {
        fn spec(&self) -> String {
            self.game.spec()
        }

        fn family(&self) -> String {
            self.game.family()
        }

        fn position(&self, text: &str) -> Result<Position> {
            crate::session::lines::position(&self.game, text)
        }

        fn diagram(&self, position: &str) -> Result<Diagram> {
            self.game.check_picture()?;
            let state = crate::session::lines::read(&self.game, position)?;
            Ok(self
                .game
                .with_past(self.game.diagram(&state), position, &[]))
        }
    };
}

pub(super) use session_methods;

/// A session that holds its game.
pub(super) trait OfGame: Send + Sync {
    /// The type of the game.
    type Game: Game;

    /// The game.
    fn game(&self) -> &Self::Game;
}

impl<S: OfGame> Lines for S
where
    S::Game: Drawable + Moves,
{
    fn moves(&self, position: &str) -> Result<Vec<String>> {
        let game = self.game();
        let state = read(game, position)?;
        let moves = game.moves(&state).into_iter();
        Ok(moves.map(|mv| game.format_move(mv)).collect())
    }

    fn play(&self, position: &str, mv: &str) -> Result<Played> {
        let game = self.game();
        let state = read(game, position)?;
        let mv = legal(game, &state, mv)?;
        Ok(match game.play(&state, mv) {
            Next::State(next) => Played::Next(game.format_state(&next)),
            Next::Over(outcome) => Played::Over(outcome),
        })
    }

    fn boards(&self, position: &str, moves: &[String], limit: usize) -> Result<Vec<Diagram>> {
        let game = self.game();
        game.check_picture()?;
        let state = read(game, position)?;
        let moves = line(game, &state, moves)?;
        let mut boards = Vec::new();
        let mut at = Some(state);
        for (ply, &mv) in (1u32..).zip(moves.iter().take(limit)) {
            let Some(from) = at else { break };
            let made = &moves[..ply as usize - 1];
            let diagram = game.with_past(game.diagram(&from), position, made);
            let diagram = game.with_move(diagram, &from, mv);
            let label = match (game.is_solitaire(), ply % 2) {
                (true, _) => format!("{ply}."),
                (false, 1) => format!("{}.", ply / 2 + 1),
                (false, _) => format!("{}\u{2026}", ply / 2),
            };
            boards.push(diagram.label(label).caption(game.format_move(mv)));
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
        let made = &moves[..moves.len().min(limit)];
        boards.extend(at.map(|last| {
            let last = game.with_past(game.diagram(&last), position, made);
            last.label("").caption(rest)
        }));
        Ok(boards)
    }

    fn frames(&self, position: &str, moves: &[String]) -> Result<Vec<Frame>> {
        let game = self.game();
        game.check_picture()?;
        let state = read(game, position)?;
        let moves = line(game, &state, moves)?;
        let mut frames = Vec::new();
        let mut at = Some(state);
        for (ply, &mv) in moves.iter().enumerate() {
            let Some(from) = at else { break };
            let past = |state, made| game.with_past(game.diagram(state), position, made);
            let diagram = game.with_move(past(&from, &moves[..ply]), &from, mv);
            let name = game.format_move(mv);
            let label = if game.is_solitaire() {
                format!("{}.{name}", ply + 1)
            } else if ply % 2 == 0 {
                format!("{}.{name}", ply / 2 + 1)
            } else {
                name
            };
            let frame = Frame::new(diagram, label, game.slides(&from, mv));
            at = after(game, &from, mv);
            frames.push(match &at {
                Some(next) => frame.becomes(&past(next, &moves[..=ply])),
                None => frame,
            });
        }
        frames.extend(at.map(|last| {
            let last = game.with_past(game.diagram(&last), position, &moves);
            Frame::new(last, "", Vec::new())
        }));
        Ok(frames)
    }

    fn marked(&self, diagram: Diagram, position: &str, moves: &[String]) -> Result<Diagram> {
        let game = self.game();
        let state = read(game, position)?;
        moves.iter().try_fold(diagram, |diagram, text| {
            let mv = legal(game, &state, text)?;
            Ok(game.with_move(diagram, &state, mv))
        })
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64> {
        let state = read(self.game(), position)?;
        if depth > MOST_PLIES {
            return Err(SessionError::TooMany {
                what: "plies of perft",
                asked: depth.into(),
                most: MOST_PLIES.into(),
            });
        }
        Ok(perft(self.game(), &state, depth))
    }
}
