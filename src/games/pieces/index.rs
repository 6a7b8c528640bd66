//! The numbers of positions.
//!
//! A layer holds the positions of one material. Its *anchors* are the royal men or, without
//! any, the largest set of equal men that is not too large. Of the images of a position under the
//! symmetries that keep its rules, the one is stored whose anchors have the least number. The
//! other men follow as digits: one for each side and kind, the colexicographic rank of its
//! squares. A *fixed* digit counts all squares on which its kind can stand, a *tight* one only
//! those that are still free. Tight digits leave fewer slots vacant; with fixed ones, the
//! numbers of positions that differ in one man differ in one digit.

use std::collections::HashMap;
use std::sync::Arc;

use super::digits::{Digit, Places, Role, choose};
use super::geometry::{Geometry, SYMMETRIES, map};
use super::material::{LayerNumber, MaterialLayer, Materials};
use super::rules::{KindNumber, MOST_KINDS, Rules, Sets, Squares, Try};
use crate::base::subsets::{Binomials, binomials, bits, rank, unrank};
use crate::base::turn::Turn;
use crate::game::Placed;

const MOST_PLACINGS: u64 = 1 << 21;

/// The most men of one side and kind that a number can hold.
pub(super) const MOST_EQUAL: usize = 15;

/// An entry of [`Anchors::table`] for placings that do not occur.
const NOWHERE: u32 = u32::MAX;

/// In other entries: the number of the stored placing, the symmetry that leads to it, and
/// whether it has symmetries of its own.
const NUMBER: u32 = (1 << 24) - 1;
const TURN_SHIFT: u32 = 24;
const IS_KEPT: u32 = 1 << 31;

/// A position with its layer, as the side to move sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placing {
    pub(super) men: Sets,
    /// The squares of each side's men.
    pub(super) taken: [Squares; 2],
    /// The man of the other side that can be taken in passing; it is among its kind.
    pub(super) passing: Squares,
    /// The layer with no man that can be taken in passing.
    pub(super) layer: LayerNumber,
    /// Whether it has a symmetry of its own, if it was found by its slot.
    pub(super) symmetric: bool,
}

impl Placing {
    #[inline(always)]
    pub(super) const fn all(&self) -> Squares {
        self.taken[0] | self.taken[1]
    }
}

/// Slots side by side whose positions differ only in the men of the last digit.
#[derive(Debug)]
pub(super) struct Run {
    /// The men of the other digits, with those of the last one.
    pub at: Placing,
    last: Squares,
    layer: LayerNumber,
    first: u64,
    pub end: u64,
    /// The symmetries that keep the anchors.
    kept: u8,
    /// Whether the other digits have room.
    fits: bool,
}

#[derive(Debug)]
struct Anchored {
    sets: [Squares; 2],
    /// The symmetries that keep it, as a set.
    kept: u8,
}

#[derive(Debug)]
struct Anchors {
    table: Vec<u32>,
    stored: Vec<Anchored>,
}

#[derive(Debug)]
struct Plan {
    base: u64,
    size: u64,
    anchors: Arc<Anchors>,
    /// How many of the digits are anchors.
    anchored: usize,
    digits: Vec<Digit>,
    /// The digit of the men of the side to move of each kind, if it is fixed and no anchor.
    own: [Option<u8>; MOST_KINDS],
    /// The kind of the men that castle with royal ones, and those that have not moved.
    unmoved: Option<(KindNumber, [Squares; 2])>,
    /// The symmetries that keep the rules for all men of the group, as a set.
    symmetries: u8,
    /// The layer with no man that can be taken in passing, and the kind of the man that can.
    plain: LayerNumber,
    passing: Option<KindNumber>,
}

/// Men of a side and a kind, how many, and where they can stand.
type Men = (usize, KindNumber, usize, Squares);

#[derive(Default)]
struct Made {
    places: HashMap<(Squares, usize), Arc<Places>>,
    /// By symmetries and anchors.
    anchors: HashMap<(u8, Vec<Men>), Arc<Anchors>>,
}

