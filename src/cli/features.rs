//! `tesuji features`

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::report::print;
use crate::game::FeatureKind;
use crate::session::open;

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
    let session = open(&args.spec)?;
    let mining = session.mining()?;
    let kind = |kind: &FeatureKind| match kind {
        FeatureKind::Flag => "true/false",
        FeatureKind::Number => "number",
        FeatureKind::Word(_) => "word",
    };
    let words = |kind: &FeatureKind| match kind {
        FeatureKind::Word(words) => Some(words.clone()),
        FeatureKind::Flag | FeatureKind::Number => None,
    };
    let columns = mining.columns();
    if args.json {
        let columns = columns.iter().map(|column| {
            let feature = &column.feature;
            json!({
                "name": feature.name,
                "type": kind(&feature.kind),
                "words": words(&feature.kind),
                "cost": column.tier.name(),
                "meaning": feature.meaning,
            })
        });
        print(&format!("{:#}\n", columns.collect::<serde_json::Value>()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}\n\n", mining.about_columns());
    for column in &columns {
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
