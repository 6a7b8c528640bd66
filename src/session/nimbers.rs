//! Sessions with impartial games: nimbers where no table is given, plies where one is; and who
//! wins on all boards of a family.

use std::sync::Arc;

use rayon::prelude::*;

use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::game::{
    Effort, Game, Impartial, Judged, NimberGame, NotationError, hand_on, outcome_of,
};
use crate::games::registry::{self, RegistryError};
use crate::session::erased::Typed;
use crate::session::lines::read;
use crate::session::tables::TableSession;
use crate::session::{
    Asked, Evaluating, Evaluation, EvaluationOptions, GameKind, Interfaces, NimberEvaluation,
    NimberMove, NimberPart, Options, Playing, Position, PositionValues, Result, Session,
    SessionError,
};

/// A session with an impartial game.
pub struct NimberSession<G: NimberGame> {
    game: Arc<Typed<G>>,
    tables: TableSession,
}

/// Opens an impartial game.
pub fn nimbers<G: NimberGame>(game: G, options: &Options) -> NimberSession<G> {
    let game = Arc::new(Typed::new(game));
    NimberSession {
        tables: TableSession::new(Arc::clone(&game), options),
        game,
    }
}

impl<G: NimberGame> Session for NimberSession<G> {
    hand_on! { to tables:
        fn spec(&self) -> String;
        fn family(&self) -> String;
        fn title(&self) -> String;
        fn position(&self, text: &str) -> Result<Position>;
        fn diagram(&self, position: &str) -> Result<Diagram>;
    }

    fn kind(&self) -> GameKind {
        GameKind::Nimbers
    }

    fn interfaces(&self) -> Interfaces<'_> {
        Interfaces {
            evaluating: Some(self),
            playing: Some(self),
            ..self.tables.interfaces()
        }
    }
}

/// Who wins, and unless only the outcome is wanted, the nimber.
pub(in crate::session) fn judge<G: Impartial>(
    game: &G,
    state: &G::State,
    outcome_only: bool,
    progress: &dyn Progress,
) -> Result<Judged> {
    if outcome_only || !game.has_nimbers() {
        return Ok(game.outcome(state, progress)?);
    }
    if let Some(judged) = game.known(state).filter(|judged| judged.nimber.is_some()) {
        return Ok(judged);
    }
    let nimber = game.nimber(state, progress)?;
    Ok(Judged {
        outcome: outcome_of(nimber),
        by: "search".to_owned(),
        nimber: Some(nimber),
    })
}

/// The most parts that are listed one by one.
const MOST_PARTS: usize = 100;

impl<G: NimberGame> Evaluating for NimberSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        // A table has plies, a search nimbers.
        if self.tables.source.file.is_some() {
            return self.tables.evaluate(position, options, progress);
        }
        let game = &self.game.game;
        options.check(&game.spec(), self.kind())?;
        let state = read(game, position)?;
        progress.begin("asking", 0);
        let judged = judge(game, &state, options.outcome_only, progress)?;
        let (mut moves, mut parts) = (Vec::new(), Vec::new());
        if !options.outcome_only {
            moves = game.options(&state, progress)?;
            // Winning moves first.
            moves.sort_by_key(|left| !left.loses());
            // The independent parts, if there are several, but not too many to list.
            let summands = game.has_nimbers().then(|| game.summands(&state));
            let listed = summands.filter(|all| (2..=MOST_PARTS).contains(&all.len()));
            for summand in listed.unwrap_or_default() {
                parts.push(NimberPart {
                    position: game.format_state(&summand),
                    nimber: game.nimber(&summand, progress)?,
                });
            }
        }
        let moves = moves.into_iter().map(|left| NimberMove {
            name: game.format_move(left.mv),
            outcome: left.outcome.reversed().name(),
            nimber: left.nimber,
        });
        Ok(Evaluation::Nimber(NimberEvaluation {
            game: game.spec(),
            position: game.format_state(&state),
            side: game.side_to_move(&state).to_owned(),
            outcome: judged.outcome.name(),
            nimber: judged.nimber,
            by: judged.by,
            parts,
            moves: moves.collect(),
            nodes: game.effort().nodes,
        }))
    }

    // Nimbers tell who wins, not how soon: lines and plies are the table's.
    hand_on! { to tables:
        fn evaluate_batch(
            &self,
            questions: &[Asked<'_>],
            progress: &dyn Progress
        ) -> Result<Vec<Result<PositionValues>>>;
        fn main_line(&self, position: &str, progress: &dyn Progress) -> Result<Vec<String>>;
    }
}

