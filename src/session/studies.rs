//! Published studies of chess: whether a solution that somebody gives holds.

use serde::Serialize;

use super::{Asked, Lines, Options, Played, Result, Session, SessionError};
use crate::analysis::FollowedPly;
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::export::{Mark, PgnMove, PgnRecord, first_ply, numbered};
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
    /// The result is right, but a move of the solution, or of a variation, spoils it.
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
    /// The moves that spoil it, of either side, such as `10...Re4`. Before one of a variation stands
    /// the first move of that variation: `3...Kb5 4.Rc1`, or `3...Kb5 4.Rc9 (not legal)`. Variations are
    /// left out if the result is wrong.
    pub because: Vec<String>,
    /// Moves that do as well, such as `4.Kc3`.
    pub duals: Vec<String>,
    /// Moves that only take longer, since they lead back into the solution.
    pub longer: Vec<String>,
    /// The solution from that position on.
    pub line: Vec<FollowedPly>,
    /// How many variations have a move whose value was compared with the one before.
    pub variations: usize,
}

/// Opens the ending with the men of a study.
///
/// # Errors
/// If its position is none, or has too many men.
pub fn open_study(study: &PgnRecord, options: &Options) -> Result<Box<dyn Session>> {
    options.open(&chess_ending(study.fen()))
}

/// Judges a study from the first position on that is one of the session's game; variations too, also
/// those that only lead into it. In a variation, no move of the solver after the first may lose the
/// claim; once it is lost, as in a try, no move of the other side may give it back. A move of a variation
/// that is marked `?` may do so. A null move ends a variation.
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
    let moves = study.main_line().split_off(before);
    if moves.is_empty() {
        return Err(SessionError::NoStudy(session.spec()));
    }
    let result = result_of(study)?;
    let line = session.searching()?.follow(&position, &moves, progress)?;
    let side = match result {
        "1-0" => "White",
        "0-1" => "Black",
        // The task is that of the side that begins.
        _ => ["White", "Black"][first_ply(study.fen())],
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
    let first = first_ply(study.fen()) + before;
    let number = |place: usize, mv: &str| numbered(first + place, mv);
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
    let mut variations = Variations::of(session, study, (side, claim), progress)?;
    if verdict != StudyVerdict::Refuted && !variations.spoilt.is_empty() {
        verdict = StudyVerdict::Fails;
        because.append(&mut variations.spoilt);
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
        variations: variations.checked,
    })
}

/// What a study claims; empty if it claims nothing.
fn result_of(study: &PgnRecord) -> Result<&str> {
    match study.results()[..] {
        [] => Ok(""),
        [result] => Ok(result),
        [first, second, ..] => {
            let (first, second) = (first.to_owned(), second.to_owned());
            Err(SessionError::TwoResults(first, second))
        }
    }
}

/// The variations of a study.
struct Variations<'a> {
    session: &'a dyn Session,
    progress: &'a dyn Progress,
    /// What the study claims for the solver, whose plies have this parity.
    claim: Outcome,
    parity: usize,
    checked: usize,
    /// The moves that spoil one, after its first move.
    spoilt: Vec<String>,
}

impl<'a> Variations<'a> {
    /// Checks all variations of a study.
    fn of(
        session: &'a dyn Session,
        study: &PgnRecord,
        (solver, claim): (&str, Outcome),
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let mut variations = Self {
            session,
            progress,
            claim,
            // White has the even plies.
            parity: usize::from(solver == "Black"),
            checked: 0,
            spoilt: Vec::new(),
        };
        if study.moves.iter().any(|mv| !mv.instead.is_empty()) {
            let is_larger = session.position(study.fen()).is_err();
            let whole = is_larger
                .then(|| open_study(study, &Options::new()))
                .transpose()?;
            let lines = whole.as_deref().unwrap_or(session).lines()?;
            let start = (first_ply(study.fen()), study.fen().to_owned());
            variations.follow(lines, start, &study.moves, Some(true), true)?;
        }
        Ok(variations)
    }

    /// Follows a line from a ply and its position, with all that is played instead of its moves. `held`
    /// says whether the claim holds before it, if that is known.
    fn follow(
        &mut self,
        lines: &dyn Lines,
        (first, mut position): (usize, String),
        moves: &[PgnMove],
        mut held: Option<bool>,
        is_main: bool,
    ) -> Result<()> {
        let mut compared = false;
        for (ply, mv) in (first..).zip(moves) {
            let is_own = ply % 2 == self.parity;
            for other in &mv.instead {
                // The solver may choose another move in order to fail.
                let held = held.filter(|&held| held && !is_own);
                self.follow(lines, (ply, position.clone()), other, held, false)?;
            }
            if mv.is_null() {
                break;
            }
            let name = || match numbered(ply, &mv.san) {
                own if ply == first => own,
                own => format!("{} {own}", numbered(first, &moves[0].san)),
            };
            let (next, value) = match lines.play(&position, &mv.san) {
                Ok(Played::Next(next)) => {
                    let value = self.value(&next)?;
                    (Some(next), value.map(Outcome::reversed))
                }
                Ok(Played::Over(outcome)) => (None, Some(outcome)),
                Err(_) if !is_main => {
                    self.spoilt.push(format!("{} (not legal)", name()));
                    break;
                }
                Err(error) => return Err(error),
            };
            let value = value.map(|value| if is_own { value } else { value.reversed() });
            let holds = value.map(|value| value >= self.claim);
            if let (Some(held), Some(holds), false) = (held, holds, is_main) {
                compared = true;
                if held != holds && mv.mark != Some(Mark::Mistake) {
                    self.spoilt.push(name());
                    break;
                }
            }
            held = holds.or(held);
            let Some(next) = next else { break };
            position = next;
        }
        self.checked += usize::from(compared);
        Ok(())
    }

    /// The outcome for the side to move, if the session's game has the position.
    fn value(&self, position: &str) -> Result<Option<Outcome>> {
        if self.session.position(position).is_err() {
            return Ok(None);
        }
        let asked = [Asked::Position(position)];
        let found = self
            .session
            .evaluating()?
            .evaluate_batch(&asked, self.progress)?;
        let found = found.into_iter().next().transpose()?;
        Ok(found.map(|found| found.value.outcome()))
    }
}

/// The first position of a study that is one of the session's game, and the plies before it.
pub(super) fn entered(session: &dyn Session, study: &PgnRecord) -> Result<(String, usize)> {
    let fen = study.fen();
    let (mut position, mut before) = (fen.to_owned(), 0);
    if session.position(fen).is_err() {
        let whole = open_study(study, &Options::new())?;
        let lines = whole.lines()?;
        while session.position(&position).is_err() {
            let mv = study.moves.get(before);
            let mv = mv.ok_or_else(|| SessionError::NoStudy(session.spec()))?;
            match lines.play(&position, &mv.san)? {
                Played::Next(next) => position = next,
                Played::Over(_) => return Err(SessionError::NoStudy(session.spec())),
            }
            before += 1;
        }
    }
    Ok((position, before))
}