#[derive(Debug)]
pub(super) struct Index {
    plans: Vec<Option<Plan>>,
    /// The layers in the order of their slots.
    pub(super) order: Vec<LayerNumber>,
    /// Where the slots of each of them end.
    ends: Vec<u64>,
    /// The places in `order` of the layers at every 2^`shift`-th slot.
    coarse: Vec<u32>,
    shift: u32,
    binomials: Box<Binomials>,
    all: Squares,
}

impl Index {
    /// `None` if there are more slots than numbers.
    pub(super) fn new(rules: &Rules, geometry: &Geometry, materials: &Materials) -> Option<Self> {
        let mut index = Self {
            plans: materials.layers.iter().map(|_| None).collect(),
            order: Vec::new(),
            ends: Vec::new(),
            coarse: Vec::new(),
            shift: 0,
            binomials: binomials(),
            all: rules.all(),
        };
        let of_kind = |kind| geometry.symmetries_of(rules, kind);
        let by_kind: Vec<u8> = (0..rules.kinds.len()).map(of_kind).collect();
        let (mut made, mut base) = (Made::default(), 0);
        for group in &materials.groups {
            let kinds = group.iter().flat_map(|&layer| {
                let material = &materials.layers[layer as usize].material;
                (0..rules.kinds.len()).filter(|&kind| material.of_kind(kind) > 0)
            });
            let all = u8::MAX >> (SYMMETRIES - geometry.symmetries);
            // A symmetry holds for a man if it holds for all that it may become.
            let kinds = rules.becoming(kinds).into_iter();
            let mut symmetries = kinds.fold(all, |kept, kind| kept & by_kind[kind]);
            // All layers of a group have men that have not moved, or none.
            if materials.layers[group[0] as usize].material.castling != 0 {
                symmetries = 1;
            }
            for &layer in group {
                let of = &materials.layers[layer as usize];
                let plan = index.plan((rules, geometry), of, (base, symmetries), &mut made)?;
                base = u64::checked_add(base, plan.size).filter(|&slots| slots <= 1 << 40)?;
                index.order.push(layer);
                index.ends.push(base);
                index.plans[layer as usize] = Some(plan);
            }
        }
        index.shift = (64 - base.leading_zeros()).saturating_sub(12);
        let mut place = 0;
        for stretch in 0..=base >> index.shift {
            while place + 1 < index.order.len() && index.ends[place] <= stretch << index.shift {
                place += 1;
            }
            index.coarse.push(u32::try_from(place).unwrap_or(u32::MAX));
        }
        Some(index)
    }

    /// The layers in the order of their slots, with these.
    pub(super) fn layers(&self) -> impl Iterator<Item = (LayerNumber, std::ops::Range<u64>)> {
        self.order.iter().filter_map(|&layer| {
            let plan = self.plans[layer as usize].as_ref()?;
            Some((layer, plan.base..plan.base + plan.size))
        })
    }

    /// The symmetries that keep the rules for all men of a layer's group, as a set.
    pub(super) fn symmetries(&self, layer: LayerNumber) -> u8 {
        let plan = self.plans[layer as usize].as_ref();
        plan.map_or(1, |plan| plan.symmetries)
    }

    /// The men of a layer, apart from those that have not moved and may castle with a royal one.
    fn digits(&self, rules: &Rules, of: &MaterialLayer) -> Vec<Digit> {
        let mut digits = Vec::new();
        for side in 0..2 {
            for (number, kind) in rules.kinds.iter().enumerate() {
                let still = rules.unmoved(number, of.material.castling)[side];
                let apart = if kind.royal { 0 } else { still };
                let men = of.material.board[side][number] - apart.count_ones() as u8;
                let men = usize::from(men);
                let free = rules.set_seen_by(side, kind.squares) & !(of.unmoved[0] | of.unmoved[1]);
                let squares = if still == apart { free } else { still };
                if men == 0 {
                    continue;
                }
                let role = match of.passing_kind {
                    Some(_) if kind.passing_of.is_some() && side == 1 => Role::Passing,
                    Some(passing) if passing == number && side == 1 => Role::Rest,
                    _ if apart != 0 => Role::Rest,
                    _ => Role::All,
                };
                digits.push(Digit {
                    side,
                    kind: number,
                    men,
                    role,
                    unmoved: [still, rules.set_seen_by(1, still)],
                    fixed: squares != self.all,
                    squares,
                    places: Arc::default(),
                    size: 1,
                    weight: 1,
                    inverse: 0,
                });
            }
        }
        digits
    }

