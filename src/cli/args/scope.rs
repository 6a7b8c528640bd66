//! The part of a table that is looked at.

use crate::session::ScopeOptions;

/// The part of a table that is looked at.
#[derive(Debug, clap::Args)]
pub struct ScopeArgs {
    /// Only this layer (own pieces - opponent's pieces, e.g. 5-4). May be repeated.
    #[arg(long, value_name = "LAYER")]
    layer: Vec<String>,
    /// Only positions of this class: in Ostle, the square of the hole, up to symmetry (a1
    /// a2 a3 b2 b3 c3 on 5x5); in placement games, the number of parts. May be repeated.
    #[arg(long, value_name = "CLASS")]
    class: Vec<String>,
    /// The old name of --class.
    #[arg(long, value_name = "CLASS", hide = true)]
    hole: Vec<String>,
    /// Only one position in N, evenly distributed and always the same ones.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
}

impl ScopeArgs {
    /// The scope given by these arguments.
    pub fn options(&self) -> ScopeOptions {
        if !self.hole.is_empty() {
            eprintln!("tesuji: --hole is deprecated; use --class");
        }
        ScopeOptions {
            layers: self.layer.clone(),
            classes: self.class.iter().chain(&self.hole).cloned().collect(),
            sample: self.sample,
        }
    }
}
