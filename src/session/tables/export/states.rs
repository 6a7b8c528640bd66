//! Rows that are states.

use super::headings::{Headings, Kind};
use super::{Rows, slots};
use crate::export::{Batch, ColumnData};
use crate::game::{Feature, TableGame};
use crate::mine::{Catalogue, Measured, Tier};
use crate::session::{ExportColumns, SessionError};
use crate::table::Table;

/// Rows that are states, with columns of the catalogue.
pub(super) struct StateRows {
    headings: Headings,
    measured: Vec<usize>,
    position: bool,
    forbidden: bool,
    best_move: bool,
}

/// The name of the column with the only best move, which the record has.
const BEST_MOVE: &str = "best_move";

impl StateRows {
    /// States with these columns.
    pub fn new<G: TableGame>(
        game: &G,
        catalogue: &Catalogue,
        columns: &ExportColumns,
        restricted: bool,
        position: bool,
    ) -> Result<Self, SessionError> {
        let criterion = game.criterion();
        let (mut position, mut best_move) = (position, bans(game));
        let mut measured = Vec::new();
        let most = match columns {
            ExportColumns::Record => Some(Tier::Record),
            ExportColumns::Board => Some(Tier::Board),
            ExportColumns::Named(names) => {
                best_move = false;
                for name in names {
                    match name.as_str() {
                        "position" => position = true,
                        BEST_MOVE if bans(game) => best_move = true,
                        // In every data set.
                        "slot" | "layer" => {}
                        "forbidden" if restricted => {}
                        name if name == criterion => {}
                        name => measured.push(catalogue.find(name).ok_or_else(|| {
                            SessionError::UnknownColumn {
                                spec: game.spec(),
                                name: name.to_owned(),
                                near: catalogue.nearest(name),
                            }
                        })?),
                    }
                }
                measured.sort_unstable();
                measured.dedup();
                None
            }
        };
        if let Some(most) = most {
            let columns = catalogue.columns().iter().enumerate();
            let columns = columns.filter(|(_, column)| {
                // One that is in every data set anyway is left out.
                let name = &column.feature.name;
                column.tier <= most && name != criterion && name != "layer"
            });
            measured.extend(columns.map(|(place, _)| place));
        }
        let mut headings = Headings::first(position);
        if restricted {
            let forbidden = Feature::word(
                "forbidden",
                [""; 0],
                "the move that is forbidden in this state; NULL if none is",
            );
            headings.push(forbidden, Kind::Text, "record");
        }
        if best_move {
            let best = Feature::word(
                BEST_MOVE,
                [""; 0],
                "the only move with the best value, if it could be forbidden: as in only_move; NULL if there is no such move, and in states with a forbidden move",
            );
            headings.push(best, Kind::Text, "board");
        }
        for &place in &measured {
            headings.push_measured(&catalogue.columns()[place]);
        }
        Ok(Self {
            headings,
            measured,
            position,
            forbidden: restricted,
            best_move,
        })
    }
}

/// Whether moves can be forbidden in the game.
fn bans<G: TableGame>(game: &G) -> bool {
    game.with_repetition(game.repetition()).is_some()
}

impl<G: TableGame> Rows<G> for StateRows {
    fn headings(&self) -> &Headings {
        &self.headings
    }

    fn measured(&self) -> &[usize] {
        &self.measured
    }

    fn needs_states(&self) -> bool {
        self.position || self.forbidden || self.best_move
    }

    fn batch(
        &self,
        game: &G,
        table: &Table,
        measured: Measured<G::State>,
    ) -> Result<Batch, SessionError> {
        let states = &measured.states;
        let mut texts: Vec<Vec<Option<String>>> = Vec::new();
        if self.position {
            texts.push(
                states
                    .iter()
                    .map(|state| Some(game.format_state(state)))
                    .collect(),
            );
        }
        let forbidden = |state: &G::State| game.forbidden(state).map(|mv| game.format_move(mv));
        if self.forbidden {
            texts.push(states.iter().map(forbidden).collect());
        }
        if self.best_move {
            let best = states.iter().zip(&measured.slots).map(|(state, &slot)| {
                if game.forbidden(state).is_some() {
                    return Ok(None);
                }
                // The state with that move forbidden names it.
                let number = table.record(slot)?.only_move();
                let state = number.and_then(|number| game.forbid(state, number));
                Ok::<_, SessionError>(state.as_ref().and_then(forbidden))
            });
            texts.push(best.collect::<Result<_, _>>()?);
        }
        let mut headings = self.headings.iter();
        let texts = texts.into_iter().map(ColumnData::Texts);
        let first = std::iter::once(slots(measured.slots)).chain(texts);
        let mut columns: Vec<_> = first
            .zip(headings.by_ref())
            .map(|(data, heading)| heading.with(data))
            .collect();
        let values = measured.columns.into_iter().zip(headings);
        columns.extend(values.map(|(values, heading)| heading.column(values.into_iter())));
        Ok(Batch::new(columns)?)
    }
}
