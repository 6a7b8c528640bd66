//! The numbering of positions: pieces in hand, lions, which animals are on the board and
//! whose the others are, and the squares of each animal among those that are left.
//!
//! The slots of a layer go through the pairs of lions; for each pair, through its *casts*,
//! the numbers of giraffes, elephants and chicks on the board; and for each cast, in mixed
//! radix, through hands, squares of giraffes, their owners, the same for elephants and for
//! chicks, and which chicks are hens. Without drops, each side has at most one of each animal, so
//! that the owner of one man tells that of the other. By the exchange of files the lion of the side to move
//! stands on the files a or b, and if it is on b, so does the other lion. With both on b,
//! the greater of the two slots of mirror images is vacant.
#![expect(
    clippy::cast_possible_truncation,
    reason = "sets have at most 12 bits and numbers of men are at most 2"
)]

use super::geometry::{ALL, FAR, Squares, bit};
use super::setup::Rules;
use super::state::{Army, Position, mirrored_number};
use crate::base::cpu::{deposit, extract};
use crate::base::subsets::binomial;
use crate::game::{Layer, Placed};

/// The squares left when the lions stand.
const LEFT: u32 = 10;

/// How many of each animal are on the board, and the sizes that follow.
#[derive(Debug, Clone)]
struct Cast {
    on_board: [u8; 3],
    /// The numbers of ways to share out each animal's men in hand.
    hands: [u32; 3],
    /// The numbers of ways to place each animal, owners included.
    ways: [u32; 3],
    /// Its first slot among those of a pair of lions.
    start: u32,
    /// The number of its slots for a pair of lions.
    size: u32,
}

/// The numbering.
#[derive(Debug)]
pub(super) struct Index {
    rules: Rules,
    layers: Vec<Layer>,
    /// For each layer, the slots of a pair of lions and their casts.
    casts: Vec<(u32, Vec<Cast>)>,
    /// The layer and the place of the cast with these numbers on the board.
    cast_of: [(u8, u8); 27],
    /// The number of a pair of lions.
    pair_of: [[u8; 12]; 12],
    /// The lions of each pair.
    pairs: Vec<(u8, u8)>,
    /// The rank of each set of places among the sets of its size.
    ranks: Vec<u16>,
    /// The sets of each size up to two, in order.
    sets: [Vec<u16>; 3],
}

impl Index {
    pub(super) fn new(rules: Rules) -> Self {
        let mut pairs = Vec::new();
        let mut pair_of = [[u8::MAX; 12]; 12];
        for file in 0..2_u8 {
            for own in (0..12).filter(|own| own % 3 == file && bit(*own) & FAR == 0) {
                for opp in (0..12).filter(|&opp| opp != own && (file == 0 || opp % 3 < 2)) {
                    pair_of[usize::from(own)][usize::from(opp)] =
                        u8::try_from(pairs.len()).unwrap_or(u8::MAX);
                    pairs.push((own, opp));
                }
            }
        }
        let men = rules.men();
        let most = |animal: usize| 2 * u8::from(rules.animals[animal]);
        let all: Vec<[u8; 3]> = (0..=most(0))
            .flat_map(|g| (0..=most(1)).flat_map(move |e| (0..=2).map(move |c| [g, e, c])))
            .filter(|numbers| numbers[2] <= most(2))
            .collect();
        let (mut casts, mut layers, mut cast_of, mut first) =
            (Vec::new(), Vec::new(), [(0, 0); 27], 0);
        for number in 0..=men {
            // With drops, layers are by men in hand; without, by men on the board, the fewest
            // first, because captures lead there.
            let on_board = if rules.drops { men - number } else { number };
            let (mut start, mut of_layer) = (0, Vec::new());
            for &numbers in all
                .iter()
                .filter(|numbers| numbers.iter().sum::<u8>() == on_board)
            {
                let cast = cast(rules, numbers, start);
                start += cast.size;
                let places = (casts.len(), of_layer.len());
                let [layer, place] = [places.0, places.1].map(|n| u8::try_from(n).unwrap_or(0));
                cast_of[key(numbers)] = (layer, place);
                of_layer.push(cast);
            }
            casts.push((start, of_layer));
            let end = first + u64::from(start) * pairs.len() as u64;
            layers.push(Layer {
                name: if rules.drops {
                    format!("hand{number}")
                } else {
                    format!("board{number}")
                },
                slots: first..end,
                group: if rules.drops { 0 } else { number.into() },
            });
            first = end;
        }
        let mut sets = [const { Vec::new() }; 3];
        let mut ranks = vec![0; 1 << LEFT];
        for set in 0..1_u16 << LEFT {
            if let Some(same) = sets.get_mut(set.count_ones() as usize) {
                ranks[usize::from(set)] = u16::try_from(same.len()).unwrap_or(0);
                same.push(set);
            }
        }
        Self {
            rules,
            layers,
            casts,
            cast_of,
            pair_of,
            pairs,
            ranks,
            sets,
        }
    }

