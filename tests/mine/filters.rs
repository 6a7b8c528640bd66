//! The shipped filters keep their promises: each admits and refuses its examples.

use std::collections::HashMap;
use std::path::Path;

use tesuji::games::placement::Placement;
use tesuji::games::tictactoe::TicTacToe;
use tesuji::mine::{Catalogue, Filter, Minable, Predicate, admits};

use crate::common;

/// Checks all filters of a family; gives their number.
fn keep_promises<G: Minable>(family: &str, game: impl Fn(&str) -> G) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("filters")
        .join(family);
    let mut solved = HashMap::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let filter = Filter::load(&path).unwrap();
        assert_eq!(path.file_stem().unwrap(), filter.name());
        assert!(filter.admit().len() >= 2, "{}", filter.name());
        assert!(filter.refuse().len() >= 2, "{}", filter.name());
        let admitted = filter.admit().iter().map(|example| (example, true));
        let refused = filter.refuse().iter().map(|example| (example, false));
        for (example, expected) in admitted.chain(refused) {
            let (game, table) = solved.entry(example.game.clone()).or_insert_with(|| {
                let game = game(&example.game);
                let table = common::table(&game);
                (game, table)
            });
            let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
            let state = game.parse_state(&example.position).unwrap();
            let found = admits(game, table, &predicate, &state).unwrap();
            let (name, text) = (filter.name(), &example.position);
            assert_eq!(found, expected, "{name}: {text}");
            assert!(!example.why.is_empty(), "{name}: {text}");
        }
        count += 1;
    }
    count
}

#[test]
fn shipped_filters_admit_and_refuse_their_examples() {
    assert_eq!(keep_promises("ostle", common::game), 10);
    let placement = |spec: &str| Placement::from_spec(spec).unwrap();
    assert_eq!(keep_promises("kings", placement), 5);
    assert_eq!(keep_promises("tictactoe", |_| TicTacToe::default()), 2);
}
