//! The columns of an Ostle board.

use super::board::turned;
use super::{Effect, Ostle, State};
use crate::game::{Feature, FeatureValue, Features, MoveKind, Retrograde, Symmetric, kinds_in};
use crate::games::ostle::grid::{Mask, Square, squares_of};

impl Ostle {
    fn spare(&self, pieces: Mask) -> FeatureValue {
        FeatureValue::count(pieces.count_ones().saturating_sub(self.fewest().into()) as usize)
    }

    fn on_edge(&self, pieces: Mask) -> FeatureValue {
        let edge = squares_of(pieces).filter(|&square| self.grid.edge_distance(square) == 0);
        FeatureValue::count(edge.count())
    }

    /// Steps from the nearest of some squares to the nearest of some others.
    fn apart(&self, from: Mask, to: Mask) -> FeatureValue {
        FeatureValue::count(self.steps_to(from, to) as usize)
    }

    /// How many moves of one side have such an effect, ignoring rule 8.
    fn moves_with(&self, state: &State, wanted: impl Fn(&Effect) -> bool) -> FeatureValue {
        let effects = Self::candidates(state).filter_map(|mv| self.effect(state, mv));
        FeatureValue::count(effects.filter(wanted).count())
    }

    /// The squares on which the hole can be, up to symmetry, in the order of their names.
    pub(super) fn hole_squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.grid.least_of(self.holes())
    }
}

impl Features for Ostle {
    fn features(&self) -> Vec<Feature> {
        Feature::listed(include_str!("columns.txt"), |_| self.classes())
    }

    fn features_of_layers(&self) -> Vec<usize> {
        // The numbers of pieces, and of those that can be lost.
        vec![0, 1, 2, 3]
    }

    fn measure(&self, state: &State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let at = state.placement;
        let captures = |effect: &Effect| effect.removed.is_some_and(|removal| !removal.own);
        for place in wanted {
            values.push(match place {
                0 => FeatureValue::count(at.own.count_ones() as usize),
                1 => FeatureValue::count(at.opp.count_ones() as usize),
                2 => self.spare(at.own),
                3 => self.spare(at.opp),
                4 => {
                    let (hole, _) = self.grid.least(at.hole);
                    let place = self.hole_squares().position(|square| square == hole);
                    place.map_or(FeatureValue::NONE, FeatureValue::word)
                }
                5 => FeatureValue::number(self.grid.edge_distance(at.hole).into()),
                6 => self.on_edge(at.own),
                7 => self.on_edge(at.opp),
                8 => self.apart(1 << at.hole, at.own),
                9 => self.apart(1 << at.hole, at.opp),
                10 => self.apart(at.own, at.opp),
                11 => self.moves_with(state, |_| true),
                12 => self.moves_with(&turned(state), |_| true),
                13 => self.moves_with(&turned(state), captures),
                14 => FeatureValue::count(self.symmetries_kept(state) as usize),
                _ => FeatureValue::NONE,
            });
        }
    }
}

pub(super) const SACRIFICE: u32 = 1;
pub(super) const CAPTURE: u32 = 1 << 1;
pub(super) const HOLE: u32 = 1 << 2;
pub(super) const PUSH: u32 = 1 << 3;
pub(super) const QUIET: u32 = 1 << 4;
pub(super) const RETREAT: u32 = 1 << 5;

#[rustfmt::skip]
pub(super) const KINDS: [MoveKind; 6] = [
    MoveKind::new("sacrifice", false, "gives up an own piece"),
    MoveKind::new("capture", true, "removes a piece of the opponent"),
    MoveKind::new("hole", false, "moves the hole"),
    MoveKind::new("push", false, "pushes at least one piece"),
    MoveKind::new("quiet", false, "removes nothing, pushes nothing and leaves the hole"),
    MoveKind::new("retreat", false, "is quiet and takes the piece farther from the nearest piece of the opponent"),
];

impl Ostle {
    /// The kinds of a move with this effect, a bit set over `KINDS`.
    pub(super) fn kinds_of_effect(&self, own: Mask, effect: &Effect) -> u32 {
        let sacrifice = effect.removed.is_some_and(|removal| removal.own);
        let capture = effect.removed.is_some_and(|removal| !removal.own);
        let push = effect.chain != 0;
        let quiet = effect.removed.is_none() && !push && !effect.hole;
        let after = effect.after.own;
        let retreat = quiet && {
            let distance = |piece| self.steps_to(piece, effect.after.opp);
            distance(after & !own) > distance(own & !after)
        };
        kinds_in([sacrifice, capture, effect.hole, push, quiet, retreat])
    }

    /// Steps (no diagonals) from the nearest of some squares to the nearest of some others.
    /// There must be some of both.
    fn steps_to(&self, from: Mask, others: Mask) -> u32 {
        let (mut near, mut steps) = (from, 0);
        while near & others == 0 && near != self.shifts.all {
            near |= self.shifts.before(near).any();
            steps += 1;
        }
        steps
    }
}
