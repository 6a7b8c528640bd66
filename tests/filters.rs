//! The shipped filters keep their promises: each admits and refuses its examples.

mod common;

use std::collections::HashMap;
use std::path::Path;

use tesuji::game::Game;
use tesuji::mine::{Catalogue, Filter, Predicate, admits};

#[test]
fn shipped_filters_admit_and_refuse_their_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("filters/ostle");
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
                let game = common::game(&example.game);
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
    assert_eq!(count, 10);
}
