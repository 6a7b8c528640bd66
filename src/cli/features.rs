//! `tesuji features`

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::common::{parse_game, print};
use crate::game::CellKind;
use crate::games::registry::{AnyGame, with_table_game};
use crate::mine::Catalogue;

/// List the columns that a filter may use, with type, cost and meaning.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tesuji features ostle")]
pub struct Args {
    /// The game.
    #[arg(value_name = "GAME", default_value = "ostle")]
    spec: String,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let game = parse_game(&args.spec, None)?;
    let hidden = matches!(game, AnyGame::Tsuitate(_));
    let catalogue: Result<_> = match &game {
        AnyGame::Tsuitate(game) => Ok(crate::mine::hidden::catalogue(game)),
        game => with_table_game!(game, game => Ok(Catalogue::new(game))),
    };
    let catalogue = catalogue?;
    let kind = |kind: &CellKind| match kind {
        CellKind::Flag => "true/false",
        CellKind::Number => "number",
        CellKind::Word(_) => "word",
    };
    if args.json {
        let columns: Vec<_> = catalogue
            .columns()
            .iter()
            .map(|column| {
                let feature = &column.feature;
                json!({ "name": feature.name, "type": kind(&feature.kind), "cost": column.tier.name(), "meaning": feature.meaning })
            })
            .collect();
        print(&format!("{:#}\n", serde_json::Value::from(columns)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = if hidden {
        "Columns for SQL conditions. Conditions on the board are tested before a position is solved,\n\
         conditions on its solution after.\n\n"
    } else {
        "Columns for SQL conditions. Cost, cheap to dear: record (read from the table), board, pass (the other\n\
                    side to move), ban (moves that may have led here), play (the value of every move), solution\n\
                    (the main line). Cheap conditions run first.\n\n"
    }
    .to_owned();
    for column in catalogue.columns() {
        let feature = &column.feature;
        let _ = writeln!(
            text,
            "{:20} {:10} {:8}  {}",
            feature.name,
            kind(&feature.kind),
            column.tier.name(),
            feature.meaning
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
