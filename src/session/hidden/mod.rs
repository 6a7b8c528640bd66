//! Sessions with games with hidden information, whose problems are solved one by one.

mod checking;
mod problems;
mod solution;

use std::fmt::Write;

use serde_json::{Map, Value as Json};

use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::draw::Diagram;
use crate::game::{Hidden, HiddenGame};
use crate::mine::PuzzleRow;
use crate::session::lines::{read, session_methods};
use crate::session::{
    Evaluating, Evaluation, EvaluationOptions, HiddenEvaluation, HiddenSolved, Interfaces, Options,
    Position, Result, SearchOptions, Session, SessionError, Umpired, Umpiring, Uniqueness,
    refuse_given,
};
use crate::solve::belief::{
    BeliefSolution, Heard, Limits, LineStep, Mode, Statistics, Umpire, solve,
};

/// A session with a game with hidden information.
#[derive(Debug)]
pub struct HiddenSession<G> {
    game: G,
}

/// Opens a game with hidden information.
///
/// # Errors
/// If a table was given: such games have none.
pub fn hidden<G: HiddenGame>(game: G, options: &Options) -> Result<HiddenSession<G>> {
    if options.table.is_some() {
        let why = format!(
            "is for games with tables, and {} has none: its problems are solved one by one",
            game.spec()
        );
        return Err(SessionError::inapplicable("table", why));
    }
    Ok(HiddenSession { game })
}

type Solution<G> = (
    <G as crate::game::Game>::State,
    BeliefSolution<<G as crate::game::Game>::Move, <G as crate::game::Hidden>::Clue>,
);

impl<G: HiddenGame> HiddenSession<G> {
    /// Solves a problem; that it has no solution within the limits is an error.
    fn solved(
        &self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Solution<G>> {
        // Other modes count on the removal of equal positions.
        if options.duplicates && options.mode() != Mode::Reference {
            let why = "is for --mode reference, which measures what the paper measured";
            return Err(SessionError::inapplicable("duplicates", why));
        }
        let state = read(&self.game, position)?;
        progress.begin("looking at positions", 0);
        let (plies, fouls) = options.most();
        let mut limits = Limits::new(plies, fouls);
        limits.beyond = options.beyond.unwrap_or(2);
        limits.bytes = options.bytes();
        limits.duplicates = options.duplicates;
        let solved = solve(&self.game, &state, &limits, options.mode(), progress)?;
        let (plies, fouls) = (plural(plies.into(), "ply"), plural(fouls.into(), "foul"));
        let solved = solved.ok_or_else(|| {
            SessionError::NoSolution(format!(
                "{} has no solution within {plies} with {fouls} allowed; allow a greater depth or more fouls",
                self.game.format_state(&state)
            ))
        })?;
        Ok((state, solved))
    }
}

impl<G: HiddenGame> Session for HiddenSession<G> {
    session_methods! { Hidden }

    fn interfaces(&self) -> Interfaces<'_> {
        Interfaces {
            evaluating: Some(self),
            solutions: Some(self),
            checking: Some(self),
            mining: Some(self),
            problems: Some(self),
            umpiring: Some(self),
            ..Interfaces::default()
        }
    }

    /// What is heard is not a move, so the words of solutions are compared.
    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>> {
        let long = row.plies.is_some_and(|plies| plies > 2);
        Ok(long.then(|| vec![self.game.canonical_words(&row.solution)]))
    }

    fn position_key(&self, position: &str) -> Result<String> {
        Ok(self.game.canonical_text(&read(&self.game, position)?))
    }
}

impl<G: HiddenGame> Evaluating for HiddenSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        let game = &self.game;
        options.check(&game.spec(), self.kind())?;
        let search = options.search;
        let read = self.position(position)?;
        let solution = match self.solved(position, search, progress) {
            Ok((_, solved)) => Some(data(game, &solved, options.times)),
            Err(SessionError::NoSolution(_)) => None,
            Err(error) => return Err(error),
        };
        let (depth, fouls) = search.most();
        Ok(Evaluation::Hidden(HiddenEvaluation {
            game: game.spec(),
            position: read.text,
            side: read.side,
            mode: search.mode(),
            depth,
            fouls,
            solved: solution.is_some(),
            solution,
        }))
    }
}

fn uniqueness<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> Uniqueness {
    let dual_turns = solved.tree.stats().dual_turns;
    let first_move = solved.keys().len() == 1;
    let line = solved.tree.line_is_dual_free();
    let every_move = dual_turns == 0;
    Uniqueness {
        word: match (first_move, every_move, line) {
            (false, ..) => "multiple",
            (_, true, _) => "everyMove",
            (.., true) => "line",
            _ => "firstMove",
        },
        first_move,
        line,
        every_move,
        dual_turns,
    }
}

/// A line with its moves numbered, as in trees; a foul has the number of the move that it is
/// not, and replies have none.
fn numbered_line<G: Hidden>(game: &G, line: &[LineStep<G::Move, G::Clue>]) -> String {
    let mut number = 1;
    let mut text = String::new();
    for step in line {
        let words = step.in_words(game);
        let _ = match step {
            LineStep::Reply(_) => write!(text, "{words} "),
            LineStep::Foul(_) | LineStep::Stands(..) => write!(text, "{number}.{words} "),
        };
        number += u16::from(matches!(step, LineStep::Stands(..)));
    }
    text + "mate"
}

