//! Everything that moves and numbers need, worked out from the rules once.

use super::geometry::{Geometry, Steps};
use super::index::{Index, MOST_EQUAL, Placing};
use super::material::{LayerNumber, MOST_LAYERS, Material, Materials};
use super::rules::{Kind, KindNumber, MOST_KINDS, Passes, Position, Rules, Sets, Squares};
use super::state::State;
use crate::base::subsets::bits;
use crate::game::{Layer, MostMoves, SizeError};

/// A game of pieces with its tables.
#[derive(Debug)]
pub(super) struct Core {
    pub rules: Rules,
    pub geometry: Geometry,
    pub materials: Materials,
    pub index: Index,
    /// The layers in the order of their slots.
    pub layers: Vec<Layer>,
    pub royal_kind: Option<KindNumber>,
    /// The kind of the men that can be taken in passing.
    pub passing_kind: Option<KindNumber>,
    /// Kinds whose moves to free squares change nothing but the square of a man, unless that
    /// completes a goal.
    pub plain_kinds: [bool; MOST_KINDS],
    /// The far and the home rank of the side to move.
    pub far: Squares,
    pub home: Squares,
    /// The goals that each square belongs to.
    pub goals: Box<[Vec<Squares>; 64]>,
    /// The corners of the board, each with the squares beside it, where they decide games.
    pub corners: Vec<(Squares, Squares)>,
    /// Whether there are such corners, castling or passes, which most games are spared.
    pub is_special: bool,
    /// What a side can drop on and promote on, and where its men can stand, as the side to move
    /// sees it.
    pub drops: Sets,
    pub promotes: Sets,
    pub stands: Sets,
    pub numbers: Numbers,
    /// What a man of each kind is worth: the mean number of squares it goes to or takes on from a
    /// square of an empty board, in tenths.
    pub worth: [u32; MOST_KINDS],
    pub takes: bool,
    /// The least steps of men; none without goals.
    pub steps: Steps,
}

/// The numbers of moves: those of a man in the order of the squares it could go to on an empty
/// board, men in the order of their squares, kinds in the order of the rules, then drops and a pass.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By kind, square and target: what a move adds to the first number of its man.
    targets: Vec<Box<[[u8; 64]; 64]>>,
    /// How many numbers a man takes.
    of_man: [u8; MOST_KINDS],
    /// The first number of each kind and of its drops, by layer.
    first: Vec<[u8; MOST_KINDS]>,
    first_drop: Vec<[u8; MOST_KINDS]>,
    /// The number of a pass, by layer.
    pub pass: Vec<u8>,
    pub most: MostMoves,
}

/// Something about each kind.
fn by_kind<T: Default>(rules: &Rules, of: impl Fn(KindNumber, &Kind) -> T) -> [T; MOST_KINDS] {
    std::array::from_fn(|number| {
        let kind = rules.kinds.get(number);
        kind.map(|kind| of(number, kind)).unwrap_or_default()
    })
}

impl Core {
    /// Without any materials to start from, that of any men.
    pub(super) fn new(rules: Rules, spec: &str, starts: &[Material]) -> Result<Self, SizeError> {
        let refuse = |what: &str| {
            SizeError::new(format!(
                "{spec} {what}; leave out men or kinds of men, first those that promote to many kinds"
            ))
        };
        let too_many = |men: &Material| {
            let mut men = men.board.as_flattened().iter();
            men.any(|&men| usize::from(men) > MOST_EQUAL)
        };
        if starts.iter().any(too_many) {
            return Err(refuse("has more than 15 equal men on a side"));
        }
        let geometry = Geometry::new(&rules);
        let materials = match starts {
            [] => Materials::of_any(&rules),
            _ => Materials::new(&rules, starts)
                .ok_or_else(|| refuse(&format!("has more than {MOST_LAYERS} materials")))?,
        };
        let mut live = materials.layers.iter().filter(|layer| layer.live);
        if live.any(|layer| too_many(&layer.material)) {
            return Err(refuse("lets a side have more than 15 equal men"));
        }
        let index = Index::new(&rules, &geometry, &materials)
            .ok_or_else(|| refuse("has more than a million million slots for positions"))?;
        let numbers = Numbers::new(&rules, &geometry, &materials)
            .ok_or_else(|| refuse("lets a side have more than 254 moves"))?;
        let layers = index.layers().map(|(number, slots)| {
            let layer = &materials.layers[number as usize];
            let name = layer.material.name(&rules);
            let group = layer.group;
            Layer { name, slots, group }
        });
        let goals = Box::new(std::array::from_fn(|square| {
            let goals = rules.goals.iter().copied();
            goals.filter(|goal| goal >> square & 1 == 1).collect()
        }));
        let seen = |of: fn(&Kind) -> Squares| {
            [0, 1].map(|side| by_kind(&rules, |_, kind| rules.set_seen_by(side, of(kind))))
        };
        Ok(Self {
            layers: layers.collect(),
            plain_kinds: by_kind(&rules, |_, kind| {
                let everywhere = kind.squares == rules.all();
                let special = kind.royal || kind.passing.is_some() || kind.wins_on_far_rank;
                everywhere && !special && kind.promotes_to.is_empty()
            }),
            worth: by_kind(&rules, |number, kind| {
                let reaches = |square: u8| geometry.from(0, number, square.into()).all();
                let all: u32 = bits(kind.squares)
                    .map(|square| reaches(square).count_ones())
                    .sum();
                10 * all / kind.squares.count_ones().max(1)
            }),
            drops: seen(|kind| kind.drop_squares),
            promotes: seen(|kind| kind.promotion_squares),
            stands: seen(|kind| kind.squares),
            takes: rules.has_taking(),
            steps: if rules.goals.is_empty() {
                Vec::new()
            } else {
                geometry.least_steps(&rules)
            },
            royal_kind: rules.royal_kind(),
            passing_kind: rules.passing_kinds().map(|(kind, _)| kind),
            far: rules.far(),
            home: rules.rank(1),
            corners: rules.corners(),
            is_special: rules.cornered_wins
                || rules.castling.is_some()
                || rules.passes != Passes::Never,
            geometry,
            materials,
            index,
            goals,
            numbers,
            rules,
        })
    }

