//! Specs that name a file: `rules:FILE#digest`, where the digest is that of what decides how
//! the game is played.

use xxhash_rust::xxh3::xxh3_64;

/// A short digest of what decides how a game is played.
pub fn of(signature: &str) -> String {
    format!("{:08x}", xxh3_64(signature.as_bytes()) >> 32)
}

/// The path of a file, and the digest if one follows it after `#`.
pub fn split(name: &str) -> (&str, Option<&str>) {
    let digits = |text: &str| {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == 8 && text.bytes().all(digit)
    };
    match name.rsplit_once('#') {
        Some((path, digest)) if digits(digest) => (path, Some(digest)),
        _ => (name, None),
    }
}
