//! What positions are worth to a player who looks a fixed number of plies ahead.
//!
//! The *static value* `V_0` of a position is that of its layer
//! ([`Ranked::static_value`](crate::game::Ranked::static_value)). For `d > 0`,
//!
//! `V_d(s) = max over the moves m of: WON if m wins at once, LOST if m loses at once, 0 if m
//! draws at once, otherwise -V_{d-1}(s m)`
//!
//! where `WON` is above and `LOST` below all static values. `A_d(s)`, the moves that attain the
//! maximum, are those that the *player who looks d plies ahead* likes; this player makes one of
//! them at random. For `d = 0` these are all legal moves.
//!
//! Moves that a rule forbids because they take back the last one are left out at the root, and
//! only there: below it nothing is forbidden. So `V_d` is one value a position.
//!
//! Once a value is `WON` or `LOST`, it is so at every greater depth.

mod edges;
mod rows;

use std::io;

use memmap2::MmapMut;

use super::memory::zeroed;
use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::game::MovesBySlot;
use edges::by_edges;
use rows::RowSweeps;

/// The side to move wins, as far as the player sees.
pub const WON: i8 = 7;

/// The side to move loses, as far as the player sees.
pub const LOST: i8 = -7;

/// The values of all positions at several depths.
#[derive(Debug)]
pub struct LookAhead {
    depth: u8,
    form: Form,
    /// By layer: the end of its slots, and its static value.
    layers: Vec<(u64, i8)>,
    /// By slot: the values of depths 1, 2, ...
    words: MmapMut,
}

impl LookAhead {
    /// The greatest depth that is kept.
    pub const DEEPEST: u8 = 7;

    /// Finds the values of all positions of a game at depths 1 to `depth`; `None` if the watch
    /// cancels. Games whose positions stand [in rows](crate::game::ByRows) take a small part of
    /// the time.
    ///
    /// # Errors
    /// If there is not enough memory: a byte a slot up to depth 3, two up to depth 7, or four where
    /// static values reach beyond -1 to 1, and meanwhile one more.
    ///
    /// # Panics
    /// If `depth` is greater than [`DEEPEST`](Self::DEEPEST).
    pub fn new<G: MovesBySlot>(
        game: &G,
        depth: u8,
        watch: &impl Watch,
    ) -> io::Result<Option<Self>> {
        let mut found = Self::none(game, depth)?;
        let sweeps = RowSweeps::new(&mut found, watch);
        let done = match game.by_rows(sweeps).ok() {
            Some(done) => done,
            None => by_edges(game, &mut found, watch),
        };
        Ok(done?.then_some(found))
    }

    /// [`new`](Self::new), move by move even where the game's positions stand in rows: slower,
    /// with the same result.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    ///
    /// # Panics
    /// As for [`new`](Self::new).
    pub fn by_edges<G: MovesBySlot>(
        game: &G,
        depth: u8,
        watch: &impl Watch,
    ) -> io::Result<Option<Self>> {
        let mut found = Self::none(game, depth)?;
        Ok(by_edges(game, &mut found, watch)?.then_some(found))
    }

