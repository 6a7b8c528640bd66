//! `tesuji completions`

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use super::report::print;

/// Print the completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji
  tesuji completions zsh > ~/.zfunc/_tesuji
  tesuji completions fish > ~/.config/fish/completions/tesuji.fish")]
pub struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tesuji", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
