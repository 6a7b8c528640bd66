//! Where men go and come from, by side, kind and square; and the symmetries of the board.

use super::rules::{Kind, KindNumber, MOST_KINDS, Rules, Squares, Step, Try};
use crate::base::subsets::bits;

pub(super) const SYMMETRIES: usize = 8;

/// In a table of steps: there is no way.
pub(super) const NO_WAY: u8 = u8::MAX;

/// The least steps of a man from a square to each other one, over a free board, by kind and side.
pub(super) type Steps = Vec<[Box<[[u8; 64]; 64]>; 2]>;

/// A way over free squares, to the first man that stands on it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of the notation"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ray {
    pub squares: Squares,
    /// The square before the way begins, for ways back: a man that must go as far as it can goes
    /// no further if it is taken. Empty at the edge.
    pub beyond: Squares,
    /// Whether it leads to greater numbers of squares.
    pub rises: bool,
    pub goes: bool,
    pub takes: bool,
    pub to_end: bool,
}

/// A step that squares in between can block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LameStep {
    pub way: Squares,
    pub to: Squares,
    pub goes: bool,
    pub takes: bool,
    /// Whether the man can be taken in passing afterwards.
    pub double: bool,
}

/// Where a man on a square goes, or comes from.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    /// Free squares it leaps to.
    pub goes: Squares,
    /// Squares on which it takes with a leap.
    pub takes: Squares,
    /// Squares to which it goes when it takes in passing.
    pub passes: Squares,
    pub rays: Box<[Ray]>,
    pub lame: Box<[LameStep]>,
    /// Squares that decide whether it takes on another: all on which it might take, and the ways
    /// there.
    pub around: Squares,
}

/// The moves of all kinds of men on the board, and the symmetries of the board.
#[derive(Debug)]
pub(super) struct Geometry {
    /// By side, kind and square.
    forward: Vec<Reach>,
    /// Squares from which a man comes, likewise.
    backward: Vec<Reach>,
    /// Images of squares under a symmetry, of the board as it is and as the other side sees it.
    pub turns: [[[u8; 64]; SYMMETRIES]; 2],
    pub symmetries: usize,
}

const fn at(side: usize, kind: KindNumber, square: usize) -> usize {
    (side * MOST_KINDS + kind) * 64 + square
}

#[derive(Default)]
struct Found {
    reach: Reach,
    rays: Vec<Ray>,
    lame: Vec<LameStep>,
}

impl Geometry {
    pub(super) fn new(rules: &Rules) -> Self {
        let board = rules.board;
        let symmetries = board.symmetries();
        let mut turns = [[[0; 64]; SYMMETRIES]; 2];
        for (seen, turns) in turns.iter_mut().enumerate() {
            for (symmetry, turn) in turns.iter_mut().enumerate().take(symmetries) {
                for (square, image) in (0..rules.squares()).zip(turn) {
                    let from = rules.seen_by(seen, square);
                    *image = board.image(from, symmetry);
                }
            }
        }
        let [forward, backward] = [false, true].map(|back| {
            let mut table = Vec::new();
            for side in 0..2 {
                for kind in 0..MOST_KINDS {
                    for square in 0..64 {
                        let known = rules.kinds.get(kind).filter(|_| square < rules.squares());
                        let found = known.map(|kind| reach(rules, kind, side, square, back));
                        table.push(found.unwrap_or_default());
                    }
                }
            }
            table
        });
        Self {
            forward,
            backward,
            turns,
            symmetries,
        }
    }

    #[inline(always)]
    pub(super) fn from(&self, side: usize, kind: KindNumber, square: usize) -> &Reach {
        &self.forward[at(side, kind, square)]
    }

    #[inline(always)]
    pub(super) fn to(&self, side: usize, kind: KindNumber, square: usize) -> &Reach {
        &self.backward[at(side, kind, square)]
    }

    pub(super) fn image(&self, symmetry: usize, set: Squares) -> Squares {
        map(&self.turns[0][symmetry], set)
    }

