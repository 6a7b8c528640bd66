//! The best moves of a game, or the states that they lead to, which a program must answer.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::subsets::bits;

/// What a program answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum AnswerKind {
    /// The number of a best move.
    #[default]
    Move,
    /// The number of the state after a best move.
    NextState,
}

impl AnswerKind {
    /// The name of the function that answers.
    pub const fn function(self) -> &'static str {
        match self {
            Self::Move => "best_move",
            Self::NextState => "next_state",
        }
    }
}

/// A state and its right answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The state's number.
    pub code: u64,
    /// The best moves, bit `i` being move number `i`; all bits if any answer is right.
    pub best: u16,
    /// The legal moves, bit `i` being move number `i`.
    pub legal: u16,
}

impl Entry {
    /// Whether every answer is right.
    pub const fn is_free(&self) -> bool {
        self.best == u16::MAX
    }
}

/// Why a policy is refused: it has no state, two of a number, one without a right answer, or too
/// many moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PolicyError(String);

/// Some right answers of one state: what it has in common with other states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choices {
    /// The index of the state's entry.
    place: u32,
    /// The moves whose answers these are, at least one.
    moves: u16,
}

/// The best moves in every state of a game.
///
/// ```
/// use tesuji::formula::{Entry, Policy};
///
/// let entry = |code, best| Entry { code, best, legal: 0b111 };
/// let policy = Policy::new(vec![entry(7, 0b100), entry(3, 0b011)], 3)?;
/// assert_eq!(policy.width(), 2);
/// assert!(policy.is_right(&policy.entries[0], 1));
/// # Ok::<(), tesuji::formula::PolicyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The entries, sorted by the numbers of their states.
    pub entries: Vec<Entry>,
    /// The number of different moves: one more than the greatest.
    pub moves: u8,
    /// The number of the state after each of the `moves` moves of each entry, if these are
    /// the answers; empty if the answers are moves.
    next: Vec<u64>,
}

