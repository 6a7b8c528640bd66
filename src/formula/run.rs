//! Emitted programs compiled and run.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use thiserror::Error;

use super::policy::Policy;
use crate::game::Language;

/// Why a program could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file of the trial could not be written.
    #[error("cannot write the program to try it: {0}")]
    Write(#[source] std::io::Error),
    /// The compiler or interpreter is not there.
    #[error("'{tool}' cannot be started ({source}): install it, or leave {} out of --verify", .language.name())]
    Tool {
        /// The language.
        language: Language,
        /// The command.
        tool: String,
        /// Why.
        source: std::io::Error,
    },
    /// The program is refused, or it failed.
    #[error("{tool} fails on the {} program: {message}", .language.name())]
    Failed {
        /// The language.
        language: Language,
        /// The command.
        tool: String,
        /// The first lines of what it says.
        message: String,
    },
    /// The program's output is not a number a state.
    #[error("the {} program gave {found} for {expected} states, or something that is no number: {line:?}", .language.name())]
    Answers {
        /// The language.
        language: Language,
        /// Lines given.
        found: usize,
        /// States asked about.
        expected: usize,
        /// The first line that is no number.
        line: String,
    },
}

/// The answers of a program, given as source text with a function `best_move`, to
/// these states. It is compiled and run in a temporary folder.
///
/// # Errors
/// If there is no compiler or interpreter, or the program fails.
pub fn run(source: &str, language: Language, codes: &[u64]) -> Result<Vec<u64>, RunError> {
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
                "#[path = \"program.rs\"]\nmod program;\nuse std::io::*;\nfn main() {\n    let mut out = BufWriter::new(stdout().lock());\n    for line in stdin().lock().lines() {\n        let n = line.unwrap().parse().unwrap();\n        writeln!(out, \"{}\", program::best_move(n)).unwrap();\n    }\n}\n",
            )?;
            let mut compile = Command::new(tool("RUSTC", "rustc"));
            // What a lint thinks of somebody's program is not asked here.
            compile.args(["--edition", "2021", "--cap-lints", "allow"]);
            compile.args(["-C", "opt-level=2", "-o"]);
            started(compile.arg(&program).arg(path("trial.rs")), language)?;
            Command::new(&program)
        }
        Language::C => {
            put(
                "trial.c",
                "#include \"program.c\"\n#include <stdio.h>\n#include <inttypes.h>\nint main(void) {\n    uint64_t n;\n    while (scanf(\"%\" SCNu64, &n) == 1) printf(\"%\" PRIu64 \"\\n\", (uint64_t)best_move(n));\n    return 0;\n}\n",
            )?;
            let mut compile = Command::new(tool("CC", "cc"));
            compile.args(["-std=c99", "-O2", "-o"]);
            started(compile.arg(&program).arg(path("trial.c")), language)?;
            Command::new(&program)
        }
        Language::Python => {
            put(
                "trial.py",
                "import sys\nfrom program import best_move\nprint(\"\\n\".join(str(best_move(int(line))) for line in sys.stdin))\n",
            )?;
            let mut python = Command::new(tool("PYTHON", "python3"));
            // Nothing but the trial's own folder and the standard library is looked at.
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

/// Runs a compiler to its end.
fn started(command: &mut Command, language: Language) -> Result<(), RunError> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| absent(command, language, source))?;
    succeeded(&output, command, language)
}

fn absent(command: &Command, language: Language, source: std::io::Error) -> RunError {
    RunError::Tool {
        language,
        tool: command.get_program().to_string_lossy().into_owned(),
        source,
    }
}

fn succeeded(output: &Output, command: &Command, language: Language) -> Result<(), RunError> {
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    // Python says what is wrong last, compilers first.
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let told = match language {
        Language::Python => lines.last().copied().unwrap_or_default().to_owned(),
        _ => lines.iter().take(3).copied().collect::<Vec<_>>().join("; "),
    };
    let tool = command.get_program();
    let tool = Path::new(tool)
        .file_name()
        .unwrap_or(tool)
        .to_string_lossy()
        .into_owned();
    Err(RunError::Failed {
        language,
        tool,
        message: told,
    })
}

/// What a program writes when it is given the states, a line each.
fn fed(
    mut command: Command,
    folder: &Path,
    language: Language,
    codes: &[u64],
) -> Result<String, RunError> {
    let spawned = command
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|source| absent(&command, language, source))?;
    let lines: Vec<String> = codes.iter().map(u64::to_string).collect();
    let input = lines.join("\n") + "\n";
    let stdin = child.stdin.take();
    // Fed from a thread of its own: a program that answers as it reads would otherwise
    // wait for a reader while we wait for it.
    let feeder = std::thread::spawn(move || {
        // A program that ends early says so itself.
        let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
    });
    let output = child
        .wait_with_output()
        .map_err(|source| absent(&command, language, source))?;
    let _ = feeder.join();
    succeeded(&output, &command, language)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The states that a program answers wrongly, with its answer; none if it is right.
///
/// # Errors
/// As [`run`].
pub fn check(
    source: &str,
    language: Language,
    policy: &Policy,
) -> Result<Vec<(u64, u64)>, RunError> {
    let codes: Vec<u64> = policy.entries().iter().map(|entry| entry.code).collect();
    let answers = run(source, language, &codes)?;
    let wrong = policy.entries().iter().zip(answers);
    Ok(wrong
        .filter(|(entry, answer)| !Policy::is_right(entry, *answer))
        .map(|(entry, answer)| (entry.code, answer))
        .collect())
}
