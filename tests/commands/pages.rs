//! The pages of the repository, every README.md: links lead somewhere, and commands work.
//! `tests/README.md` says how the tag of a block of code tells what is done with it.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use tesuji::games::registry::{self, RegistryError};

use crate::common::files;
use crate::common::program::refused;

/// Programs of slow blocks of which nothing is checked.
const OTHERS: [&str; 3] = ["cut", "spark-sql", "while"];

/// A page.
struct Page {
    /// From the root of the repository.
    path: PathBuf,
    text: String,
}

/// A fenced block of code.
struct Block {
    /// What stands behind the fence, such as `sh slow`.
    tag: String,
    text: String,
    /// File and line, for messages.
    place: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All pages, the front page first.
fn pages() -> Vec<Page> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            if entry.file_type().unwrap().is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(entry.path());
                }
            } else if name == "README.md" {
                found.push(Page {
                    path: entry.path().strip_prefix(root()).unwrap().to_owned(),
                    text: fs::read_to_string(entry.path()).unwrap(),
                });
            }
        }
    }
    found.sort_by_key(|page| (page.path.components().count(), page.path.clone()));
    assert_eq!(found[0].path, Path::new("README.md"));
    found
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

impl Page {
    fn blocks(&self) -> Vec<Block> {
        let mut found: Vec<Block> = Vec::new();
        let mut inside = false;
        for (event, range) in parser(&self.text).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(tag))) => {
                    let line = self.text[..range.start].matches('\n').count() + 1;
                    found.push(Block {
                        tag: tag.to_string(),
                        text: String::new(),
                        place: format!("{}:{line}", self.path.display()),
                    });
                    inside = true;
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => found.last_mut().unwrap().text += &text,
                _ => {}
            }
        }
        found
    }

    /// Links and pictures within the repository: the file from its root, and the heading
    /// behind `#`, if one is named.
    fn links(&self) -> Vec<(PathBuf, Option<String>)> {
        let mut found = Vec::new();
        for event in parser(&self.text) {
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            else {
                continue;
            };
            if dest_url.contains("://") {
                continue;
            }
            let (file, heading) = match dest_url.split_once('#') {
                Some((file, heading)) => (file, Some(heading.to_owned())),
                None => (&*dest_url, None),
            };
            let mut path = self.path.clone();
            if !file.is_empty() {
                path.pop();
            }
            for part in Path::new(file).components() {
                match part {
                    Component::ParentDir => assert!(path.pop(), "{dest_url} leaves the repository"),
                    part => path.push(part),
                }
            }
            found.push((path, heading));
        }
        found
    }

    /// Files and folders of the code that are named in the text, such as `src/base`.
    fn named(&self) -> Vec<PathBuf> {
        let codes = parser(&self.text).filter_map(|event| match event {
            Event::Code(code) => Some(PathBuf::from(code.split(' ').next()?)),
            _ => None,
        });
        codes
            .filter(|path| path.starts_with("src") || path.starts_with("tests"))
            .collect()
    }

    /// What links call the headings: lower case, no punctuation, hyphens for blanks.
    fn headings(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut heading: Option<String> = None;
        for event in parser(&self.text) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => found.extend(heading.take()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        let kept = text.to_lowercase().replace(' ', "-");
                        heading.extend(
                            kept.chars()
                                .filter(|c| c.is_alphanumeric() || "-_".contains(*c)),
                        );
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Runs a script in a folder and gives what it prints.
pub fn shell(script: &str, folder: &Path, place: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tesuji")).parent().unwrap();
    let path = env::var("PATH").unwrap_or_default();
    // Formulas are compiled.
    let home = env::var("HOME").unwrap_or_default();
    let rustup = env::var("RUSTUP_HOME").unwrap_or(format!("{home}/.rustup"));
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c"])
        .arg(script.replace("cargo run --release --", "tesuji"))
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", folder)
        .env("RUSTUP_HOME", rustup)
        .stdin(Stdio::null())
        .output()
        .expect("bash can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{place}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The words of each command of a script, up to a pipe or redirection.
pub fn commands(script: &str, place: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut held = String::new();
    for line in script.replace("\\\n", " ").lines() {
        held += line;
        // A quote that goes on has no words yet.
        let Some(words) = shlex::split(&held) else {
            held.push('\n');
            continue;
        };
        held.clear();
        let assigned = |word: &String| {
            let name = word.split_once('=').map_or("", |(name, _)| name);
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        };
        let ends = |word: &String| {
            ["<", ">", "|", "&", ";"]
                .iter()
                .any(|c| word.starts_with(c))
        };
        let words = words.into_iter().skip_while(assigned);
        let words: Vec<String> = words.take_while(|word| !ends(word)).collect();
        found.extend((!words.is_empty()).then_some(words));
    }
    assert!(held.is_empty(), "{place}: unfinished: {held}");
    found
}

/// Whether a word begins as the spec of a game does.
fn names_a_game(word: &str) -> bool {
    let found = registry::parse(word, None, |_| Err(ErrorKind::NotFound.into()));
    !matches!(found, Err(RegistryError::Unknown(_)))
}

/// Checks a command without its work: the program reads all arguments before it finds
/// that there is no such game or file.
pub fn parses(words: &[String], place: &str) {
    let exists = |path: &str| assert!(root().join(path).exists(), "{place}: no {path} here");
    match words[0].as_str() {
        "tesuji" => {
            let mut args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            args.retain(|word| !word.contains('$'));
            if let Some(game) = args.iter_mut().skip(1).find(|word| names_a_game(word)) {
                *game = "no-such-game";
            }
            let folder = tempfile::tempdir().unwrap();
            let message = refused(&args, folder.path());
            assert!(message.starts_with("tesuji: "), "{place}: {message}");
        }
        "cargo" => {
            for pair in words.windows(2).filter(|pair| pair[0].starts_with("--")) {
                match pair[0].as_str() {
                    "--test" => assert!(
                        ["", "/main"].iter().any(|end| {
                            root().join(format!("tests/{}{end}.rs", pair[1])).exists()
                        }),
                        "{place}: no test {}",
                        pair[1]
                    ),
                    "--bench" => {
                        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
                        let line = format!("[[bench]]\nname = \"{}\"", pair[1]);
                        assert!(manifest.contains(&line), "{place}: no bench {}", pair[1]);
                    }
                    _ => {}
                }
            }
        }
        "python" if words[1].starts_with('-') => {}
        "python" => exists(&words[1]),
        program if program.starts_with("target/") => {}
        program if program.contains('/') => exists(program),
        program => assert!(OTHERS.contains(&program), "{place}: what is '{program}'?"),
    }
}

/// Whether lines are as expected: `...` stands for anything in a line, and alone for any
/// number of lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    let Some((line, rest)) = expected.split_first() else {
        return found.is_empty();
    };
    if line.trim() == "..." {
        return (0..=found.len()).any(|skipped| agree(rest, &found[skipped..]));
    }
    let Some((first, others)) = found.split_first() else {
        return false;
    };
    let same = match line.split_once("...") {
        None => line == first,
        Some((head, tail)) => first
            .strip_prefix(head)
            .is_some_and(|left| left.ends_with(tail)),
    };
    same && agree(rest, others)
}

/// What the server of an explorer answers to commands in which ADDRESS is its address.
fn asked(explore: &str, commands: &str, folder: &Path, place: &str) -> String {
    let commands = commands.replace("ADDRESS", "$address");
    let script = format!(
        r#"{explore} >served &
        trap "kill $!" EXIT
        until address=$(grep -o 'http.*[^/]' served); do kill -0 $!; sleep 0.1; done
        curl() {{ command curl --fail "$@"; }}
        {commands}"#
    );
    shell(&script, folder, place)
}

/// Does with the blocks of a page what their tags say.
fn work(page: &Page) {
    let folder = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    let mut explore = None;
    for Block { tag, text, place } in page.blocks() {
        match tag.split_once(' ') {
            None if tag == "sh" => printed = shell(&text, folder.path(), &place),
            None if tag == "console" => {
                let explore: &String = explore.as_ref().expect("the page starts an explorer");
                printed = asked(explore, &text, folder.path(), &place);
            }
            None => assert!(!tag.is_empty(), "{place}: the block has no language"),
            Some(("sh", "slow")) => {
                for words in commands(&text, &place) {
                    parses(&words, &place);
                    if words.starts_with(&["tesuji".to_owned(), "explore".to_owned()]) {
                        explore.get_or_insert_with(|| words.join(" "));
                    }
                }
            }
            Some(("text", "output")) => {
                let found: Vec<&str> = printed.lines().collect();
                let expected: Vec<&str> = text.lines().collect();
                assert!(agree(&expected, &found), "{place}: it prints\n{printed}");
            }
            // Part of a file of the repository.
            Some((_, file)) if file.contains('/') => {
                let whole = fs::read_to_string(root().join(file)).unwrap_or_default();
                assert!(whole.contains(&text), "{place}: differs from {file}");
            }
            Some((_, file)) => fs::write(folder.path().join(file), text).unwrap(),
        }
    }
}

#[test]
fn the_commands_of_every_page_work() {
    for page in pages() {
        let begun = std::time::Instant::now();
        work(&page);
        println!(
            "{:5.1} s {}",
            begun.elapsed().as_secs_f64(),
            page.path.display()
        );
    }
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let pages = pages();
    for page in &pages {
        let here = page.path.display();
        for path in page.named() {
            assert!(root().join(&path).exists(), "{here}: no {}", path.display());
        }
        for (path, heading) in page.links() {
            assert!(root().join(&path).exists(), "{here}: no {}", path.display());
            let Some(heading) = heading else { continue };
            let target = pages.iter().find(|other| other.path == path);
            let headings = target.expect("headings are those of pages").headings();
            assert!(
                headings.contains(&heading),
                "{here}: #{heading} is none of {headings:?}"
            );
        }
    }
}

#[test]
fn the_front_page_is_short_and_leads_to_every_page() {
    let pages = pages();
    let front = &pages[0];
    assert!(front.text.lines().count() <= 100);
    let (before, _) = front.text.split_once("\ntesuji compose ").unwrap();
    let words = before.split_whitespace().count();
    assert!(words <= 300, "{words} words before the first own puzzle");
    let linked: BTreeSet<_> = front.links().into_iter().map(|(path, _)| path).collect();
    for page in &pages[1..] {
        assert!(
            linked.contains(&page.path),
            "no link to {}",
            page.path.display()
        );
    }
    // One of the two commands is what decides about a change.
    let test = front
        .blocks()
        .into_iter()
        .filter(|block| block.text == "cargo test --release\n");
    assert_eq!(test.count(), 1);
    let decides = fs::read_to_string(root().join(".ci/run")).unwrap();
    let test = "cargo test --release";
    assert!(decides.lines().any(|line| line.starts_with(test)));
}

#[test]
fn the_changes_are_a_screen_before_anything_is_unfolded() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let newest = text.split("\n## ").nth(1).unwrap();
    let mut folded = false;
    let shown = newest.lines().filter(|line| {
        let folds = line.starts_with("<details>");
        let shown = folds || !folded && !line.is_empty();
        folded = (folded || folds) && *line != "</details>";
        shown
    });
    let shown = shown.count();
    assert!(shown <= 60, "{shown} lines");
    let begins = newest.lines().find(|line| line.starts_with("### "));
    assert_eq!(begins, Some("### What you must change"));
}

#[test]
fn the_code_has_none_of_the_words_to_avoid() {
    let sheet = fs::read_to_string(root().join(".github/CONTRIBUTING.md")).unwrap();
    let listed = sheet.split("- Avoid: ").nth(1).unwrap();
    let listed = listed.split(" and metaphors").next().unwrap();
    let mut words: Vec<_> = listed.split('"').skip(1).step_by(2).collect();
    // There is a number of plies.
    assert!(words.pop().unwrap().ends_with("number of"));
    assert!(words.contains(&"found out"));
    for (path, bytes) in files(&root().join("src")) {
        // Compiled Python is left out.
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.to_lowercase();
            let avoid = words.iter().copied().find(|words| {
                let rest = line.split_once(words).map(|(_, rest)| rest);
                rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            });
            assert_eq!(avoid, None, "src/{}:{number}", path.display());
        }
    }
}