    /// How the positions of a layer are numbered from a slot on; `None` if they are too many.
    fn plan(
        &self,
        (rules, geometry): (&Rules, &Geometry),
        of: &MaterialLayer,
        (base, symmetries): (u64, u8),
        made: &mut Made,
    ) -> Option<Plan> {
        let mut digits = self.digits(rules, of);
        let royal = |digit: &Digit| rules.kinds[digit.kind].royal;
        let placings = |digit: &Digit| self.binomials[rules.squares() as usize][digit.men];
        let mut anchors: Vec<Digit> = digits.extract_if(.., |digit| royal(digit)).collect();
        if anchors.is_empty() {
            // A man that can be taken in passing is among its kind on the board.
            let small = digits
                .iter()
                .enumerate()
                .filter(|(_, digit)| digit.role == Role::All && placings(digit) <= MOST_PLACINGS);
            if let Some((place, _)) = small.max_by_key(|(_, digit)| placings(digit)) {
                anchors.push(digits.remove(place));
            }
        }
        let taken = anchors.iter().map(|digit| digit.men).sum();
        let still = of.material.castling != 0;
        choose(&self.binomials, self.all, &mut digits, (taken, still));
        let anchored = anchors.len();
        let fixed = digits.iter_mut().filter(|digit| digit.fixed);
        let ranked = fixed.map(|digit| (digit.squares, digit));
        let of_anchors = anchors.iter_mut().map(|digit| (self.all, digit));
        for (squares, digit) in ranked.chain(of_anchors) {
            let new = || Arc::new(Places::new(&self.binomials, squares, digit.men));
            let known = made.places.entry((squares, digit.men)).or_insert_with(new);
            digit.places = Arc::clone(known);
        }
        anchors.append(&mut digits);
        let mut own = [None; MOST_KINDS];
        let mut weight: u64 = 1;
        for (place, digit) in anchors.iter_mut().enumerate().skip(anchored).rev() {
            digit.weight = weight;
            weight = weight.checked_mul(digit.size)?;
            if digit.side == 0 {
                own[digit.kind] = u8::try_from(place).ok();
            }
        }
        if anchors[anchored..].iter().any(|digit| !digit.fixed) || of.passing_kind.is_some() {
            own = [None; MOST_KINDS];
        }
        let of_layer = &anchors[..anchored];
        let key = of_layer.iter();
        let key = key.map(|of| (of.side, of.kind, of.men, of.squares));
        let new = || Arc::new(self.anchors(rules, geometry, of_layer, symmetries));
        let known = made.anchors.entry((symmetries, key.collect()));
        let known = Arc::clone(known.or_insert_with(new));
        let size = weight.checked_mul(known.stored.len() as u64)?;
        for digit in &mut anchors[anchored..] {
            // The rounding shows only where the product passes 64 bits. Men without room have no way.
            if let (Some(_), Some(part)) = (
                size.checked_mul(digit.size),
                u64::MAX.checked_div(digit.size),
            ) {
                digit.inverse = part.wrapping_add(1);
            }
        }
        let rooks = rules.castling.as_ref().map(|castling| castling.kinds[1]);
        Some(Plan {
            base,
            size,
            anchors: known,
            anchored,
            digits: anchors,
            own,
            unmoved: rooks.map(|rook| (rook, rules.unmoved(rook, of.material.castling))),
            symmetries,
            plain: of.plain,
            passing: of.passing_kind,
        })
    }

