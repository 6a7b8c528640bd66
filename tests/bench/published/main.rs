//! This crate's solver against the published method, in CPU time of one process on
//! one machine: H. Takizawa, Strongly solved Ostle (2023), doi
//! 10.7717/peerj-cs.1560, Algorithms 4 to 8. Run with
//! `cargo bench --bench published`; add `-- small` for the small board alone.
//!
//! A small board is solved completely by both, and every value compared. Of the
//! game with four pieces a side the published method's list is made completely, its
//! marks and two sweeps for a sample of positions; the rest is an estimate and says
//! so. `TESUJI_PUBLISHED_FULL=1` runs all of it: hours of CPU time.

mod compare;
mod measure;
mod method;
mod phases;
mod rules;

use std::env;
use std::ops::Range;
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use compare::compare;
use measure::{Cost, available, measured, print_head, print_row};
use method::{Analysis, List, Marks, STATES, everywhere};
use phases::Phases;
use rayon::prelude::*;
use rules::{Position, Rules, game};
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Narrow, Outcome, Record, Value};
use tesuji::game::{Game, Ranked, Retrograde};
use tesuji::games::ostle::Ostle;
use tesuji::solve::Solver;

/// Positions up to symmetry with four pieces a side, and those in which the side to
/// move wins at once, as the paper's program counts them.
const FOUR_PIECES: (usize, usize) = (160_900_185, 84_616_783);
/// Of so many positions, one has its moves marked for the estimate.
const MARK_SAMPLE: usize = 64;
/// Of so many positions, one is looked at in a sweep for the estimate.
const SWEEP_SAMPLE: usize = 32;
/// Positions that a sample takes side by side, as a whole sweep would.
const STRETCH: usize = 4096;
/// The solver takes a hundredth of a second on the small board, so it repeats.
const REPEATS: u32 = 20;

fn main() {
    let asked = |word: &str| env::args().any(|argument| argument == word);
    if !available() {
        println!("published: CPU time is read from /proc/self/stat, which only Linux has; skipped");
        return;
    }
    // Without `--bench` this is a test run, which should be over at once.
    if !asked("--bench") {
        return small(3, 3, 2);
    }
    small(4, 4, 3);
    if !asked("small") {
        four_pieces(env::var("TESUJI_PUBLISHED_FULL").is_ok_and(|value| value == "1"));
    }
}

/// Both methods on a small board, to the end.
fn small(side: u8, height: u8, pieces: u8) {
    let solve = || {
        let game = game(side, height, pieces, 2);
        let mut solver = Solver::<_, Narrow>::new(&game);
        let mut records: Vec<Record> = Vec::new();
        while let Some(solved) = solver.solve_next(&NoProgress).expect("a small game") {
            records.extend(solved.records(solved.slots()));
        }
        (game, records)
    };
    let ((), ours) = measured(|| (0..REPEATS).for_each(|_| drop(solve())));
    let ours = ours.times(1.0 / f64::from(REPEATS));
    let (game, records) = solve();
    let rules = Rules::of(&game, side, height);
    let (list, listing) = measured(|| List::new(&rules));
    let (marks, marking) = measured(|| marks(&list));
    let mut analysis = Analysis::new(list, marks);
    let (_, first) = measured(|| analysis.sweep());
    let (sweeps, others) = measured(|| analysis.solve());
    let (_, last) = measured(|| analysis.sweep());
    compare(&game, &records, &analysis);
    println!(
        "\n{}: {} positions, {} checkmate, {} states, all values equal",
        game.spec(),
        analysis.list.keys.len(),
        analysis.list.checkmates(),
        analysis.values.len(),
    );
    let longest = analysis.values.iter().map(|value| value.unsigned_abs());
    let longest = longest.max().unwrap_or(0).saturating_sub(1);
    println!(
        "longest distance {longest} plies to checkmate; {} sweeps, of which half the distance and one explain {}",
        sweeps + 1,
        expected_sweeps(longest),
    );
    let published = listing.plus(marking).plus(first).plus(others);
    print_head("Measured, to the end:");
    print_row(
        "retrograde analysis of this crate (mean of 20)",
        ours,
        Some(ours),
    );
    print_row("published: list (Algorithms 4, 5)", listing, None);
    print_row("published: marks (Algorithm 6)", marking, None);
    print_row("published: first sweep (Algorithms 7, 8)", first, None);
    print_row(
        &format!("published: the other {sweeps} sweeps"),
        others,
        None,
    );
    print_row(
        "published: one sweep more, nothing changes (not counted)",
        last,
        None,
    );
    print_row("published: all of it", published, Some(ours));
}

