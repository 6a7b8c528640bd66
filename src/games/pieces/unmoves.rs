//! Un-moves: the positions of a group from which a move leads to a position.

use super::core::Core;
use super::geometry::map;
use super::index::Placing;
use super::material::{LayerNumber, NO_LAYER, UnMoves};
use super::rules::{KindNumber, Passes, Squares};
use crate::base::subsets::bits;
use crate::game::Placed;

/// A move of the other side to be taken back, as the side to move now sees it.
#[derive(Debug, Clone, Copy)]
struct UnMove {
    /// The layer before the move, with no man that can be taken in passing.
    layer: LayerNumber,
    /// The kind of the man before the move, and after it.
    before: KindNumber,
    now: KindNumber,
    /// Empty for a drop, both for a pass.
    from: Squares,
    to: Squares,
}

impl UnMove {
    /// One that does not say yet where the man came from.
    #[inline(always)]
    const fn new(layer: LayerNumber, before: KindNumber, now: KindNumber, to: Squares) -> Self {
        Self {
            layer,
            before,
            now,
            from: 0,
            to,
        }
    }
}

impl Core {
    /// The number of a move in the stored position before it, where the side had these men of the
    /// kind.
    #[inline(always)]
    fn number_before(&self, men: Squares, turn: usize, mv: UnMove) -> u8 {
        if mv.to == 0 {
            return self.numbers.pass[mv.layer as usize];
        }
        let turn = &self.geometry.turns[1][turn];
        let seen = |set: Squares| usize::from(turn[(set.trailing_zeros() & 63) as usize]);
        let to = seen(mv.to);
        if mv.from == 0 {
            return self.numbers.of_drop(&self.rules, mv.layer, mv.now, 1 << to);
        }
        let from = seen(mv.from);
        let turned = map(turn, men);
        self.number(mv.layer, turned, (mv.before, from), (mv.now, to))
    }

    /// The number of a move of a man in a stored position in which its side has these men of the
    /// kind.
    #[inline(always)]
    pub(super) fn number(
        &self,
        layer: LayerNumber,
        men: Squares,
        (kind, from): (KindNumber, usize),
        (becomes, to): (KindNumber, usize),
    ) -> u8 {
        let of_man = self.numbers.of_man(layer, kind, men, 1 << from);
        let number = of_man + self.numbers.of_targets(kind, from)[to & 63];
        let of = &self.rules.kinds[kind];
        if of.promotes_to.is_empty() || of.promotion_squares >> to & 1 == 0 {
            return number;
        }
        // A man that stays what it is comes after all kinds that it may become.
        let place = of.promotes_to.iter().position(|&other| other == becomes);
        number + place.unwrap_or(of.promotes_to.len()) as u8
    }

    /// Visits the positions of the group that have a move to this one, each with the number of
    /// that move. Some do not occur.
    #[inline(always)]
    pub(super) fn unmoves(&self, at: &mut Placing, mut visit: impl FnMut(Placed)) {
        let layer = self.layer(at);
        if at.passing != 0 {
            self.undo_double(at, &mut visit);
            return;
        }
        if self.rules.passes != Passes::Never {
            self.undo_pass(at, &mut visit);
        }
        let royal = self.royals(at, 0).trailing_zeros() as usize;
        let given = self.leaping_takers(at, royal);
        for of in &layer.unmoves {
            self.unmoves_of(at, of, (royal, given), &mut visit);
        }
        for &(kind, layer) in &layer.undrops {
            if self.rules.kinds[kind].no_drop_mate && self.is_mate(at) {
                continue;
            }
            let unmoved = self.layer(at).unmoved[1];
            for square in bits(at.men[1][kind] & self.drops[1][kind] & !unmoved) {
                let to = 1 << square;
                if given & !to != 0 {
                    continue;
                }
                let mv = UnMove::new(layer, kind, kind, to);
                at.move_man(1, kind, to);
                if self.drop_targets(at, 1, kind) & to != 0 {
                    self.emit(at, mv, &mut visit);
                }
                at.move_man(1, kind, to);
            }
        }
    }

    /// The men of the other side that attack a square, that of the royal man, with a leap. Before
    /// their side moved, at most the one that moved can have done so, elsewhere: a side that can
    /// take a royal man does, or is not left the chance.
    #[inline(always)]
    fn leaping_takers(&self, at: &Placing, royal: usize) -> Squares {
        if self.royal_kind.is_none() {
            return 0;
        }
        let kinds = self.layer(at).kinds[1].iter();
        kinds.fold(0, |all, &kind| {
            all | at.men[1][kind] & self.geometry.to(1, kind, royal).takes
        })
    }

    /// The pass of the other side. Layers in which only one side is to move are in no group with
    /// those that a pass leads to.
    #[inline(never)]
    fn undo_pass(&self, at: &mut Placing, visit: &mut impl FnMut(Placed)) {
        let layers = &self.materials.layers;
        let (layer, turned) = (self.layer(at), self.layer(at).turned);
        let before = &layers[turned as usize];
        if before.live && before.group == layer.group {
            let pass = UnMove::new(turned, 0, 0, 0);
            self.emit(at, pass, &mut |before: Placed| {
                let may_pass = |mut at| {
                    self.occurs(&mut at) && !self.takes_royal(&at) && self.may_pass(&mut at)
                };
                if self.placing_in(before.slot).is_some_and(may_pass) {
                    visit(before);
                }
            });
        }
    }

