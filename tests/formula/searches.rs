//! Searches against plain loops, and programs against their policies.

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::formula::{
    BitBounds, BitSearch, Entry, Form, Information, MagicBounds, MagicSearch, Policy, Program,
    Search, Term, diagram, perfect_hash,
};
use tesuji::game::Digit;

/// The article's table, with the tie in 57 that it did not use.
pub fn three_puzzle() -> Policy {
    let best = [
        (30, 0b1000),
        (39, 0b0001),
        (57, 0b1001),
        (78, 0b0001),
        (99, 0b1000),
        (108, u16::MAX),
        (135, 0b0010),
        (177, 0b1000),
        (180, 0b0100),
        (201, 0b0001),
        (210, 0b0100),
        (216, 0b0010),
    ];
    let entry = |(code, best)| Entry {
        code,
        best,
        legal: 0b1111,
    };
    Policy::new(best.into_iter().map(entry).collect(), 4).unwrap()
}

fn right(policy: &Policy, program: &Program) -> bool {
    policy.entries.iter().all(|entry| {
        let answer = program.answer(entry.code).unwrap();
        policy.is_right(entry, answer)
    })
}

fn searched(policy: &Policy, bounds: BitBounds) -> BitSearch {
    let mut search = BitSearch::new(policy, bounds);
    while !search.is_finished() {
        search.advance(policy, &NoProgress);
    }
    search
}

/// A whole search for a program `magic`.
pub fn magic(policy: &Policy, bounds: MagicBounds) -> Option<Program> {
    let mut search = MagicSearch::new(bounds);
    while !search.is_finished() {
        search.advance(policy, &NoProgress);
    }
    search.program(policy)
}

#[test]
fn the_article_s_constants_are_among_the_solutions() {
    let policy = three_puzzle();
    let article = [
        Term { a: 33, c: 1, s: 7 },
        Term {
            a: 2945,
            c: 1,
            s: 13,
        },
    ];
    assert!(right(&policy, &Program::new(Form::Bits(article.to_vec()))));
    let program = Program::new(Form::Bits(article.to_vec()));
    assert_eq!(program.constant_bits(), 27);
    // Bounds that hold nothing but one of its terms find just that one: with c = 1
    // and s fixed by the others' absence, a is the article's.
    let counted = searched(
        &policy,
        BitBounds {
            a: 4095,
            c: 1,
            s: 13,
        },
    );
    let solution = counted.solution(&policy);
    let without = searched(
        &policy,
        BitBounds {
            a: 2944,
            c: 1,
            s: 13,
        },
    )
    .solution(&policy);
    let of = |solution: &tesuji::formula::BitSolution, bit: usize| {
        solution.of_bit[bit].map_or(0, |found| found.count)
    };
    assert!(of(&solution, 1) > of(&without, 1));
    let with = searched(
        &policy,
        BitBounds {
            a: 2945,
            c: 1,
            s: 13,
        },
    )
    .solution(&policy);
    assert_eq!(
        of(&with, 1),
        of(&without, 1)
            + count(&policy, 1, |term| term.a == 2945
                && term.c <= 1
                && term.s <= 13)
    );
    // For the first bit no smaller pair of constants does.
    assert_eq!(solution.of_bit[0].unwrap().least, article[0]);
}

/// Expressions that answer one bit rightly, by trying them in a loop.
fn count(policy: &Policy, bit: u32, which: impl Fn(Term) -> bool) -> u64 {
    let mut count = 0;
    for s in 0..=13_u32 {
        for a in 1..1_u64 << (s + 1) {
            for c in 0..=1 {
                let term = Term { a, c, s };
                if !which(term) {
                    continue;
                }
                let fits = policy.entries.iter().all(|entry| {
                    let value = (a * (entry.code + c) >> s) & 1;
                    (0..4).any(|mv: u64| entry.best >> mv & 1 == 1 && mv >> bit & 1 == value)
                });
                count += u64::from(fits);
            }
        }
    }
    count
}

