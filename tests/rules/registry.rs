//! Games are told apart in one place.

use std::fs;
use std::path::Path;

use crate::common::files;

#[test]
fn only_the_registry_names_a_concrete_game() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut games = Vec::new();
    for entry in fs::read_dir(source.join("games")).unwrap().flatten() {
        if entry.path().is_dir() {
            games.push(entry.file_name().into_string().unwrap());
        }
    }
    assert!(games.len() > 3, "{games:?}");
    let mut looked_at = 0;
    for (path, bytes) in files(&source) {
        if path.starts_with("games") || path.extension().is_none_or(|it| it != "rs") {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        let code = text.lines().map(str::trim);
        for line in code.filter(|line| !line.starts_with("//")) {
            let variant = line.contains("AnyGame::");
            assert!(!variant, "{}: {line}", path.display());
            for game in &games {
                let named = [format!("games::{game}"), format!("starts_with(\"{game}")];
                let named = named.iter().any(|words| line.contains(words));
                assert!(!named, "{}: {line}", path.display());
            }
        }
        looked_at += 1;
    }
    assert!(looked_at > 200);
}
