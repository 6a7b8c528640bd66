//! What is written is what was found: programs in three languages, compiled and run.

use std::process::Command;
use std::sync::LazyLock;

use tesuji::base::progress::NoProgress;
use tesuji::formula::{
    AnswerKind, BitBounds, BitSearch, Form, MagicBounds, Policy, Program, Search, Term, check,
    diagram, perfect_hash, run,
};
use tesuji::game::{Digit, Language};

use super::searches::{magic, three_puzzle};
use crate::common::skipped;

/// Whether the tools of a language are here; Rust's are, or there would be no test.
pub fn has(language: Language) -> bool {
    static C: LazyLock<bool> = LazyLock::new(|| found("cc", Language::C));
    static PYTHON: LazyLock<bool> = LazyLock::new(|| found("python3", Language::Python));
    match language {
        Language::Rust => true,
        Language::C => *C,
        Language::Python => *PYTHON,
    }
}

fn found(tool: &str, language: Language) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        let what = format!("running the programs in {}", language.name());
        skipped(&what, &format!("install {tool}"));
    }
    found
}

fn languages() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|&language| has(language))
}

/// Another policy, with a table too long for one word.
fn many() -> Policy {
    let entry = |code: u64| tesuji::formula::Entry {
        code: code * 37,
        best: 1 << (code * code / 7 % 9),
        legal: 0x1ff,
    };
    Policy::new((0..200).map(entry).collect(), 9).unwrap()
}

#[test]
fn every_form_runs_as_it_answers() {
    let bits: Vec<Digit> = (0..13).rev().map(|bit| Digit::Bits(vec![bit])).collect();
    let octal: Vec<Digit> = (0..5)
        .rev()
        .map(|place| Digit::Quotient {
            divisor: 8_u64.pow(place),
            radix: 8,
        })
        .collect();
    let pairs: Vec<Digit> = (0..7).map(|bit| Digit::Bits(vec![bit, bit + 7])).collect();
    let policy = three_puzzle();
    let many = many();
    let article = vec![
        Term { a: 33, c: 1, s: 7 },
        Term {
            a: 2945,
            c: 1,
            s: 13,
        },
    ];
    let large = vec![
        Term {
            a: u64::MAX >> 2,
            c: 0,
            s: 62,
        },
        Term {
            a: 0x1234_5678_9abc_def1,
            c: 77,
            s: 40,
        },
    ];
    let programs: Vec<(Program, &Policy)> = vec![
        (Program::new(Form::Bits(article)), &policy),
        (Program::new(Form::Bits(large)), &policy),
        (
            magic(
                &policy,
                MagicBounds {
                    a: 512,
                    index_bits: 5,
                },
            )
            .unwrap(),
            &policy,
        ),
        (
            magic(
                &many,
                MagicBounds {
                    a: 4096,
                    index_bits: 11,
                },
            )
            .unwrap(),
            &many,
        ),
        (
            diagram(&policy, std::slice::from_ref(&bits)).unwrap(),
            &policy,
        ),
        (diagram(&many, &[bits]).unwrap(), &many),
        (diagram(&many, &[octal]).unwrap(), &many),
        (diagram(&many, &[pairs]).unwrap(), &many),
        (perfect_hash(&policy).unwrap(), &policy),
        (perfect_hash(&many).unwrap(), &many),
    ];
    for (program, policy) in &programs {
        let codes: Vec<u64> = policy.entries.iter().map(|entry| entry.code).collect();
        let expected: Vec<u64> = codes
            .iter()
            .map(|&code| program.answer(code).unwrap())
            .collect();
        for language in languages() {
            let source = program.source(language);
            let found = run(&source, language, policy.kind(), &codes).unwrap();
            assert_eq!(found, expected, "{}\n{source}", language.name());
        }
    }
}

#[test]
fn one_wrong_constant_is_seen() {
    let policy = three_puzzle();
    let mut search = BitSearch::new(
        &policy,
        BitBounds {
            a: 255,
            c: 63,
            s: 7,
        },
    );
    while !search.is_finished() {
        search.advance(&policy, &NoProgress);
    }
    let least = search.solution(&policy).least.unwrap();
    let program = Program::new(Form::Bits(least.clone()));
    for language in languages() {
        let source = program.source(language);
        assert_eq!(check(&source, language, &policy).unwrap(), []);
        let (constant, wrong) = (least[1].a.to_string(), (least[1].a + 1).to_string());
        let corrupted = source.replacen(&constant, &wrong, 1);
        assert_ne!(source, corrupted);
        let found = check(&corrupted, language, &policy).unwrap();
        assert!(!found.is_empty(), "{corrupted}");
        for (code, answer) in found {
            let entry = policy
                .entries
                .iter()
                .find(|entry| entry.code == code)
                .unwrap();
            assert!(!policy.is_right(entry, answer));
        }
    }
}

#[test]
fn programs_that_fail_say_how() {
    let codes = [1, 2, 3];
    let refused = run(
        "fn best_move(n: u64)",
        Language::Rust,
        AnswerKind::Move,
        &codes,
    )
    .unwrap_err();
    let said = refused.to_string();
    assert!(
        said.contains("could not compile the rust program"),
        "{said}"
    );
    if has(Language::Python) {
        let broken = run(
            "def best_move(n):\n    return 1 // (n - 2)\n",
            Language::Python,
            AnswerKind::Move,
            &codes,
        )
        .unwrap_err();
        assert!(broken.to_string().contains("ZeroDivisionError"), "{broken}");
        let wordy = run(
            "def best_move(n):\n    return 'left'\n",
            Language::Python,
            AnswerKind::Move,
            &codes,
        )
        .unwrap_err();
        let said = wordy.to_string();
        assert!(said.contains("gave 3 answers for 3 states"), "{said}");
        let loud = run(
            "print('hello')\ndef best_move(n):\n    return 1\n",
            Language::Python,
            AnswerKind::Move,
            &codes,
        )
        .unwrap_err();
        let said = loud.to_string();
        assert!(said.contains("gave 4 answers"), "{said}");
    }
}