#[test]
fn programs_are_counted_as_pairs_in_a_loop() {
    // Small enough for all pairs: two ties that couple the bits, one that does not.
    let entry = |code, best| Entry {
        code,
        best,
        legal: 0b1111,
    };
    let entries = vec![
        entry(1, 0b1001),
        entry(2, 0b0110),
        entry(5, 0b0011),
        entry(6, 0b1000),
        entry(7, u16::MAX),
    ];
    let policy = Policy::new(entries, 4).unwrap();
    let bounds = BitBounds { a: 9, c: 6, s: 3 };
    let mut terms = Vec::new();
    for s in 0..=3_u32 {
        for a in 1..(1_u64 << (s + 1)).min(10) {
            for c in 0..(1_u64 << (s + 1)).min(7) {
                terms.push(Term { a, c, s });
            }
        }
    }
    assert_eq!(bounds.candidates(), terms.len() as u128);
    let mut pairs = Vec::new();
    for &low in &terms {
        for &high in &terms {
            if right(&policy, &Program::new(Form::Bits(vec![low, high]))) {
                pairs.push((low.constant_bits() + high.constant_bits(), low, high));
            }
        }
    }
    let solution = searched(&policy, bounds).solution(&policy);
    assert!(!pairs.is_empty());
    assert_eq!(solution.programs, pairs.len() as u128);
    let least = solution.least.unwrap();
    let size: u32 = least.iter().map(|term| term.constant_bits()).sum();
    assert_eq!(Some(size), pairs.iter().map(|pair| pair.0).min());
    assert!(right(&policy, &Program::new(Form::Bits(least))));
}

#[test]
fn a_search_goes_on_from_its_copy() {
    let policy = three_puzzle();
    let bounds = BitBounds {
        a: 4095,
        c: 4095,
        s: 11,
    };
    let whole = searched(&policy, bounds);
    let mut search = BitSearch::new(&policy, bounds);
    let mut rounds = 0;
    while !search.is_finished() {
        search.advance(&policy, &NoProgress);
        let copy = serde_json::to_string(&search).unwrap();
        search = serde_json::from_str(&copy).unwrap();
        assert!(search.fits(&policy));
        rounds += 1;
    }
    assert!(rounds > 20);
    assert_eq!(search.solution(&policy), whole.solution(&policy));
}

#[test]
fn a_search_of_tables_goes_on_from_its_copy() {
    let policy = three_puzzle();
    // No multiplier up to 7 does with so few places; up to 20,000 one does.
    let none = MagicBounds {
        a: 7,
        index_bits: 2,
    };
    let some = MagicBounds {
        a: 20_000,
        index_bits: 4,
    };
    for (bounds, least_rounds) in [(none, 3), (some, 6)] {
        let mut search = MagicSearch::new(bounds);
        let mut rounds = 0;
        while !search.is_finished() {
            search.advance(&policy, &NoProgress);
            let copy = serde_json::to_string(&search).unwrap();
            search = serde_json::from_str(&copy).unwrap();
            assert!(search.is_sound());
            rounds += 1;
        }
        assert!(rounds >= least_rounds, "{rounds}");
        assert_eq!(search.program(&policy), magic(&policy, bounds));
    }
    assert!(magic(&policy, none).is_none());
    assert!(magic(&policy, some).is_some());
}

#[test]
fn threads_do_not_change_what_is_found() {
    let policy = three_puzzle();
    let found = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let bounds = BitBounds {
                a: 1023,
                c: 255,
                s: 10,
            };
            let bits = searched(&policy, bounds).solution(&policy);
            let bounds = MagicBounds {
                a: 1 << 12,
                index_bits: 4,
            };
            let encodings = vec![(0..8).map(|bit| Digit::Bits(vec![bit])).collect()];
            (
                bits,
                magic(&policy, bounds),
                diagram(&policy, &encodings),
                perfect_hash(&policy),
            )
        })
    };
    assert_eq!(found(1), found(2));
}

