//! Predicates: SQL conditions, split by the cost of their columns.

use polars::prelude::{Column as Series, DataFrame, DataType, NamedFrom};
use polars_lazy::dsl::{AggExpr, Expr, Operator};
use polars_lazy::frame::IntoLazy;

use super::columns::Catalogue;
use super::{Filter, MineError, States};
use crate::game::{Feature, FeatureKind, FeatureValue};

/// A filter's condition, checked against a game's columns.
#[derive(Debug, Clone)]
pub struct Predicate {
    filter: String,
    stages: Vec<Stage>,
    order: Vec<(usize, bool)>,
    restricted: bool,
}

/// The part of a condition that needs columns up to those of a step.
#[derive(Debug, Clone)]
struct Stage {
    step: usize,
    expr: Expr,
    /// Indices of its columns.
    columns: Vec<usize>,
}

impl Predicate {
    /// Checks a filter's predicate and order.
    ///
    /// # Errors
    /// If the predicate is not SQL, names an unknown column, or is not a condition.
    pub fn new(filter: &Filter, catalogue: &Catalogue) -> Result<Self, MineError> {
        let sql_error = |message: String| MineError::Sql {
            filter: filter.name().to_owned(),
            predicate: filter.predicate().to_owned(),
            message,
        };
        // The engine walks expressions recursively: a chain of many hundred terms would
        // overflow its stack, which cannot be caught.
        if filter.predicate().chars().count() > LONGEST {
            return Err(sql_error(format!(
                "it is longer than {LONGEST} characters; split it into several filters, or use IN and BETWEEN"
            )));
        }
        if let Some(word) = unwanted(filter.predicate()) {
            return Err(sql_error(format!(
                "{word} is not allowed in filters: a condition is tested on one state at a time, and cannot read anything else or build long texts"
            )));
        }
        let find = |name: &str| {
            catalogue.find(name).ok_or_else(|| MineError::Column {
                filter: filter.name().to_owned(),
                column: name.to_owned(),
                near: catalogue.nearest(name),
            })
        };
        let expr =
            polars::sql::sql_expr(filter.predicate()).map_err(|e| sql_error(e.to_string()))?;
        // The value of an aggregate would depend on which states are tested together.
        if expr.into_iter().any(|part| match part {
            // The list of an IN is a concatenation of literals.
            Expr::Agg(AggExpr::Implode { input, .. }) => {
                !matches!(input.as_ref(), Expr::Literal(_))
            }
            Expr::Agg(_) | Expr::Len | Expr::SubPlan(..) => true,
            _ => false,
        }) {
            return Err(sql_error(
                "it has an aggregate such as MAX or COUNT, but a filter is tested on one state at a time"
                    .to_owned(),
            ));
        }
        let mut parts = Vec::new();
        split(expr, &mut parts);
        let mut stages: Vec<Stage> = Vec::new();
        for part in parts {
            let names = part.clone().meta().root_names();
            let columns = names
                .iter()
                .map(|name| find(name))
                .collect::<Result<Vec<_>, _>>()?;
            let steps = columns.iter().map(|&place| catalogue.step_of(place));
            let step = steps.max().unwrap_or(Self::RECORD);
            match stages.iter_mut().find(|stage| stage.step == step) {
                Some(stage) => {
                    stage.expr = stage.expr.clone().and(part);
                    stage.columns.extend(columns);
                }
                None => stages.push(Stage {
                    step,
                    expr: part,
                    columns,
                }),
            }
        }
        stages.sort_by_key(|stage| stage.step);
        for stage in &mut stages {
            stage.columns.sort_unstable();
            stage.columns.dedup();
            // A dry run on no rows finds type errors before any work is done.
            let nothing = vec![Vec::new(); stage.columns.len()];
            evaluate(stage, catalogue, &nothing, 0, true).map_err(&sql_error)?;
        }
        let order = filter
            .order()
            .iter()
            .map(|name| match name.strip_prefix('-') {
                Some(name) => Ok((find(name)?, true)),
                None => Ok((find(name)?, false)),
            })
            .collect::<Result<Vec<_>, MineError>>()?;
        Ok(Self {
            filter: filter.name().to_owned(),
            stages,
            order,
            restricted: filter.states() == States::All,
        })
    }

    /// Whether restricted states are scanned too.
    pub(super) const fn scans_restricted(&self) -> bool {
        self.restricted
    }

    /// The sorting order: columns, and whether descending.
    pub(super) fn order(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.order.iter().copied()
    }

