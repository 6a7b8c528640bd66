//! The games that come with the program.

const FILES: [(&str, &str); 14] = [
    (
        "advanced-teeko",
        include_str!("../shipped/advanced-teeko.toml"),
    ),
    ("breakthrough", include_str!("../shipped/breakthrough.toml")),
    ("chess-4x4", include_str!("../shipped/chess-4x4.toml")),
    ("chess", include_str!("../shipped/chess.toml")),
    ("dobutsu", include_str!("../shipped/dobutsu.toml")),
    ("hexapawn", include_str!("../shipped/hexapawn.toml")),
    ("minichess", include_str!("../shipped/minichess.toml")),
    ("mondrago", include_str!("../shipped/mondrago.toml")),
    ("neutreeko", include_str!("../shipped/neutreeko.toml")),
    ("shatranj", include_str!("../shipped/shatranj.toml")),
    ("tapatan", include_str!("../shipped/tapatan.toml")),
    ("teeko", include_str!("../shipped/teeko.toml")),
    (
        "three-mens-morris",
        include_str!("../shipped/three-mens-morris.toml"),
    ),
    ("tictactoe", include_str!("../shipped/tictactoe.toml")),
];

pub(in crate::games::pieces) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The file of a name; `None` if no such game ships.
pub(in crate::games::pieces) fn shipped(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, text)| text)
}
