//! Programs that answer with the next state: what is right, and searches for them.

use std::collections::HashMap;

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::formula::{
    AnswerKind, BitBounds, BitSearch, Entry, Form, Information, MagicBounds, Policy, Program,
    Search, Term, diagram, perfect_hash, run,
};
use tesuji::game::{Digit, Language};
use tesuji::session::Questions;

use super::emitted::has;
use super::searches::magic;

fn asked(spec: &str) -> Questions {
    let session = tesuji::open(spec).unwrap();
    let programming = session.programming().unwrap();
    programming
        .questions(false, AnswerKind::NextState, &NoProgress)
        .unwrap()
}

/// The right answers of a state, of all numbers below a bound.
fn right(policy: &Policy, entry: &Entry, bound: u64) -> Vec<u64> {
    (0..bound)
        .filter(|&answer| policy.is_right(entry, answer))
        .collect()
}

#[test]
fn the_article_s_walk_is_answered() {
    // "F(135) = 1 ... We are now in state 39 ... F(39) = 0 ... The new state is 99 and
    // F(99) = 3 ... the new state is 108 and we are done."
    let policy = asked("sliding:2x2").policy;
    let walk = [135, 39, 99, 108];
    for step in walk.windows(2) {
        let entries = policy.entries.clone();
        let entry = entries.iter().find(|entry| entry.code == step[0]).unwrap();
        assert_eq!(right(&policy, entry, 256), [step[1]]);
    }
    assert_eq!(policy.width(), 8);
    // Opposite the goal there are two ways.
    let entry = policy.entries.iter().find(|entry| entry.code == 57);
    assert_eq!(right(&policy, entry.unwrap(), 256).len(), 2);
}

/// The numbers that a sliding puzzle's number becomes in one move.
fn slid(code: u64, rows: usize, columns: usize) -> Vec<u64> {
    let base = (rows * columns) as u64;
    let mut tiles = vec![0; rows * columns];
    let mut left = code;
    for tile in tiles.iter_mut().rev() {
        (*tile, left) = (left % base, left / base);
    }
    let mut next = Vec::new();
    for a in 0..tiles.len() {
        for b in 0..tiles.len() {
            let across = a / columns == b / columns && a.abs_diff(b) == 1;
            if tiles[a] == 0 && (across || a.abs_diff(b) == columns) {
                let mut after = tiles.clone();
                after.swap(a, b);
                next.push(after.iter().fold(0, |code, tile| code * base + tile));
            }
        }
    }
    next
}

#[test]
fn next_states_of_puzzles_are_those_of_a_search() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        let policy = asked(&format!("sliding:{rows}x{columns}")).policy;
        let base = (rows * columns) as u64;
        let goal = (1..base)
            .chain([0])
            .fold(0, |code, tile| code * base + tile);
        let mut distance = HashMap::from([(goal, 0)]);
        let mut layer = vec![goal];
        while let Some(code) = layer.pop() {
            // Later finds may be nearer: states are taken up again then.
            for next in slid(code, rows, columns) {
                let through = distance[&code] + 1;
                if distance.get(&next).is_none_or(|&known| through < known) {
                    distance.insert(next, through);
                    layer.push(next);
                }
            }
        }
        assert_eq!(distance.len(), policy.entries.len());
        for entry in policy.entries.iter().filter(|entry| !entry.is_free()) {
            for next in slid(entry.code, rows, columns) {
                let nearer = distance[&next] < distance[&entry.code];
                assert_eq!(
                    policy.is_right(entry, next),
                    nearer,
                    "{} {next}",
                    entry.code
                );
            }
            // What is no move's is never right: moves, the state itself, the goal from afar.
            for wrong in [0, 1, 2, 3, entry.code] {
                assert!(!policy.is_right(entry, wrong));
            }
            assert_eq!(policy.is_right(entry, goal), distance[&entry.code] == 1);
        }
    }
}

