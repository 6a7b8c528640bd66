//! The checks of the fuzz targets, on their corpora, on the corpora damaged, and on random
//! bytes.

#[path = "../fuzz/src/checks.rs"]
mod checks;

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// The small inputs that fuzzing begins with.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let entries = fs::read_dir(folder.join(name)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn no_input_breaks_a_parser() {
    for (name, check) in checks::ALL {
        let corpus = corpus(name);
        assert!(!corpus.is_empty(), "{name} has no corpus");
        for input in &corpus {
            check(input);
        }
        let cases = if matches!(name, "table" | "block" | "http" | "lister") {
            1_000
        } else {
            4_000
        };
        let mut runner = TestRunner::new(ProptestConfig::with_cases(cases));
        let edits = vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 0..6);
        let edited = (prop::sample::select(corpus), edits).prop_map(|(mut bytes, edits)| {
            for (place, kind, byte) in edits {
                let at = place.index(bytes.len() + 1);
                match (kind, bytes.get_mut(at)) {
                    (0, Some(old)) => *old = byte,
                    (1, Some(old)) => *old ^= 1 << (byte % 8),
                    (2, Some(_)) => drop(bytes.remove(at)),
                    _ => bytes.insert(at, byte),
                }
            }
            bytes
        });
        let random = vec(any::<u8>(), 0..200);
        let texts = "[a-z0-9:/. ,=x_bwo?\"\\[\\]{}#\n-]{0,60}".prop_map(String::into_bytes);
        let inputs = prop_oneof![4 => edited, 1 => random, 2 => texts];
        let told = runner.run(&inputs, |bytes| {
            check(&bytes);
            Ok(())
        });
        told.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
