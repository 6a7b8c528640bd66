//! Themes: what a composer would say a solution is about.
//!
//! A theme is one small file with a [`Theme`], and its line in `ALL`. It is told
//! from the [`Story`] of the solution, which knows no game.

mod ban_win;
mod capture_refused;
mod decoy;
mod double_sacrifice;
mod echo;
mod edge_sacrifice;
mod hole_key;
mod hole_sacrifice;
mod long_march;
mod quiet_key;
mod round_trip;
mod sacrifice;
mod self_block;
mod single_piece;
mod story;
mod switchback;
mod symmetry;
mod underdog;
mod zugzwang;

pub use story::{Ply, Story, Thing};

/// A theme.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Its name in tables, camel case.
    pub name: &'static str,
    /// What a solution with this theme has.
    pub meaning: &'static str,
    /// Points that it adds to the score of a puzzle (see
    /// [`Quality`](super::Quality)).
    pub worth: u8,
    /// Whether a solution has it.
    pub detect: fn(&Story) -> bool,
}

/// All themes, by name.
pub const ALL: &[Theme] = &[
    ban_win::THEME,
    capture_refused::THEME,
    decoy::THEME,
    double_sacrifice::THEME,
    echo::THEME,
    edge_sacrifice::THEME,
    hole_key::THEME,
    hole_sacrifice::THEME,
    long_march::THEME,
    quiet_key::THEME,
    round_trip::THEME,
    sacrifice::THEME,
    self_block::THEME,
    single_piece::THEME,
    switchback::THEME,
    symmetry::THEME,
    underdog::THEME,
    zugzwang::THEME,
];

/// The themes of a solution, by name.
pub fn themes(story: &Story) -> impl Iterator<Item = &'static Theme> {
    ALL.iter().filter(|theme| (theme.detect)(story))
}
