//! The documented columns that filters may use, by cost.

use super::analysis::{Analysis, Rated, Step};
use crate::game::{Cell, CellKind, Feature, Features, Moves, Oracle};
use crate::value::{Outcome, Record};

/// What a column costs to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Read from the table's record: hundreds of millions a second.
    Record,
    /// Read off the board: millions a second.
    Board,
    /// Needs the value of every move: hundreds of thousands a second.
    Play,
    /// Needs the whole main line: thousands a second.
    Solution,
}

impl Tier {
    /// The tier's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Board => "board",
            Self::Play => "play",
            Self::Solution => "solution",
        }
    }
}

/// A column with its tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name, type and meaning.
    pub feature: Feature,
    /// What it costs.
    pub tier: Tier,
}

/// A cell, `None` where the column says nothing (SQL NULL).
pub(super) type Maybe = Option<Cell>;

/// All columns of a game.
#[derive(Debug, Clone)]
pub struct Catalogue {
    columns: Vec<Column>,
}

fn feature(name: impl Into<String>, kind: CellKind, meaning: impl Into<String>) -> Feature {
    Feature {
        name: name.into(),
        kind,
        meaning: meaning.into(),
    }
}

impl Catalogue {
    /// The columns of a game: those of every game, then its own.
    #[must_use]
    pub fn new<G: Moves + Features>(game: &G) -> Self {
        let mut columns = Vec::new();
        let mut add = |tier, features: Vec<Feature>| {
            columns.extend(features.into_iter().map(|feature| Column { feature, tier }));
        };
        add(Tier::Record, record_features());
        add(Tier::Board, game.features());
        add(Tier::Play, play_features(game));
        add(Tier::Solution, solution_features(game));
        Self { columns }
    }

    /// The columns, cheap ones first.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The place of a column.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.feature.name == name)
    }

    /// Up to three names that are similar to an unknown one.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let mut near: Vec<_> = self
            .columns
            .iter()
            .map(|column| {
                (
                    strsim::damerau_levenshtein(name, &column.feature.name),
                    &column.feature.name,
                )
            })
            .filter(|&(distance, known)| distance <= 3.max(known.len() / 3))
            .collect();
        near.sort();
        near.into_iter()
            .take(3)
            .map(|(_, known)| known.clone())
            .collect()
    }

    /// The places of a tier's columns.
    pub(super) fn of_tier(&self, tier: Tier) -> std::ops::Range<usize> {
        let from = self.columns.partition_point(|column| column.tier < tier);
        from..self.columns.partition_point(|column| column.tier <= tier)
    }
}

fn record_features() -> Vec<Feature> {
    use CellKind::{Flag, Number, Word};
    vec![
        feature(
            "outcome",
            Word,
            "'win', 'loss' or 'draw' for the side to move, under best play",
        ),
        feature(
            "plies",
            Number,
            "plies to the end of the game under best play, 1 or more; NULL for a draw",
        ),
        feature(
            "plies_to_checkmate",
            Number,
            "plies to a position in which the side to move wins at once, 0 or more (the Ostle paper's count, one less than plies); NULL for a draw",
        ),
        feature(
            "only_move",
            Flag,
            "one move alone has the best value, and it is one that could be forbidden",
        ),
        feature(
            "second_outcome",
            Word,
            "the outcome if that move were forbidden; the same as outcome if there is none",
        ),
        feature(
            "second_plies",
            Number,
            "the plies if that move were forbidden; NULL for a draw",
        ),
    ]
}

/// The cells of the record tier.
fn record_cells(record: Record) -> Vec<Maybe> {
    let (best, second) = (record.best(), record.second());
    vec![
        Some(word(best.outcome())),
        best.plies().map(|plies| Cell::Number(plies.into())),
        best.plies_to_checkmate()
            .map(|plies| Cell::Number(plies.into())),
        Some(Cell::Flag(record.only_move().is_some())),
        Some(word(second.outcome())),
        second.plies().map(|plies| Cell::Number(plies.into())),
    ]
}

/// The wanted cells of the record tier.
pub(super) fn record_row(record: Record, wanted: &[usize]) -> Vec<Maybe> {
    let mut cells = record_cells(record);
    wanted.iter().map(|&place| cells[place].take()).collect()
}

fn word(outcome: Outcome) -> Cell {
    Cell::Word(outcome.name().to_owned())
}

