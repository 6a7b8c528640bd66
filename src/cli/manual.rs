//! `tesuji man` and `tesuji completions`

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::cli::report::print;
use tesuji::base::files::{Claim, put_all_claimed};

/// Print the manual page of the program or of a command, or write all of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji man mine | man -l -
  tesuji man --output ~/.local/share/man/man1      # then: man tesuji, man tesuji-mine")]
pub(crate) struct ManArgs {
    /// The command [default: the program itself].
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Option<String>,
    /// Write all pages to this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite pages with other content.
    #[arg(long, requires = "output", conflicts_with = "command")]
    force: bool,
}

pub(super) fn man(args: &ManArgs) -> Result<()> {
    let mut program = Cli::command();
    program.build();
    if let Some(folder) = &args.output {
        let _claim = Claim::folder(folder)?;
        let commands = program.get_subcommands();
        let shown = commands.filter(|command| !command.is_hide_set());
        let pages = [&program].into_iter().chain(shown).map(|command| {
            let (name, page) = page(command)?;
            Ok((folder.join(format!("{name}.1")), page))
        });
        let pages = pages.collect::<Result<Vec<_>>>()?;
        return Ok(put_all_claimed(&pages, args.force)?);
    }
    let command = match &args.command {
        None => &program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command,
            None => bail!("unknown command '{name}'; 'tesuji --help' lists all commands"),
        },
    };
    print(&String::from_utf8(page(command)?.1)?)
}

fn page(command: &clap::Command) -> Result<(String, Vec<u8>)> {
    let name = command.get_bin_name().unwrap_or("tesuji").replace(' ', "-");
    let version = format!("tesuji {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).title(name.to_uppercase());
    let man = man.source(version).manual("tesuji");
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok((name, page))
}

/// Print the completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji
  tesuji completions zsh > ~/.zfunc/_tesuji
  tesuji completions fish > ~/.config/fish/completions/tesuji.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tesuji", &mut script);
    print(&String::from_utf8(script)?)
}
