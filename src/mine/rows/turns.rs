//! What is known by symmetry of the board, turned with the board.

use super::duals::Lines;
use crate::game::ByRows;

/// How bits that belong to symmetries change when the board is turned.
pub(super) struct Turns {
    /// By turn and bits.
    seen: Vec<[u8; 256]>,
    unseen: Vec<[u8; 256]>,
    /// By turn: the turn that takes it back.
    inverse: Vec<u8>,
}

impl Turns {
    pub fn new<G: ByRows>(game: &G) -> Self {
        let composed = game.compositions();
        let table = |of: &dyn Fn(&[u8], u8) -> u8| -> Vec<[u8; 256]> {
            let of_turn = |then: &Vec<u8>| {
                let bits = |bits: usize| of(then, u8::try_from(bits).unwrap_or_default());
                std::array::from_fn(bits)
            };
            composed.iter().map(of_turn).collect()
        };
        let back = |then: &Vec<u8>| {
            let back = then.iter().position(|&both| both == 0);
            back.and_then(|back| u8::try_from(back).ok())
                .unwrap_or_default()
        };
        // Whatever is turned first, and then by a symmetry, has been turned by another one.
        Self {
            inverse: composed.iter().map(back).collect(),
            seen: table(&|then, bits| {
                let then = then.iter().enumerate();
                then.fold(0, |set, (place, &both)| set | (bits >> both & 1) << place)
            }),
            unseen: table(&|then, bits| {
                let then = then.iter().enumerate();
                then.fold(0, |set, (place, &both)| set | (bits >> place & 1) << both)
            }),
        }
    }

    /// The number of symmetries.
    pub fn symmetries(&self) -> u8 {
        u8::try_from(self.seen.len()).unwrap_or(u8::MAX)
    }

    /// The turn that takes a turn back.
    pub fn inverse(&self, turn: u8) -> u8 {
        self.inverse[usize::from(turn)]
    }

    /// The lines of a position, as they are said of the position turned by `turn`.
    #[inline]
    pub fn seen(&self, lines: Lines, turn: u8) -> Lines {
        Lines {
            dual_free: self.seen[usize::from(turn)][usize::from(lines.dual_free)],
            ..lines
        }
    }

    /// The inverse of [`seen`](Self::seen).
    #[inline]
    pub fn unseen(&self, lines: Lines, turn: u8) -> Lines {
        Lines {
            dual_free: self.unseen[usize::from(turn)][usize::from(lines.dual_free)],
            ..lines
        }
    }
}
