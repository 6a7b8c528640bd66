//! Lines of play, for all games in which both sides see everything.

use std::iter::once;

use super::{Lines, Result, SessionError};
use crate::analysis::key_of_line;
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::draw::{Diagram, Frame};
use crate::export::ONLY_MOVE;
use crate::game::{Drawable, Game, Moves, Next, NotationError, Playable, Symmetric};
use crate::solve::perft::perft;

/// The most plies of [`perft`]: it keeps the moves of each in memory, and no game that branches
/// is counted as far.
const MOST_PLIES: u32 = 1000;

/// Reads a position; an empty one, or `initial`, is the initial one.
pub(super) fn read<G: Game>(game: &G, text: &str) -> Result<G::State> {
    read_by(game, text, |text| game.parse_state(text))
}

/// [`read`], which refuses the initial position if there is none.
pub(super) fn begun<G: Game>(game: &G, position: &str) -> Result<G::State> {
    if !game.has_beginning() && matches!(position.trim(), "" | "initial") {
        return Err(SessionError::Refused(format!(
            "{} has no initial position, from which games begin; give a position where the command takes one",
            game.spec()
        )));
    }
    read(game, position)
}

/// [`read`], with a reader of positions.
pub(super) fn read_by<G: Game>(
    game: &G,
    text: &str,
    parse: impl Fn(&str) -> std::result::Result<G::State, NotationError>,
) -> Result<G::State> {
    match text.trim() {
        "" | "initial" => Ok(game.initial()),
        text => {
            let plain = plain(text);
            let read = parse(text).or_else(|fault| {
                // An address ends with the position.
                let ends = plain.match_indices('/').filter(|_| plain.contains("://"));
                let ends = ends.map(|(at, _)| &plain[at + 1..]);
                let mut read = once(&plain[..]).chain(ends).map(&parse);
                read.find_map(std::result::Result::ok).ok_or(fault)
            });
            read.map_err(|source| SessionError::Position {
                spec: game.spec(),
                source,
            })
        }
    }
}

