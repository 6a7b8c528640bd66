//! Export of puzzles and of whole tables as CSV, JSON Lines and Parquet.
//!
//! Puzzles are rows ([`PuzzleRow`](crate::mine::PuzzleRow)). The states of a table are columns ([`Batch`]),
//! written to a folder of partitions ([`DataSet`]).

mod cells;
mod csv;
mod dataset;
mod error;
mod jsonl;
mod parquet;
mod part;

pub use cells::{Batch, ColumnData, DataColumn};
pub use csv::{read_csv, write_batch, write_csv, write_csv_columns};
pub use dataset::DataSet;
pub use error::ExportError;
pub use jsonl::write_jsonl;
pub use parquet::write_parquet;
pub use part::{Format, PartWriter, Written};
