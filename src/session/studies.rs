//! Published studies of chess: whether a solution that somebody gives holds.

use serde::Serialize;

use super::lines::read;
use super::{Asked, Lines, Options, Result, Session, SessionError};
use crate::analysis::{FollowedPly, Stipulation};
use crate::base::progress::Progress;
use crate::base::value::{Outcome, Value};
use crate::export::{Mark, PgnMove, PgnRecord, first_ply, numbered};
use crate::game::Next;
use crate::games::registry::{any_chess, chess_ending};

/// What the table says of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StudyVerdict {
    /// The solver has no other move that does as well, unless it leads back into the solution; no other
    /// first move, if the study has a stipulation.
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
    /// What its tag `Stipulation` asks for, or `dm` of EPD, such as `mate in 5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stipulation: Option<String>,
    /// What that side has by the table.
    pub outcome: &'static str,
    /// What would be right, if no more than the number of moves in the stipulation is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
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

/// The position that a study begins with, in FEN.
fn fen_of(study: &PgnRecord) -> Result<&str> {
    if study.tag("FEN").is_empty() {
        let why = "it has no tag FEN, and so begins with all 32 men; add the tag, with a position of fewer men";
        return Err(SessionError::Refused(why.to_owned()));
    }
    Ok(study.fen())
}

/// Opens the ending with the men of a study.
///
/// # Errors
/// If it has no position or one that is wrong, or has too many men.
pub fn open_study(study: &PgnRecord, options: &Options) -> Result<Box<dyn Session>> {
    let fen = fen_of(study)?;
    let spec = chess_ending(fen);
    options.open(&spec).or_else(|error| {
        read(&any_chess()?, fen)?;
        Err(match error {
            SessionError::Game(_) => SessionError::Refused(format!(
                "{spec} is too large for a table; give that of an ending to which its moves lead, with --table"
            )),
            error => error,
        })
    })
}

/// What a study asks for.
struct Task {
    /// The side whose task it is.
    side: &'static str,
    /// What that side is to reach; `None` if the study does not say.
    claim: Option<Outcome>,
    /// What the study says in words. Such a task is judged by the first move, as other puzzles are.
    stipulation: Option<Stipulation>,
}

impl Task {
    /// The task that the tag `Stipulation` tells or, without it, the result, where White draws.
    fn of(study: &PgnRecord) -> Result<Self> {
        let first = first_ply(study.fen()) % 2;
        let [mover, other] = [["White", "Black"][first], ["Black", "White"][first]];
        // Empty if it claims nothing.
        let result = match study.results()[..] {
            [] => "",
            [result] => result,
            [first, second, ..] => {
                return Err(SessionError::Refused(format!(
                    "its tag Result is {first}, but its moves end with {second}; correct one of them"
                )));
            }
        };
        let claimed = |side: &str| match result {
            "" => None,
            "1/2-1/2" => Some(Outcome::Draw),
            won if (won == "1-0") == (side == "White") => Some(Outcome::Win),
            _ => Some(Outcome::Loss),
        };
        let text = match study.tag("Stipulation").trim() {
            "" => {
                let side = match result {
                    "" => mover,
                    "0-1" => "Black",
                    _ => "White",
                };
                return Ok(Self {
                    side,
                    claim: claimed(side),
                    stipulation: None,
                });
            }
            "+" => "win".to_owned(),
            "=" => "draw".to_owned(),
            text => text.replacen('#', "mate in ", 1),
        };
        let asked = Stipulation::parse(&text)?.in_game(&any_chess()?)?;
        let names = |side| Stipulation::expect_side(&text, side);
        let side = match names(mover) {
            Err(_) if asked.plies().is_none() && names(other).is_ok() => other,
            named => named.map(|()| mover)?,
        };
        if claimed(side).is_some_and(|claim| claim != asked.outcome()) {
            return Err(SessionError::Refused(format!(
                "its tag Stipulation is '{text}', but its result is {result}; correct one of them"
            )));
        }
        Ok(Self {
            side,
            claim: Some(asked.outcome()),
            stipulation: Some(asked),
        })
    }
}

/// Judges a study from the first position on that is one of the session's game; variations too, also
/// those that only lead into it. In a variation, no move of the solver after the first may lose the
/// claim; once it is lost, as in a try, no move of the other side may give it back. A move of a variation
/// that is marked `?` may do so. A null move ends a variation. First moves beside the main line that
/// are marked `!` are solutions, too.
///
/// # Errors
/// [`SessionError::NoStudy`] if there is no such position; or if a move is illegal, the task cannot be
/// read, or the game is not solved and too large to be solved on the way.
pub fn check_study(
    session: &dyn Session,
    study: &PgnRecord,
    progress: &dyn Progress,
) -> Result<StudyReport> {
    if study.moves.is_empty() {
        let why = "it has no moves; in EPD the best move is missing, as in 'bm Kc6;'";
        return Err(SessionError::Refused(why.to_owned()));
    }
    let (position, before) = entered(session, study)?;
    let start = session.position(&position)?;
    let moves = study.main_line().split_off(before);
    if moves.is_empty() {
        return Err(SessionError::NoStudy(session.spec()));
    }
    let task = Task::of(study)?;
    let searching = session.searching()?;
    let line = searching.follow(&position, &moves, progress)?;
    let instead = study.moves[before].instead.iter();
    let begins = instead.filter_map(|it| it.first());
    let good = begins.filter(|mv| mv.mark == Some(Mark::Good));
    let keys = good.map(|mv| searching.follow(&position, std::slice::from_ref(&mv.san), progress));
    let keys = keys.collect::<Result<Vec<_>>>()?.concat();
    let best = line.first().map_or(Value::DRAW, |ply| ply.best);
    let outcome = own(task.side, &start.side, best.outcome());
    let claim = task.claim.unwrap_or(outcome);
    let plies = task.stipulation.and_then(Stipulation::plies);
    let plies = plies.filter(|_| before == 0);
    let distance = plies.is_some() && outcome == claim && best.plies() != plies;
    let distance = distance.then(any_chess).transpose()?;
    let mut variations = Variations::of(session, study, (task.side, claim), progress)?;
    let mut report = StudyReport {
        game: session.spec(),
        position: start.text,
        before,
        solver: task.side.to_owned(),
        claim: claim.name(),
        stipulation: task.stipulation.map(|asked| asked.to_string()),
        outcome: outcome.name(),
        verdict: if outcome == claim && distance.is_none() {
            StudyVerdict::Sound
        } else {
            StudyVerdict::Refuted
        },
        distance: distance.map(|chess| Stipulation::of(&chess, best).to_string()),
        because: Vec::new(),
        duals: Vec::new(),
        longer: Vec::new(),
        line,
        variations: variations.checked,
    };
    report.judge((&task, claim, plies), &keys, first_ply(study.fen()));
    if report.verdict != StudyVerdict::Refuted && !variations.spoilt.is_empty() {
        report.verdict = StudyVerdict::Fails;
        report.because.append(&mut variations.spoilt);
    }
    Ok(report)
}

