//! What programs that play are asked, from a solved game, and searches for such programs that
//! go on where they were stopped.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::analysis::{Rated, rate_moves};
use crate::base::files::{FileError, KEPT_MARK, expect_ours, kept, put_all_claimed, sealed};
use crate::base::progress::Progress;
use crate::base::text::percent;
use crate::base::value::Value;
use crate::formula::{AnswerKind, Entry, Policy, Program, Search, Tactic, Tactics, residues};
use crate::game::{Digit, Encoded, Helper, Language, Moves, Ranked, Solitaire};
use crate::session::table_files::remove_if_there;
use crate::session::{Result, SessionError};
use crate::table::{Table, TableOracle};

/// A game's states as numbers, with their best moves: what a program is asked, and what
/// searches for programs need to know.
#[derive(Debug)]
pub struct Questions {
    /// The game's spec.
    pub spec: String,
    /// The states with their best moves.
    pub policy: Policy,
    /// What the state's number and the answer mean.
    pub meaning: [String; 2],
    /// Source code that makes a move, if next states are the answers and the game has it:
    /// Rust, C, Python.
    pub making_moves: Option<[String; 3]>,
    /// Ways to read a state as digits.
    pub encodings: Vec<Vec<Digit>>,
    /// The program of distances, for puzzles.
    pub residues: Option<Program>,
    /// The game as programs with orders of squares see it.
    pub tactics: Option<(Tactics, [String; 3])>,
    /// States in the game's notation, by number.
    states: Vec<(u64, String)>,
    /// Moves in the game's notation, by number.
    moves: Vec<(u8, String)>,
}

impl Questions {
    /// The state of a number in the game's notation; empty if there is none.
    pub fn state(&self, code: u64) -> &str {
        let found = self.states.binary_search_by_key(&code, |(code, _)| *code);
        found.map_or("", |place| &self.states[place].1)
    }

    /// The move of a number in the game's notation, or the number if it is no move's.
    pub fn move_name(&self, answer: u64) -> String {
        let mut moves = self.moves.iter();
        let found = moves.find(|(number, _)| u64::from(*number) == answer);
        found.map_or_else(|| answer.to_string(), |(_, name)| name.clone())
    }
}

/// The states and moves of a game as numbers.
type Numbers<'g, G> =
    &'g dyn Encoded<State = <G as crate::game::Game>::State, Move = <G as crate::game::Game>::Move>;

/// The state's number bit by bit, the highest first.
fn bits(entries: &[Entry]) -> Vec<Digit> {
    let greatest = entries.iter().map(|entry| entry.code).max().unwrap_or(0);
    let length = u8::try_from(u64::BITS - greatest.leading_zeros()).unwrap_or(64);
    let bits = (0..length).rev();
    bits.map(|bit| Digit::Bits(vec![bit])).collect()
}

/// The source code of a helper in all languages.
fn helpers<G: Moves>(numbers: Numbers<'_, G>, which: Helper) -> Option<[String; 3]> {
    let [rust, c, python] = Language::ALL.map(|language| numbers.helper(which, language));
    Some([rust?, c?, python?])
}

fn questions<G: Moves + Ranked>(
    game: &G,
    numbers: Numbers<'_, G>,
    table: &Table,
    shortest: bool,
) -> Result<Questions> {
    let oracle = TableOracle::new(table, game)?;
    let states = numbers.questions();
    let unfinished = states.iter().map(|state| {
        let rated = rate_moves(game, &oracle, state)?;
        let best = rated.first().map_or(Value::DRAW, |rated| rated.value);
        let as_good = |it: &&Rated<G::Move>| {
            it.value == best || !shortest && it.value.outcome() == best.outcome()
        };
        let set = |bits: u16, it: &Rated<G::Move>| bits | 1 << numbers.answer(it.mv);
        Ok(Entry {
            code: numbers.code(state),
            best: rated.iter().filter(as_good).fold(0, set),
            legal: rated.iter().fold(0, set),
        })
    });
    let mut entries = unfinished.collect::<Result<Vec<_>>>()?;
    entries.extend(numbers.finished().into_iter().map(|code| Entry {
        code,
        best: u16::MAX,
        legal: 0,
    }));
    let moves = states.iter().take(1000).flat_map(|state| game.moves(state));
    let moves = moves.map(|mv| (numbers.answer(mv), game.format_move(mv)));
    let states = states.iter();
    let states = states.map(|state| (numbers.code(state), game.format_state(state)));
    Ok(Questions {
        spec: game.spec(),
        meaning: numbers.meaning(),
        encodings: vec![bits(&entries), numbers.digits()],
        policy: Policy::new(entries, numbers.answers())?,
        residues: None,
        tactics: None,
        making_moves: None,
        moves: moves.collect(),
        states: states.collect(),
    })
}

/// The same questions, with answers of a kind.
fn answered<G: Moves>(
    game: &G,
    numbers: Numbers<'_, G>,
    kind: AnswerKind,
    asked: Questions,
) -> Questions {
    if kind == AnswerKind::Move {
        return asked;
    }
    let mut after = BTreeMap::new();
    for state in numbers.questions() {
        for mv in game.moves(&state) {
            let key = (numbers.code(&state), numbers.answer(mv));
            after.insert(key, numbers.code_after(&state, mv));
        }
    }
    let next = |code, mv| after.get(&(code, mv)).copied().unwrap_or(code);
    let [number, _] = asked.meaning;
    let answer = "the number of the state after a best move".to_owned();
    Questions {
        policy: asked.policy.with_next_states(next),
        meaning: [number, answer],
        making_moves: helpers::<G>(numbers, Helper::NextState),
        ..asked
    }
}

