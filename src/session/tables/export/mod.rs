//! A table as a data set: its states, or the moves of its positions.

mod layout;

use std::ops::{ControlFlow, Range};
use std::path::Path;

use rayon::prelude::*;

use self::layout::{Headings, Layout};
use super::TableSession;
use super::steps::in_parts;
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::export::{About, Batch, ColumnData, DataSet, Written};
use crate::game::{Feature, Game, Moves, Ranked, Retrograde, Slot};
use crate::mine::{Catalogue, Measured, Partition, Solved, Tier, Wanted};
use crate::session::erased::{AnyState, ErasedGame};
use crate::session::mining::{column_of, column_with};
use crate::session::table_files::check_disk;
use crate::session::{
    Asked, ExportColumns, ExportOptions, ExportRows, Exported, Result, RowOptions, SessionError,
};
use crate::table::Table;

impl TableSession {
    /// Writes the states of the game as a data set in a folder.
    pub fn export(
        &self,
        folder: &Path,
        options: &ExportOptions,
        progress: &dyn Progress,
    ) -> Result<Exported> {
        let game = &self.game;
        let job = Job::new(game, &options.wanted)?;
        let set = DataSet::begin(folder, options.format, options.force)?;
        let room = job.layout.room(&job.rows.headings, options);
        check_disk(&format!("exporting {}", game.spec()), room, set.partial())?;
        let table = self.table(progress)?;
        let fingerprint = table.description.fingerprint.clone();
        let about = about(game, &fingerprint, options);
        let source = self.source_for(&table, &job.catalogue, &job.rows.measured, progress)?;
        progress.begin("exporting", job.layout.slots);
        let written = job.run(&source, &set, &about, progress)?;
        table.expect_unchanged()?;
        if written.rows() == 0 {
            let why = "would be an empty data set: no position is among those asked for";
            let lower = "; choose a lower --sample";
            let why = [why, if about.sample > 1 { lower } else { "" }].concat();
            return Err(SessionError::unusable(folder, why));
        }
        let exported = Exported {
            game: game.spec(),
            fingerprint,
            rows: written.rows(),
            files: written.files.len() as u64,
            bytes: written.bytes(),
        };
        let headings = &job.rows.headings;
        let meanings = headings.meanings(job.layout.meanings(), &written.extents);
        set.finish(about, &meanings, written)?;
        Ok(exported)
    }

