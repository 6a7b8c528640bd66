//! A check of the lister of positions: it takes any moves that rules may give, from rows of arrays
//! for instance, or says what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::{Expanded, Expander, List, ListError, Next};

/// The most moves of a position, and to one.
const MOST_MOVES: usize = 254;
const MOST_UNMOVES: usize = 1 << 15;

/// Moves by the bytes of an input.
struct Rules {
    moves: BTreeMap<u64, Vec<Next<u64>>>,
    labelled: bool,
    staged: bool,
    /// Positions of which the input says nothing have no moves; otherwise they are lost.
    strict: bool,
    initial: Vec<u64>,
    /// Listing ends when there are more positions.
    most: u64,
    asked: BTreeSet<u64>,
    told: (u64, u64),
}

#[derive(Debug)]
enum Ended {
    List(ListError),
    TooMany,
}

impl From<ListError> for Ended {
    fn from(error: ListError) -> Self {
        Self::List(error)
    }
}

/// Positions far apart; the last byte is their number.
fn position(number: u8) -> u64 {
    u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c00) | u64::from(number)
}

impl Rules {
    /// Three bytes are a move: from, what happens and how often, to.
    fn new(flags: u8, most: u8, edges: &[u8]) -> Self {
        let mut moves: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for edge in edges.chunks_exact(3) {
            let next = match edge[1] % 8 {
                5 => Next::Over(Outcome::Win),
                6 => Next::Over(Outcome::Loss),
                7 => Next::Over(Outcome::Draw),
                _ => Next::State(position(edge[2])),
            };
            let times = 1 + usize::from(edge[1] / 8);
            let found = moves.entry(position(edge[0])).or_default();
            found.extend(vec![next; times]);
        }
        Self {
            moves,
            labelled: flags & 1 > 0,
            staged: flags & 2 > 0,
            strict: flags & 4 > 0,
            initial: (0..=flags >> 5).map(position).collect(),
            most: if flags & 8 > 0 { most.into() } else { 1 << 20 },
            asked: BTreeSet::new(),
            told: (0, 0),
        }
    }

    fn moves(&self, state: u64) -> Vec<Next<u64>> {
        match self.moves.get(&state) {
            Some(moves) => moves.clone(),
            None if self.strict => Vec::new(),
            None => vec![Next::Over(Outcome::Loss)],
        }
    }

    fn stage(&self, state: u64) -> u32 {
        let [number, ..] = state.to_le_bytes();
        u32::from(self.staged) * u32::from(number / 16)
    }

    fn label(state: u64, number: usize) -> u32 {
        let label = state.wrapping_add(number as u64);
        u32::try_from(label % 1_000_003).expect("it is small")
    }

    /// All positions, found one by one.
    fn reachable(&self) -> BTreeSet<u64> {
        let mut found: BTreeSet<u64> = self.initial.iter().copied().collect();
        let mut open: Vec<u64> = found.iter().copied().collect();
        while let Some(state) = open.pop() {
            for next in self.moves(state) {
                if let Next::State(next) = next
                    && found.insert(next)
                {
                    open.push(next);
                }
            }
        }
        found
    }
}

impl Expander for Rules {
    type State = u64;
    type Error = Ended;

    fn initial(&mut self) -> Result<Vec<u64>, Ended> {
        Ok(self.initial.clone())
    }

    fn expand(&mut self, blocks: &[&[u64]]) -> Result<Vec<Expanded<u64>>, Ended> {
        let mut all = Vec::new();
        for block in blocks {
            let mut found = Expanded::default();
            for &state in *block {
                assert!(self.asked.insert(state), "{state} is asked twice");
                for (number, next) in self.moves(state).into_iter().enumerate() {
                    assert_eq!(found.under_way().0.len(), number);
                    found.push(next);
                    if self.labelled {
                        found.label(Self::label(state, number));
                    }
                }
                found.end();
            }
            all.push(found);
        }
        Ok(all)
    }