    /// The symmetries under which men of a kind move alike on either side, as a set.
    pub(super) fn symmetries_of(&self, rules: &Rules, number: KindNumber) -> u8 {
        let kind = &rules.kinds[number];
        let drops = rules.has_hands();
        let far = rules.far();
        let keeps = |symmetry: usize| {
            let image = |set| self.image(symmetry, set);
            let kept = |set: Squares| {
                let seen = rules.set_seen_by(1, set);
                image(set) == set && image(seen) == seen
            };
            let is_file = |set| rules.files_of(set) == set;
            let goals_far = kind.wins_on_far_rank || kind.royal && rules.try_rule != Try::Never;
            let zones = kept(kind.squares)
                && kept(kind.promotion_squares)
                && (!drops || kept(kind.drop_squares))
                && (!kind.one_per_file || is_file(image(rules.files_of(1))))
                && (!goals_far || kept(far))
                && kept(rules.not_first);
            zones
                && (0..2).all(|side| {
                    (0..usize::from(rules.squares())).all(|square| {
                        let image = usize::from(self.turns[0][symmetry][square]);
                        let [from, to] = [square, image].map(|at| self.from(side, number, at));
                        self.is_image(symmetry, from, to)
                    })
                })
                && (rules.goals.iter()).all(|&goal| rules.goals.contains(&image(goal)))
        };
        (0..self.symmetries)
            .filter(|&symmetry| keeps(symmetry))
            .fold(0, |set, symmetry| set | 1 << symmetry)
    }

    pub(super) fn least_steps(&self, rules: &Rules) -> Steps {
        let of = |side, kind| {
            let near = |square: u8| self.from(side, kind, square.into()).near();
            let mut steps = Box::new([[NO_WAY; 64]; 64]);
            for (from, steps) in (0..rules.squares()).zip(steps.iter_mut()) {
                let (mut reached, mut new, mut far) = (0, 1 << from, 0);
                while new != 0 {
                    for to in bits(new) {
                        steps[usize::from(to)] = far;
                    }
                    reached |= new;
                    new = bits(new).fold(0, |all, square| all | near(square)) & !reached;
                    far += 1;
                }
            }
            steps
        };
        let kinds = 0..rules.kinds.len();
        kinds
            .map(|kind| [0, 1].map(|side| of(side, kind)))
            .collect()
    }

    fn is_image(&self, symmetry: usize, from: &Reach, to: &Reach) -> bool {
        let image = |reach: &Reach, symmetry: usize| {
            let image = |set| self.image(symmetry, set);
            let rays = reach.rays.iter();
            let rays = rays.map(|ray| (image(ray.squares), ray.goes, ray.takes, ray.to_end));
            let lame = reach.lame.iter();
            let lame = lame.map(|step| (image(step.to), image(step.way), step.goes, step.takes));
            let (mut rays, mut lame): (Vec<_>, Vec<_>) = (rays.collect(), lame.collect());
            rays.sort_unstable();
            lame.sort_unstable();
            let leaps = [reach.goes, reach.takes, reach.passes].map(image);
            (leaps, rays, lame)
        };
        image(from, symmetry) == image(to, 0)
    }
}

/// Where a man goes from a square or, backwards, comes from.
fn reach(rules: &Rules, kind: &Kind, side: usize, square: u8, back: bool) -> Reach {
    let mut found = Found::default();
    let comes = rules.set_seen_by(side, rules.targets(kind));
    if back && comes >> square & 1 == 0 {
        return found.reach;
    }
    for step in &kind.steps {
        found.add(rules, kind, *step, side, square, back);
    }
    let Found { reach, rays, lame } = found;
    let taking_rays = rays.iter().filter(|ray| ray.takes).map(|ray| ray.squares);
    let taking_steps = lame.iter().filter(|step| step.takes);
    let around = taking_rays.chain(taking_steps.map(|step| step.way | step.to));
    Reach {
        around: around.fold(0, |all, squares| all | squares),
        rays: rays.into(),
        lame: lame.into(),
        ..reach
    }
}

