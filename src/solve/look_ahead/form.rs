//! How the last values of a position are kept in a word.

use super::{KEPT, LOST, WON};

/// How the values of a position at [`KEPT`] depths that follow each other are kept.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// Values from -1 to 1, [`WON`] or [`LOST`], numbered in a byte.
    Byte,
    /// Four bits each: the value plus 8. That of the greatest depth comes first.
    Wide,
}

impl Form {
    /// The form for static values.
    pub fn of(mut values: impl Iterator<Item = i8>) -> Self {
        if values.all(|value| (-1..=1).contains(&value)) {
            Self::Byte
        } else {
            Self::Wide
        }
    }

    /// Number of bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Wide => 2,
        }
    }

    /// The word of a position with one value at all depths.
    pub const fn all(self, value: i8) -> u32 {
        match self {
            Self::Byte => NUMBERED.number_of[156 * digit_of(value)] as u32,
            Self::Wide => 0x1111 * nibble_of(value),
        }
    }

    /// The value at a number of plies less than the greatest depth.
    #[inline]
    pub const fn get(self, word: u32, less: u8) -> i8 {
        match self {
            Self::Byte => NUMBERED.values[(word & 0xff) as usize][KEPT - 1 - less as usize],
            Self::Wide => {
                let nibble = word >> (4 * less) & 15;
                nibble.to_le_bytes()[0].cast_signed() - 8
            }
        }
    }

    /// The word with the value at the next depth; that of the least is dropped.
    #[inline]
    pub const fn push(self, word: u32, value: i8) -> u32 {
        match self {
            Self::Byte => NUMBERED.next[(word & 0xff) as usize][digit_of(value)] as u32,
            Self::Wide => (word << 4 | nibble_of(value)) & 0xffff,
        }
    }

    #[inline]
    pub fn load(self, words: &[u8], at: usize) -> u32 {
        match self {
            Self::Byte => words[at].into(),
            Self::Wide => u16::from_le_bytes([words[2 * at], words[2 * at + 1]]).into(),
        }
    }

    #[inline]
    pub fn store(self, words: &mut [u8], at: usize, word: u32) {
        let bytes = self.bytes();
        words[at * bytes..(at + 1) * bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
    }
}

const fn nibble_of(value: i8) -> u32 {
    (value + 8).cast_unsigned() as u32
}

/// A narrow value as a number below 5.
#[inline]
const fn digit_of(value: i8) -> usize {
    match value {
        WON => 4,
        LOST => 3,
        _ => (value + 1).cast_unsigned() as usize,
    }
}

/// Number of rows of [`KEPT`] narrow values.
const ROWS: usize = 625;

/// Rows of narrow values, numbered: 161 of them, since a value that is [`WON`] or [`LOST`]
/// stays so.
struct Numbered {
    /// By number: the values, that of the least depth first.
    values: [[i8; KEPT]; 256],
    /// By number: the number of the row without the first value, and with a last one.
    next: [[u8; 5]; 256],
    /// By row, as a number with [`KEPT`] digits of which the first value has the lowest.
    number_of: [u8; ROWS],
}

static NUMBERED: Numbered = Numbered::new();

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are less than 256 rows of values, and of a row less than 256 quotients"
)]
impl Numbered {
    const fn new() -> Self {
        let mut found = Self {
            values: [[0; KEPT]; 256],
            next: [[0; 5]; 256],
            number_of: [0; ROWS],
        };
        let (mut row, mut count) = (0, 0);
        while row < ROWS {
            let digits = [row % 5, row / 5 % 5, row / 25 % 5, row / 125];
            let (mut place, mut stays) = (0, true);
            while place < KEPT {
                let value = [-1, 0, 1, LOST, WON][digits[place]];
                found.values[count][place] = value;
                stays &= place == 0 || digits[place - 1] < 3 || digits[place - 1] == digits[place];
                place += 1;
            }
            if stays {
                found.number_of[row] = count as u8;
                found.next[count][0] = (row / 256) as u8;
                found.next[count][1] = (row % 256) as u8;
                count += 1;
            }
            row += 1;
        }
        let mut number = 0;
        while number < count {
            let row = 256 * found.next[number][0] as usize + found.next[number][1] as usize;
            let mut digit = 0;
            while digit < 5 {
                found.next[number][digit] = found.number_of[row / 5 + 125 * digit];
                digit += 1;
            }
            number += 1;
        }
        found
    }
}
