//! SIGKILL at random moments: what is there afterwards is whole, old or new, and the
//! same command ends as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::chance::{Chance, is_long, times};
use crate::common::files;
use crate::common::program::{ok, start};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

type Tree = BTreeMap<PathBuf, Vec<u8>>;

fn lay_out(tree: &Tree, folder: &Path) {
    for (name, content) in tree {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// Whether a name is that of something under way.
fn under_way(path: &Path) -> bool {
    path.iter().any(|part| {
        let part = part.to_string_lossy();
        let endings = [".partial", ".lock", ".layers", ".pass"];
        endings.iter().any(|ending| part.ends_with(ending))
    })
}

/// A command on trial.
struct Trial<'a> {
    args: &'a [&'a str],
    /// What is there when it begins.
    before: Tree,
    /// What is there when it has ended undisturbed.
    after: Tree,
    took: Duration,
    /// Of what is written, all is old or all is new.
    at_once: bool,
}

impl<'a> Trial<'a> {
    fn new(args: &'a [&'a str], before: Tree, at_once: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        lay_out(&before, folder.path());
        let begun = Instant::now();
        ok(args, folder.path());
        let took = begun.elapsed();
        let after = files(folder.path());
        assert_ne!(before, after, "{args:?} writes nothing");
        Self {
            args,
            before,
            after,
            took,
            at_once,
        }
    }

    /// Every file with a final name is whole.
    fn is_whole(&self, folder: &Path, moment: &str) {
        let mut there = files(folder);
        there.retain(|path, _| !under_way(path));
        for (path, content) in &there {
            let known = [self.before.get(path), self.after.get(path)];
            let known = known.contains(&Some(content));
            assert!(known, "{moment}: {} is neither old nor new", path.display());
        }
        let gone = self.before.keys().find(|path| !there.contains_key(*path));
        let gone = gone.filter(|path| self.after.contains_key(*path) || self.at_once);
        let all_new = self.after.iter().all(|(path, _)| there.contains_key(path));
        assert!(gone.is_none() || all_new, "{moment}: {gone:?} is gone");
        if self.at_once {
            let one = there == self.before || there == self.after;
            assert!(one, "{moment}: old and new are mixed");
        }
    }

    /// Kills it again and again, and runs it to the end; returns how many kills struck
    /// while it ran, and how many left something under way.
    /// The moments lie in the first part of the time, one of `parts`.
    fn run(&self, number: usize, parts: usize, chance: &mut Chance) -> (usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        lay_out(&self.before, here);
        let (mut struck, mut left) = (0, 0);
        for _ in 0..=chance.below(3) {
            let span = usize::try_from(self.took.as_micros()).unwrap() / parts;
            let wait = Duration::from_micros(chance.below(span + span / 10) as u64);
            let mut child = start(self.args, here);
            let moment = if number.is_multiple_of(2) {
                sleep(wait);
                format!("{:?} after {wait:?}", self.args)
            } else {
                // Writing takes little of the time: here it has just begun.
                let begun = Instant::now();
                while begun.elapsed() < 2 * self.took && !files_under_way(here) {
                    sleep(Duration::from_micros(200));
                }
                let wait = wait / 50;
                sleep(wait);
                format!("{:?}, {wait:?} after it began to write", self.args)
            };
            struck += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            left += usize::from(files_under_way(here));
            self.is_whole(here, &moment);
        }
        let mut last = start(self.args, here);
        let code = last.wait().unwrap().code();
        let there = files(here);
        // What is there already is not made again unasked.
        let done = code == Some(2) && ["solve", "export", "book"].contains(&self.args[0]);
        assert!(code == Some(0) || done, "{:?} exits {code:?}", self.args);
        let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&there), names(&self.after), "{:?}", self.args);
        assert!(there == self.after, "{:?}: other bytes", self.args);
        (struck, left)
    }
}

/// Whether something is under way in a folder, at any depth.
fn files_under_way(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        let name = Path::new(path.file_name().unwrap_or_default());
        under_way(name) || path.is_dir() && files_under_way(&path)
    })
}

