//! From a row of a CSV to a problem of a book, and its turns as plain data for people who play on
//! a page.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::analysis::lures::{Lures, SwindleTask};
use crate::analysis::{
    Analysis, Fault, Grade, Length, Looker, Solution, Stipulation, StipulationError, TextLine,
    TextPly, profile_of_line, write_line, write_solution,
};
use crate::base::progress::{NoProgress, Progress};
use crate::base::value::{Outcome, Value};
use crate::book::{Act, Choice, Play, Problem, Reached, Rule, Then, Turn, Unit, VariationPly};
use crate::game::{Drawable, Game, Moves, Next, Oracle, Playable, Ranked};
use crate::mine::{Describer, PuzzleRow, add_profile};
use crate::session::binding::{example, outline, rules};
use crate::session::erased::{AnyMove, AnyState, ErasedGame};
use crate::session::lines::{Walk, read, walk};
use crate::session::tables::TableSession;
use crate::session::{BookOptions, Problems, Result, SessionError};
use crate::table::TableOracle;

/// Turns of the attacker in a printed solution at most.
const PRINTED: usize = 200;

/// Letters of a variation that is set beside its neighbours.
const SHORT: usize = 24;

impl Problems for TableSession {
    fn complete(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<PuzzleRow> {
        let table = self.table(progress)?;
        let lures = self.lures_of_row(row, progress)?;
        let state = self.read(&row.position)?;
        let game = &self.game;
        let asked = mate_of(game, row)?;
        let oracle = TableOracle::new(&table, game)?;
        let describer = Describer {
            game,
            oracle,
            filter: &row.filter,
        };
        let (mut found, solution) = match (&lures, asked) {
            (Some(lures), _) => {
                let looking = &mut (&**lures, Looker::new(game));
                let found = describer.swindle(&state, looking)?;
                found.ok_or_else(no_swindle)?
            }
            (None, Some(asked)) => {
                let met =
                    |(_, it): &(_, Solution<ErasedGame>)| asked.met_in(game, &it.state, it.value);
                let found = describer.mate(&state)?.filter(met);
                found.ok_or_else(|| no_mate(asked))?
            }
            (None, None) => describer.row(&state)?,
        };
        if lures.is_none() {
            add_profile(&mut Looker::new(game), &oracle, &solution.steps, &mut found)?;
        }
        check_task(row, &solution)?;
        let value = solution.value;
        // Free words may say anything; a task that can be read must be right.
        let is_wrong = Stipulation::parse(row.stipulation.trim())
            .is_ok_and(|asked| !asked.met_in(game, &solution.state, value));
        worded(row, found, value, is_wrong)
    }

    fn prepare_problems(&self, rows: &[&PuzzleRow], progress: &dyn Progress) -> Result<()> {
        let tasks = rows.iter();
        let tasks = tasks.filter_map(|row| SwindleTask::parse(&row.stipulation));
        let depths: BTreeSet<u8> = tasks.map(|task| task.depth).collect();
        if !depths.is_empty() {
            self.lures_for(&depths.into_iter().collect::<Vec<_>>(), progress)?;
        }
        Ok(())
    }

    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem> {
        let game = &self.game;
        game.check_picture()?;
        let table = match self.table(progress) {
            Err(SessionError::NotSolved { .. }) if !row.solution.trim().is_empty() => {
                return problem_of_line(game, row);
            }
            table => table?,
        };
        let lures = self.lures_of_row(row, progress)?;
        let lures = lures.as_deref();
        let fingerprint = &table.description.fingerprint;
        if row.table_fingerprint != *fingerprint {
            return Err(SessionError::Refused(format!(
                "it was mined from a table with the fingerprint {}, but this one has {fingerprint}; mine it again, or give the table it came from with --table",
                row.table_fingerprint
            )));
        }
        let state = read(game, &row.position)?;
        let oracle = TableOracle::new(&table, game)?;
        let mate = mate_of(game, row)?;
        let solution = match (lures, mate) {
            (None, None) => Solution::new(game, &oracle, &state, PRINTED)?,
            (None, Some(asked)) => Solution::of(game, &oracle, &state, asked, PRINTED)?,
            (Some(lures), _) => {
                let mut looker = Looker::new(game);
                let found = lures.solution(game, &oracle, &mut looker, &state)?;
                found.ok_or_else(no_swindle)?
            }
        };
        let value = solution.value;
        if row.outcome != value.outcome().name() || row.plies != value.plies() {
            let plies = row.plies.map(|plies| format!(" in {plies}"));
            let plies = plies.unwrap_or_default();
            return Err(SessionError::Refused(format!(
                "the row says {}{plies}, the table says {value}; was the row edited? mine it again",
                row.outcome
            )));
        }
        if let Some(asked) = mate.filter(|asked| !asked.met_in(game, &state, value)) {
            return Err(no_mate(asked));
        }
        check_task(row, &solution)?;
        let outline = outline(game, row, &state);
        expect_side(row, &outline.side)?;
        let play = Perfect { game, oracle };
        let text = write_solution(game, &solution, options.solutions.unwrap_or(Length::Short));
        let to_mate = mate.and_then(Stipulation::mate);
        let key = solution.keys.first().copied();
        let goal = (value.outcome(), lures.is_some());
        let moves = game.moves(&state);
        let (keys, slower, all) = (solution.keys.len(), solution.slower.len(), moves.len());
        let count = solving(goal, keys, slower, all);
        let slower = || solution.slower.iter().map(|rated| rated.mv);
        let solves = |mv: &AnyMove| solution.keys.contains(mv) || slower().any(|it| it == *mv);
        // A try misleads most. Which one it is depends on the position, so that no square is
        // known as the wrong one.
        let wrong = moves.into_iter().filter(|mv| !solves(mv));
        let wrong = wrong.min_by_key(|&mv| {
            let is_try = solution.tries.iter().any(|it| it.mv == mv);
            let words = game.format_state(&state) + &game.format_move(mv);
            (!is_try, xxh3_64(words.as_bytes()))
        });
        Ok(Problem {
            other: other_side(game, &state),
            plies: match (lures, &solution.tree.nodes[..]) {
                (Some(_), [root, ..]) => root.plies,
                _ => to_mate.or(value.plies()).unwrap_or(0),
            },
            grade: play.grade(row, &solution)?,
            lured: lures.is_some(),
            unit: unit(game, lures.is_some(), mate.is_some()),
            hints: hints(game, &state, &outline.themes, count, (key, wrong)),
            play: Play {
                variations: variations(game, &state, &text.plies),
                ..match lures {
                    None => play.grow(&solution)?,
                    Some(lures) => play.grow_swindle(lures, &solution)?,
                }
            },
            solution: printed(&text.lines),
            ..outline
        })
    }

    fn rules(&self) -> Result<Vec<Rule>> {
        rules(&self.game, |kind| example(&self.game, kind))
    }

    fn has_lines_only(&self) -> bool {
        matches!(self.table(&NoProgress), Err(SessionError::NotSolved { .. }))
    }
}

impl TableSession {
    /// What is known about lures, if the row is a swindle.
    pub(super) fn lures_of_row(
        &self,
        row: &PuzzleRow,
        progress: &dyn Progress,
    ) -> Result<Option<Arc<Lures>>> {
        let task = SwindleTask::parse(&row.stipulation);
        task.map(|task| self.lures_at(task.depth, progress))
            .transpose()
    }
}

/// Refuses a swindle that takes other plies than its stipulation says.
pub(super) fn check_task(row: &PuzzleRow, solution: &Solution<ErasedGame>) -> Result<()> {
    let plies = solution.tree.nodes.first().map_or(0, |root| root.plies);
    match SwindleTask::parse(&row.stipulation) {
        Some(task) if task.plies != plies => Err(SessionError::Refused(format!(
            "the stipulation is to {task}, but it takes {plies}; correct it, or leave it out"
        ))),
        _ => Ok(()),
    }
}

fn mate_of(game: &ErasedGame, row: &PuzzleRow) -> Result<Option<Stipulation>, StipulationError> {
    // Words that are no task ask for nothing that can be checked.
    let Ok(asked) = Stipulation::parse(&row.stipulation) else {
        return Ok(None);
    };
    let asked = asked.in_game(game)?;
    Ok(Some(asked).filter(|asked| asked.mate().is_some()))
}

/// What the length of a problem is a number of, which may ask for a forced mistake, or for a mate
/// by checks.
fn unit(game: &ErasedGame, lured: bool, mate: bool) -> Unit {
    if mate {
        Unit::PliesToMate
    } else if game.wins_by_mate() && !lured {
        Unit::Moves
    } else {
        Unit::Plies
    }
}

fn no_mate(asked: Stipulation) -> SessionError {
    SessionError::Refused(format!(
        "the stipulation is to {asked}, but the shortest win is no such mate; correct it, or leave it out"
    ))
}

fn no_swindle() -> SessionError {
    let why =
        "the stipulation is to force a mistake, and no move does; correct it, or leave it out";
    SessionError::Refused(why.to_owned())
}

/// A row that was computed, with the words of the one that was given: its stipulation, unless
/// that is wrong, and its position as it was written.
pub(in crate::session) fn worded(
    given: &PuzzleRow,
    mut found: PuzzleRow,
    value: Value,
    is_wrong: bool,
) -> Result<PuzzleRow> {
    let stipulation = given.stipulation.trim();
    if is_wrong {
        return Err(SessionError::Refused(format!(
            "the stipulation is '{stipulation}', but the position is a {value}; correct it, or leave it out"
        )));
    }
    expect_side(given, &found.side)?;
    expect_outcome(given, value)?;
    if !stipulation.is_empty() {
        stipulation.clone_into(&mut found.stipulation);
    }
    if !matches!(given.position.trim(), "" | "initial") {
        given.position.trim().clone_into(&mut found.position);
    }
    found.puzzle_id = PuzzleRow::id(&found.game, &found.position, &found.stipulation);
    found.own.clone_from(&given.own);
    Ok(found)
}

fn other_side(game: &ErasedGame, state: &AnyState) -> String {
    // A side that is in check may not pass, but move.
    let moves = game.moves(state);
    let after = moves.iter().map(|&mv| game.play(state, mv));
    let mut passed = game.passed(state).into_iter().chain(after);
    let next = passed.find_map(Next::state);
    let name = next.map_or("The other player", |next| game.side_to_move(&next));
    name.to_owned()
}

/// How many moves solve a problem, of all moves. A draw that is lured forces a mistake.
fn solving((outcome, lured): (Outcome, bool), keys: usize, slower: usize, all: usize) -> String {
    let one = |count: usize, one: &str, many: &str| {
        let verb = if count == 1 { one } else { many };
        format!("{count} of {all} moves {verb}")
    };
    match outcome {
        Outcome::Win if slower == 0 => format!("{}.", one(keys, "wins", "win")),
        Outcome::Win => format!("{}; {keys} in time.", one(keys + slower, "wins", "win")),
        Outcome::Draw if lured => {
            format!("{}.", one(keys, "forces a mistake", "force a mistake"))
        }
        Outcome::Draw => format!("{}.", one(keys, "holds the draw", "hold the draw")),
        Outcome::Loss => format!("{}.", one(keys, "holds out longest", "hold out longest")),
    }
}

/// Three steps of help: the themes, the piece that begins, and the first move. Without themes, the
/// first says whether that move is quiet, or how many moves solve the problem; without a piece, the
/// second names a `wrong` move beside the right one.
fn hints(
    game: &ErasedGame,
    state: &AnyState,
    themes: &[String],
    count: String,
    (key, wrong): (Option<AnyMove>, Option<AnyMove>),
) -> Vec<String> {
    let quiet = game.kinds().iter().position(|kind| kind.name == "quiet");
    let shown = match (themes, key.zip(quiet)) {
        ([], Some((mv, bit))) if game.kinds_of(state, mv) >> bit & 1 == 1 => {
            "The first move is quiet.".to_owned()
        }
        ([], Some(_)) => "The first move is not quiet.".to_owned(),
        ([], None) => count,
        ([theme], _) => format!("Theme: {theme}."),
        _ => format!("Themes: {}.", themes.join(", ")),
    };
    let spell = |mv: AnyMove| game.spell_move(state, mv);
    let from = key.map(|mv| game.aim(state, mv).0);
    let mut standing = game.standing(state).into_iter();
    let mover = standing.find(|thing| Some(thing.cell) == from);
    let second = match (mover, key.zip(wrong)) {
        (Some(thing), _) => Some(format!("The {} begins.", game.placed_words(&thing))),
        (None, Some((mv, wrong))) => {
            let mut names = [mv, wrong].map(spell);
            names.sort_unstable();
            Some(format!("The first move is {}.", names.join(" or ")))
        }
        (None, None) => None,
    };
    let first = key.map(|mv| format!("The first move is {}.", spell(mv)));
    [Some(shown), second, first].into_iter().flatten().collect()
}

/// The lines of a solution without the first, which says what is asked. Short variations of one depth stand side by side; what is indented below them belongs to
/// the last.
fn printed(told: &[TextLine]) -> Vec<TextLine> {
    let mut lines: Vec<TextLine> = Vec::new();
    // Whether the line before is a short variation.
    let mut short = false;
    for line in told.iter().skip(1) {
        let brief = line.text.trim().len() <= SHORT && line.indent() > 0;
        match lines.last_mut() {
            Some(last) if short && brief && last.indent() == line.indent() => {
                last.append("; ", line);
            }
            _ => lines.push(line.clone()),
        }
        short = brief;
    }
    lines
}

/// The problem of a row, after a check that its solution is a line of play that ends as the row
/// says.
fn problem_of_line(game: &ErasedGame, row: &PuzzleRow) -> Result<Problem> {
    let state = read(game, &row.position)?;
    let Walk { steps, end } = walk(game, state.clone(), &row.moves())?;
    let Some(outcome) = Outcome::named(&row.outcome) else {
        return Err(edited(&format!("the outcome '{}' is none", row.outcome)));
    };
    let result = match end {
        Next::Over(end) if steps.len() % 2 == 1 => Some(end),
        Next::Over(end) => Some(end.reversed()),
        Next::State(_) => None,
    };
    let plies = row.plies.unwrap_or(0);
    if outcome != Outcome::Draw && (result != Some(outcome) || usize::from(plies) != steps.len()) {
        return Err(edited(&format!(
            "the solution does not end in a {} after {plies} plies",
            outcome.name()
        )));
    }
    let task = SwindleTask::parse(&row.stipulation);
    let mate = mate_of(game, row)?.and_then(Stipulation::mate);
    let outline = outline(game, row, &state);
    expect_side(row, &outline.side)?;
    let spelled = steps.iter().map(|(state, mv)| game.spell_move(state, *mv));
    let mut solution = vec![write_line(&spelled.collect::<Vec<_>>()).into()];
    if row.n_best > 1 {
        solution.push(format!("cooks: {} other first moves", row.n_best - 1).into());
    }
    let (keys, all) = (row.n_best as usize, row.n_moves as usize);
    let slower = (row.n_winning as usize).saturating_sub(keys);
    let count = solving((outcome, task.is_some()), keys, slower, all);
    let first = steps.first().map(|&(_, mv)| mv);
    let line = steps.iter().map(|(state, mv)| act(game, state, *mv));
    Ok(Problem {
        other: other_side(game, &state),
        plies: task.map(|task| task.plies).or(mate).unwrap_or(plies),
        lured: task.is_some(),
        unit: unit(game, task.is_some(), mate.is_some()),
        hints: hints(game, &state, &outline.themes, count, (first, None)),
        solution,
        // What other moves are worth is not known, so that none is offered.
        play: Play {
            turns: vec![turn(game, &state, Vec::new())],
            line: line.collect(),
            ..Play::default()
        },
        ..outline
    })
}

/// Adds what is wrong with what the row of a mined puzzle says beside its stipulation.
pub(in crate::session) fn add_claims(
    row: &PuzzleRow,
    value: Value,
    is_key: bool,
    faults: &mut Vec<Fault>,
) {
    if row.outcome != value.outcome().name() {
        faults.push(Fault::Outcome);
    } else if row.plies != value.plies() {
        faults.push(Fault::Distance);
    }
    faults.extend((!is_key).then_some(Fault::Key));
    faults.sort_unstable();
    faults.dedup();
}

/// Refuses a row whose stipulation or column `side` names the side that is not to move.
pub(in crate::session) fn expect_side(row: &PuzzleRow, side: &str) -> Result<()> {
    let text = &row.stipulation;
    if Stipulation::parse(text).is_ok() || SwindleTask::parse(text).is_some() {
        Stipulation::expect_side(text, side)?;
    }
    let named = row.side.trim();
    if named.is_empty() || named.to_lowercase() == side.to_lowercase() {
        return Ok(());
    }
    Err(SessionError::Refused(format!(
        "the column side is '{named}', but {side} is to move; correct it, or leave it out"
    )))
}

/// Refuses a row that is not solved whose column `outcome` is another than that of the position.
pub(in crate::session) fn expect_outcome(row: &PuzzleRow, value: Value) -> Result<()> {
    let (given, found) = (row.given_outcome.trim(), value.outcome().name());
    if given.is_empty() || given.to_lowercase() == found {
        return Ok(());
    }
    Err(SessionError::Refused(format!(
        "the column outcome is '{given}', but the position is a {found}; correct it, or leave it out"
    )))
}

fn edited(what: &str) -> SessionError {
    SessionError::Refused(format!("{what}; was the row edited? mine it again"))
}

/// Turns of the solver in the tree of a problem at most, besides those of the main
/// line. Beyond it the tree is cut, breadth first, and the page says so.
const MOST_TURNS: usize = 96;

struct Perfect<'a> {
    game: &'a ErasedGame,
    oracle: TableOracle<'a>,
}

