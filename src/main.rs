//! The `tesuji` program; see the library's `cli` module.

use std::process::ExitCode;

fn main() -> ExitCode {
    tesuji::cli::main()
}
