//! What `tesuji mine` writes when nothing is asked: every row of every filter,
//! confirmed by the slow solver and the definitions.

use std::collections::BTreeSet;

use crate::common::naive::NaiveSolution;
use tesuji::base::value::Outcome;
use tesuji::export::read_csv;
use tesuji::game::{Game, Moves, Next, Playable, Ranked};
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::PuzzleRow;

use crate::common::program::ok;
use crate::common::{Tried, game, naive, tried, worth};

const SPEC: &str = "ostle:4x4,pieces=4,losses=2";

/// How unique the best of these moves is, from the words that explain the column.
fn uniqueness(outcome: Outcome, outcomes: usize, best: usize) -> &'static str {
    match outcome {
        Outcome::Win if outcomes == 1 => "onlyWin",
        Outcome::Win if best == 1 => "onlyShortest",
        Outcome::Draw if outcomes == 1 => "onlyDraw",
        Outcome::Loss if best == 1 => "onlyLongest",
        _ => "multiple",
    }
}

/// Plays the solution: every move is legal and keeps the value, to the end.
fn follow(game: &Ostle, naive: &NaiveSolution<State>, row: &PuzzleRow, state: State) {
    let mut at = Some(state);
    let mut expected = (row.outcome.as_str(), row.plies);
    for text in row.solution.split(' ') {
        let state = at.expect("the line goes on after the end of the game");
        let (outcome, plies) = worth(game, naive, &state);
        assert_eq!((outcome.name(), plies), expected, "{text}");
        let mv = game.parse_move(text).unwrap();
        let moves = tried(game, naive, &state);
        let found = moves.iter().find(|tried| tried.mv == mv);
        assert_eq!(found.expect("legal").worth, (outcome, plies), "{text}");
        at = match game.play(&state, mv) {
            Next::State(next) => Some(next),
            Next::Over(_) => None,
        };
        expected = (
            outcome.reversed().name(),
            plies.map(|plies| plies - 1).filter(|&plies| plies > 0),
        );
    }
    let plies = row.solution.split(' ').count();
    match row.plies {
        Some(all) => assert!(at.is_none() && plies == usize::from(all)),
        None => assert_eq!(plies, 1),
    }
}

fn confirm(game: &Ostle, naive: &NaiveSolution<State>, row: &PuzzleRow) {
    let state = game.parse_state(&row.position).unwrap();
    assert_eq!(game.unrank(row.slot), Some(state));
    let (outcome, plies) = worth(game, naive, &state);
    assert_eq!((row.outcome.as_str(), row.plies), (outcome.name(), plies));
    assert_eq!(row.plies_to_checkmate, plies.map(|plies| plies - 1));
    let moves = tried(game, naive, &state);
    let count = |wanted: &dyn Fn(&Tried) -> bool| moves.iter().filter(|m| wanted(m)).count();
    let best = count(&|m| m.worth == (outcome, plies));
    assert_eq!(row.n_moves as usize, moves.len());
    let wins = count(&|m| m.worth.0 == Outcome::Win);
    assert_eq!(row.n_winning as usize, wins);
    assert_eq!(row.n_best as usize, best);
    let outcomes = count(&|m| m.worth.0 == outcome);
    assert_eq!(row.uniqueness, uniqueness(outcome, outcomes, best));
    let key = game.parse_move(&row.key).unwrap();
    let first = moves.iter().find(|m| m.worth == (outcome, plies));
    assert_eq!(first.map(|m| m.mv), Some(key));
    assert_eq!(row.solution.split(' ').next(), Some(row.key.as_str()));
    follow(game, naive, row, state);
    // What the row says in words.
    assert_eq!((row.game.as_str(), row.forbidden.as_deref()), (SPEC, None));
    let goal = match plies {
        None => "Black to move and draw".to_owned(),
        Some(plies) if outcome == Outcome::Loss => format!("Black to move and lose in {plies}"),
        Some(plies) => format!("Black to move and win in {plies}"),
    };
    assert_eq!((row.side.as_str(), &row.stipulation), ("Black", &goal));
    // What the shipped filters promise.
    let of_outcome = |m: &&Tried| m.worth.0 == outcome;
    match row.filter.as_str() {
        "forced-sacrifice" => {
            assert!(outcome == Outcome::Win && plies > Some(1));
            assert!(moves.iter().filter(of_outcome).all(|m| m.sacrifice));
        }
        "poisoned-capture" => {
            assert!(outcome == Outcome::Draw && moves.iter().any(|m| m.capture));
            let mut captures = moves.iter().filter(|m| m.capture);
            assert!(captures.all(|m| m.worth.0 == Outcome::Loss));
        }
        "only-move-draw" => assert!(outcome == Outcome::Draw && outcomes == 1),
        "longest-wins" => assert!(outcome == Outcome::Win && plies > Some(21)),
        "unique-shortest-win" => {
            assert!(outcome == Outcome::Win && best == 1);
            assert!((Some(7)..=Some(21)).contains(&plies));
        }
        "forced-hole-move" => {
            let winning = moves.iter().filter(of_outcome);
            assert!(outcome == Outcome::Win && plies > Some(1));
            assert!(winning.clone().all(|m| m.mv.from == state.hole()));
        }
        "underdog" => {
            let fewer = state.own().count_ones() < state.opponent().count_ones();
            assert!(outcome == Outcome::Win && wins == 1 && fewer);
        }
        "capture-refused" => {
            let won = moves.iter().find(of_outcome).unwrap();
            assert!(outcome == Outcome::Win && wins == 1 && !won.capture && !won.sacrifice);
            assert!(moves.iter().any(|m| m.capture) && won.mv.from != state.hole());
        }
        "ban-win" => {
            let Next::State(next) = game.play(&state, key) else {
                panic!("the key ends the game");
            };
            let free = worth(game, naive, &next.unrestricted()).0;
            assert!(outcome == Outcome::Win && wins == 1 && free != Outcome::Loss);
        }
        "mutual-zugzwang" => {
            let Some(Next::State(passed)) = game.passed(&state) else {
                panic!("a side of Ostle can pass");
            };
            let other = worth(game, naive, &passed).0;
            assert_eq!((outcome, other), (Outcome::Loss, Outcome::Loss));
        }
        "easy" => assert!((Some(3)..=Some(5)).contains(&plies) && wins == 1 && moves.len() >= 4),
        "medium" => assert!((Some(7)..=Some(11)).contains(&plies) && wins == 1 && moves.len() >= 6),
        "hard" => {
            let failing = moves
                .iter()
                .filter(|m| m.capture && m.worth.0 != Outcome::Win);
            assert!(plies >= Some(15) && wins == 1 && failing.count() >= 2);
        }
        other => panic!("filter {other} is not checked"),
    }
}