#[test]
fn next_states_of_tic_tac_toe_add_a_stone_and_turn_the_board_over() {
    let policy = asked("tictactoe").policy;
    let moves = {
        let session = tesuji::open("tictactoe").unwrap();
        let programming = session.programming().unwrap();
        programming
            .questions(false, AnswerKind::Move, &NoProgress)
            .unwrap()
            .policy
    };
    assert_eq!(policy.entries, moves.entries);
    for entry in &policy.entries {
        let (own, other) = (entry.code >> 9, entry.code & 511);
        for square in 0..9_u64 {
            let next = other * 512 + (own | 1 << square);
            let free = (own | other) >> square & 1 == 0;
            let good = free && moves.is_right(entry, square);
            assert_eq!(
                policy.is_right(entry, next),
                good,
                "{} {square}",
                entry.code
            );
        }
    }
}

/// A policy of next states: state, its best next states.
fn leading(states: &[(u64, &[u64])]) -> Policy {
    let entry = |(code, next): &(u64, &[u64])| Entry {
        code: *code,
        best: (1 << next.len()) - 1,
        legal: 0xff,
    };
    let policy = Policy::new(states.iter().map(entry).collect(), 8).unwrap();
    let next: HashMap<u64, &[u64]> = states.iter().copied().collect();
    // Moves that are not best lead where no best move does.
    policy.with_next_states(|code, mv| {
        let known = next[&code].get(usize::from(mv)).copied();
        known.unwrap_or(1000 + u64::from(mv))
    })
}

fn is_right(policy: &Policy, program: &Program) -> bool {
    policy.entries.iter().all(|entry| {
        let answer = program.answer(entry.code).unwrap();
        policy.is_right(entry, answer)
    })
}

/// What is written in each language answers as the program does.
fn runs_as_it_answers(program: &Program, policy: &Policy) {
    let codes: Vec<u64> = policy.entries.iter().map(|entry| entry.code).collect();
    let expected: Vec<u64> = codes
        .iter()
        .map(|&code| program.answer(code).unwrap())
        .collect();
    for language in Language::ALL.into_iter().filter(|&it| has(it)) {
        let source = program.source(language);
        let found = run(&source, language, policy.kind(), &codes).unwrap();
        assert_eq!(found, expected, "{}\n{source}", language.name());
    }
}

#[test]
fn expressions_for_next_states_are_counted_as_triples_in_a_loop() {
    // Two states with two answers each, one of them in bits that depend on each other.
    let states: [(u64, &[u64]); 4] = [(1, &[2, 5]), (2, &[3]), (3, &[6, 7]), (5, &[1])];
    let policy = leading(&states);
    assert_eq!(policy.width(), 3);
    let bounds = BitBounds { a: 7, c: 3, s: 3 };
    let mut terms = Vec::new();
    for s in 0..=3_u32 {
        for a in 1..(1_u64 << (s + 1)).min(8) {
            for c in 0..(1_u64 << (s + 1)).min(4) {
                terms.push(Term { a, c, s });
            }
        }
    }
    let (mut count, mut least) = (0, u32::MAX);
    for &low in &terms {
        for &middle in &terms {
            for &high in &terms {
                let fits = states.iter().all(|(code, next)| {
                    let answer = low.of(*code) + 2 * middle.of(*code) + 4 * high.of(*code);
                    next.contains(&answer)
                });
                if fits {
                    count += 1;
                    let bits = [low, middle, high].map(Term::constant_bits);
                    least = least.min(bits.iter().sum());
                }
            }
        }
    }
    assert!(count > 0);
    let mut search = BitSearch::new(&policy, bounds);
    while !search.is_finished() {
        search.advance(&policy, &NoProgress);
    }
    let solution = search.solution(&policy);
    assert_eq!(solution.programs, count);
    let found = solution.least.unwrap();
    let bits: u32 = found.iter().map(|term| term.constant_bits()).sum();
    assert_eq!(bits, least);
    let program = Program::answering(Form::Bits(found), AnswerKind::NextState);
    assert!(is_right(&policy, &program));
    runs_as_it_answers(&program, &policy);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn tables_of_next_states_are_right_everywhere(
        // Few answers, so that states have some in common without having the same.
        states in prop::collection::btree_map(
            0_u64..300, prop::collection::btree_set(0_u64..40, 1..4), 1..60,
        ),
        scale in prop::sample::select(vec![1_u64, 977, 1 << 33]),
    ) {
        let states: Vec<(u64, Vec<u64>)> = states
            .into_iter()
            .map(|(code, next)| (code, next.into_iter().map(|it| it * scale).collect()))
            .collect();
        let states: Vec<(u64, &[u64])> =
            states.iter().map(|(code, next)| (*code, next.as_slice())).collect();
        let policy = leading(&states);
        prop_assert!(is_right(&policy, &perfect_hash(&policy).unwrap()));
        let bounds = MagicBounds { a: 4095, index_bits: 9 };
        if let Some(program) = magic(&policy, bounds) {
            prop_assert!(is_right(&policy, &program));
        }
        let digits: Vec<Digit> = (0..9).map(|bit| Digit::Bits(vec![bit])).collect();
        prop_assert!(diagram(&policy, &[digits]).is_none());
    }
}