#[test]
fn every_page_leads_to_the_words() {
    for page in pages() {
        let here = page.path.display();
        let words = (PathBuf::from("src/README.md"), Some("words".to_owned()));
        assert!(
            page.path == words.0 || page.links().contains(&words),
            "{here}: no link to src/README.md#words"
        );
    }
}

#[test]
fn the_example_s_page_shows_the_whole_program() {
    let path = "tests/examples/README.md";
    let pages = pages();
    let page = pages.iter().find(|page| page.path == Path::new(path));
    let blocks = page.expect("the example has a page").blocks().into_iter();
    let shown = blocks.filter(|block| block.tag == "rust tests/examples/own_game.rs");
    let shown: Vec<String> = shown.map(|block| block.text).collect();
    assert!(shown.len() > 5, "it is explained piece by piece");
    let program = fs::read_to_string(root().join("tests/examples/own_game.rs")).unwrap();
    assert_eq!(shown.join("\n"), program);
}

#[test]
fn every_shipped_filter_is_listed() {
    let filters = root().join("filters");
    let page = fs::read_to_string(filters.join("README.md")).unwrap();
    for (path, _) in files(&filters) {
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let row = format!("| `{}` |", path.file_stem().unwrap().display());
            assert!(page.contains(&row), "no row with {row}");
        }
    }
}
