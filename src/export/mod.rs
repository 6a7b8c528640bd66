//! Export of puzzles and of whole tables as CSV, JSON Lines and Parquet, and of chess puzzles as PGN,
//! EPD and CSV of Lichess.
//!
//! Puzzles are rows ([`PuzzleRow`](crate::mine::PuzzleRow)). The states of a table are columns ([`Batch`]),
//! written to a folder of files ([`DataSet`]).

mod batch;
#[cfg(feature = "parquet")]
mod dataset;
mod error;
mod kif;
#[cfg(feature = "parquet")]
mod parquet;
mod pgn;
mod puzzles;

pub use batch::{Batch, ColumnData, DataColumn};
#[cfg(feature = "parquet")]
pub use dataset::{About, ColumnMeaning, DataSet, Format, PartWriter, WrittenFile};
#[cfg(feature = "parquet")]
pub(crate) use dataset::{Extents, Written};
pub use error::ExportError;
pub use kif::{is_kif, read_kif};
#[cfg(feature = "polars")]
pub use parquet::data_frame;
#[cfg(feature = "parquet")]
pub use parquet::write_parquet;
pub use pgn::{
    Mark, PgnGame, PgnMove, PgnRecord, read_epd, read_pgn, write_epd, write_lichess, write_pgn,
};
pub(crate) use pgn::{ONLY_MOVE, RESULTS, first_ply, numbered, unnumbered};
#[cfg(feature = "explore")]
pub(crate) use puzzles::fault;
pub(crate) use puzzles::write_batch;
#[cfg(feature = "session")]
pub(crate) use puzzles::{WORDS, changed};
pub use puzzles::{
    misspelt, puzzle_columns, read_csv, read_entries, read_positions, write_csv, write_csv_columns,
    write_jsonl,
};