    /// No value yet.
    fn none<G: MovesBySlot>(game: &G, depth: u8) -> io::Result<Self> {
        assert!(depth <= Self::DEEPEST, "depths up to {}", Self::DEEPEST);
        let layers = game.layers().iter().enumerate();
        let layers: Vec<_> = layers
            .map(|(number, layer)| (layer.slots.end, game.static_value(number).clamp(-6, 6)))
            .collect();
        let narrow = layers.iter().all(|&(_, value)| (-1..=1).contains(&value));
        let form = match depth {
            0..=3 if narrow => Form::Byte,
            _ if narrow => Form::Narrow,
            _ => Form::Wide,
        };
        let slots = usize::try_from(game.slots())
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Self {
            depth,
            form,
            layers,
            words: zeroed(slots, form.bytes())?,
        })
    }

    /// The greatest depth that was asked for.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// The value of a position for the side to move. Of a vacant slot it means nothing.
    ///
    /// # Panics
    /// If there is no such slot, or `depth` is greater than the [depth](Self::depth).
    #[inline]
    #[must_use]
    pub fn value(&self, slot: u64, depth: u8) -> i8 {
        assert!(depth <= self.depth, "no values were found at this depth");
        match depth {
            0 => self.static_value(slot),
            _ => self.form().get(self.word(slot), depth),
        }
    }

    /// The values of a position at depths 0, 1, ... up to the [depth](Self::depth); of greater
    /// depths 0.
    #[inline]
    #[must_use]
    pub fn values(&self, slot: u64) -> [i8; Self::DEEPEST as usize + 1] {
        let (word, form) = (self.word(slot), self.form());
        let mut values = [0; Self::DEEPEST as usize + 1];
        values[0] = self.static_value(slot);
        for (depth, value) in (1..=self.depth).zip(&mut values[1..]) {
            *value = form.get(word, depth);
        }
        values
    }

    #[inline]
    fn word(&self, slot: u64) -> u32 {
        let slot = usize::try_from(slot).unwrap_or(usize::MAX);
        self.form().load(&self.words, slot)
    }

    const fn form(&self) -> Form {
        self.form
    }

    fn static_value(&self, slot: u64) -> i8 {
        let layer = self.layers.partition_point(|&(end, _)| end <= slot);
        self.layers[layer].1
    }
}

/// How the values of a position are kept in a word.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Two bits each: the value, from -1 to 1, plus 1, or 3 if it is [`WON`] or [`LOST`]; bit 6
    /// tells which.
    Byte,
    /// The same, with bit 14.
    Narrow,
    /// Four bits each: the value plus 8.
    Wide,
}

impl Form {
    /// Number of bytes.
    const fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Narrow => 2,
            Self::Wide => 4,
        }
    }

    /// The bit that tells a won position from a lost one.
    const fn sign(self) -> u32 {
        match self {
            Self::Byte => 1 << 6,
            _ => 1 << 14,
        }
    }

    /// The value at a depth from 1 on.
    #[inline]
    const fn get(self, word: u32, depth: u8) -> i8 {
        match self {
            Self::Byte | Self::Narrow => match word >> (2 * (depth - 1)) & 3 {
                3 if word & self.sign() != 0 => WON,
                3 => LOST,
                code => low_byte(code) - 1,
            },
            Self::Wide => low_byte(word >> (4 * (depth - 1)) & 15) - 8,
        }
    }

    /// The word with the value at a depth, of which nothing was known.
    #[inline]
    const fn with(self, word: u32, depth: u8, value: i8) -> u32 {
        match self {
            Self::Byte | Self::Narrow => {
                let (code, sign) = match value {
                    WON => (3, self.sign()),
                    LOST => (3, 0),
                    _ => ((value + 1).cast_unsigned() as u32, 0),
                };
                word | code << (2 * (depth - 1)) | sign
            }
            Self::Wide => word | ((value + 8).cast_unsigned() as u32) << (4 * (depth - 1)),
        }
    }

    #[inline]
    fn load(self, words: &[u8], at: usize) -> u32 {
        match self {
            Self::Byte => words[at].into(),
            Self::Narrow => u16::from_le_bytes([words[2 * at], words[2 * at + 1]]).into(),
            Self::Wide => {
                let bytes = &words[4 * at..4 * at + 4];
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
            }
        }
    }

    #[inline]
    fn store(self, words: &mut [u8], at: usize, word: u32) {
        let bytes = self.bytes();
        words[at * bytes..(at + 1) * bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
    }
}

const fn low_byte(word: u32) -> i8 {
    word.to_le_bytes()[0].cast_signed()
}

/// What a move to a position of some value is worth, as a number from 1 to 15; 0 stands for no
/// move.
#[inline]
const fn worth_of_move(value: i8) -> u8 {
    (8 - value).cast_unsigned()
}

/// The value of a position whose best move is worth this; [`LOST`] if it has none.
#[inline]
const fn value_of(best: u8) -> i8 {
    if best == 0 {
        LOST
    } else {
        best.cast_signed() - 8
    }
}

/// What a move that ends the game is worth.
const fn worth_of_end(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => 8 + WON.cast_unsigned(),
        Outcome::Draw => 8,
        Outcome::Loss => 8 - WON.cast_unsigned(),
    }
}
