//! Hot paths: numbering, un-moves, the plain rules beside them, and a whole solve.
//! Run with `cargo bench`.

use divan::{Bencher, counter::ItemsCount};
use tesuji::game::{Game, Moves, Ranked, Repetition, Retrograde};
use tesuji::games::ostle::Ostle;
use tesuji::solve::{Solver, Unwatched};
use tesuji::value::Wide;

fn main() {
    divan::main();
}

/// Slots spread evenly over the published game.
fn slots(game: &Ostle) -> Vec<u64> {
    let step = game.slots() / 4096;
    (0..4096).map(|n| n * step + n % 97).collect()
}

#[divan::bench]
fn unrank_and_rank(bencher: Bencher) {
    let game = Ostle::published(Repetition::Exact);
    let slots = slots(&game);
    bencher.counter(ItemsCount::new(slots.len())).bench(|| {
        slots
            .iter()
            .filter_map(|&slot| game.unrank(slot))
            .map(|state| game.rank(&state).index)
            .fold(0, u64::wrapping_add)
    });
}

/// The items are un-moves: edges of the game graph.
#[divan::bench]
fn unmoves(bencher: Bencher) {
    let game = Ostle::published(Repetition::Exact);
    let slots = slots(&game);
    let all = || {
        let mut edges = 0u64;
        let mut sum = 0u64;
        for cursor in slots.iter().filter_map(|&slot| game.cursor(slot)) {
            game.unmoves(cursor, |before, _| {
                edges += 1;
                sum = sum.wrapping_add(game.place(before).slot);
            });
        }
        (edges, sum)
    };
    let edges = all().0;
    assert!(
        edges > 20_000,
        "the mean position has more than a dozen un-moves"
    );
    bencher.counter(ItemsCount::new(edges)).bench(all);
}

#[divan::bench]
fn plain_moves(bencher: Bencher) {
    let game = Ostle::published(Repetition::Exact);
    let initial = game.initial();
    bencher.bench(|| {
        for mv in game.moves(&initial) {
            divan::black_box(game.play(&initial, mv));
        }
    });
}

#[divan::bench(sample_count = 3)]
fn solve_4x4_with_three_pieces() -> u64 {
    let game = Ostle::new(4, 4, 3, 2, Repetition::Exact).expect("in range");
    let mut solver = Solver::<_, Wide>::new(&game);
    let mut slots = 0;
    while let Ok(Some(solved)) = solver.solve_next(&Unwatched) {
        slots = solved.slots().end;
    }
    slots
}
