//! Templates of books: languages and house styles.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use tesuji::analysis::THEMES;
use tesuji::book::Template;
use tesuji::mine::titled;
use tesuji::session::Options;

use crate::common::page_data;
use crate::common::program::{ok, refused};

const ROWS: &str = "game,position\n\"ostle:4x4,pieces=3,losses=2\",1b2/ww2/o1b1/b3 b -\n";

const HOUSE: &str = r#"
[solutions]
run-in = true

[texts]
"{side} to move and win in {n}" = "{n} plies, {side}"
"Black" = "Ebony"
"The first move is {move}." = "Begin with {move}."

[moves.ostle]
D = "v"
"#;

/// The data of a page of the puzzles in a file.
fn page(here: &Path, template: &str) -> Value {
    fs::write(here.join("rows.csv"), ROWS).unwrap();
    let args = [
        "book",
        "rows.csv",
        "-o",
        "page.html",
        "--force",
        "--template",
        template,
    ];
    ok(&args, here);
    page_data(&fs::read_to_string(here.join("page.html")).unwrap())
}

/// The words of a solution.
fn solution(puzzle: &Value) -> String {
    let words = puzzle["solution"].as_array().unwrap().iter();
    let words = words.map(|part| part.as_str().or_else(|| part[0].as_str()).unwrap());
    words.collect()
}

#[test]
fn hints_lead_to_the_first_move_in_three_steps() {
    const LINE: &str = "tictactoe,oo./x../.x.";
    const PLACED: &str = "kings:5x6,__.___/__.___/....__/....__/......";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let hints = |rows: &str, template: &[&str]| {
        fs::write(here.join("rows.csv"), format!("game,position\n{rows}\n")).unwrap();
        let book = ["book", "rows.csv", "-o", "page.html", "--force"];
        ok(&[&book[..], template].concat(), here);
        let book = page_data(&fs::read_to_string(here.join("page.html")).unwrap());
        let hints = book["puzzles"][0]["hints"].as_array().unwrap().clone();
        hints
            .iter()
            .map(|hint| hint.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    // Without men that move, a wrong move stands beside the right one.
    for (row, first) in [
        (LINE, "The first move is not quiet."),
        (PLACED, "1 of 16 moves wins."),
    ] {
        let found = hints(row, &[]);
        assert!(found.len() == 3 && found[0].starts_with(first), "{found:?}");
        let key = found[2].strip_prefix("The first move is ").unwrap();
        let key = key.strip_suffix('.').unwrap();
        assert!(
            found[1].contains(" or ") && found[1].contains(key),
            "{found:?}"
        );
    }
    let german = hints(LINE, &["--template", "german"]);
    assert_eq!(german[0], "Der erste Zug ist nicht still.");
    assert!(german[1].contains(" oder "), "{german:?}");
}

/// The wrong move of a second hint is another one in other positions, and the right one is now
/// the first and now the second.
#[test]
fn second_hints_do_not_give_the_key_away() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let positions = [
        "...../...../...../...../.....",
        ".___./.___./...../.___./.___.",
        ".____/.____/.___./...../.....",
        "...__/...__/...../...../.....",
        "_____/_____/..___/...../.....",
        ".____/.____/...__/.___./.___.",
        ".____/_____/__.__/__.__/.....",
    ];
    let rows: String = positions.map(|it| format!("kings:5x5,{it}\n")).concat();
    fs::write(here.join("rows.csv"), format!("game,position\n{rows}")).unwrap();
    ok(&["book", "rows.csv", "-o", "page.html"], here);
    let book = page_data(&fs::read_to_string(here.join("page.html")).unwrap());
    let (mut decoys, mut places) = (BTreeSet::new(), BTreeSet::new());
    for (puzzle, position) in book["puzzles"].as_array().unwrap().iter().zip(positions) {
        let hint = |step: usize| {
            let hint = puzzle["hints"][step].as_str().unwrap();
            let moves = hint.strip_prefix("The first move is ").unwrap();
            moves.strip_suffix('.').unwrap().to_owned()
        };
        let (both, key) = (hint(1), hint(2));
        let both: Vec<_> = both.split(" or ").collect();
        assert!(both.len() == 2 && both.is_sorted(), "{both:?}");
        let place = both.iter().position(|mv| *mv == key).unwrap();
        places.insert(place);
        decoys.insert(both[1 - place].to_owned());
        let probed = ok(&["probe", "kings:5x5", position, "--json"], here);
        let probed: Value = serde_json::from_str(&probed).unwrap();
        let moves = probed["moves"].as_array().unwrap();
        let decoy = moves.iter().find(|it| it["move"] == both[1 - place]);
        assert_eq!(decoy.unwrap()["outcome"], "loss", "{position}");
    }
    assert!(decoys.len() > 2 && places.len() == 2, "{decoys:?}");
}

#[test]
fn a_page_is_in_german() {
    let here = tempfile::tempdir().unwrap();
    let book = page(here.path(), "german");
    let puzzle = &book["puzzles"][0];
    assert_eq!(puzzle["task"], "Schwarz am Zug gewinnt in 3");
    assert_eq!(
        puzzle["hints"][0],
        "Themen: Gewinn durch Verbot, Hinlenkung."
    );
    assert_eq!(puzzle["hints"][1], "Es beginnt: schwarzer Stein auf b4.");
    assert_eq!(puzzle["hints"][2], "Der erste Zug ist b4↓.");
    assert_eq!(book["subtitle"], "1 Aufgabe mit Lösung");
    let told = solution(puzzle);
    assert!(told.contains("1.b4↓! a3↑,a3→ 2.c2←"), "{told}");
    assert!(told.contains("aber 1.a1→? b3↑! (remis)"), "{told}");
    assert!(told.contains("Satzspiel (Weiß am Zug): remis"), "{told}");
    let html = fs::read_to_string(here.path().join("page.html")).unwrap();
    assert!(html.contains("<html lang=\"de\">"));
    assert!(html.contains("<summary>Die Spielregeln</summary>"));
    assert!(html.contains("<dt>Das Loch</dt>"));
}

/// Words that occur in what the program says in English and in no translation.
const ENGLISH: [&str; 16] = [
    " the ", "The ", " to move", " win in", " plies", " moves", "but ", "also ", "set play",
    " loss", "Theme:", "begins", "piece", "solver", "Black", "White",
];

#[test]
fn nothing_of_ostle_or_chess_stays_english() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let mined = ["--limit", "3", "--draw", "0", "--output"];
    let sets = [
        ("ostle:4x4,pieces=3,losses=2", "easy"),
        ("ostle:4x4,pieces=3,losses=2", "mutual-zugzwang"),
        ("ostle:4x4,pieces=3,losses=2", "only-move-draw"),
        ("chess:KQ-KR", "hard"),
    ];
    for (game, filter) in sets {
        let mine = ["mine", game, "--filter", filter];
        ok(&[&mine[..], &mined[..], &["out"]].concat(), here);
    }
    let files = sets.map(|(_, filter)| format!("out/{filter}/puzzles.csv"));
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    for template in ["german", "japanese"] {
        let more = [
            "-o",
            "all.html",
            "--force",
            "--solutions",
            "full",
            "--template",
            template,
        ];
        ok(&[&["book"], &files[..], &more[..]].concat(), here);
        let book = page_data(&fs::read_to_string(here.join("all.html")).unwrap());
        let mut texts: Vec<String> = Vec::new();
        let mut add = |value: &Value| texts.push(value.to_string());
        for name in ["subtitle", "notes", "themes", "legend"] {
            add(&book[name]);
        }
        for puzzle in book["puzzles"].as_array().unwrap() {
            for name in [
                "task", "side", "other", "themes", "hints", "solution", "grade",
            ] {
                add(&puzzle[name]);
            }
        }
        for text in texts {
            let text = text.replace("\"dark\"", "").replace("\"light\"", "");
            // Notes name the game that they are about.
            let text = text.replace("pieces: 3, losses: 2", "");
            let english = ENGLISH.iter().find(|word| text.contains(**word));
            assert!(english.is_none(), "{template}: {english:?} in {text}");
        }
    }
}

