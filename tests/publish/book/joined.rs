//! Several files, filters and games in one book or export, and which of their puzzles are taken.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::reading::{open, texts};
use crate::common::page_data;
use crate::common::program::{ok, refused, says};
use tesuji::base::text::plural;
use tesuji::mine::PuzzleRow;

const OSTLE: &str = "ostle:4x4,pieces=3,losses=2";
const KINGS: &str = "kings:3x4";

/// What readers call them.
const NAMES: [&str; 2] = ["Ostle (4x4, pieces: 3, losses: 2)", "Kings placement (3x4)"];

/// Mines wins with one best move of both games: `ostle.csv` and `kings.csv`.
fn mined() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filter = "name = 'wins'\npredicate = \"outcome = 'win' AND n_best = 1 AND plies <= 9\"\norder = ['-plies']\nlimit = 12\n";
    fs::write(here.join("wins.toml"), filter).unwrap();
    for (game, name) in [(OSTLE, "ostle"), (KINGS, "kings")] {
        ok(
            &[
                "mine",
                game,
                "--filter",
                "wins.toml",
                "--draw",
                "0",
                "-o",
                name,
            ],
            here,
        );
        let from = here.join(name).join("wins/puzzles.csv");
        fs::copy(from, here.join(format!("{name}.csv"))).unwrap();
    }
    folder
}

fn rows(path: &Path) -> Vec<PuzzleRow> {
    tesuji::export::read_csv(fs::File::open(path).unwrap()).unwrap()
}

#[test]
fn a_book_has_several_games() {
    let folder = mined();
    let here = folder.path();
    fs::write(here.join("none.csv"), "game,position\n").unwrap();
    let files = ["ostle.csv", "none.csv", "kings.csv"];
    let made = |name: &str| {
        let args = [
            "book", files[0], files[1], files[2], "--limit", "3", "-o", name,
        ];
        let (code, _, told) = says(&args, here);
        assert_eq!(code, Some(0), "{told}");
        assert!(
            told.contains("none.csv has no puzzles and is passed over"),
            "{told}"
        );
    };
    made("both.html");
    let data = page_data(&fs::read_to_string(here.join("both.html")).unwrap());
    assert_eq!(data["game"], NAMES.join("; "));
    let sizes = data["boards"].as_array().unwrap().iter();
    let sizes: Vec<_> = sizes.map(|board| board["size"].clone()).collect();
    assert_eq!(
        sizes,
        [serde_json::json!([4, 4]), serde_json::json!([4, 3])]
    );
    let boards = data["puzzles"].as_array().unwrap().iter();
    let boards: Vec<_> = boards
        .map(|puzzle| puzzle["board"].as_u64().unwrap())
        .collect();
    assert_eq!(boards, [0, 0, 0, 1, 1, 1]);
    // The headings are those of filter and game, and the empty file has none.
    let headings = NAMES.map(|game| format!("Wins: {game}"));
    let chapters = serde_json::json!([[headings[0], 0], [headings[1], 3]]);
    assert_eq!(data["chapters"], chapters);
    made("both.pdf");
    let pages = texts(&open(&fs::read(here.join("both.pdf")).unwrap()));
    let all = pages.join("\n");
    // Rules say which game they are of.
    for name in [
        format!("Games: {}.", NAMES.join("; ")),
        format!("{}: ", NAMES[0]),
        format!("{}: ", NAMES[1]),
    ] {
        assert!(all.contains(&name), "{name}\n{all}");
    }
}

/// The titles of the rules in a web page of these puzzles.
fn titles_of_rules(rows: &str, here: &Path) -> Vec<String> {
    fs::write(here.join("p.csv"), format!("game,position\n{rows}")).unwrap();
    ok(&["book", "p.csv", "-o", "p.html", "--force"], here);
    let page = fs::read_to_string(here.join("p.html")).unwrap();
    let titles = page.split("<dt>").skip(1);
    let titles = titles.map(|rest| rest.split_once("</dt>").unwrap().0.to_owned());
    titles.collect()
}

