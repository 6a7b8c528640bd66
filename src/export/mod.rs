//! Export of puzzles and of whole tables as CSV, JSON Lines and Parquet, and of chess puzzles as PGN
//! and EPD.
//!
//! Puzzles are rows ([`PuzzleRow`](crate::mine::PuzzleRow)). The states of a table are columns ([`Batch`]),
//! written to a folder of partitions ([`DataSet`]).

#[cfg(feature = "parquet")]
mod about;
mod batch;
#[cfg(feature = "parquet")]
mod dataset;
mod entries;
mod error;
#[cfg(feature = "polars")]
mod frame;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod part;
mod pgn;
mod puzzles;

#[cfg(feature = "parquet")]
pub use about::{About, ColumnMeaning};
pub use batch::{Batch, ColumnData, DataColumn};
#[cfg(feature = "parquet")]
pub use dataset::{DataSet, Described};
#[cfg(feature = "session")]
pub(crate) use entries::{WORDS, changed};
pub use entries::{misspelt, read_csv, read_entries};
pub use error::ExportError;
#[cfg(feature = "polars")]
pub use frame::data_frame;
#[cfg(feature = "parquet")]
pub use parquet::write_parquet;
#[cfg(feature = "parquet")]
pub(crate) use part::{Extents, Written};
#[cfg(feature = "parquet")]
pub use part::{Format, PartWriter, WrittenFile};
pub use pgn::{Mark, PgnGame, PgnMove, PgnRecord, read_epd, read_pgn, write_epd, write_pgn};
#[cfg(feature = "explore")]
pub(crate) use puzzles::fault;
pub(crate) use puzzles::write_batch;
pub use puzzles::{puzzle_columns, write_csv, write_csv_columns, write_jsonl};
