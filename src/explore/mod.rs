//! The page in which a game is explored, and the server that answers it.
//!
//! An interface like the command line: it asks the [session](crate::session) and writes
//! what it gets as JSON, with the fields of the commands' `--json`. It decides nothing.
//! `openapi.json` describes the questions, `README.md` the page and what keeps it safe.
//!
//! | file | what it has |
//! |---|---|
//! | `server` | who is answered; connections, their limits, the end; which question is answered by what |
//! | `http` | reading requests within limits, writing answers; work that ends with its client |
//! | `answers` | what is asked, and its limits; one position, play against the umpire, finds as files |
//! | `mining` | scans, told bit by bit |
//! | `page` | the files of the page, and a small game as one file |
//! | `web/` | the page |

mod answers;
mod http;
mod mining;
mod page;
mod server;

pub use page::still_page;
pub use server::{ExploreError, Server};