impl Policy {
    /// The entries in which not every answer is right: those of states that have a move.
    pub fn asked(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_free())
    }

    /// A policy of these entries, with moves numbered from 0 to `moves - 1`, whose answers
    /// are moves.
    ///
    /// # Errors
    /// [`PolicyError`] if there is no entry, two have the same number, one has no right
    /// answer, or `moves` is not in 1..=16.
    pub fn new(mut entries: Vec<Entry>, moves: u8) -> Result<Self, PolicyError> {
        entries.sort_by_key(|entry| entry.code);
        let mut pairs = entries.array_windows();
        let is_wrong = |entry: &&Entry| entry.best & (u16::MAX >> (16 - moves)) == 0;
        let fault = if !(1..=16).contains(&moves) {
            format!("invalid number of moves {moves}: a policy has 1 to 16")
        } else if let Some([Entry { code, .. }, _]) = pairs.find(|[a, b]| a.code == b.code) {
            format!("two states have the number {code}: give each its own")
        } else if let Some(Entry { code, .. }) = entries.iter().find(is_wrong) {
            format!("state {code} has no right answer")
        } else if entries.is_empty() {
            "a policy needs at least one state".to_owned()
        } else {
            return Ok(Self {
                entries,
                moves,
                next: Vec::new(),
            });
        };
        Err(PolicyError(fault))
    }

    /// The same policy, but the answers are the states that the moves lead to. `next` is the
    /// number of the state after a move that an entry knows as legal or best; it is not
    /// asked about entries in which every answer is right.
    pub fn with_next_states(self, next: impl Fn(u64, u8) -> u64) -> Self {
        let state = |(entry, mv): (&Entry, u8)| {
            let is_known = !entry.is_free() && (entry.best | entry.legal) >> mv & 1 == 1;
            if is_known { next(entry.code, mv) } else { 0 }
        };
        let moves = |entry| (0..self.moves).map(move |mv| (entry, mv));
        let next = self.entries.iter().flat_map(moves).map(state).collect();
        Self { next, ..self }
    }

    /// The same policy, but the answers are moves.
    pub(super) fn with_moves(&self) -> Self {
        Self {
            next: Vec::new(),
            ..self.clone()
        }
    }

    /// The same policy for some of its states, those whose numbers fit.
    ///
    /// # Errors
    /// If none fits.
    pub fn among(&self, fits: impl Fn(u64) -> bool) -> Result<Self, PolicyError> {
        let entries = self.entries.iter().enumerate();
        let kept = entries.filter(|(_, entry)| fits(entry.code));
        let kept = kept.map(|(place, entry)| (*entry, self.row(place)));
        let (entries, next): (Vec<_>, Vec<_>) = kept.unzip();
        Ok(Self {
            next: next.concat(),
            ..Self::new(entries, self.moves)?
        })
    }

    /// The states after the moves of an entry, by number; empty if the answers are moves.
    fn row(&self, place: usize) -> &[u64] {
        let moves = usize::from(self.moves);
        self.next
            .get(place * moves..(place + 1) * moves)
            .unwrap_or_default()
    }

    /// What the answers are.
    pub const fn kind(&self) -> AnswerKind {
        if self.next.is_empty() {
            AnswerKind::Move
        } else {
            AnswerKind::NextState
        }
    }

    /// The states in which not every answer is right: number, right answers.
    pub(super) fn demands(&self) -> impl Iterator<Item = (u64, Choices)> {
        let known = u16::MAX >> (16 - self.moves);
        let entries = (0..).zip(&self.entries);
        let bound = entries.filter(|(_, entry)| !entry.is_free());
        bound.map(move |(place, entry)| {
            let moves = entry.best & known;
            (entry.code, Choices { place, moves })
        })
    }

    /// The answer that a move is, in the state of an entry.
    fn value(&self, place: usize, mv: u8) -> u64 {
        let row = self.row(place);
        row.get(usize::from(mv)).copied().unwrap_or(mv.into())
    }

    pub(super) fn values(&self, choices: Choices) -> impl Iterator<Item = u64> {
        bits(choices.moves.into()).map(move |mv| self.value(choices.place as usize, mv))
    }

    pub(super) fn least(&self, choices: Choices) -> u64 {
        self.values(choices).min().unwrap_or(0)
    }

    /// The answers that two states have in common, as choices of the first; `None` if they
    /// have none.
    #[inline]
    pub(super) fn common(&self, a: Choices, b: Choices) -> Option<Choices> {
        let moves = if self.next.is_empty() {
            a.moves & b.moves
        } else {
            let shared = |mv: &u8| {
                a.moves >> mv & 1 == 1 && {
                    let value = self.value(a.place as usize, *mv);
                    self.values(b).any(|other| other == value)
                }
            };
            (0..self.moves)
                .filter(shared)
                .fold(0, |moves, mv| moves | 1 << mv)
        };
        (moves != 0).then_some(Choices { moves, ..a })
    }

    /// The number of bits of an answer.
    pub fn width(&self) -> u32 {
        let greatest = if self.next.is_empty() {
            u64::from(self.moves - 1)
        } else {
            let right = self.demands().flat_map(|(_, right)| self.values(right));
            right.max().unwrap_or(0)
        };
        length(greatest).max(1)
    }

    /// The answer that a legal or best move is in a state; `None` if it is neither.
    pub fn answer(&self, code: u64, mv: u8) -> Option<u64> {
        let place = self.entries.binary_search_by_key(&code, |entry| entry.code);
        let place = place.ok()?;
        let entry = self.entries[place];
        let known = mv < self.moves && (entry.legal | entry.best) >> mv & 1 == 1;
        known.then(|| self.value(place, mv))
    }

    /// The legal or best move that an answer is in a state; `None` if it is none.
    pub fn move_of(&self, code: u64, answer: u64) -> Option<u8> {
        (0..self.moves).find(|&mv| self.answer(code, mv) == Some(answer))
    }

    /// Whether an answer is right in the state of an entry.
    pub fn is_right(&self, entry: &Entry, answer: u64) -> bool {
        let is_best = |mv: u8| entry.best >> mv & 1 == 1;
        entry.is_free() || self.move_of(entry.code, answer).is_some_and(is_best)
    }
}

/// The number of bits that a number takes; 0 for 0.
pub(super) const fn length(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}
