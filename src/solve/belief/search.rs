//! The first stage: whether a metaposition is won within a number of plies and fouls.
//!
//! The transposition tables of a search, of bounded size.
//!
//! Metapositions, and partitioning the states after a try into them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::fast::FixedState;
use serde::Serialize;
use thiserror::Error;

use super::tree::AttackerTurn;
use crate::base::progress::Progress;
use crate::base::random;
use crate::game::{Answer, Hidden, Reply};

/// The algorithm of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Mode {
    /// With a table of metapositions, and requiring that every state is won with perfect
    /// information.
    #[default]
    Fast,
    /// As in the paper: iterative deepening only.
    Reference,
    /// Proof-number search over metapositions, with a table of them; the fastest for most long problems.
    // Perfect information prunes only where three plies or fewer are left.
    ProofNumber,
}

impl Mode {
    /// The most plies within which single states are examined with perfect information.
    pub(super) const fn sight(self) -> u8 {
        match self {
            Self::Fast => u8::MAX,
            Self::ProofNumber => 3,
            Self::Reference => 0,
        }
    }
}

/// Limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most plies.
    pub plies: u8,
    pub(super) fouls: u8,
    /// Solutions with fewer fouls that take at most this number of plies more are searched for too.
    pub beyond: u8,
    /// About how many bytes of memory the search may take.
    pub bytes: usize,
    /// The most metapositions and positions that are examined.
    pub effort: u64,
    /// Whether equal states of a metaposition are kept apart (otherwise they are one), to measure
    /// what that reduction saves. Only the reference mode can do without it.
    pub duplicates: bool,
}

impl Limits {
    /// The most plies that can be searched.
    pub const MOST_PLIES: u8 = 99;

    /// Limits a search to `plies` plies, `fouls` allowed fouls and 256 MiB. An even number of plies
    /// counts as one less. Larger numbers than [`MOST_PLIES`](Self::MOST_PLIES) and
    /// `MOST_FOULS` are reduced to these.
    pub fn new(plies: u8, fouls: u8) -> Self {
        Self {
            plies: plies.min(Self::MOST_PLIES),
            fouls: fouls.min(MOST_FOULS),
            beyond: 0,
            bytes: 1 << 28,
            effort: u64::MAX,
            duplicates: false,
        }
    }
}

pub(super) type Result<T, E = SearchError> = std::result::Result<T, E>;

/// An error of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
    /// The limit of effort was reached, in metapositions and positions examined.
    #[error("no solution found within {0} steps")]
    Effort(u64),
    /// The memory limit was reached, with this number of positions held by the search.
    #[error(
        "out of memory: the search would hold {0} positions at once; allow more memory with --memory, or fewer plies or fouls"
    )]
    Memory(usize),
}

/// The work of a search so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Metapositions generated, with the attacker to move.
    pub metapositions: u64,
    /// Positions in them.
    pub positions: u64,
    /// Positions in the largest metaposition.
    pub largest: u64,
    /// Positions generated, including those that are in no metaposition.
    pub looked_at: u64,
}

impl Counts {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            metapositions: self.metapositions + other.metapositions,
            positions: self.positions + other.positions,
            largest: self.largest.max(other.largest),
            looked_at: self.looked_at + other.looked_at,
        }
    }
}

/// A search and its transposition tables.
pub(super) struct Search<'a, G: Hidden> {
    pub game: &'a G,
    pub mode: Mode,
    pub counts: Counts,
    /// Plies within which the attacker is known to win a state with perfect information, and
    /// within which they are known not to.
    pub perfect_information: Generations<u64, (u8, u8)>,
    pub proofs: Generations<u128, (Bounds, Option<G::Move>)>,
    /// Proof numbers, by metaposition, plies and fouls.
    pub numbers: Generations<(u128, u8, u8), Numbers>,
    /// The best turns, none in reference mode.
    pub known: Known<G>,
    progress: &'a dyn Progress,
    ticks: u64,
    reported: u64,
    /// Number of positions on the path from the root.
    pub held: usize,
    /// The most that `held` may be.
    pub most_held: usize,
    /// The most best turns that may be remembered.
    pub most_known: usize,
    limits: Limits,
}

/// The answers to a try: the indices of the states where it is a foul, and of those where
/// it stands, with the announcements.
pub(super) struct Split<C> {
    pub fouls: Vec<usize>,
    pub stands: Vec<(usize, C)>,
}

/// The clues of a try that stands and of the reply to it.
pub(super) type Heard<G> = (<G as Hidden>::Clue, <G as Hidden>::Clue);

