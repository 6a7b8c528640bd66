//! The score of a game that was played, held against the table.

use serde::Serialize;

use super::lines::{USI_GAMES, has_usi};
use super::studies::entered;
use super::{Result, Session, SessionError};
use crate::analysis::OtherMove;
use crate::base::progress::Progress;
use crate::base::value::{Outcome, Value};
use crate::export::{
    ExportError, PgnMove, PgnRecord, RESULTS, first_ply, is_kif, numbered, read_kif, read_pgn,
    unnumbered,
};

/// A ply of a game that was played.
#[derive(Debug, Clone, Serialize)]
pub struct ScoredPly {
    /// The move with its number, such as `12...b3D`.
    pub name: String,
    /// The side that made it.
    pub side: String,
    /// The value for that side of the best move.
    pub best: Value,
    /// The value for that side of this move.
    pub played: Value,
    /// If the outcome is worse than it was: all moves that would have kept it, best first.
    pub better: Option<Vec<String>>,
}

/// A game that was played.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreReport {
    /// The game of the table.
    pub game: String,
    /// The first position that the table has.
    pub position: String,
    /// The moves before it, in plies.
    pub before: usize,
    /// The moves from there on.
    pub plies: Vec<ScoredPly>,
    /// The same moves as they were given.
    #[serde(skip)]
    pub moves: Vec<String>,
}

impl ScoredPly {
    /// What the move gives away.
    pub const fn mistake(&self) -> Option<&'static str> {
        match (self.best.outcome(), self.played.outcome()) {
            (Outcome::Win, Outcome::Draw) => Some("throws away the win"),
            (Outcome::Win, Outcome::Loss) => Some("turns a win into a loss"),
            (Outcome::Draw, Outcome::Loss) => Some("throws away the draw"),
            _ => None,
        }
    }

    /// How many plies later a win comes, or how many sooner a loss, than with the best move.
    pub fn plies_lost(&self) -> u16 {
        let (best, played) = (self.best.plies(), self.played.plies());
        match (best, played, self.mistake()) {
            (Some(best), Some(played), None) => best.abs_diff(played),
            _ => 0,
        }
    }
}

/// Reads the scores of games: in PGN; or one game, in KIF or its moves between blanks, with or
/// without numbers, perhaps after `position POSITION moves` as chess and shogi programs write it.
/// The position is the tag `FEN`.
///
/// # Errors
/// [`ExportError::Line`] for PGN with a tag, a comment or a variation without an end, or for KIF with
/// a line that is none.
pub fn read_scores(text: &str) -> std::result::Result<Vec<PgnRecord>, ExportError> {
    let bare = text.trim_start_matches('\u{feff}').trim();
    if bare.starts_with('[') && bare.contains("\"]") {
        return read_pgn(text);
    }
    if is_kif(bare) {
        return Ok(vec![read_kif(text)?]);
    }
    let (position, moves) = match bare.strip_prefix("position ") {
        None => ("", bare),
        Some(rest) => rest.split_once(" moves").unwrap_or((rest, "")),
    };
    let words = ["sfen ", "fen ", "startpos"].iter();
    let position = words.fold(position.trim(), |rest, word| rest.trim_start_matches(word));
    let words = moves.split_whitespace();
    let moves = words.map(|word| unnumbered(word).trim_end_matches(['!', '?']).to_owned());
    let is_move = |word: &String| !word.is_empty() && !RESULTS.contains(&&word[..]);
    Ok(vec![PgnRecord {
        line: 1,
        tags: vec![("FEN".to_owned(), position.to_owned())],
        moves: moves.filter(is_move).map(PgnMove::new).collect(),
    }])
}

/// Values every move of a game, from the first position on that is one of the session's game. A
/// record without a position begins with `start`.
///
/// # Errors
/// If there is no such position, a move is illegal, or the game is not solved and too large to be
/// solved on the way.
pub fn score(
    session: &dyn Session,
    record: &PgnRecord,
    start: &str,
    progress: &dyn Progress,
) -> Result<ScoreReport> {
    if record.tag("Notation") == "KIF" && !has_usi(session.lines()?) {
        return Err(SessionError::Refused(format!(
            "{} has no moves of KIF, which are for {USI_GAMES}; write them in its own notation",
            session.spec()
        )));
    }
    let first = match record.tag("FEN") {
        "" => start,
        position => position,
    };
    let (position, before) = match session.position(first) {
        Ok(_) => (first.to_owned(), 0),
        // An ending of chess may be that of a study with more men.
        Err(error) => entered(session, record).map_err(|_| error)?,
    };
    let moves = record.main_line().split_off(before);
    if moves.is_empty() {
        return Err(SessionError::NoStudy(session.spec()));
    }
    let start = session.position(&position)?;
    let line = session.searching()?.follow(&position, &moves, progress)?;
    // A game of the table's own is numbered from the side that begins, unless FEN has a number.
    let is_numbered = before > 0 || first.split_whitespace().count() == 6;
    let second = if is_numbered { first_ply(first) } else { 0 };
    let plies = line.into_iter().enumerate().map(|(place, ply)| {
        let number = before + second + place;
        let fell = ply.played.outcome() < ply.best.outcome();
        let better = |others: Vec<OtherMove>| others.into_iter().map(|other| other.mv).collect();
        ScoredPly {
            name: numbered(number, &ply.mv),
            side: ply.side,
            best: ply.best,
            played: ply.played,
            better: fell.then(|| better(ply.others)),
        }
    });
    Ok(ScoreReport {
        game: session.spec(),
        position: start.text,
        before,
        plies: plies.collect(),
        moves,
    })
}
