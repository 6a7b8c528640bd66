//! Castling: the royal man and a rook, neither of which has moved, move together.
//!
//! Which men have not moved is a part of the material. So positions with such men have layers of
//! their own, in which these men stand where they began; when one of them moves or is taken, play
//! comes to another layer.

use super::core::Core;
use super::index::Placing;
use super::material::{LayerNumber, Material};
use super::movegen::{After, Step};
use super::rules::{
    ALL_RIGHTS, KindNumber, Position, Rights, Rules, Sets, Squares, Way, turned_rights,
};

/// The letters of [rights](Rights) in FEN.
const LETTERS: &str = "KQkq";

/// The squares from the first to the last one of a set.
const fn span(set: Squares) -> Squares {
    Squares::MAX >> set.leading_zeros() & Squares::MAX << set.trailing_zeros()
}

impl Rules {
    /// The ways of some rights, each with its right and its side.
    pub(super) fn ways(&self, rights: Rights) -> impl Iterator<Item = (Rights, usize, Way)> {
        let ways = self.castling.as_ref().map_or([None; 2], |it| it.ways);
        let has = move |number: &usize| rights >> number & 1 == 1;
        (0..4)
            .filter(has)
            .filter_map(move |number| Some((1 << number, number >> 1, ways[number & 1]?)))
    }

    /// The squares of the men of a kind that have not moved and may castle, by side, as the side
    /// to move sees them.
    pub(super) fn unmoved(&self, kind: KindNumber, rights: Rights) -> [Squares; 2] {
        let mut found = [0; 2];
        let kinds = self.castling.as_ref().map(|castling| castling.kinds);
        let man = kinds.and_then(|kinds| kinds.iter().position(|&own| own == kind));
        for (_, side, way) in self.ways(rights) {
            found[side] |= man.map_or(0, |man| 1 << self.seen_by(side, way[man][0]));
        }
        found
    }

    /// The rights of men that all stand where they began, if they have not moved.
    pub(super) fn most_rights(&self, men: &Sets) -> Rights {
        let stand = |&(_, side, way): &(Rights, usize, Way)| {
            let mut kinds = self
                .castling
                .iter()
                .flat_map(|castling| castling.kinds.iter().zip(way));
            kinds.all(|(&kind, [from, _])| men[side][kind] >> self.seen_by(side, from) & 1 == 1)
        };
        let ways = self.ways(ALL_RIGHTS).filter(stand);
        ways.map(|(right, ..)| right).sum()
    }

    /// A position, and those like it with more rights.
    pub(super) fn with_rights(&self, at: &Position) -> Vec<Position> {
        let most = self.most_rights(&at.men);
        let all = (0..=most).filter(|rights| rights & !most | at.castling & !rights == 0);
        all.map(|castling| Position { castling, ..*at }).collect()
    }

    /// The positions from which the side to move may have come to one by castling, with the royal
    /// man's squares.
    pub(super) fn before_castling(&self, at: &Position) -> Vec<(Position, [u8; 2])> {
        let before = |(_, _, way): (Rights, usize, Way)| {
            let (mut before, kinds) = (*at, self.castling.as_ref()?.kinds);
            for (kind, [_, to]) in kinds.into_iter().zip(way) {
                let men = &mut before.men[0][kind];
                (*men >> to & 1 == 1).then(|| *men ^= 1 << to)?;
            }
            let taken = before.of_side(0) | before.of_side(1);
            for (kind, [from, _]) in kinds.into_iter().zip(way) {
                (taken >> from & 1 == 0).then(|| before.men[0][kind] |= 1 << from)?;
            }
            Some((before, way[0]))
        };
        self.ways(3).filter_map(before).collect()
    }

    pub(super) fn letters_of_rights(&self, rights: Rights) -> String {
        let places = self.ways(rights).map(|(right, ..)| right.trailing_zeros());
        places
            .filter_map(|place| LETTERS.chars().nth(place as usize))
            .collect()
    }

    pub(super) fn right_of(&self, letter: char) -> Option<Rights> {
        let right = 1 << LETTERS.find(letter)?;
        self.ways(right).next().map(|_| right)
    }

