//! Positions that games reach, against games played out move by move.

use std::collections::BTreeSet;
use std::sync::Arc;

use tesuji::base::progress::NoProgress;
use tesuji::game::{Moves, Next, Symmetric, TableGame};
use tesuji::games::pieces::Pieces;
use tesuji::mine::{Catalogue, Filter, Predicate, Reachable, Scope};
use tesuji::session::{MiningOptions, ReachOptions, Session, SessionError};

use crate::common::{self, scan};

/// The positions, up to symmetry, that are reached by playing every move.
fn played<G: Moves + Symmetric>(game: &G) -> BTreeSet<String> {
    let mut left = vec![game.canonical(&game.initial())];
    let mut found = BTreeSet::from([game.format_state(&left[0])]);
    while let Some(state) = left.pop() {
        for mv in game.moves(&state) {
            let Next::State(next) = game.play(&state, mv) else {
                continue;
            };
            let next = game.canonical(&next);
            if found.insert(game.format_state(&next)) {
                left.push(next);
            }
        }
    }
    found
}

/// The positions that a scan of what is reachable finds, and how many a scan of everything
/// finds.
fn scanned<G: TableGame>(game: &G) -> (BTreeSet<String>, u64) {
    let table = common::table(game);
    let filter = Filter::of_condition("all", "outcome IS NOT NULL").unwrap();
    let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
    let of = |scope: &Scope| {
        scan(game, &table, &[(&predicate, None)], scope, &NoProgress)
            .unwrap()
            .remove(0)
    };
    let reachable = Arc::new(Reachable::new(game, &NoProgress).unwrap());
    let found = of(&Scope {
        reachable: Some(reachable),
        ..Scope::all()
    });
    let names = found.finds.iter();
    let names: BTreeSet<_> = names
        .map(|find| game.format_state(&game.canonical(&find.state)))
        .collect();
    assert_eq!(names.len() as u64, found.matched);
    (names, of(&Scope::all()).matched)
}

fn compare<G: TableGame>(game: &G, has_others: bool) {
    let (found, all) = scanned(game);
    assert_eq!(found, played(game), "{}", game.spec());
    assert_eq!(found.len() as u64 != all, has_others, "{}", game.spec());
}

#[test]
fn what_games_reach_is_what_playing_every_move_reaches() {
    compare(&Pieces::shipped("dobutsu:pieces=lion+chick").unwrap(), true);
    let captures = "dobutsu:pieces=lion+elephant,drops=no,try=held";
    compare(&Pieces::shipped(captures).unwrap(), true);
    compare(&Pieces::shipped("tapatan").unwrap(), false);
    compare(&Pieces::shipped("tictactoe").unwrap(), false);
}

/// Rooks attack kings from afar, and a side that can capture the king does.
#[test]
fn what_is_counted_as_reached_is_what_playing_every_move_reaches() {
    let rules = "title = 'Rooks'\ncolumns = 3\nrows = 3\nno_move = 'loss'\nstart = ['rk-', '---', '-KR']\n[[piece]]\nletter = 'K'\nmoves = 'F'\nroyal = true\n[[piece]]\nletter = 'R'\nmoves = 'R'\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooks.toml");
    std::fs::write(&path, rules).unwrap();
    let game = Pieces::from_file("rooks.toml", rules).unwrap();
    let played = played(&game).len() as u64;
    let session = tesuji::open(&format!("rules:{}", path.display())).unwrap();
    let searching = session.searching().unwrap();
    let report = searching
        .reach(ReachOptions::default(), &NoProgress)
        .unwrap();
    assert_eq!(report.states, played);
    assert!(report.not_reached > 0 && played > 20, "{report:?}");
}

fn refuses_reachable(session: &dyn Session) {
    let filter = Filter::of_condition("all", "plies > 1").unwrap();
    let options = MiningOptions {
        reachable: true,
        ..MiningOptions::default()
    };
    let refused = session.mining().unwrap().check(&[filter], &options);
    assert!(
        matches!(refused, Err(SessionError::Inapplicable { option, .. }) if option == "reachable")
    );
}

#[test]
fn endings_have_no_initial_position() {
    let session = tesuji::open("chess:KR-K").unwrap();
    refuses_reachable(&*session);
    let searching = session.searching().unwrap();
    let reach = searching.reach(ReachOptions::default(), &NoProgress);
    let path = searching.path("initial", "8/8/8/8/4k3/8/4R3/4K3 w", 9, &NoProgress);
    let game = searching.follow("", &["Ke2".to_owned()], &NoProgress);
    let perft = session.lines().unwrap().perft("initial", 2, &NoProgress);
    for error in [
        reach.unwrap_err(),
        path.unwrap_err(),
        game.unwrap_err(),
        perft.unwrap_err(),
    ] {
        let words = error.to_string();
        assert!(
            words.contains("chess:KR-K has no initial position"),
            "{words}"
        );
    }
}

#[test]
fn a_game_with_a_rule_against_repetition_refuses_it() {
    refuses_reachable(&*tesuji::open("ostle:3x3,pieces=2,losses=2").unwrap());
}
