//! Lines of play that are one and the same to a reader.
//!
//! Two positions whose solutions are the same moves, up to a symmetry of the board,
//! differ at most in pieces that take no part.

use std::collections::HashMap;
use std::hash::Hash;

use crate::game::Symmetric;

/// What a line shares with all lines symmetric to it; nothing if it is too short to
/// tell puzzles apart.
#[must_use]
pub fn key_of_line<G: Symmetric>(game: &G, line: &[G::Move]) -> Option<Vec<G::Move>> {
    (line.len() > 2).then(|| game.canonical_line(line))
}

/// The place of the first of every group of equal keys, and how many more are in the
/// group; what has no key is a group of its own.
#[must_use]
pub fn firsts<K: Eq + Hash>(keys: &[Option<K>]) -> Vec<(usize, u64)> {
    let mut groups: HashMap<&K, usize> = HashMap::new();
    let mut firsts: Vec<(usize, u64)> = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        let known = key.as_ref().and_then(|key| {
            let group = *groups.entry(key).or_insert(firsts.len());
            firsts.get_mut(group)
        });
        match known {
            Some(group) => group.1 += 1,
            None => firsts.push((place, 0)),
        }
    }
    firsts
}