impl Perfect<'_> {
    /// How hard it is, which rows of earlier versions say in part.
    fn grade(&self, row: &PuzzleRow, solution: &Solution<ErasedGame>) -> Result<Grade> {
        if row.line_look_ahead.is_some() || SwindleTask::parse(&row.stipulation).is_some() {
            return Ok(row.grade());
        }
        let mut looker = Looker::new(self.game);
        let profile = profile_of_line(&mut looker, &self.oracle, &solution.steps)?;
        let wasted = profile.map(|profile| profile.hundredths());
        Ok(Grade::new(row.difficulty, wasted, row.n_moves))
    }

    /// All moves of the solver wherever he keeps to the shortest win (or the longest
    /// defence), with the best reply to each.
    fn grow(&self, solution: &Solution<ErasedGame>) -> Result<Play> {
        let Self { game, oracle } = self;
        grown(game, solution, |state, tree| {
            let analysis = Analysis::new(*game, oracle, state)?;
            let best = analysis.value();
            let mut choices = Vec::new();
            for rated in analysis.rated {
                let (reply, next) = self.answer(state, rated.mv)?;
                let goes_on = rated.value == best && best.outcome() != Outcome::Draw;
                let then = match next {
                    Some(next) if goes_on => tree.place(&next),
                    _ => Then::Over,
                };
                choices.push(Choice {
                    act: act(game, state, rated.mv),
                    worth: rated.value,
                    // Whoever holds a draw has solved it, whatever comes.
                    reply: reply.filter(|_| goes_on || rated.value != best),
                    then,
                });
            }
            Ok(choices)
        })
    }

    /// All moves of the solver wherever he keeps to the swindle that forces a mistake soonest,
    /// with the reply of the player who looks ahead that holds out longest. Worths count plies to
    /// the mistake.
    fn grow_swindle(&self, lures: &Lures, solution: &Solution<ErasedGame>) -> Result<Play> {
        let Self { game, oracle } = self;
        let mut looker = Looker::new(*game);
        grown(game, solution, |state, tree| {
            let lured = lures.lured(*game, oracle, state)?;
            let soonest = lured.first().and_then(|(_, lure)| lure.forced);
            let mut choices = Vec::new();
            for rated in Analysis::new(*game, oracle, state)?.rated {
                let lure = lured.iter().find(|(mv, _)| *mv == rated.mv);
                let forced = lure.and_then(|(_, lure)| lure.forced);
                let mut choice = Choice {
                    act: act(game, state, rated.mv),
                    worth: forced
                        .and_then(|moves| Value::decided(Outcome::Win, 2 * u16::from(moves)))
                        .unwrap_or(rated.value),
                    reply: None,
                    then: Then::Over,
                };
                match game.play(state, rated.mv) {
                    Next::State(next) if lure.is_some() => {
                        let longest = self.longest_reply(lures, &mut looker, &next)?;
                        if let Some((left, reply, again)) = longest {
                            choice.reply = Some(act(game, &next, reply));
                            if let Some(again) = again
                                && left > 0
                                && forced == soonest
                            {
                                choice.then = tree.place(&again);
                            }
                        }
                    }
                    Next::State(_) => choice.reply = self.answer(state, rated.mv)?.0,
                    Next::Over(_) => {}
                }
                choices.push(choice);
            }
            Ok(choices)
        })
    }

    /// The reply of a player who looks ahead that holds out longest; one that never goes wrong is
    /// best. With it the plies to a mistake after it, 0 if it is one, and the state after it.
    fn longest_reply(
        &self,
        lures: &Lures,
        looker: &mut Looker<'_, ErasedGame>,
        state: &AnyState,
    ) -> Result<Option<(u16, AnyMove, Option<AnyState>)>> {
        let game = self.game;
        let mut longest: Option<(u16, AnyMove, Option<AnyState>)> = None;
        for reply in looker.liked(state, lures.depth) {
            let again = game.play(state, reply).state();
            let left = match &again {
                Some(again) if self.oracle.value(game, again)?.outcome() == Outcome::Draw => {
                    lures.forced_plies(game.slot(again)).unwrap_or(u16::MAX)
                }
                _ => 0,
            };
            if longest.as_ref().is_none_or(|(most, ..)| left > *most) {
                longest = Some((left, reply, again));
            }
        }
        Ok(longest)
    }

    /// The best reply to a move, and the position after it, if the game goes on.
    fn answer(&self, state: &AnyState, mv: AnyMove) -> Result<(Option<Act>, Option<AnyState>)> {
        let game = self.game;
        let Some(defence) = game.play(state, mv).state() else {
            return Ok((None, None));
        };
        let Some(reply) = Analysis::new(game, &self.oracle, &defence)?.key() else {
            return Ok((None, None));
        };
        let next = game.play(&defence, reply).state();
        Ok((Some(act(game, &defence, reply)), next))
    }
}

