//! The columns of a line-up game, and the kinds of moves.

use super::{LineUp, Move, State};
use crate::base::subsets::bits;
use crate::game::{Feature, FeatureValue, Features, MoveKind, Symmetric, kinds_in};

impl LineUp {
    /// Moves of a side, if it were to move.
    fn mobility(&self, own: u64, other: u64) -> FeatureValue {
        let taken = own | other;
        FeatureValue::count(if self.is_dropping(own) {
            (self.geometry.all & !taken).count_ones() as usize
        } else {
            let targets = bits(own).map(|from| self.geometry.targets(from, taken));
            targets.map(|targets| targets.count_ones() as usize).sum()
        })
    }

    /// The goals that a side can still reach, as no man of the other side stands in them, and
    /// of which it lacks so many men.
    fn open(&self, own: u64, other: u64, lacking: u32) -> FeatureValue {
        let goals = self.geometry.goals.iter();
        let open =
            goals.filter(|&&goal| goal & other == 0 && (goal & !own).count_ones() == lacking);
        FeatureValue::count(open.count())
    }

    /// The least steps, over an otherwise free board, and drops by which the men of a side
    /// come to a goal in which the other side does not stand.
    fn distance(&self, own: u64, other: u64) -> FeatureValue {
        let free = self
            .geometry
            .goals
            .iter()
            .filter(|&&goal| goal & other == 0);
        let steps = free.filter_map(|&goal| self.steps_to(goal, own));
        FeatureValue::known(steps.min())
    }

    /// The least steps that fill a goal: squares are filled one by one, and `least` has the
    /// fewest steps for each set of the men used so far.
    fn steps_to(&self, goal: u64, own: u64) -> Option<u16> {
        let men: Vec<u8> = bits(own).collect();
        let in_hand = self.men() - own.count_ones();
        let mut least: Vec<Option<u16>> = vec![None; 1 << men.len()];
        least[0] = Some(0);
        for (filled, square) in (0..).zip(bits(goal)) {
            let mut next = vec![None; least.len()];
            let mut offer = |used: usize, steps: u16| {
                let known: &mut Option<u16> = &mut next[used];
                *known = Some(known.map_or(steps, |known| known.min(steps)));
            };
            for (used, steps) in least.iter().enumerate() {
                let Some(steps) = steps else { continue };
                for (place, &man) in men.iter().enumerate() {
                    let way = self.geometry.steps(man, square);
                    if let Some(way) = way.filter(|_| used >> place & 1 == 0) {
                        offer(used | 1 << place, steps + u16::from(way));
                    }
                }
                let dropped = filled - used.count_ones();
                if dropped < in_hand {
                    offer(used, steps + 1);
                }
            }
            least = next;
        }
        least.into_iter().flatten().min()
    }

    /// The men of a side on the rim of the board.
    fn on_rim(&self, men: u64) -> FeatureValue {
        let (columns, rows) = self.board().size();
        let inner = |at: u8, side: u8| at > 0 && at + 1 < side;
        let on_rim = bits(men)
            .filter(|square| !(inner(square % columns, columns) && inner(square / columns, rows)));
        FeatureValue::count(on_rim.count())
    }
}

