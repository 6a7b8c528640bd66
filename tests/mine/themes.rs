//! Themes: positions that have them, and similar ones that do not. Each comes with
//! its solution, so that a reader can follow the pieces.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use tesuji::analysis::{MOST_NODES, Solution, Story, THEMES, themes};
use tesuji::games::ostle::Ostle;
use tesuji::games::pieces::Pieces;
use tesuji::games::placement::Placement;
use tesuji::mine::{Catalogue, Minable};
use tesuji::table::{Table, TableOracle};

use crate::common;

static SOLVED: LazyLock<(Ostle, Table)> = LazyLock::new(|| {
    let game = common::game("ostle:4x4,pieces=3,losses=2");
    let table = common::table(&game);
    (game, table)
});

/// Theme, position with it, its solution; position without, its solution.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &str, &str, &str, &str)] = &[
    ("ban-win", "b3/w3/2b1/ow2 b -", "a4D a2R c2L a2U b2D", "w3/wb2/b1w1/o3 b -", "a2U a1U a3U"),
    ("capture-refused", "wb1w/wb2/o1b1/4 b -", "c2U a2D c3L a1U a3U", "1w2/bw2/wb2/o3 b -", "b2U a1R b3U"),
    // d2U pushes White's piece up to d4, where c4R pushes it off to the right.
    ("decoy", "1wb1/3w/o2b/4 b -", "d2U a2U c4R", "1b2/1wb1/w3/o3 b -", "c3L a1R b3L"),
    ("echo", "3w/b1b1/1w2/o3 b -", "a3R a1U b3R a2U d3U", "2b1/1b2/w3/ow2 b -", "c4L b1U b4D a2U b2D"),
    // c1L pushes White's b1 against Black's own a1, which goes over the edge.
    ("edge-sacrifice", "2b1/3w/o3/bwb1 b -", "c1L a1R c4D d3U c1L a2U b1L", "1bw1/ww2/1ob1/1b2 b -", "b4D a3U b1U b2D c2L b1L b2U a1U b4L"),
    ("hole-key", "b3/w1b1/1wb1/o3 b -", "a1U a3U c2L", "3w/1b2/ob2/w3 b -", "b3D a1R b2D"),
    // b1U walks into the hole on b2.
    ("hole-sacrifice", "1bw1/ww2/1ob1/1b2 b -", "b4D a3U b1U b2D c2L b1L b2U a1U b4L", "2b1/3w/o3/bwb1 b -", "c1L a1R c4D d3U c1L a2U b1L"),
    // c4-c3-d3-d2-d1.
    ("long-march", "2b1/2b1/1o2/w2w b -", "c4D b2D c3R a1U d3D a2U d2D", "4/2b1/b1w1/o2w b -", "c3D c1L c2D b1U c1R"),
    // With White to move, a2D answers b1L; after the key, a3U does. In the other, the key itself would.
    ("mutate", "w3/1b2/bob1/1w2 b -", "a2U a4D b3L", "4/w1b1/ob2/w3 b -", "b2D a1R c3L a3U c1L a2U b1L"),
    ("quiet-key", "4/1b2/1w1w/o1b1 b -", "c1U d2U b3D a1U b2D", "1b2/1wb1/w3/o3 b -", "c3L a1R b3L"),
    // b3-b4-c4-c3-b3.
    ("round-trip", "bw2/wbb1/3w/o3 b -", "b3U a1R b4R a3R c4D d2L b2U b4L c3L a4D b3L", "4/1bb1/1ow1/b2w b -", "c3D c1L a1U b1L a2D"),
    // c3-b3-b4-c4-c3, and then c4-d4.
    ("round-trip", "b1w1/wwb1/1o2/3b b -", "c3L a3U b3U a4D b4R d4D c4D d3U d1U a3R c3U d4D d2U b2D c4R", "4/1bb1/1ow1/b2w b -", "c3D c1L a1U b1L a2D"),
    ("sacrifice", "4/3w/o2b/bwb1 b -", "c1L a1R d2U d4L c1L a2U b1L", "4/1bb1/1ow1/b2w b -", "c3D c1L a1U b1L a2D"),
    // White's a1R brings the piece to b1, from where b2D pushes it off.
    ("self-block", "3w/1b2/ob2/w3 b -", "b3D a1R b2D", "b3/w1b1/1wb1/o3 b -", "a1U a3U c2L"),
    // c3-c2-c1-d1.
    ("single-piece", "4/2b1/b1w1/o2w b -", "c3D c1L c2D b1U c1R", "4/1b2/1w1w/o1b1 b -", "c1U d2U b3D a1U b2D"),
    // a1-a2-a1.
    ("switchback", "4/1bb1/1ow1/b2w b -", "c3D c1L a1U b1L a2D", "bw2/wbb1/3w/o3 b -", "b3U a1R b4R a3R c4D d2L b2U b4L c3L a4D b3L"),
    // Two against three.
    ("underdog", "1w2/bw2/wb2/o3 b -", "b2U a1R b3U", "3w/1b2/ob2/w3 b -", "b3D a1R b2D"),
    ("zugzwang", "2b1/1b2/w3/ow2 b -", "c4L b1U b4D a2U b2D", "w3/wb2/b1w1/o3 b -", "a2U a1U a3U"),
];