/// The turns of the main line and of all that its choices lead to, breadth first. `choices` says
/// what may be chosen in a state, and places what follows in the tree.
fn grown(
    game: &ErasedGame,
    solution: &Solution<ErasedGame>,
    mut choices: impl FnMut(&AnyState, &mut Tree) -> Result<Vec<Choice>>,
) -> Result<Play> {
    let mut tree = Tree {
        states: IndexSet::new(),
        most: usize::MAX,
    };
    tree.place(&solution.state);
    for step in solution.steps.iter().step_by(2) {
        tree.place(&step.state);
    }
    tree.most = MOST_TURNS.max(tree.states.len());
    let mut turns = Vec::new();
    while let Some(state) = tree.states.get_index(turns.len()).cloned() {
        turns.push(turn(game, &state, choices(&state, &mut tree)?));
    }
    let steps = solution.steps.iter();
    let line = steps.map(|step| act(game, &step.state, step.mv));
    Ok(Play {
        turns,
        line: line.collect(),
        ..Play::default()
    })
}

/// The plies that the words of a solution name, which begin in a state.
fn variations(
    game: &ErasedGame,
    state: &AnyState,
    plies: &[TextPly<AnyMove>],
) -> Vec<VariationPly> {
    let mut reached: Vec<Option<AnyState>> = Vec::new();
    let mut told = Vec::new();
    for ply in plies {
        let before = match ply.after.map(|after| &reached[after]) {
            None => state.clone(),
            Some(Some(before)) => before.clone(),
            // Nothing follows the end of a game.
            Some(None) => break,
        };
        let next = game.play(&before, ply.mv).state();
        told.push(VariationPly {
            after: ply.after,
            act: act(game, &before, ply.mv),
            reached: next
                .as_ref()
                .map_or(Reached::End, |next| Reached::Position(banned(game, next))),
        });
        reached.push(next);
    }
    told
}

