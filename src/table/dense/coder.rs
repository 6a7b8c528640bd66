//! An entropy coder with fixed frequencies: range asymmetric numeral systems (rANS; J. Duda,
//! "Asymmetric numeral systems", arXiv:1311.2540), with a state of 32 bits and words of 16.

/// Frequencies of a context add up to 2 to this power.
const BITS: u32 = 14;
/// What the frequencies of a context add up to.
pub(super) const TOTAL: u32 = 1 << BITS;
/// The least state between two symbols.
const LOW: u32 = 1 << 16;

/// The symbols of a context with their frequencies, the most frequent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frequencies {
    shares: Vec<Start>,
}

/// Where the share of a symbol begins; after the last symbol, [`TOTAL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Start {
    at: u16,
    symbol: u16,
}

impl Frequencies {
    /// From symbols with frequencies above 0 that add up to [`TOTAL`]; `None` if they do not.
    pub fn new(shares: &[(u16, u32)]) -> Option<Self> {
        let mut starts = Vec::with_capacity(shares.len() + 1);
        let mut sum: u32 = 0;
        for &(symbol, frequency) in shares {
            let at = u16::try_from(sum).ok()?;
            starts.push(Start { at, symbol });
            sum = sum.checked_add(frequency)?;
            if frequency == 0 || sum > TOTAL {
                return None;
            }
        }
        let at = u16::try_from(sum).ok()?;
        starts.push(Start { at, symbol: 0 });
        (sum == TOTAL).then_some(Self { shares: starts })
    }

    /// The frequencies that fit counts best: each at least 1. `None` if nothing was counted,
    /// or more symbols than there are frequencies.
    pub fn of_counts(counts: &[u64]) -> Option<Self> {
        let symbols = (0u16..).zip(counts).filter(|&(_, &count)| count > 0);
        let mut counted: Vec<(u16, u64)> =
            symbols.map(|(symbol, &count)| (symbol, count)).collect();
        // The order of equals is that of the symbols, for the same bytes each time.
        counted.sort_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
        let sum: u64 = counted.iter().map(|&(_, count)| count).sum();
        let room = u64::from(TOTAL).checked_sub(counted.len() as u64)?;
        let mut shares: Vec<(u16, u32)> = counted
            .iter()
            .map(|&(symbol, count)| {
                let share = u128::from(count) * u128::from(room) / u128::from(sum);
                (symbol, 1 + u32::try_from(share).unwrap_or(TOTAL))
            })
            .collect();
        let given: u32 = shares.iter().map(|&(_, share)| share).sum();
        shares.first_mut()?.1 += TOTAL - given;
        Self::new(&shares)
    }

    /// The symbols with their frequencies, as [`new`](Self::new) takes them.
    pub fn shares(&self) -> impl ExactSizeIterator<Item = (u16, u32)> + '_ {
        let pairs = self.shares.windows(2);
        pairs.map(|pair| (pair[0].symbol, u32::from(pair[1].at - pair[0].at)))
    }

    /// The share of a symbol; `None` if the context has no such symbol.
    pub fn share(&self, symbol: u16) -> Option<Share> {
        let mut pairs = self.shares.windows(2);
        let found = pairs.find(|pair| pair[0].symbol == symbol)?;
        Some(Share {
            start: found[0].at,
            size: found[1].at - found[0].at,
        })
    }
}

/// The part of the numbers below [`TOTAL`] that stands for a symbol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    start: u16,
    size: u16,
}

impl Share {
    /// The bits that a symbol of this share takes.
    pub fn bits(self) -> f64 {
        (f64::from(TOTAL) / f64::from(self.size)).log2()
    }
}

/// Codes symbols, given by their shares in the order in which they will be decoded.
pub(super) fn encode(shares: &[Share]) -> Vec<u8> {
    let mut words: Vec<u16> = Vec::new();
    let mut state = LOW;
    for share in shares.iter().rev() {
        let size = u32::from(share.size);
        let most = u64::from(LOW >> BITS << 16) * u64::from(size);
        if u64::from(state) >= most {
            let [low, high, ..] = state.to_le_bytes();
            words.push(u16::from_le_bytes([low, high]));
            state >>= 16;
        }
        state = (state / size) << BITS | (state % size + u32::from(share.start));
    }
    let mut bytes = state.to_le_bytes().to_vec();
    bytes.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Decodes what [`encode`] has coded.
#[derive(Debug)]
pub(super) struct Decoder<'b> {
    state: u32,
    rest: &'b [u8],
}