    /// Hands the same rows to `visit` instead, in the order of slots, some tens of
    /// thousands at a time, always with the columns of layer and class. The first batch has
    /// the columns and no rows. Ends early, without an error, when `visit` says so.
    pub fn batches(
        &self,
        options: &RowOptions,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<()> {
        let job = Job::new(&self.game, options)?;
        let table = self.table(progress)?;
        let source = self.source_for(&table, &job.catalogue, &job.rows.measured, progress)?;
        progress.begin("rows", job.layout.slots);
        job.visit(&source, progress, visit)
    }

    /// The moves of some positions as rows, with the columns that the moves of all
    /// positions have. The rows are in the order of the positions and of the game's moves.
    ///
    /// # Errors
    /// If a position cannot be read ([`SessionError::OneOfMany`] has its number), or there is
    /// no table and the game is too large to be solved on the way.
    pub fn moves_of(&self, positions: &[Asked<'_>], progress: &dyn Progress) -> Result<Batch> {
        let table = self.table(progress)?;
        let game = &self.game;
        let rows = Rows::moves(game, true);
        let numbered = positions.par_iter().enumerate();
        let states =
            numbered.map(|(place, asked)| self.asked(asked).map_err(SessionError::of_many(place)));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        in_parts(&states, |_, states| {
            let measured = Measured {
                span: 0..0,
                slots: states.iter().map(|state| game.rank(state)).collect(),
                states: states.to_vec(),
                columns: Vec::new(),
            };
            rows.batch(game, &table, measured)
        })
    }
}

/// What the files say of themselves.
fn about(game: &ErasedGame, fingerprint: &str, options: &ExportOptions) -> About {
    let scope = &options.wanted.scope;
    let some = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    let sample = scope.sample.max(1);
    About {
        writer: concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: game.spec(),
        repetition: (game.forbids_moves()).then(|| game.repetition().name().to_owned()),
        fingerprint: fingerprint.to_owned(),
        rows_are: match options.wanted.rows {
            ExportRows::States { .. } => "states",
            ExportRows::Moves => "moves",
        }
        .to_owned(),
        restricted: options.wanted.rows.restricted(),
        layers: some(&scope.layers),
        classes: some(&scope.classes),
        sample,
        sampled_by: if sample == 1 {
            "all positions".to_owned()
        } else {
            format!(
                "the positions whose slot, as the seed of SplitMix64, gives a first number that is a multiple of {sample}"
            )
        },
        sorted_by: "slot".to_owned(),
    }
}

struct Job<'g> {
    game: &'g ErasedGame,
    catalogue: Catalogue,
    layout: Layout,
    rows: Rows,
}

impl<'g> Job<'g> {
    fn new(game: &'g ErasedGame, options: &RowOptions) -> Result<Self> {
        game.check_size()?;
        let catalogue = Catalogue::new(game);
        let rows = match &options.rows {
            ExportRows::States {
                restricted: true, ..
            } if !game.forbids_moves() => {
                let why = format!("is for rule 8 of Ostle; {} has no such rule", game.spec());
                return Err(SessionError::inapplicable("restricted", why));
            }
            ExportRows::States {
                columns,
                restricted,
            } => Rows::states(game, &catalogue, columns, *restricted, options.position)?,
            ExportRows::Moves => Rows::moves(game, options.position),
        };
        Ok(Self {
            game,
            catalogue,
            layout: Layout::new(game, options)?,
            rows,
        })
    }

    /// Writes all files, several at a time.
    fn run(
        &self,
        source: &Solved<'_>,
        set: &DataSet,
        about: &About,
        progress: &dyn Progress,
    ) -> Result<Written> {
        let parts = self.layout.parts.par_iter().enumerate().with_max_len(1);
        parts
            .map(|(number, part)| {
                let mut writer = set.part(number, about);
                for stretch in part {
                    self.measure(source, stretch, &stretch.slots, progress, |batch| {
                        Ok(writer.push(batch)?)
                    })?;
                }
                Ok(writer.finish()?)
            })
            .try_reduce(Written::default, |mut a, b| {
                a.join(b);
                Ok(a)
            })
    }

