//! Materials, the layers of a table: which men each side has. Moves lead from one to another.

use foldhash::fast::FixedState;
use indexmap::IndexMap;

use super::rules::{
    ALL_RIGHTS, Counts, KindNumber, MOST_KINDS, Passes, Rights, Rules, Squares, turned_rights,
};

/// The most layers of a game. Every layer takes about two kilobytes.
pub(super) const MOST_LAYERS: usize = 1 << 14;

/// The numbers of men on the board and in hand, by side and kind, and which of them may castle. The
/// side to move comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub(super) struct Material {
    pub board: Counts,
    pub hands: Counts,
    pub castling: Rights,
}

pub(super) type LayerNumber = u32;

pub(super) const NO_LAYER: LayerNumber = LayerNumber::MAX;

/// What moves and un-moves need of a material.
#[derive(Debug, Clone, Default)]
pub(super) struct MaterialLayer {
    pub material: Material,
    /// Whether play comes to it while the game goes on.
    pub live: bool,
    /// Whether it can be the turn of the side that begins, and of the other one, in a game with a
    /// start.
    pub turns: [bool; 2],
    /// The same layer, if no man can be taken in passing.
    pub plain: LayerNumber,
    /// The same layer, but a man of the other side can be taken in passing.
    pub passing: LayerNumber,
    /// In such a layer: the kind of that man, with all its rights.
    pub passing_kind: Option<KindNumber>,
    /// The layer with the other side to move.
    pub turned: LayerNumber,
    /// The squares of men that have not moved and may castle, by side.
    pub unmoved: [Squares; 2],
    /// The layers after a man of the other side is taken, by its kind. These, and those after other
    /// changes, have no rights to castle.
    pub taking: [LayerNumber; MOST_KINDS],
    /// The layers after a man is dropped, by its kind.
    pub dropping: [LayerNumber; MOST_KINDS],
    /// The layers after a man is promoted, by its kind and the kind it becomes.
    pub promoting: Box<[[LayerNumber; MOST_KINDS]; MOST_KINDS]>,
    /// The kinds of each side's men on the board.
    pub kinds: [Vec<KindNumber>; 2],
    /// The kinds of the men in the hand of the side to move.
    pub in_hand: Vec<KindNumber>,
    pub group: usize,
    /// Whether the side to move has lost because it has too few men.
    pub lost: bool,
    pub moves_men: bool,
    /// How men of the other side may have come to be what they are, within the group.
    pub unmoves: Vec<UnMoves>,
    /// Kinds of men of the other side that may have been dropped, with the layers before.
    pub undrops: Vec<(KindNumber, LayerNumber)>,
}

/// The un-moves of men of the other side that are of one kind and were of one.
#[derive(Debug, Clone)]
pub(super) struct UnMoves {
    pub now: KindNumber,
    pub before: KindNumber,
    /// The layer before, if nothing was taken; [`NO_LAYER`] if that is not in the group.
    pub quiet: LayerNumber,
    /// Kinds of men of the side to move that may have been taken, with the layers before.
    pub untaken: Vec<(KindNumber, LayerNumber)>,
}

impl Material {
    pub(super) const fn turned(&self) -> Self {
        Self {
            board: [self.board[1], self.board[0]],
            hands: [self.hands[1], self.hands[0]],
            castling: turned_rights(self.castling),
        }
    }

    pub(super) const fn without_rights(self) -> Self {
        Self {
            castling: 0,
            ..self
        }
    }

    /// The number of both sides' men of a kind, on the board and in hand.
    pub(super) fn of_kind(&self, kind: KindNumber) -> u8 {
        let counts = self.board.iter().chain(&self.hands);
        counts.map(|counts| counts[kind]).sum()
    }

    fn taking(mut self, rules: &Rules, kind: KindNumber) -> Option<Self> {
        let takes = |own: KindNumber| {
            let mut steps = rules.kinds[own].steps.iter();
            steps.any(|step| step.takes || step.takes_in_passing)
        };
        let can = (0..rules.kinds.len()).any(|own| self.board[0][own] > 0 && takes(own));
        if self.board[1][kind] == 0 || !can || rules.kinds[kind].royal {
            return None;
        }
        self.board[1][kind] -= 1;
        if rules.to_hand {
            self.hands[0][rules.kinds[kind].in_hand] += 1;
        }
        Some(self)
    }

