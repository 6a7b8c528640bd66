//! Small games with every value from the slow solver and every state that can
//! arise from playing all moves: what tests of mining expect comes from here.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::naive::{self, NaiveSolution};
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, Ranked, Repetition, Symmetric};
use tesuji::games::ostle::{Move, Ostle, State};
use tesuji::table::Table;

use super::{Tried, Worth};

/// What makes two states the same: the position up to symmetry, and either the
/// forbidden move (in the first field) or, where a position may not come back in any
/// orientation, the class of positions that may not (in the second).
pub type Identity = (State, Option<State>);

/// How a position can arise.
#[derive(Debug, Default)]
pub struct Arising {
    /// With nothing forbidden.
    pub free: bool,
    /// With a forbidden move, one state of each identity, as some move led to it.
    pub bans: HashMap<Identity, State>,
}

/// A ply of the main line.
#[derive(Debug, Clone, Copy)]
pub struct Ply {
    pub state: State,
    pub mv: Move,
    /// No other move has the best value.
    pub alone: bool,
}

/// A game, its table (which is on trial) and the truth about it.
pub struct Truth {
    pub game: Ostle,
    pub table: Table,
    /// Every slot that holds a position, with its unrestricted state.
    pub positions: Vec<(u64, State)>,
    /// The same board under the exact reading.
    plain: Ostle,
    naive: NaiveSolution<State>,
    arising: HashMap<State, Arising>,
}

impl std::fmt::Debug for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.game.spec())
    }
}

/// Three boards, each with both readings of rule 8.
static TRUTHS: [LazyLock<Truth>; 6] = [
    LazyLock::new(|| Truth::new("ostle:3x3,pieces=2,losses=2,repetition=exact")),
    LazyLock::new(|| Truth::new("ostle:3x3,pieces=2,losses=2,repetition=up-to-symmetry")),
    LazyLock::new(|| Truth::new("ostle:rows=4,columns=3,pieces=3,losses=2,repetition=exact")),
    LazyLock::new(|| {
        Truth::new("ostle:rows=4,columns=3,pieces=3,losses=2,repetition=up-to-symmetry")
    }),
    LazyLock::new(|| Truth::new("ostle:4x4,pieces=2,losses=2,repetition=exact")),
    LazyLock::new(|| Truth::new("ostle:4x4,pieces=2,losses=2,repetition=up-to-symmetry")),
];

/// The same board under both readings of rule 8.
pub fn on_3x3() -> [&'static Truth; 2] {
    [&TRUTHS[0], &TRUTHS[1]]
}

/// As above.
pub fn on_3x4() -> [&'static Truth; 2] {
    [&TRUTHS[2], &TRUTHS[3]]
}

/// As above.
pub fn on_4x4() -> [&'static Truth; 2] {
    [&TRUTHS[4], &TRUTHS[5]]
}

/// Greater for what the mover likes better: quick wins, then slow ones, draws, slow
/// losses, quick losses.
pub fn preference((outcome, plies): Worth) -> i32 {
    let plies = i32::from(plies.unwrap_or(0));
    match outcome {
        Outcome::Win => 100_000 - plies,
        Outcome::Draw => 0,
        Outcome::Loss => plies - 100_000,
    }
}

/// The moves with the best value, in order.
pub fn best(tried: &[Tried]) -> Vec<Tried> {
    let most = tried.iter().map(|tried| preference(tried.worth)).max();
    let tried = tried.iter().copied();
    tried
        .filter(|tried| Some(preference(tried.worth)) == most)
        .collect()
}

/// The class of the position to which a move leads that removes nothing. `plain` is
/// the game under the exact reading, which plays such a move quicker.
fn class_after(plain: &Ostle, state: &State, mv: Move) -> Option<State> {
    match plain.play(state, mv) {
        Next::State(next) => Some(plain.canonical(&next.unrestricted())),
        Next::Over(_) => None,
    }
}

fn identity(game: &Ostle, plain: &Ostle, state: &State) -> Identity {
    match (game.repetition(), state.forbidden) {
        (Repetition::UpToSymmetry | Repetition::AllImages, Some(forbidden)) => {
            let class = game.canonical(&state.unrestricted());
            let back = class_after(plain, &state.unrestricted(), forbidden);
            assert!(back.is_some(), "a move that ends the game is forbidden");
            (class, back)
        }
        _ => (game.canonical(state), None),
    }
}

/// One state for all of an identity. Where several moves lead back to a class of
/// positions that may not come back, rules forbid the first of them, and which one that
/// is depends on how the board is turned. Here it is the first on the least board.
fn representative(game: &Ostle, plain: &Ostle, state: &State) -> State {
    let (class, Some(back)) = identity(game, plain, state) else {
        return game.canonical(state);
    };
    let mut moves = game.moves(&class).into_iter();
    let leads_back = |&mv: &Move| class_after(plain, &class, mv).as_ref() == Some(&back);
    let first = moves.find(leads_back).unwrap();
    game.forbid(&class, first.number()).unwrap()
}