/// Metapositions after the replies, by the clues heard.
type Groups<G> = BTreeMap<Heard<G>, Metaposition<<G as crate::game::Game>::State>>;

/// A metaposition to be won within these plies (an odd number) and fouls.
#[derive(Debug, Clone)]
pub(super) struct Goal<S> {
    pub all: Metaposition<S>,
    pub plies: u8,
    pub fouls: u8,
}

/// What must be won after a try, by the clues heard; `None` is a foul, which comes first.
pub(super) type Goals<G> = Vec<(Option<Heard<G>>, Goal<<G as crate::game::Game>::State>)>;

/// Best turns found so far, by metaposition and fouls left.
type Known<G> = HashMap<(u128, u8), Arc<Turn<G>>, FixedState>;

pub(super) type Turn<G> = AttackerTurn<<G as crate::game::Game>::Move, <G as Hidden>::Clue>;

/// Number of steps between two progress reports.
const TICK: u64 = 1 << 10;

impl<'a, G: Hidden> Search<'a, G> {
    pub(super) fn new(
        game: &'a G,
        mode: Mode,
        limits: &Limits,
        progress: &'a dyn Progress,
    ) -> Self {
        let bytes = limits.bytes;
        let held = size_of::<G::State>().max(1);
        Self {
            game,
            mode,
            counts: Counts::default(),
            perfect_information: Generations::new(bytes / 4),
            proofs: Generations::new(bytes / 4),
            numbers: Generations::new(bytes / 8),
            known: Known::<G>::default(),
            progress,
            ticks: 0,
            reported: 0,
            held: 0,
            most_held: bytes / 8 * 3 / held,
            most_known: bytes / 1024,
            limits: *limits,
        }
    }

    /// Counts a step; every [`TICK`] steps progress is reported.
    pub(crate) fn tick(&mut self) -> Result<()> {
        self.ticks += 1;
        if self.ticks + self.counts.looked_at > self.limits.effort {
            return Err(SearchError::Effort(self.limits.effort));
        }
        if self.ticks.is_multiple_of(TICK) {
            self.progress
                .advance(self.counts.looked_at.saturating_sub(self.reported));
            self.reported = self.counts.looked_at;
            self.progress.go_on(SearchError::Cancelled)?;
        }
        Ok(())
    }

    pub(super) fn count(&mut self, positions: usize) {
        let positions = positions as u64;
        self.counts.metapositions += 1;
        self.counts.positions += positions;
        self.counts.largest = self.counts.largest.max(positions);
    }

    pub(crate) fn proves(&mut self, goal: &Goal<G::State>) -> Result<bool> {
        let Goal { all, plies, fouls } = goal;
        self.tick()?;
        // In reference mode nothing is ever known.
        let known = self.proofs.get(all.sum).copied();
        let known = known.unwrap_or((Bounds::UNKNOWN, None));
        if let Some(won) = known.0.get(*plies, *fouls) {
            return Ok(won);
        }
        if self.mode == Mode::ProofNumber {
            return self.proves_by_numbers(goal);
        }
        let (mut won, mut by) = (false, known.1);
        let tries = all.tries(self.game);
        let first = by.filter(|mv| tries.contains(mv));
        let rest = tries.into_iter().filter(|&mv| Some(mv) != first);
        for mv in first.into_iter().chain(rest) {
            if self.proves_by(goal, mv)? {
                (won, by) = (true, Some(mv));
                break;
            }
        }
        if self.mode != Mode::Reference {
            // The search below may have learned more about the same metaposition.
            let mut bounds = self.proofs.get(all.sum).map_or(known.0, |found| found.0);
            bounds.learn(*plies, *fouls, won);
            self.proofs.set(all.sum, (bounds, by));
        }
        Ok(won)
    }