impl Found {
    fn add(&mut self, rules: &Rules, kind: &Kind, step: Step, side: usize, square: u8, back: bool) {
        let (columns, rows) = rules.board.size();
        let [columns, rows] = [columns, rows].map(i16::from);
        let number = i16::from(square);
        let (column, row) = (number % columns, number / columns);
        // The board is numbered from the top, and the side to move plays up.
        let up = if side == 0 { -1 } else { 1 };
        let right = if side == 1 && rules.rotated { -1 } else { 1 };
        let (right, down) = (right * i16::from(step.right), up * i16::from(step.forward));
        let (right, down) = if back { (-right, -down) } else { (right, down) };
        let inside = |count: i16| {
            let (column, row) = (column + count * right, row + count * down);
            let is = (0..columns).contains(&column) && (0..rows).contains(&row);
            let square = is.then(|| row * columns + column);
            u8::try_from(square?).ok()
        };
        let bit = |count| inside(count).map_or(0, |square| 1 << square);
        let furthest = match step.range {
            0 => i16::from(u8::MAX),
            range => range.into(),
        };
        let way = |count: i16| {
            let squares = (1..=count).map_while(inside);
            squares.fold(0, |set: Squares, square| set | 1 << square)
        };
        let squares = way(furthest);
        // Conditions on the square on which a step begins, which for ways back is the other end.
        let is_initial =
            |from: u8| !step.initial || rules.rank_seen_by(side, from) == kind.initial_rank;
        // All squares of a diagonal have the same colour, so one speaks for all.
        let seen = i16::from(rules.seen_by(side, square));
        let is_even = (seen % columns + rows - seen / columns) % 2 == 1;
        let is_diagonal = step.right.unsigned_abs() == step.forward.unsigned_abs();
        if squares == 0 || rules.alquerque && is_diagonal && !is_even {
            return;
        }
        if back && step.range != 1 && (step.initial || step.to_end && step.range > 0) {
            // A way back on which each square has a condition of its own is split into single steps:
            // those from the initial rank, or the one of the full range. Shorter ones stay a ray.
            let counts = (1..=furthest).take_while(|&count| inside(count).is_some());
            let counts = counts.filter(|&count| {
                let is_last = step.initial || count == furthest;
                is_last && inside(count).is_some_and(is_initial)
            });
            self.lame.extend(counts.map(|count| LameStep {
                way: way(count - 1),
                to: bit(count),
                goes: step.goes,
                takes: step.takes,
                double: false,
            }));
            if step.initial {
                return;
            }
        } else if !(if back { inside(1) } else { Some(square) }).is_some_and(is_initial) {
            return;
        }
        if step.lame {
            // It leads straight or diagonally.
            let apart = right.abs().max(down.abs());
            let between = (1..apart).map(|count| {
                let (right, down) = (right / apart * count, down / apart * count);
                (row + down) * columns + column + right
            });
            self.lame.push(LameStep {
                way: between.fold(0, |set, square| set | 1 << square),
                to: squares,
                goes: step.goes,
                takes: step.takes,
                double: step.initial && kind.steps.iter().any(|step| step.takes_in_passing),
            });
        } else if step.range == 1 {
            let add = |set: &mut Squares, does: bool| *set |= if does { squares } else { 0 };
            add(&mut self.reach.goes, step.goes);
            add(&mut self.reach.takes, step.takes);
            add(&mut self.reach.passes, step.takes_in_passing);
        } else {
            let stopped = back && step.to_end && step.range > 0;
            self.rays.push(Ray {
                squares: if stopped { way(furthest - 1) } else { squares },
                beyond: bit(-1),
                rises: down > 0 || down == 0 && right > 0,
                goes: step.goes,
                takes: step.takes,
                to_end: step.to_end,
            });
        }
    }
}

/// The image of a set, by the images of squares.
#[inline(always)]
pub(super) fn map(turn: &[u8; 64], set: Squares) -> Squares {
    let (mut image, mut left) = (0, set);
    while left != 0 {
        image |= 1 << turn[(left.trailing_zeros() & 63) as usize];
        left &= left - 1;
    }
    image
}