/// The questions of a puzzle of one player: only the shortest way is right.
pub(super) fn of_one_player<G: Solitaire>(
    game: &G,
    numbers: Numbers<'_, G>,
    table: &Table,
    kind: AnswerKind,
) -> Result<Questions> {
    let mut found = questions(game, numbers, table, true)?;
    let distance = |state: &G::State| table.record(game.rank(state)).ok()?.best().plies();
    // Boards that the helper does not know have no such program.
    found.residues = residues(numbers, distance);
    Ok(answered(game, numbers, kind, found))
}

/// The questions of a game of two players.
pub(super) fn of_two_players<G: Moves + Ranked>(
    game: &G,
    numbers: Numbers<'_, G>,
    table: &Table,
    shortest: bool,
    kind: AnswerKind,
) -> Result<Questions> {
    let mut found = questions(game, numbers, table, shortest)?;
    if let Some(helpers) = helpers::<G>(numbers, Helper::Orders) {
        found.tactics = Some((tactics(game, numbers, &found.policy), helpers));
    }
    Ok(answered(game, numbers, kind, found))
}

fn tactics<G: Moves>(game: &G, numbers: Numbers<'_, G>, policy: &Policy) -> Tactics {
    let states = numbers.questions();
    let place = |state: &G::State| {
        let entries = &policy.entries;
        let found = entries.binary_search_by_key(&numbers.code(state), |entry| entry.code);
        found.ok().and_then(|place| u32::try_from(place).ok())
    };
    let tactic = |(state, entry): (&G::State, &Entry)| {
        let mut replies: [Vec<u32>; 9] = Default::default();
        for mv in game.moves(state) {
            if let Some(defence) = game.play(state, mv).state() {
                let answers = game.moves(&defence).into_iter();
                let states = answers.filter_map(|reply| game.play(&defence, reply).state());
                replies[usize::from(numbers.answer(mv))] =
                    states.filter_map(|state| place(&state)).collect();
            }
        }
        Tactic {
            code: entry.code,
            free: entry.legal,
            best: entry.best,
            forced: numbers.forced(state).map(|mv| numbers.answer(mv)),
            replies,
        }
    };
    let initial = game.initial();
    let moves = game.moves(&initial).into_iter();
    let second = moves.filter_map(|mv| game.play(&initial, mv).state());
    let second: Vec<u32> = second.filter_map(|state| place(&state)).collect();
    Tactics {
        begins: vec![place(&initial).into_iter().collect(), second],
        states: states.iter().zip(&policy.entries).map(tactic).collect(),
    }
}

/// Time between two copies of a search on disk.
const EVERY: Duration = Duration::from_secs(5);

#[derive(Serialize, Deserialize)]
struct SavedSearch<S> {
    game: String,
    shortest: bool,
    #[serde(default)]
    answer: AnswerKind,
    search: S,
}

/// Which search is wanted, besides its bounds.
#[derive(Debug, Clone, Copy)]
pub struct SearchRun<'a> {
    /// Only the quickest win and the slowest loss are right.
    pub shortest: bool,
    /// Forget what an earlier run saved.
    pub restart: bool,
    /// The file in which the search is saved now and then.
    pub path: &'a Path,
}

/// Brings a search to its end, from where an earlier run of the same search was stopped. A
/// copy is kept in a file, in a folder that the caller has claimed.
///
/// # Errors
/// If the copy belongs to another search, or cannot be read or written.
pub fn finish<S: Search>(
    new: S,
    aim: &S::Aim,
    questions: &Questions,
    run: SearchRun<'_>,
    progress: &dyn Progress,
) -> Result<S> {
    let path = run.path;
    if run.restart && expect_ours(path, &[KEPT_MARK])? {
        remove_if_there(path)?;
    }
    let mut search = match kept(path)? {
        Some(saved) => resumed(&saved, &new, aim, questions, run, progress)?,
        None => new,
    };
    let (tried, all) = search.tried();
    progress.begin("candidates", all);
    progress.advance(tried);
    let mut last = Instant::now();
    while !search.is_finished() {
        search.advance(aim, progress);
        if last.elapsed() >= EVERY {
            let saved = SavedSearch {
                game: questions.spec.clone(),
                shortest: run.shortest,
                answer: questions.policy.kind(),
                search,
            };
            let bytes = serde_json::to_vec(&saved);
            let bytes = bytes.map_err(|error| FileError::io(path, "write")(error.into()))?;
            put_all_claimed(&[(path.to_owned(), sealed(&bytes))], true)?;
            search = saved.search;
            last = Instant::now();
        }
    }
    remove_if_there(path)?;
    Ok(search)
}

/// The search that was saved, if it is the same as the new one.
fn resumed<S: Search>(
    saved: &[u8],
    new: &S,
    aim: &S::Aim,
    questions: &Questions,
    run: SearchRun<'_>,
    progress: &dyn Progress,
) -> Result<S> {
    let saved: SavedSearch<S> = serde_json::from_slice(saved).map_err(|error| {
        let why = format!("is not a search of this kind ({error}); give --restart to start over");
        SessionError::unusable(run.path, why)
    })?;
    let same = saved.game == questions.spec
        && saved.shortest == run.shortest
        && saved.answer == questions.policy.kind();
    if !same || !saved.search.continues(new, aim) {
        let why = format!(
            "is a search of {} within other bounds; give the same ones to continue, or --restart to start over",
            saved.game
        );
        return Err(SessionError::unusable(run.path, why));
    }
    let (tried, all) = saved.search.tried();
    let (path, share) = (run.path.display(), percent(tried, all));
    progress.note(&format!(
        "going on from {path}: {share} of the candidates are tried"
    ));
    Ok(saved.search)
}