/// A position without what programs have around it: the words `position sfen` before it, `_` in place
/// of blanks, and several blanks in place of one.
fn plain(text: &str) -> String {
    let spaced = text.replace('_', " ");
    let words = spaced.split_whitespace();
    let words = words.skip_while(|word| ["position", "sfen", "fen"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Reads a legal move, in the game's notation, in standard algebraic notation, or in USI.
pub(super) fn legal<G: Moves>(game: &G, state: &G::State, text: &str) -> Result<G::Move> {
    let moves = game.moves(state);
    let own = game.parse_move(text);
    if let Ok(mv) = own
        && moves.contains(&mv)
    {
        return Ok(mv);
    }
    let asked = plain_san(text);
    let squares = asked.replace(['x', '-'], "");
    let is_named = |&mv: &G::Move| {
        let is_san = |san: String| plain_san(&san) == asked || long(game, &san, mv) == squares;
        game.usi(state, mv).is_some_and(|usi| usi == text)
            || game.san(state, mv).is_some_and(is_san)
    };
    if let Some(&mv) = moves.iter().find(|&mv| is_named(mv)) {
        return Ok(mv);
    }
    let is_usi = asked.trim_start_matches(|sign: char| sign.is_ascii_uppercase() || sign == '*');
    let is_usi = is_usi.starts_with(|sign: char| sign.is_ascii_digit());
    let has_other =
        |&mv: &G::Move| game.san(state, mv).is_some() || is_usi && game.usi(state, mv).is_some();
    if !moves.first().is_some_and(has_other) {
        own.map_err(SessionError::Move)?;
    }
    let position = game.format_state(state);
    Err(SessionError::Illegal(format!(
        "{text} is not a legal move in '{position}'"
    )))
}

/// A move in algebraic notation without signs of check, promotion and praise, with letters for
/// figurines and for the zeros of castling.
fn plain_san(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\u{2654}'..='\u{265f}' => "KQRBN".chars().nth((letter as usize - 0x2654) % 6),
        '+' | '#' | '=' | '!' | '?' | ONLY_MOVE | '\u{fe0e}' => None,
        ':' => Some('x'),
        '0' => Some('O'),
        letter => Some(letter),
    };
    text.replace("e.p.", "").chars().filter_map(plain).collect()
}

/// A move with both of its squares, such as `Rd5d6`, `a5b6` or `b7b8Q`.
fn long<G: Game>(game: &G, san: &str, mv: G::Move) -> String {
    let man = san.chars().take_while(char::is_ascii_uppercase);
    let squares = game.format_move(mv);
    let promoted = squares.chars().skip(4);
    let promoted = promoted.map(|letter| letter.to_ascii_uppercase());
    man.chain(squares.chars().take(4)).chain(promoted).collect()
}

pub(super) struct Walk<G: Game> {
    /// The moves, each with the state before it.
    pub steps: Vec<(G::State, G::Move)>,
    pub end: Next<G::State>,
}

impl<G: Drawable + Playable> Walk<G> {
    /// The board after some moves of a line that began from `position`.
    fn board(&self, game: &G, position: &str, plies: usize) -> Diagram {
        let made: Vec<_> = self.steps[..plies].iter().map(|(_, mv)| *mv).collect();
        let end = || self.end.clone().state();
        let state = self.steps.get(plies).map(|(from, _)| from.clone());
        let Some(state) = state.or_else(end) else {
            // The state is not known, but the board is.
            let (from, mv) = &self.steps[plies - 1];
            let appears = game.appearing(from, *mv).into_iter();
            let appears = appears.map(|thing| (thing.cell, thing.glyph));
            let before = self.board(game, position, plies - 1);
            return before.moved(&game.slides(from, *mv), appears);
        };
        game.with_past(game.diagram(&state), position, &made)
    }
}

/// The games whose moves can be written in USI.
pub(super) const USI_GAMES: &str =
    "games of Sente and Gote on up to nine by nine squares with one promotion for each kind";

/// Whether a game is one of [`USI_GAMES`].
pub(super) fn has_usi(lines: &dyn Lines) -> bool {
    let first = || {
        let moves = lines.moves("initial")?;
        lines.in_usi("initial", &moves[..moves.len().min(1)])
    };
    first().is_ok_and(|moves| moves.is_some())
}

/// The line of some moves, each legal where it stands.
pub(super) fn walk<G: Moves>(game: &G, state: G::State, moves: &[String]) -> Result<Walk<G>> {
    let mut steps = Vec::with_capacity(moves.len());
    let mut end = Next::State(state);
    for text in moves {
        let Next::State(from) = end else {
            let why = format!("{text} comes after the end of the game");
            return Err(SessionError::Illegal(why));
        };
        let mv = legal(game, &from, text)?;
        end = game.play(&from, mv);
        steps.push((from, mv));
    }
    Ok(Walk { steps, end })
}

/// Writes the methods of [`Session`](super::Session) that ask the field `game`, of a kind.
macro_rules! session_methods {
    ($kind:ident) => {
        fn kind(&self) -> crate::session::GameKind {
            crate::session::GameKind::$kind
        }

        crate::game::hand_on! { to game:
            fn spec(&self) -> String;
            fn family(&self) -> String;
            fn title(&self) -> String;
        }

        fn position(&self, text: &str) -> Result<Position> {
            let state = crate::session::lines::read(&self.game, text)?;
            Ok(Position {
                text: self.game.format_state(&state),
                side: self.game.side_to_move(&state).to_owned(),
            })
        }

        fn diagram(&self, position: &str) -> Result<Diagram> {
            self.game.check_picture()?;
            let parse = |text: &str| self.game.parse_drawn(text);
            let state = crate::session::lines::read_by(&self.game, position, parse)?;
            let diagram = self.game.diagram(&state);
            Ok(self.game.with_past(diagram, position, &[]))
        }
    };
}

pub(super) use session_methods;

impl<G: Drawable + Playable + Symmetric> Lines for G {
    fn line_key(&self, solution: &str) -> Result<Option<Vec<String>>> {
        let moves = solution.split_whitespace();
        let moves = moves.map(|text| self.parse_move(text).map_err(SessionError::Move));
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        let key = key_of_line(self, &moves);
        Ok(key.map(|line| line.into_iter().map(|mv| self.format_move(mv)).collect()))
    }

    fn position_key(&self, position: &str) -> Result<String> {
        Ok(self.format_state(&self.canonical(&read(self, position)?)))
    }

    fn moves(&self, position: &str) -> Result<Vec<String>> {
        let state = read(self, position)?;
        let moves = self.moves(&state).into_iter();
        Ok(moves.map(|mv| self.format_move(mv)).collect())
    }

    fn play(&self, position: &str, mv: &str) -> Result<Next<String>> {
        let state = read(self, position)?;
        let mv = legal(self, &state, mv)?;
        let next = self.play(&state, mv);
        Ok(next.map(|next| self.format_state(&next)))
    }

    fn in_usi(&self, position: &str, moves: &[String]) -> Result<Option<Vec<String>>> {
        let steps = walk(self, read(self, position)?, moves)?.steps;
        let usi = steps.iter().map(|(state, mv)| self.usi(state, *mv));
        Ok(usi.collect())
    }

    fn boards(&self, position: &str, moves: &[String], limit: usize) -> Result<Vec<Diagram>> {
        self.check_picture()?;
        let walk = walk(self, read(self, position)?, moves)?;
        let mut boards = Vec::new();
        for (ply, (from, mv)) in walk.steps.iter().enumerate().take(limit) {
            let diagram = self.with_move(walk.board(self, position, ply), from, *mv);
            let label = match (self.is_solitaire(), ply % 2) {
                (true, _) => format!("{}.", ply + 1),
                (false, 0) => format!("{}.", ply / 2 + 1),
                (false, _) => format!("{}\u{2026}", ply / 2 + 1),
            };
            boards.push(diagram.label(label).caption(self.spell_move(from, *mv)));
        }
        let rest = match walk.steps.len().saturating_sub(limit) {
            0 => {
                let last = walk.steps.last();
                let last = last.map(|(from, mv)| self.spell_move(from, *mv));
                format!("after {}", last.unwrap_or_default())
            }
            more => format!("\u{2026} {}", plural(more as u64, "more ply")),
        };
        let last = walk.board(self, position, walk.steps.len().min(limit));
        boards.push(last.label("").caption(rest));
        Ok(boards)
    }

    fn frames(&self, position: &str, moves: &[String]) -> Result<Vec<Frame>> {
        self.check_picture()?;
        let walk = walk(self, read(self, position)?, moves)?;
        let mut frames = Vec::new();
        for (ply, (from, mv)) in walk.steps.iter().enumerate() {
            let diagram = self.with_move(walk.board(self, position, ply), from, *mv);
            let name = self.spell_move(from, *mv);
            let label = match (self.is_solitaire(), ply % 2) {
                (true, _) => format!("{}.{name}", ply + 1),
                (false, 0) => format!("{}.{name}", ply / 2 + 1),
                (false, _) => name,
            };
            let frame = Frame::new(diagram, label, self.slides(from, *mv));
            frames.push(frame.becomes(&walk.board(self, position, ply + 1)));
        }
        if let Next::State(_) = walk.end {
            let last = walk.board(self, position, walk.steps.len());
            frames.push(Frame::new(last, "", Vec::new()));
        }
        Ok(frames)
    }

    fn marked(&self, diagram: Diagram, position: &str, moves: &[String]) -> Result<Diagram> {
        let state = read(self, position)?;
        moves.iter().try_fold(diagram, |diagram, text| {
            let mv = legal(self, &state, text)?;
            Ok(self.with_move(diagram, &state, mv))
        })
    }

    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u64> {
        let state = begun(self, position)?;
        if depth > MOST_PLIES {
            let (asked, most) = (depth.into(), MOST_PLIES.into());
            return Err(SessionError::too_many("plies of perft", asked, most));
        }
        Ok(perft(self, &state, depth, progress))
    }
}