/// Number of sweeps for distances to so many plies to checkmate: a sweep decides a
/// loss and a win level, and the last one finds nothing to change.
const fn expected_sweeps(longest: u16) -> u16 {
    longest.div_ceil(2) + 1
}

/// Algorithm 6 for all positions.
fn marks(list: &List) -> Marks {
    let bits = Marks::blank(list);
    everywhere(list, |places| Marks::mark(list, &bits, places));
    Marks::new(bits)
}

/// What our solver finds of the game with four pieces a side.
struct Solution {
    /// Best value of every slot, as narrow code.
    best: Vec<u8>,
    /// The longest distance of any state that can arise, in plies to checkmate.
    longest: u16,
}

/// The game with four pieces a side, lost with the first piece: the one layer of the
/// published game that depends on no other.
fn four_pieces(full: bool) {
    let game = game(5, 5, 4, 1);
    println!("\n{}: solving with this crate ...", game.spec());
    let solve = |mut solver: Solver<'_, Ostle, Narrow>, phases: &Phases| {
        solver
            .solve_next(phases)
            .expect("fits the memory")
            .expect("one group")
    };
    let phases = Phases::default();
    let (_, by_edges) = measured(|| solve(Solver::new(&game).by_edges(), &phases));
    phases.print("By edges:", game.slots());
    let phases = Phases::default();
    let (solved, ours) = measured(|| solve(Solver::new(&game), &phases));
    phases.print("By rows:", game.slots());
    let code = |value: Value| {
        value
            .resized::<Narrow>()
            .and_then(|narrow| narrow.code().try_into().ok())
    };
    let record = |slot| solved.records(slot..slot + 1)[0];
    let best = |slot| code(record(slot).best()).expect("narrow values have 8 bits");
    let solution = Solution {
        best: (0..game.slots()).into_par_iter().map(best).collect(),
        longest: longest(&game, record),
    };
    drop(solved);
    let rules = Rules::of(&game, 5, 5);
    println!("the published method's list ...");
    let (list, listing) = measured(|| List::new(&rules));
    let counts = (list.keys.len(), list.checkmates());
    assert_eq!(counts, FOUR_PIECES, "positions and checkmate positions");
    println!(
        "{} positions, {} checkmate, longest distance {} plies to checkmate",
        counts.0, counts.1, solution.longest
    );
    if full {
        return in_full(list, [ours, by_edges], listing);
    }
    let (analysis, marking) = sampled_marks(list);
    let (analysis, first, last) = sampled_sweeps(&game, analysis, &solution);
    let sweeps = expected_sweeps(solution.longest);
    let mean = first.plus(last).times(0.5);
    let total = listing.plus(marking).plus(mean.times(f64::from(sweeps)));
    println!(
        "{} states marked for the sweeps (only moves that can be taken back as made)",
        analysis.values.len()
    );
    print_head("Measured:");
    print_row("retrograde analysis of this crate", ours, Some(ours));
    print_row("the same by edges", by_edges, Some(ours));
    print_row("published: list (Algorithms 4, 5)", listing, None);
    print_head("Estimated:");
    let name = format!("published: marks (Algorithm 6), a sample x {MARK_SAMPLE}");
    print_row(&name, marking, None);
    let name =
        |which| format!("published: {which} sweep (Algorithms 7, 8), a sample x {SWEEP_SAMPLE}");
    print_row(&name("first"), first, None);
    print_row(&name("last"), last, None);
    let name = format!("published: list + marks + {sweeps} sweeps");
    print_row(&name, total, Some(ours));
}

/// All of the published method, measured.
fn in_full(list: List, [ours, by_edges]: [Cost; 2], listing: Cost) {
    let (marks, marking) = measured(|| marks(&list));
    println!("{} states", marks.states());
    let mut analysis = Analysis::new(list, marks);
    let mut sweeping = Cost::default();
    let mut sweeps = 0;
    loop {
        let (changed, cost) = measured(|| analysis.sweep());
        sweeps += 1;
        sweeping = sweeping.plus(cost);
        println!(
            "sweep {sweeps}: {changed} states changed, {:.1} s CPU",
            cost.cpu
        );
        if changed == 0 {
            break;
        }
    }
    print_head("Measured, to the end:");
    print_row("retrograde analysis of this crate", ours, Some(ours));
    print_row("the same by edges", by_edges, Some(ours));
    print_row("published: list (Algorithms 4, 5)", listing, None);
    print_row("published: marks (Algorithm 6)", marking, None);
    print_row(
        &format!("published: {sweeps} sweeps (Algorithms 7, 8)"),
        sweeping,
        None,
    );
    let total = listing.plus(marking).plus(sweeping);
    print_row("published: all of it", total, Some(ours));
}