#[test]
fn tables_are_as_small_as_a_plain_loop_finds() {
    let states: [(u64, &[u64]); 5] = [
        (3, &[9, 4]),
        (4, &[4]),
        (9, &[12, 9]),
        (12, &[7]),
        (14, &[7, 9]),
    ];
    let policy = leading(&states);
    let bounds = MagicBounds {
        a: 255,
        index_bits: 3,
    };
    let program = magic(&policy, bounds).unwrap();
    let Form::Magic(found) = program.form else {
        panic!("{program:?}");
    };
    let mut least = None;
    for bits in 0..=3_u32 {
        for a in 1..=255_u64 {
            for s in 0..20 {
                let mut places: HashMap<u64, Vec<u64>> = HashMap::new();
                for (code, next) in &states {
                    let place = a * code >> s & ((1 << bits) - 1);
                    let common = places.entry(place).or_insert_with(|| next.to_vec());
                    common.retain(|answer| next.contains(answer));
                }
                if places.values().all(|common| !common.is_empty()) {
                    let length = places.keys().max().unwrap() + 1;
                    let size = (bits, length, a, s);
                    least = Some(least.map_or(size, |least: (u32, u64, u64, u32)| least.min(size)));
                }
            }
        }
    }
    let length = found.table.len() as u64;
    assert_eq!(least, Some((found.index_bits, length, found.a, found.s)));
}

#[test]
fn wide_tables_run_as_they_answer() {
    // Answers of 9 bits, of 29 and of 43: one word, four bytes, eight bytes.
    for scale in [1_u64, 1 << 20, 1 << 34] {
        let next: Vec<[u64; 1]> = (0..120_u64).map(|n| [n * n % 509 * scale]).collect();
        let states: Vec<(u64, &[u64])> = (0..)
            .zip(&next)
            .map(|(code, next)| (code * 31, &next[..]))
            .collect();
        let policy = leading(&states);
        let bounds = MagicBounds {
            a: 64,
            index_bits: 12,
        };
        let programs = [perfect_hash(&policy), magic(&policy, bounds)];
        for program in programs.into_iter().flatten() {
            assert!(is_right(&policy, &program));
            runs_as_it_answers(&program, &policy);
        }
    }
}

#[test]
fn next_states_are_measured_in_bits() {
    // Four different answers: two bits each. Two moves, each best twice: a bit each.
    let states: [(u64, &[u64]); 4] = [(0, &[1]), (1, &[2]), (2, &[3]), (3, &[4])];
    let information = Information::of(&leading(&states)).unwrap();
    assert_eq!(information.raw, 12);
    assert!((information.entropy - 8.0).abs() < 1e-9);
    assert!(information.entropy_of_moves.abs() < 1e-9);
    let entry = |code, best| Entry {
        code,
        best,
        legal: 0b11,
    };
    let entries = vec![entry(0, 1), entry(1, 2), entry(2, 1), entry(3, 2)];
    let policy = Policy::new(entries, 2)
        .unwrap()
        .with_next_states(|code, mv| 2 * code + u64::from(mv));
    let information = Information::of(&policy).unwrap();
    assert!((information.entropy - 8.0).abs() < 1e-9);
    assert!((information.entropy_of_moves - 4.0).abs() < 1e-9);
}