#[test]
fn rules_of_several_endings_are_printed_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let pawn = "chess:KP-K,1k6/8/1PK5/8/8/8/8/8 w - -\n";
    let queen = "chess:KQ-K,8/8/8/8/8/2K5/7Q/k7 w - -\n";
    let alone = titles_of_rules(pawn, here);
    assert_eq!(alone[..2], ["Start", "Moves"]);
    assert_eq!(titles_of_rules(&[queen, pawn].concat(), here), alone);
    // The pawn's ending has the picture of a promotion.
    let page = fs::read_to_string(here.join("p.html")).unwrap();
    let (_, promotion) = page.split_once("<dt>Promotion</dt>").unwrap();
    let (promotion, _) = promotion.split_once("<dt>").unwrap();
    assert!(promotion.contains("<svg"), "{promotion}");
    let kings = "kings:3x4,..../..../....\n";
    let mixed = titles_of_rules(&[pawn, kings, queen].concat(), here);
    let (endings, others) = mixed.split_at(alone.len());
    let named = alone
        .iter()
        .map(|title| format!("Chess endings (KP-K); Chess endings (KQ-K): {title}"));
    assert!(endings.iter().cloned().eq(named), "{endings:?}");
    assert!(
        others
            .iter()
            .all(|title| title.starts_with("Kings placement (3x4): ")),
        "{others:?}"
    );
}

#[test]
fn games_of_files_are_named_without_digests() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules = include_str!("../../../src/games/pieces/shipped/hexapawn.toml");
    let rules = rules.replace("title = \"Hexapawn\"", "title = \"Three; pawns\"");
    fs::write(here.join("own.toml"), rules).unwrap();
    fs::write(here.join("path.txt"), "a b\nb c\nc d\n").unwrap();
    for (game, position, name) in [
        ("rules:own.toml", "pp1/3/1PP w", "Three; pawns"),
        ("graph:path.txt", "initial", "Graph (path.txt)"),
    ] {
        let row = format!("game,position\n{game},{position}\n");
        fs::write(here.join("one.csv"), row).unwrap();
        let args = ["book", "one.csv", "--game", game, "--force", "-o"];
        ok(&[&args[..], &["one.html"]].concat(), here);
        let data = page_data(&fs::read_to_string(here.join("one.html")).unwrap());
        assert_eq!(data["game"], name);
    }
    // A title with a semicolon is one game on the cover, too.
    let rows = "game,position\nrules:own.toml,pp1/3/1PP w\nrules:own.toml,initial\n";
    fs::write(here.join("two.csv"), rows).unwrap();
    ok(
        &[
            "book",
            "two.csv",
            "--game",
            "rules:own.toml",
            "-o",
            "two.pdf",
        ],
        here,
    );
    let pages = texts(&open(&fs::read(here.join("two.pdf")).unwrap()));
    assert!(pages[0].contains("Game: Three; pawns."), "{}", pages[0]);
}

#[test]
fn puzzles_are_chosen_and_ordered() {
    let folder = mined();
    let here = folder.path();
    let all: Vec<_> = ["ostle.csv", "kings.csv"]
        .iter()
        .flat_map(|name| rows(&here.join(name)))
        .collect();
    let chosen = |more: &[&str]| {
        let mut args = vec!["export", "--puzzles", "ostle.csv", "kings.csv", "--force"];
        args.extend(more);
        args.extend(["-o", "out.csv"]);
        ok(&args, here);
        rows(&here.join("out.csv"))
    };
    // Both files, one after the other; the same file again adds nothing.
    assert_eq!(chosen(&[]), all);
    let args = [
        "export",
        "--puzzles",
        "ostle.csv",
        "kings.csv",
        "ostle.csv",
        "-o",
        "twice.csv",
    ];
    let (_, _, told) = says(&args, here);
    assert!(
        told.contains("12 rows repeat a problem: 12 exactly"),
        "{told}"
    );
    assert_eq!(rows(&here.join("twice.csv")), all);

    let short: Vec<_> = all
        .iter()
        .filter(|row| row.plies <= Some(5))
        .cloned()
        .collect();
    assert!(!short.is_empty() && short.len() < all.len());
    assert_eq!(chosen(&["--where", "plies <= 5"]), short);
    let kings: Vec<_> = all
        .iter()
        .filter(|row| row.game == KINGS)
        .cloned()
        .collect();
    assert_eq!(chosen(&["--where", &format!("game = '{KINGS}'")]), kings);
    let of = |row: &PuzzleRow| {
        let wasted = f64::from(row.line_look_ahead.unwrap_or(0)) / 100.0;
        let effort = f64::from(row.difficulty) + wasted * f64::from(row.n_moves).log2();
        1 + [8.0, 16.0, 28.0, 48.0]
            .iter()
            .filter(|&&least| effort >= least)
            .count()
    };
    let stars = |range: std::ops::RangeInclusive<usize>| {
        let rows = all.iter().filter(|row| range.contains(&of(row)));
        rows.cloned().collect::<Vec<_>>()
    };
    assert!(!stars(1..=1).is_empty() && !stars(2..=3).is_empty());
    assert_eq!(chosen(&["--stars", "1"]), stars(1..=1));
    assert_eq!(chosen(&["--stars", "2-3"]), stars(2..=3));
    assert_eq!(chosen(&["--where", "stars BETWEEN 2 AND 3"]), stars(2..=3));

    let mut ladder = all.clone();
    ladder.sort_by_key(|row| (of(row), row.difficulty));
    assert_eq!(chosen(&["--order", "stars,difficulty"]), ladder);
    ladder.sort_by_key(|row| std::cmp::Reverse(row.plies));
    ladder.truncate(4);
    let longest: Vec<_> = chosen(&["--order", "-plies", "--limit", "4"])
        .iter()
        .map(|row| row.plies)
        .collect();
    assert_eq!(
        longest,
        ladder.iter().map(|row| row.plies).collect::<Vec<_>>()
    );
}

