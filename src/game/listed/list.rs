//! All reachable positions, with their moves.

use std::cmp::Reverse;
use std::ops::Range;

use indexmap::IndexSet;
use rayon::prelude::*;

use super::super::{Layer, MostMoves, Next};
use super::finite::{FiniteGame, ListError, MOST_MOVES, MOST_UNMOVES};
use crate::base::progress::Progress;
use crate::base::value::Outcome;

/// Positions that are processed together.
const TOGETHER: usize = 1 << 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The game is over, with this result for the mover.
    Over(Outcome),
    Slot(u32),
}

impl Target {
    /// Codes from here on are outcomes.
    const OUTCOMES: u32 = u32::MAX - 2;

    const fn code(self) -> u32 {
        match self {
            Self::Slot(slot) => slot,
            Self::Over(Outcome::Win) => Self::OUTCOMES,
            Self::Over(Outcome::Draw) => Self::OUTCOMES + 1,
            Self::Over(Outcome::Loss) => Self::OUTCOMES + 2,
        }
    }

    const fn from_code(code: u32) -> Self {
        match code {
            Self::OUTCOMES => Self::Over(Outcome::Win),
            0xffff_fffe => Self::Over(Outcome::Draw),
            u32::MAX => Self::Over(Outcome::Loss),
            slot => Self::Slot(slot),
        }
    }
}

/// The positions up to symmetry, sorted by stage, class and their own order, with all moves
/// forward and backward. The moves of each position are a range of one array.
#[derive(Debug)]
pub(super) struct List<S> {
    pub states: IndexSet<S, foldhash::fast::FixedState>,
    pub layers: Vec<Layer>,
    pub most_moves: MostMoves,
    /// Where the moves of each position begin, and the end of the last.
    first: Vec<u32>,
    targets: Vec<u32>,
    wins: Vec<bool>,
    /// Where the un-moves of each position begin, and the end of the last.
    first_back: Vec<u32>,
    parents: Vec<u32>,
    numbers: Vec<u8>,
}

impl<S: Ord + Clone + std::hash::Hash + Send + Sync> List<S> {
    pub(super) fn new<G: FiniteGame<State = S>>(
        game: &G,
        most: u32,
        progress: &dyn Progress,
    ) -> Result<Self, ListError> {
        let most = most.min(Target::OUTCOMES);
        if game.fewest_positions() > most.into() {
            let (spec, bytes) = (game.spec(), bytes::<S>(most as usize, 8 * most as usize));
            return Err(ListError::TooMany { spec, most, bytes });
        }
        let states = reached(game, most, progress)?;
        progress.begin("sorting positions", 0);
        let keyed = states.into_par_iter();
        let keyed = keyed.map(|state| (Reverse(game.stage(&state)), game.class(&state), state));
        let mut keyed: Vec<_> = keyed.collect();
        keyed.par_sort_unstable();
        let mut layers: Vec<Layer> = Vec::new();
        let mut stages = Vec::new();
        let mut start = 0;
        for stretch in keyed.chunk_by(|a, b| a.0 == b.0) {
            let end = start + stretch.len() as u64;
            layers.push(Layer {
                name: game.stage_name(stretch[0].0.0),
                slots: start..end,
                group: layers.len(),
            });
            stages.push(stretch[0].0.0);
            start = end;
        }
        if let [only] = layers.as_mut_slice() {
            "all".clone_into(&mut only.name);
        }
        let mut list = Self {
            states: keyed.into_iter().map(|(_, _, state)| state).collect(),
            layers,
            most_moves: MostMoves {
                within: 0,
                numbers: 0,
            },
            first: vec![0],
            targets: Vec::new(),
            wins: Vec::new(),
            first_back: Vec::new(),
            parents: Vec::new(),
            numbers: Vec::new(),
        };
        list.find_moves(game, &stages, progress)?;
        progress.begin("reversing moves", 0);
        list.find_unmoves(game)?;
        Ok(list)
    }

    fn find_moves<G: FiniteGame<State = S>>(
        &mut self,
        game: &G,
        stages: &[u32],
        progress: &dyn Progress,
    ) -> Result<(), ListError> {
        progress.begin("listing moves", self.len());
        for start in (0..self.states.len()).step_by(TOGETHER) {
            if progress.cancelled() {
                return Err(ListError::Cancelled);
            }
            let end = self.states.len().min(start + TOGETHER);
            let found: Result<Vec<(Vec<u32>, MostMoves)>, ListError> = (start..end)
                .into_par_iter()
                .map(|slot| self.targets_of(game, slot, stages))
                .collect();
            for (targets, count) in found? {
                let most = &mut self.most_moves;
                most.within = most.within.max(count.within);
                most.numbers = most.numbers.max(count.numbers);
                self.wins.push(targets.contains(&Target::OUTCOMES));
                self.targets.extend(targets);
                let end = u32::try_from(self.targets.len());
                self.first.push(end.map_err(|_| self.too_many(game))?);
            }
            progress.advance((end - start) as u64);
        }
        Ok(())
    }

    fn too_many<G: FiniteGame<State = S>>(&self, game: &G) -> ListError {
        ListError::TooMany {
            spec: game.spec(),
            most: u32::try_from(self.wins.len()).unwrap_or(u32::MAX),
            bytes: bytes::<S>(self.wins.len(), self.targets.len()),
        }
    }

