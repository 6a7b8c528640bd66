//! Predicates: the conditions of filters, split by the cost of their columns.

use std::slice;

use super::columns::{Catalogue, Tier, play};
use super::condition::Condition;
use super::error::MineError;
use super::filter::{Filter, States};
use super::frame::Minable;
use super::measure::measure;
use crate::game::{FeatureValue, Pattern, Playable};
use crate::table::Table;

/// A filter's predicate, and the maximum number of finds.
pub type Task<'p> = (&'p Predicate, Option<usize>);

/// A filter's condition, checked against a game's columns.
#[derive(Debug, Clone)]
pub struct Predicate {
    pub(crate) filter: Filter,
    pub(super) condition: Condition,
    /// The parts of the condition that need columns up to those of a step, by step.
    pub(super) stages: Vec<Condition>,
    /// The columns that finds are sorted by, and whether descending.
    pub(super) order: Vec<(usize, bool)>,
}

impl Predicate {
    /// Checks a filter's condition and order.
    ///
    /// # Errors
    /// If the condition is not of the grammar, names an unknown column or word, or its types
    /// do not fit, or the order names an unknown column.
    pub fn new(filter: &Filter, catalogue: &Catalogue) -> Result<Self, MineError> {
        let condition = Condition::new(&filter.predicate, catalogue);
        let condition = condition.map_err(|source| MineError::Text {
            what: filter.name.clone(),
            source,
        })?;
        let step_of = |columns: &[usize]| {
            let steps = columns.iter().map(|&column| catalogue.step_of(column));
            steps.max().unwrap_or(Self::RECORD)
        };
        let stages = (0..catalogue.steps.len())
            .map(|step| condition.parts_with(|columns| step_of(columns) == step));
        let find = |name: &str| {
            catalogue.find(name).ok_or_else(|| {
                let near = match &catalogue.nearest(name)[..] {
                    [] => String::new(),
                    near => format!(", did you mean {}?", near.join(" or ")),
                };
                MineError::Refused(format!(
                    "filter {}: unknown column '{name}' in the order{near}; 'tesuji features' lists all columns",
                    filter.name
                ))
            })
        };
        let order = filter.order.iter().map(|name| {
            let descending = name.strip_prefix('-');
            Ok((find(descending.unwrap_or(name))?, descending.is_some()))
        });
        Ok(Self {
            filter: filter.clone(),
            stages: stages.collect(),
            order: order.collect::<Result<_, MineError>>()?,
            condition,
        })
    }

    pub(crate) fn pattern<G: Playable>(&self, game: &G) -> Result<Option<Pattern>, MineError> {
        let read = |text| game.parse_pattern(text);
        let pattern = self.filter.pattern.as_deref().map(read).transpose();
        pattern.map_err(|source| MineError::Text {
            what: format!("{}: invalid pattern", self.filter.name),
            source,
        })
    }

    /// The columns of the condition and of the order, as indices into the catalogue, possibly
    /// with repetitions.
    pub(crate) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        let named = self.condition.columns().into_iter();
        named.chain(self.order.iter().map(|&(column, _)| column))
    }

    /// What a state does not meet: the pattern, that no move is forbidden, and the parts of the condition
    /// that are not true, as they are written, each with the values of its columns.
    ///
    /// # Errors
    /// If the table is of another game or cannot be read, or the pattern is none of the game.
    pub fn unmet<G: Minable>(
        &self,
        game: &G,
        table: &Table,
        state: &G::State,
    ) -> Result<Vec<String>, MineError> {
        let mut unmet = Vec::new();
        if let Some(pattern) = self.pattern(game)?
            && game.fit(&pattern, state).is_none()
        {
            let text = self.filter.pattern.as_deref().unwrap_or_default();
            unmet.push(format!("pattern {text}"));
        }
        if self.filter.states == States::Unrestricted && game.slot(state).forbidden.is_some() {
            unmet.push("states unrestricted (a move is forbidden)".to_owned());
        }
        let catalogue = Catalogue::new(game);
        let wanted = self.condition.columns();
        let values = measure(game, table, &catalogue, &wanted, slice::from_ref(state))?.remove(0);
        let value = |column| {
            let at = wanted.binary_search(&column);
            at.map_or(FeatureValue::NONE, |at| values[at])
        };
        unmet.extend(self.condition.unmet(value).map(|(text, columns)| {
            let said = columns.iter().map(|&column| {
                let feature = &catalogue.columns[column].feature;
                format!("{} is {}", feature.name, feature.written(value(column)))
            });
            format!("{text} ({})", said.collect::<Vec<_>>().join(", "))
        }));
        Ok(unmet)
    }

    /// Whether `dual_free` is a needed column, and the only one about solutions.
    pub(super) fn asks_of_duals_alone(&self, catalogue: &Catalogue) -> bool {
        let of_solution = catalogue.of_tier(Tier::Solution);
        let mut asked = self.needed().filter(|column| of_solution.contains(column));
        let duals = |column| column == catalogue.dual_free();
        asked.next().is_some_and(duals) && asked.all(duals)
    }

    /// Whether no unrestricted win whose main line has a dual is admitted, and nothing else of
    /// solutions is asked.
    pub(super) fn refuses_duals(&self, catalogue: &Catalogue) -> bool {
        let flags = [true, false].map(FeatureValue::flag);
        self.asks_of_duals_alone(catalogue)
            && self.admitted(catalogue.dual_free(), &flags) == [true, false]
    }

    /// The step of the columns of the table's record, which is the first.
    pub(super) const RECORD: usize = 0;

    /// The last step whose columns the condition takes.
    pub(super) fn last_step(&self) -> usize {
        let last = self.stages.iter().rposition(|stage| !stage.is_empty());
        last.unwrap_or(Self::RECORD)
    }

    /// The last step whose columns the condition takes for an unrestricted state with an only best
    /// move whose main line is free of duals: where such a state meets what is asked about these
    /// alone, that is left out, as is what is asked about the outcome of its second-best move alone.
    pub(super) fn last_step_without_duals(&self, catalogue: &Catalogue) -> usize {
        let duals = self.refuses_duals(catalogue).then(|| catalogue.dual_free());
        let play = catalogue.of_tier(Tier::Play).start;
        let met = |place: usize, value| {
            (self.admitted(play + place, &[value]) == [true]).then_some(play + place)
        };
        let met = [
            duals,
            met(play::BEST, FeatureValue::count(1)),
            met(play::ONLY, FeatureValue::flag(true)),
            Some(play + play::SECOND_OUTCOME),
        ];
        let is_met = |columns: &[usize]| met.iter().flatten().any(|&column| columns == [column]);
        let has_more = |stage: &Condition| !stage.parts_with(|columns| !is_met(columns)).is_empty();
        let last = self.stages.iter().rposition(has_more);
        last.unwrap_or(Self::RECORD)
    }

    /// The part of the condition that takes columns of one step alone, of those that `known`
    /// names; `None` if there is none.
    pub(super) fn within(
        &self,
        catalogue: &Catalogue,
        step: usize,
        known: impl Fn(usize) -> bool,
    ) -> Option<Condition> {
        let here = |column: &usize| catalogue.step_of(*column) == step && known(*column);
        let condition = self.stages[step].parts_with(|columns| columns.iter().all(here));
        (!condition.is_empty()).then_some(condition)
    }

    /// Which values of a column the parts of the condition that take this column alone admit.
    pub(super) fn admitted(&self, column: usize, values: &[FeatureValue]) -> Vec<bool> {
        let of_column = self.condition.parts_with(|columns| columns == [column]);
        of_column.test(values.len(), |_| values.to_vec())
    }
}