/// The same for kings on 5x6.
const KINGS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "mirror-trap",
        "..____/..____/....__/....../......",
        "e2 a1 b3 c1 a5",
        "....../...___/...___/...___/......",
        "b3 a1 c1 e1 a5 c5 e5",
    ),
    // a3 leaves a5, c3, a1 and the block on the right.
    (
        "shattering-key",
        "._____/._____/...___/.___../.___..",
        "a3 a1 e1 c3 a5",
        "..____/..____/....__/....../......",
        "e2 a1 b3 c1 a5",
    ),
];

/// The same for chess on 4x4.
const CHESS: (&str, &str, &str, &str, &str) = (
    "promotion-race",
    "4/2P1/1Kpk/4 w",
    "c3c4q c2c1q c4c1 d2d3 c1c3",
    "K2k/1P1p/4/4 w",
    "b3b4q",
);

/// The themes of a position whose solution must be this one.
fn found<G: Minable>(
    (game, table): &(G, Table),
    text: &str,
    solution: &str,
) -> BTreeSet<&'static str> {
    let oracle = TableOracle::new(table, game).unwrap();
    let state = game.parse_state(text).unwrap();
    let solved = Solution::new(game, &oracle, &state, MOST_NODES).unwrap();
    let line: Vec<_> = solved.line.iter().map(|&mv| game.format_move(mv)).collect();
    assert_eq!(line.join(" "), solution, "{text}");
    let story = Story::new(game, &oracle, &solved).unwrap();
    themes(&story).map(|theme| theme.name).collect()
}

/// Compares the themes of examples and counterexamples of a game.
fn compare<G: Minable>(game: G, examples: &[(&str, &str, &str, &str, &str)]) {
    let table = common::table(&game);
    let solved = (game, table);
    for &(theme, with, solution, without, other) in examples {
        let has = found(&solved, with, solution);
        let lacks = found(&solved, without, other);
        assert!(has.contains(theme), "{theme}: {with}");
        assert!(!lacks.contains(theme), "{theme}: {without}");
    }
}

#[test]
fn every_theme_is_in_its_example_and_not_in_its_counterexample() {
    for &(theme, with, solution, without, other) in EXAMPLES {
        let (has, lacks) = (
            found(&SOLVED, with, solution),
            found(&SOLVED, without, other),
        );
        assert!(has.contains(theme), "{theme}: {with}");
        assert!(!lacks.contains(theme), "{theme}: {without}");
    }
    compare(Placement::from_spec("kings:5x6").unwrap(), KINGS);
    compare(Pieces::shipped("chess-4x4:KP-KP").unwrap(), &[CHESS]);
}

#[test]
fn every_theme_has_an_example_a_name_and_a_meaning_of_its_own() {
    // A double sacrifice needs a game in which two pieces can be spared; a symmetric
    // position and its opposite are in tests/mine/columns.
    let elsewhere = ["double-sacrifice", "symmetry"];
    let shown: BTreeSet<_> = EXAMPLES
        .iter()
        .chain(KINGS)
        .chain([&CHESS])
        .map(|example| example.0)
        .collect();
    let catalogue = Catalogue::new(&SOLVED.0);
    let columns = catalogue.columns.iter();
    let columns: BTreeSet<_> = columns.map(|column| &column.feature.name).collect();
    let names: Vec<_> = THEMES.iter().map(|theme| theme.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    for theme in THEMES {
        assert!(
            shown.contains(theme.name) || elsewhere.contains(&theme.name),
            "{}",
            theme.name
        );
        assert!(theme.meaning.len() > 15 && theme.worth <= 25);
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(theme.name.chars().all(plain), "{}", theme.name);
        let column = format!("theme_{}", theme.name.replace('-', "_"));
        assert!(columns.contains(&column), "no column {column}");
    }
}
