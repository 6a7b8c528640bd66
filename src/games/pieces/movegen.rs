//! Attacks, legal moves, and which positions occur.

use super::core::Core;
use super::index::Placing;
use super::material::{LayerNumber, MaterialLayer, NO_LAYER};
use super::rules::{KindNumber, Passes, Squares, Try};
use crate::base::subsets::bits;
use crate::base::value::Outcome;

/// What a man does in a move, as its side sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub kind: KindNumber,
    /// `None` if it comes from the hand.
    pub from: Option<usize>,
    pub to: usize,
    pub becomes: KindNumber,
    pub takes: Option<KindNumber>,
    pub in_passing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// To the end of the game, with this outcome for the side that moved: a loss if it did not
    /// take a royal man on the far rank.
    Over(Outcome),
    /// To a position of a layer, with the man of the side that moved that can be taken in
    /// passing.
    Layer(LayerNumber, Squares),
}

const fn bit(square: usize) -> Squares {
    1 << (square & 63)
}

#[inline(always)]
fn squares(set: Squares) -> impl Iterator<Item = usize> {
    bits(set).map(usize::from)
}

/// Where men go to, in order: where royal men are taken, from the home rank on. Of equal moves, lines
/// take the first, and against a royal man that retreats fewer mates have duals.
#[inline(always)]
fn targets(mut set: Squares, from_home: bool) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = match (set, from_home) {
            (0, _) => return None,
            (_, true) => set.ilog2(),
            (_, false) => set.trailing_zeros(),
        };
        set &= !bit(square as usize);
        Some(square as usize)
    })
}

impl Step {
    /// What a side does that passes: nothing.
    const PASS: Self = Self::plain(0, Some(0), 0);

    pub(super) fn is_pass(&self) -> bool {
        self.from == Some(self.to)
    }

    /// A step after which the man is what it was, and which takes nothing.
    pub(super) const fn plain(kind: KindNumber, from: Option<usize>, to: usize) -> Self {
        Self {
            kind,
            from,
            to,
            becomes: kind,
            takes: None,
            in_passing: false,
        }
    }
}

impl Core {
    pub(super) fn layer(&self, at: &Placing) -> &MaterialLayer {
        &self.materials.layers[at.layer as usize]
    }

    #[inline(always)]
    pub(super) fn attackers(&self, at: &Placing, side: usize, square: usize) -> Squares {
        let taken = at.all();
        let kinds = self.layer(at).kinds[side].iter();
        kinds.fold(0, |all, &kind| {
            let reach = self.geometry.to(side, kind, square);
            all | reach.takers(at.men[side][kind], taken)
        })
    }

    #[inline(always)]
    pub(super) fn is_attacked(&self, at: &Placing, by: usize, square: usize) -> bool {
        let taken = at.all();
        let mut kinds = self.layer(at).kinds[by].iter();
        kinds.any(|&kind| {
            let men = at.men[by][kind];
            self.geometry.to(by, kind, square).takers(men, taken) != 0
        })
    }

    #[inline(always)]
    pub(super) fn royals(&self, at: &Placing, side: usize) -> Squares {
        self.royal_kind.map_or(0, |kind| at.men[side][kind])
    }

    #[inline(always)]
    pub(super) fn is_checked(&self, at: &Placing, side: usize) -> bool {
        squares(self.royals(at, side)).any(|square| self.is_attacked(at, 1 - side, square))
    }

    /// The squares of men of the side to move whose moves may leave their royal man where it can
    /// be taken: all squares if it can be taken now, so that drops may, too.
    fn careful(&self, at: &Placing) -> Squares {
        if self.is_checked(at, 0) {
            return Squares::MAX;
        }
        let mut men = self.royals(at, 0);
        for square in squares(men) {
            for &kind in &self.layer(at).kinds[1] {
                men |= self.geometry.to(1, kind, square).around;
            }
        }
        men
    }

