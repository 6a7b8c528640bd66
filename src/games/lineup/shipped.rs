//! Files of rules that ship.

use super::{LineUp, Rules};

/// The names of the games that ship, with their files.
const FILES: [(&str, &str); 6] = [
    (
        "advanced-teeko",
        include_str!("shipped/advanced-teeko.toml"),
    ),
    ("mondrago", include_str!("shipped/mondrago.toml")),
    ("neutreeko", include_str!("shipped/neutreeko.toml")),
    ("tapatan", include_str!("shipped/tapatan.toml")),
    ("teeko", include_str!("shipped/teeko.toml")),
    (
        "three-mens-morris",
        include_str!("shipped/three-mens-morris.toml"),
    ),
];

/// The names of the games that ship.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The game of a name; `None` if no such game ships.
///
/// # Panics
/// Never: the files are part of the program, and a test reads each of them.
#[must_use]
pub fn game(name: &str) -> Option<LineUp> {
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    let rules = Rules::parse(text).expect("a test reads every file that ships");
    Some(LineUp::new((*name).to_owned(), rules))
}
