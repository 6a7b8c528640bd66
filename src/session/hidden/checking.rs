//! Verdicts on problems with hidden information.

use crate::analysis::{Fault, MOST_NODES, Stipulation, StipulationError, number_of};
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::base::value::{Outcome, Value};
use crate::game::HiddenGame;
use crate::mine::PuzzleRow;
use crate::mine::hidden::{soundness, task};
use crate::session::hidden::solution::solution_data;
use crate::session::hidden::{HiddenSession, Solution};
use crate::session::lines::read;
use crate::session::tables::{add_claims, expect_outcome, expect_side};
use crate::session::{
    CheckReport, Checked, CheckedHidden, Checking, PlyMove, Result, SearchOptions, SessionError,
};
use crate::solve::belief::{BeliefSolution, Limits, MOST_FOULS};

/// What a problem asks for.
pub(super) struct HiddenTask {
    wins: bool,
    plies: Option<u8>,
    fouls: Option<u8>,
}

impl HiddenTask {
    /// Reads `mate in 5`, or `Black to move and win in 7 with one foul allowed`.
    pub(super) fn read(text: &str, side: &str) -> Result<Self> {
        let wrong = || StipulationError::Malformed(text.trim().to_owned());
        let words: Vec<_> = text.split_whitespace().collect();
        let is_with = |word: &&str| word.eq_ignore_ascii_case("with");
        let place = words.iter().position(is_with).unwrap_or(words.len());
        let fouls = words[place..].join(" ").to_lowercase();
        let fouls = fouls.split(' ').map(|word| word.trim_end_matches('.'));
        let fouls = match fouls.collect::<Vec<_>>()[..] {
            [""] => None,
            [_, "no", "foul" | "fouls", "allowed"] => Some(0),
            [_, count, "foul" | "fouls", "allowed"] => Some(number_of(count).ok_or_else(wrong)?),
            _ => return Err(wrong().into()),
        };
        let won = words[..place].join(" ");
        Stipulation::expect_side(&won, side)?;
        let task = Stipulation::parse(&won).map_err(|_| wrong())?;
        let within = |number: u16, most: u8| {
            let small = u8::try_from(number).ok().filter(|&small| small <= most);
            small.ok_or_else(|| {
                SessionError::NoSolution(format!(
                    "'{}' is not searched: a problem has at most {} plies and {MOST_FOULS} fouls",
                    text.trim(),
                    Limits::MOST_PLIES
                ))
            })
        };
        let plies = task.plies().map(|plies| within(plies, Limits::MOST_PLIES));
        Ok(Self {
            wins: task.outcome() == Outcome::Win,
            plies: plies.transpose()?,
            fouls: fouls.map(|fouls| within(fouls, MOST_FOULS)).transpose()?,
        })
    }

    /// That of a mined puzzle, whose stipulation may be in free words.
    pub(super) fn of_row(row: &PuzzleRow, plies: u8) -> Self {
        let read = Self::read(&row.stipulation, &row.side);
        Self {
            wins: true,
            plies: Some(plies),
            fouls: read.ok().and_then(|task| task.fouls),
        }
    }

    /// Why this is not the solution that is asked for.
    pub(super) fn fault<M: Copy + Eq, C: Copy>(
        &self,
        solved: &BeliefSolution<M, C>,
    ) -> Option<Fault> {
        let plies = self.plies.map(u16::from);
        if !self.wins {
            Some(Fault::Outcome)
        } else if plies.is_some_and(|plies| plies != solved.plies()) {
            Some(Fault::Distance)
        } else {
            let other = self.fouls.filter(|&fouls| fouls != solved.fouls_allowed);
            other.map(|_| Fault::Fouls)
        }
    }
}

/// What a solution is worth.
pub(super) fn value_of<M: Copy + Eq, C: Copy>(solved: &BeliefSolution<M, C>) -> Value {
    Value::decided(Outcome::Win, solved.plies()).unwrap_or(Value::CHECKMATE)
}

