//! Solutions in text and as trees: what is folded, what is cut, how it is told.

use std::fs;

use resvg::usvg::roxmltree::Document;

use crate::common::program::{ok, says};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";
const SET_PLAY: &str = "2b1/3w/1o2/1bw1 b -";

/// The labels of a picture.
fn labels(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let labels = document.descendants();
    let labels = labels.filter_map(|node| node.attribute("aria-label").map(str::to_owned));
    labels.collect()
}

fn size(svg: &str) -> (f64, f64) {
    let document = Document::parse(svg).unwrap();
    let side = |name| {
        let side = document.root_element().attribute(name).unwrap();
        side.strip_suffix("mm").unwrap().parse::<f64>().unwrap()
    };
    (side("width"), side("height"))
}

#[test]
fn set_play_that_is_cut_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = ok(&["solution", GAME, SET_PLAY], here);
    let set_play = text
        .lines()
        .find(|line| line.starts_with("set play"))
        .unwrap();
    // Seven moves of one side and eight of the other, numbered like those of the solution.
    assert!(set_play.contains("win in 15: 1...c1U 2.b1L"), "{set_play}");
    assert!(set_play.contains(" 8."), "{set_play}");
    ok(&["solution", GAME, SET_PLAY, "--tree", "tree.svg"], here);
    let svg = fs::read_to_string(here.join("tree.svg")).unwrap();
    let drawn = labels(&svg);
    let has = |label: &str| drawn.iter().any(|drawn| drawn == label);
    assert!(has("1\u{2026}c1U") && has("win in 15"), "{drawn:?}");
    assert!(has("4.a2U \u{2026}") && !has("4.a2U"), "{drawn:?}");
    assert!(has("\u{2026}: play goes on."), "{drawn:?}");
}

/// A win with three hundred turns or so: read from the program's own JSON.
const LONG: &str = "w2b/1bw1/bo2/3w b -";

#[test]
fn lengths_of_a_solution() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lines = |length: &str| {
        let text = ok(&["solution", GAME, LONG, "--solutions", length], here);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let [main, short, full] = ["main", "short", "full"].map(lines);
    assert_eq!(main[1], short[1]);
    assert_eq!(main[1], full[1]);
    assert!(main.len() < short.len() && short.len() < full.len());
    let told = short.iter().find_map(|line| line.strip_prefix("(and "));
    let more: usize = told.unwrap().split(' ').next().unwrap().parse().unwrap();
    let tree = |lines: &[String]| {
        let inside = lines[1..].iter();
        inside
            .take_while(|line| line.starts_with([' ', '1']))
            .count()
    };
    assert_eq!(tree(&short) + more, tree(&full));
    // The verdict of a check stays in sight.
    let (_, checked, _) = says(&["check", GAME, LONG], here);
    assert!(checked.lines().count() < 60, "{checked}");
}

#[test]
fn a_large_tree_goes_on_pages_or_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (code, _, told) = says(&["solution", GAME, LONG, "--tree", "tree.svg"], here);
    assert_eq!(code, Some(0));
    let (width, height) = size(&fs::read_to_string(here.join("tree.svg")).unwrap());
    assert!(height > 240.0);
    let expected = format!("tesuji: tree.svg is {width:.0} x {height:.0} mm, with ");
    assert!(told.contains(&expected), "{told}");
    assert!(told.contains("--paper a4"), "{told}");
    let pages = ["solution", GAME, LONG, "--tree", "p.svg", "--paper", "a4"];
    let (code, _, told) = says(&pages, here);
    assert_eq!((code, told.contains("mm, with")), (Some(0), false));
    let mut count = 0;
    let mut drawn = Vec::new();
    for entry in fs::read_dir(here).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("p-") {
            let svg = fs::read_to_string(&path).unwrap();
            let (width, height) = size(&svg);
            assert_eq!((width, height), (210.0, 297.0), "{name}");
            drawn.extend(labels(&svg));
            count += 1;
        }
    }
    assert!(count > 1, "several pages");
    // Nothing is lost between the pages.
    let moves = |labels: &[String]| {
        let mut moves: Vec<String> = labels.to_vec();
        // Letters alone name where the tree goes on.
        moves.retain(|label| {
            let has = |signs: &str| label.contains(|sign: char| signs.contains(sign));
            has("UDLR") && has("1234")
        });
        moves.sort();
        moves
    };
    let whole = labels(&fs::read_to_string(here.join("tree.svg")).unwrap());
    assert_eq!(moves(&drawn), moves(&whole));
}
