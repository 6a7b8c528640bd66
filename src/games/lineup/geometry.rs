//! Squares, directions, goals and symmetries of a line-up game, in tables.

use std::collections::HashSet;

use super::rules::{Adjacency, Movement, Rules, Start, beside};
use crate::base::subsets::bits;
use crate::game::{AROUND, Board};

/// No square, or no direction.
const NONE: u8 = u8::MAX;

/// The tables of a game. Squares are numbered row by row from the upper left, as on any
/// [`Board`].
#[derive(Debug)]
pub(super) struct Geometry {
    pub board: Board,
    pub movement: Movement,
    /// All squares.
    pub all: u64,
    /// The neighbour of each square in each direction that men may take.
    ahead: Vec<[u8; 8]>,
    /// The neighbours of each square.
    near: Vec<u64>,
    /// For each square, the direction to every other on a line with it.
    toward: Vec<u8>,
    /// The sets that win.
    pub goals: Vec<u64>,
    /// Of these, those with each square.
    through: Vec<Vec<u64>>,
    /// The symmetries of the rules, the identity first: the image of each square.
    pub turns: Vec<Vec<u8>>,
    /// The number of the symmetry that takes each back.
    pub inverse: Vec<u8>,
    /// For each square, the least steps along neighbours to each other; [`NONE`] if there
    /// is no way.
    steps: Vec<u8>,
    /// How many numbers the moves of one man take.
    pub codes: u8,
}

impl Geometry {
    pub(super) fn new(rules: &Rules) -> Self {
        let board = Board::new(rules.columns, rules.rows);
        let squares = usize::from(board.squares());
        let ahead: Vec<[u8; 8]> = (0..board.squares())
            .map(|square| {
                AROUND.map(|direction| neighbour(rules, square, direction).unwrap_or(NONE))
            })
            .collect();
        let near = ahead.iter().map(|ahead| {
            let next = ahead.iter().filter(|&&next| next != NONE);
            next.fold(0, |set, &next| set | 1 << next)
        });
        let mut goals: Vec<u64> = rules
            .goals
            .iter()
            .flat_map(|goal| rules.sets(*goal))
            .collect();
        goals.sort_unstable();
        goals.dedup();
        let through = (0..board.squares()).map(|square| {
            goals
                .iter()
                .copied()
                .filter(|goal| goal >> square & 1 == 1)
                .collect()
        });
        let codes = u8::try_from(rules.codes()).unwrap_or(u8::MAX);
        let mut geometry = Self {
            board,
            movement: rules.movement,
            all: u64::MAX >> (64 - squares),
            near: near.collect(),
            ahead,
            toward: toward(board),
            through: through.collect(),
            goals,
            turns: Vec::new(),
            inverse: Vec::new(),
            steps: Vec::new(),
            codes,
        };
        geometry.steps = geometry.least_steps();
        geometry.find_turns(rules);
        geometry
    }

    /// Finds the symmetries of the board under which the rules stay the same.
    fn find_turns(&mut self, rules: &Rules) {
        let goals: HashSet<u64> = self.goals.iter().copied().collect();
        let not_first = match rules.start {
            Start::Drop { not_first } => not_first,
            Start::Placed { .. } => 0,
        };
        let squares = 0..self.board.squares();
        let all = (0..self.board.symmetries()).map(|turn| {
            let image = |square| self.board.image(square, turn);
            squares.clone().map(image).collect::<Vec<u8>>()
        });
        let keeps = |turn: &Vec<u8>| {
            let image = |set| image_by(turn, set);
            goals.iter().all(|&goal| goals.contains(&image(goal)))
                && image(not_first) == not_first
                && squares.clone().all(|square| {
                    let from = usize::from(square);
                    image(self.near[from]) == self.near[usize::from(turn[from])]
                })
        };
        let mut turns: Vec<Vec<u8>> = all.filter(keeps).collect();
        // On a board of one column or row, some do the same.
        let mut seen = HashSet::new();
        turns.retain(|turn| seen.insert(turn.clone()));
        let inverse = turns.iter().map(|turn| {
            let undoes = |other: &Vec<u8>| {
                let both = turn.iter().map(|&square| other[usize::from(square)]);
                both.eq(squares.clone())
            };
            let place = turns.iter().position(undoes).unwrap_or(0);
            u8::try_from(place).unwrap_or(0)
        });
        self.inverse = inverse.collect();
        self.turns = turns;
    }

