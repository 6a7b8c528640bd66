//! Compiling and running the source code of programs.

use std::path::Path;
use std::process::Command;

use thiserror::Error;

use super::child::{self, Ended};
use super::policy::{AnswerKind, Policy};
use crate::game::Language;

/// Why a program could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A temporary file cannot be written.
    #[error("cannot write the program to a temporary folder: {0}")]
    Write(#[source] std::io::Error),
    /// The compiler or interpreter cannot be started.
    #[error("cannot start '{tool}' ({source}): install it, or leave {} out of --verify", .language.name())]
    Tool {
        /// The language.
        language: Language,
        /// The command.
        tool: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The program does not compile, or it failed.
    #[error("{tool} failed on the {} program: {message}", .language.name())]
    Failed {
        /// The language.
        language: Language,
        /// The command.
        tool: String,
        /// The first lines of its messages.
        message: String,
    },
    /// It took too long.
    #[error("{tool} was stopped after {} seconds on the {} program: it may never end", child::LIMIT.as_secs(), .language.name())]
    Endless {
        /// The language.
        language: Language,
        /// The command.
        tool: String,
    },
    /// The output of the program is not one number for each state.
    #[error("the {} program gave {found} answers for {expected} states; first line that is not a number: {line:?}", .language.name())]
    Answers {
        /// The language.
        language: Language,
        /// The number of lines.
        found: usize,
        /// The number of states.
        expected: usize,
        /// The first line that is not a number; empty if there is none.
        line: String,
    },
}

/// The answers of a program to these states. `source` is source code with a function named
/// for the kind of answer, which is compiled and run in a temporary folder. The environment
/// variables `RUSTC`, `CC` and `PYTHON` name other compilers and interpreters.
///
/// # Errors
/// [`RunError`] if there is no compiler or interpreter, or the program fails.
pub fn run(
    source: &str,
    language: Language,
    kind: AnswerKind,
    codes: &[u64],
) -> Result<Vec<u64>, RunError> {
    let asked = |text: &str| text.replace("ASKED", kind.function());
    let folder = tempfile::tempdir().map_err(RunError::Write)?;
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str, text: &str| std::fs::write(path(name), text).map_err(RunError::Write);
    let tool =
        |variable: &str, tool: &str| std::env::var(variable).unwrap_or_else(|_| tool.to_owned());
    put(&format!("program.{}", language.extension()), source)?;
    let program = path("trial");
    let run = match language {
        Language::Rust => {
            put(
                "trial.rs",
                &asked(
                    "#[path = \"program.rs\"]\nmod program;\nuse std::io::*;\nfn main() {\n    let mut out = BufWriter::new(stdout().lock());\n    for line in stdin().lock().lines() {\n        let n = line.unwrap().parse().unwrap();\n        writeln!(out, \"{}\", program::ASKED(n)).unwrap();\n    }\n}\n",
                ),
            )?;
            let mut compile = Command::new(tool("RUSTC", "rustc"));
            // Warnings about the program do not matter here.
            compile.args(["--edition", "2021", "--cap-lints", "allow"]);
            compile.args(["-C", "opt-level=2", "-o"]);
            started(compile.arg(&program).arg(path("trial.rs")), language)?;
            Command::new(&program)
        }
        Language::C => {
            put(
                "trial.c",
                &asked(
                    "#include \"program.c\"\n#include <stdio.h>\n#include <inttypes.h>\nint main(void) {\n    uint64_t n;\n    while (scanf(\"%\" SCNu64, &n) == 1) printf(\"%\" PRIu64 \"\\n\", (uint64_t)ASKED(n));\n    return 0;\n}\n",
                ),
            )?;
            let mut compile = Command::new(tool("CC", "cc"));
            compile.args(["-std=c99", "-O2", "-o"]);
            started(compile.arg(&program).arg(path("trial.c")), language)?;
            Command::new(&program)
        }
        Language::Python => {
            put(
                "trial.py",
                &asked(
                    "import sys\nfrom program import ASKED\nprint(\"\\n\".join(str(ASKED(int(line))) for line in sys.stdin))\n",
                ),
            )?;
            let mut python = Command::new(tool("PYTHON", "python3"));
            // No modules but those in the temporary folder and the standard library.
            python.args(["-B", "-E", "-s"]).arg(path("trial.py"));
            python
        }
    };
    let text = fed(run, folder.path(), language, codes)?;
    let read: Vec<Option<u64>> = text.lines().map(|line| line.trim().parse().ok()).collect();
    if read.len() != codes.len() || read.iter().any(Option::is_none) {
        let line = text
            .lines()
            .find(|line| line.trim().parse::<u64>().is_err());
        return Err(RunError::Answers {
            language,
            found: read.len(),
            expected: codes.len(),
            line: line.unwrap_or_default().chars().take(80).collect(),
        });
    }
    Ok(read.into_iter().flatten().collect())
}

/// Runs a compiler.
fn started(command: &mut Command, language: Language) -> Result<(), RunError> {
    let ended = child::run(command, String::new(), 0);
    let ended = ended.map_err(|source| absent(command, language, source))?;
    succeeded(&ended, command, language)
}

fn absent(command: &Command, language: Language, source: std::io::Error) -> RunError {
    RunError::Tool {
        language,
        tool: command.get_program().to_string_lossy().into_owned(),
        source,
    }
}

fn succeeded(ended: &Ended, command: &Command, language: Language) -> Result<(), RunError> {
    let tool = command.get_program();
    let tool = Path::new(tool)
        .file_name()
        .unwrap_or(tool)
        .to_string_lossy()
        .into_owned();
    let Some(status) = ended.status else {
        return Err(RunError::Endless { language, tool });
    };
    if status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&ended.errors);
    // Python reports the error last, compilers first.
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let message = match language {
        Language::Python => lines.last().copied().unwrap_or_default().to_owned(),
        _ => lines.iter().take(3).copied().collect::<Vec<_>>().join("; "),
    };
    let message = if message.is_empty() {
        format!("no message, {status}")
    } else {
        message
    };
    Err(RunError::Failed {
        language,
        tool,
        message,
    })
}

/// The output of a program whose input is the states, one a line.
fn fed(
    mut command: Command,
    folder: &Path,
    language: Language,
    codes: &[u64],
) -> Result<String, RunError> {
    let lines: Vec<String> = codes.iter().map(u64::to_string).collect();
    // No answer needs more bytes than a number and a line end.
    let most = 24 * (codes.len() as u64 + 1);
    let ended = child::run(command.current_dir(folder), lines.join("\n") + "\n", most);
    let ended = ended.map_err(|source| absent(&command, language, source))?;
    succeeded(&ended, &command, language)?;
    Ok(String::from_utf8_lossy(&ended.output).into_owned())
}

/// The states in which a program is wrong, with its answers; empty if it is right in every
/// state of the policy.
///
/// # Errors
/// [`RunError`] if there is no compiler or interpreter, or the program fails.
pub fn check(
    source: &str,
    language: Language,
    policy: &Policy,
) -> Result<Vec<(u64, u64)>, RunError> {
    let codes: Vec<u64> = policy.entries().iter().map(|entry| entry.code).collect();
    let answers = run(source, language, policy.kind(), &codes)?;
    let wrong = policy.entries().iter().zip(answers);
    Ok(wrong
        .filter(|(entry, answer)| !policy.is_right(entry, *answer))
        .map(|(entry, answer)| (entry.code, answer))
        .collect())
}