impl<G: NimberGame> Playing for NimberSession<G> {
    /// Nimbers are found as they are needed.
    fn prepare(&self, _progress: &dyn Progress) -> Result<()> {
        Ok(())
    }

    /// A winning move, or the first of all.
    fn best(&self, position: &str, progress: &dyn Progress) -> Result<Option<String>> {
        let game = &self.game.game;
        let state = read(game, position)?;
        let options = game.options(&state, progress)?;
        let best = options.iter().min_by_key(|left| !left.loses());
        Ok(best.map(|left| game.format_move(left.mv)))
    }

    hand_on! { to tables: fn letters(&self, position: &str) -> Result<String>; }
}

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
    /// Who wins, with the nimber if it was asked for or a theorem gives it.
    pub judged: Judged,
    /// The effort of the search.
    pub effort: Effort,
}

/// Who wins on all boards of a family of impartial games (`kings`, `regio`, or with settings
/// `kings,colours=2`) with no more rows than columns: with nimbers up to `size` (rows, columns), and the outcome alone up
/// to `outcomes`. The boards come sorted by rows, then columns.
///
/// # Errors
/// If there is no such family, or a board is too large.
pub fn rank_boards(
    family: &str,
    size: (usize, usize),
    outcomes: Option<(usize, usize)>,
    progress: &dyn Progress,
) -> Result<Vec<RankedBoard>> {
    let (name, settings) = family.split_once(',').unwrap_or((family, ""));
    if !registry::BOARDS.contains(&name) {
        return Err(unknown(name));
    }
    let within =
        |(rows, columns): (usize, usize), most: (usize, usize)| rows <= most.0 && columns <= most.1;
    if outcomes.is_some_and(|most| within(most, size)) {
        let why = "adds boards beyond the size up to which there are nimbers; give a larger one";
        return Err(SessionError::inapplicable("outcomes", why));
    }
    let largest = outcomes.unwrap_or(size);
    let (rows, columns) = (largest.0.max(size.0), largest.1.max(size.1));
    let (asked, most) = (rows.saturating_mul(columns) as u64, MOST_BOARDS as u64);
    if asked > most {
        let what = "boards, counted as rows times columns of the largest,";
        return Err(SessionError::too_many(what, asked, most));
    }
    let all = (1..=rows).flat_map(|m| (m..=columns).map(move |n| (m, n)));
    let all = all.filter(|&board| within(board, size) || within(board, largest));
    let mut boards: Vec<_> = all.collect();
    // Those that take longest come first, so that no thread is left with one.
    boards.sort_by_key(|(m, n)| std::cmp::Reverse(m * n));
    progress.begin("asking", 0);
    let rank = |(rows, columns)| {
        let comma = if settings.is_empty() { "" } else { "," };
        let spec = format!("{name}:{rows}x{columns}{comma}{settings}");
        let game = registry::parse(&spec, None, |_| Err(std::io::ErrorKind::NotFound.into()));
        let game = game?.impartial().map_err(|_| unknown(name))?;
        let outcome_only = !within((rows, columns), size);
        Ok(RankedBoard {
            rows,
            columns,
            judged: judge(&game, &game.initial(), outcome_only, progress)?,
            effort: game.effort(),
        })
    };
    // Those that are too large are refused before a search begins.
    let (large, small) = boards.split_at(boards.partition_point(|(m, n)| m * n > LARGE));
    let by_theorem = large.iter().map(|&board| rank(board));
    let mut ranked = by_theorem.collect::<Result<Vec<_>>>()?;
    let searched = small.par_iter().with_max_len(1).map(|&board| rank(board));
    ranked.extend(searched.collect::<Result<Vec<_>>>()?);
    ranked.sort_by_key(|board| (board.rows, board.columns));
    Ok(ranked)
}

fn unknown(family: &str) -> SessionError {
    let known = registry::BOARDS.join(" or ");
    let message = format!("'{family}' is not a family of boards with nimbers; try {known}");
    RegistryError::Unknown(NotationError::new(family, 0, message)).into()
}