    /// The targets of the moves of a position, as codes, and how many moves it has.
    fn targets_of<G: FiniteGame<State = S>>(
        &self,
        game: &G,
        slot: usize,
        stages: &[u32],
    ) -> Result<(Vec<u32>, MostMoves), ListError> {
        let state = &self.states[slot];
        let layer = self.layer(slot as u64);
        let slots = &self.layers[layer].slots;
        let moves = game.moves(state);
        let numbers = u8::try_from(moves.len()).ok();
        let Some(numbers) = numbers.filter(|&numbers| numbers <= MOST_MOVES) else {
            return Err(ListError::Moves {
                state: game.format_state(state),
                moves: moves.len(),
            });
        };
        let mut within = 0;
        let mut targets = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let target = match game.play(state, mv) {
                Next::Over(outcome) => Target::Over(outcome),
                Next::State(next) => {
                    let to = self.states.get_index_of(&game.canonical(&next));
                    let to = to.expect("every position that a move leads to was listed");
                    if to as u64 >= slots.end {
                        return Err(ListError::Stage {
                            state: game.format_state(state),
                            mv: game.format_move(mv),
                            from: stages[layer],
                            to: stages[self.layer(to as u64)],
                        });
                    }
                    within += u8::from(to as u64 >= slots.start);
                    Target::Slot(u32::try_from(to).unwrap_or(Target::OUTCOMES))
                }
            };
            targets.push(target.code());
        }
        if moves.is_empty() {
            return Err(ListError::NoMoves(game.format_state(state)));
        }
        Ok((targets, MostMoves { within, numbers }))
    }

    fn find_unmoves<G: FiniteGame<State = S>>(&mut self, game: &G) -> Result<(), ListError> {
        let mut first = vec![0_u32; self.states.len() + 1];
        let to = self.targets.iter().filter(|&&code| code < Target::OUTCOMES);
        to.for_each(|&slot| first[slot as usize + 1] += 1);
        if let Some(slot) = first[1..].iter().position(|&count| count > MOST_UNMOVES) {
            return Err(ListError::Unmoves(game.format_state(&self.states[slot])));
        }
        for slot in 1..first.len() {
            first[slot] += first[slot - 1];
        }
        let all = first.last().map_or(0, |&end| end as usize);
        self.parents = vec![0; all];
        self.numbers = vec![0; all];
        let mut next = first.clone();
        for (parent, ends) in (0..).zip(self.first.windows(2)) {
            let targets = &self.targets[ends[0] as usize..ends[1] as usize];
            for (number, &code) in (0..).zip(targets) {
                if let Target::Slot(slot) = Target::from_code(code) {
                    let place = &mut next[slot as usize];
                    self.parents[*place as usize] = parent;
                    self.numbers[*place as usize] = number;
                    *place += 1;
                }
            }
        }
        self.first_back = first;
        Ok(())
    }

    pub(super) fn len(&self) -> u64 {
        self.states.len() as u64
    }

    pub(super) fn state(&self, slot: u64) -> Option<&S> {
        self.states.get_index(usize::try_from(slot).ok()?)
    }

    pub(super) fn slot(&self, canonical: &S) -> Option<u64> {
        self.states.get_index_of(canonical).map(|slot| slot as u64)
    }

    fn layer(&self, slot: u64) -> usize {
        self.layers.partition_point(|layer| layer.slots.end <= slot)
    }

    /// The slots that are solved together with this one.
    pub(super) fn group(&self, slot: u32) -> Range<u64> {
        self.layers[self.layer(slot.into())].slots.clone()
    }

    pub(super) fn wins(&self, slot: u32) -> bool {
        self.wins[slot as usize]
    }

    /// Where the moves of a position lead, in the game's order.
    pub(super) fn targets(&self, slot: u32) -> impl Iterator<Item = Target> {
        let ends = self.first[slot as usize] as usize..self.first[slot as usize + 1] as usize;
        self.targets[ends]
            .iter()
            .map(|&code| Target::from_code(code))
    }

    /// The positions with a move to one, in order, and the number of that move there.
    pub(super) fn parents(&self, slot: u32) -> impl Iterator<Item = (u32, u8)> {
        let slot = slot as usize;
        let ends = self.first_back[slot] as usize..self.first_back[slot + 1] as usize;
        let numbers = self.numbers[ends.clone()].iter().copied();
        self.parents[ends].iter().copied().zip(numbers)
    }
}

fn bytes<S>(positions: usize, moves: usize) -> u64 {
    // The state, its hash and its place in the set; a word for moves and one for un-moves.
    let state = size_of::<S>() + 8 + 9 + 9;
    positions as u64 * state as u64 + moves as u64 * 9
}

/// Lists the reachable positions up to symmetry, breadth first.
fn reached<G: FiniteGame>(
    game: &G,
    most: u32,
    progress: &dyn Progress,
) -> Result<Vec<G::State>, ListError> {
    let mut known = IndexSet::<_, foldhash::fast::FixedState>::default();
    known.insert(game.canonical(&game.initial()));
    progress.begin("listing positions", 0);
    let (mut done, mut moves) = (0, 0);
    while done < known.len() {
        let end = known.len().min(done + TOGETHER);
        let next: Vec<Vec<G::State>> = (done..end)
            .into_par_iter()
            .map(|place| {
                let state = &known[place];
                let moves = game.moves(state).into_iter();
                let next = moves.filter_map(|mv| match game.play(state, mv) {
                    Next::State(next) => Some(game.canonical(&next)),
                    Next::Over(_) => None,
                });
                next.collect()
            })
            .collect();
        for state in next.into_iter().flatten() {
            moves += 1;
            known.insert(state);
            if known.len() > most as usize {
                let moves = moves * known.len() / end.max(1);
                return Err(ListError::TooMany {
                    spec: game.spec(),
                    most,
                    bytes: bytes::<G::State>(known.len(), moves),
                });
            }
        }
        progress.advance((end - done) as u64);
        if progress.cancelled() {
            return Err(ListError::Cancelled);
        }
        done = end;
    }
    Ok(known.into_iter().collect())
}