#[test]
fn every_puzzle_of_the_default_run_is_true() {
    let folder = tempfile::tempdir().unwrap();
    ok(&["mine", "--draw", "0", "--output", "finds"], folder.path());
    let game = game(SPEC);
    let naive = naive(&game);
    let (mut filters, mut rows) = (0, 0);
    let mut fingerprints = BTreeSet::new();
    for entry in std::fs::read_dir(folder.path().join("finds")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let file = std::fs::File::open(path.join("puzzles.csv")).unwrap();
        let found = read_csv(file).unwrap();
        assert!(!found.is_empty(), "{name} finds nothing");
        let ids: BTreeSet<_> = found.iter().map(|row| &row.puzzle_id).collect();
        assert_eq!(ids.len(), found.len(), "{name} has a puzzle twice");
        for row in &found {
            assert_eq!(row.filter, name);
            confirm(&game, &naive, row);
            fingerprints.insert(row.table_fingerprint.clone());
        }
        filters += 1;
        rows += found.len();
    }
    assert_eq!((filters, fingerprints.len()), (13, 1));
    println!("{rows} rows of {filters} filters, {} states", naive.len());
}

/// The numbers of an audit by programs written from the pages alone.
#[test]
fn filters_find_what_an_audit_counted() {
    let folder = tempfile::tempdir().unwrap();
    let unique_win = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/output/ostle/variants/unique-win.toml"
    );
    for (game, filter, count) in [
        (SPEC, "unique-shortest-win", "49,190"),
        (SPEC, "only-move-draw", "14,436"),
        (
            "ostle:4x4,pieces=4,losses=2,hole=fixed",
            "forced-sacrifice",
            "29",
        ),
        (
            "ostle:4x4,pieces=4,losses=2,hole=fixed",
            unique_win,
            "49,919",
        ),
        (
            "ostle:4x4,pieces=3,losses=2,hole=fixed",
            "forced-sacrifice",
            "0",
        ),
    ] {
        let args = ["mine", game, "--filter", filter, "--limit", "1"];
        let said = ok(
            &[&args[..], &["--draw", "0", "--force", "-o", "finds"]].concat(),
            folder.path(),
        );
        let found = said.lines().any(|line| {
            let mut words = line.split_whitespace().skip(1);
            words.next() == Some(count)
        });
        assert!(found, "{game} {filter}: {said}");
    }
}
