//! `tesuji check`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::common::{GameArgs, position, print};
use super::{solution, solution_tree};
use crate::analysis::{
    Quality, Solution, Stipulation, Story, Verdict, check, difficulty, themes, write_solution,
};
use crate::game::Editable;
use crate::games::registry::with_table_game;
use crate::mine::Minable;
use crate::table::{Table, TableOracle};

/// Mendings that are listed.
const LISTED: usize = 8;

/// Judge a puzzle as a problem editor would: is it sound, what are its cooks, duals
/// and tries, what is each piece for, and what would mend it.
///
/// The exit code is 0 if the puzzle is sound and 1 if it is not.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  tesuji check ostle:4x4,pieces=3,losses=2 \"w2b/1bw1/bo2/3w b -\" --stipulation \"win in 75\"")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// What is asked: 'win in 7' (plies, the last move counted), 'win', 'draw',
    /// 'lose in 8' [default: what the position is worth].
    #[arg(long, value_name = "TASK")]
    stipulation: Option<String>,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    with_table_game!(args.game.game()?, game => judge(&game, args))
}

fn judge<G: Minable + Editable>(game: &G, args: &Args) -> Result<ExitCode> {
    let state = position(game, &args.position.join(" "))?;
    let asked = args.stipulation.as_deref().map(Stipulation::parse);
    let asked = asked.transpose()?;
    let table = solution::load(game, args.table.as_ref())?;
    let stipulation = if let Some(asked) = asked {
        asked
    } else {
        let slot = game.rank(&state);
        let value = table.record(slot.index)?.without(slot.forbidden);
        let plies = value
            .plies()
            .map_or_else(String::new, |plies| format!(" in {plies}"));
        Stipulation::parse(&format!("{}{plies}", value.outcome().name()))?
    };
    let verdict = check(game, &table, &state, stipulation)?;
    let merits = Merits::new(game, &table, &verdict.solution)?;
    let text = if args.json {
        as_json(game, &verdict, &merits, stipulation)
    } else {
        as_text(game, &verdict, &merits, stipulation)
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(!verdict.faults.is_empty())))
}

/// What a verdict is worth beside its faults.
struct Merits {
    quality: Quality,
    themes: Vec<&'static str>,
    /// Bits.
    difficulty: u32,
}

impl Merits {
    fn new<G: Minable>(game: &G, table: &Table, solution: &Solution<G>) -> Result<Self> {
        let oracle = TableOracle::new(table, game)?;
        let story = Story::new(game, &oracle, solution)?;
        Ok(Self {
            quality: Quality::new(solution, &story),
            themes: themes(&story).map(|theme| theme.name).collect(),
            difficulty: difficulty(game, &solution.steps),
        })
    }
}

fn as_text<G: Minable + Editable>(
    game: &G,
    verdict: &Verdict<G>,
    merits: &Merits,
    stipulation: Stipulation,
) -> String {
    let Merits {
        quality,
        themes,
        difficulty,
    } = merits;
    let mut text = format!(
        "position     {}\nstipulation  {stipulation}\n",
        game.format_state(&verdict.solution.state)
    );
    let faults: Vec<_> = verdict.faults.iter().map(|fault| fault.name()).collect();
    if faults.is_empty() {
        let _ = writeln!(
            text,
            "verdict      sound ({})",
            verdict.solution.soundness().name()
        );
    } else {
        let _ = writeln!(text, "verdict      not sound: {}", faults.join(", "));
    }
    let solving: Vec<_> = verdict
        .solving
        .iter()
        .map(|rated| format!("{} ({})", game.format_move(rated.mv), rated.value))
        .collect();
    let solving = if solving.is_empty() {
        "none".to_owned()
    } else {
        solving.join(", ")
    };
    let _ = writeln!(text, "solved by    {solving}");
    let _ = writeln!(
        text,
        "themes       {}",
        if themes.is_empty() {
            "-".to_owned()
        } else {
            themes.join(" ")
        }
    );
    let _ = writeln!(
        text,
        "score        {} of 100: soundness {}, paradox {}, temptation {}, length {}, variety {}, economy {}",
        quality.score(),
        quality.soundness,
        quality.paradox,
        quality.temptation,
        quality.length,
        quality.variety,
        quality.economy
    );
    let _ = writeln!(text, "difficulty   {difficulty} bits\n");
    text += &write_solution(game, &verdict.solution);
    text += "\nwhat each piece is for\n";
    for purpose in &verdict.purposes {
        let without = match purpose.value {
            None => "cannot be taken away".to_owned(),
            Some(_) if purpose.idle => "idle: the puzzle is the same without it".to_owned(),
            Some(value) => format!("without it: {value}"),
        };
        let _ = writeln!(text, "  {:24} {without}", purpose.thing);
    }
    if !verdict.faults.is_empty() {
        let _ = writeln!(
            text,
            "\nsound with one thing moved: {}",
            verdict.mendings.len()
        );
        for mending in verdict.mendings.iter().take(LISTED) {
            let _ = writeln!(
                text,
                "  {} to {}  {}  {}",
                game.name_of(mending.from),
                game.name_of(mending.to),
                game.format_state(&mending.state),
                mending.soundness.name()
            );
        }
    }
    text
}

fn as_json<G: Minable + Editable>(
    game: &G,
    verdict: &Verdict<G>,
    merits: &Merits,
    stipulation: Stipulation,
) -> String {
    let Merits {
        quality,
        themes,
        difficulty,
    } = merits;
    let solving = verdict.solving.iter().map(|rated| {
        json!({
            "move": game.format_move(rated.mv),
            "outcome": rated.value.outcome().name(),
            "plies": rated.value.plies(),
        })
    });
    let purposes = verdict.purposes.iter().map(|purpose| {
        json!({
            "thing": purpose.thing,
            "idle": purpose.idle,
            "outcome": purpose.value.map(|value| value.outcome().name()),
            "plies": purpose.value.and_then(crate::base::value::Value::plies),
        })
    });
    let mendings = verdict.mendings.iter().map(|mending| {
        json!({
            "from": game.name_of(mending.from),
            "to": game.name_of(mending.to),
            "position": game.format_state(&mending.state),
            "soundness": mending.soundness.name(),
        })
    });
    let faults: Vec<_> = verdict.faults.iter().map(|fault| fault.name()).collect();
    let json = json!({
        "stipulation": stipulation.to_string(),
        "sound": verdict.faults.is_empty(),
        "faults": faults,
        "solving": solving.collect::<Vec<_>>(),
        "themes": themes,
        "score": {
            "total": quality.score(),
            "soundness": quality.soundness,
            "paradox": quality.paradox,
            "temptation": quality.temptation,
            "length": quality.length,
            "variety": quality.variety,
            "economy": quality.economy,
        },
        "difficulty": difficulty,
        "purposes": purposes.collect::<Vec<_>>(),
        "mendings": mendings.collect::<Vec<_>>(),
        "solution": solution_tree::as_json(game, &verdict.solution),
    });
    format!("{json:#}\n")
}