    /// The kind of a man of a side that has just made a double step to a square, the square that it
    /// has passed, and the men that would take it there; `None` if it cannot have made one.
    #[inline]
    pub(super) fn passers(
        &self,
        at: &Placing,
        side: usize,
        square: usize,
    ) -> Option<(KindNumber, usize, Squares)> {
        let kind = self.passing_kind?;
        let step = self.geometry.to(side, kind, square).double()?;
        if (step.way | step.to) & at.all() != 0 {
            return None;
        }
        let over = step.way.trailing_zeros() as usize & 63;
        let takers = self.geometry.to(1 - side, kind, over).passes;
        Some((kind, over, takers & at.men[1 - side][kind]))
    }

    /// Whether a man of a side that has just made a double step to a square can be taken in
    /// passing.
    pub(super) fn can_be_passed(&self, at: &mut Placing, side: usize, square: usize) -> bool {
        let Some((kind, over, takers)) = self.passers(at, side, square) else {
            return false;
        };
        let other = 1 - side;
        squares(takers).any(|from| {
            let before = *at;
            at.move_man(other, kind, bit(from) | bit(over));
            at.move_man(side, kind, bit(square));
            let legal = !self.rules.check || !self.is_checked(at, other);
            *at = before;
            legal
        })
    }

    /// Whether a position of an unfinished game can look like this.
    #[inline(always)]
    pub(super) fn occurs(&self, at: &mut Placing) -> bool {
        let rules = &self.rules;
        if rules.check && self.is_checked(at, 1) {
            return false;
        }
        let reached = |goal: &Squares| (0..2).any(|side| goal & !at.taken[side] == 0);
        let cornered = || (0..2).any(|side| self.is_cornered(at, side));
        if rules.goals.iter().any(reached) || self.is_special && cornered() {
            return false;
        }
        if rules.try_rule != Try::Never {
            if self.royals(at, 0) & self.far != 0 {
                return false;
            }
            let mut tried = squares(self.royals(at, 1) & self.home);
            if tried.any(|square| self.has_tried(at, 1, square)) {
                return false;
            }
        }
        if at.passing != 0 {
            return self.can_be_passed(at, 1, at.passing.trailing_zeros() as usize);
        }
        true
    }

    /// Whether the royal man of a side, on its far rank, has won by coming to that square.
    #[inline(always)]
    fn has_tried(&self, at: &Placing, side: usize, square: usize) -> bool {
        match self.rules.try_rule {
            Try::Never | Try::Held => false,
            Try::Any => true,
            Try::Safe => !self.is_attacked(at, 1 - side, square),
        }
    }

    /// Whether the royal man of the other side has come to the far rank, where the side to move
    /// must take it or lose.
    #[inline(always)]
    pub(super) fn has_held(&self, at: &Placing) -> bool {
        self.rules.try_rule == Try::Held && self.royals(at, 1) & self.home != 0
    }

    /// Whether the side to move can take a royal man where that wins. It has no other moves then.
    #[inline(always)]
    pub(super) fn takes_royal(&self, at: &Placing) -> bool {
        !self.rules.check && self.is_checked(at, 1)
    }

    /// Visits the legal moves in order, with the position after each, still as the side that
    /// moved sees it, until `visit` returns `false`. A royal man that is taken stays.
    #[inline(always)]
    pub(super) fn moves(
        &self,
        at: &mut Placing,
        visit: impl FnMut(&mut Placing, Step, After) -> bool,
    ) {
        self.moves_in_bulk(at, |_, _, _, _| false, visit);
    }

    /// Likewise, but `bulk` may take all moves of a man to free squares at once, if they are
    /// legal and end nothing.
    #[inline(always)]
    pub(super) fn moves_in_bulk(
        &self,
        at: &mut Placing,
        bulk: impl FnMut(&Placing, KindNumber, usize, Squares) -> bool,
        mut visit: impl FnMut(&mut Placing, Step, After) -> bool,
    ) {
        if self.takes_royal(at) {
            return self.royal_takers(at, visit);
        }
        let all = self.steps_in_bulk(at, bulk, &mut visit);
        if self.is_special && all && self.may_pass(at) {
            self.make(at, Step::PASS, 0, false, &mut visit);
        }
    }

