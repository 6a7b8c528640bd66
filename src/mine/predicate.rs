//! Predicates: SQL conditions, split by the cost of the columns they name.

use polars::prelude::{Column as Series, DataFrame, DataType, NamedFrom};
use polars_lazy::dsl::{Expr, Operator};
use polars_lazy::frame::IntoLazy;

use super::columns::{Catalogue, Maybe, Tier};
use super::{Filter, MineError};
use crate::game::{Cell, CellKind};

/// A filter's condition, checked against a game's columns.
#[derive(Debug, Clone)]
pub struct Predicate {
    filter: String,
    stages: Vec<Stage>,
    order: Vec<(usize, bool)>,
}

/// The part of a condition that needs columns up to one tier.
#[derive(Debug, Clone)]
struct Stage {
    tier: Tier,
    expr: Expr,
    /// Places of the columns it names.
    columns: Vec<usize>,
}

impl Predicate {
    /// Checks a filter's predicate and order.
    ///
    /// # Errors
    /// If the predicate is not SQL, names an unknown column, or is no condition.
    pub fn new(filter: &Filter, catalogue: &Catalogue) -> Result<Self, MineError> {
        let sql_error = |message: String| MineError::Sql {
            filter: filter.name().to_owned(),
            predicate: filter.predicate().to_owned(),
            message,
        };
        // The engine walks expressions recursively: a chain of many hundred terms
        // would overflow its stack, which nobody can catch.
        if filter.predicate().chars().count() > LONGEST {
            return Err(sql_error(format!(
                "it is longer than {LONGEST} characters; split it into several filters, or use IN and BETWEEN"
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
        // An aggregate would depend on which states happen to be tested together.
        if expr
            .into_iter()
            .any(|part| matches!(part, Expr::Agg(_) | Expr::Len))
        {
            return Err(sql_error(
                "it has an aggregate such as MAX or COUNT, but a filter sees one state at a time"
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
            let tier = columns
                .iter()
                .map(|&place| catalogue.columns()[place].tier)
                .max();
            let tier = tier.unwrap_or(Tier::Record);
            match stages.iter_mut().find(|stage| stage.tier == tier) {
                Some(stage) => {
                    stage.expr = stage.expr.clone().and(part);
                    stage.columns.extend(columns);
                }
                None => stages.push(Stage {
                    tier,
                    expr: part,
                    columns,
                }),
            }
        }
        stages.sort_by_key(|stage| stage.tier);
        for stage in &mut stages {
            stage.columns.sort_unstable();
            stage.columns.dedup();
            // A dry run on no rows finds type errors before any work is done.
            evaluate(stage, catalogue, &stage.columns, &[]).map_err(&sql_error)?;
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
        })
    }

    /// The order: columns, and whether descending.
    pub(super) fn order(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.order.iter().copied()
    }

    /// The columns that condition and order name, some of them perhaps twice.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> + '_ {
        let named = self
            .stages
            .iter()
            .flat_map(|stage| stage.columns.iter().copied());
        named.chain(self.order.iter().map(|&(column, _)| column))
    }

    /// Which rows meet the part of the condition that belongs to `tier`. A row has
    /// the cells of the columns `layout`; those of dearer tiers may be missing.
    pub(super) fn test(
        &self,
        tier: Tier,
        catalogue: &Catalogue,
        layout: &[usize],
        rows: &[&[Maybe]],
    ) -> Result<Vec<bool>, MineError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let Some(stage) = self.stages.iter().find(|stage| stage.tier == tier) else {
            return Ok(vec![true; rows.len()]);
        };
        evaluate(stage, catalogue, layout, rows).map_err(|message| MineError::Engine {
            filter: self.filter.clone(),
            message,
        })
    }
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

/// Evaluates a stage on rows; NULL counts as false, as in SQL's WHERE.
fn evaluate(
    stage: &Stage,
    catalogue: &Catalogue,
    layout: &[usize],
    rows: &[&[Maybe]],
) -> Result<Vec<bool>, String> {
    let mut series: Vec<Series> = stage
        .columns
        .iter()
        .map(|&place| {
            let feature = &catalogue.columns()[place].feature;
            let at = layout
                .iter()
                .position(|&column| column == place)
                .unwrap_or(usize::MAX);
            let cells = rows.iter().map(|row| row.get(at).and_then(Option::as_ref));
            as_series(&feature.name, feature.kind, cells)
        })
        .collect();
    // A condition without columns still has as many answers as rows.
    let here: Vec<bool> = vec![true; rows.len()];
    series.push(polars::prelude::Series::new(ROW.into(), here).into());
    let frame = DataFrame::new(rows.len(), series).map_err(|e| e.to_string())?;
    let condition = polars_lazy::dsl::col(ROW)
        .and(stage.expr.clone())
        .alias(ANSWER);
    let checked = frame
        .clone()
        .lazy()
        .select([stage.expr.clone().alias(ANSWER)])
        .collect_schema()
        .map_err(|e| e.to_string())?;
    if checked.get(ANSWER) != Some(&DataType::Boolean) {
        let found = checked
            .get(ANSWER)
            .map_or_else(String::new, ToString::to_string);
        return Err(format!(
            "it gives a value of type {found}, not true or false"
        ));
    }
    let answers = frame
        .lazy()
        .select([condition])
        .collect()
        .map_err(|e| e.to_string())?;
    let answers = answers.column(ANSWER).map_err(|e| e.to_string())?;
    let answers = answers.bool().map_err(|e| e.to_string())?;
    let answers: Vec<bool> = answers.iter().map(|answer| answer == Some(true)).collect();
    if answers.len() != rows.len() {
        return Err(format!(
            "it gives {} answers for {} rows",
            answers.len(),
            rows.len()
        ));
    }
    Ok(answers)
}

/// Characters of a predicate at most.
const LONGEST: usize = 700;

const ROW: &str = "__row";
const ANSWER: &str = "__answer";

fn as_series<'a>(
    name: &str,
    kind: CellKind,
    cells: impl Iterator<Item = Option<&'a Cell>>,
) -> Series {
    let name = name.into();
    match kind {
        CellKind::Flag => {
            let cells: Vec<Option<bool>> = cells
                .map(|cell| match cell {
                    Some(Cell::Flag(flag)) => Some(*flag),
                    _ => None,
                })
                .collect();
            polars::prelude::Series::new(name, cells).into()
        }
        CellKind::Number => {
            let cells: Vec<Option<i32>> = cells
                .map(|cell| match cell {
                    Some(Cell::Number(number)) => Some(*number),
                    _ => None,
                })
                .collect();
            polars::prelude::Series::new(name, cells).into()
        }
        CellKind::Word => {
            let cells: Vec<Option<&str>> = cells
                .map(|cell| match cell {
                    Some(Cell::Word(word)) => Some(word.as_str()),
                    _ => None,
                })
                .collect();
            polars::prelude::Series::new(name, cells).into()
        }
    }
}
