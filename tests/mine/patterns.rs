//! Filters with a partial diagram find what `compose` finds.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tesuji::base::progress::NoProgress;
use tesuji::export::read_csv;
use tesuji::mine::{self, Catalogue, Filter, Predicate, Scope, Solved, Way};

use crate::common::program::{ok, refused, says};
use crate::common::{self};

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// Patterns and conditions, some of which follow main lines.
const ASKED: [(&str, &str); 3] = [
    ("b??/?o?/???", "outcome = 'win' AND plies >= 5"),
    ("???/??o/x??", "outcome = 'win' AND dual_free"),
    ("w?w/???/???", "outcome <> 'draw' AND n_best = 1"),
];

/// A filter like that of the explorer.
fn filter(name: &str, pattern: Option<&str>, condition: &str) -> String {
    let pattern = pattern.map_or_else(String::new, |it| {
        format!("pattern = \"{it}\"\nshortlist = 50\n")
    });
    format!(
        "name = \"{name}\"\npredicate = \"{condition}\"\n{pattern}order = [\"-plies\"]\ndistinct = true\nlimit = 5\n"
    )
}

/// Positions and scores of the finds in a folder.
fn finds(here: &Path, name: &str) -> Vec<(String, u32)> {
    let csv = fs::File::open(here.join(name).join("puzzles.csv")).unwrap();
    let rows = read_csv(csv).unwrap().into_iter();
    rows.map(|row| (row.position, row.score)).collect()
}

#[test]
fn mine_with_a_pattern_finds_what_compose_finds() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // With others, each pattern counts for its own filter.
    let mut mine = vec![
        "mine".to_owned(),
        SMALL.to_owned(),
        "--draw".to_owned(),
        "0".to_owned(),
    ];
    let all = ASKED.map(|(pattern, condition)| [(Some(pattern), condition), (None, condition)]);
    for (place, (pattern, condition)) in all.into_iter().flatten().enumerate() {
        let name = format!("f{place}");
        fs::write(
            here.join(format!("{name}.toml")),
            filter(&name, pattern, condition),
        )
        .unwrap();
        mine.extend(["--filter".to_owned(), format!("{name}.toml")]);
    }
    mine.extend(["-o".to_owned(), "out".to_owned()]);
    let told = ok(&mine.iter().map(String::as_str).collect::<Vec<_>>(), here);
    for (place, (pattern, condition)) in ASKED.into_iter().enumerate() {
        let asked = [
            "compose",
            SMALL,
            pattern,
            "--where",
            condition,
            "--order=-plies",
            "--limit",
            "5",
            "--json",
        ];
        let composed: Json = serde_json::from_str(&ok(&asked, here)).unwrap();
        let rows = composed["puzzles"].as_array().unwrap().iter();
        let rows: Vec<_> = rows
            .map(|row| {
                let score = row["score"].as_u64().unwrap();
                (
                    row["position"].as_str().unwrap().to_owned(),
                    u32::try_from(score).unwrap(),
                )
            })
            .collect();
        assert!(!rows.is_empty());
        assert_eq!(
            finds(here, &format!("out/f{}", 2 * place)),
            rows,
            "{pattern}"
        );
        let line = told
            .lines()
            .find(|line| line.starts_with(&format!("f{} ", 2 * place)))
            .unwrap();
        let matched = line.split_whitespace().nth(1).unwrap().replace(',', "");
        assert_eq!(matched, composed["matched"].to_string(), "{line}");
        // The same condition without the pattern finds more.
        let line = told
            .lines()
            .find(|line| line.starts_with(&format!("f{} ", 2 * place + 1)))
            .unwrap();
        let more = line.split_whitespace().nth(1).unwrap().replace(',', "");
        assert!(
            more.parse::<u64>().unwrap() > matched.parse().unwrap(),
            "{line}"
        );
    }
}

/// F. Saavedra's pawn wins with either colours.
#[test]
fn patterns_are_met_with_colours_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    ok(&["solve", "chess:KR-KP", "-o", "t.tsj"], folder.path());
    let found = |pattern: &str| {
        let asked = ["compose", "chess:KR-KP", pattern, "--limit", "50", "--json"];
        let asked = [&asked[..], &["--table", "t.tsj"]].concat();
        let composed: Json = serde_json::from_str(&ok(&asked, folder.path())).unwrap();
        let rows = composed["puzzles"].as_array().unwrap().iter();
        let positions = rows.map(|row| row["position"].as_str().unwrap().to_owned());
        positions.collect::<Vec<_>>()
    };
    let white = found("8/8/1KP5/????????/8/8/8/k7 w");
    let black = found("K7/8/8/8/????????/1kp5/8/8 b");
    assert!(
        white.contains(&"8/8/1KP5/3r4/8/8/8/k7 w - -".to_owned()),
        "{white:?}"
    );
    assert_eq!(white.len(), black.len());
    // Without a side, a pattern is met by either.
    assert!(!found("8/8/1KP5/????????/8/8/8/k7").is_empty());
}

#[test]
fn a_scan_that_tells_estimates_finds_the_same() {
    let game = common::game(SMALL);
    let table = common::table(&game);
    let catalogue = Catalogue::new(&game);
    let filters = ASKED.map(|(pattern, condition)| {
        Filter::parse(&filter("a", Some(pattern), condition), "a.toml").unwrap()
    });
    let predicates = filters.map(|it| Predicate::new(&it, &catalogue).unwrap());
    let tasks = predicates.each_ref().map(|it| (it, None));
    let source = Solved::new(&table, &game).unwrap();
    let [whole, told] = [Way::Whole, Way::Progressive].map(|way| {
        let scans = mine::scan(&game, &source, &tasks, &Scope::all(), way, &NoProgress);
        let scans = scans.unwrap().into_iter();
        scans.map(|scan| scan.finds).collect::<Vec<_>>()
    });
    assert!(whole.iter().all(|finds| !finds.is_empty()));
    assert_eq!(told, whole);
}

#[test]
fn patterns_that_do_not_apply_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let write = |pattern: &str| {
        let text = filter("odd", Some(pattern), "plies > 3");
        fs::write(here.join("odd.toml"), text).unwrap();
    };
    write("oo?/???/???");
    let mine = ["mine", SMALL, "--filter", "odd.toml", "-o", "out"];
    let said = refused(&mine, here);
    assert!(
        said.contains("filter odd: invalid pattern: ") && said.contains("this is a second one"),
        "{said}"
    );
    assert!(!here.join("out").exists());
    write("?o?/???/???");
    let said = refused(
        &["compose", SMALL, "b??/???/???", "--filter", "odd.toml"],
        here,
    );
    assert!(
        said.contains("the filter odd has a partial diagram already"),
        "{said}"
    );
    let (code, _, said) = says(
        &["mine", "tsuitate", "--filter", "odd.toml", "-o", "out"],
        here,
    );
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("pattern"), "{said}");
}
