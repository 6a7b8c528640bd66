//! Sets of squares of boards of any size.

/// A set of squares, by number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Squares(Box<[u64]>);

impl Squares {
    /// The empty set, with room for squares below `count`.
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// The squares below `count`.
    pub fn all(count: usize) -> Self {
        let mut squares = Self::none(count);
        (0..count).for_each(|square| squares.insert(square));
        squares
    }

    /// The set as bits, without squares from 128 on.
    pub fn mask(&self) -> u128 {
        let words = self.0.iter().take(2).rev();
        words.fold(0, |mask, &word| mask << 64 | u128::from(word))
    }

    /// The set as a number, words from the highest.
    pub fn as_number(&self) -> impl Iterator<Item = &u64> {
        self.0.iter().rev()
    }

    pub fn insert(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    pub fn remove(&mut self, square: usize) {
        self.0[square / 64] &= !(1 << (square % 64));
    }

    pub fn contains(&self, square: usize) -> bool {
        self.0
            .get(square / 64)
            .is_some_and(|word| word >> (square % 64) & 1 == 1)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The squares in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * place + bit)
        })
    }
}