/// A number with two decimals.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn counts(statistics: &Statistics, times: bool) -> Map<String, Json> {
    let ((tm, tp), best) = (statistics.total(), statistics.best);
    let (bm, bp) = statistics.branching();
    let mut counts = Map::new();
    let mut put = |name: &str, value: Json| counts.insert(name.to_owned(), value);
    put("TM", tm.into());
    put("TP", tp.into());
    put("M", best.metapositions.into());
    put("P", best.positions.into());
    put("MP", best.largest.into());
    put("AP", rounded(statistics.average()).into());
    put("BM", rounded(bm).into());
    put("BP", rounded(bp).into());
    put("looked_at", statistics.looked_at().into());
    if times {
        let all = statistics.proving + statistics.choosing;
        put("TB", statistics.choosing.as_secs_f64().into());
        put("TT", all.as_secs_f64().into());
    }
    counts
}

fn data<G: Hidden>(
    game: &G,
    solved: &BeliefSolution<G::Move, G::Clue>,
    times: bool,
) -> HiddenSolved {
    let keys = solved.keys();
    let mut keys = keys.iter().map(|&mv| game.format_move(mv));
    let stats = solved.tree.stats();
    let line = solved.line();
    let key = keys.next().unwrap_or_default();
    let cooks: Vec<_> = keys.collect();
    HiddenSolved {
        plies: solved.plies(),
        fouls_allowed: solved.fouls_allowed,
        fouls_in_line: solved.fouls_in_line(),
        line: line.iter().map(|step| step.in_words(game)).collect(),
        key,
        n_keys: cooks.len() + 1,
        uniqueness: uniqueness(solved),
        cooks,
        fewer_fouls: solved.others.clone(),
        tree: stats,
        statistics: counts(&solved.statistics, times),
        numbered_line: numbered_line(game, &line),
    }
}

impl<G: HiddenGame> Umpiring for HiddenSession<G> {
    fn umpire<'s>(
        &'s self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Umpired + 's>> {
        let given = [
            ("mode", options.mode.is_some()),
            ("beyond", options.beyond.is_some()),
            ("duplicates", options.duplicates),
        ];
        let purpose = "is for 'tesuji probe' and 'tesuji solution'";
        refuse_given(&given, purpose, "a game with the umpire")?;
        let (state, solved) = self.solved(position, options, progress)?;
        // A solution is searched within the limits of plies, which fit a byte.
        let plies = u8::try_from(solved.plies()).unwrap_or(u8::MAX);
        let fouls = options.fouls.unwrap_or(solved.fouls_allowed);
        let mut limits = Limits::new(options.depth.unwrap_or(plies), fouls);
        limits.bytes = options.bytes();
        Ok(Box::new(InPlay(Umpire::new(&self.game, state, limits))))
    }
}

struct InPlay<'s, G: Hidden>(Umpire<'s, G>);

impl<G: HiddenGame> Umpired for InPlay<'_, G> {
    /// The attacker knows the first position, and later a position that is alone possible.
    fn letters(&self) -> String {
        let states = self.0.states();
        self.0.game.in_letters(&states[0], states.len() == 1)
    }

    fn diagram(&self) -> Diagram {
        match self.0.states() {
            [state] => self.0.game.diagram(state),
            states => self.0.game.seen(&states[0]),
        }
    }

    fn sides(&self) -> (&'static str, &'static str) {
        let attacker = self.0.game.side_to_move(&self.0.states()[0]);
        (attacker, self.0.game.defender())
    }

    fn left(&self) -> (u8, u8) {
        self.0.left()
    }

    fn positions(&self) -> usize {
        self.0.states().len()
    }

    fn tries(&self) -> Vec<String> {
        let tries = self.0.tries().into_iter();
        tries.map(|mv| self.0.game.format_move(mv)).collect()
    }

    fn hint(&self, progress: &dyn Progress) -> Result<Option<(String, u16)>> {
        let best = self.0.best(progress)?;
        Ok(best.map(|(mv, cost)| (self.0.game.format_move(mv), cost.plies)))
    }

    fn attempt(&mut self, mv: &str, progress: &dyn Progress) -> Result<Heard<String>> {
        let game = self.0.game;
        let mv = game.parse_move(mv).map_err(SessionError::Move)?;
        let announced = |clue| game.format_announced(clue);
        Ok(match self.0.attempt(mv, progress)? {
            Heard::NoTry => Heard::NoTry,
            Heard::Quiet => Heard::Quiet,
            Heard::Foul(left) => Heard::Foul(left),
            Heard::TooManyFouls => Heard::TooManyFouls,
            Heard::Reply(clue, heard) => Heard::Reply(announced(clue), game.format_reply(heard)),
            Heard::Won(clue) => Heard::Won(announced(clue)),
            Heard::Escaped(clue) => Heard::Escaped(announced(clue)),
            Heard::TooLate(clue) => Heard::TooLate(announced(clue)),
        })
    }

    fn back(&mut self) -> bool {
        self.0.back()
    }
}