    fn anchors(
        &self,
        rules: &Rules,
        geometry: &Geometry,
        digits: &[Digit],
        symmetries: u8,
    ) -> Anchors {
        let squares = usize::from(rules.squares());
        let sizes: Vec<u64> = (digits.iter())
            .map(|digit| self.binomials[squares][digit.men])
            .collect();
        let count: u64 = sizes.iter().product();
        let mut anchors = Anchors {
            table: vec![NOWHERE; count as usize],
            stored: Vec::new(),
        };
        let rank = |sets: &[Squares]| {
            let digits = sets.iter().zip(&sizes);
            digits.fold(0, |raw, (&set, size)| {
                raw * size + rank(&self.binomials, set, self.all)
            })
        };
        for raw in 0..count {
            if anchors.table[raw as usize] != NOWHERE {
                continue;
            }
            let (mut left, mut sets) = (raw, [0; 2]);
            for place in (0..digits.len()).rev() {
                let rank = left % sizes[place];
                sets[place] = unrank(&self.binomials, rank, digits[place].men, self.all);
                left /= sizes[place];
            }
            if !occurs(rules, geometry, digits, sets) {
                continue;
            }
            let number = anchors.stored.len() as u32;
            let mut kept = 0;
            let images = bits(symmetries.into()).map(|turn| {
                let images = sets.map(|set| geometry.image(turn.into(), set));
                (Turn(turn), rank(&images[..digits.len()]))
            });
            let images: Vec<_> = images.collect();
            for &(turn, image) in &images {
                let entry = &mut anchors.table[image as usize];
                if image == raw {
                    kept |= 1 << turn.0;
                }
                if *entry == NOWHERE {
                    *entry = number | u32::from(turn.inverse().0) << TURN_SHIFT;
                }
            }
            if kept != 1 {
                for &(_, image) in &images {
                    anchors.table[image as usize] |= IS_KEPT;
                }
            }
            anchors.stored.push(Anchored { sets, kept });
        }
        anchors
    }

    /// The men of a digit in a position, whose sides are exchanged if `SEEN` is 1.
    #[inline(always)]
    fn men_of<const SEEN: usize>(digit: &Digit, at: &Placing, passing: Squares) -> Squares {
        let men = at.men[(digit.side ^ SEEN) & 1][digit.kind % MOST_KINDS];
        match digit.role {
            Role::All => men,
            Role::Passing => passing,
            Role::Rest => men & !(passing | digit.unmoved[SEEN]),
        }
    }

    /// The entry of the placing of the anchors; `None` if they cannot stand like this.
    #[inline(always)]
    fn entry<const SEEN: usize>(
        &self,
        plan: &Plan,
        geometry: &Geometry,
        at: &Placing,
    ) -> Option<u32> {
        let turn = &geometry.turns[SEEN][0];
        let squares = u64::from(self.all.count_ones());
        let mut raw = 0;
        for digit in &plan.digits[..plan.anchored] {
            let men = Self::men_of::<SEEN>(digit, at, 0);
            if digit.men == 1 {
                raw = raw * squares + u64::from(turn[(men.trailing_zeros() & 63) as usize]);
            } else {
                let size = self.binomials[squares as usize & 127][digit.men & 15];
                raw = raw * size + digit.places.rank(map(turn, men));
            }
        }
        let entry = *plan.anchors.table.get(raw as usize)?;
        (entry != NOWHERE).then_some(entry)
    }

    /// The rest of a number under a symmetry.
    #[inline(always)]
    fn rest<const SEEN: usize>(
        &self,
        plan: &Plan,
        turn: &[u8; 64],
        at: &Placing,
        passing: Squares,
        anchored: (u64, Squares),
    ) -> u64 {
        let (mut number, mut taken) = anchored;
        for digit in &plan.digits[plan.anchored..] {
            let men = Self::men_of::<SEEN>(digit, at, passing);
            let men = if digit.men == 1 {
                1 << turn[(men.trailing_zeros() & 63) as usize]
            } else {
                map(turn, men)
            };
            let rank = if digit.fixed {
                digit.places.rank(men)
            } else {
                rank(&self.binomials, men, self.all & !taken)
            };
            taken |= men;
            number = number * digit.size + rank;
        }
        number
    }

