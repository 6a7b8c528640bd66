//! How positions on a line are turned.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use crate::game::ByRows;

/// The symmetries of a board.
pub(super) struct Turns {
    /// By the numbers of two symmetries: that of the first one and then the second.
    composed: Vec<Vec<u8>>,
    /// By number: the symmetry that takes it back.
    inverse: Vec<u8>,
}

impl Turns {
    pub fn new<G: ByRows>(game: &G) -> Self {
        let composed = game.compositions();
        let back = |then: &Vec<u8>| {
            let back = then.iter().position(|&both| both == 0);
            back.and_then(|back| u8::try_from(back).ok())
                .unwrap_or_default()
        };
        Self {
            inverse: composed.iter().map(back).collect(),
            composed,
        }
    }

    /// What turns a position to the board of a line, if it is the position that `turn` leads to
    /// from one that `then` turns so.
    #[inline(always)]
    pub fn back(&self, turn: u8, then: u8) -> u8 {
        let back = self.inverse[usize::from(turn)];
        self.composed[usize::from(back)][usize::from(then)]
    }
}