fn play_features<G: Moves>(game: &G) -> Vec<Feature> {
    use CellKind::Number;
    let mut features = vec![
        feature("n_moves", Number, "legal moves"),
        feature("n_winning", Number, "moves that win"),
        feature("n_drawing", Number, "moves that draw"),
        feature("n_losing", Number, "moves that lose"),
        feature(
            "n_best",
            Number,
            "moves with the best value: the shortest wins, else the draws, else the longest losses",
        ),
        feature(
            "win_margin",
            Number,
            "plies by which the second-shortest win is longer than the shortest, 0 if two are equal; NULL unless two moves win",
        ),
    ];
    for kind in game.kinds() {
        let name = kind.name;
        features.push(feature(
            format!("n_{name}"),
            Number,
            format!("moves of kind '{name}': {}", kind.meaning),
        ));
        for outcome in ["winning", "drawing", "losing"] {
            features.push(feature(
                format!("{outcome}_{name}"),
                Number,
                format!("those of them that are {outcome}"),
            ));
        }
        features.push(feature(
            format!("best_{name}"),
            Number,
            "those of them with the best value",
        ));
    }
    features
}

/// The cells of the play tier.
fn play_cells<G: Moves>(game: &G, state: &G::State, analysis: &Analysis<G>) -> Vec<Maybe> {
    let rated = analysis.rated();
    let best = analysis.value();
    let wins: Vec<_> = rated
        .iter()
        .take_while(|r| r.value.outcome() == Outcome::Win)
        .take(2)
        .filter_map(|r| r.value.plies())
        .collect();
    let margin = match wins.as_slice() {
        [first, second] => Some(Cell::Number(i32::from(*second) - i32::from(*first))),
        _ => None,
    };
    let mut cells = vec![
        number(rated.len()),
        number(analysis.count(Outcome::Win)),
        number(analysis.count(Outcome::Draw)),
        number(analysis.count(Outcome::Loss)),
        number(analysis.as_good().1),
        margin,
    ];
    // For each kind: all of it, winning, drawing, losing, best.
    let mut counts = vec![[0usize; 5]; game.kinds().len()];
    for Rated { mv, value } in rated {
        let kinds = game.kinds_of(state, *mv);
        for (bit, count) in counts.iter_mut().enumerate() {
            if kinds >> bit & 1 == 1 {
                count[0] += 1;
                count[match value.outcome() {
                    Outcome::Win => 1,
                    Outcome::Draw => 2,
                    Outcome::Loss => 3,
                }] += 1;
                count[4] += usize::from(*value == best);
            }
        }
    }
    cells.extend(counts.into_iter().flatten().map(number));
    cells
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a cell among others that may be missing"
)]
fn number(count: usize) -> Maybe {
    Some(Cell::Number(i32::try_from(count).unwrap_or(i32::MAX)))
}

fn solution_features<G: Moves>(game: &G) -> Vec<Feature> {
    use CellKind::{Flag, Number};
    let mut features = vec![
        feature(
            "solver_moves",
            Number,
            "moves of the side to move in the main line",
        ),
        feature(
            "unique_moves",
            Number,
            "how many of them, from the first on, are the only move with the best value",
        ),
        feature(
            "dual_free",
            Flag,
            "every one of them is the only move with the best value",
        ),
    ];
    for kind in game.kinds() {
        let name = kind.name;
        features.push(feature(
            format!("key_{name}"),
            Flag,
            format!(
                "the first move of the main line is of kind '{name}': {}",
                kind.meaning
            ),
        ));
        features.push(feature(
            format!("line_{name}"),
            Number,
            format!("moves of kind '{name}' that the side to move makes in the main line"),
        ));
    }
    features
}

/// The cells of the solution tier.
fn solution_cells<G: Moves>(game: &G, line: &[Step<G::State, G::Move>]) -> Vec<Maybe> {
    let own: Vec<_> = line.iter().step_by(2).collect();
    let unique = own.iter().take_while(|step| step.as_good.1 == 1).count();
    let mut cells = vec![
        number(own.len()),
        number(unique),
        Some(Cell::Flag(unique == own.len())),
    ];
    for bit in 0..game.kinds().len() {
        let is =
            |step: &&Step<G::State, G::Move>| game.kinds_of(&step.state, step.mv) >> bit & 1 == 1;
        cells.push(Some(Cell::Flag(own.first().is_some_and(is))));
        cells.push(number(own.iter().filter(|step| is(step)).count()));
    }
    cells
}

/// Appends to `row` the wanted cells of a tier of one state; `wanted` are places
/// within the tier.
pub(super) fn extend<G: Moves + Features, O: Oracle<G>>(
    row: &mut Vec<Maybe>,
    wanted: &[usize],
    game: &G,
    oracle: &O,
    (state, record): (&G::State, Record),
    tier: Tier,
) -> Result<(), O::Error> {
    if wanted.is_empty() {
        return Ok(());
    }
    let mut cells: Vec<Maybe> = match tier {
        Tier::Record => record_cells(record),
        Tier::Board => game.measure(state).into_iter().map(Some).collect(),
        Tier::Play => play_cells(game, state, &Analysis::new(game, oracle, state)?),
        Tier::Solution => {
            let line = Analysis::new(game, oracle, state)?.line(game, oracle)?;
            solution_cells(game, &line)
        }
    };
    row.extend(wanted.iter().map(|&place| cells[place].take()));
    Ok(())
}