    /// The layers with their slots.
    pub(super) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The lion squares of the side to move, in the order of slots.
    pub(super) fn lions(&self) -> Vec<u8> {
        let mut lions: Vec<u8> = self.pairs.iter().map(|&(own, _)| own).collect();
        lions.dedup();
        lions
    }

    /// The number of bits that tell the owners of this many men of an animal.
    #[inline]
    const fn owner_bits(&self, men: u8) -> u8 {
        if self.rules.drops || men < 2 { men } else { 1 }
    }

    /// The slot of a position whose lions are on files as in the numbering; with both on b, its
    /// image has another slot.
    #[inline]
    fn slot(&self, at: &Position) -> u64 {
        let free = u32::from(ALL & !(bit(at.own.lion) | bit(at.opp.lion)));
        let sets = |animal: usize| {
            let (own, opp) = (at.own.men[animal], at.opp.men[animal]);
            if animal == 2 {
                (own | at.own.men[3], opp | at.opp.men[3])
            } else {
                (own, opp)
            }
        };
        let (mut left, mut code, mut hand) = (free, 0, 0);
        let mut numbers = [0; 3];
        let mut placed = [0_u32; 3];
        for animal in 0..3 {
            let (own, opp) = sets(animal);
            let all = u32::from(own | opp);
            let set = extract(all, left);
            numbers[animal] = all.count_ones() as u8;
            let bits = self.owner_bits(numbers[animal]);
            let owners = extract(own.into(), all) & ((1 << bits) - 1);
            let mut ways = u32::from(self.ranks[set as usize]) << bits | owners;
            if animal == 2 {
                let hens = extract((at.own.men[3] | at.opp.men[3]).into(), all);
                ways = ways << numbers[animal] | hens;
            }
            placed[animal] = ways;
            left &= !all;
        }
        let (layer, place) = self.cast_of[key(numbers)];
        let (per_pair, casts) = &self.casts[usize::from(layer)];
        let cast = &casts[usize::from(place)];
        for (ways, placed) in cast.ways.into_iter().zip(placed) {
            code = code * ways + placed;
        }
        for animal in 0..3 {
            hand = hand * cast.hands[animal] + u32::from(at.own.hand[animal]);
        }
        let ways = cast.ways[0] * cast.ways[1] * cast.ways[2];
        let pair = self.pair_of[usize::from(at.own.lion)][usize::from(at.opp.lion)];
        self.layers[usize::from(layer)].slots.start
            + u64::from(pair) * u64::from(*per_pair)
            + u64::from(cast.start + hand * ways + code)
    }

    /// The place of a position and of a move of it.
    #[inline]
    pub(super) fn place(&self, at: &Position, number: u8) -> Placed {
        let (own, opp) = (at.own.lion % 3, at.opp.lion % 3);
        if own == 1 && opp == 1 {
            return self.place_on_middle_file(at, number);
        }
        if own == 2 || own == 1 && opp == 2 {
            return Placed {
                slot: self.slot(&at.mirrored()),
                symmetric: false,
                number: mirrored_number(number),
            };
        }
        Placed {
            slot: self.slot(at),
            symmetric: false,
            number,
        }
    }

