//! Completions for shells and manual pages.

use std::process::Command;

use crate::common::program::{ok, refused};
use crate::common::{files, skipped};

/// The commands that '--help' lists.
fn commands() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let help = ok(&["--help"], folder.path());
    let (_, listed) = help.split_once("Commands:\n").expect("commands are listed");
    let lines = listed.lines().take_while(|line| !line.is_empty());
    // What a line goes on with is indented more.
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_shell_gets_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ok(&["completions", shell], folder.path());
        for name in commands
            .iter()
            .map(String::as_str)
            .chain(["--repetition", "--table"])
        {
            let name = name.trim_start_matches("--");
            assert!(script.contains(name), "{shell} lacks {name}");
        }
    }
    let message = refused(&["completions", "tcsh"], folder.path());
    assert!(message.contains("bash"), "{message}");
    assert!(files(folder.path()).is_empty());
}

#[test]
fn bash_completes() {
    let folder = tempfile::tempdir().unwrap();
    let script = ok(&["completions", "bash"], folder.path());
    let program = format!(
        "{script}\nCOMP_WORDS=(tesuji verif); COMP_CWORD=1; _tesuji tesuji verif tesuji; echo \"${{COMPREPLY[*]}}\""
    );
    let Ok(output) = Command::new("bash").args(["-c", &program]).output() else {
        skipped("completing a word in bash", "install bash");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "verify");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["man", "--output", "man1"], here);
    let pages = files(&here.join("man1"));
    let mut expected: Vec<_> = commands();
    expected.retain(|name| name != "help");
    expected.push(String::new());
    for name in &expected {
        let file = format!("tesuji-{name}.1").replace("-.1", ".1");
        let page = pages.get(std::path::Path::new(&file));
        let page = page.unwrap_or_else(|| panic!("{file} is missing"));
        let page = String::from_utf8(page.clone()).unwrap();
        let title = file.trim_end_matches(".1").replace('-', "\\-");
        for part in [".TH ", ".SH SYNOPSIS", ".SH OPTIONS", &title] {
            assert!(page.contains(part), "{file} lacks {part:?}");
        }
    }
    let one = ok(&["man", "mine"], here);
    assert_eq!(one.as_bytes(), pages[std::path::Path::new("tesuji-mine.1")]);
    assert!(one.contains("Find puzzles in a solved game"));
    // As other outputs, pages are not overwritten unasked.
    ok(&["man", "--output", "man1"], here);
    std::fs::write(here.join("man1/tesuji.1"), "notes").unwrap();
    refused(&["man", "--output", "man1"], here);
    ok(&["man", "--output", "man1", "--force"], here);
    assert_eq!(files(&here.join("man1")), pages);
    let message = refused(&["man", "mime"], here);
    assert!(message.contains("mime"), "{message}");
}

#[test]
fn a_cause_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &["perft", "ostle:9x9", "initial", "1"][..],
        &["perft", "graph:missing", "initial", "1"],
        &["verify", "missing.tsj"],
        &["probe", "ostle:3x3,pieces=2,losses=2", "nonsense"],
    ] {
        let message = refused(args, folder.path());
        let text = message.trim().trim_start_matches("tesuji: ");
        for (at, _) in text.match_indices(": ") {
            let cause = &text[at + 2..];
            let again = text.matches(cause).count() > 1;
            assert!(cause.len() < 20 || !again, "told twice: {message}");
        }
    }
}