#[test]
fn the_least_table_is_that_of_a_plain_loop() {
    let policy = three_puzzle();
    let program = magic(
        &policy,
        MagicBounds {
            a: 512,
            index_bits: 4,
        },
    )
    .unwrap();
    assert!(right(&policy, &program));
    let Form::Magic(found) = program.form else {
        panic!("{program:?}");
    };
    // Even multipliers too, which the search leaves out.
    let mut least = None;
    for bits in 0..=4_u32 {
        for a in 1..=512_u64 {
            for s in 0..20 {
                let mut places = vec![u16::MAX; 1 << bits];
                let mut length = 0;
                for entry in policy.asked() {
                    let place = usize::try_from(a * entry.code >> s & ((1 << bits) - 1)).unwrap();
                    places[place] &= entry.best;
                    length = length.max(place + 1);
                }
                if !places.contains(&0) {
                    let size = (bits, length, a, s);
                    least =
                        Some(least.map_or(size, |least: (u32, usize, u64, u32)| least.min(size)));
                }
            }
        }
    }
    assert_eq!(
        least,
        Some((found.index_bits, found.table.len(), found.a, found.s))
    );
}

#[test]
fn there_is_none_where_there_is_none() {
    // Three states in a row whose bit alternates need a shift of 0; a fourth breaks it.
    let entry = |code, best| Entry {
        code,
        best,
        legal: 0b11,
    };
    let entries = vec![
        entry(0, 0b01),
        entry(1, 0b10),
        entry(2, 0b01),
        entry(4, 0b10),
    ];
    let policy = Policy::new(entries, 2).unwrap();
    let solution = searched(&policy, BitBounds { a: 1, c: 1, s: 0 }).solution(&policy);
    assert_eq!((solution.programs, solution.least), (0, None));
    assert!(
        magic(
            &policy,
            MagicBounds {
                a: 1,
                index_bits: 1
            },
        )
        .is_none()
    );
}

#[test]
fn policies_must_make_sense() {
    let entry = |code, best| Entry {
        code,
        best,
        legal: 0b11,
    };
    for (entries, moves, why) in [
        (vec![], 2, "at least one state"),
        (
            vec![entry(3, 1), entry(3, 2)],
            2,
            "two states have the number 3",
        ),
        (vec![entry(3, 0b100)], 2, "state 3 has no right answer"),
        (vec![entry(3, 1)], 17, "number of moves 17"),
    ] {
        let error = Policy::new(entries, moves).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn information_is_measured_in_bits() {
    let entry = |code, best| Entry {
        code,
        best,
        legal: 0b11,
    };
    // Four states, two answers each twice; then one that may be either.
    let fixed = vec![entry(0, 1), entry(1, 2), entry(2, 1), entry(3, 2)];
    let information = Information::of(&Policy::new(fixed.clone(), 2).unwrap()).unwrap();
    assert_eq!(information.raw, 4);
    assert!((information.entropy - 4.0).abs() < 1e-9);
    let tied = [fixed, vec![entry(4, 3)]].concat();
    let information = Information::of(&Policy::new(tied, 2).unwrap()).unwrap();
    // Three against two: 5 * H(2/5).
    let expected = 3.0 * (5.0_f64 / 3.0).log2() + 2.0 * 2.5_f64.log2();
    assert!((information.entropy - expected).abs() < 1e-9);
    let certain = vec![entry(0, 1), entry(1, 3)];
    let information = Information::of(&Policy::new(certain, 2).unwrap()).unwrap();
    assert!(information.entropy.abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn diagrams_and_hashes_are_right_everywhere(
        states in prop::collection::btree_map(0_u64..512, 1_u16..32, 1..80),
        backwards in any::<bool>(),
    ) {
        let entry = |(code, best)| Entry { code, best, legal: 31 };
        let policy = Policy::new(states.into_iter().map(entry).collect(), 5).unwrap();
        let bits: Vec<Digit> = (0..9).map(|bit| Digit::Bits(vec![bit])).collect();
        let digits: Vec<Digit> = (0..3).map(|place| Digit::Quotient { divisor: 8_u64.pow(place), radix: 8 }).collect();
        let encodings = if backwards { vec![digits] } else { vec![bits, digits] };
        prop_assert!(right(&policy, &diagram(&policy, &encodings).unwrap()));
        prop_assert!(right(&policy, &perfect_hash(&policy).unwrap()));
    }
}