    /// Where a position is stored, without a move, and the symmetry that leads to the stored image;
    /// if `SEEN` is 1, the position as the other side sees it, with that side to move. `None` if the
    /// anchors cannot stand like this.
    #[inline(always)]
    pub(super) fn find<const SEEN: usize>(
        &self,
        geometry: &Geometry,
        layer: LayerNumber,
        at: &Placing,
        passing: Squares,
    ) -> Option<(Placed, usize)> {
        let plan = self.plans[layer as usize].as_ref()?;
        let entry = self.entry::<SEEN>(plan, geometry, at)?;
        let number = entry & NUMBER;
        let turn = (entry >> TURN_SHIFT & 7) as usize;
        let stored = &plan.anchors.stored[number as usize];
        let turns = &geometry.turns[SEEN];
        let anchored = (u64::from(number), stored.sets[0] | stored.sets[1]);
        let rest = |turn: usize| self.rest::<SEEN>(plan, &turns[turn], at, passing, anchored);
        let first = rest(turn);
        let (mut found, mut found_by) = (Placed::new(first, 0), turn);
        if entry & IS_KEPT != 0 {
            for kept in (1..SYMMETRIES).filter(|kept| stored.kept >> kept & 1 == 1) {
                let other = usize::from(Turn(turn as u8).then(Turn(kept as u8)).0);
                let slot = rest(other);
                found.symmetric |= slot == first;
                if slot < found.slot {
                    (found.slot, found_by) = (slot, other);
                }
            }
        }
        found.slot += plan.base;
        Some((found, found_by))
    }

    /// Visits the slots of the positions in which a man of the other side, of a kind and on a
    /// square, stands on one of some squares instead, seen by that side, with it to move; each
    /// with the square. Returns `false`, having visited none, if they must be looked up one by
    /// one.
    #[inline(always)]
    pub(super) fn find_moved(
        &self,
        geometry: &Geometry,
        layer: LayerNumber,
        at: &Placing,
        (kind, square): (KindNumber, Squares),
        origins: Squares,
        mut visit: impl FnMut(u64, usize, Squares),
    ) -> bool {
        let Some(plan) = &self.plans[layer as usize] else {
            return true;
        };
        let Some(place) = plan.own[kind % MOST_KINDS] else {
            return false;
        };
        let Some(entry) = self.entry::<1>(plan, geometry, at) else {
            return true;
        };
        if entry & IS_KEPT != 0 {
            return false;
        }
        let turn = (entry >> TURN_SHIFT & 7) as usize;
        let squares = &geometry.turns[1][turn];
        let (mut number, mut rest) = (u64::from(entry & NUMBER), 0);
        for (at_place, digit) in plan.digits.iter().enumerate().skip(plan.anchored) {
            let men = map(squares, Self::men_of::<1>(digit, at, 0));
            number *= digit.size;
            if at_place == usize::from(place) {
                rest = men & !map(squares, square);
            } else {
                number += digit.places.rank(men);
            }
        }
        let digit = &plan.digits[usize::from(place)];
        for origin in bits(origins) {
            let men = rest | 1 << squares[usize::from(origin) & 63];
            let slot = plan.base + number + digit.places.rank(men) * digit.weight;
            visit(slot, turn, 1 << origin);
        }
        true
    }

    /// What the position of a slot shares with those beside it; `None` if there is no such slot.
    #[inline(always)]
    pub(super) fn run(&self, slot: u64) -> Option<Run> {
        let mut place = *self.coarse.get((slot >> self.shift) as usize)? as usize;
        while *self.ends.get(place)? <= slot {
            place += 1;
        }
        let layer = self.order[place];
        let plan = self.plans[layer as usize].as_ref()?;
        let mut left = slot - plan.base;
        let mut run = Run {
            at: Placing::default(),
            last: 0,
            layer,
            first: slot,
            end: slot + 1,
            kept: 1,
            fits: true,
        };
        let last = plan.digits.len().saturating_sub(1);
        let mut ranks = [0; 2 * MOST_KINDS];
        for (place, digit) in plan.digits.iter().enumerate().skip(plan.anchored).rev() {
            let rank;
            (left, rank) = digit.divide(left);
            if place == last {
                run.first = slot - rank;
                run.end = run.first + digit.size;
            } else {
                ranks[place % (2 * MOST_KINDS)] = rank;
            }
        }
        let stored = plan.anchors.stored.get(left as usize)?;
        run.kept = stored.kept;
        run.at.layer = plan.plain;
        for (digit, set) in plan.digits[..plan.anchored].iter().zip(stored.sets) {
            run.at.men[digit.side][digit.kind] = set;
            run.at.taken[digit.side] |= set;
        }
        if let Some((rook, unmoved)) = plan.unmoved {
            for (side, men) in unmoved.into_iter().enumerate() {
                run.at.men[side][rook] |= men;
                run.at.taken[side] |= men;
            }
        }
        for (digit, &rank) in plan.digits[..last].iter().zip(&ranks).skip(plan.anchored) {
            if self.put(plan, digit, rank, &mut run.at).is_none() {
                run.fits = false;
                break;
            }
        }
        Some(run)
    }

