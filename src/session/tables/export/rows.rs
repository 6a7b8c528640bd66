//! Rows that are states, and rows that are moves.

use std::sync::Arc;

use crate::base::value::Outcome;
use crate::export::{Batch, ColumnData};
use crate::game::{Feature, Game, Moves, Ranked, Retrograde, Slot};
use crate::mine::{Catalogue, Measured, Tier};
use crate::session::erased::{AnyState, ErasedGame};
use crate::session::tables::export::layout::{ColumnKind, Headings};
use crate::session::tables::export::slots;
use crate::session::{ExportColumns, Result, SessionError};
use crate::table::Table;

/// What the rows of a data set are, and how they come from states.
pub(super) struct Rows {
    /// Their columns, without those of the partition.
    pub headings: Headings,
    /// The columns of the catalogue that must be measured, as indices in rising order.
    pub measured: Vec<usize>,
    position: bool,
    kind: RowKind,
}

enum RowKind {
    /// A state, with columns of the catalogue, and perhaps with these.
    State(MoveColumns),
    /// A move of a position in which nothing is forbidden.
    Move { outcomes: Arc<[String]> },
}

/// Whether the moves that are forbidden, best and bannable, and best are among the columns.
#[derive(Clone, Copy)]
struct MoveColumns {
    forbidden: bool,
    bannable: bool,
    best: bool,
}

/// The columns with the only best move: if the record has it, and of whatever kind it is.
const BANNABLE_MOVE: &str = "bannable_move";
const BEST_MOVE: &str = "best_move";