    /// Hands over all rows in order. Some spans are measured at a time, each by one thread.
    fn visit(
        &self,
        source: &Solved<'_>,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<()> {
        let stretches = self.layout.parts.iter().flatten();
        let spans = stretches.flat_map(|stretch| {
            let starts = stretch.slots.clone().step_by(SPAN);
            let end = |start: u64| stretch.slots.end.min(start + SPAN as u64);
            starts.map(move |start| (stretch, start..end(start)))
        });
        let spans: Vec<_> = spans.collect();
        if visit(self.columns(source.table)?).is_break() {
            return Ok(());
        }
        for some in spans.chunks(2 * rayon::current_num_threads()) {
            progress.go_on(SessionError::Stopped)?;
            let measured = some.par_iter().map(|(stretch, slots)| {
                let mut rows = Batch::default();
                self.measure(source, stretch, slots, progress, |batch| {
                    Ok(rows.append(batch)?)
                })?;
                Ok::<_, SessionError>(rows)
            });
            for batch in measured.collect::<Result<Vec<_>, _>>()? {
                if batch.rows() > 0 && visit(batch).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The columns, without rows.
    fn columns(&self, table: &Table) -> Result<Batch> {
        let measured = Measured {
            span: 0..0,
            slots: Vec::new(),
            states: Vec::new(),
            columns: vec![Vec::new(); self.rows.measured.len()],
        };
        let rows = self.rows.batch(self.game, table, measured)?;
        let none = Partition::default();
        Ok(self.layout.with_layer_and_class(&none, rows)?)
    }

    /// Makes the rows of some slots of a stretch.
    fn measure(
        &self,
        source: &Solved<'_>,
        stretch: &Partition,
        slots: &Range<u64>,
        progress: &dyn Progress,
        mut take: impl FnMut(Batch) -> Result<()>,
    ) -> Result<()> {
        let Rows { kind, position, .. } = self.rows;
        let texts = |with: MoveColumns| with.forbidden || with.bannable || with.best;
        let wanted = Wanted {
            columns: &self.rows.measured,
            scope: &self.layout.scope,
            restricted: kind.is_some_and(|with| with.forbidden),
            states: position || kind.is_none_or(texts),
        };
        let mut visit = |measured: Measured<AnyState>| {
            let span = measured.span.end - measured.span.start;
            let batch = self.rows.batch(self.game, source.table, measured)?;
            take(self.layout.with_layer_and_class(stretch, batch)?)?;
            progress.advance(span);
            Ok(())
        };
        let engine = &self.game.engine;
        engine.measure_slots(source, &self.catalogue, wanted, slots, &mut visit)
    }
}

/// Slots that one thread measures at a time.
const SPAN: usize = 1 << 16;

fn slots(slots: Vec<u64>) -> ColumnData {
    ColumnData::slots(slots.into_iter().map(Some))
}

/// What the rows of a data set are, and how they come from states.
struct Rows {
    /// Their columns, without layer and class.
    pub headings: Headings,
    /// The columns of the catalogue that must be measured, as indices in rising order.
    pub measured: Vec<usize>,
    position: bool,
    /// What the row of a state has besides columns of the catalogue; `None` if a row is a move of a
    /// position in which nothing is forbidden.
    kind: Option<MoveColumns>,
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
    fn states(
        game: &ErasedGame,
        catalogue: &Catalogue,
        columns: &ExportColumns,
        restricted: bool,
        position: bool,
    ) -> Result<Self> {
        let criterion = game.criterion();
        let (mut position, mut bannable, mut best) = (position, game.forbids_moves(), false);
        // One that is in every data set anyway is left out.
        let up_to = |most: Tier| -> Vec<usize> {
            let columns = catalogue.columns.iter().enumerate().filter(|(_, column)| {
                let name = &column.feature.name;
                column.tier <= most && name != criterion && name != "layer"
            });
            columns.map(|(place, _)| place).collect()
        };
        let measured = match columns {
            ExportColumns::Record => up_to(Tier::Record),
            ExportColumns::Board => up_to(Tier::Board),
            ExportColumns::Named(names) => {
                bannable = false;
                let mut measured = Vec::new();
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
                            let near = catalogue.nearest(name).into_iter();
                            SessionError::UnknownColumn {
                                spec: game.spec(),
                                name: name.to_owned(),
                                near: near.map(str::to_owned).collect(),
                            }
                        })?),
                    }
                }
                measured.sort_unstable();
                measured.dedup();
                measured
            }
        };
        let mut headings = Headings::first(position);
        let mut add = |name, meaning, tier| {
            headings.push(Feature::word(name, [""; 0], meaning), tier);
        };
        if restricted {
            let meaning = "the move that is forbidden in this state; NULL if none is";
            add("forbidden", meaning, "record");
        }
        if bannable {
            let meaning = "the only move with the best value, if it can be forbidden, as in bannable_best; NULL if there is no such move, and in states with a forbidden move";
            add(BANNABLE_MOVE, meaning, "board");
        }
        if best {
            let meaning =
                "the only move with the best value, as in only_move; NULL if several have it";
            add(BEST_MOVE, meaning, "play");
        }
        for &place in &measured {
            let column = &catalogue.columns[place];
            headings.push(column.feature.clone(), column.tier.name());
        }
        Ok(Self {
            headings,
            measured,
            position,
            kind: Some(MoveColumns {
                forbidden: restricted,
                bannable,
                best,
            }),
        })
    }

    fn moves(game: &ErasedGame, position: bool) -> Self {
        let mut headings = Headings::first(position);
        let text = |name, meaning| Feature::word(name, [""; 0], meaning);
        headings.push(text("move", "the move").always(), "play");
        for kind in game.kinds() {
            let flag = Feature::flag(format!("is_{}", kind.name), kind.meaning);
            headings.push(flag.always(), "play");
        }
        let child = "the slot of the position after the move; NULL if the move ends the game";
        headings.push_slots(Feature::number("child", child), "play");
        let forbidden = "the reply that is forbidden after the move, in the position as the child's slot stores it; NULL if none is";
        let outcome =
            "'win', 'loss' or 'draw' for the side that moves, under best play after the move";
        let plies = "plies to the end of the game, the move itself counted; NULL for a draw";
        for feature in [
            text("child_forbidden", forbidden),
            Feature::flag("ends_game", "the move ends the game").always(),
            Feature::word("outcome", OUTCOMES.map(Outcome::name), outcome).always(),
            Feature::number("plies", plies).counts("plies"),
            Feature::flag("is_best", "no move of the position has a better value").always(),
        ] {
            headings.push(feature, "play");
        }
        Self {
            headings,
            measured: Vec::new(),
            position,
            kind: None,
        }
    }

    fn batch(
        &self,
        game: &ErasedGame,
        table: &Table,
        measured: Measured<AnyState>,
    ) -> Result<Batch> {
        match self.kind {
            Some(with) => self.batch_of_states(game, table, measured, with),
            None => self.batch_of_moves(game, table, &measured),
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
                let moves = game.engine.table_moves(table, state)?;
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
        let columns = columns.map(|(data, feature)| column_with(feature, data));
        let mut columns: Vec<_> = columns.collect();
        let values = measured.columns.into_iter().zip(headings);
        columns.extend(values.map(|(values, feature)| column_of(feature, values.into_iter())));
        Ok(Batch::new(columns)?)
    }

    fn batch_of_moves(
        &self,
        game: &ErasedGame,
        table: &Table,
        measured: &Measured<AnyState>,
    ) -> Result<Batch> {
        let (mut from, mut positions) = (Vec::new(), Vec::new());
        let (mut moves, mut best) = (Vec::new(), Vec::new());
        for (&slot, state) in measured.slots.iter().zip(&measured.states) {
            let found = game.engine.table_moves(table, state)?;
            let most = found.iter().map(|found| found.value).max();
            best.extend(found.iter().map(|found| Some(Some(found.value) == most)));
            moves.extend(found);
            from.resize(moves.len(), slot);
            if self.position {
                positions.resize(moves.len(), Some(game.format_state(state)));
            }
        }
        let moves = || moves.iter();
        let mut data = vec![slots(from)];
        if self.position {
            data.push(ColumnData::Texts(positions));
        }
        let names = moves().map(|found| Some(game.format_move(found.mv)));
        data.push(ColumnData::Texts(names.collect()));
        for kind in 0..game.kinds().len() {
            let flags = moves().map(|found| Some(found.kinds >> kind & 1 == 1));
            data.push(ColumnData::Flags(flags.collect()));
        }
        let outcomes = moves().map(|found| {
            let outcome = found.value.outcome();
            let place = OUTCOMES.iter().position(|&other| other == outcome);
            place.and_then(|place| i32::try_from(place).ok())
        });
        let forbidden = moves().map(|found| forbidden_reply(game, found.child));
        let plies = moves().map(|found| found.value.plies().map(i32::from));
        data.extend([
            ColumnData::slots(moves().map(|found| Some(found.child?.index))),
            ColumnData::Texts(forbidden.collect()),
            ColumnData::Flags(moves().map(|found| Some(found.child.is_none())).collect()),
            ColumnData::Words {
                words: OUTCOMES.map(|it| it.name().to_owned()).into(),
                places: outcomes.collect(),
            },
            ColumnData::Numbers(plies.collect()),
            ColumnData::Flags(best),
        ]);
        let columns = self.headings.iter().zip(data);
        let columns = columns.map(|(feature, data)| column_with(feature, data));
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