    /// Puts the men of a slot of a [run](Self::run) on its board, in place of those of another
    /// slot; `false` if men collide, or a smaller image is stored.
    #[inline(always)]
    pub(super) fn fill(&self, geometry: &Geometry, run: &mut Run, slot: u64) -> bool {
        let Some(plan) = self.plans[run.layer as usize].as_ref().filter(|_| run.fits) else {
            return false;
        };
        if let [.., last] = &plan.digits[plan.anchored..] {
            if run.last != 0 {
                run.at.taken[last.side] ^= run.last;
                match plan.passing.filter(|_| last.role == Role::Passing) {
                    Some(kind) => run.at.men[1][kind] ^= run.last,
                    None => run.at.men[last.side][last.kind] ^= run.last,
                }
                run.last = 0;
            }
            match self.put(plan, last, slot - run.first, &mut run.at) {
                Some(men) => run.last = men,
                None => return false,
            }
        }
        if run.kept != 1 {
            match self.find::<0>(geometry, run.layer, &run.at, run.at.passing) {
                Some((found, _)) if found.slot == slot => run.at.symmetric = found.symmetric,
                _ => return false,
            }
        }
        true
    }

    /// Puts the men of a digit on a board with those of the digits before; `None` if there is no
    /// room for them.
    #[inline(always)]
    fn put(&self, plan: &Plan, digit: &Digit, rank: u64, at: &mut Placing) -> Option<Squares> {
        let free = self.all & !at.all();
        let men = match digit.places.sets.get(rank as usize) {
            Some(&set) if digit.fixed => set,
            _ if digit.fixed => unrank(&self.binomials, rank, digit.men, digit.squares),
            _ => unrank(&self.binomials, rank, digit.men, free),
        };
        if men & !free != 0 || men & !digit.squares != 0 {
            return None;
        }
        at.taken[digit.side] |= men;
        match (digit.role, plan.passing) {
            (Role::Passing, Some(kind)) => {
                at.passing = men;
                at.men[1][kind] |= men;
            }
            _ => at.men[digit.side][digit.kind] |= men,
        }
        Some(men)
    }
}

/// Whether anchors can stand like this.
fn occurs(rules: &Rules, geometry: &Geometry, digits: &[Digit], sets: [Squares; 2]) -> bool {
    let placed = digits.iter().zip(sets);
    let mut taken = 0;
    for (digit, set) in placed.clone() {
        if set & taken != 0 || set & !digit.squares != 0 {
            return false;
        }
        taken |= set;
        let royal = rules.kinds[digit.kind].royal;
        if royal && rules.try_rule != Try::Never && digit.side == 0 && set & rules.far() != 0 {
            return false;
        }
    }
    // The royal man of the side to move cannot attack the other one with a leap.
    let royal = |digit: &Digit, side| digit.side == side && rules.kinds[digit.kind].royal;
    let mut own = placed.clone().filter(|(digit, _)| royal(digit, 0));
    !(rules.check
        && own.any(|(digit, men)| {
            let mut others = placed.clone().filter(|(other, _)| royal(other, 1));
            let takes = |square| geometry.to(0, digit.kind, square).takes & men != 0;
            others.any(|(_, set)| bits(set).map(usize::from).any(takes))
        }))
}
