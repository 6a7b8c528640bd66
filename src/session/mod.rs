//! Sessions: open a game by its spec, then ask.
//!
//! A [`Session`] takes text and gives inert data, so that a command line, another
//! language or a server needs no more than this module. It is implemented once for each
//! [`GameKind`] of game and knows no game: [`open`] asks the
//! [registry](crate::games::registry), and a game of one's own comes in by [`tables`],
//! [`nimbers`], `one_player` or [`hidden`].
//!
//! What can be asked is grouped into small interfaces ([`Evaluating`], [`Mining`], ...).
//! A session has those that make sense for its kind; asking for another one is
//! [`SessionError::Unsupported`], which names the kind, the operation, and what the kind
//! can do.
//!
//! ```
//! use tesuji::base::progress::NoProgress;
//! use tesuji::session::{Evaluation, EvaluationOptions};
//!
//! let session = tesuji::open("ostle:3x3,pieces=2,losses=2")?;
//! let options = EvaluationOptions::default();
//! let evaluation = session.evaluating()?.evaluate("1ww/1o1/bb1 b -", &options, &NoProgress)?;
//! let Evaluation::Plies(found) = evaluation else { unreachable!("ostle has a table") };
//! assert_eq!(found.moves[0].name, found.line[0]);
//! # Ok::<(), tesuji::session::SessionError>(())
//! ```

mod batch;
mod binding;
mod collection;
mod engine;
mod erased;
mod error;
mod evaluation;
mod finds;
mod hidden;
mod interfaces;
mod lines;
mod mining;
mod nimbers;
mod one_player;
mod opening;
mod options;
mod pack;
mod programs;
mod published;
mod scores;
mod statistics;
mod studies;
mod table_files;
mod tables;

pub use crate::mine::titled;
pub use batch::{BatchError, answer_lines};
#[cfg(feature = "anki")]
pub use binding::cards;
pub use binding::{Bound, book, title};
pub use collection::{Collection, Distinct, Puzzle};
pub use engine::Engine;
pub use error::{Result, SessionError};
pub use evaluation::{
    Asked, BoardReport, CheckReport, Checked, CheckedHidden, CheckedTable, Composition,
    DrawnSolution, Evaluation, EvaluationOptions, HiddenEvaluation, HiddenSolution, HiddenSolved,
    LureWorth, MoveValues, NimberEvaluation, NimberMove, NimberPart, PLAYED_FROM_TABLE, Palette,
    PlyEvaluation, PlyMove, PointedMove, PositionValues, SearchOptions, SolutionOptions,
    SolutionReport, TableSolution, TwinReport, Uniqueness, refuse_given,
};
pub(crate) use finds::sheet;
pub use finds::{
    FindFolder, puzzle_svg, refuse_stale, remove_pictures, solution_svg, stale_pictures,
    write_finds,
};
pub use hidden::hidden;
pub use interfaces::{
    Checking, Evaluating, Interfaces, Lines, Mining, Operation, Playing, Position, Problems,
    Programming, Relation, Session, Solutions, Solving, Statistics, Umpired, Umpiring,
};
pub use mining::{
    BookOptions, ColumnReport, ExportColumns, ExportOptions, ExportRows, Exported, Mined, MinedSet,
    MiningOptions, RowOptions, ScopeOptions, SupplyMethod, SupplyOptions,
};
pub use nimbers::{RankedBoard, nimbers, rank_boards};
pub(crate) use one_player::one_player;
pub use opening::{open, open_table};
#[cfg(feature = "cli")]
pub use options::parse_bytes;
pub use options::{GameKind, Options, table_name};
pub use programs::{Questions, SearchRun, finish};
pub(crate) use published::Counts;
pub use published::{Comparisons, Published};
pub use scores::{ScoreReport, ScoredPly, read_scores, score};
pub(crate) use statistics::LURED_MOVES;
pub use statistics::{
    DepthCount, Difference, Example, LureChances, LureOptions, LureReport, LuredDepth, PathReport,
    PuzzleDepth, PuzzleStatistics, ReachDistance, ReachOptions, ReachReport, SolveOptions,
    StatisticsReport, TableStatistics, VerifyReport, WrittenTable,
};
pub use studies::{StudyReport, StudyVerdict, check_study, open_study};
pub use table_files::most_memory;
pub use tables::{TableSession, tables};
