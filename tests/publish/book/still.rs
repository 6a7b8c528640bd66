//! The page of a book in a browser that runs no scripts.

use std::fs;

use tesuji::export::read_csv;

use super::{mined, ok};

#[test]
fn every_puzzle_is_drawn_without_scripts() {
    let folder = mined();
    let here = folder.path();
    ok(&["book", "puzzles.csv", "-o", "b.html"], here);
    let page = fs::read_to_string(here.join("b.html")).unwrap();
    let (_, still) = page.split_once("<noscript>").unwrap();
    let (still, _) = still.split_once("</noscript>").unwrap();
    let rows = read_csv(fs::File::open(here.join("puzzles.csv")).unwrap()).unwrap();
    let figures: Vec<&str> = still.split("<figure>").skip(1).collect();
    assert_eq!(figures.len(), rows.len());
    for (row, figure) in rows.iter().zip(figures) {
        assert!(figure.starts_with("<svg "), "{figure}");
        assert!(figure.contains("<desc>") && figure.contains("</svg>"));
        assert!(figure.contains(&row.stipulation) && figure.contains(&row.position));
        // The policy of the page allows neither styles nor typefaces of a picture.
        for refused in ["style=", "<style", "<text", "font", "<script", "href"] {
            assert!(!figure.contains(refused), "{refused}: {figure}");
        }
        let drawn = shapes(figure);
        assert!(drawn > 10, "{drawn} shapes");
    }
}

/// The number of shapes in a picture.
fn shapes(figure: &str) -> usize {
    ["<path", "<rect", "<circle"]
        .iter()
        .map(|shape| figure.matches(shape).count())
        .sum()
}
