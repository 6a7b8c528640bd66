//! Helpers that several tests share.
#![allow(dead_code, reason = "each test uses some of them")]

pub mod naive;
pub mod program;
pub mod truth;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use naive::NaiveSolution;
use serde_json::Value as Json;
use tesuji::base::progress::{NoProgress, Progress};
use tesuji::base::value::{Outcome, Record, Wide};
use tesuji::export::read_csv;
use tesuji::game::{Moves, Next, Ranked, Retrograde, Symmetric};
use tesuji::games::ostle::{Move, Ostle, State};
use tesuji::mine::{self, Minable, MineError, Scan, Scope, Solved, Task, Way};
use tesuji::solve::Solver;
use tesuji::table::{Encoding, Table, TableError, TableWriter, ValueWidth, solve_in_memory};
use xxhash_rust::xxh3::xxh3_64;

/// The game of a spec.
pub fn game(spec: &str) -> Ostle {
    Ostle::from_settings(spec, None).unwrap()
}

/// Compares a text with a file below tests/golden, or writes that file if
/// `UPDATE_GOLDEN` is set.
pub fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let same = expected
        .lines()
        .zip(found.lines())
        .take_while(|(old, new)| old == new);
    let at = same.count();
    let [old, new] = [&expected[..], found].map(|text| text.lines().nth(at));
    assert!(
        found == expected,
        "{}, line {}: {new:?}, not {old:?}\nUPDATE_GOLDEN=1 writes the files anew, and 'git diff tests/golden' shows what changed",
        path.display(),
        at + 1,
    );
}

/// A text as a run keeps it for a later one, with its checksum.
pub fn sealed(text: &str) -> String {
    format!("tesuji: {:016x}\n{text}", xxh3_64(text.as_bytes()))
}

/// Says what a test leaves out, and how to have it.
pub fn skipped(what: &str, remedy: &str) {
    // The harness hides what a test that passes prints, but not what is written straight to
    // standard error.
    let _ = writeln!(std::io::stderr(), "skipped: {what}; {remedy}");
}

/// The data of the page of a book.
pub fn page_data(html: &str) -> Json {
    let (_, data) = html.split_once("id=\"book\">").expect("a page has data");
    let (data, _) = data.split_once("</script>").expect("the data have an end");
    serde_json::from_str(data).expect("the data are JSON")
}

/// Every puzzle of a table is on the page that is made of it, in its order.
pub fn holds_puzzles(html: &str, csv: &Path) {
    let rows = read_csv(fs::File::open(csv).unwrap()).unwrap();
    let data = page_data(html);
    let on_page = data["puzzles"].as_array().unwrap().iter();
    let on_page: Vec<_> = on_page
        .map(|puzzle| puzzle["position"].as_str().unwrap())
        .collect();
    let expected: Vec<_> = rows.iter().map(|row| row.position.as_str()).collect();
    assert!(!rows.is_empty());
    assert_eq!(on_page, expected, "{}", csv.display());
}

/// All files below a folder with their contents, by path.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// All records of a game by slot, from the solver.
pub fn records<G: Retrograde>(game: &G) -> Vec<Record> {
    let mut solver = Solver::<_, Wide>::new(game);
    let mut records = Vec::new();
    while let Some(solved) = solver.solve_next(&NoProgress).unwrap() {
        records.extend(solved.records(solved.slots()));
    }
    records
}

/// The bytes of a table with these records, and its fingerprint.
pub fn write<G: Ranked>(
    game: &G,
    records: &[Record],
    width: ValueWidth,
    encoding: Encoding,
) -> (Vec<u8>, String) {
    let sink = Cursor::new(Vec::new());
    let path = Path::new("memory.tsj");
    let mut writer = TableWriter::new(sink, path, game, width, encoding, 3).unwrap();
    let record = |slot| records[usize::try_from(slot).unwrap()];
    let records = |slots: Range<u64>| Ok::<_, TableError>(slots.map(record).collect());
    writer.append(game.slots(), records, |_| ()).unwrap();
    let (sink, fingerprint, _) = writer.finish().unwrap();
    (sink.into_inner(), fingerprint)
}

/// Scans a table to its end, with each state as it is stored.
pub fn scan<G: Minable>(
    game: &G,
    table: &Table,
    tasks: &[Task<'_>],
    scope: &Scope,
    progress: &dyn Progress,
) -> Result<Vec<Scan<G::State>>, MineError> {
    let source = Solved::new(table, game)?;
    mine::scan(game, &source, tasks, scope, Way::Whole, progress)
}

/// A table in memory.
pub fn table<G: Retrograde>(game: &G) -> Table {
    solve_in_memory(game, &NoProgress).unwrap()
}

/// Runs `work` with so many threads.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap().install(work)
}

/// Every unrestricted position, and what follows from them, solved the slow way.
pub fn naive(game: &Ostle) -> NaiveSolution<State> {
    let roots = (0..game.slots()).filter_map(|slot| game.unrank(slot));
    naive::solve(game, roots, |state| game.canonical(state))
}

/// Outcome and plies to the end of the game.
pub type Worth = (Outcome, Option<u16>);

/// What a state is worth to the side to move, from the slow solver.
pub fn worth(game: &Ostle, naive: &NaiveSolution<State>, state: &State) -> Worth {
    let value = naive.value(&game.canonical(state)).unwrap();
    (value.outcome(), value.plies())
}

/// A move of a state.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// The move.
    pub mv: Move,
    /// What it is worth to the mover.
    pub worth: Worth,
    /// It removes a piece of the mover.
    pub sacrifice: bool,
    /// It removes a piece of the other side.
    pub capture: bool,
}

/// All moves of a state, in the game's order, from play and the slow solver. The
/// game must not end by the loss of a first piece.
pub fn tried(game: &Ostle, naive: &NaiveSolution<State>, state: &State) -> Vec<Tried> {
    tried_with(game, state, |next| worth(game, naive, next))
}

/// As above, with states worth what `worth` says.
pub fn tried_with(game: &Ostle, state: &State, worth: impl Fn(&State) -> Worth) -> Vec<Tried> {
    let count = u64::count_ones;
    let moves = game.moves(state).into_iter();
    let tried = moves.map(|mv| match game.play(state, mv) {
        Next::Over(outcome) => Tried {
            mv,
            worth: (outcome, Some(1)),
            sacrifice: outcome == Outcome::Loss,
            capture: outcome == Outcome::Win,
        },
        Next::State(next) => {
            let (outcome, plies) = worth(&next);
            Tried {
                mv,
                worth: (outcome.reversed(), plies.map(|plies| plies + 1)),
                sacrifice: count(next.opponent()) < count(state.own()),
                capture: count(next.own()) < count(state.opponent()),
            }
        }
    });
    tried.collect()
}