/// The texts of a template, each with what is said instead.
/// Short patterns such as `{piece} on {square}` fit no sentence of other games' rules.
#[test]
fn no_sentence_is_in_two_languages() {
    for spec in [
        "ostle:4x4,pieces=3,losses=2",
        "chess:KP-K",
        "dobutsu:pieces=lion+chick",
        "tsuitate",
        "kings:3x3",
        "hexapawn",
        "tictactoe",
        "three-mens-morris",
    ] {
        let session = Options::new().open(spec).unwrap();
        let problems = session.problems().unwrap();
        let rules = problems.rules().unwrap().into_iter();
        let rules = rules.flat_map(|rule| [rule.title, rule.text]);
        let is_whole = spec == "tsuitate" || spec.starts_with("ostle");
        for text in rules.chain(problems.notes()) {
            // Where the far rank is won, no man stays before it.
            assert!(spec != "hexapawn" || !text.contains("stays on"), "{text}");
            let threes = |text: &str| {
                let words: Vec<_> = text.split(' ').collect();
                let threes = words.windows(3).map(|three| three.join(" "));
                threes.collect::<BTreeSet<_>>()
            };
            for name in ["german", "japanese"] {
                let said = Template::shipped(name).unwrap().text(&text);
                let mixed = !threes(&text).is_disjoint(&threes(&said));
                assert!(said == text || !mixed, "{spec}, {name}: {said}");
                // Some words are the same in German.
                assert!(
                    said != text || !is_whole || ["Fouls", "Notation"].contains(&&*text),
                    "{name}: {text}"
                );
                assert!(!said.contains("。 "), "{said}");
            }
        }
    }
    let german = Template::shipped("german").unwrap();
    for (text, said) in [
        ("Sente hen on a4", "Sentes Henne auf a4"),
        ("Gote chick, 2 in hand", "Gotes Küken, 2 in der Hand"),
        ("a man or a drop on one", "a man or a drop on one"),
        (
            "It may go there. White wins.",
            "It may go there. White wins.",
        ),
        ("decoy, no such theme", "decoy, no such theme"),
        ("decoy, echo", "Hinlenkung, Echo"),
        (
            "Black to move and win in 3 with 1 foul allowed",
            "Schwarz am Zug gewinnt in 3, 1 Foul erlaubt",
        ),
        ("2.S*2b in 8 positions", "2.S*2b in 8 Stellungen"),
        ("foul 2.R*1d", "Foul 2.R*1d"),
        ("foul 2.R*1d mate", "Foul 2.R*1d matt"),
        ("foul 2.R*1d in 3 positions", "Foul 2.R*1d in 3 Stellungen"),
        (
            "foul 4.G*2b in 7 positions mate",
            "Foul 4.G*2b in 7 Stellungen matt",
        ),
        (
            "Next player to move and win in 5",
            "Die Seite am Zug gewinnt in 5",
        ),
    ] {
        assert_eq!(german.text(text), said);
    }
}