    /// Whether the side to move may pass, if it cannot take a royal man.
    #[cold]
    #[inline(never)]
    pub(super) fn may_pass(&self, at: &mut Placing) -> bool {
        let mut stuck = self.rules.passes != Passes::Never;
        if self.rules.passes == Passes::Stuck {
            self.steps_in_bulk(at, |_, _, _, _| false, &mut |_, _, _| {
                stuck = false;
                false
            });
        }
        stuck && !(self.rules.check && self.is_checked(at, 0))
    }

    /// Visits the moves of men, unless a royal man can be taken; `false` if `visit` has ended it.
    #[inline(always)]
    fn steps_in_bulk(
        &self,
        at: &mut Placing,
        mut bulk: impl FnMut(&Placing, KindNumber, usize, Squares) -> bool,
        visit: &mut impl FnMut(&mut Placing, Step, After) -> bool,
    ) -> bool {
        let careful = self.careful(at);
        let layer = self.layer(at);
        let taken = at.all();
        let completing = self.completing(at, 0) | self.cornering(at);
        let from_home = !self.rules.check && self.royal_kind.is_some();
        if layer.moves_men {
            for &kind in &layer.kinds[0] {
                for from in squares(at.men[0][kind]) {
                    let reach = self.geometry.from(0, kind, from);
                    let (mut goes, takes) = reach.targets(taken, at.taken[1]);
                    let tested = careful & bit(from) != 0;
                    let plain = self.plain_kinds[kind] && !tested;
                    if plain && bulk(at, kind, from, goes & !completing) {
                        goes &= completing;
                    }
                    for to in targets(goes | takes, from_home) {
                        if !self.step(at, careful, (kind, from, to), visit) {
                            return false;
                        }
                    }
                }
            }
            if self.is_special && !self.castle(at, visit) {
                return false;
            }
        }
        if at.passing != 0 && !self.in_passing(at, visit) {
            return false;
        }
        for &kind in &layer.in_hand {
            for to in targets(self.drop_targets(at, 0, kind), from_home) {
                let (step, tested) = (Step::plain(kind, None, to), careful == Squares::MAX);
                if !self.make(at, step, bit(to), tested, visit) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a drop mates.
    #[cold]
    #[inline(never)]
    fn is_mate_after(&self, after: &Placing, step: Step, to: After) -> bool {
        let After::Layer(next, passing) = to else {
            return false;
        };
        let gives_check = squares(self.royals(after, 1)).any(|royal| {
            let reach = self.geometry.to(0, step.kind, royal);
            reach.takers(bit(step.to), after.all()) != 0
        });
        gives_check && {
            let child = self.place_after(after, next, passing);
            let child = self.placing_in(child.slot);
            child.is_some_and(|mut child| self.is_mate(&mut child))
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn is_mate(&self, at: &mut Placing) -> bool {
        self.is_checked(at, 0) && self.ended(at).is_some()
    }

    #[inline(always)]
    pub(super) fn drop_targets(&self, at: &Placing, side: usize, kind: KindNumber) -> Squares {
        let (mut squares, taken) = (self.drops[side][kind], at.all());
        if taken == 0 {
            squares &= !self.rules.set_seen_by(side, self.rules.not_first);
        }
        if self.rules.kinds[kind].one_per_file {
            squares &= !self.rules.files_of(at.men[side][kind]);
        }
        squares & !taken
    }

    /// The squares on which a man of a side may complete a goal.
    #[inline(always)]
    pub(super) fn completing(&self, at: &Placing, side: usize) -> Squares {
        self.rules.goals.iter().fold(0, |squares, goal| {
            let missing = goal & !at.taken[side];
            if missing & missing.wrapping_sub(1) == 0 {
                squares | missing
            } else {
                squares
            }
        })
    }

    /// Whether a side has a man in a corner, with men of the other side on all squares beside it.
    #[inline(always)]
    pub(super) fn is_cornered(&self, at: &Placing, side: usize) -> bool {
        let mut corners = self.corners.iter();
        corners.any(|&(corner, beside)| {
            corner & at.taken[side] != 0 && beside & !at.taken[1 - side] == 0
        })
    }

    /// The squares on which a man of the side to move may decide the game in a corner.
    #[inline(always)]
    fn cornering(&self, at: &Placing) -> Squares {
        self.corners.iter().fold(0, |squares, &(corner, beside)| {
            let missing = beside & !at.taken[0];
            let last = corner & at.taken[1] != 0 && missing & missing.wrapping_sub(1) == 0;
            let enters = beside & !at.taken[1] == 0;
            squares | if last { missing } else { 0 } | if enters { corner } else { 0 }
        })
    }

    /// Whether men on these squares, one of which has come to a square, fill a goal with it.
    #[inline(always)]
    pub(super) fn completes(&self, square: usize, men: Squares) -> bool {
        let mut goals = self.goals[square & 63].iter();
        goals.any(|goal| goal & !men == 0)
    }

    fn royal_takers(
        &self,
        at: &mut Placing,
        mut visit: impl FnMut(&mut Placing, Step, After) -> bool,
    ) {
        for to in squares(self.royals(at, 1)) {
            let takes = self.kind_on(at, 1, to);
            for from in squares(self.attackers(at, 0, to)) {
                let kind = self.kind_on(at, 0, from);
                let of = &self.rules.kinds[kind];
                let stays = of.promotion_optional && of.squares & bit(to) != 0;
                let must = of.promotion_squares & bit(to) != 0 && !stays;
                let stands = |kind: &&KindNumber| self.rules.kinds[**kind].squares & bit(to) != 0;
                let becomes = of.promotes_to.iter().find(stands).filter(|_| must).copied();
                let step = Step {
                    becomes: becomes.unwrap_or(kind),
                    takes: Some(takes),
                    ..Step::plain(kind, Some(from), to)
                };
                if !visit(at, step, After::Over(Outcome::Win)) {
                    return;
                }
            }
        }
    }

    pub(super) fn kind_on(&self, at: &Placing, side: usize, square: usize) -> KindNumber {
        let kinds = &self.layer(at).kinds[side];
        let is = |&&kind: &&KindNumber| at.men[side][kind] & bit(square) != 0;
        kinds.iter().find(is).copied().unwrap_or(0)
    }

    /// The moves of a man to a square: one for each kind that it may become.
    #[inline(always)]
    fn step(
        &self,
        at: &mut Placing,
        careful: Squares,
        (number, from, to): (KindNumber, usize, usize),
        visit: &mut impl FnMut(&mut Placing, Step, After) -> bool,
    ) -> bool {
        let kind = &self.rules.kinds[number];
        let takes = (at.taken[1] & bit(to) != 0).then(|| self.kind_on(at, 1, to));
        let tested = careful & bit(from) != 0;
        let step = Step {
            takes,
            ..Step::plain(number, Some(from), to)
        };
        let promotes = kind.promotion_squares & bit(to) != 0 && !kind.promotes_to.is_empty();
        if promotes {
            for &becomes in &kind.promotes_to {
                let stands = self.rules.kinds[becomes].squares & bit(to) != 0;
                if stands && !self.make(at, Step { becomes, ..step }, bit(to), tested, visit) {
                    return false;
                }
            }
            if !kind.promotion_optional {
                return true;
            }
        }
        let arrives = kind.wins_on_far_rank && self.far & bit(to) != 0;
        if kind.squares & bit(to) == 0 && !arrives {
            return true;
        }
        self.make(at, step, bit(to), tested, visit)
    }

    /// The moves that take in passing. They may uncover a royal man in more than one way.
    fn in_passing(
        &self,
        at: &mut Placing,
        visit: &mut impl FnMut(&mut Placing, Step, After) -> bool,
    ) -> bool {
        let square = at.passing.trailing_zeros() as usize;
        let Some((kind, to, takers)) = self.passers(at, 1, square) else {
            return true;
        };
        squares(takers).all(|from| {
            let step = Step {
                takes: Some(kind),
                in_passing: true,
                ..Step::plain(kind, Some(from), to)
            };
            self.make(at, step, bit(square), true, visit)
        })
    }

    /// Makes a move, visits the position after it if the move is legal, and takes it back.
    /// `target` is the square of a man that is taken.
    #[inline(always)]
    pub(super) fn make(
        &self,
        at: &mut Placing,
        step: Step,
        target: Squares,
        tested: bool,
        visit: &mut impl FnMut(&mut Placing, Step, After) -> bool,
    ) -> bool {
        let from = step.from.map_or(0, bit);
        let to = bit(step.to);
        let passing = at.passing;
        let turn_over = |at: &mut Placing| {
            at.move_man(0, step.kind, from);
            at.move_man(0, step.becomes, to);
            if let Some(taken) = step.takes {
                at.move_man(1, taken, target);
            }
        };
        turn_over(at);
        at.passing = 0;
        let goes_on = if tested && self.rules.check && self.is_checked(at, 0) {
            true
        } else {
            let after = self.after(at, step);
            let bans = step.from.is_none() && self.rules.kinds[step.kind].no_drop_mate;
            bans && self.is_mate_after(at, step, after) || visit(at, step, after)
        };
        turn_over(at);
        at.passing = passing;
        goes_on
    }

    #[inline(always)]
    fn after(&self, at: &mut Placing, step: Step) -> After {
        let rules = &self.rules;
        let layers = &self.materials.layers;
        let kind = &rules.kinds[step.kind];
        let to = bit(step.to);
        let mut number = at.layer;
        if let Some(taken) = step.takes {
            number = layers[number as usize].taking[taken];
        }
        if step.from.is_none() {
            number = layers[number as usize].dropping[step.kind];
        }
        if step.becomes != step.kind {
            number = layers[number as usize].promoting[step.kind][step.becomes];
        }
        let mut next = layers[number as usize].turned;
        if self.is_special && layers[at.layer as usize].material.castling != 0 {
            next = self.with_rights_after(at, step, next);
        }
        let child = &layers[next as usize];
        let arrives = to & self.far != 0;
        let tries = kind.royal && arrives && self.has_tried(at, 0, step.to);
        if self.has_held(at) {
            return After::Over(Outcome::Loss);
        }
        if self.is_special && step.is_pass() {
            return After::Layer(next, 0);
        }
        let cornered = |side| self.is_special && self.is_cornered(at, side);
        let reaches = || self.completes(step.to, at.taken[0]) || cornered(0);
        if child.lost || tries || kind.wins_on_far_rank && arrives || reaches() {
            return After::Over(Outcome::Win);
        }
        if cornered(1) {
            return After::Over(Outcome::Loss);
        }
        if kind.passing.is_some() && child.passing != NO_LAYER {
            let double = self.geometry.to(0, step.kind, step.to).double();
            let stepped =
                double.is_some_and(|double| step.from.is_some_and(|from| double.to == bit(from)));
            if stepped && self.can_be_passed(at, 0, step.to) {
                return After::Layer(child.passing, to);
            }
        }
        After::Layer(next, 0)
    }
}

impl Placing {
    /// Takes men of a side and kind off some squares, and puts them on others.
    #[inline(always)]
    pub(super) const fn move_man(&mut self, side: usize, kind: KindNumber, squares: Squares) {
        self.men[side][kind] ^= squares;
        self.taken[side] ^= squares;
    }
}