    fn place_on_middle_file(&self, at: &Position, number: u8) -> Placed {
        let (slot, image) = (self.slot(at), self.slot(&at.mirrored()));
        Placed {
            slot: slot.min(image),
            symmetric: slot == image,
            number: if image < slot {
                mirrored_number(number)
            } else {
                number
            },
        }
    }

    /// The position of a slot, and whether it is its own mirror image; `None` if the slot is
    /// vacant or past the end.
    #[inline]
    pub(super) fn position(&self, slot: u64) -> Option<(Position, bool)> {
        let layer = self
            .layers
            .iter()
            .position(|layer| slot < layer.slots.end)?;
        let (per_pair, casts) = &self.casts[layer];
        let within = u32::try_from(slot - self.layers[layer].slots.start).ok()?;
        let (pair, mut code) = (within / per_pair, within % per_pair);
        let (own_lion, opp_lion) = self.pairs[pair as usize];
        let cast = casts.iter().rfind(|cast| cast.start <= code)?;
        code -= cast.start;
        let army = |lion| Army {
            lion,
            men: [0; 4],
            hand: [0; 3],
        };
        let (mut own, mut opp) = (army(own_lion), army(opp_lion));
        let chicks = code % cast.ways[2];
        code /= cast.ways[2];
        let elephants = code % cast.ways[1];
        code /= cast.ways[1];
        let giraffes = code % cast.ways[0];
        let mut hands = code / cast.ways[0];
        let mut left: Squares = ALL & !(bit(own_lion) | bit(opp_lion));
        for (animal, mut ways) in [giraffes, elephants, chicks].into_iter().enumerate() {
            let on_board = cast.on_board[animal];
            let hens = ways & ((1 << on_board) - 1);
            if animal == 2 {
                ways >>= on_board;
            }
            let bits = self.owner_bits(on_board);
            let mut owners = ways & ((1 << bits) - 1);
            if bits < on_board {
                owners |= (owners ^ 1) << 1;
            }
            let set = self.sets[usize::from(on_board)][(ways >> bits) as usize];
            let all = deposit(set.into(), left.into());
            let mine = deposit(owners, all) as Squares;
            let theirs = all as Squares & !mine;
            let hens = if animal == 2 {
                deposit(hens, all) as Squares
            } else {
                0
            };
            own.men[animal] = mine & !hens;
            opp.men[animal] = theirs & !hens;
            if animal == 2 {
                own.men[3] = mine & hens;
                opp.men[3] = theirs & hens;
            }
            left &= !(all as Squares);
        }
        for animal in [2, 1, 0] {
            let ways = cast.hands[animal];
            if self.rules.drops {
                let held = ways as u8 - 1;
                own.hand[animal] = (hands % ways) as u8;
                opp.hand[animal] = held - own.hand[animal];
            }
            hands /= ways;
        }
        let at = Position { own, opp };
        if !self.rules.occurs(&at) {
            return None;
        }
        if own_lion % 3 != 1 || opp_lion % 3 != 1 {
            return Some((at, false));
        }
        let image = self.slot(&at.mirrored());
        (image >= slot).then_some((at, image == slot))
    }
}

/// The place of a cast in a table of all.
#[inline]
fn key(numbers: [u8; 3]) -> usize {
    usize::from(9 * numbers[0] + 3 * numbers[1] + numbers[2])
}

fn cast(rules: Rules, on_board: [u8; 3], start: u32) -> Cast {
    let (mut left, mut hands, mut ways) = (LEFT, [1; 3], [1; 3]);
    for animal in 0..3 {
        let number = u32::from(on_board[animal]);
        if rules.drops && rules.animals[animal] {
            hands[animal] = 3 - number;
        }
        let owners = if rules.drops { number } else { number.min(1) };
        let hens = if animal == 2 { number } else { 0 };
        ways[animal] = u32::try_from(binomial(left, number)).unwrap_or(0) << (owners + hens);
        left -= number;
    }
    Cast {
        on_board,
        hands,
        ways,
        start,
        size: hands.iter().product::<u32>() * ways.iter().product::<u32>(),
    }
}