    /// The way in which a royal man castles with a step, which is none that it has otherwise.
    pub(super) fn way_of(&self, step: &Step) -> Option<Way> {
        let mut ways = self.ways(3).map(|(.., way)| way);
        let goes = |[from, to]: [u8; 2]| (step.from, step.to) == (Some(from.into()), to.into());
        ways.find(|way| self.kinds[step.kind].royal && goes(way[0]))
    }
}

impl Material {
    /// The same men with those of some rights for which there are rooks.
    fn with(&self, rules: &Rules, rights: impl Iterator<Item = Rights>) -> Vec<Self> {
        let rooks = rules
            .castling
            .as_ref()
            .map_or(0, |castling| castling.kinds[1]);
        let fits = |men: &Self| {
            let sides = [men.castling & 3, men.castling >> 2];
            let mut sides = men.board.iter().zip(sides);
            sides.all(|(men, rights)| u32::from(men[rooks]) >= rights.count_ones())
        };
        rights
            .map(|castling| Self { castling, ..*self })
            .filter(fits)
            .collect()
    }

    /// The same men with all rights that they may have.
    pub(super) fn with_rights(&self, rules: &Rules) -> Vec<Self> {
        let all: Rights = rules.ways(ALL_RIGHTS).map(|(right, ..)| right).sum();
        self.with(rules, (0..=all).filter(|rights| rights & !all == 0))
    }

    /// The materials after a move that takes a man of a kind, if any, by which rights may be lost.
    pub(super) fn with_lost_rights(&self, rules: &Rules, taken: Option<KindNumber>) -> Vec<Self> {
        let rooks = rules.castling.as_ref().map(|castling| castling.kinds[1]);
        let (all, lost) = (self.castling, u32::from(taken.is_some() && taken == rooks));
        let fewer = (0..=all).filter(|rights| rights & !all == 0);
        self.with(
            rules,
            fewer.filter(|rights| ((rights ^ all) >> 2).count_ones() <= lost),
        )
    }
}

impl Core {
    /// Visits the moves of castling, as `moves` does.
    #[cold]
    #[inline(never)]
    pub(super) fn castle(
        &self,
        at: &mut Placing,
        visit: &mut impl FnMut(&mut Placing, Step, After) -> bool,
    ) -> bool {
        let rights = self.layer(at).material.castling & 3;
        let kinds = self.rules.castling.as_ref().map_or([0; 2], |it| it.kinds);
        self.rules.ways(rights).all(|(.., way)| {
            let [[from, to], [begin, end]] = way.map(|squares| squares.map(|square| 1 << square));
            let between = span(from | to | begin | end) & !(from | begin);
            let mut passed = (0..64).filter(|square| (span(from | to) & !to) >> square & 1 == 1);
            if between & at.all() != 0 || passed.any(|square| self.is_attacked(at, 1, square)) {
                return true;
            }
            at.move_man(0, kinds[1], begin | end);
            let [from, to] = way[0].map(usize::from);
            let goes_on = self.make(at, Step::plain(kinds[0], Some(from), to), 0, true, visit);
            at.move_man(0, kinds[1], begin | end);
            goes_on
        })
    }

    /// The layer after a move of a position with rights, where that without them is `next`.
    #[cold]
    #[inline(never)]
    pub(super) fn with_rights_after(
        &self,
        at: &Placing,
        step: Step,
        next: LayerNumber,
    ) -> LayerNumber {
        let mut rights = self.layer(at).material.castling;
        let royal = self.rules.kinds[step.kind].royal;
        for (right, side, way) in self.rules.ways(rights) {
            let rook = usize::from(self.rules.seen_by(side, way[1][0]));
            let moves = !step.is_pass() && (royal || step.from == Some(rook));
            let lost = if side == 0 {
                moves
            } else {
                step.takes.is_some() && step.to == rook
            };
            rights ^= if lost { right } else { 0 };
        }
        let (men, castling) = (
            self.materials.layers[next as usize].material,
            turned_rights(rights),
        );
        self.materials
            .known(&Material { castling, ..men })
            .unwrap_or(next)
    }
}
