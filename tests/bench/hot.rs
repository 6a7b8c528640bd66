//! Hot paths: numbering, un-moves, the plain rules beside them, and a whole solve.
//! Run with `cargo bench`.

use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use divan::{Bencher, counter::ItemsCount};
use tesuji::base::progress::NoProgress;
use tesuji::base::value::Narrow;
use tesuji::game::{Game, Moves, Ranked, Repetition, Retrograde};
use tesuji::games::ostle::Ostle;
use tesuji::solve::Solver;
use tesuji::table::{Encoding, Table, TableError, TableWriter, ValueWidth, verify};

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
            .map(|state| game.rank(&state))
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
            game.unmoves(cursor, |before| {
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

fn solve(pieces: u8, by_edges: bool) -> u64 {
    let game = Ostle::new(4, 4, pieces, 2, Repetition::Exact).expect("in range");
    let mut solver = Solver::<_, Narrow>::new(&game);
    if by_edges {
        solver = solver.by_edges();
    }
    let mut slots = 0;
    while let Ok(Some(solved)) = solver.solve_next(&NoProgress) {
        slots = solved.slots().end;
    }
    slots
}

#[divan::bench(args = [3, 4], sample_count = 3)]
fn solve_4x4_by_rows(pieces: u8) -> u64 {
    solve(pieces, false)
}

#[divan::bench(args = [3, 4], sample_count = 3)]
fn solve_4x4_by_edges(pieces: u8) -> u64 {
    solve(pieces, true)
}

/// A table of 4x4 boards with four pieces.
fn table(width: ValueWidth) -> (Ostle, Table) {
    let game = Ostle::new(4, 4, 4, 2, Repetition::Exact).expect("in range");
    let (sink, path) = (Cursor::new(Vec::new()), Path::new("memory.tsj"));
    let mut writer = TableWriter::new(sink, path, &game, width, Encoding::Raw, 0).expect("memory");
    let mut solver = Solver::<_, Narrow>::new(&game);
    while let Some(solved) = solver.solve_next(&NoProgress).expect("a small game") {
        let records = |slots| Ok::<_, TableError>(solved.records(slots));
        let written = writer.append(solved.slots().end, records, |_| ());
        written.expect("memory");
    }
    let (sink, ..) = writer.finish().expect("memory");
    let table = Table::from_bytes(sink.into_inner(), path).expect("a table");
    (game, table)
}

#[divan::bench(sample_count = 3)]
fn verify_by_rows(bencher: Bencher) {
    let (game, table) = table(ValueWidth::NARROW);
    bencher.bench(|| verify(&table, &game, &NoProgress));
}

#[divan::bench(sample_count = 3)]
fn verify_by_edges(bencher: Bencher) {
    let (game, table) = table(ValueWidth::WIDE);
    bencher.bench(|| verify(&table, &game, &NoProgress));
}

/// The floor of the method: every value told changes one word somewhere in
/// gigabytes. So many threads update words of 4 GiB at random, each word asked for
/// 128 updates ahead.
#[divan::bench(args = [1, 2], sample_count = 3, sample_size = 1)]
#[expect(clippy::cast_ptr_alignment, reason = "maps begin on a page")]
fn random_updates(bencher: Bencher, threads: u64) {
    const WORDS: usize = 1 << 30;
    const UPDATES: u64 = 20_000_000;
    const AHEAD: usize = 128;
    let map = memmap2::MmapMut::map_anon(4 * WORDS).expect("4 GiB of memory");
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    // SAFETY: the map is page-aligned, zeroed, and used in no other way.
    let words = unsafe { std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU32>(), WORDS) };
    for word in words.iter().step_by(1024) {
        word.store(1, Relaxed);
    }
    let work = |seed: u64| {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut ring = [0usize; AHEAD];
        for number in 0..UPDATES {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let place = usize::try_from(random >> 34).unwrap_or(0);
            #[cfg(target_arch = "x86_64")]
            // SAFETY: prefetching has no effect but on caches; the address is valid.
            unsafe {
                use core::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
                _mm_prefetch::<_MM_HINT_ET0>(std::ptr::from_ref(&words[place]).cast());
            }
            let turn = usize::try_from(number).unwrap_or(0) % AHEAD;
            words[std::mem::replace(&mut ring[turn], place)].fetch_add(1, Relaxed);
        }
    };
    bencher
        .counter(ItemsCount::new(threads * UPDATES))
        .bench(|| {
            std::thread::scope(|scope| {
                for thread in 0..threads {
                    scope.spawn(move || work(thread + 1));
                }
            });
        });
}