/// Every `one_in`-th stretch of a list.
fn sample(list: &List, one_in: usize) -> Vec<Range<usize>> {
    let len = list.keys.len();
    let firsts = (0..len).step_by(STRETCH).skip(one_in / 2).step_by(one_in);
    firsts
        .map(|first| first..len.min(first + STRETCH))
        .collect()
}

/// What a cost for a sample comes to for all of a list.
fn scaled(cost: Cost, list: &List, sample: &[Range<usize>]) -> Cost {
    let looked: usize = sample.iter().map(ExactSizeIterator::len).sum();
    cost.times(list.keys.len() as f64 / looked as f64)
}

/// Measures Algorithm 6 on a sample, then marks quickly what sweeps need.
fn sampled_marks(list: List) -> (Analysis, Cost) {
    println!("marks ...");
    let sample = sample(&list, MARK_SAMPLE);
    let bits = Marks::blank(&list);
    let ((), cost) = measured(|| {
        let stretches = sample.par_iter().cloned();
        stretches.for_each(|places| Marks::mark(&list, &bits, places));
    });
    let cost = scaled(cost, &list, &sample);
    drop(bits);
    let bits = Marks::blank(&list);
    everywhere(&list, |places| Marks::mark_nearly(&list, &bits, places));
    (Analysis::new(list, Marks::new(bits)), cost)
}

/// Measures, on a sample, the first sweep and one over the final values.
fn sampled_sweeps<'r>(
    game: &Ostle,
    mut analysis: Analysis<'r>,
    solution: &Solution,
) -> (Analysis<'r>, Cost, Cost) {
    println!("sweeps ...");
    let sample = sample(&analysis.list, SWEEP_SAMPLE);
    let sweep = |analysis: &Analysis| {
        let ((), cost) = measured(|| {
            sample.par_iter().cloned().for_each(|places| {
                let mut values = Vec::with_capacity(STRETCH * 5);
                places.for_each(|place| analysis.look(place, |value| values.push(value)));
                std::hint::black_box(values);
            });
        });
        scaled(cost, &analysis.list, &sample)
    };
    // Zeros that were never written would share one page of memory.
    analysis.values.fill(i16::from(std::hint::black_box(0i8)));
    let first = sweep(&analysis);
    fill(game, &mut analysis, solution);
    let last = sweep(&analysis);
    (analysis, first, last)
}

/// Gives all states of a position its best value. (Those in which the only best
/// move is forbidden get a wrong one, which costs a sweep no more and no less.)
fn fill(game: &Ostle, analysis: &mut Analysis, solution: &Solution) {
    let old = std::mem::take(&mut analysis.values);
    let values: Vec<AtomicI16> = old.into_iter().map(AtomicI16::new).collect();
    solution
        .best
        .par_iter()
        .enumerate()
        .for_each(|(slot, &code)| {
            let value = Value::<Narrow>::from_code(code.into());
            let Some(plies) = value.plies().filter(|&plies| plies > 1) else {
                return;
            };
            let Some(state) = game.unrank(slot as u64) else {
                return;
            };
            let squares = |set| u32::try_from(set).expect("at most 25 squares");
            let at = Position {
                own: squares(state.own()),
                opp: squares(state.opponent()),
                hole: state.hole(),
            };
            let place = analysis.list.find(analysis.list.rules.canonical(at));
            let first = analysis.marks.rank(place * STATES);
            let states = analysis.marks.of(place).count_ones() as usize;
            let plies = plies.cast_signed();
            let signed = if value.outcome() == Outcome::Win {
                plies
            } else {
                -plies
            };
            for state in &values[first..first + states] {
                state.store(signed, Relaxed);
            }
        });
    analysis.values = values.into_iter().map(AtomicI16::into_inner).collect();
}

/// The longest distance, in plies to checkmate, of a state that can arise.
fn longest(game: &Ostle, record: impl Fn(u64) -> Record + Sync) -> u16 {
    let longest = AtomicU16::new(0);
    let distance = |value: Value| value.plies_to_checkmate().unwrap_or(0);
    (0..game.slots()).into_par_iter().for_each(|slot| {
        let record = record(slot);
        let most = distance(record.best()).max(distance(record.second()));
        if most <= longest.load(Relaxed) || record.best() == Value::CHECKMATE {
            return;
        }
        if let Some(cursor) = game.cursor(slot) {
            game.arrivals(cursor, |forbidden| {
                longest.fetch_max(distance(record.without(forbidden)), Relaxed);
            });
        }
    });
    longest.into_inner()
}
