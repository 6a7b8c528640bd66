//! `tesuji check --game-score`

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::args::{PictureArgs, is_kif_file, kif};
use super::progress::ProgressBar;
use super::report::{answer, heading, worth};
use tesuji::base::files::{Place, read_text};
use tesuji::base::text::{grouped, plural};
use tesuji::base::value::Outcome;
use tesuji::draw::{Diagram, Style, strip};
use tesuji::session::{ScoreReport, Session, read_scores, score};

/// Moves that would have been better, named beside a mistake; more are counted.
const BETTER: usize = 3;

/// Boards in a row of the picture.
const COLUMNS: usize = 3;

/// Values the moves of the games in a file, and draws the turning points.
pub(super) fn check_scores(
    session: &dyn Session,
    (path, start): (&Path, &str),
    as_json: bool,
    picture: (&PictureArgs, Option<(Place, Style)>),
) -> Result<()> {
    let shown = path.display();
    let text = if is_kif_file(path) {
        kif(path)?
    } else {
        read_text(path).with_context(|| format!("cannot read {shown}"))?
    };
    let records = read_scores(&text).with_context(|| shown.to_string())?;
    let progress = ProgressBar::new();
    let games = records.iter().map(|record| {
        let line = record.line;
        score(session, record, start, &progress)
            .with_context(|| format!("{shown}, the game in line {line}"))
    });
    let games = games.collect::<Result<Vec<_>>>()?;
    if games.is_empty() {
        bail!("{shown} has no moves");
    }
    answer(as_json, &games, |games| {
        games.iter().map(as_text).collect::<Vec<_>>().join("\n")
    })?;
    let (picture, Some((place, style))) = picture else {
        return Ok(());
    };
    let boards = games.iter().map(|game| turning_points(session, game));
    let boards = boards.collect::<Result<Vec<_>>>()?.concat();
    if boards.is_empty() {
        bail!("no move of {shown} changes the outcome, so there is nothing to draw");
    }
    picture.put_pages(place, vec![strip("", &boards, COLUMNS, &style)])
}

fn as_text(game: &ScoreReport) -> String {
    let mut text = heading(&game.game, &game.position);
    if game.before > 0 {
        let plies = plural(game.before as u64, "ply");
        let _ = writeln!(text, "          after {plies} of the game");
    }
    text.push('\n');
    for ply in &game.plies {
        let told = match (ply.mistake(), ply.plies_lost()) {
            (Some(mistake), _) => format!("{mistake}; {}", better(ply.better.as_deref())),
            (None, 0) => String::new(),
            (None, plies) => {
                let won = ply.played.outcome() == Outcome::Win;
                let what = if won { "slower" } else { "sooner" };
                format!("{} {what}", plural(plies.into(), "ply"))
            }
        };
        let line = format!("{:<16}{:<20}{told}", ply.name, worth(ply.played));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mistakes = game.plies.iter().filter(|ply| ply.mistake().is_some());
    let mistakes = plural(mistakes.count() as u64, "mistake");
    let plies = plural(game.plies.len() as u64, "ply");
    let _ = writeln!(text, "\n{mistakes} in {plies}");
    text
}

/// The moves that would have been better.
fn better(moves: Option<&[String]>) -> String {
    let moves = moves.unwrap_or_default();
    let named = moves[..moves.len().min(BETTER)].join(", ");
    match moves.len().saturating_sub(BETTER) {
        0 => format!("better: {named}"),
        more => format!("better: {named} and {} more", grouped(more as u64)),
    }
}

/// The boards before the moves that change the outcome, with these moves and what they do.
fn turning_points(session: &dyn Session, game: &ScoreReport) -> Result<Vec<Diagram>> {
    let lines = session.lines()?;
    let boards = lines.boards(&game.position, &game.moves, usize::MAX)?;
    let turning = game.plies.iter().zip(boards).filter_map(|(ply, board)| {
        let mistake = ply.mistake()?;
        Some(board.caption(format!("{mistake}; {}", better(ply.better.as_deref()))))
    });
    Ok(turning.collect())
}