    /// The double step after which a man can be taken in passing.
    #[inline(never)]
    fn undo_double(&self, at: &mut Placing, visit: &mut impl FnMut(Placed)) {
        let to = at.passing;
        let square = to.trailing_zeros() as usize;
        let Some(kind) = self.passing_kind else {
            return;
        };
        let Some(step) = self.geometry.to(1, kind, square).double() else {
            return;
        };
        let mv = UnMove::new(self.layer(at).turned, kind, kind, to);
        at.passing = 0;
        self.quiet_unmoves(at, mv, step.to, visit);
        at.passing = to;
    }

    #[inline(always)]
    fn unmoves_of(
        &self,
        at: &mut Placing,
        of: &UnMoves,
        (royal, given): (usize, Squares),
        visit: &mut impl FnMut(Placed),
    ) {
        let (now, before) = (of.now, of.before);
        let promotes = self.promotes[1][before];
        let forced = !self.rules.kinds[before].promotion_optional;
        for square in bits(at.men[1][now] & !self.layer(at).unmoved[1]) {
            let to = 1 << square;
            if given & !to != 0 {
                continue;
            }
            let zone = promotes & to != 0;
            if if now == before { zone && forced } else { !zone } {
                continue;
            }
            let reach = self.geometry.to(1, before, usize::from(square));
            let mut stands = self.stands[1][before];
            if self.royal_kind.is_some() {
                stands &= !self.geometry.to(1, before, royal).takes;
            }
            let mv = UnMove::new(of.quiet, before, now, to);
            let (mut goes, takes) = reach.origins(at.all());
            // A double step after which the man cannot be taken in passing is like any other.
            if let Some(step) = reach.double()
                && step.goes
                && (step.way | step.to) & at.all() == 0
                && (self.layer(at).passing == NO_LAYER || !self.can_be_passed(at, 1, square.into()))
            {
                goes |= step.to;
            }
            let (goes, takes) = (goes & stands, takes & stands);
            if of.quiet != NO_LAYER && goes != 0 {
                self.quiet_unmoves(at, mv, goes, visit);
            }
            if takes == 0 {
                continue;
            }
            at.move_man(1, now, to);
            for &(taken, layer) in &of.untaken {
                if self.rules.kinds[taken].squares & to == 0 {
                    continue;
                }
                at.move_man(0, taken, to);
                self.emit_from(at, UnMove { layer, ..mv }, takes, visit);
                at.move_man(0, taken, to);
            }
            at.move_man(1, now, to);
        }
    }

    #[inline(always)]
    fn quiet_unmoves(
        &self,
        at: &mut Placing,
        mv: UnMove,
        goes: Squares,
        visit: &mut impl FnMut(Placed),
    ) {
        // The layer before has no man that can be taken in passing unless its kind exists.
        let plain = self.materials.layers[mv.layer as usize].passing == NO_LAYER;
        if mv.now == mv.before && plain {
            let moved = self.index.find_moved(
                &self.geometry,
                mv.layer,
                at,
                (mv.before, mv.to),
                goes,
                |slot, turn, from| {
                    let mv = UnMove { from, ..mv };
                    let men = at.men[1][mv.before] ^ (from | mv.to);
                    let number = self.number_before(men, turn, mv);
                    visit(Placed::new(slot, number));
                },
            );
            if moved {
                return;
            }
        }
        at.move_man(1, mv.now, mv.to);
        self.emit_from(at, mv, goes, visit);
        at.move_man(1, mv.now, mv.to);
    }

    /// Visits the positions in which a man of the other side stood on each of some squares. Of the
    /// move, these are missing; its target is free.
    #[inline(always)]
    fn emit_from(
        &self,
        at: &mut Placing,
        mv: UnMove,
        origins: Squares,
        visit: &mut impl FnMut(Placed),
    ) {
        for from in bits(origins) {
            let from = 1 << from;
            at.move_man(1, mv.before, from);
            self.emit(at, UnMove { from, ..mv }, visit);
            at.move_man(1, mv.before, from);
        }
    }

    /// Visits the position that is set up, as the other side sees it, and those like it in which
    /// one of the men of the side to move now could be taken in passing.
    #[inline(always)]
    fn emit(&self, at: &mut Placing, mv: UnMove, visit: &mut impl FnMut(Placed)) {
        self.emit_as(at, 0, mv, visit);
        if self.materials.layers[mv.layer as usize].passing != NO_LAYER {
            self.emit_passing(at, mv, visit);
        }
    }

    #[inline(never)]
    fn emit_passing(&self, at: &mut Placing, mv: UnMove, visit: &mut impl FnMut(Placed)) {
        let Some(kind) = self.passing_kind else {
            return;
        };
        for square in bits(at.men[0][kind]) {
            let passers = self.passers(at, 0, square.into());
            if passers.is_some_and(|(.., takers)| takers != 0) {
                self.emit_as(at, 1 << square, mv, visit);
            }
        }
    }

    #[inline(always)]
    fn emit_as(&self, at: &Placing, passing: Squares, mv: UnMove, visit: &mut impl FnMut(Placed)) {
        let layer = self.layer_with(mv.layer, passing);
        if let Some((found, turn)) = self.index.find::<1>(&self.geometry, layer, at, passing) {
            let number = self.number_before(at.men[1][mv.before], turn, mv);
            visit(Placed { number, ..found });
        }
    }
}