    fn check(&mut self, positions: u64, moves: u64, expanded: u64) -> Result<(), Ended> {
        assert_eq!(expanded, self.asked.len() as u64);
        assert!(positions >= expanded.max(self.told.0) && moves >= self.told.1);
        self.told = (positions, moves);
        if positions > self.most {
            return Err(Ended::TooMany);
        }
        Ok(())
    }

    fn order(&mut self, states: &[u64]) -> Result<Vec<(u32, u32)>, Ended> {
        Ok(states.iter().map(|&state| (self.stage(state), 0)).collect())
    }

    fn stage_name(&self, stage: u32) -> String {
        stage.to_string()
    }

    fn show(&self, state: &u64) -> String {
        state.to_string()
    }

    fn show_move(&self, _state: &u64, number: usize, _label: Option<u32>) -> String {
        number.to_string()
    }
}

/// Moves of a game whose positions are listed. The first byte says whether moves have labels and
/// positions stages, the second how many positions are allowed.
pub fn lister(bytes: &[u8]) {
    let [flags, most, edges @ ..] = bytes else {
        return;
    };
    let mut rules = Rules::new(*flags, *most, edges);
    let all = rules.reachable();
    match List::new(&mut rules, &NoProgress) {
        Ok(list) => is_right(&list, &rules, &all),
        Err(Ended::TooMany) => assert!(all.len() as u64 > rules.most),
        Err(Ended::List(error)) => is_justified(&error, &rules, &all),
    }
}

fn is_right(list: &List<u64>, rules: &Rules, all: &BTreeSet<u64>) {
    let states = list.states();
    assert_eq!(states.iter().copied().collect::<BTreeSet<_>>(), *all);
    assert_eq!((list.len(), states.len()), (all.len() as u64, all.len()));
    let stages = states.windows(2);
    for pair in stages {
        let order = |at: usize| (u32::MAX - rules.stage(pair[at]), pair[at]);
        assert!(order(0) < order(1), "{pair:?}");
    }
    let mut parents = vec![Vec::new(); states.len()];
    for (slot, &state) in (0..).zip(states) {
        assert_eq!(list.slot(&state), Some(slot));
        let moves = rules.moves(state);
        assert!((1..=MOST_MOVES).contains(&moves.len()));
        let labels = (0..moves.len()).map(|number| Rules::label(state, number));
        let labels = labels.take(if rules.labelled { moves.len() } else { 0 });
        assert!(list.labels(slot).iter().copied().eq(labels), "{state}");
        let mut targets = Vec::new();
        for (number, next) in (0_u8..).zip(moves) {
            targets.push(next.map(|next| {
                assert!(rules.stage(next) >= rules.stage(state));
                let to = list.slot(&next).expect("it is reached");
                parents[to as usize].push((slot, number));
                to
            }));
        }
        assert!(list.targets(slot).eq(targets), "{state}");
    }
    for (slot, parents) in (0..).zip(parents) {
        assert!(parents.len() <= MOST_UNMOVES);
        assert!(list.parents(slot).eq(parents), "{slot}");
    }
}

fn is_justified(error: &ListError, rules: &Rules, all: &BTreeSet<u64>) {
    let known = |text: &String| {
        let state: u64 = text.parse().expect("a position");
        assert!(all.contains(&state), "{error}");
        state
    };
    match error {
        ListError::NoMoves(state) => assert!(rules.moves(known(state)).is_empty()),
        ListError::Moves { state, moves } => {
            assert_eq!(rules.moves(known(state)).len(), *moves);
            assert!(*moves > MOST_MOVES);
        }
        ListError::Unmoves(state) => {
            let state = known(state);
            let moves = all.iter().flat_map(|&from| rules.moves(from));
            let count = moves.filter(|next| *next == Next::State(state)).count();
            assert!(count > MOST_UNMOVES, "{count}");
        }
        ListError::Stage {
            state,
            mv,
            from,
            to,
        } => {
            let state = known(state);
            let number: usize = mv.parse().expect("a move");
            let Next::State(next) = rules.moves(state)[number] else {
                panic!("{error}");
            };
            assert_eq!((rules.stage(state), rules.stage(next)), (*from, *to));
            assert!(to < from);
        }
        other => panic!("{other}"),
    }
}
