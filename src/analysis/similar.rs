//! Grouping lines of play that are the same to a reader.
//!
//! Two positions with the same solution, up to a symmetry of the board, differ only in
//! pieces that take no part.

use std::collections::HashMap;
use std::hash::Hash;

use crate::game::Symmetric;

/// The key that all lines symmetric to this one share; `None` if the line is too short to
/// distinguish puzzles.
#[must_use]
pub fn key_of_line<G: Symmetric>(game: &G, line: &[G::Move]) -> Option<Vec<G::Move>> {
    (line.len() > 2).then(|| game.canonical_line(line))
}

/// The index of the first of every group of equal keys, and how many more are in the group.
/// An item without a key is a group of its own.
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