    /// The columns of the condition and of the order, possibly with repetitions.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        let named = self
            .stages
            .iter()
            .flat_map(|stage| stage.columns.iter().copied());
        named.chain(self.order.iter().map(|&(column, _)| column))
    }

    /// The step of the columns of the table's record, which is the first.
    pub(super) const RECORD: usize = 0;

    /// Whether the condition has a part that belongs to a step of the catalogue.
    pub(super) fn has(&self, step: usize) -> bool {
        self.stages.iter().any(|stage| stage.step == step)
    }

    /// Tests which of `count` rows satisfy the part of the condition that belongs to a step
    /// of the catalogue; `values` returns the rows' values of a column.
    pub(super) fn test(
        &self,
        step: usize,
        catalogue: &Catalogue,
        count: usize,
        values: impl FnMut(usize) -> Vec<FeatureValue>,
    ) -> Result<Vec<bool>, MineError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let Some(stage) = self.stages.iter().find(|stage| stage.step == step) else {
            return Ok(vec![true; count]);
        };
        let values: Vec<_> = stage.columns.iter().copied().map(values).collect();
        evaluate(stage, catalogue, &values, count, false).map_err(|message| MineError::Engine {
            filter: self.filter.clone(),
            message,
        })
    }
}

/// The first word of a condition that could make it read files or other states, or build
/// long texts. Quoted texts are searched too: no value contains these words, so this
/// refuses nothing useful.
fn unwanted(predicate: &str) -> Option<String> {
    let mut before = String::new();
    let letters = |c: char| !(c.is_alphanumeric() || c == '_');
    for word in predicate.split(letters).filter(|word| !word.is_empty()) {
        let word = word.to_ascii_uppercase();
        let fine = match word.as_str() {
            // IS DISTINCT FROM.
            "FROM" => before == "DISTINCT",
            "SELECT" | "TABLE" | "WITH" | "VALUES" | "OVER" | "UNNEST" | "LPAD" | "RPAD"
            | "REPEAT" | "REPLACE" => false,
            _ => !word.starts_with("READ_"),
        };
        if !fine {
            return Some(word);
        }
        before = word;
    }
    None
}

/// Splits a condition at its top-level ANDs.
fn split(expr: Expr, parts: &mut Vec<Expr>) {
    match expr {
        Expr::BinaryExpr {
            left,
            op: Operator::And | Operator::LogicalAnd,
            right,
        } => {
            split((*left).clone(), parts);
            split((*right).clone(), parts);
        }
        other => parts.push(other),
    }
}

/// Evaluates a stage for rows, given the values of its columns. NULL counts as false, as in
/// SQL's WHERE. With `check`, also tests that the result is a condition.
fn evaluate(
    stage: &Stage,
    catalogue: &Catalogue,
    values: &[Vec<FeatureValue>],
    count: usize,
    check: bool,
) -> Result<Vec<bool>, String> {
    let mut series: Vec<Series> = stage
        .columns
        .iter()
        .zip(values)
        .map(|(&place, values)| as_series(&catalogue.columns()[place].feature, values))
        .collect();
    // A condition without columns still needs one answer for each row.
    series.push(polars::prelude::Series::new(ROW.into(), vec![true; count]).into());
    let frame = DataFrame::new(count, series).map_err(|e| e.to_string())?;
    if check {
        let schema = frame
            .clone()
            .lazy()
            .select([stage.expr.clone().alias(ANSWER)])
            .collect_schema()
            .map_err(|e| e.to_string())?;
        if schema.get(ANSWER) != Some(&DataType::Boolean) {
            let found = schema
                .get(ANSWER)
                .map_or_else(String::new, ToString::to_string);
            return Err(format!(
                "its value has the type {found}, but must be true or false"
            ));
        }
    }
    let condition = polars_lazy::dsl::col(ROW)
        .and(stage.expr.clone())
        .alias(ANSWER);
    let answers = frame
        .lazy()
        .select([condition])
        .collect()
        .map_err(|e| e.to_string())?;
    let answers = answers.column(ANSWER).map_err(|e| e.to_string())?;
    let answers = answers.bool().map_err(|e| e.to_string())?;
    let answers: Vec<bool> = answers.iter().map(|answer| answer == Some(true)).collect();
    if answers.len() != count {
        return Err(format!("it has {} answers for {count} rows", answers.len()));
    }
    Ok(answers)
}

/// The most characters of a predicate.
const LONGEST: usize = 700;

const ROW: &str = "__row";
const ANSWER: &str = "__answer";

fn as_series(feature: &Feature, values: &[FeatureValue]) -> Series {
    let name = feature.name.as_str().into();
    let numbers = values.iter().map(|value| value.get());
    let series = match &feature.kind {
        FeatureKind::Flag => {
            let flags: Vec<_> = numbers.map(|flag| flag.map(|flag| flag != 0)).collect();
            polars::prelude::Series::new(name, flags)
        }
        FeatureKind::Number => {
            polars::prelude::Series::new(name, numbers.collect::<Vec<Option<i32>>>())
        }
        FeatureKind::Word(words) => {
            let word = |place| words.get(usize::try_from(place).ok()?).map(String::as_str);
            let words: Vec<Option<&str>> = numbers.map(|place| place.and_then(word)).collect();
            polars::prelude::Series::new(name, words)
        }
    };
    series.into()
}