impl Features for LineUp {
    #[rustfmt::skip]
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::flag("dropping", "the side to move puts a man on the board"),
            Feature::number("own_men", "men of the side to move on the board"),
            Feature::number("opp_men", "men of the other side on the board"),
            Feature::number("own_mobility", "moves of the side to move"),
            Feature::number("opp_mobility", "moves that the other side would have if it were to move"),
            Feature::number("own_threats", "moves of the side to move that complete a goal"),
            Feature::number("opp_threats", "moves that would complete a goal of the other side if it were to move"),
            Feature::number("own_open_1", "goals that the side to move lacks one man of, with no man of the other side in them"),
            Feature::number("opp_open_1", "the same for the other side"),
            Feature::number("own_open_2", "goals that the side to move lacks two men of, with no man of the other side in them"),
            Feature::number("opp_open_2", "the same for the other side"),
            Feature::number("own_distance", "least drops, and steps over an otherwise free board, by which the side to move comes to a goal in which the other side does not stand; NULL if there is none"),
            Feature::number("opp_distance", "the same for the other side"),
            Feature::number("own_on_rim", "men of the side to move on the rim of the board"),
            Feature::number("opp_on_rim", "men of the other side on the rim of the board"),
            Feature::number("symmetries", "symmetries of the rules that keep the position, 1 (none but the identity) to 8"),
        ]
    }

    fn measure(&self, state: &State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let (own, other) = (state.own, state.other);
        let count = |men: u64| FeatureValue::count(men.count_ones() as usize);
        for place in wanted {
            values.push(match place {
                0 => FeatureValue::flag(self.is_dropping(own)),
                1 => count(own),
                2 => count(other),
                3 => self.mobility(own, other),
                4 => self.mobility(other, own),
                5 => FeatureValue::count(self.threats(own, other).0),
                6 => FeatureValue::count(self.threats(other, own).0),
                7 => self.open(own, other, 1),
                8 => self.open(other, own, 1),
                9 => self.open(own, other, 2),
                10 => self.open(other, own, 2),
                11 => self.distance(own, other),
                12 => self.distance(other, own),
                13 => self.on_rim(own),
                14 => self.on_rim(other),
                15 => FeatureValue::count(self.symmetries_kept(state) as usize),
                _ => FeatureValue::NONE,
            });
        }
    }
}

/// Kinds of move, a bit each.
#[rustfmt::skip]
pub(super) const KINDS: [MoveKind; 4] = [
    MoveKind::new("block", true, "leaves the other side fewer moves that complete a goal than it had before"),
    MoveKind::new("threat", true, "makes more moves that complete a goal next"),
    MoveKind::new("fork", false, "makes a threat, and no one free square stops all: goals can be completed on two squares or more"),
    MoveKind::new("quiet", false, "completes nothing, makes no threat and blocks none"),
];

impl LineUp {
    /// The moves of a side that complete a goal if it were to move: their number, and the
    /// squares to which they lead.
    pub(super) fn threats(&self, own: u64, other: u64) -> (usize, u64) {
        let near = self.geometry.nearly(own, other);
        let near = near.fold(0u64, |squares, (_, square)| squares | 1 << square);
        if self.is_dropping(own) {
            return (near.count_ones() as usize, near);
        }
        let ways = bits(near).map(|to| {
            let completes = |&from: &u8| {
                self.geometry.targets(from, own | other) >> to & 1 == 1
                    && self.geometry.wins_at(Move { from, to }.play(own), to)
            };
            (bits(own).filter(completes).count(), to)
        });
        ways.filter(|&(count, _)| count > 0)
            .fold((0, 0), |(all, squares), (count, to)| {
                (all + count, squares | 1 << to)
            })
    }

    /// How many moves of each side complete a goal, the side to move first. The kinds of all moves
    /// depend on them.
    pub(super) fn both_threats(&self, own: u64, other: u64) -> [usize; 2] {
        [self.threats(own, other).0, self.threats(other, own).0]
    }

    /// The kinds of a move, a bit set over [`KINDS`], of a position with these
    /// [threats](Self::both_threats).
    pub(super) fn kinds_of_move(&self, own: u64, other: u64, before: [usize; 2], mv: Move) -> u32 {
        let men = mv.play(own);
        if self.geometry.wins_at(men, mv.to) {
            return 0;
        }
        let (after, squares) = self.threats(men, other);
        let block = before[1] > 0 && self.threats(other, men).0 < before[1];
        let threat = after > before[0];
        let fork = threat && squares.count_ones() > 1;
        let quiet = !threat && !block;
        kinds_in([block, threat, fork, quiet])
    }
}
