//! The page in which a game is explored, and the server that answers it.
//!
//! An interface like the command line: it asks the [session](crate::session) and writes
//! what it gets as JSON, with the fields of the commands' `--json`. It decides nothing.
//! `openapi.json` describes the questions, `README.md` the page and what keeps it safe.
//!
//! | file | what it has |
//! |---|---|
//! | `server` | connections, their limits, the end |
//! | `client` | who asks: a connection, or bytes at hand |
//! | `http` | reading requests within limits, writing answers |
//! | `guard` | who is answered |
//! | `progress` | ends work whose client is gone or whose time is up |
//! | `routes` | which question is answered by what |
//! | `answers` | one position: board, values, solution, verdict |
//! | `mining` | scans, told bit by bit |
//! | `umpire` | play of a problem with hidden information |
//! | `exports` | finds as files |
//! | `still` | a small game as one file, without a server |
//! | `web/` | the page |

mod answers;
mod client;
mod exports;
mod guard;
mod http;
mod mining;
mod page;
mod progress;
mod questions;
mod routes;
mod server;
mod still;
mod umpire;

pub use server::{ExploreError, Server};
pub use still::still_page;
