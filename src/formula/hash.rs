//! The search of the family `hash`, the yardstick for all others: a perfect hash and a
//! packed table.
//!
//! States are sorted into buckets. Each bucket gets the first displacement that maps all
//! of its states to places of the table whose answers suit them. States may share a
//! place if they have a best move in common, so the table can have fewer places than
//! there are states. Source: D. Belazzougui, F. C. Botelho, M. Dietzfelbinger, *Hash,
//! displace, and compress* (2009).

use rayon::prelude::*;

use super::policy::{Choices, Policy};
use super::program::{Displaced, Form, Program, bucket, place};

/// Finds the displacements, each of at most `bits` bits, and fills the table; `None` if
/// no displacement suits a bucket.
fn displace(
    policy: &Policy,
    entries: &[(u64, Choices)],
    buckets: usize,
    places: usize,
    bits: u32,
) -> Option<(Vec<u32>, Vec<Option<Choices>>)> {
    let mut members: Vec<Vec<(u64, Choices)>> = vec![Vec::new(); buckets];
    for &(code, right) in entries {
        members[bucket(code, buckets)].push((code, right));
    }
    let mut order: Vec<usize> = (0..buckets).collect();
    order.sort_by_key(|&bucket| (std::cmp::Reverse(members[bucket].len()), bucket));
    let mut table: Vec<Option<Choices>> = vec![None; places];
    let mut displacements = vec![0; buckets];
    for bucket in order {
        let found = (0..1_u32 << bits).find(|&displacement| {
            let mut undone = Vec::new();
            let fits = members[bucket].iter().all(|&(code, right)| {
                let place = place(code, displacement, places);
                let before = table[place];
                let after = before.map_or(Some(right), |before| policy.common(before, right));
                if after.is_some() {
                    undone.push((place, before));
                    table[place] = after;
                }
                after.is_some()
            });
            if !fits {
                for (place, before) in undone.into_iter().rev() {
                    table[place] = before;
                }
            }
            fits
        });
        displacements[bucket] = found?;
    }
    Some((displacements, table))
}

/// The smallest perfect hash of a policy with its table, among buckets of one to six
/// states on average, displacements of up to ten bits, and tables with at least a tenth
/// as many places as there are states. `None` if every answer is right everywhere.
pub fn perfect_hash(policy: &Policy) -> Option<Program> {
    let entries: Vec<(u64, Choices)> = policy.demands().collect();
    if entries.is_empty() {
        return None;
    }
    let width = policy.width();
    let shapes = (1..=6).flat_map(|size| (1..=10).map(move |bits| (size, bits)));
    let shapes: Vec<(usize, u32)> = shapes.collect();
    let best = shapes.into_par_iter().filter_map(|(size, bits)| {
        let buckets = entries.len().div_ceil(size);
        // The smallest table that works, by bisection.
        let (mut low, mut high) = (entries.len() / 10 + 1, entries.len() * 2);
        let mut best = None;
        while low < high {
            let places = low.midpoint(high);
            match displace(policy, &entries, buckets, places, bits) {
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
    let answer = |right: Option<Choices>| right.map_or(0, |right| policy.least(right));
    let form = Form::Hash(Displaced {
        displacements,
        displacement_width,
        width,
        table: table.into_iter().map(answer).collect(),
    });
    Some(Program::answering(form, policy.kind()))
}