impl Truth {
    fn new(spec: &str) -> Self {
        let game = super::game(spec);
        let slots = 0..game.slots();
        let positions: Vec<_> = slots
            .filter_map(|slot| Some((slot, game.unrank(slot)?)))
            .collect();
        let (width, height) = (game.grid.width, game.grid.height);
        let (pieces, losses) = (game.pieces, game.losses);
        let plain = Ostle::new(width, height, pieces, losses, Repetition::Exact).unwrap();
        let roots = positions.iter().map(|&(_, state)| state);
        let naive = naive::solve(&game, roots, |state| representative(&game, &plain, state));
        let mut truth = Self {
            table: super::table(&game),
            arising: HashMap::new(),
            positions,
            plain,
            naive,
            game,
        };
        let mut arising: HashMap<State, Arising> = HashMap::new();
        for (_, position) in &truth.positions {
            for mv in truth.game.moves(position) {
                let Next::State(state) = truth.game.play(position, mv) else {
                    continue;
                };
                let class = truth.game.canonical(&state.unrestricted());
                let entry = arising.entry(class).or_default();
                if state.forbidden.is_some() {
                    let identity = truth.identity(&state);
                    entry.bans.entry(identity).or_insert(state);
                } else {
                    entry.free = true;
                }
            }
        }
        truth.arising = arising;
        truth
    }

    /// What tells a state from others.
    pub fn identity(&self, state: &State) -> Identity {
        identity(&self.game, &self.plain, state)
    }

    /// How the position of a state can arise.
    pub fn arising(&self, state: &State) -> &Arising {
        static NEVER: LazyLock<Arising> = LazyLock::new(Arising::default);
        let class = self.game.canonical(&state.unrestricted());
        self.arising.get(&class).unwrap_or(&NEVER)
    }

    /// Every unrestricted state, and every restricted one that can arise, by rising
    /// slot of the position, each as some move led to it.
    pub fn states(&self) -> Vec<State> {
        let mut states = Vec::new();
        for (_, position) in &self.positions {
            states.push(*position);
            let mut bans: Vec<_> = self.arising(position).bans.values().copied().collect();
            bans.sort_by_key(|state| self.game.format_state(state));
            states.extend(bans);
        }
        states
    }

    /// What a state is worth to its side to move.
    pub fn worth(&self, state: &State) -> Worth {
        let representative = representative(&self.game, &self.plain, state);
        let value = self.naive.value(&representative).unwrap();
        (value.outcome(), value.plies())
    }

    /// All moves of a state with their worth.
    pub fn tried(&self, state: &State) -> Vec<Tried> {
        super::tried_with(&self.game, state, |next| self.worth(next))
    }

    /// The same position with the other side to move and nothing forbidden.
    pub fn passed(&self, state: &State) -> State {
        let text = self.game.format_state(state);
        let fields: Vec<&str> = text.split(' ').collect();
        let side = if fields[1] == "b" { "w" } else { "b" };
        let text = format!("{} {side} -", fields[0]);
        self.game.parse_state(&text).unwrap()
    }

    /// The state in a mirror: files from the other end.
    pub fn mirrored(&self, state: &State) -> State {
        let text = self.game.format_state(state);
        let fields: Vec<&str> = text.split(' ').collect();
        let reversed = |rank: &str| rank.chars().rev().collect::<String>();
        let ranks: Vec<_> = fields[0].split('/').map(reversed).collect();
        let last = b'a' + self.game.grid.width - 1;
        let mut forbidden = fields[2].to_owned();
        if let [file, rank, direction] = *fields[2].as_bytes() {
            let direction = match direction {
                b'L' => b'R',
                b'R' => b'L',
                other => other,
            };
            let mv = vec![b'a' + (last - file), rank, direction];
            forbidden = String::from_utf8(mv).unwrap();
        }
        let text = format!("{} {} {forbidden}", ranks.join("/"), fields[1]);
        self.game.parse_state(&text).unwrap()
    }

    /// The main line: the first of the best moves, to the end of the game; of a draw
    /// one move.
    pub fn line(&self, state: &State) -> Vec<Ply> {
        let (mut line, mut at) = (Vec::new(), *state);
        loop {
            let best = best(&self.tried(&at));
            let mv = best[0].mv;
            line.push(Ply {
                state: at,
                mv,
                alone: best.len() == 1,
            });
            match self.game.play(&at, mv) {
                Next::State(next) if best[0].worth.0 != Outcome::Draw => at = next,
                _ => return line,
            }
        }
    }
}