    /// The image of a set under the symmetry with a number.
    #[inline]
    pub(super) fn image(&self, turn: u8, set: u64) -> u64 {
        if turn == 0 {
            set
        } else {
            image_by(&self.turns[usize::from(turn)], set)
        }
    }

    /// The image of a square.
    #[inline]
    pub(super) fn square(&self, turn: u8, square: u8) -> u8 {
        self.turns[usize::from(turn)][usize::from(square)]
    }

    /// The numbers of the symmetries.
    pub(super) fn symmetries(&self) -> std::ops::Range<u8> {
        0..u8::try_from(self.turns.len()).unwrap_or(1)
    }

    /// Whether a set of men contains a goal.
    pub(super) fn wins(&self, men: u64) -> bool {
        self.goals.iter().any(|goal| men & goal == *goal)
    }

    /// Whether a set of men contains a goal with this square.
    #[inline]
    pub(crate) fn wins_at(&self, men: u64, square: u8) -> bool {
        let mut goals = self.through[usize::from(square)].iter();
        goals.any(|goal| men & goal == *goal)
    }

    /// Where a man can move to, if these squares are taken.
    #[inline]
    pub(super) fn targets(&self, from: u8, taken: u64) -> u64 {
        match self.movement {
            Movement::Step => self.near[usize::from(from)] & !taken,
            Movement::Slide => self.slides(from, taken),
            Movement::Fly => self.all & !taken,
        }
    }

    fn slides(&self, from: u8, taken: u64) -> u64 {
        (0..8).fold(0, |set, direction| {
            let mut at = from;
            while let Some(next) = self.next(at, direction, taken) {
                at = next;
            }
            if at == from { set } else { set | 1 << at }
        })
    }

    /// The next square in a direction, if it is free.
    #[inline]
    fn next(&self, at: u8, direction: usize, taken: u64) -> Option<u8> {
        let next = self.ahead[usize::from(at)][direction];
        (next != NONE && taken >> next & 1 == 0).then_some(next)
    }

    /// Where a man on a square may have come from in one move, if these squares were taken
    /// before and after it. The square itself was free.
    #[inline]
    pub(crate) fn origins(&self, to: u8, taken: u64) -> u64 {
        match self.movement {
            Movement::Step => self.near[usize::from(to)] & !taken,
            Movement::Slide => self.slid_from(to, taken),
            Movement::Fly => self.all & !taken & !(1 << to),
        }
    }

    fn slid_from(&self, to: u8, taken: u64) -> u64 {
        (0..8).fold(0, |mut set, direction| {
            // It came the other way and was stopped there.
            if self.next(to, 7 - direction, taken).is_some() {
                return set;
            }
            let mut at = to;
            while let Some(next) = self.next(at, direction, taken) {
                set |= 1 << next;
                at = next;
            }
            set
        })
    }

    /// All neighbours of a set's squares.
    #[inline]
    fn around(&self, men: u64) -> u64 {
        bits(men).fold(0, |set, man| set | self.near[usize::from(man)])
    }

    /// Whether no man of a set can move, if these squares are taken.
    #[inline]
    pub(crate) fn is_stuck(&self, men: u64, taken: u64) -> bool {
        match self.movement {
            Movement::Step | Movement::Slide => self.around(men) & !taken == 0,
            Movement::Fly => self.all & !taken == 0,
        }
    }

