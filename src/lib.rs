//! tesuji solves a game completely, mines the solution for puzzles, exports the
//! finds as tables and draws them.
//!
//! The way through the crate: the rules of a game ([`games`]) are solved
//! ([`solve`]) into a table ([`table`]); [`mine`] scans the table with a filter;
//! what it finds leaves as rows ([`export`]), diagrams ([`draw`]), or a booklet and
//! a web page ([`book`]). Problems with hidden information are solved one by one
//! ([`metapositions`]). [`game`] has the capabilities that a game may offer,
//! [`value`] what a position is worth. The command line is in [`cli`].
//!
//! # Solve
//! One record a position answers for all of its states: see
//! [`Record`](value::Record).
//! ```
//! use std::{io::Cursor, path::Path};
//! use tesuji::{game::Repetition, games::ostle::Ostle, solve::*, table::*, base::value::Wide};
//!
//! let game = Ostle::new(3, 3, 2, 2, Repetition::Exact)?;
//! let name = Path::new("3x3");
//! let sink = Cursor::new(Vec::new());
//! let mut writer = TableWriter::new(sink, name, &game, ValueWidth::WIDE, Encoding::Raw, 0)?;
//! let mut solver = Solver::<_, Wide>::new(&game);
//! while let Some(solved) = solver.solve_next(&Unwatched)? {
//!     writer.append(solved.slots().end, |slot| solved.record(slot), |_| ())?;
//! }
//! let (sink, fingerprint, _) = writer.finish()?;
//! let table = Table::from_bytes(sink.into_inner(), name)?;
//! assert_eq!(table.description().fingerprint, fingerprint);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Probe
//! ```
//! # use std::{io::Cursor, path::Path};
//! # use tesuji::{game::*, games::ostle::Ostle, mine::*, solve::*, table::*, base::value::*};
//! # let game = Ostle::new(3, 3, 2, 2, Repetition::Exact)?;
//! # let mut writer = TableWriter::new(Cursor::new(vec![]), Path::new("3x3"), &game, ValueWidth::WIDE, Encoding::Raw, 0)?;
//! # let mut solver = Solver::<_, Wide>::new(&game);
//! # while let Some(solved) = solver.solve_next(&Unwatched)? {
//! #     writer.append(solved.slots().end, |slot| solved.record(slot), |_| ())?;
//! # }
//! # let table = Table::from_bytes(writer.finish()?.0.into_inner(), Path::new("3x3"))?;
//! // `game` and `table` as above.
//! let oracle = TableOracle::new(&table, &game)?;
//! let analysis = Analysis::new(&game, &oracle, &game.initial())?;
//! assert_eq!(analysis.value(), oracle.value(&game, &game.initial())?);
//! for rated in analysis.rated() {
//!     println!("{} {}", game.format_move(rated.mv), rated.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Mine and export
//! ```
//! # use std::{io::Cursor, path::Path};
//! # use tesuji::{game::*, games::ostle::Ostle, mine::*, solve::*, table::*, base::value::*};
//! # let game = Ostle::new(3, 3, 2, 2, Repetition::Exact)?;
//! # let mut writer = TableWriter::new(Cursor::new(vec![]), Path::new("3x3"), &game, ValueWidth::WIDE, Encoding::Raw, 0)?;
//! # let mut solver = Solver::<_, Wide>::new(&game);
//! # while let Some(solved) = solver.solve_next(&Unwatched)? {
//! #     writer.append(solved.slots().end, |slot| solved.record(slot), |_| ())?;
//! # }
//! # let table = Table::from_bytes(writer.finish()?.0.into_inner(), Path::new("3x3"))?;
//! use tesuji::export::write_csv;
//!
//! let filter = Filter::parse(
//!     r#"
//!     name = "sacrifices"
//!     title = "Sacrifices"
//!     text = "Only giving up a piece wins."
//!     predicate = "outcome = 'win' AND plies > 1 AND winning_sacrifice = n_winning"
//!     "#,
//!     "sacrifices.toml",
//! )?;
//! let predicate = Predicate::new(&filter, &Catalogue::new(&game))?;
//! let scans = scan(&game, &table, &[(&predicate, Some(10))], &Scope::all(), &Unwatched)?;
//! let mut rows = Vec::new();
//! for find in scans[0].finds() {
//!     rows.push(puzzle_row(&game, &table, filter.name(), find, 0)?.0);
//! }
//! let mut csv = Vec::new();
//! write_csv(&mut csv, &rows)?;
//! assert!(csv.starts_with(b"puzzle_id,game,position"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Draw
//! ```
//! use tesuji::{draw::{Style, render}, game::*, games::ostle::Ostle};
//!
//! let game = Ostle::published(Repetition::Exact);
//! let diagram = game.diagram(&game.initial()).caption("The initial position");
//! assert!(render(&diagram, &Style::print()).starts_with("<svg"));
//! ```
//!
//! # What always holds
//! - A game knows nothing of solvers, tables or mining; nothing but
//!   [`games::registry`] and [`cli`] names a concrete game.
//! - Values are exact, and always those of the side to move. Plies count to the
//!   end of the game unless a name says `plies_to_checkmate`.
//! - The same input gives the same bytes: results depend neither on the number of
//!   threads nor on the machine. A table's fingerprint depends on its logical
//!   content alone.
//! - A damaged table is an error, never a wrong value.
//! - Files are written whole or not at all, and never over other content unasked.
//! - One process at a time writes to a place; see [`base::files`].
//! - Unsafe code stands in three places, each with its contract: [`bits`] (two processor
//!   instructions, where the target has them), the arrays of [`solve`] (zeroed maps as
//!   atomic words, eight compared at a time, prefetching), and the reader of [`table`]
//!   (maps of files).
#![deny(missing_docs)]

pub mod analysis;
pub mod base;
pub mod book;

pub mod cli;
pub mod draw;
pub mod export;
pub mod formula;
pub mod game;
pub mod games;
pub mod mine;
pub mod session;
pub mod solve;
pub mod table;

pub use session::open;