    /// The material before a man that is in hand now was taken.
    fn untaking(mut self, rules: &Rules, kind: KindNumber) -> Option<Self> {
        let kind_of = &rules.kinds[kind];
        if !rules.to_hand || kind_of.royal {
            return None;
        }
        let held = &mut self.hands[0][kind_of.in_hand];
        *held = held.checked_sub(1)?;
        self.board[1][kind] += 1;
        Some(self)
    }

    fn promoting(mut self, rules: &Rules, from: KindNumber, to: KindNumber) -> Option<Self> {
        if self.board[0][from] == 0 || !rules.kinds[from].promotes_to.contains(&to) {
            return None;
        }
        self.board[0][from] -= 1;
        self.board[0][to] += 1;
        Some(self)
    }

    fn dropping(mut self, kind: KindNumber) -> Option<Self> {
        self.hands[0][kind] = self.hands[0][kind].checked_sub(1)?;
        self.board[0][kind] += 1;
        Some(self)
    }

    /// Whether the side to move has lost because it has too few men.
    fn is_lost(&self, rules: &Rules) -> bool {
        let men = |royal: bool| {
            let of = |kind: KindNumber| {
                let counts = self.board[0][kind] + self.hands[0][kind];
                rules.kinds[kind].royal == royal && counts > 0
            };
            (0..rules.kinds.len()).any(of)
        };
        rules.bare_loses && !men(false) || rules.no_pieces_loses && !men(false) && !men(true)
    }

    fn moves_men(&self, rules: &Rules) -> bool {
        !(rules.drop_first && self.hands[0].iter().any(|&men| men > 0))
    }

    /// The materials after all kinds of moves, seen by the side that moved.
    fn after_moves(&self, rules: &Rules) -> Vec<Self> {
        let kinds = || 0..rules.kinds.len();
        let mut after = Vec::new();
        if self.moves_men(rules) && self.board[0].iter().any(|&men| men > 0) {
            let taken = kinds().filter_map(|kind| Some((Some(kind), self.taking(rules, kind)?)));
            for (taken, base) in std::iter::once((None, *self)).chain(taken) {
                for base in base.with_lost_rights(rules, taken) {
                    after.push(base);
                    for from in kinds() {
                        let promoted = kinds().filter_map(|to| base.promoting(rules, from, to));
                        after.extend(promoted);
                    }
                }
            }
        }
        after.extend(kinds().filter_map(|kind| self.dropping(kind)));
        if rules.passes != Passes::Never {
            after.push(*self);
        }
        after
    }

    /// The material in letters: `KQ-KR`, with hands in brackets.
    pub(super) fn name(&self, rules: &Rules) -> String {
        let alone = rules.has_one_kind();
        let letters = |counts: &[u8; MOST_KINDS]| {
            if alone {
                return counts.iter().sum::<u8>().to_string();
            }
            let men = rules.kinds.iter().zip(counts).flat_map(|(kind, &count)| {
                let sign = if kind.passing_of.is_some() { "*" } else { "" };
                std::iter::repeat_n(format!("{}{sign}", kind.letter), count.into())
            });
            men.collect()
        };
        let [own, other] = &self.board;
        let mut name = format!("{}-{}", letters(own), letters(other));
        let held = self.hands.iter().flatten().any(|&men| men > 0);
        if held && rules.all_men().is_none() {
            let [own, other] = &self.hands;
            let (own, other) = (letters(own), letters(other));
            name.extend(["[", &own, "-", &other, "]"]);
        }
        if self.castling != 0 {
            name.push('+');
            name += &rules.letters_of_rights(self.castling);
        }
        name
    }
}

/// All layers of a game, live or named by one that is.
#[derive(Debug)]
pub(super) struct Materials {
    pub layers: Vec<MaterialLayer>,
    /// The live layers of each group, in the order of solving.
    pub groups: Vec<Vec<LayerNumber>>,
    /// The materials in the order of their layers, each with the sides that can be to move in it,
    /// as in `turns`.
    numbers: IndexMap<Material, [bool; 2], FixedState>,
}