/// What stands beside a board, and what an umpire says, is translated.
#[test]
fn hands_and_fouls_are_in_the_language_of_the_book() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let rows = "game,position\ntsuitate,7k1/9/6P2/9/9/9/9/9/9 b RB2GL 1\n";
    fs::write(here.join("rows.csv"), rows).unwrap();
    for (template, rest, foul) in [
        (
            "german",
            "in der Hand: der Rest",
            "Foul 4.G*2b in 7 Stellungen matt",
        ),
        ("japanese", "持駒 残り全部", "反則 4.G*2b（7局面）詰み"),
    ] {
        let book = [
            "book",
            "rows.csv",
            "-o",
            "page.html",
            "--force",
            "--template",
        ];
        ok(&[&book[..], &[template]].concat(), here);
        let book = page_data(&fs::read_to_string(here.join("page.html")).unwrap());
        let puzzle = &book["puzzles"][0];
        assert_eq!(puzzle["stands"][1][1], rest);
        assert!(solution(puzzle).contains(foul), "{}", solution(puzzle));
        assert!(!solution(puzzle).contains("foul"), "{}", solution(puzzle));
    }
}

fn texts(name: &str) -> toml::Table {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/book/templates/{name}.toml"));
    let file: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    file["texts"].as_table().unwrap().clone()
}

#[test]
fn shipped_templates_have_the_same_texts_and_all_of_the_page() {
    let (german, japanese) = (texts("german"), texts("japanese"));
    let keys = |table: &toml::Table| table.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&german), keys(&japanese));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book/web/page.html");
    let page = fs::read_to_string(page).unwrap();
    let body = page.split_once("<section id=\"gallery\"").unwrap().1;
    let body = body.split_once("<script").unwrap().0;
    let mut seen = 0;
    for text in body.split('>').skip(1) {
        let text = text.split('<').next().unwrap().trim();
        let text = text.replace("&larr;", "←").replace("&rarr;", "→");
        if text.starts_with("{{") || !text.contains(char::is_alphabetic) {
            continue;
        }
        seen += 1;
        assert!(german.contains_key(&text), "no translation of '{text}'");
    }
    assert!(seen > 25);
}

#[test]
fn shipped_templates_have_all_headings_themes_and_sides() {
    let japanese = Template::shipped("japanese").unwrap();
    for (text, said) in [
        ("Sente to move and mate in 5", "先手番、5手で詰み"),
        ("Gote to move", "後手の手番"),
        ("Sente hen on a4", "a4の先手のニワトリ"),
        ("Themes: decoy, echo.", "主題：誘い出し、エコー。"),
        ("decoy, no such theme", "decoy, no such theme"),
    ] {
        assert_eq!(japanese.text(text), said);
    }
    let filters = Path::new(env!("CARGO_MANIFEST_DIR")).join("filters");
    let files = |folder: &Path| {
        let files = fs::read_dir(folder).into_iter().flatten();
        files.map(|file| file.unwrap().path())
    };
    let filters = files(&filters).flat_map(|folder| files(&folder));
    let names = filters.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let headings = names.map(|name| titled(&name));
    // Of solutions with fouls.
    let themes = "needs foul|needs fouls|foul off the line|informing foul|nothing left".split('|');
    let themes = themes.map(ToOwned::to_owned);
    let known = THEMES.iter().map(|theme| theme.name.replace('-', " "));
    let all: Vec<_> = headings.chain(themes).chain(known).collect();
    assert!(all.len() > 80, "{all:?}");
    for text in all {
        assert_ne!(japanese.text(&text), text);
    }
}

