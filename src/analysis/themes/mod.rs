//! Themes of solutions, as composers name them.
//!
//! Each theme is a file in this folder with a [`Theme`] named `THEME`. It is recognized
//! from the [`Story`] of the solution, which knows no game.

mod story;

pub use story::{Ply, Story, Thing};

/// A theme.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Its name in data, lower-case words with hyphens between, such as `quiet-key`. Its
    /// column is `theme_quiet_key`.
    pub name: &'static str,
    /// What a solution with this theme shows.
    pub meaning: &'static str,
    /// The points it adds to the score of a puzzle (see [`Quality`](super::Quality)).
    pub worth: u8,
    /// Whether a solution has it.
    pub detect: fn(&Story) -> bool,
}

// The modules of this folder, and the list of themes: src/build.rs lists the files.
include!(concat!(env!("OUT_DIR"), "/themes.rs"));

/// The themes of a solution, by name.
pub fn themes(story: &Story) -> impl Iterator<Item = &'static Theme> {
    ALL.iter().filter(|theme| (theme.detect)(story))
}
