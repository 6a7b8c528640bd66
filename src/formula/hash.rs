//! The yardstick: a perfect hash and a packed table, which no search for a formula
//! should fall behind.
//!
//! States are sorted into buckets; each bucket gets the first displacement that brings
//! all of its states to places of the table whose answers suit them. As elsewhere,
//! states may share a place if a best move is common to them, which is what lets the
//! table have fewer places than there are states. Source: D. Belazzougui, F. C. Botelho,
//! M. Dietzfelbinger, *Hash, displace, and compress* (2009).

use rayon::prelude::*;

use super::measure::Bits;
use super::policy::Policy;
use super::program::{Form, Program};

/// Mixes the bits of a number; the constants are those of the 64-bit finalizer of
/// `MurmurHash3`.
pub(super) const MIX: [u64; 2] = [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];

/// A table with displacements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Displaced {
    /// The displacement of each bucket.
    pub displacements: Vec<u32>,
    /// Bits of a displacement.
    pub displacement_width: u32,
    /// Bits of an answer.
    pub width: u32,
    /// The answers.
    pub table: Vec<u8>,
}

fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 33).wrapping_mul(MIX[0]);
    let n = (n ^ n >> 33).wrapping_mul(MIX[1]);
    n ^ n >> 33
}

fn bucket(n: u64, buckets: usize) -> usize {
    usize::try_from(mix(n) % buckets as u64).unwrap_or(0)
}

fn place(n: u64, displacement: u32, places: usize) -> usize {
    let n = mix(n.wrapping_add(u64::from(displacement + 1).wrapping_mul(MIX[0])));
    usize::try_from(n % places as u64).unwrap_or(0)
}

impl Displaced {
    /// The answer for a state.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let displacement = self.displacements[bucket(n, self.displacements.len())];
        self.table[place(n, displacement, self.table.len())].into()
    }

    /// The lengths of displacements and table in bits, with the two multipliers.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        self.displacements.len() as u64 * u64::from(self.displacement_width)
            + self.table.len() as u64 * u64::from(self.width)
            + 128
    }

    pub(super) fn packed(&self) -> [Bits; 2] {
        let mut displacements = Bits::default();
        for &displacement in &self.displacements {
            displacements.push(displacement.into(), self.displacement_width);
        }
        let mut table = Bits::default();
        for &answer in &self.table {
            table.push(answer.into(), self.width);
        }
        [displacements, table]
    }
}

/// Places buckets with displacements of so many bits, `None` if one finds no place.
fn displace(
    entries: &[(u64, u16)],
    buckets: usize,
    places: usize,
    bits: u32,
) -> Option<(Vec<u32>, Vec<u16>)> {
    let mut members: Vec<Vec<(u64, u16)>> = vec![Vec::new(); buckets];
    for &(code, best) in entries {
        members[bucket(code, buckets)].push((code, best));
    }
    let mut order: Vec<usize> = (0..buckets).collect();
    order.sort_by_key(|&bucket| (std::cmp::Reverse(members[bucket].len()), bucket));
    let mut table = vec![u16::MAX; places];
    let mut displacements = vec![0; buckets];
    for bucket in order {
        let mut found = None;
        for displacement in 0..1_u32 << bits {
            let mut undone = Vec::new();
            let fits = members[bucket].iter().all(|&(code, best)| {
                let place = place(code, displacement, places);
                undone.push((place, table[place]));
                table[place] &= best;
                table[place] != 0
            });
            if fits {
                found = Some(displacement);
                break;
            }
            for (place, before) in undone.into_iter().rev() {
                table[place] = before;
            }
        }
        displacements[bucket] = found?;
    }
    Some((displacements, table))
}

/// A small perfect hash of a policy with its table: the smallest over buckets of one to
/// six states, displacements of up to ten bits, and tables from a tenth of the states.
#[must_use]
pub fn perfect_hash(policy: &Policy) -> Option<Program> {
    let known = u16::MAX >> (16 - policy.answers());
    let entries: Vec<(u64, u16)> = policy
        .bound()
        .map(|entry| (entry.code, entry.best & known))
        .collect();
    if entries.is_empty() {
        return None;
    }
    let width = policy.width();
    let shapes: Vec<(usize, u32)> = (1..=6)
        .flat_map(|size| (1..=10).map(move |bits| (size, bits)))
        .collect();
    let best = shapes.into_par_iter().filter_map(|(size, bits)| {
        let buckets = entries.len().div_ceil(size);
        // The least table that works, by halving.
        let (mut low, mut high) = (entries.len() / 10 + 1, entries.len() * 2);
        let mut best = None;
        while low < high {
            let places = low.midpoint(high);
            match displace(&entries, buckets, places, bits) {
                Some(found) => {
                    best = Some((places, found));
                    high = places;
                }
                None => low = places + 1,
            }
        }
        let (places, found) = best?;
        let cost = buckets as u64 * u64::from(bits) + places as u64 * u64::from(width);
        Some((cost, size, bits, found))
    });
    let (_, _, displacement_width, (displacements, table)) =
        best.min_by_key(|(cost, size, bits, _)| (*cost, *size, *bits))?;
    let answer = |best: u16| u8::try_from(best.trailing_zeros() & 15).unwrap_or(0);
    Some(Program::new(Form::Hash(Displaced {
        displacements,
        displacement_width,
        width,
        table: table.into_iter().map(answer).collect(),
    })))
}