    /// The position of a state with its layer; `None` if play does not come to its material.
    pub(super) fn placing(&self, state: &State) -> Option<Placing> {
        let placing = self.known(&state.at)?;
        self.layer(&placing).live.then_some(placing)
    }

    /// A position with its layer, though it may be the other side's turn; `None` if there is no
    /// layer of its material.
    pub(super) fn known(&self, at: &Position) -> Option<Placing> {
        if at.castling != 0 && at.castling & !self.rules.most_rights(&at.men) != 0 {
            return None;
        }
        Some(Placing {
            men: at.men,
            taken: [at.of_side(0), at.of_side(1)],
            passing: at.passing,
            layer: self.materials.known(&at.material())?,
            symmetric: false,
        })
    }

    pub(super) fn position(&self, at: &Placing) -> Position {
        Position {
            men: at.men,
            hands: self.layer(at).material.hands,
            passing: at.passing,
            castling: self.layer(at).material.castling,
        }
    }

    /// The layer of a placing, with or without a man that can be taken in passing.
    pub(super) fn layer_with(&self, layer: LayerNumber, passing: Squares) -> LayerNumber {
        match passing {
            0 => layer,
            _ => self.materials.layers[layer as usize].passing,
        }
    }
}

impl Numbers {
    /// `None` if there are too many.
    fn new(rules: &Rules, geometry: &Geometry, materials: &Materials) -> Option<Self> {
        let mut numbers = Self {
            targets: Vec::new(),
            of_man: [0; MOST_KINDS],
            first: Vec::new(),
            first_drop: Vec::new(),
            pass: Vec::new(),
            most: MostMoves {
                within: 0,
                numbers: 0,
            },
        };
        for (number, kind) in rules.kinds.iter().enumerate() {
            let mut targets = Box::new([[0; 64]; 64]);
            for (square, of_square) in targets.iter_mut().enumerate() {
                let all = geometry.from(0, number, square).all();
                let stays = usize::from(kind.promotion_optional);
                let choices = match all & kind.promotion_squares {
                    0 => 1,
                    _ => u8::try_from(kind.promotes_to.len() + stays).ok()?,
                };
                let mut next: u8 = 0;
                for target in bits(all) {
                    of_square[usize::from(target)] = next;
                    next = next.checked_add(choices)?;
                }
                for (.., [[from, to], _]) in rules.ways(3) {
                    if kind.royal && usize::from(from) == square {
                        of_square[usize::from(to)] = next;
                        next = next.checked_add(1)?;
                    }
                }
                numbers.of_man[number] = numbers.of_man[number].max(next);
            }
            numbers.targets.push(targets);
        }
        for layer in &materials.layers {
            let (mut first, mut first_drop) = ([0; MOST_KINDS], [0; MOST_KINDS]);
            let mut next: u8 = 0;
            if layer.live {
                let material = materials.layers[layer.plain as usize].material;
                for (kind, first) in first.iter_mut().enumerate() {
                    *first = next;
                    let men = u32::from(layer.moves_men) * u32::from(material.board[0][kind]);
                    let of_men = men * u32::from(numbers.of_man[kind]);
                    next = next.checked_add(u8::try_from(of_men).ok()?)?;
                }
                for &kind in &layer.in_hand {
                    first_drop[kind] = next;
                    let squares = rules.kinds[kind].drop_squares.count_ones();
                    next = next.checked_add(u8::try_from(squares).ok()?)?;
                }
                numbers.pass.push(next);
                if rules.passes != Passes::Never {
                    next = next.checked_add(1)?;
                }
                // 255 stands for no move.
                if next == u8::MAX {
                    return None;
                }
                numbers.most.numbers = numbers.most.numbers.max(next);
                numbers.most.within = numbers.most.numbers;
            }
            numbers.pass.resize(numbers.first.len() + 1, 0);
            numbers.first.push(first);
            numbers.first_drop.push(first_drop);
        }
        Some(numbers)
    }

    /// The first number of a man, on a square of the stored position, where `men` are those of
    /// its kind and side.
    #[inline(always)]
    pub(super) fn of_man(
        &self,
        layer: LayerNumber,
        kind: KindNumber,
        men: Squares,
        from: Squares,
    ) -> u8 {
        let before = match men & (men - 1) {
            0 => 0,
            _ => (men & (from - 1)).count_ones() as u8,
        };
        self.first[layer as usize][kind] + before * self.of_man[kind]
    }

    /// What the number of a move of a man adds, by its target. Where it may become one of several
    /// kinds, the place of that kind is to be added.
    #[inline(always)]
    pub(super) fn of_targets(&self, kind: KindNumber, from: usize) -> &[u8; 64] {
        &self.targets[kind][from & 63]
    }

    #[inline(always)]
    pub(super) fn of_drop(
        &self,
        rules: &Rules,
        layer: LayerNumber,
        kind: KindNumber,
        to: Squares,
    ) -> u8 {
        let squares = rules.kinds[kind].drop_squares;
        self.first_drop[layer as usize][kind] + (squares & (to - 1)).count_ones() as u8
    }
}
