//! Arguments for mining games with hidden information.

use crate::session::{SupplyMethod, SupplyOptions};
use crate::solve::belief::MOST_FOULS;

/// The positions of a game with hidden information to mine.
#[derive(Debug, Clone, clap::Args)]
pub struct SupplyArgs {
    /// Games with hidden information: how to generate positions [default: random].
    #[arg(long, value_enum)]
    method: Option<SupplyMethod>,
    /// Games with hidden information: a position to vary; may be repeated [default: the
    /// sample problem].
    #[arg(long, value_name = "POSITION")]
    from: Vec<String>,
    /// Games with hidden information: the seed of the random numbers [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// Games with hidden information: the number of positions to generate [default: 20000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Games with hidden information: the number of the first position, to continue another
    /// run [default: 0].
    #[arg(long, value_name = "NUMBER")]
    first: Option<u64>,
    /// Games with hidden information: the most plies of a solution [default: 7].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99))]
    depth: Option<u8>,
    /// Games with hidden information: the most fouls to allow, up to 8 [default: 2].
    #[arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS)))]
    fouls: Option<u8>,
    /// Games with hidden information: give up a position after this many steps [default:
    /// 200000].
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    effort: Option<u64>,
}

impl SupplyArgs {
    /// The options that were given.
    pub fn options(&self) -> SupplyOptions {
        SupplyOptions {
            method: self.method,
            from: self.from.clone(),
            seed: self.seed,
            positions: self.positions,
            first: self.first,
            depth: self.depth,
            fouls: self.fouls,
            effort: self.effort,
        }
    }
}