fn banned(game: &ErasedGame, state: &AnyState) -> Option<Act> {
    game.forbidden(state).map(|mv| pointed(game, state, mv))
}

fn turn(game: &ErasedGame, state: &AnyState, choices: Vec<Choice>) -> Turn {
    Turn {
        board: game.standing(state),
        choices,
        banned: banned(game, state),
    }
}

struct Tree {
    states: IndexSet<AnyState>,
    /// How many states there may be.
    most: usize,
}

impl Tree {
    fn place(&mut self, state: &AnyState) -> Then {
        match self.states.get_index_of(state) {
            Some(place) => Then::Turn(place),
            None if self.states.len() >= self.most => Then::Cut,
            None => Then::Turn(self.states.insert_full(state.clone()).0),
        }
    }
}

fn pointed(game: &ErasedGame, state: &AnyState, mv: AnyMove) -> Act {
    let (from, to) = game.aim(state, mv);
    Act {
        name: game.spell_move(state, mv),
        from,
        to,
        slides: Vec::new(),
        appears: Vec::new(),
    }
}

fn act(game: &ErasedGame, state: &AnyState, mv: AnyMove) -> Act {
    Act {
        slides: game.slides(state, mv),
        appears: game.appearing(state, mv),
        ..pointed(game, state, mv)
    }
}
