//! What a session with tables has.

use std::sync::{Arc, Mutex};

use crate::analysis::lures::Lures;
use crate::game::{Game, TableGame};
use crate::session::Options;
use crate::session::erased::{ErasedGame, Typed};
use crate::session::table_files::TableSource;

/// A session with a game of two players that is solved into a table. What no other session can be
/// asked are methods of its own; they fail as those of the interfaces do.
pub struct TableSession {
    pub(super) game: ErasedGame,
    pub(in crate::session) source: TableSource,
    /// What was found about lures, for the depths that were asked for last.
    pub(super) lures: Mutex<Vec<Arc<Lures>>>,
}

/// Opens a game of two players, which need not be one of the
/// [registry](crate::games::registry)'s.
pub fn tables<G: TableGame>(game: G, options: &Options) -> TableSession {
    TableSession::new(Arc::new(Typed::new(game)), options)
}

impl TableSession {
    pub(in crate::session) fn new<G: TableGame>(game: Arc<Typed<G>>, options: &Options) -> Self {
        Self {
            source: TableSource::new(options, &game.spec()),
            lures: Mutex::default(),
            game: ErasedGame { engine: game },
        }
    }
}
