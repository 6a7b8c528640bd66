//! How far a problem with hidden information is searched.

use super::parse_bytes;
use crate::session::SearchOptions;
use crate::solve::belief::{MOST_FOULS, Mode};

/// How far a problem with hidden information is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct SearchArgs {
    /// Games with hidden information: the most plies of a solution [default: 15].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99))]
    depth: Option<u8>,
    /// Games with hidden information: the most fouls to allow, up to 8 [default: 3].
    #[arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS)))]
    fouls: Option<u8>,
    /// Games with hidden information: how to search [default: fast].
    #[arg(long, value_enum)]
    mode: Option<Mode>,
    /// Games with hidden information: look for solutions with fewer fouls up to this many
    /// plies beyond the shortest [default: 2].
    #[arg(long, value_name = "PLIES")]
    beyond: Option<u8>,
    /// Games with hidden information: the most memory for the search, such as 1GiB
    /// [default: 256MiB].
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Games with hidden information, reference mode: keep equal positions of a metaposition
    /// apart, to measure what their removal saves.
    #[arg(long)]
    duplicates: bool,
}

impl SearchArgs {
    /// The options that were given.
    pub fn options(self) -> SearchOptions {
        SearchOptions {
            depth: self.depth,
            fouls: self.fouls,
            mode: self.mode,
            beyond: self.beyond,
            memory: self.memory,
            duplicates: self.duplicates,
        }
    }
}
