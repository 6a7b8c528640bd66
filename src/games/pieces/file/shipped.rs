//! The games that come with the program.

macro_rules! files {
    ($($name:literal)+) => {
        [$(($name, include_str!(concat!("../shipped/", $name, ".toml")))),+]
    };
}

const FILES: [(&str, &str); 14] = files! {
    "advanced-teeko" "breakthrough" "chess-4x4" "chess" "dobutsu" "hexapawn" "minichess"
    "mondrago" "neutreeko" "shatranj" "tapatan" "teeko" "three-mens-morris" "tictactoe"
};

pub(in crate::games::pieces) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The file of a name; `None` if no such game ships.
pub(in crate::games::pieces) fn shipped(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, text)| text)
}