fn killed_everywhere(name: &str, args: &[&str], before: Tree, at_once: bool) {
    let mut chance = Chance::new(name);
    let trial = Trial::new(args, before, at_once);
    let moments = times(4);
    let (mut struck, mut left) = (0, 0);
    // A busy machine may have been slow when the time was taken, and be quick now.
    for number in 0..moments + 8 {
        let more = (number + 1).saturating_sub(moments);
        if more > 0 && struck > 0 {
            break;
        }
        let (hits, rests) = trial.run(number, 1 << more, &mut chance);
        struck += hits;
        left += rests;
    }
    println!("{name}: {moments} runs, {struck} kills while running, {left} left something");
    assert!(struck > 0, "{name} was never killed while it ran");
}

/// What a command leaves in an empty folder.
fn made(args: &[&str]) -> Tree {
    let folder = tempfile::tempdir().unwrap();
    ok(args, folder.path());
    files(folder.path())
}

const MINE: [&str; 10] = [
    "mine",
    GAME,
    "--filter",
    "forced-sacrifice",
    "--filter",
    "longest-wins",
    "--draw",
    "3",
    "--output",
    "out",
];

#[test]
fn solve_killed_anywhere_ends_with_the_same_table() {
    let args = ["solve", GAME, "--checkpoint-every", "0", "-o", "t.tsj"];
    killed_everywhere("solve", &args, Tree::new(), true);
}

#[test]
fn solve_killed_while_it_replaces_a_table_keeps_it_until_the_end() {
    let before = made(&["solve", GAME, "--raw", "-o", "t.tsj"]);
    let args = [
        "solve",
        GAME,
        "--checkpoint-every",
        "0",
        "-o",
        "t.tsj",
        "--force",
    ];
    killed_everywhere("solve --force", &args, before, true);
}

#[test]
fn mine_killed_anywhere_ends_with_the_same_puzzles() {
    killed_everywhere("mine", &MINE, Tree::new(), false);
}

#[test]
fn mine_killed_while_it_replaces_puzzles_leaves_whole_files() {
    let more = ["--limit", "9", "--output", "out"];
    let before = made(&[&MINE[..MINE.len() - 4], &more, &["--draw", "9"]].concat());
    let args = [&MINE[..], &["--force"]].concat();
    killed_everywhere("mine --force", &args, before, false);
}

#[test]
fn export_killed_anywhere_leaves_no_half_data_set() {
    let args = ["export", GAME, "--board", "-o", "states"];
    killed_everywhere("export", &args, Tree::new(), true);
}

#[test]
fn export_killed_while_it_replaces_a_data_set_leaves_one_of_the_two() {
    let before = made(&["export", GAME, "--sample", "50", "-o", "states"]);
    let args = ["export", GAME, "--board", "-o", "states", "--force"];
    killed_everywhere("export --force", &args, before, true);
}

#[test]
fn book_killed_anywhere_ends_with_the_same_book() {
    let puzzles = made(&MINE).remove(Path::new("out/forced-sacrifice/puzzles.csv"));
    let before = Tree::from([(PathBuf::from("p.csv"), puzzles.unwrap())]);
    for name in ["book.pdf", "book.html"] {
        killed_everywhere(name, &["book", "p.csv", "-o", name], before.clone(), true);
    }
}

/// The long form alone: other solvers, games from a list, nimbers, and searches without a table.
#[test]
fn what_solves_games_of_any_kind_can_be_killed_anywhere() {
    if !is_long() {
        return;
    }
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee/sentences/drop.toml");
    let before = Tree::from([(PathBuf::from("drop.toml"), fs::read(rules).unwrap())]);
    for game in [
        "ostle:3x3,pieces=2,losses=2",
        "chess:KR-K",
        "chess-4x4:KQ-KR",
        "rules:drop.toml",
        "dobutsu:pieces=lion+chick",
        "tapatan",
        "sliding:2x4",
        "kings:4x4",
    ] {
        let args = ["solve", game, "--checkpoint-every", "0", "-o", "t.tsj"];
        killed_everywhere(game, &args, before.clone(), true);
        let raw = [&args[..], &["--raw"]].concat();
        killed_everywhere(&format!("{game} --raw"), &raw, before.clone(), true);
    }
    let nimbers = ["nimbers", "kings", "6x6", "-o", "n.csv"];
    killed_everywhere("nimbers", &nimbers, Tree::new(), true);
    let mine = [
        "mine",
        "tsuitate",
        "--filter",
        "needs-foul",
        "--output",
        "out",
    ];
    let mine = [&mine[..], &["--positions", "10"]].concat();
    killed_everywhere("mine tsuitate", &mine, Tree::new(), false);
}
