//! `tesuji probe`

use std::fmt::Write;
use std::io::{BufWriter, stdin, stdout};

use anyhow::Result;

use crate::cli::args::{SolvedArgs, position};
use crate::cli::progress::ProgressBar;
use crate::cli::report::{answer, heading, worth};
use tesuji::base::text::{grouped, plural};
use tesuji::session::{
    BatchError, Evaluation, EvaluationOptions, HiddenEvaluation, HiddenSolved, LureWorth,
    NimberEvaluation, PlyEvaluation, answer_lines,
};

/// Show every move of a position with its value, best first, and the best line.
///
/// Plies are counted to the end of the game, including the last move; the Ostle paper
/// counts to the checkmate position, one ply less. Without a position, the initial one is
/// probed. Without a table, a small game is solved first.
///
/// With --batch, positions are read from standard input, one a line, and each is answered
/// by a line with a JSON object: its slot, its value, and all its moves.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji probe ostle:4x4,pieces=3,losses=2
  tesuji probe ostle:3x3,pieces=2,losses=2 \"1ww/1o1/bb1 b -\" --json
  tesuji probe ostle 22222-00000-00300-00000-11111
  tesuji probe ostle:rows=4,columns=3,pieces=2,losses=2 --lure 2
  tesuji probe ostle:4x4,pieces=3,losses=2 --batch < positions.txt > values.jsonl
  tesuji probe tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\" --depth 9 --fouls 2")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// The position in the game's notation, or for tsuitate a KIF file, FILE.kif [default: the
    /// initial one].
    #[arg(num_args = 0..)]
    position: Vec<String>,
    /// Games with nimbers: show only who wins, which is possible for larger boards.
    #[arg(long, conflicts_with = "table")]
    outcome: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Read positions from standard input, one a line, and write JSON Lines.
    #[arg(
        long,
        conflicts_with_all = ["position", "outcome", "json", "depth", "fouls", "mode", "beyond", "memory", "times", "lure"]
    )]
    batch: bool,
    /// With --batch: the lines are slots of the table, not positions.
    #[arg(
        long,
        requires = "batch",
        conflicts_with_all = ["position", "outcome", "json", "depth", "fouls", "mode", "beyond", "memory", "times", "lure"]
    )]
    slots: bool,
    #[command(flatten)]
    options: EvaluationOptions,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    if args.batch {
        let (game, slots) = (session.evaluating()?, args.slots);
        let out = BufWriter::with_capacity(1 << 20, stdout().lock());
        let answered = answer_lines(game, slots, stdin().lock(), out, &ProgressBar::new());
        return answered.map_err(|error| match error {
            BatchError::Line { number, source } => {
                anyhow::Error::new(source).context(format!("line {number} of standard input"))
            }
            error => error.into(),
        });
    }
    let options = EvaluationOptions {
        outcome_only: args.outcome,
        ..args.options.clone()
    };
    let position = position(&args.position)?;
    let evaluating = session.evaluating()?;
    let found = evaluating.evaluate(&position, &options, &ProgressBar::new())?;
    answer(args.json, &found, as_text)
}

fn as_text(found: &Evaluation) -> String {
    match found {
        Evaluation::Plies(found) => of_plies(found),
        Evaluation::Nimber(found) => of_nimbers(found),
        Evaluation::Hidden(found) => of_hidden(found),
    }
}

fn of_plies(found: &PlyEvaluation) -> String {
    let mut text = heading(&found.game, &found.position);
    for (name, position) in &found.other_notations {
        let _ = writeln!(text, "{name:9} {position}");
    }
    let value = worth(found.value);
    let _ = writeln!(text, "value     {value} ({} to move)\n", found.side);
    for mv in &found.moves {
        let value = worth(mv.value);
        let lure = mv.lure.map_or_else(String::new, in_words);
        let _ = writeln!(text, "{:>8}  {value}{lure}", mv.name);
    }
    let _ = writeln!(text, "\nline      {}", found.line.join(" "));
    if let Some(swindle) = &found.swindle {
        text += "\nforced, whatever such an opponent chooses\n";
        text += swindle;
    }
    text
}

fn in_words(lure: LureWorth) -> String {
    let chance = format!(", chance {:.2}%", 100.0 * lure.chance);
    match lure.forced_plies {
        Some(plies) => {
            let plies = plural(plies.into(), "ply");
            format!("{chance}, mistake forced within {plies}")
        }
        None => chance,
    }
}

fn of_nimbers(found: &NimberEvaluation) -> String {
    let end = |outcome: &str| if outcome == "win" { "wins" } else { "loses" };
    let mut text = heading(&found.game, &found.position);
    let side = found.side.to_lowercase();
    let _ = writeln!(text, "value     the {side} {}", end(found.outcome));
    if let Some(nimber) = found.nimber {
        let _ = writeln!(text, "nimber    {nimber}");
    }
    let nodes = grouped(found.nodes);
    let _ = writeln!(text, "by        {} ({nodes} nodes)", found.by);
    for part in &found.parts {
        let _ = writeln!(text, "part      {}  {}", part.nimber, part.position);
    }
    if !found.moves.is_empty() {
        text.push('\n');
    }
    for mv in &found.moves {
        let _ = write!(text, "{:>8}  {}", mv.name, end(mv.outcome));
        if let Some(nimber) = mv.nimber {
            let _ = write!(text, ", leaves nimber {nimber}");
        }
        text.push('\n');
    }
    text
}

fn of_hidden(found: &HiddenEvaluation) -> String {
    let mut text = heading(&found.game, &found.position);
    let Some(solution) = &found.solution else {
        let plies = plural(found.depth.into(), "ply");
        let fouls = plural(found.fouls.into(), "foul");
        let _ = writeln!(text, "no solution within {plies} with {fouls} allowed");
        return text;
    };
    let (plies, fouls) = (plural(solution.plies.into(), "ply"), solution.fouls_in_line);
    let allowed = plural(solution.fouls_allowed.into(), "foul");
    let _ = writeln!(
        text,
        "solution  {plies}, {allowed} allowed, {fouls} on the best line"
    );
    let _ = writeln!(text, "line      {}", solution.numbered_line);
    let _ = writeln!(text, "key       {}", solution.key);
    if !solution.cooks.is_empty() {
        let _ = writeln!(text, "cooks     {}", solution.cooks.join(" "));
    }
    let _ = writeln!(text, "unique    {}", uniqueness(solution, &found.side));
    for level in &solution.fewer_fouls {
        let plies = plural(level.plies.into(), "ply");
        let fouls = plural(level.fouls.into(), "foul");
        let _ = writeln!(text, "also      {plies}, {fouls} allowed");
    }
    let tree = &solution.tree;
    let turns = plural(tree.turns, "turn");
    let variations = plural(tree.variations, "variation");
    let largest = plural(tree.largest as u64, "position");
    let _ = writeln!(
        text,
        "tree      {turns}, {variations}, {largest} in the largest metaposition\n"
    );
    for (name, value) in &solution.statistics {
        let _ = writeln!(text, "{name:9} {value}");
    }
    text
}

fn uniqueness(solution: &HiddenSolved, side: &str) -> String {
    match solution.uniqueness.word {
        "multiple" => "no: there are cooks".to_owned(),
        "everyMove" => format!("every move of {side}'s"),
        "line" => {
            let turns = plural(solution.uniqueness.dual_turns, "turn");
            format!("every move of the best line; {turns} of the tree with duals")
        }
        _ => "the first move".to_owned(),
    }
}
