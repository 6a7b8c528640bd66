//! Boards of games with tables, as data for programs that show them and do not know the rules.

use crate::draw::BoardSquare;
use crate::game::{Drawable, Game, Moves, NotationError, Playable, Ranked};
use crate::session::erased::ErasedGame;
use crate::session::lines::read;
use crate::session::tables::TableSession;
use crate::session::{BoardReport, Palette, PointedMove, Result, SessionError};

impl TableSession {
    /// The board of a position.
    pub fn board(&self, position: &str) -> Result<BoardReport> {
        let game = &self.game;
        game.check_picture()?;
        let state = read(game, position)?;
        let pointed = |mv| {
            let (from, to) = game.aim(&state, mv);
            PointedMove {
                name: game.format_move(mv),
                from,
                to,
            }
        };
        Ok(BoardReport {
            position: game.format_state(&state),
            side: game.side_to_move(&state).to_owned(),
            size: game.size(),
            diagram: game.diagram(&state),
            things: game.standing(&state),
            moves: game.moves(&state).into_iter().map(pointed).collect(),
            forbidden: game.forbidden(&state).map(pointed),
        })
    }

    /// What positions can be set up from.
    pub fn palette(&self) -> Palette {
        let game = &self.game;
        let initial = game.initial();
        let first = game.side_to_move(&initial);
        // The other side is whoever moves next.
        let mut moves = game.moves(&initial).into_iter();
        let next = moves.find_map(|mv| game.play(&initial, mv).state());
        let other = next.map(|next| game.side_to_move(&next));
        let mut sides = vec![first.to_owned()];
        sides.extend(other.filter(|other| *other != first).map(str::to_owned));
        Palette {
            things: game.palette(),
            sides,
        }
    }

    /// The position with these things on its board, each given by its place in the palette,
    /// and nothing forbidden. The side to move is the one that begins the game or, if
    /// `second`, the other one; where the pieces say whose turn it is, they decide.
    pub fn arrange(&self, things: &[(BoardSquare, usize)], second: bool) -> Result<String> {
        let game = &self.game;
        self.check_things(things)?;
        let state = game.parse_state(&game.arranged(things, second));
        let state = state.map_err(|fault| unfit(game, &fault))?;
        Ok(game.format_state(&state))
    }

    /// The partial diagram with these things on its board, and anything on the open squares.
    pub fn pattern(&self, things: &[(BoardSquare, usize)], open: &[BoardSquare]) -> Result<String> {
        let game = &self.game;
        let none = game.palette().len();
        self.check_things(things)?;
        self.check_things(&open.iter().map(|&cell| (cell, 0)).collect::<Vec<_>>())?;
        let open = open.iter().map(|&cell| (cell, none));
        let all: Vec<_> = things.iter().copied().chain(open).collect();
        let text = game.arranged(&all, false);
        // Some games have patterns of the board alone.
        let board = text.split(' ').next().unwrap_or(&text);
        if game.parse_pattern(board).is_ok() {
            return Ok(board.to_owned());
        }
        game.parse_pattern(&text)
            .map_err(|fault| unfit(game, &fault))?;
        Ok(text)
    }

    fn check_things(&self, things: &[(BoardSquare, usize)]) -> Result<()> {
        let game = &self.game;
        game.check_picture()?;
        let items = game.palette().len();
        let (columns, rows) = game.size();
        for &(cell, place) in things {
            if place >= items {
                return Err(SessionError::Arrangement(format!(
                    "thing {place} is not in the palette of {}, which has {items}",
                    game.spec()
                )));
            }
            if cell.column >= columns || cell.row >= rows {
                let BoardSquare { column, row } = cell;
                return Err(SessionError::Arrangement(format!(
                    "column {column}, row {row} is off the board, which has {columns} columns and {rows} rows"
                )));
            }
        }
        Ok(())
    }
}

/// Why an arrangement is nothing. Its text was not written by hand, so places in it say
/// nothing.
fn unfit(game: &ErasedGame, fault: &NotationError) -> SessionError {
    let (spec, why) = (game.spec(), &fault.message);
    SessionError::Arrangement(format!("no position of {spec}: {why}"))
}