impl Materials {
    /// Everything that play makes of some materials, with either side to move. `None` if that
    /// is too much.
    pub(super) fn new(rules: &Rules, starts: &[Material]) -> Option<Self> {
        let kinds = || 0..rules.kinds.len();
        let mut numbers = IndexMap::<Material, [bool; 2], FixedState>::default();
        let mut open: Vec<_> = starts.iter().map(|&start| (start, 0)).collect();
        while let Some((material, side)) = open.pop() {
            numbers.entry(material).or_default();
            if numbers.len() > MOST_LAYERS {
                return None;
            }
            let turn = &mut numbers[&material][side];
            if *turn || material.is_lost(rules) {
                continue;
            }
            *turn = true;
            let after = material.after_moves(rules).into_iter();
            open.extend(after.map(|after| (after.turned(), 1 - side)));
        }
        // Moves of two parts, such as a promotion that takes, pass through others.
        let mut at = 0;
        while let Some((&material, _)) = numbers.get_index(at) {
            at += 1;
            numbers.entry(material.turned()).or_default();
            let material = material.without_rights();
            numbers.entry(material).or_default();
            for kind in kinds() {
                let steps = [material.taking(rules, kind), material.dropping(kind)];
                let promoted = kinds().map(|to| material.promoting(rules, kind, to));
                for next in steps.into_iter().chain(promoted).flatten() {
                    numbers.entry(next).or_default();
                }
            }
            if numbers.len() > 4 * MOST_LAYERS {
                return None;
            }
        }
        let mut found = Self {
            layers: Vec::new(),
            groups: Vec::new(),
            numbers,
        };
        let layers = (0..).zip(&found.numbers);
        let layers = layers.map(|(number, of)| found.layer(rules, number, of));
        found.layers = layers.collect();
        found.add_passing(rules);
        found.group(rules);
        found.find_unmoves(rules);
        Some(found)
    }

    /// One layer for any men of an ending and any rights to castle, for moves alone: its positions
    /// have no numbers.
    pub(super) fn of_any(rules: &Rules) -> Self {
        let kinds: Vec<_> = rules.written_kinds().map(|(kind, _)| kind).collect();
        // All moves but drops lead to it again.
        let layer = |castling: Rights| MaterialLayer {
            material: Material {
                castling,
                ..Material::default()
            },
            turned: turned_rights(castling).into(),
            live: true,
            turns: [true; 2],
            dropping: [NO_LAYER; MOST_KINDS],
            kinds: [kinds.clone(), kinds.clone()],
            moves_men: true,
            ..MaterialLayer::default()
        };
        Self {
            layers: (0..=ALL_RIGHTS).map(layer).collect(),
            groups: Vec::new(),
            numbers: IndexMap::default(),
        }
    }

    fn numbered(&self, material: Option<Material>) -> LayerNumber {
        let known = material.and_then(|material| self.known(&material));
        known.unwrap_or(NO_LAYER)
    }

    /// The layer of a material, live or not, if there is one.
    pub(super) fn known(&self, material: &Material) -> Option<LayerNumber> {
        if self.numbers.is_empty() {
            return Some(material.castling.into());
        }
        let number = self.numbers.get_index_of(material)?;
        Some(number as LayerNumber)
    }

    /// The live layer of a material, if there is one.
    pub(super) fn find(&self, material: &Material) -> Option<LayerNumber> {
        let number = self.known(material)?;
        self.layers[number as usize].live.then_some(number)
    }

    fn layer(
        &self,
        rules: &Rules,
        number: LayerNumber,
        (&material, &turns): (&Material, &[bool; 2]),
    ) -> MaterialLayer {
        let mut taking = [NO_LAYER; MOST_KINDS];
        let mut dropping = taking;
        let mut promoting = Box::new([taking; MOST_KINDS]);
        let plain = material.without_rights();
        let mut unmoved = [0; 2];
        for kind in 0..rules.kinds.len() {
            let of_kind = rules.unmoved(kind, material.castling);
            unmoved = [0, 1].map(|side| unmoved[side] | of_kind[side]);
            taking[kind] = self.numbered(plain.taking(rules, kind));
            dropping[kind] = self.numbered(plain.dropping(kind));
            for to in 0..rules.kinds.len() {
                promoting[kind][to] = self.numbered(plain.promoting(rules, kind, to));
            }
        }
        let present = |counts: &[u8; MOST_KINDS]| -> Vec<_> {
            (0..MOST_KINDS).filter(|&kind| counts[kind] > 0).collect()
        };
        MaterialLayer {
            live: turns != [false; 2],
            turns,
            plain: number,
            passing: NO_LAYER,
            turned: self.numbered(Some(material.turned())),
            unmoved,
            taking,
            dropping,
            promoting,
            kinds: [present(&material.board[0]), present(&material.board[1])],
            in_hand: present(&material.hands[0]),
            lost: material.is_lost(rules),
            moves_men: material.moves_men(rules),
            material,
            ..MaterialLayer::default()
        }
    }

