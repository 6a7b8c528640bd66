//! The games of puzzles from a table that somebody else may have written.

use std::path::PathBuf;

use super::{Options, Session, SessionError};
use crate::games::registry::names_a_file;

/// Opens the game of a puzzle. A game that is read from a file must have been `given` by the
/// user: what is written in a table of puzzles opens no files.
///
/// # Errors
/// If the spec names no game, names a file and no game was given, or is not the given one.
pub fn open_of_row(
    spec: &str,
    given: Option<&str>,
    table: Option<PathBuf>,
) -> Result<Box<dyn Session>, SessionError> {
    let options = Options::new().table(table);
    let Some(given) = given else {
        if names_a_file(spec) {
            return Err(SessionError::FileOfRow(spec.to_owned()));
        }
        return options.open(spec);
    };
    let session = options.open(given)?;
    // In tables of earlier versions graphs have no digest.
    if session.spec() != spec && given != spec {
        return Err(SessionError::OtherThanGiven {
            spec: spec.to_owned(),
            given: session.spec(),
        });
    }
    Ok(session)
}