impl Ray {
    /// The free squares of the way, and the first man on it.
    #[inline(always)]
    pub(super) const fn slide(&self, taken: Squares) -> (Squares, Squares) {
        let met = self.squares & taken;
        if met == 0 {
            return (self.squares, 0);
        }
        if self.rises {
            let first = met & met.wrapping_neg();
            (self.squares & (first - 1), first)
        } else {
            let first = 1 << (met.ilog2());
            (self.squares & !(first | (first - 1)), first)
        }
    }

    /// The furthest of some squares of the way.
    #[inline(always)]
    const fn last(&self, squares: Squares) -> Squares {
        if squares == 0 {
            0
        } else if self.rises {
            1 << (squares.ilog2())
        } else {
            squares & squares.wrapping_neg()
        }
    }
}

impl Reach {
    /// The free squares to which a man goes, and the squares on which it takes one of `others`.
    #[inline(always)]
    pub(super) fn targets(&self, taken: Squares, others: Squares) -> (Squares, Squares) {
        let (mut goes, mut takes) = (self.goes & !taken, self.takes & others);
        for ray in &self.rays {
            let (free, first) = ray.slide(taken);
            if ray.goes {
                goes |= if ray.to_end { ray.last(free) } else { free };
            }
            if ray.takes {
                takes |= first & others;
            }
        }
        for step in &self.lame {
            if step.way & taken == 0 {
                if step.goes {
                    goes |= step.to & !taken;
                }
                if step.takes {
                    takes |= step.to & others;
                }
            }
        }
        (goes, takes)
    }

    /// All squares to which it may lead, whatever stands on the board.
    pub(super) fn all(&self) -> Squares {
        let rays = self.rays.iter().map(|ray| ray.squares);
        let lame = self.lame.iter().map(|step| step.to);
        let leaps = self.goes | self.takes | self.passes;
        rays.chain(lame).fold(leaps, |all, squares| all | squares)
    }

    /// The squares that one step leads to over a free board.
    pub(super) fn near(&self) -> Squares {
        let rays = self.rays.iter().map(|ray| ray.slide(ray.squares).1);
        let lame = self.lame.iter().map(|step| step.to);
        rays.chain(lame)
            .fold(self.goes | self.takes, |all, squares| all | squares)
    }

    /// Of a table of squares from which men come: those of `men` that can take on its square.
    #[inline(always)]
    pub(super) fn takers(&self, men: Squares, taken: Squares) -> Squares {
        let mut takers = self.takes & men;
        if self.around & men == 0 {
            return takers;
        }
        for ray in &self.rays {
            if ray.takes && ray.squares & men != 0 {
                takers |= ray.slide(taken).1 & men;
            }
        }
        for step in &self.lame {
            if step.takes && step.to & men != 0 && step.way & taken == 0 {
                takers |= step.to & men;
            }
        }
        takers
    }

    /// Likewise: the free squares from which a man can have come without taking, and with.
    #[inline(always)]
    pub(super) fn origins(&self, taken: Squares) -> (Squares, Squares) {
        let (mut goes, mut takes) = (self.goes, self.takes);
        for ray in &self.rays {
            let (free, _) = ray.slide(taken);
            // A man that must go as far as it can was stopped.
            if ray.goes && (!ray.to_end || ray.beyond == 0 || ray.beyond & taken != 0) {
                goes |= free;
            }
            if ray.takes {
                takes |= free;
            }
        }
        for step in &self.lame {
            if step.way & taken == 0 {
                if step.goes && !step.double {
                    goes |= step.to;
                }
                if step.takes {
                    takes |= step.to;
                }
            }
        }
        (goes & !taken, takes & !taken)
    }

    /// The step after which a man can be taken in passing.
    #[inline(always)]
    pub(super) fn double(&self) -> Option<&LameStep> {
        self.lame.iter().find(|step| step.double)
    }
}