impl<G: HiddenGame> HiddenSession<G> {
    /// The shortest solution within the fouls that a task allows. If it gives plies only, that with
    /// the fewest fouls that is no longer; `None` if there is none. Without plies it must be found
    /// within the default depth.
    pub(super) fn posed(
        &self,
        position: &str,
        task: Option<&HiddenTask>,
        progress: &dyn Progress,
    ) -> Result<Option<Solution<G>>> {
        let (depth, fouls) = task.map_or((None, None), |task| (task.plies, task.fouls));
        let fewest = match (depth, fouls) {
            (Some(_), None) => 0,
            _ => fouls.unwrap_or(MOST_FOULS),
        };
        for fouls in fewest..=fouls.unwrap_or(MOST_FOULS) {
            let options = SearchOptions {
                depth,
                fouls: Some(fouls),
                beyond: Some(0),
                ..SearchOptions::default()
            };
            match self.solved(position, options, progress) {
                Err(SessionError::NoSolution(_)) => {}
                solution => return solution.map(Some),
            }
        }
        if depth.is_some() {
            return Ok(None);
        }
        let (plies, _) = SearchOptions::default().most();
        Err(SessionError::NoSolution(format!(
            "there is no mate within {plies} plies with {} allowed; a stipulation with more plies, such as 'win in 17', is searched deeper",
            plural(fouls.unwrap_or(MOST_FOULS).into(), "foul")
        )))
    }

    /// The solution that a stipulation asks for, if there is one, and what is wrong with the problem.
    fn judged(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<(Option<Solution<G>>, Vec<Fault>)> {
        let side = self.game.side_to_move(&read(&self.game, position)?);
        let task = stipulation.map(|text| HiddenTask::read(text, side));
        let task = task.transpose()?;
        let Some(solution) = self.posed(position, task.as_ref(), progress)? else {
            return Ok((None, vec![Fault::Distance]));
        };
        let wrong = task.and_then(|task| task.fault(&solution.1));
        let mut faults: Vec<_> = wrong.into_iter().collect();
        if solution.1.keys().len() > 1 {
            faults.push(Fault::Cooked);
        }
        Ok((Some(solution), faults))
    }

    /// The solution of the puzzle of a row, and what is wrong with it and with what the row claims.
    fn judged_row(
        &self,
        row: &PuzzleRow,
        progress: &dyn Progress,
    ) -> Result<(Option<Solution<G>>, Vec<Fault>)> {
        let game = &self.game;
        expect_side(row, game.side_to_move(&read(game, &row.position)?))?;
        let (solution, mut faults) = self.judged(&row.position, row.asked(), progress)?;
        if let Some((_, solved)) = &solution {
            expect_outcome(row, value_of(solved))?;
            if !row.outcome.is_empty() {
                let mut keys = solved.keys().into_iter();
                let is_key = keys.any(|mv| game.format_move(mv) == row.key);
                add_claims(row, value_of(solved), is_key, &mut faults);
            }
        }
        Ok((solution, faults))
    }

    fn report(
        &self,
        position: &str,
        stipulation: Option<&str>,
        (solution, faults): (Option<Solution<G>>, Vec<Fault>),
    ) -> Result<CheckReport> {
        let game = &self.game;
        let solution = solution.as_ref();
        let solved = solution.map(|(_, solved)| solved);
        let solving = solved.into_iter().flat_map(|solved| {
            let value = value_of(solved);
            solved.keys().into_iter().map(move |mv| PlyMove {
                name: game.format_move(mv),
                value,
                lure: None,
            })
        });
        let own = || solved.map(task).unwrap_or_default();
        Ok(CheckReport {
            stipulation: stipulation.map_or_else(own, str::to_owned),
            sound: faults.is_empty(),
            faults: faults.iter().map(|fault| fault.name()).collect(),
            solving: solving.collect(),
            found: Checked::Hidden(CheckedHidden {
                position: game.format_state(&read(game, position)?),
                soundness: solved.map(soundness),
                solution: solution.map(|it| solution_data(game, it, MOST_NODES)),
            }),
        })
    }
}

impl<G: HiddenGame> Checking for HiddenSession<G> {
    fn check(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<CheckReport> {
        let judged = self.judged(position, stipulation, progress)?;
        self.report(position, stipulation, judged)
    }

    fn check_row(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<CheckReport> {
        self.report(&row.position, row.asked(), self.judged_row(row, progress)?)
    }

    fn faults(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<Vec<Fault>> {
        Ok(self.judged_row(row, progress)?.1)
    }
}
