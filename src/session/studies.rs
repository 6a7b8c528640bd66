//! Published studies of chess: whether a solution that somebody gives holds.

use serde::Serialize;

use super::{Played, Result, Session, SessionError, open};
use crate::analysis::FollowedPly;
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::export::PgnRecord;
use crate::games::registry::chess_ending;

/// What the table says of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StudyVerdict {
    /// The solver has no other move that does as well, unless it leads back into the solution.
    Sound,
    /// The solution holds, but another move does as well after the first one.
    Dual,
    /// The solution holds, but another first move does as well.
    Cooked,
    /// The result is right, but a move of the solution spoils it.
    Fails,
    /// The result is wrong.
    Refuted,
}

/// A study that was held against a table.
#[derive(Debug, Clone, Serialize)]
pub struct StudyReport {
    /// The game of the table.
    pub game: String,
    /// The first position of the solution that the table has.
    pub position: String,
    /// The moves of the solution before it, in plies.
    pub before: usize,
    /// The side whose task it is.
    pub solver: String,
    /// What the study claims for that side; without a result, what the table says.
    pub claim: &'static str,
    /// What that side has by the table.
    pub outcome: &'static str,
    /// The verdict.
    pub verdict: StudyVerdict,
    /// The moves that spoil it, of either side, such as `10...Re4`.
    pub because: Vec<String>,
    /// Moves that do as well, such as `4.Kc3`.
    pub duals: Vec<String>,
    /// Moves that only take longer, since they lead back into the solution.
    pub longer: Vec<String>,
    /// The solution from that position on.
    pub line: Vec<FollowedPly>,
}

/// Opens the ending with the men of a study.
///
/// # Errors
/// If its position is none, or has too many men.
pub fn open_study(study: &PgnRecord) -> Result<Box<dyn Session>> {
    open(&chess_ending(study.fen()))
}

/// Judges the main line of a study from the first position on that is one of the session's game.
///
/// # Errors
/// [`SessionError::NoStudy`] if there is no such position; or if a move is illegal, or the game is
/// not solved and too large to be solved on the way.
pub fn check_study(
    session: &dyn Session,
    study: &PgnRecord,
    progress: &dyn Progress,
) -> Result<StudyReport> {
    let (position, before) = entered(session, study)?;
    let start = session.position(&position)?;
    let moves = &study.moves[before..];
    if moves.is_empty() {
        return Err(SessionError::NoStudy(session.spec()));
    }
    let line = session.checking()?.follow(&position, moves, progress)?;
    let result = study.tag("Result");
    let side = match result {
        "1-0" => "White",
        "0-1" => "Black",
        // The task is that of the side that begins.
        _ => line.get(before % 2).map_or(&*start.side, |ply| &ply.side),
    };
    let own = |ply: &FollowedPly, outcome: Outcome| {
        if ply.side == side {
            outcome
        } else {
            outcome.reversed()
        }
    };
    let outcome = line
        .first()
        .map_or(Outcome::Draw, |ply| own(ply, ply.best.outcome()));
    let claim = match result {
        "1/2-1/2" => Outcome::Draw,
        "1-0" | "0-1" => Outcome::Win,
        _ => outcome,
    };
    let first = before + usize::from(study.fen().split_whitespace().nth(1) == Some("b"));
    let number = |place: usize, mv: &str| {
        let ply = first + place;
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}{mv}", ply / 2 + 1)
    };
    let (mut because, mut duals, mut longer) = (Vec::new(), Vec::new(), Vec::new());
    let mut verdict = if outcome == claim {
        StudyVerdict::Sound
    } else {
        StudyVerdict::Refuted
    };
    for (place, ply) in line.iter().enumerate() {
        let (best, played) = (own(ply, ply.best.outcome()), own(ply, ply.played.outcome()));
        let others = ply.others.iter().map(|other| number(place, &other.mv));
        match (verdict, ply.side == side) {
            // A reply that the solution leaves out, or a move that does better than is claimed.
            (StudyVerdict::Refuted, false) if best < claim && played >= claim => {
                because.extend(others);
                break;
            }
            (StudyVerdict::Refuted, true) if best > claim => {
                because.extend((played == best).then(|| number(place, &ply.mv)));
                because.extend(others);
                break;
            }
            (StudyVerdict::Refuted, _) | (_, false) => {}
            (_, true) if played < claim => {
                verdict = StudyVerdict::Fails;
                because.push(number(place, &ply.mv));
                break;
            }
            // Where the other side has erred, the claim is no measure.
            (_, true) if best > claim => {}
            (_, true) => {
                for (name, other) in others.zip(&ply.others) {
                    let list = if other.leads_back {
                        &mut longer
                    } else {
                        &mut duals
                    };
                    list.push(name);
                }
                if verdict == StudyVerdict::Sound && !duals.is_empty() {
                    verdict = if before + place < 2 {
                        StudyVerdict::Cooked
                    } else {
                        StudyVerdict::Dual
                    };
                }
            }
        }
    }
    Ok(StudyReport {
        game: session.spec(),
        position: start.text,
        before,
        solver: side.to_owned(),
        claim: claim.name(),
        outcome: outcome.name(),
        verdict,
        because,
        duals,
        longer,
        line,
    })
}

/// The first position of a study that is one of the session's game, and the plies before it.
pub(super) fn entered(session: &dyn Session, study: &PgnRecord) -> Result<(String, usize)> {
    let fen = study.fen();
    let (mut position, mut before) = (fen.to_owned(), 0);
    if session.position(fen).is_err() {
        let whole = open_study(study)?;
        let lines = whole.lines()?;
        while session.position(&position).is_err() {
            let mv = study.moves.get(before);
            let mv = mv.ok_or_else(|| SessionError::NoStudy(session.spec()))?;
            match lines.play(&position, mv)? {
                Played::Next(next) => position = next,
                Played::Over(_) => return Err(SessionError::NoStudy(session.spec())),
            }
            before += 1;
        }
    }
    Ok((position, before))
}
