//! The whole of Mondrago against what its author published
//! (<https://github.com/CarlosLunaMota/Mondrago>): his counts, and the positions that his
//! explorer found, from filters that ship.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use tesuji::base::progress::NoProgress;
use tesuji::game::Game;
use tesuji::games::pieces::{Pieces, State};
use tesuji::mine::{Catalogue, Filter, Find, Predicate, Scope};
use tesuji::table::{Table, statistics};

use crate::common::{self, scan};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All that shipped filters find.
fn finds(game: &Pieces, table: &Table, names: &[&str]) -> Vec<Vec<Find<State>>> {
    let catalogue = Catalogue::new(game);
    let predicate = |name: &&str| {
        let file = root().join(format!("filters/lineup/{name}.toml"));
        Predicate::new(&Filter::load(&file).unwrap(), &catalogue).unwrap()
    };
    let predicates: Vec<_> = names.iter().map(predicate).collect();
    let filters: Vec<_> = predicates.iter().map(|it| (it, None)).collect();
    let scans = scan(game, table, &filters, &Scope::all(), &NoProgress).unwrap();
    scans.iter().map(|scan| scan.finds.clone()).collect()
}

/// The rows of a board a quarter turn on.
fn turned(rows: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let column = |at: usize| rows.iter().rev().map(|row| row[at]).collect();
    (0..rows[0].len()).map(column).collect()
}

/// The board from the view of the side to move, whose men are `b`: the first of its eight
/// images in the order of their letters.
fn canonical(game: &Pieces, state: &State) -> String {
    let text = game.format_state(state);
    let (board, side) = text.split_once(' ').unwrap();
    let own = |letter: u8| match letter {
        b'b' if side == "w" => b'w',
        b'w' if side == "w" => b'b',
        other => other,
    };
    let mut rows: Vec<Vec<u8>> = board
        .split('/')
        .map(|row| row.bytes().map(own).collect())
        .collect();
    let mut images = BTreeSet::new();
    for _ in 0..4 {
        rows = turned(&rows);
        let mirrored = rows
            .iter()
            .map(|row| row.iter().rev().copied().collect::<Vec<_>>());
        images.extend([rows.join(&b'/'), mirrored.collect::<Vec<_>>().join(&b'/')]);
    }
    String::from_utf8(images.pop_first().unwrap()).unwrap()
}

/// The canonical boards of finds, sorted, a line each; every one occurs once.
fn lines(game: &Pieces, finds: &[&Find<State>]) -> String {
    let boards: BTreeSet<_> = finds
        .iter()
        .map(|find| canonical(game, &find.state) + "\n")
        .collect();
    assert_eq!(boards.len(), finds.len());
    boards.into_iter().collect()
}

/// The number of positions in each of `MONDRAGO_PUZZLES_....txt` by the plies of the win,
/// and the SHA-256 sum of their canonical boards, sorted, with a line feed after each.
const PUZZLES: [(u16, usize, &str); 4] = [
    (
        3,
        2408,
        "103a25bb342951bd532c814d207ea32df206ff434a251d89e37f665b81bb9c57",
    ),
    (
        5,
        3229,
        "574769cb8ba987a1f6dc98d773b4ea73bf0dd7a9913e89c05d4d21a51204c9ed",
    ),
    (
        7,
        2683,
        "2a7712c1f665815ac249b5e317c7320ecd4469321112ce7282d99c4597409ceb",
    ),
    (
        9,
        1881,
        "958553b783b416d1d71e357dd7274bae5063f6ac809f6cfa4b5f1f7695015a9b",
    ),
];

#[test]
fn mondrago_is_solved_and_mined_as_published() {
    let game = Pieces::shipped("mondrago").unwrap();
    let table = common::table(&game);

    // MONDRAGO_STATS.txt; it counts a finished position as lost in 0 plies, and plies to
    // the end of the game where the file here has those to a position won at once.
    let counted = statistics(&table, &game, &NoProgress).unwrap();
    let of = |plies: Option<u16>| plies.map_or("draw".to_owned(), |plies| plies.to_string());
    let found: BTreeMap<_, _> = counted
        .histogram()
        .map(|row| (of(row.plies_to_checkmate), row.states))
        .collect();
    let file = root().join("tests/data/lineup/mondrago.csv");
    let text = fs::read_to_string(file).unwrap();
    let published = text.lines().skip(1).map(|line| {
        let (plies, states) = line.split_once(',').unwrap();
        (plies.to_owned(), states.parse().unwrap())
    });
    assert_eq!(found, published.collect());

    let mined = finds(&game, &table, &["single-way", "safe-draw"]);
    let (single, safe) = (&mined[0], &mined[1]);
    for (plies, count, sum) in PUZZLES {
        let of_length: Vec<_> = single
            .iter()
            .filter(|find| find.record.best().plies() == Some(plies))
            .collect();
        assert_eq!(of_length.len(), count, "{plies}");
        let mut found = String::new();
        for byte in Sha256::digest(lines(&game, &of_length)) {
            let _ = write!(found, "{byte:02x}");
        }
        assert_eq!(found, sum, "{plies}");
    }
    // MONDRAGO_SAFEST_DRAWS.txt.
    let file = root().join("tests/data/lineup/mondrago-safe-draws.txt");
    let published = fs::read_to_string(file).unwrap();
    assert_eq!(lines(&game, &safe.iter().collect::<Vec<_>>()), published);
}