#[test]
fn a_house_style_changes_what_it_names() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("house.toml"), HOUSE).unwrap();
    let book = page(here.path(), "house.toml");
    let puzzle = &book["puzzles"][0];
    assert_eq!(puzzle["task"], "3 plies, Ebony");
    assert_eq!(puzzle["hints"][2], "Begin with b4v.");
    assert!(solution(puzzle).contains("set play (White to move): draw"));
    let args = [
        "book",
        "rows.csv",
        "-o",
        "book.pdf",
        "--template",
        "house.toml",
    ];
    ok(&args, here.path());
}

#[test]
fn moves_of_chess_have_figurines_and_diagrams_lead_to_a_board_on_the_web() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let rows = "game,position\nchess:KP-K,k7/3K4/1P6/8/8/8/8/8 w - -\n";
    fs::write(here.join("rows.csv"), rows).unwrap();
    let links = "[links]\nchess = \"https://example.org/{position}?colour=white\"\n";
    fs::write(here.join("links.toml"), links).unwrap();
    let book = |template: &str, output: &str| {
        let template = ["--template", template, "--force"];
        ok(
            &[&["book", "rows.csv", "-o", output][..], &template].concat(),
            here,
        );
        fs::read(here.join(output)).unwrap()
    };
    let data = |html: Vec<u8>| page_data(&String::from_utf8(html).unwrap());
    let figurines = data(book("figurines", "page.html"));
    let puzzle = &figurines["puzzles"][0];
    assert!(solution(puzzle).contains("1.♔c6!"), "{}", solution(puzzle));
    assert_eq!(puzzle["link"], Value::Null);
    assert_eq!(puzzle["task"], "White to move and mate in 6");
    // They are in another font of the program.
    let pdf = book("figurines", "book.pdf");
    let font = b"DejaVuSansMono";
    assert!(pdf.windows(font.len()).any(|part| part == font));
    let address = "https://example.org/k7/3K4/1P6/8/8/8/8/8_w_-_-?colour=white";
    let linked = data(book("links.toml", "page.html"));
    assert_eq!(linked["puzzles"][0]["link"], address);
    assert!(solution(&linked["puzzles"][0]).contains("1.Kc6!"));
    let pdf = book("links.toml", "book.pdf");
    assert!(
        pdf.windows(address.len())
            .any(|part| part == address.as_bytes())
    );
}

#[test]
fn what_stands_for_a_placeholder_is_no_placeholder() {
    let template = "[texts]\n\"{a} and {b}\" = \"{b} und {a}\"\n";
    let template = tesuji::book::Template::parse(template, "t").unwrap();
    assert_eq!(template.text("x {b} and y {a}"), "y {a} und x {b}");
}

#[test]
fn templates_that_cannot_be_used_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    fs::write(here.join("rows.csv"), ROWS).unwrap();
    for (text, expected) in [
        (
            "[texts]\n\"win in {n}\" = \"{m}\"\n",
            "has no {m}, which '{m}' asks for",
        ),
        (
            "[texts]\n\"{a}{b}\" = \"x\"\n",
            "two need something between them",
        ),
        // It would be put into itself once for each word of a text.
        (
            "[texts]\n\"{a} {b}\" = \"{b}{a}{b}\"\n",
            "each placeholder once",
        ),
        (
            "[texts]\n\"win {\" = \"x\"\n",
            "a placeholder is a name in braces",
        ),
        (
            "[solutions]\ncolumns = 9\n",
            "solutions.columns is 1, 2 or 3",
        ),
        ("[layout]\n", "unknown field `layout`"),
        (
            "[links]\nchess = \"javascript:alert({position})\"\n",
            "links.chess: give an address",
        ),
    ] {
        fs::write(here.join("odd.toml"), text).unwrap();
        let args = [
            "book",
            "rows.csv",
            "-o",
            "odd.pdf",
            "--template",
            "odd.toml",
        ];
        let told = refused(&args, here);
        assert!(
            told.contains("odd.toml: ") && told.contains(expected),
            "{told}"
        );
        assert!(!here.join("odd.pdf").exists());
    }
    let told = refused(
        &["book", "rows.csv", "-o", "odd.pdf", "--template", "french"],
        here,
    );
    assert!(
        told.contains("there are figurines, german and japanese"),
        "{told}"
    );
    // No font of the program has Japanese letters, which is told before the work.
    let told = refused(
        &[
            "book",
            "rows.csv",
            "-o",
            "odd.pdf",
            "--template",
            "japanese",
        ],
        here,
    );
    assert!(told.contains("--font FILE"), "{told}");
}
