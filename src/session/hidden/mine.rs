//! Mining games with hidden information: positions are generated, and those that filters
//! admit are kept.

use std::time::Instant;

use super::HiddenSession;
use crate::base::progress::Progress;
use crate::base::text::grouped;
use crate::export::{Batch, ColumnData, DataColumn};
use crate::game::HiddenGame;
use crate::mine::hidden::{HiddenFind, HiddenScan, Selection, Supply, catalogue, mine, row};
use crate::mine::{Catalogue, Column, Filter, Predicate, PuzzleRow, States};
use crate::session::evaluation::refuse_given;
use crate::session::heading::Heading;
use crate::session::lines::read;
use crate::session::mining::{distinct_names, expect_mates};
use crate::session::{
    Mined, MinedSet, Mining, MiningOptions, ScopeOptions, SessionError, SupplyMethod, SupplyOptions,
};
use crate::solve::belief::Limits;

/// Bytes of memory that one search may take.
const MEMORY: usize = 1 << 27;

/// Moves and replies that positions are taken back from a won one at most.
const BACKWARDS: usize = 3;

impl<G: HiddenGame> HiddenSession<G> {
    fn supply(&self, options: &SupplyOptions) -> Result<Supply<G::State>, SessionError> {
        let method = options.method.unwrap_or(if options.from.is_empty() {
            SupplyMethod::Random
        } else {
            SupplyMethod::Vary
        });
        if method != SupplyMethod::Vary && !options.from.is_empty() {
            return Err(SessionError::Inapplicable {
                option: "from",
                why: "names positions to vary, and another --method is given".to_owned(),
            });
        }
        Ok(match method {
            SupplyMethod::Random => Supply::Random,
            SupplyMethod::Backwards => Supply::Backwards(BACKWARDS),
            SupplyMethod::Vary if options.from.is_empty() => {
                Supply::Variations(vec![self.game.initial()])
            }
            SupplyMethod::Vary => {
                let states = options.from.iter().map(|text| read(&self.game, text));
                Supply::Variations(states.collect::<Result<_, _>>()?)
            }
        })
    }

    fn predicates(
        &self,
        catalogue: &Catalogue,
        filters: &[Filter],
        options: &MiningOptions,
    ) -> Result<Vec<Predicate>, SessionError> {
        let scope = &options.scope;
        let given = [
            ("layer", !scope.layers.is_empty()),
            ("class", !scope.classes.is_empty()),
            ("sample", scope.sample > 1),
            ("progressive", options.progressive),
            ("reachable", options.reachable),
            ("memory", options.memory.is_some()),
            (
                "shortlist",
                filters.iter().any(|it| it.shortlist().is_some()),
            ),
            (
                "states",
                filters.iter().any(|it| it.states() != States::default()),
            ),
        ];
        refuse_given(&given, "is for games with tables", &self.game.spec())?;
        distinct_names(filters)?;
        expect_mates(filters, &self.game.spec(), None)?;
        self.supply(&options.supply)?;
        let predicates = filters
            .iter()
            .map(|filter| Predicate::new(filter, catalogue));
        Ok(predicates.collect::<Result<_, _>>()?)
    }
}

impl<G: HiddenGame> Mining for HiddenSession<G> {
    fn columns(&self) -> Vec<Column> {
        catalogue(&self.game).columns().to_vec()
    }

    fn about_columns(&self) -> &'static str {
        "Columns for SQL conditions. Conditions on the board are tested before a position is solved,\n\
         conditions on its solution after."
    }

    fn check(&self, filters: &[Filter], options: &MiningOptions) -> Result<(), SessionError> {
        let catalogue = catalogue(&self.game);
        self.predicates(&catalogue, filters, options).map(|_| ())
    }

    fn estimates(&self, _: &ScopeOptions) -> bool {
        false
    }

    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Mined, SessionError> {
        let game = &self.game;
        let catalogue = catalogue(game);
        let predicates = self.predicates(&catalogue, filters, options)?;
        let selection: Vec<_> = predicates
            .iter()
            .zip(filters)
            .map(|(predicate, filter)| Selection {
                predicate,
                limit: options.limit_of(filter),
                distinct: filter.distinct(),
            })
            .collect();
        let from = &options.supply;
        let first = from.first.unwrap_or(0);
        let count = from.positions.unwrap_or(20_000);
        let end = first.checked_add(count).ok_or(SessionError::Inapplicable {
            option: "first",
            why: "and --positions together are past the last number".to_owned(),
        })?;
        let supply = self.supply(from)?;
        let scan = HiddenScan {
            supply: &supply,
            seed: from.seed.unwrap_or(1),
            numbers: first..end,
            limits: Limits::new(from.depth.unwrap_or(7), from.fouls.unwrap_or(2))
                .memory(MEMORY)
                .effort(from.effort.unwrap_or(200_000)),
            filters: &selection,
        };
        let begun = Instant::now();
        let found = mine(game, &scan, &progress)?;
        let about = format!(
            "{}: {} positions, {} solved, {} given up, {:.1} s; go on with --first {end}",
            game.spec(),
            grouped(found.positions),
            grouped(found.solved),
            grouped(found.given_up),
            begun.elapsed().as_secs_f64(),
        );
        let sets = filters.iter().zip(&found.finds);
        let sets = sets.map(|(filter, (finds, matched))| {
            let rows = finds.iter().map(|find| row(game, filter.name(), find));
            let rows: Vec<_> = rows.collect();
            Ok(MinedSet {
                filter: filter.name().to_owned(),
                title: filter.title().to_owned(),
                matched: *matched,
                coverage: None,
                columns: Some(measured(&catalogue, &rows, finds)?),
                rows,
            })
        });
        Ok(Mined {
            about,
            sets: sets.collect::<Result<_, SessionError>>()?,
        })
    }
}

/// All columns of finds, with the puzzle's name, position and key first.
fn measured<G: HiddenGame>(
    catalogue: &Catalogue,
    rows: &[PuzzleRow],
    finds: &[HiddenFind<G>],
) -> Result<Batch, SessionError> {
    let text = |name: &str, of: fn(&PuzzleRow) -> &String| {
        let values = rows.iter().map(|row| Some(of(row).clone())).collect();
        DataColumn::required(name, ColumnData::Texts(values))
    };
    let mut columns = vec![
        text("puzzle_id", |row| &row.puzzle_id),
        text("position", |row| &row.position),
        text("key", |row| &row.key),
    ];
    for (place, column) in catalogue.columns().iter().enumerate() {
        let heading = Heading::new(column.feature.clone());
        columns.push(heading.column(finds.iter().map(|find| find.values[place])));
    }
    Ok(Batch::new(columns)?)
}