impl Rows {
    pub(super) fn states(
        game: &ErasedGame,
        catalogue: &Catalogue,
        columns: &ExportColumns,
        restricted: bool,
        position: bool,
    ) -> Result<Self> {
        let criterion = game.criterion();
        let (mut position, mut bannable, mut best) = (position, game.forbids_moves(), false);
        let mut measured = Vec::new();
        let most = match columns {
            ExportColumns::Record => Some(Tier::Record),
            ExportColumns::Board => Some(Tier::Board),
            ExportColumns::Named(names) => {
                bannable = false;
                for name in names {
                    match name.as_str() {
                        "position" => position = true,
                        BANNABLE_MOVE if game.forbids_moves() => bannable = true,
                        BEST_MOVE => best = true,
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
            headings.push(forbidden, ColumnKind::Text, "record");
        }
        let mut add = |name, meaning, tier| {
            let text = Feature::word(name, [""; 0], meaning);
            headings.push(text, ColumnKind::Text, tier);
        };
        if bannable {
            add(
                BANNABLE_MOVE,
                "the only move with the best value, if it can be forbidden, as in bannable_best; NULL if there is no such move, and in states with a forbidden move",
                "board",
            );
        }
        if best {
            add(
                BEST_MOVE,
                "the only move with the best value, as in only_move; NULL if several have it",
                "play",
            );
        }
        for &place in &measured {
            let column = &catalogue.columns()[place];
            let (feature, tier) = (column.feature.clone(), column.tier.name());
            headings.push(feature, ColumnKind::Feature, tier);
        }
        Ok(Self {
            headings,
            measured,
            position,
            kind: RowKind::State(MoveColumns {
                forbidden: restricted,
                bannable,
                best,
            }),
        })
    }

    pub(super) fn moves(game: &ErasedGame, position: bool) -> Self {
        let mut headings = Headings::first(position);
        let mut add = |feature, kind| headings.push(feature, kind, "play");
        let words = OUTCOMES.map(Outcome::name);
        let text = |name, meaning| Feature::word(name, [""; 0], meaning);
        add(text("move", "the move").always(), ColumnKind::Text);
        for kind in game.kinds() {
            let flag = Feature::flag(format!("is_{}", kind.name), kind.meaning);
            add(flag.always(), ColumnKind::Feature);
        }
        add(
            Feature::number(
                "child",
                "the slot of the position after the move; NULL if the move ends the game",
            ),
            ColumnKind::Slot,
        );
        add(
            text(
                "child_forbidden",
                "the reply that is forbidden after the move, in the position as the child's slot stores it; NULL if none is",
            ),
            ColumnKind::Text,
        );
        let ends = Feature::flag("ends_game", "the move ends the game");
        add(ends.always(), ColumnKind::Feature);
        let outcome = Feature::word(
            "outcome",
            words,
            "'win', 'loss' or 'draw' for the side that moves, under best play after the move",
        );
        add(outcome.always(), ColumnKind::Feature);
        let plies = "plies to the end of the game, the move itself counted; NULL for a draw";
        let plies = Feature::number("plies", plies).counts("plies");
        add(plies, ColumnKind::Feature);
        let best = Feature::flag("is_best", "no move of the position has a better value");
        add(best.always(), ColumnKind::Feature);
        Self {
            headings,
            measured: Vec::new(),
            position,
            kind: RowKind::Move {
                outcomes: words.map(str::to_owned).into(),
            },
        }
    }

    /// Whether [`batch`](Self::batch) needs the states.
    pub(super) fn needs_states(&self) -> bool {
        match self.kind {
            RowKind::State(with) => self.position || with.forbidden || with.bannable || with.best,
            RowKind::Move { .. } => true,
        }
    }

    pub(super) fn batch(
        &self,
        game: &ErasedGame,
        table: &Table,
        measured: Measured<AnyState>,
    ) -> Result<Batch> {
        match &self.kind {
            RowKind::State(with) => self.batch_of_states(game, table, measured, *with),
            RowKind::Move { outcomes } => self.batch_of_moves(game, table, &measured, outcomes),
        }
    }

    fn batch_of_states(
        &self,
        game: &ErasedGame,
        table: &Table,
        measured: Measured<AnyState>,
        with: MoveColumns,
    ) -> Result<Batch> {
        let states = &measured.states;
        let mut texts: Vec<Vec<Option<String>>> = Vec::new();
        if self.position {
            let positions = states.iter().map(|state| game.format_state(state));
            texts.push(positions.map(Some).collect());
        }
        let forbidden = |state: &AnyState| game.forbidden(state).map(|mv| game.format_move(mv));
        if with.forbidden {
            texts.push(states.iter().map(forbidden).collect());
        }
        if with.bannable {
            let bannable = states.iter().zip(&measured.slots).map(|(state, &slot)| {
                if game.forbidden(state).is_some() {
                    return Ok(None);
                }
                // The state with that move forbidden names it.
                let number = table.record(slot)?.only_move();
                let state = number.and_then(|number| game.forbid(state, number));
                Ok::<_, SessionError>(state.as_ref().and_then(forbidden))
            });
            texts.push(bannable.collect::<Result<_, _>>()?);
        }
        if with.best {
            let best = states.iter().map(|state| {
                let moves = game.engine().table_moves(table, state)?;
                let most = moves.iter().map(|found| found.value).max();
                let mut best = moves.iter().filter(|found| Some(found.value) == most);
                let only = best.next().filter(|_| best.next().is_none());
                Ok::<_, SessionError>(only.map(|found| game.format_move(found.mv)))
            });
            texts.push(best.collect::<Result<_, _>>()?);
        }
        let mut headings = self.headings.iter();
        let texts = texts.into_iter().map(ColumnData::Texts);
        let first = std::iter::once(slots(measured.slots)).chain(texts);
        let columns = first.zip(headings.by_ref());
        let mut columns: Vec<_> = columns.map(|(data, heading)| heading.with(data)).collect();
        let values = measured.columns.into_iter().zip(headings);
        columns.extend(values.map(|(values, heading)| heading.column(values.into_iter())));
        Ok(Batch::new(columns)?)
    }

    fn batch_of_moves(
        &self,
        game: &ErasedGame,
        table: &Table,
        measured: &Measured<AnyState>,
        outcome_words: &Arc<[String]>,
    ) -> Result<Batch> {
        let kinds = game.kinds().len();
        let (mut from, mut positions) = (Vec::new(), Vec::new());
        let (mut names, mut flags) = (Vec::new(), vec![Vec::new(); kinds]);
        let (mut children, mut forbidden) = (Vec::new(), Vec::new());
        let (mut ends, mut outcomes) = (Vec::new(), Vec::new());
        let (mut plies, mut best) = (Vec::new(), Vec::new());
        for (&slot, state) in measured.slots.iter().zip(&measured.states) {
            let moves = game.engine().table_moves(table, state)?;
            let most = moves.iter().map(|found| found.value).max();
            let position = self.position.then(|| game.format_state(state));
            for found in moves {
                from.push(slot);
                positions.extend(self.position.then(|| position.clone()));
                names.push(Some(game.format_move(found.mv)));
                for (kind, flags) in flags.iter_mut().enumerate() {
                    flags.push(Some(found.kinds >> kind & 1 == 1));
                }
                let child = found.child.map(|child| child.index);
                children.push(child.and_then(|slot| i64::try_from(slot).ok()));
                forbidden.push(forbidden_reply(game, found.child));
                ends.push(Some(found.child.is_none()));
                let outcome = found.value.outcome();
                let place = OUTCOMES.iter().position(|&other| other == outcome);
                outcomes.push(place.and_then(|place| i32::try_from(place).ok()));
                plies.push(found.value.plies().map(i32::from));
                best.push(Some(Some(found.value) == most));
            }
        }
        let mut data = vec![slots(from)];
        if self.position {
            data.push(ColumnData::Texts(positions));
        }
        data.push(ColumnData::Texts(names));
        data.extend(flags.into_iter().map(ColumnData::Flags));
        data.extend([
            ColumnData::Indices(children),
            ColumnData::Texts(forbidden),
            ColumnData::Flags(ends),
            ColumnData::Words {
                words: Arc::clone(outcome_words),
                places: outcomes,
            },
            ColumnData::Numbers(plies),
            ColumnData::Flags(best),
        ]);
        let columns = self.headings.iter().zip(data);
        let columns = columns.map(|(heading, data)| heading.with(data));
        Ok(Batch::new(columns.collect())?)
    }
}

/// The outcomes, in the order of their names.
const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Loss, Outcome::Win];

/// The move that is forbidden in the stored position of a slot.
fn forbidden_reply(game: &ErasedGame, child: Option<Slot>) -> Option<String> {
    let Slot { index, forbidden } = child?;
    let state = game.forbid(&game.unrank(index)?, forbidden?)?;
    game.forbidden(&state).map(|mv| game.format_move(mv))
}
