//! What programs are asked, from a solved game.

use anyhow::Result;

use crate::analysis::rate_moves;
use crate::base::value::Value;
use crate::formula::{Entry, Policy, Program, Tactic, Tactics, residues};
use crate::game::{Digit, Encoded, Helper, Language, Next, Ranked, Residual, Tactical};
use crate::table::{Table, TableOracle};

/// A game's questions with their answers, and what else searches want to know.
pub struct Asked {
    pub spec: String,
    pub policy: Policy,
    /// What the state's number and the answer mean.
    pub meaning: [String; 2],
    /// Ways to read a state as digits.
    pub encodings: Vec<Vec<Digit>>,
    /// The program of distances, for puzzles.
    pub residues: Option<Program>,
    /// The game as programs with orders of squares see it.
    pub tactics: Option<(Tactics, [String; 3])>,
    /// States in the game's notation, by number.
    pub shown: Box<dyn Fn(u64) -> String>,
    /// Moves in the game's notation, by number.
    pub named: Box<dyn Fn(u64) -> String>,
}

/// The best moves of all states.
fn entries<G: Encoded + Ranked>(game: &G, table: &Table, shortest: bool) -> Result<Vec<Entry>> {
    let oracle = TableOracle::new(table, game)?;
    let mut entries = Vec::new();
    for state in game.questions() {
        let rated = rate_moves(game, &oracle, &state)?;
        let best = rated.first().map_or(Value::DRAW, |rated| rated.value);
        let (mut legal, mut good) = (0, 0);
        for rated in &rated {
            let bit = 1 << game.answer(rated.mv);
            legal |= bit;
            let as_good = if shortest {
                rated.value == best
            } else {
                rated.value.outcome() == best.outcome()
            };
            if as_good {
                good |= bit;
            }
        }
        entries.push(Entry {
            code: game.code(&state),
            best: good,
            legal,
        });
    }
    let finished = game.finished().into_iter().map(|code| Entry {
        code,
        best: u16::MAX,
        legal: 0,
    });
    entries.extend(finished);
    Ok(entries)
}

/// The state's number bit by bit, the highest first.
fn bits(entries: &[Entry]) -> Vec<Digit> {
    let greatest = entries.iter().map(|entry| entry.code).max().unwrap_or(0);
    let length = u8::try_from(u64::BITS - greatest.leading_zeros()).unwrap_or(64);
    (0..length)
        .rev()
        .map(|bit| Digit::Bits(vec![bit]))
        .collect()
}

fn asked<G: Encoded + Ranked>(game: &G, table: &Table, shortest: bool) -> Result<Asked> {
    let entries = entries(game, table, shortest)?;
    let states = game.questions();
    let shown: Vec<(u64, String)> = states
        .iter()
        .map(|state| (game.code(state), game.format_state(state)))
        .collect();
    let moves: Vec<(u8, String)> = states
        .iter()
        .take(1000)
        .flat_map(|state| game.moves(state))
        .map(|mv| (game.answer(mv), game.format_move(mv)))
        .collect();
    Ok(Asked {
        spec: game.spec(),
        meaning: game.meaning(),
        encodings: vec![bits(&entries), game.digits()],
        policy: Policy::new(entries, game.answers())?,
        residues: None,
        tactics: None,
        shown: Box::new(move |code| {
            let found = shown.binary_search_by_key(&code, |(code, _)| *code);
            found.map_or(String::new(), |place| shown[place].1.clone())
        }),
        named: Box::new(move |answer| {
            let found = moves
                .iter()
                .find(|(number, _)| u64::from(*number) == answer);
            found.map_or_else(|| answer.to_string(), |(_, name)| name.clone())
        }),
    })
}

/// A puzzle's: only the shortest way is right.
pub fn of_puzzle<G: Residual>(game: &G, table: &Table) -> Result<Asked> {
    let mut asked = asked(game, table, true)?;
    let distance = |state: &G::State| {
        let record = table.record(game.rank(state).index).ok()?;
        record.best().plies()
    };
    // Of boards that the helper does not know there is none.
    asked.residues = residues(game, distance).ok();
    Ok(asked)
}

/// Those of a game of two.
pub fn of_duel<G: Tactical + Ranked>(game: &G, table: &Table, shortest: bool) -> Result<Asked> {
    let mut asked = asked(game, table, shortest)?;
    let helpers = Language::ALL.map(|language| game.helper(Helper::Orders, language));
    if let [Some(rust), Some(c), Some(python)] = helpers {
        asked.tactics = Some((tactics(game, &asked.policy), [rust, c, python]));
    }
    Ok(asked)
}

fn tactics<G: Tactical>(game: &G, policy: &Policy) -> Tactics {
    let states = game.questions();
    let place = |state: &G::State| {
        let found = policy
            .entries()
            .binary_search_by_key(&game.code(state), |entry| entry.code);
        found.ok().and_then(|place| u32::try_from(place).ok())
    };
    let next = |state: &G::State, mv| match game.play(state, mv) {
        Next::State(next) => Some(next),
        Next::Over(_) => None,
    };
    let tactic = |(state, entry): (&G::State, &Entry)| {
        let mut replies: [Vec<u32>; 9] = Default::default();
        for mv in game.moves(state) {
            if let Some(after) = next(state, mv) {
                let states = game
                    .moves(&after)
                    .into_iter()
                    .filter_map(|reply| next(&after, reply));
                replies[usize::from(game.answer(mv))] =
                    states.filter_map(|state| place(&state)).collect();
            }
        }
        Tactic {
            code: entry.code,
            free: entry.legal,
            best: entry.best,
            forced: game.forced(state).map(|mv| game.answer(mv)),
            replies,
        }
    };
    let initial = game.initial();
    let second = game
        .moves(&initial)
        .into_iter()
        .filter_map(|mv| next(&initial, mv));
    let second: Vec<u32> = second.filter_map(|state| place(&state)).collect();
    Tactics {
        begins: vec![place(&initial).into_iter().collect(), second],
        states: states.iter().zip(policy.entries()).map(tactic).collect(),
    }
}