    /// The metapositions after the replies to a try that stands in these states, by the
    /// clues heard. `None` if a state of them is not won within `plies` further plies even
    /// with perfect information, or the defender escapes.
    fn groups(
        &mut self,
        all: &Metaposition<G::State>,
        mv: G::Move,
        stands: &[(usize, G::Clue)],
        plies: u8,
    ) -> Result<Option<Groups<G>>> {
        let mut partition = Partition::new();
        let mut held = self.held;
        for &(place, announced) in stands {
            let state = &all.states[place];
            if plies == 0 && !self.game.wins(state, mv) {
                return Ok(None);
            }
            if plies == 0 {
                continue;
            }
            // Whether all replies so far can still be won.
            let mut good = Ok(true);
            self.game.replies(state, mv, |reply| {
                self.counts.looked_at += 1;
                good = match reply {
                    Reply::Escape => Ok(false),
                    Reply::To(clue, state) => {
                        self.add_state(&mut partition, (announced, clue), state, plies, &mut held)
                    }
                };
                if good == Ok(true) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            if !good? {
                return Ok(None);
            }
        }
        for group in partition.groups.values() {
            self.count(group.states.len());
        }
        Ok(Some(partition.groups))
    }

    /// Adds a state after a reply to its metaposition; `false` if it could not be won even
    /// with perfect information.
    fn add_state(
        &mut self,
        partition: &mut Partition<Heard<G>, G::State>,
        heard: Heard<G>,
        state: G::State,
        plies: u8,
        held: &mut usize,
    ) -> Result<bool> {
        let key = self.game.key(&state);
        let apart = self.limits.duplicates && self.mode == Mode::Reference;
        if !apart && !partition.is_new(heard, key) {
            return Ok(true);
        }
        if !self.wins_with_perfect_information(&state, plies)? {
            return Ok(false);
        }
        *held += 1;
        if *held > self.most_held {
            return Err(SearchError::Memory(*held));
        }
        partition.add(heard, key, state);
        Ok(true)
    }

    pub(crate) fn proves_by(&mut self, goal: &Goal<G::State>, mv: G::Move) -> Result<bool> {
        let held = self.held;
        let Some(mut goals) = self.goals(goal, mv)? else {
            return Ok(false);
        };
        if self.mode != Mode::Reference {
            goals.sort_by_key(|(heard, goal)| (heard.is_some(), goal.all.states.len()));
        }
        let mut won = Ok(true);
        for (_, goal) in &goals {
            won = self.proves(goal);
            if won != Ok(true) {
                break;
            }
        }
        self.held = held;
        won
    }

    /// What must be won after a try, which is then [held](Self::held); `None` if it fails at
    /// once.
    pub(super) fn goals(&mut self, goal: &Goal<G::State>, mv: G::Move) -> Result<Option<Goals<G>>> {
        let (all, plies, fouls) = (&goal.all, goal.plies, goal.fouls);
        let split = all.split(self.game, mv);
        if !split.fouls.is_empty() && fouls == 0 {
            return Ok(None);
        }
        let Some(groups) = self.groups(all, mv, &split.stands, plies.saturating_sub(2))? else {
            return Ok(None);
        };
        let mut goals = Vec::with_capacity(groups.len() + 1);
        if !split.fouls.is_empty() {
            let all = all.part(self.game, &split.fouls);
            self.count(all.states.len());
            let fouls = fouls - 1;
            goals.push((None, Goal { all, plies, fouls }));
        }
        goals.extend(groups.into_iter().map(|(heard, all)| {
            let plies = plies - 2;
            (Some(heard), Goal { all, plies, fouls })
        }));
        self.held += goals
            .iter()
            .map(|(_, goal)| goal.all.states.len())
            .sum::<usize>();
        Ok(Some(goals))
    }
}

/// A table of two generations. When the young one is full it becomes the old one, and the
/// previous old one is discarded.
#[derive(Debug)]
pub(super) struct Generations<K, V> {
    young: HashMap<K, V, FixedState>,
    old: HashMap<K, V, FixedState>,
    most: usize,
}

impl<K: Eq + Hash + Copy, V: Clone> Generations<K, V> {
    pub(super) fn new(bytes: usize) -> Self {
        // A hash table is from 7/16 to 7/8 full, and there are two of them.
        let entry = size_of::<(K, V)>() + 1;
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
            most: (bytes / entry / 5).max(1 << 10),
        }
    }

    pub(super) fn get(&self, key: K) -> Option<&V> {
        self.young.get(&key).or_else(|| self.old.get(&key))
    }

    /// Inserts a value into the young generation.
    pub(super) fn set(&mut self, key: K, value: V) {
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

/// Proof and disproof number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

/// As good as infinity; sums of many still fit.
pub(super) const NEVER: u32 = 1 << 24;

impl Numbers {
    pub(super) const WON: Self = Self {
        proof: 0,
        disproof: NEVER,
    };
    pub(super) const NOT: Self = Self {
        proof: NEVER,
        disproof: 0,
    };
    pub(super) const OPEN: Self = Self {
        proof: 1,
        disproof: 1,
    };
}

/// The most fouls that a search can allow: the number that players have by custom.
pub(crate) const MOST_FOULS: u8 = 8;

/// What is known about a metaposition: for each number of fouls, the fewest plies in which
/// it is known to be won, and the most in which it is known not to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    won: [u8; MOST_FOULS as usize + 1],
    not: [u8; MOST_FOULS as usize + 1],
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self {
        won: [u8::MAX; MOST_FOULS as usize + 1],
        not: [0; MOST_FOULS as usize + 1],
    };

    /// Whether the metaposition is won within `plies` plies and `fouls` fouls, `None` if
    /// unknown. More of either never hurts.
    pub(super) fn get(&self, plies: u8, fouls: u8) -> Option<bool> {
        let fouls = usize::from(fouls);
        if self.won[..=fouls].iter().any(|&won| won <= plies) {
            Some(true)
        } else if self.not[fouls..].iter().any(|&not| not >= plies) {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn learn(&mut self, plies: u8, fouls: u8, won: bool) {
        let fouls = usize::from(fouls);
        if won {
            self.won[fouls] = self.won[fouls].min(plies);
        } else {
            self.not[fouls] = self.not[fouls].max(plies);
        }
    }
}

/// A non-empty set of distinct states that look the same to the attacker.
#[derive(Debug, Clone)]
pub(super) struct Metaposition<S> {
    pub(super) states: Vec<S>,
    /// A hash that does not depend on the order of states: the sum of a strong hash of each
    /// (not the XOR, which was found to collide; see the [module](super)).
    pub(super) sum: u128,
}

impl<S> Metaposition<S> {
    /// The metaposition of these states, at least one.
    pub(super) fn of<G: Hidden<State = S>>(game: &G, states: Vec<S>) -> Self {
        let hashes = states.iter().map(|state| spread(game.key(state)));
        let sum = hashes.fold(0, u128::wrapping_add);
        Self { states, sum }
    }

    /// The metaposition of the states at these indices, at least one.
    pub(super) fn part<G: Hidden<State = S>>(&self, game: &G, places: &[usize]) -> Self
    where
        S: Clone,
    {
        let states = places.iter().map(|&place| self.states[place].clone());
        Self::of(game, states.collect())
    }

    /// The tries that are quiet in no state and stand in at least one.
    pub(super) fn tries<G: Hidden<State = S>>(&self, game: &G) -> Vec<G::Move> {
        let mut first = Vec::new();
        let (head, rest) = (&self.states[0], &self.states[1..]);
        game.tries(head, &mut first);
        first.retain(|&(mv, answer)| {
            let mut stands = matches!(answer, Answer::Stands(_));
            for state in rest {
                match game.answer(state, mv) {
                    Answer::Quiet => return false,
                    Answer::Foul => {}
                    Answer::Stands(_) => stands = true,
                }
            }
            stands
        });
        first.into_iter().map(|(mv, _)| mv).collect()
    }

    /// The answers to a try that is quiet in no state.
    pub(super) fn split<G: Hidden<State = S>>(&self, game: &G, mv: G::Move) -> Split<G::Clue> {
        let mut split = Split {
            fouls: Vec::new(),
            stands: Vec::new(),
        };
        for (place, state) in self.states.iter().enumerate() {
            match game.answer(state, mv) {
                Answer::Foul => split.fouls.push(place),
                Answer::Stands(clue) => split.stands.push((place, clue)),
                Answer::Quiet => {}
            }
        }
        split
    }
}

/// Spreads a key over 128 bits, so that sums of keys are as good as random.
fn spread(key: u64) -> u128 {
    let low = random::hash(key);
    let high = random::mix(key.rotate_left(32).wrapping_add(0xd1b5_4a32_d192_ed03));
    u128::from(high) << 64 | u128::from(low)
}

/// Partitions states into metapositions, one per clue.
pub(super) struct Partition<C, S> {
    pub(super) groups: BTreeMap<C, Metaposition<S>>,
    /// Clues and keys of the states so far.
    seen: HashSet<(C, u64), FixedState>,
}

impl<C: Copy + Ord + Hash, S> Partition<C, S> {
    pub(super) fn new() -> Self {
        Self {
            groups: BTreeMap::new(),
            seen: HashSet::default(),
        }
    }

    /// Marks a state as seen; `false` if it was before.
    pub(crate) fn is_new(&mut self, clue: C, key: u64) -> bool {
        self.seen.insert((clue, key))
    }

    pub(super) fn add(&mut self, clue: C, key: u64, state: S) {
        let none = || Metaposition {
            states: Vec::with_capacity(1),
            sum: 0,
        };
        let group = self.groups.entry(clue).or_insert_with(none);
        group.states.push(state);
        group.sum = group.sum.wrapping_add(spread(key));
    }
}
