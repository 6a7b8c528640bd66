//! The `tesuji` program.
#![deny(unreachable_pub)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