#[test]
fn columns_of_one_s_own_are_asked_for() {
    let folder = mined();
    let here = folder.path();
    let [none, one, other] =
        [0, 1, 2].map(|place| rows(&here.join("kings.csv"))[place].position.clone());
    let csv = format!(
        "game,position,author,rating\n{KINGS},{none},,\n{KINGS},{one},A. Composer,1500\n{KINGS},{other},,900\n"
    );
    // Semicolons and tabs, as spreadsheets write them, do as well.
    for sign in [",", ";", "\t"] {
        fs::write(here.join("own.csv"), csv.replace(',', sign)).unwrap();
        asked_for(here);
    }
}

fn asked_for(here: &Path) {
    let taken = |condition: &str| {
        let args = [
            "export",
            "--puzzles",
            "own.csv",
            "--where",
            condition,
            "-o",
            "o.jsonl",
            "--force",
        ];
        ok(&args, here);
        let text = fs::read_to_string(here.join("o.jsonl")).unwrap();
        let rows = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.map(|row| row["rating"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(taken("rating > 1000"), ["1500"]);
    assert_eq!(taken("author IS NULL"), ["", "900"]);
    assert_eq!(
        taken("author = 'A. Composer' AND outcome <> 'draw'"),
        ["1500"]
    );
}

#[test]
fn decimals_and_large_numbers_of_one_s_own_are_numbers() {
    let folder = mined();
    let here = folder.path();
    let positions = rows(&here.join("ostle.csv"));
    let taken = |cells: [&str; 5], more: &[&str]| {
        let mut csv = "game,position,rating\n".to_owned();
        for (row, cell) in positions.iter().zip(cells) {
            let _ = writeln!(csv, "\"{OSTLE}\",{},{cell}", row.position);
        }
        fs::write(here.join("own.csv"), csv).unwrap();
        let args = ["export", "--puzzles", "own.csv", "-o", "o.csv", "--force"];
        ok(&[&args[..], &["--columns", "rating"], more].concat(), here);
        let text = fs::read_to_string(here.join("o.csv")).unwrap();
        let cells = text.lines().skip(1);
        let cells = cells.map(|cell| cell.trim_matches('"').to_owned());
        cells.collect::<Vec<_>>()
    };
    let cells = ["9.5", "10000000000", "100.25", "", "2"];
    let rising = ["2", "9.5", "100.25", "10000000000", ""];
    assert_eq!(taken(cells, &["--order", "rating"]), rising);
    let above = ["--where", "rating > 9", "--order=-rating"];
    assert_eq!(taken(cells, &above), ["10000000000", "100.25", "9.5"]);
    let some = ["--where", "rating IN (2, 9.5) AND slot >= 0"];
    assert_eq!(taken(cells, &some), ["9.5", "2"]);
    assert_eq!(taken(cells, &["--order", "slot"]).len(), 5);
    // One text makes it a column of texts.
    let cells = ["9.5", "10000000000", "100.25", "", "two"];
    let rising = ["100.25", "10000000000", "9.5", "two", ""];
    assert_eq!(taken(cells, &["--order", "rating"]), rising);
}

#[test]
fn what_cannot_be_chosen_is_refused() {
    let folder = mined();
    let here = folder.path();
    let cases: [(&[&str], &str); 8] = [
        (&["--order", "themes"], "--order: themes have no order"),
        (
            &["--where", "plise < 3"],
            "--where: unknown column 'plise': did you mean plies?",
        ),
        (&["--where", "plies <"], "--where: "),
        (
            &["--where", "quite_another_thing > 0"],
            "unknown column 'quite_another_thing': puzzles have the columns of their file, stars",
        ),
        (
            &["--order", "dificulty"],
            "--order: unknown column 'dificulty'; did you mean 'difficulty'?",
        ),
        (&["--stars", "0"], "give a number from 1 to 5"),
        (&["--stars", "4-2"], "give a number from 1 to 5"),
        (
            &["--table", "ostle.tsj", "--table", "ostle.tsj"],
            "ostle.tsj",
        ),
    ];
    for (more, message) in cases {
        for (command, file) in [("export", "x.csv"), ("book", "x.html")] {
            let mut args = vec![command];
            args.extend(if command == "export" {
                vec!["--puzzles"]
            } else {
                Vec::new()
            });
            args.extend(["kings.csv", "ostle.csv", "-o", file]);
            args.extend(more);
            let said = refused(&args, here);
            assert!(said.contains(message), "{args:?}: {said}");
            assert!(!here.join(file).exists());
        }
    }
    // The table of a game of which no puzzle is taken.
    ok(&["solve", KINGS, "-o", "kings.tsj"], here);
    let ostle = format!("game = '{OSTLE}'");
    let files = ["book", "kings.csv", "ostle.csv", "--table", "kings.tsj"];
    let more = ["--where", &ostle, "--limit", "2", "-o", "ostle.html"];
    ok(&[&files[..], &more[..]].concat(), here);
    // A table that no puzzle asks for, beside puzzles of several games.
    ok(&["solve", "kings:3x3", "-o", "other.tsj"], here);
    let said = refused(
        &[
            "book",
            "kings.csv",
            "ostle.csv",
            "--table",
            "other.tsj",
            "-o",
            "x.pdf",
        ],
        here,
    );
    assert!(said.contains("it is the table of kings:3x3"), "{said}");
    let said = refused(&["book", "kings.csv", "--stars", "5", "-o", "x.pdf"], here);
    assert!(said.contains("no puzzle is left"), "{said}");
    let said = refused(&["export", KINGS, "--stars", "5", "-o", "states"], here);
    assert!(said.contains("--stars is for --puzzles"), "{said}");
}

/// The squares of a board, row by row, of 4x4 boards in one line.
fn squares(position: &str) -> Vec<char> {
    let (board, _) = position.split_once(' ').unwrap();
    let letters = board.chars().flat_map(|sign| match sign.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![sign],
    });
    letters.filter(|&sign| sign != '/').collect()
}

/// The fewest squares that differ between two 4x4 boards, one of them turned and reflected.
fn apart(a: &str, b: &str) -> usize {
    let (a, b) = (squares(a), squares(b));
    let image = |way: usize, place: usize| {
        let (mut row, mut column) = (place / 4, place % 4);
        if way & 1 > 0 {
            row = 3 - row;
        }
        if way & 2 > 0 {
            column = 3 - column;
        }
        if way & 4 > 0 {
            (row, column) = (column, row);
        }
        b[4 * row + column]
    };
    let differ = |way| {
        (0..16)
            .filter(|&place| a[place] != image(way, place))
            .count()
    };
    (0..8).map(differ).min().unwrap()
}

#[test]
fn a_pack_is_diverse() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filter = "name = 'wins'\npredicate = \"outcome = 'win' AND n_best = 1 AND plies BETWEEN 3 AND 23\"\norder = ['plies']\nlimit = 400\n";
    fs::write(here.join("wins.toml"), filter).unwrap();
    let mine = ["mine", OSTLE, "--filter", "wins.toml", "--draw", "0"];
    ok(&[&mine[..], &["-o", "out"]].concat(), here);
    let csv = "out/wins/puzzles.csv";
    let packed = |name: &str, more: &[&str]| {
        let export = ["export", "--puzzles", csv, "--format", "csv", "-o", name];
        ok(&[&export[..], more].concat(), here);
        rows(&here.join(name))
    };
    let whole = rows(&here.join(csv));
    let pack = packed("pack.csv", &["--pack", "16"]);
    assert_eq!(pack.len(), 16);
    let place = |row: &PuzzleRow| whole.iter().position(|one| one.puzzle_id == row.puzzle_id);
    assert!(
        pack.iter().map(place).is_sorted(),
        "in the order of the file"
    );
    for (number, row) in pack.iter().enumerate() {
        for other in &pack[..number] {
            let apart = apart(&row.position, &other.position);
            assert!(apart >= 4, "{} {}: {apart}", row.position, other.position);
        }
    }
    // The first sixteen are all as short as can be.
    let kinds = |rows: &[PuzzleRow]| {
        let lengths = rows.iter().map(|row| row.plies);
        let themes = rows.iter().flat_map(|row| row.themes.split(' '));
        let lengths: std::collections::BTreeSet<_> = lengths.collect();
        let themes: std::collections::BTreeSet<_> = themes.collect();
        lengths.len() + themes.len()
    };
    assert!(kinds(&pack) > kinds(&whole[..16]), "{}", kinds(&pack));
    let far = [
        "export",
        "--puzzles",
        csv,
        "--format",
        "csv",
        "-o",
        "far.csv",
        "--pack",
        "100",
        "--apart",
        "11",
    ];
    let (code, _, told) = says(&far, here);
    let far = rows(&here.join("far.csv"));
    assert!(code == Some(0) && far.len() < 100);
    let expected = format!(
        "the pack has {}, not 100",
        plural(far.len() as u64, "puzzle")
    );
    assert!(told.contains(&expected), "{told}");
    let told = refused(&["book", csv, "-o", "x.pdf", "--apart", "5"], here);
    assert!(told.contains("--pack"), "{told}");
    // Quotas: more with a theme than the diverse choice has, and four with another.
    let with = |rows: &[PuzzleRow], theme: &str| {
        let rows = rows.iter();
        rows.filter(|row| row.themes.contains(theme)).count()
    };
    let wanted = with(&pack, "self-block") + 3;
    let quota = format!("{wanted}:theme_self_block");
    let asked = [
        "--pack",
        "16",
        "--quota",
        &quota,
        "--quota",
        "4:theme_ban_win",
    ];
    let filled = packed("quotas.csv", &asked);
    assert_eq!(filled.len(), 16);
    assert!(with(&filled, "self-block") >= wanted);
    assert!(with(&filled, "ban-win") >= 4);
    for (quota, expected) in [
        ("17:plies = 3", "the pack has room for"),
        ("2:plies > 900", ": 0 of "),
        (
            "x:plies = 3",
            "a number and a condition, such as 5:plies <= 7",
        ),
        ("3:pies = 3", "--quota: "),
    ] {
        let args = ["book", csv, "-o", "x.pdf", "--pack", "16", "--quota", quota];
        let told = refused(&args, here);
        assert!(told.contains(expected), "{told}");
    }
}

/// Of puzzles with one solution, the first in the order that is asked for stays, of those that fulfil
/// the condition.
#[test]
fn repeats_are_left_out_of_what_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filter = "name = 'all'\npredicate = \"outcome = 'win'\"\nstates = 'all'\n";
    fs::write(here.join("all.toml"), filter).unwrap();
    let game = "ostle:3x3,pieces=2,losses=2";
    let mine = ["mine", game, "--filter", "all.toml", "--draw", "0"];
    ok(&[&mine[..], &["-o", "out"]].concat(), here);
    let export = |from: &str, to: &str, options: &[&str]| {
        let export = ["export", "--puzzles", from, "-o", to];
        ok(&[&export[..], options].concat(), here);
        rows(&here.join(to))
    };
    let all = "out/all/puzzles.csv";
    let choice = ["--where", "n_moves <= 8", "--order=-score"];
    let once = export(all, "once.csv", &[&choice[..], &["--distinct"]].concat());
    export(all, "chosen.csv", &choice);
    let twice = export("chosen.csv", "twice.csv", &["--distinct"]);
    assert!(
        !once.is_empty() && once == twice,
        "{} {}",
        once.len(),
        twice.len()
    );
    let few = [&choice[..], &["--distinct", "--limit", "5"]].concat();
    assert_eq!(export(all, "few.csv", &few), once[..5]);
}

#[test]
fn more_problems_than_a_book_has_are_refused_early() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filter = "name = 'f'\ntext = ''\npredicate = \"plies > 0\"\n";
    fs::write(here.join("f.toml"), filter).unwrap();
    for (size, name) in [("rows=4,columns=3", "a"), ("rows=3,columns=4", "b")] {
        let game = format!("ostle:{size},pieces=2,losses=2");
        let mine = ["mine", &game, "--filter", "f.toml", "--draw", "0"];
        ok(&[&mine[..], &["-o", name]].concat(), here);
    }
    let begun = Instant::now();
    let puzzles = ["a/f/puzzles.csv", "b/f/puzzles.csv"];
    let book = [&["book"], &puzzles[..], &["-o", "b.html"]].concat();
    let deck = [&["export", "--puzzles"], &puzzles[..], &["-o", "d.apkg"]].concat();
    for (command, kind) in [(book, "book"), (deck, "deck")] {
        let message = refused(&command, here);
        let counts = format!("a {kind} has at most 10,000 problems, and these are more");
        assert!(message.contains(&counts), "{message}");
    }
    assert!(begun.elapsed() < Duration::from_mins(1));
    assert!(!here.join("b.html").exists() && !here.join("d.apkg").exists());
}