    /// Whether a side can leave the men of the other side without a move.
    #[inline]
    pub(super) fn sticks(&self, men: u64, other: u64) -> bool {
        let taken = men | other;
        let ways_out = self.around(other) & !taken;
        // One move closes one of them at most.
        if ways_out.count_ones() > 1 || self.movement == Movement::Fly {
            return false;
        }
        bits(men).any(|from| {
            let rest = taken & !(1 << from);
            let mut targets = bits(self.targets(from, taken));
            targets.any(|to| self.is_stuck(other, rest | 1 << to))
        })
    }

    /// The goals that a side lacks one man of, on a square where the other side is not,
    /// with that square.
    #[inline]
    pub(super) fn nearly(&self, men: u64, other: u64) -> impl Iterator<Item = (u64, u8)> + '_ {
        self.goals.iter().filter_map(move |&goal| {
            let missing = goal & !men;
            #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
            let square = missing.trailing_zeros() as u8;
            (missing.is_power_of_two() && missing & other == 0).then_some((goal, square))
        })
    }

    /// The men that can complete a goal that lacks this square by a move there.
    #[inline]
    pub(crate) fn finishers(&self, (goal, square): (u64, u8), men: u64, taken: u64) -> u64 {
        if taken >> square & 1 == 1 {
            return 0;
        }
        let able = bits(men & !goal).filter(|&from| self.targets(from, taken) >> square & 1 == 1);
        able.fold(0, |set, from| set | 1 << from)
    }

    /// The number of a move of a side's men.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a side has few men")]
    pub(super) fn number(&self, men: u64, from: u8, to: u8) -> u8 {
        let place = (men & ((1 << from) - 1)).count_ones() as u8;
        let code = match self.movement {
            Movement::Step | Movement::Slide => {
                self.toward[usize::from(from) * self.near.len() + usize::from(to)]
            }
            Movement::Fly => to,
        };
        place * self.codes + code
    }

    /// The least steps from one square to another; `None` if there is no way.
    pub(super) fn steps(&self, from: u8, to: u8) -> Option<u8> {
        let steps = self.steps[usize::from(from) * self.near.len() + usize::from(to)];
        (steps != NONE).then_some(steps)
    }

    fn least_steps(&self) -> Vec<u8> {
        let squares = self.near.len();
        let mut steps = vec![NONE; squares * squares];
        for from in 0..squares {
            let (mut reached, mut far) = (1_u64 << from, 0);
            let mut new = reached;
            while new != 0 {
                for to in bits(new) {
                    steps[from * squares + usize::from(to)] = far;
                }
                let next = match self.movement {
                    Movement::Fly => self.all,
                    Movement::Step | Movement::Slide => self.around(reached),
                };
                (new, far) = (next & !reached, far + 1);
                reached |= new;
            }
        }
        steps
    }
}

fn neighbour(rules: &Rules, square: u8, by: (i8, i8)) -> Option<u8> {
    let board = Board::new(rules.columns, rules.rows);
    let diagonal = by.0 != 0 && by.1 != 0;
    let even = (square % rules.columns + square / rules.columns).is_multiple_of(2);
    let joined = match rules.adjacency {
        Adjacency::Orthogonal => !diagonal,
        Adjacency::Diagonal => diagonal,
        Adjacency::Both => true,
        Adjacency::Alquerque => !diagonal || even,
    };
    joined.then(|| beside(board, square, by))?
}

/// For each pair of squares on a row, column or diagonal, the direction from the first to
/// the second; otherwise 0.
fn toward(board: Board) -> Vec<u8> {
    let squares = usize::from(board.squares());
    let mut toward = vec![0; squares * squares];
    for from in 0..board.squares() {
        for (number, direction) in (0..).zip(AROUND) {
            let mut at = from;
            while let Some(next) = beside(board, at, direction) {
                toward[usize::from(from) * squares + usize::from(next)] = number;
                at = next;
            }
        }
    }
    toward
}

fn image_by(turn: &[u8], set: u64) -> u64 {
    bits(set).fold(0, |image, square| image | 1 << turn[usize::from(square)])
}
