//! `tesuji stats` and `tesuji verify`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cli::args::SolvedArgs;
use crate::cli::progress::ProgressBar;
use crate::cli::report::{answer, compared, print};
use tesuji::base::text::{grouped, plural};
use tesuji::session::{
    Difference, Published, PuzzleStatistics, StatisticsReport, TableStatistics, open_table,
};
use tesuji::table::{Ended, LayerStatistics};

/// The most layers that are listed one by one.
const MOST_LAYERS: usize = 100;

/// The most layers whose classes stand side by side.
const MOST_COLUMNS: usize = 9;

/// Count positions and states of a solved game, by layer and by distance.
///
/// Positions in which the side to move wins at once are counted separately. States of the
/// others are counted by plies to the end of the game, up to symmetry. In games in which a move can
/// be forbidden, they are those that a move from some position leads to; in other games they are
/// all. In JSON, `plies_to_checkmate` is the Ostle paper's count, one less.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji stats ostle:4x4,pieces=3,losses=2 --json")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    game: SolvedArgs,
    /// Compare with published counts: a CSV file with the columns
    /// `plies_to_checkmate,states`, `hole,player_pieces,opponent_pieces,positions` or
    /// `layer,what,number`, where `what` is `win`, `draw` or `loss`, positions in which the game
    /// has ended included, or `longest win`, in plies. Rows that differ are listed, and the exit
    /// code is 1. May be repeated.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "against")]
    compare: Vec<PathBuf>,
    /// Compare with a table of the same game with another reading of rule 8.
    #[arg(long, value_name = "TABLE")]
    against: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn stats(args: &StatsArgs) -> Result<ExitCode> {
    let session = args.game.open()?;
    if let Some(other) = &args.against {
        let searching = session.searching()?;
        let found = searching.difference(other, &ProgressBar::new())?;
        answer(args.json, &found, difference)?;
        return Ok(ExitCode::SUCCESS);
    }
    let statistics = session.statistics()?;
    let known = statistics.comparable();
    if known.is_empty() && !args.compare.is_empty() {
        bail!("--compare is for games of two players; leave it out");
    }
    // Files are read first, so that an error in one does not cost the counting.
    let published = Published::read(&args.compare, &known)?;
    let found = statistics.count(&ProgressBar::new())?;
    if known.is_empty() {
        answer(args.json, &found, stats_as_text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let comparisons = published.compare(|header, theirs| found.counts(header, theirs));
    compared(args.json, &found, &comparisons, stats_as_text)
}

fn difference(found: &Difference) -> String {
    let mut text = format!("game   {}\nother  {}\n\n", found.game, found.other);
    let positions = ["position has", "positions have"];
    let states = [
        "possibly reachable state has",
        "possibly reachable states have",
    ];
    let of_these = ["of these has", "of these have"];
    let value = "another value when nothing is forbidden";
    let record = "some state (reachable or not) of another value";
    let outcome = "another outcome, not only another distance";
    for (count, [one, many], what) in [
        (found.positions_with_other_values, positions, value),
        (found.positions_with_other_records, positions, record),
        (found.states_with_other_values, states, "another value"),
        (found.states_with_other_outcomes, of_these, outcome),
    ] {
        let have = if count == 1 { one } else { many };
        let _ = writeln!(text, "{:>14} {have} {what}", grouped(count));
    }
    for example in &found.examples {
        let (here, there) = (&example.value, &example.other_value);
        let _ = writeln!(text, "\n{}\n  here {here}, other {there}", example.state);
    }
    text
}

fn stats_as_text(found: &StatisticsReport) -> String {
    match found {
        StatisticsReport::Table(found) => of_table(found),
        StatisticsReport::Puzzle(found) => of_puzzle(found),
    }
}

fn of_puzzle(found: &PuzzleStatistics) -> String {
    let mut text = format!("game         {}\n", found.game);
    let _ = writeln!(text, "fingerprint  {}", found.fingerprint);
    let states = grouped(found.states);
    let _ = writeln!(text, "states       {states} (the solved one included)");
    text += "\nplies         states  example\n    0              1  (solved)\n";
    for row in &found.histogram {
        let plies = or_dash(row.plies);
        let states = grouped(row.states);
        let _ = writeln!(text, "{plies:>5} {states:>14}  {}", row.example);
    }
    text
}

fn or_dash(plies: Option<u16>) -> String {
    plies.map_or("-".to_owned(), |plies| plies.to_string())
}

fn of_table(found: &TableStatistics) -> String {
    let mut text = format!("game         {}\n", found.game);
    let _ = writeln!(text, "fingerprint  {}", found.fingerprint);
    let _ = writeln!(text, "positions    {}", grouped(found.positions));
    let at_once = grouped(found.checkmate_positions);
    let _ = writeln!(text, "won at once  {at_once}");
    let _ = writeln!(text, "states       {}", grouped(found.states));
    text += "\n  layer        positions      won at once              win             draw             loss longest win";
    let summed = [LayerStatistics::sum(&found.layers)];
    let within = |most| {
        let few = found.layers.len() <= most;
        if few { &found.layers[..] } else { &summed }
    };
    let layers = within(MOST_LAYERS);
    let has_ended = |it: &LayerStatistics| it.ended.is_some_and(|it| it != Ended::default());
    let ends = layers.iter().any(has_ended);
    if ends {
        text += "      ended: lost, drawn, won";
    }
    text.push('\n');
    for layer in layers {
        let _ = write!(text, "{:>7}", layer.layer);
        let (positions, at_once) = (layer.positions, layer.checkmate_positions);
        for count in [positions, at_once, layer.win, layer.draw, layer.loss] {
            let _ = write!(text, " {:>16}", grouped(count));
        }
        let _ = write!(text, " {:>11}", or_dash(layer.longest_win));
        if let Some(ended) = layer.ended.filter(|_| ends) {
            let counts = [ended.loss, ended.draw, ended.win].map(grouped);
            let _ = write!(text, " {:>28}", counts.join(", "));
        }
        text.push('\n');
    }
    let layers = within(MOST_COLUMNS);
    if layers.len() < found.layers.len() {
        let count = grouped(found.layers.len() as u64);
        let _ = writeln!(text, "  ({count} layers; --json has all numbers of each)");
    }
    let _ = write!(text, "\n{:>7}", found.criterion);
    for layer in layers {
        let _ = write!(text, " {:>16}", layer.layer);
    }
    text.push('\n');
    let classes = found.classes.iter().enumerate();
    // Symmetric positions are one, so some classes are empty.
    let counted = |class: usize| layers.iter().any(|layer| layer.by_class[class] > 0);
    for (class, name) in classes.filter(|&(class, _)| counted(class)) {
        let _ = write!(text, "{name:>7}");
        for layer in layers {
            let _ = write!(text, " {:>16}", grouped(layer.by_class[class]));
        }
        text.push('\n');
    }
    text += "\nother states, by plies to the end of the game\n  plies outcome           states  example\n";
    for row in &found.histogram {
        let plies = row.plies_to_checkmate.map(|plies| plies + 1);
        let (plies, states) = (or_dash(plies), grouped(row.states));
        let (outcome, example) = (row.outcome, &row.example);
        let _ = writeln!(text, "{plies:>7} {outcome:>7} {states:>16}  {example}");
    }
    text
}

/// Check a table: every checksum, the fingerprint, and every record against those of its
/// children.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: tesuji verify output/ostle-4x4-pieces-3-losses-2.tsj\nExit code: 0 if all is well, 1 if a record is wrong, 2 if the file is damaged."
)]
pub(crate) struct VerifyArgs {
    /// The table.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
}

pub(super) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let session = open_table(&args.table)?;
    let found = session.solving()?.verify(&ProgressBar::new())?;
    let (table, game) = (args.table.display(), &found.game);
    let mut text = format!("verified     {table}\ngame         {game}\n");
    let _ = writeln!(text, "records      {}", grouped(found.found.records));
    let _ = writeln!(text, "fingerprint  {}", found.fingerprint);
    for (flaw, position) in found.found.flaws.iter().zip(&found.positions) {
        let position = position.as_deref().unwrap_or("no position");
        let _ = writeln!(text, "wrong        {flaw} ({position})");
    }
    if !found.found.fingerprint_holds {
        text += "wrong        the fingerprint is not that of the records\n";
    }
    let _ = if found.sound() {
        writeln!(text, "result       every record follows from its children")
    } else {
        let wrong = plural(found.found.flawed, "wrong record");
        writeln!(text, "result       {wrong}: solve the game again")
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(!found.sound())))
}