    /// Adds the layers in which a man of the other side can be taken in passing: one of its men
    /// is of a kind of its own there.
    fn add_passing(&mut self, rules: &Rules) {
        let Some((kind, passing)) = rules.passing_kinds() else {
            return;
        };
        for place in 0..self.layers.len() {
            let plain = &self.layers[place];
            let [own, other] = &plain.material.board;
            if !plain.live || own[kind] == 0 || other[kind] == 0 {
                continue;
            }
            let mut layer = plain.clone();
            layer.material.board[1][kind] -= 1;
            layer.material.board[1][passing] += 1;
            layer.passing_kind = Some(kind);
            self.layers[place].passing = self.layers.len() as LayerNumber;
            self.layers.push(layer);
        }
    }

    /// Finds the groups, the strongly connected layers.
    fn group(&mut self, rules: &Rules) {
        let edges: Vec<Vec<LayerNumber>> = (self.layers.iter())
            .map(|layer| {
                if !layer.live {
                    return Vec::new();
                }
                let material = self.layers[layer.plain as usize].material;
                let after = material.after_moves(rules).into_iter();
                let next = after.filter_map(|after| self.find(&after.turned()));
                let next = next.flat_map(|next| [next, self.layers[next as usize].passing]);
                let mut next: Vec<_> = next.filter(|&next| next != NO_LAYER).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        let mut groups = components(&edges);
        groups.retain(|group| self.layers[group[0] as usize].live);
        for (number, group) in groups.iter().enumerate() {
            for &layer in group {
                self.layers[layer as usize].group = number;
            }
        }
        self.groups = groups;
    }

    fn find_unmoves(&mut self, rules: &Rules) {
        for place in 0..self.layers.len() {
            let layer = &self.layers[place];
            // Of the side that moved last, only the man that can be taken in passing has moved.
            if !layer.live || layer.passing_kind.is_some() {
                continue;
            }
            let after = layer.material.turned();
            let before = |material: &Material| {
                let number = self.find(material)?;
                let before = &self.layers[number as usize];
                (before.group == layer.group).then_some((number, before.moves_men))
            };
            let moved = |material: &Material| {
                let (number, moves_men) = before(material)?;
                moves_men.then_some(number)
            };
            let (mut unmoves, mut undrops) = (Vec::new(), Vec::new());
            for (now, of_now) in rules.kinds.iter().enumerate() {
                if after.board[0][now] == 0 {
                    continue;
                }
                for (was, of_was) in rules.kinds.iter().enumerate() {
                    if was != now && !of_was.promotes_to.contains(&now) {
                        continue;
                    }
                    let mut material = after;
                    material.board[0][now] -= 1;
                    material.board[0][was] += 1;
                    let untaken = (0..rules.kinds.len()).filter_map(|taken| {
                        let before = material.untaking(rules, taken)?;
                        Some((taken, moved(&before)?))
                    });
                    let untaken: Vec<_> = untaken.collect();
                    let quiet = moved(&material).unwrap_or(NO_LAYER);
                    if quiet != NO_LAYER || !untaken.is_empty() {
                        unmoves.push(UnMoves {
                            now,
                            before: was,
                            quiet,
                            untaken,
                        });
                    }
                }
                if of_now.passing_of.is_none() {
                    let mut material = after;
                    material.board[0][now] -= 1;
                    material.hands[0][now] += 1;
                    undrops.extend(before(&material).map(|(layer, _)| (now, layer)));
                }
            }
            let layer = &mut self.layers[place];
            (layer.unmoves, layer.undrops) = (unmoves, undrops);
        }
    }
}

/// The strongly connected components of a graph, each after those that it leads to (R. Tarjan,
/// *Depth-first search and linear graph algorithms*, 1972).
fn components(edges: &[Vec<LayerNumber>]) -> Vec<Vec<LayerNumber>> {
    const UNSEEN: usize = usize::MAX;
    const FOUND: usize = usize::MAX;
    let mut order = vec![UNSEEN; edges.len()];
    let mut low = vec![0; edges.len()];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..edges.len() {
        if order[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                stack.push(node as LayerNumber);
            }
            if let Some(&to) = edges[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if order[to] == UNSEEN {
                    path.push((to, 0));
                } else {
                    low[node] = low[node].min(low[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let first = stack.iter().rposition(|&member| member as usize == node);
                let mut component = stack.split_off(first.unwrap_or(0));
                for &member in &component {
                    low[member as usize] = FOUND;
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}
