//! Who wins on all boards of a family, up to a size.

use rayon::prelude::*;

use super::SessionError;
use super::nimbers::judge;
use crate::base::progress::Progress;
use crate::game::{Effort, Game, HiddenGame, NimberGame, NotationError, OnePlayerGame, TableGame};
use crate::games::registry::{self, RegistryError, Visitor};

/// The most boards of a list, so that it and what is known of them fits the memory.
const MOST_BOARDS: usize = 10_000;

/// Boards with more squares are not searched: a theorem says who wins, or nothing does.
const LARGE: usize = 128;

/// A board and who wins on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedBoard {
    /// Rows, no more than columns.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// `win` or `loss` for the next player.
    pub outcome: &'static str,
    /// The nimber, if it was asked for or a theorem gives it.
    pub nimber: Option<u16>,
    /// The theorem that says so, or `search`.
    pub by: String,
    /// Questions that the search asked.
    pub nodes: u64,
    /// Shapes that the search kept.
    pub shapes: usize,
}

/// Who wins on all boards of a family of impartial games (`kings`, `regio`, or with settings
/// `kings,colours=2`) with no more rows than columns: with nimbers up to `size` (rows, columns), and the outcome alone up
/// to `outcomes`. The boards come sorted by rows, then columns.
///
/// # Errors
/// If there is no such family, a board is too large, there are too many boards, or the work
/// is cancelled.
pub fn rank_boards(
    family: &str,
    size: (usize, usize),
    outcomes: Option<(usize, usize)>,
    progress: &dyn Progress,
) -> Result<Vec<RankedBoard>, SessionError> {
    let within =
        |(rows, columns): (usize, usize), most: (usize, usize)| rows <= most.0 && columns <= most.1;
    let largest = outcomes.unwrap_or(size);
    let (rows, columns) = (largest.0.max(size.0), largest.1.max(size.1));
    if rows.saturating_mul(columns) > MOST_BOARDS {
        return Err(SessionError::TooMany {
            what: "boards, counted as rows times columns of the largest,",
            asked: rows.saturating_mul(columns) as u64,
            most: MOST_BOARDS as u64,
        });
    }
    let all = (1..=rows).flat_map(|m| (m..=columns).map(move |n| (m, n)));
    let mut boards: Vec<_> = all
        .filter(|&board| within(board, size) || within(board, largest))
        .collect();
    // Those that take longest come first, so that no thread is left with one.
    boards.sort_by_key(|(m, n)| std::cmp::Reverse(m * n));
    progress.begin("asking", 0);
    let rank = |(rows, columns)| {
        let (name, settings) = family.split_once(',').unwrap_or((family, ""));
        let comma = if settings.is_empty() { "" } else { "," };
        let spec = format!("{name}:{rows}x{columns}{comma}{settings}");
        let game = registry::parse(&spec, None, |_| Err(std::io::ErrorKind::NotFound.into()));
        let game = game.map_err(|error| match error {
            RegistryError::Unknown(_) => unknown(name),
            error => error.into(),
        })?;
        game.visit(Ranking {
            board: (rows, columns),
            exact: within((rows, columns), size),
            progress,
        })
    };
    // Those that are too large are refused before a search begins.
    let (large, small) = boards.split_at(boards.partition_point(|(m, n)| m * n > LARGE));
    let by_theorem = large.iter().map(|&board| rank(board));
    let mut ranked = by_theorem.collect::<Result<Vec<_>, SessionError>>()?;
    let one_by_one = small.par_iter().with_max_len(1);
    let searched = one_by_one.map(|&board| rank(board));
    ranked.extend(searched.collect::<Result<Vec<_>, SessionError>>()?);
    ranked.sort_by_key(|board| (board.rows, board.columns));
    Ok(ranked)
}

fn unknown(family: &str) -> SessionError {
    let message = format!("'{family}' is not a family of boards with nimbers; try kings or regio");
    RegistryError::Unknown(NotationError::new(family, 0, message)).into()
}

/// Ranks a board.
struct Ranking<'w> {
    board: (usize, usize),
    exact: bool,
    progress: &'w dyn Progress,
}

impl Ranking<'_> {
    fn refused<G: Game>(game: &G) -> Result<RankedBoard, SessionError> {
        let spec = game.spec();
        Err(unknown(spec.split(':').next().unwrap_or_default()))
    }
}

impl Visitor for Ranking<'_> {
    type Output = Result<RankedBoard, SessionError>;

    fn table_game<G: TableGame>(self, game: G) -> Self::Output {
        Self::refused(&game)
    }

    fn nimber_game<G: NimberGame>(self, game: G) -> Self::Output {
        let judged = judge(&game, &game.initial(), !self.exact, self.progress)?;
        let Effort { nodes, kept } = game.effort();
        Ok(RankedBoard {
            rows: self.board.0,
            columns: self.board.1,
            outcome: judged.outcome.name(),
            nimber: judged.nimber,
            by: judged.by,
            nodes,
            shapes: kept,
        })
    }

    fn one_player_game<G: OnePlayerGame>(self, game: G) -> Self::Output {
        Self::refused(&game)
    }

    fn hidden_game<G: HiddenGame>(self, game: G) -> Self::Output {
        Self::refused(&game)
    }
}
