//! The shipped filters keep their promises: each admits and refuses its examples.

use std::collections::BTreeMap;
use std::fs;
use std::iter;
use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::game::{HiddenGame, NimberGame, OnePlayerGame, TableGame};
use tesuji::games::registry::{self, Visitor};
use tesuji::mine::{Catalogue, Condition, Filter, Predicate, Scope, hidden};
use tesuji::solve::belief::{Limits, Mode, solve};
use tesuji::table::solve_in_memory;

use crate::common::program::ok;
use crate::common::scan;

/// A filter with a position, and whether it is to admit it.
type Promise = (Filter, String, bool);

/// What filters promise about one game.
struct Promises(Vec<Promise>);

impl Promises {
    /// Holds each promise against what `admits` says.
    fn keep(&self, admits: impl Fn(&Filter, &str) -> bool) {
        for (filter, position, expected) in &self.0 {
            let found = admits(filter, position);
            assert_eq!(found, *expected, "{}: {position}", filter.name);
        }
    }
}

impl Visitor for Promises {
    type Output = ();

    fn table_game<G: TableGame>(self, game: G) {
        let table = solve_in_memory(&game, &NoProgress).unwrap();
        let catalogue = Catalogue::new(&game);
        self.keep(|filter, position| {
            let predicate = Predicate::new(filter, &catalogue).unwrap();
            // No example has a forbidden move.
            let slot = game.rank(&game.parse_state(position).unwrap());
            let scope = Scope {
                slots: Some(iter::once(slot..slot + 1).collect()),
                ..Scope::all()
            };
            let scans = scan(&game, &table, &[(&predicate, None)], &scope, &NoProgress);
            scans.unwrap()[0].matched > 0
        });
    }

    fn nimber_game<G: NimberGame>(self, game: G) {
        self.table_game(game);
    }

    fn one_player_game<G: OnePlayerGame>(self, game: G) {
        panic!("{} is not mined", game.spec());
    }

    fn hidden_game<G: HiddenGame>(self, game: G) {
        let catalogue = Catalogue::hidden(&game);
        self.keep(|filter, position| {
            let condition = Condition::new(&filter.predicate, &catalogue).unwrap();
            let state = game.parse_state(position).unwrap();
            let limits = Limits::new(11, 2);
            let solved = solve(&game, &state, &limits, Mode::Fast, &NoProgress).unwrap();
            solved.is_some_and(|solved| {
                let values = hidden::values(&game, &state, &solved);
                condition.test(1, |column| vec![values[column]]) == [true]
            })
        });
    }
}

/// Holds what filters promise by their examples.
fn keep(filters: impl IntoIterator<Item = Filter>) {
    let mut promises: BTreeMap<String, Vec<Promise>> = BTreeMap::new();
    for filter in filters {
        let name = &filter.name;
        assert!(
            filter.admit.len() >= 2 && filter.refuse.len() >= 2,
            "{name}"
        );
        let admitted = filter.admit.iter().map(|example| (example, true));
        let refused = filter.refuse.iter().map(|example| (example, false));
        for (example, expected) in admitted.chain(refused) {
            assert!(!example.why.is_empty(), "{name}: {}", example.position);
            let of_game = promises.entry(example.game.clone()).or_default();
            of_game.push((filter.clone(), example.position.clone(), expected));
        }
    }
    for (spec, promises) in promises {
        let game = registry::parse(&spec, None, |path| fs::read_to_string(path)).unwrap();
        game.visit(Promises(promises));
    }
}

#[test]
fn the_filter_of_the_page_with_a_pattern_admits_and_refuses_its_examples() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("filters/README.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, filter) = page.split_once("```toml facing.toml\n").unwrap();
    let (filter, _) = filter.split_once("```").unwrap();
    keep([Filter::parse(filter, "facing.toml").unwrap()]);
}

#[test]
fn shipped_filters_admit_and_refuse_their_examples() {
    let mut filters = Vec::new();
    for family in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("filters")).unwrap() {
        let family = family.unwrap().path();
        if !family.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&family).unwrap() {
            let path = entry.unwrap().path();
            let filter = Filter::load(&path).unwrap();
            assert_eq!(path.file_stem().unwrap(), &filter.name[..]);
            filters.push(filter);
        }
    }
    assert!(filters.len() > 30, "{}", filters.len());
    keep(filters);
}

#[test]
fn one_column_of_an_order_needs_no_brackets() {
    let text = |order: &str| format!("name = 'f'\npredicate = 'plies = 3'\norder = {order}\n");
    let [one, list] =
        ["'-score'", "['-score']"].map(|order| Filter::parse(&text(order), "f.toml").unwrap());
    assert_eq!(one, list);
    let told = Filter::parse(&text("3"), "f.toml").unwrap_err().to_string();
    assert!(told.contains("expected a sequence"), "{told}");
}

/// A lesson of chess goes from easy to hard, though most moves of these endings win.
#[test]
fn endings_have_easy_medium_and_hard_puzzles() {
    let here = tempfile::tempdir().unwrap();
    for game in ["chess:KR-K", "chess:KP-K", "chess:KQ-K"] {
        for name in ["easy", "medium", "hard"] {
            let args = [
                "mine", game, "--filter", name, "--limit", "3", "--draw", "0",
            ];
            let out = ["-o", game.strip_prefix("chess:").unwrap()];
            let told = ok(&[&args[..], &out].concat(), here.path());
            assert!(!told.contains("no state satisfies"), "{game}: {told}");
        }
    }
}
