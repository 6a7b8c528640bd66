//! `tesuji style`

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::args::style;
use super::report::print;
use crate::draw::Style;

/// Print a style sheet to start from, or check one.
///
/// A preset is printed with explanations. A file is printed with all settings, including
/// those of its preset.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji style dark > my.toml
  tesuji draw ostle initial --style my.toml -o styled.svg
  tesuji style my.toml")]
pub struct Args {
    /// print, screen, dark, or a style sheet: FILE.toml.
    #[arg(default_value = "print")]
    style: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let text = match Style::sheet(&args.style) {
        Ok(sheet) => sheet.to_owned(),
        Err(_) => toml::to_string(&style(&args.style)?).context("the style cannot be written")?,
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
