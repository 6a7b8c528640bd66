//! What is true of a state, from the slow solver and from playing.

use std::cell::OnceCell;

use tesuji::base::value::Outcome;
use tesuji::games::ostle::State;

use super::board;
use crate::common::truth::{Arising, Ply, Truth, best, preference};
use crate::common::{Tried, Worth};

/// A move.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub tried: Tried,
    /// The kinds that it is of.
    pub kinds: [bool; 6],
    /// What it would be worth if no reply were forbidden.
    pub free: Worth,
}

/// A state with all that columns are about.
pub struct Facts<'t> {
    pub truth: &'t Truth,
    pub state: State,
    pub worth: Worth,
    pub moves: Vec<Candidate>,
    /// The moves if none were forbidden.
    pub all_moves: Vec<Tried>,
    /// What the position is worth with nothing forbidden.
    pub free: Worth,
    /// The position with the other side to move.
    pub turned: State,
    /// What the state is worth if its side passes.
    pub passed: Worth,
    pub arising: &'t Arising,
    line: OnceCell<Vec<Ply>>,
}

/// What a state is worth to the side that moved into it.
fn through(worth: Worth) -> Worth {
    (worth.0.reversed(), worth.1.map(|plies| plies + 1))
}

impl<'t> Facts<'t> {
    pub fn new(truth: &'t Truth, state: &State) -> Self {
        use tesuji::game::{Moves, Next};
        let game = &truth.game;
        let candidate = |tried: Tried| Candidate {
            tried,
            kinds: board::kinds(game, state, tried.mv),
            free: match game.play(state, tried.mv) {
                Next::Over(_) => tried.worth,
                Next::State(next) => through(truth.worth(&next.unrestricted())),
            },
        };
        let turned = truth.passed(state);
        Self {
            truth,
            state: *state,
            worth: truth.worth(state),
            moves: truth.tried(state).into_iter().map(candidate).collect(),
            all_moves: truth.tried(&state.unrestricted()),
            free: truth.worth(&state.unrestricted()),
            turned,
            passed: through(truth.worth(&turned)),
            arising: truth.arising(state),
            line: OnceCell::new(),
        }
    }

    pub fn restricted(&self) -> bool {
        self.state.forbidden.is_some()
    }

    /// How many moves have this outcome.
    pub fn with(&self, outcome: Outcome) -> usize {
        let moves = self.moves.iter();
        moves.filter(|mv| mv.tried.worth.0 == outcome).count()
    }

    /// The moves that remove a piece of the other side, the tempting ones.
    pub fn captures(&self) -> Vec<Tried> {
        let moves = self.moves.iter().map(|mv| mv.tried);
        moves.filter(|tried| tried.capture).collect()
    }

    /// The only move with the best value, if it removes nothing, and what the others
    /// are worth at best.
    pub fn banned(&self) -> Option<Worth> {
        if self.restricted() {
            return None;
        }
        let best_moves = best(&self.all_moves);
        let only = best_moves[0];
        if best_moves.len() > 1 || only.capture || only.sacrifice {
            return None;
        }
        let others = self.all_moves.iter().filter(|tried| tried.mv != only.mv);
        let others: Vec<_> = others.copied().collect();
        Some(best(&others)[0].worth)
    }

    /// What the second-best move is worth.
    pub fn second(&self) -> Option<Worth> {
        let mut worths: Vec<_> = self.moves.iter().map(|mv| mv.tried.worth).collect();
        worths.sort_by_key(|&worth| std::cmp::Reverse(preference(worth)));
        worths.get(1).copied()
    }

    /// The main line.
    pub fn line(&self) -> &[Ply] {
        self.line.get_or_init(|| self.truth.line(&self.state))
    }

    /// The plies of the main line that the side to move makes.
    pub fn own_plies(&self) -> Vec<Ply> {
        self.line().iter().step_by(2).copied().collect()
    }
}
