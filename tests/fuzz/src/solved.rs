//! The smallest game solved by two threads and read back: all code that is unsafe but the
//! maps of files, for Miri.

use std::io::Cursor;
use std::path::Path;

use rayon::ThreadPoolBuilder;

use tesuji::game::{Oracle, Ranked, Symmetric};
use tesuji::games::ostle::Ostle;
use tesuji::base::watch::Unwatched;
use tesuji::solve::{Solver, naive};
use tesuji::table::{Encoding, Table, TableOracle, TableWriter, ValueWidth};
use tesuji::base::value::Narrow;

#[test]
fn the_smallest_game_is_solved_and_read_back() {
    let game = Ostle::from_settings("ostle:3x3,pieces=1,losses=1", None).expect("a game");
    let name = Path::new("smallest");
    let sink = Cursor::new(Vec::new());
    // Packing is the work of a library in C, which Miri cannot follow.
    let (width, raw) = (ValueWidth::NARROW, Encoding::Raw);
    let mut writer = TableWriter::new(sink, name, &game, width, raw, 0).expect("memory");
    let threads = ThreadPoolBuilder::new().num_threads(2).build();
    threads.expect("two threads").install(|| {
        let mut solver = Solver::<_, Narrow>::new(&game);
        while let Some(solved) = solver.solve_next(&Unwatched).expect("a small game") {
            let record = |slot| solved.record(slot);
            writer
                .append(solved.slots().end, record, |_| ())
                .expect("memory");
        }
    });
    let bytes = writer.finish().expect("memory").0.into_inner();
    let table = Table::from_bytes(bytes, name).expect("a sound table");
    let oracle = TableOracle::new(&table, &game).expect("its table");
    let states = || (0..game.slots()).filter_map(|slot| game.unrank(slot));
    let slow = naive::solve(&game, states(), |state| game.canonical(state));
    let mut compared = 0;
    for state in states() {
        let value = oracle.value(&game, &state).expect("a sound block");
        assert_eq!(
            Some(value),
            slow.value(&game.canonical(&state)),
            "{state:?}"
        );
        compared += 1;
    }
    assert!(compared > 50);
}