impl<'b> Decoder<'b> {
    /// Starts decoding; `None` if the bytes are too few.
    pub fn new(bytes: &'b [u8]) -> Option<Self> {
        let (state, rest) = bytes.split_first_chunk()?;
        let state = u32::from_le_bytes(*state);
        (state >= LOW).then_some(Self { state, rest })
    }

    /// The next symbol; `None` if the bytes end before.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the total has 15 bits")]
    pub fn next(&mut self, frequencies: &Frequencies) -> Option<u16> {
        let [low, high, ..] = (self.state & (TOTAL - 1)).to_le_bytes();
        let within = u16::from_le_bytes([low, high]);
        // The first symbols are the most frequent.
        let mut found = frequencies.shares[0];
        let mut end = TOTAL as u16;
        for next in &frequencies.shares[1..] {
            if next.at > within {
                end = next.at;
                break;
            }
            found = *next;
        }
        let (start, size) = (found.at, end - found.at);
        self.state = u32::from(size) * (self.state >> BITS) + u32::from(within - start);
        if self.state < LOW {
            let (word, rest) = self.rest.split_first_chunk()?;
            self.state = self.state << 16 | u32::from(u16::from_le_bytes(*word));
            self.rest = rest;
        }
        Some(found.symbol)
    }

    /// Whether everything was decoded.
    pub const fn is_done(&self) -> bool {
        self.state == LOW && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_decoded_in_their_order() {
        let contexts: Vec<Frequencies> = [
            &[700u64, 0, 3, 1_000_000][..],
            &[1],
            &[1, 1, 1],
            &[0, 5, 1 << 40],
        ]
        .iter()
        .map(|counts| Frequencies::of_counts(counts).unwrap())
        .collect();
        let mut random = crate::base::random::SplitMix64::new(3);
        let symbols: Vec<(usize, u16)> = (0..5000)
            .map(|_| {
                let context = random.below(contexts.len());
                let known: Vec<u16> = contexts[context].shares().map(|(s, _)| s).collect();
                (context, known[random.below(known.len())])
            })
            .collect();
        let shares: Vec<Share> = symbols
            .iter()
            .map(|&(context, symbol)| contexts[context].share(symbol).unwrap())
            .collect();
        let bytes = encode(&shares);
        let mut decoder = Decoder::new(&bytes).unwrap();
        for &(context, symbol) in &symbols {
            assert_eq!(decoder.next(&contexts[context]), Some(symbol));
        }
        assert!(decoder.is_done());
        let mut cut = Decoder::new(&bytes[..bytes.len() - 2]).unwrap();
        let decoded = symbols
            .iter()
            .map_while(|&(context, _)| cut.next(&contexts[context]));
        assert!(decoded.count() < symbols.len() || !cut.is_done());
    }

    #[test]
    fn frequent_symbols_cost_little() {
        let frequencies = Frequencies::of_counts(&[15, 1]).unwrap();
        let symbols = (0..16_000).map(|n| u16::from(n % 16 == 7));
        let shares: Vec<Share> = symbols.map(|s| frequencies.share(s).unwrap()).collect();
        let bits = 16_000.0 * (15.0 / 16.0 * (16f64 / 15.0).log2() + 4.0 / 16.0);
        let found = 8.0 * encode(&shares).len() as f64;
        assert!(
            (found - bits).abs() < 0.01 * bits,
            "{found} bits for {bits}"
        );
    }

    #[test]
    fn frequencies_add_up() {
        assert_eq!(Frequencies::of_counts(&[]), None);
        assert_eq!(Frequencies::of_counts(&[0, 0]), None);
        assert_eq!(Frequencies::new(&[(0, TOTAL - 1)]), None);
        assert_eq!(Frequencies::new(&[(0, TOTAL), (1, 0)]), None);
        assert_eq!(Frequencies::new(&[(0, u32::MAX), (1, 2)]), None);
        let many = vec![1; TOTAL as usize + 1];
        assert_eq!(Frequencies::of_counts(&many), None);
        let sole = Frequencies::of_counts(&[0, 9]).unwrap();
        assert_eq!(sole.shares().collect::<Vec<_>>(), [(1, TOTAL)]);
    }
}