/// An outcome for a side, if it is one for the side to move.
fn own(side: &str, to_move: &str, outcome: Outcome) -> Outcome {
    if side == to_move {
        outcome
    } else {
        outcome.reversed()
    }
}

impl StudyReport {
    /// Judges the line, with the plies in which the claim is to be reached, if they are asked for.
    /// `keys` are solutions beside its first move; the study begins with ply `first`.
    fn judge(
        &mut self,
        (task, claim, plies): (&Task, Outcome, Option<u16>),
        keys: &[FollowedPly],
        first: usize,
    ) {
        let before = self.before;
        let number = |place: usize, mv: &str| numbered(first + before + place, mv);
        let in_time = |place: usize, value: Value| {
            let left = plies.map(|plies| usize::from(plies).saturating_sub(place));
            let needed = value.plies().map(usize::from);
            left.is_none_or(|_| match claim {
                Outcome::Loss => needed >= left,
                _ => needed <= left,
            })
        };
        for (place, ply) in self.line.iter().enumerate() {
            let own = |value: Value| own(task.side, &ply.side, value.outcome());
            let (best, played) = (own(ply.best), own(ply.played));
            let fails =
                |value: Value| own(value) < claim || best == claim && !in_time(place, value);
            let keys = if place == 0 { keys } else { &[] };
            let given = |mv: &str| keys.iter().any(|key| key.mv == mv);
            let others = ply.others.iter().filter(|other| !given(&other.mv));
            let names = others.clone().map(|other| number(place, &other.mv));
            match (self.verdict, ply.side == task.side) {
                // A reply that the solution leaves out, or a move that does better than is claimed.
                (StudyVerdict::Refuted, false) if best < claim && played >= claim => {
                    self.because.extend(names);
                    break;
                }
                (StudyVerdict::Refuted, true) if best > claim => {
                    let mv = (played == best).then(|| number(place, &ply.mv));
                    self.because.extend(mv.into_iter().chain(names));
                    break;
                }
                (StudyVerdict::Refuted, _) | (_, false) => {}
                (_, true) if fails(ply.played) || keys.iter().any(|key| fails(key.played)) => {
                    self.verdict = StudyVerdict::Fails;
                    let all = keys.iter().chain([ply]).filter(|it| fails(it.played));
                    self.because.extend(all.map(|it| number(place, &it.mv)));
                    break;
                }
                // Where the other side has erred, the claim is no measure.
                (_, true) if best > claim => {}
                (_, true) => {
                    let is_study = task.stipulation.is_none();
                    for other in others.filter(|other| in_time(place, other.value)) {
                        let list = if other.leads_back && is_study {
                            &mut self.longer
                        } else {
                            &mut self.duals
                        };
                        list.push(number(place, &other.mv));
                    }
                    if self.verdict == StudyVerdict::Sound && !self.duals.is_empty() {
                        self.verdict = match before + place {
                            0 | 1 => StudyVerdict::Cooked,
                            _ if is_study => StudyVerdict::Dual,
                            _ => StudyVerdict::Sound,
                        };
                    }
                }
            }
        }
    }
}

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
            let chess = is_larger.then(any_chess).transpose()?;
            let lines: &dyn Lines = match &chess {
                Some(chess) => chess,
                None => session.lines()?,
            };
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
                Ok(Next::State(next)) => {
                    let value = self.value(&next)?;
                    (Some(next), value.map(Outcome::reversed))
                }
                Ok(Next::Over(outcome)) => (None, Some(outcome)),
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
        let evaluating = self.session.evaluating()?;
        let found = evaluating.evaluate_batch(&asked, self.progress)?;
        let found = found.into_iter().next().transpose()?;
        Ok(found.map(|found| found.value.outcome()))
    }
}

/// The first position of a study that is one of the session's game, and the plies before it.
pub(super) fn entered(session: &dyn Session, study: &PgnRecord) -> Result<(String, usize)> {
    let fen = fen_of(study)?;
    let (mut position, mut before) = (fen.to_owned(), 0);
    if session.position(fen).is_err() {
        let lines: &dyn Lines = &any_chess()?;
        while session.position(&position).is_err() {
            let none = || SessionError::NoStudy(session.spec());
            let mv = study.moves.get(before).ok_or_else(none)?;
            position = lines.play(&position, &mv.san)?.state().ok_or_else(none)?;
            before += 1;
        }
    }
    Ok((position, before))
}
