//! The smallest game solved by two threads and read back: all code that is unsafe but the
//! maps of files, for Miri.

use rayon::ThreadPoolBuilder;

use tesuji::base::progress::NoProgress;
use tesuji::game::{Oracle, Ranked, Symmetric};
use tesuji::games::ostle::Ostle;
use tesuji::table::{TableOracle, solve_in_memory};

#[path = "../../common/naive.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod naive;

#[test]
fn the_smallest_game_is_solved_and_read_back() {
    let game = Ostle::from_settings("ostle:3x3,pieces=1,losses=1", None).expect("a game");
    let threads = ThreadPoolBuilder::new().num_threads(2).build();
    let threads = threads.expect("two threads");
    // Nothing is packed: that is the work of a library in C, which Miri cannot follow.
    let table = threads.install(|| solve_in_memory(&game, &NoProgress));
    let table = table.expect("a small game");
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
