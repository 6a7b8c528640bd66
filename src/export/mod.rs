//! Export of puzzles and of whole tables as CSV, JSON Lines and Parquet.
//!
//! Puzzles are rows ([`PuzzleRow`](crate::mine::PuzzleRow)). The states of a table are columns ([`Batch`]),
//! written to a folder of partitions ([`DataSet`]).

#[cfg(feature = "parquet")]
mod about;
mod batch;
mod csv;
#[cfg(feature = "parquet")]
mod dataset;
mod entries;
mod error;
#[cfg(feature = "parquet")]
mod extent;
#[cfg(feature = "polars")]
mod frame;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod part;
mod puzzle_columns;

#[cfg(feature = "parquet")]
pub use about::{About, ColumnMeaning};
pub use batch::{Batch, ColumnData, DataColumn};
#[cfg(feature = "explore")]
pub(crate) use csv::fault;
pub use csv::{read_csv, write_batch, write_csv, write_csv_columns};
#[cfg(feature = "parquet")]
pub use dataset::{DataSet, Described};
pub use entries::{Entry, read_entries};
pub use error::ExportError;
#[cfg(feature = "parquet")]
pub use extent::Extents;
#[cfg(feature = "polars")]
pub use frame::data_frame;
pub use jsonl::write_jsonl;
#[cfg(feature = "parquet")]
pub use parquet::write_parquet;
#[cfg(feature = "parquet")]
pub use part::{Format, PartWriter, Written, WrittenFile};
pub use puzzle_columns::puzzle_columns;
