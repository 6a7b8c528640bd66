//! Games with hidden information through the program: answers, trees, mining, refusals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::common::program::{ok, refused, says};
use crate::common::{files, golden};

pub const M3: &str = "5S2k/9/8P/9/9/9/9/9/9 b BS 1";

fn probed(args: &[&str], folder: &Path) -> Json {
    serde_json::from_str(&ok(args, folder)).unwrap()
}

#[test]
fn printed_answers_are_the_golden_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    golden("cli/tsuitate-probe.txt", &ok(&["probe", "tsuitate"], here));
    golden(
        "cli/tsuitate-probe.json",
        &ok(&["probe", "tsuitate", M3, "--json"], here),
    );
    golden(
        "cli/tsuitate-solution.txt",
        &ok(&["solution", "tsuitate", "initial"], here),
    );
    golden(
        "cli/tsuitate-features.txt",
        &ok(&["features", "tsuitate"], here),
    );
}

#[test]
fn a_probe_answers_in_all_modes_within_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for mode in ["fast", "reference", "proof-number"] {
        let args = [
            "probe", "tsuitate", M3, "--json", "--depth", "5", "--fouls", "1", "--mode", mode,
        ];
        let answer = probed(&args, here);
        assert_eq!(answer["plies"], 3);
        assert_eq!(answer["fouls_allowed"], 1);
        assert_eq!(answer["fouls_in_line"], 1);
        assert_eq!(answer["key"], "B*3c");
        let line = ["B*3c", "-", "S*2b(foul)", "S*1b"];
        assert_eq!(answer["line"], Json::from(line.to_vec()));
        assert_eq!(answer["uniqueness"]["every_move"], true);
    }
    // Without a foul it takes longer, and that is a cook of another kind.
    let none = probed(
        &[
            "probe", "tsuitate", M3, "--json", "--depth", "3", "--fouls", "0",
        ],
        here,
    );
    assert_eq!(none["solved"], false);
    assert!(none["plies"].is_null());
    let text = ok(
        &["probe", "tsuitate", M3, "--fouls", "0", "--depth", "1"],
        here,
    );
    assert!(text.contains("no solution within 1 ply with 0 fouls allowed"));
}

#[test]
fn a_solution_branches_on_fouls_and_on_captures() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = ok(&["solution", "tsuitate", "initial"], here);
    // The king takes the silver on 1e, or the rook on 2c, or the drop there is a foul.
    for part in ["xR x1e 2.", "xR - 2.R*2c", "x2c 3.", "foul 2.", "mate"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let answer = probed(&["solution", "tsuitate", "initial", "--json"], here);
    let nodes = answer["nodes"].as_array().unwrap();
    assert_eq!(nodes[0]["move"], "2d1e");
    let heard: Vec<_> = nodes[0]["stands"][0]["replies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| reply["heard"].as_str().unwrap())
        .collect();
    assert_eq!(heard, ["-", "x1e"]);
    assert!(nodes.iter().any(|node| node["foul"].is_u64()));
    let cut = ok(&["solution", "tsuitate", "initial", "--nodes", "3"], here);
    assert!(cut.contains("..."));
}

#[test]
fn problems_are_drawn_and_bound() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let svg = ok(
        &["draw", "tsuitate", M3, "--stipulation", "Mate in 3"],
        here,
    );
    // Black: a silver and a pawn; in hand a bishop and a silver. White: the king.
    let words = "Black: S4a, P1c; in hand B, S. White: K1a; in hand the rest.";
    assert!(svg.contains(words), "{svg}");
    assert!(svg.contains("Mate in 3"));
    golden(
        "cli/tsuitate-tree.svg",
        &ok_file(
            &["solution", "tsuitate", M3, "--tree", "tree.svg"],
            here,
            "tree.svg",
        ),
    );
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/tsuitate/best/puzzles.csv");
    fs::copy(sample, here.join("p.csv")).unwrap();
    ok(&["draw", "--puzzles", "p.csv", "-o", "pictures"], here);
    assert_eq!(files(&here.join("pictures")).len(), 10);
    ok(&["book", "p.csv", "-o", "b.html"], here);
    let page = fs::read_to_string(here.join("b.html")).unwrap();
    assert!(page.contains("B*3a") && page.contains("positions look alike"));
    ok(&["book", "p.csv", "-o", "b.pdf"], here);
    assert!(fs::read(here.join("b.pdf")).unwrap().starts_with(b"%PDF"));
    // A row that was edited.
    let text = fs::read_to_string(here.join("p.csv")).unwrap();
    fs::write(
        here.join("p.csv"),
        text.replacen(",win,7,6,", ",win,9,8,", 1),
    )
    .unwrap();
    let message = refused(&["book", "p.csv", "-o", "c.pdf"], here);
    assert!(
        message.contains("p.csv, row 1: ")
            && message.contains("the row says mate in 9 plies, but 7 are enough"),
        "{message}"
    );
    fs::write(
        here.join("p.csv"),
        text.replacen(",win,7,6,", ",win,5,4,", 1),
    )
    .unwrap();
    let message = refused(&["book", "p.csv", "-o", "c.pdf"], here);
    assert!(message.contains("no mate in 5 plies"), "{message}");
    assert!(!here.join("c.pdf").exists());
}

/// The file that a run writes.
fn ok_file(args: &[&str], folder: &Path, name: &str) -> String {
    ok(args, folder);
    fs::read_to_string(folder.join(name)).unwrap()
}

/// What `play` prints for these lines of input.
fn played(args: &[&str], lines: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let script = lines.join("\n") + "\n";
    let mut input = child.stdin.take().unwrap();
    // The program may end before it has read all.
    let _ = input.write_all(script.as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_umpire_holds_out_as_long_as_the_solution_says() {
    // The solution of the sample, in which the umpire answers so that it takes nine plies;
    // the drop on 2c could also be a foul, but that would be shorter.
    let line = ["2d1e", "R*2c", "3d1d", "1d2d", "2d2b+"];
    let text = played(&["play", "tsuitate"], &line);
    assert!(text.contains("win in 9 plies, 1 foul allowed"), "{text}");
    assert!(text.contains("2d1exR: check. White replies -."), "{text}");
    assert!(text.contains("positions look alike"), "{text}");
    assert!(text.contains("2d2b+: mate. You win."), "{text}");
    // A foul, then the mate that it leaves.
    let args = ["play", "tsuitate", M3];
    let text = played(&args, &["B*3c", "S*2b", "S*1b"]);
    assert!(text.contains("S*2b: foul. 0 fouls left."), "{text}");
    assert!(text.contains("S*1b: mate. You win."), "{text}");
    // The other way round the umpire finds a position in which it fails.
    let text = played(&args, &["B*3c", "S*1b"]);
    assert!(
        text.contains("S*1b: check, but no mate, and no ply is left. White wins."),
        "{text}"
    );
    // After both moves Black has no check.
    let args = [
        "play",
        "tsuitate",
        "8k/9/8P/9/9/9/9/9/9 b G 1",
        "--depth",
        "7",
        "--fouls",
        "1",
    ];
    let text = played(&args, &["1c1b", "G*2a", "quit"]);
    assert!(
        text.ends_with(". Black has no try left. White wins.\n"),
        "{text}"
    );
    let args = ["play", "tsuitate", M3];
    for back in ["back", "undo"] {
        let text = played(&args, &["B*3c", "hint", back, "hint", "quit"]);
        assert!(text.contains("S*2b, 1 ply"), "{text}");
        assert!(text.contains("B*3c, 3 plies"), "{text}");
    }
    for args in [&args[..], &["play", "tictactoe"]] {
        let text = played(args, &["help", "undo", "quit"]);
        assert_eq!(text.matches("'moves' lists them").count(), 2, "{text}");
        assert!(text.contains("nothing to take back") && !text.contains("invalid"));
    }
}

#[test]
fn the_umpire_refuses_what_is_no_try() {
    let args = ["play", "tsuitate", M3, "--depth", "7"];
    let lines = [
        "1c1d", "1a1b", "4a3b", "S*9i", "x", "moves", "back", "P*1b", "quit",
    ];
    let text = played(&args, &lines);
    assert!(text.contains("win in 7 plies"), "{text}");
    // Nor are moves of White's king, which is in plain sight.
    for mv in ["1c1d", "1a1b"] {
        let told = format!("{mv} is not possible with your own pieces");
        assert!(text.contains(&told), "{text}");
    }
    assert!(text.contains("S*9i gives no check"), "{text}");
    assert!(
        text.contains("'moves' lists them, 'hint' shows the best one"),
        "{text}"
    );
    assert!(text.contains("B*3c"), "{text}");
    assert!(text.contains("nothing to take back"), "{text}");
    assert!(!text.contains("wins"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let second = ["play", "tsuitate", M3, "--second"];
    let message = refused(&second, folder.path());
    assert!(message.contains("both sides see everything"), "{message}");
    let mode = ["play", "tsuitate", M3, "--mode", "fast"];
    let message = refused(&mode, folder.path());
    assert!(message.contains("is for 'tesuji probe'"), "{message}");
    let duplicates = ["probe", "tsuitate", M3, "--duplicates"];
    let message = refused(&duplicates, folder.path());
    assert!(message.contains("is for --mode reference"), "{message}");
    let depth = ["play", "kings:3x3", "--depth", "3"];
    let message = refused(&depth, folder.path());
    assert!(message.contains("hidden information"), "{message}");
}

#[test]
fn what_does_not_apply_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for command in ["solve", "stats", "reach", "export", "compose"] {
        let args = match command {
            "compose" => vec![command, "tsuitate", "x", "--where", "plies = 1"],
            "export" => vec![command, "tsuitate", "--output", "states"],
            _ => vec![command, "tsuitate"],
        };
        let message = refused(&args, here);
        assert!(
            message.contains("is a game with hidden information: it has no "),
            "{command}: {message}"
        );
    }
    for args in [
        &["perft", "tsuitate", "initial", "2"][..],
        &["twins", "tsuitate", M3],
        &["path", "tsuitate", M3, M3],
    ] {
        let message = refused(args, here);
        assert!(
            message.contains("is a game with hidden information: it has no "),
            "{args:?}: {message}"
        );
    }
}

/// The shortest solution of this problem, by its source, has three plies and needs one foul.
#[test]
fn a_problem_is_checked_against_its_stipulation() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = ok(&["check", "tsuitate", M3], here);
    for line in [
        "stipulation  win in 3 with 1 foul allowed\n",
        "verdict      sound (no duals)\n",
        "solved by    B*3c (win in 3)\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // The tree as 'solution' prints it.
    let tree = ok(&["solution", "tsuitate", M3], here);
    let tree = &tree[tree.find("1.B*3c").unwrap()..];
    assert!(said.ends_with(tree), "{said}");
    // Two checks mate here at once: the rook's by the file, the gold's beside the promoted knight.
    let cooked = "9/k1+N6/1l7/G8/9/9/9/9/9 b R2BG 1";
    for (position, asked, verdict) in [
        (M3, "mate in 3", "sound ("),
        (
            M3,
            "Black to move and WIN in 3 with one foul allowed.",
            "sound (",
        ),
        (M3, "win", "sound ("),
        (M3, "win in 5", "not sound: distance mismatch"),
        (
            M3,
            "win in 3 with no fouls allowed",
            "not sound: distance mismatch",
        ),
        (
            M3,
            "win in 1",
            "not sound: distance mismatch\nsolved by    none",
        ),
        (
            M3,
            "win in 3 with 2 fouls allowed",
            "not sound: other number of fouls",
        ),
        (
            M3,
            "win in 3 with 0 fouls allowed",
            "not sound: distance mismatch",
        ),
        (M3, "draw", "not sound: other outcome"),
        (
            cooked,
            "win in 1",
            "not sound: cooked\nsolved by    R*9c (win in 1), G*8b",
        ),
    ] {
        let (code, said, _) = says(
            &["check", "tsuitate", position, "--stipulation", asked],
            here,
        );
        let is_unsound = verdict.starts_with("not");
        assert_eq!(code, Some(i32::from(is_unsound)), "{asked}: {said}");
        assert!(
            said.contains(&format!("verdict      {verdict}")),
            "{asked}: {said}"
        );
    }
    for (args, part) in [
        (
            ["--stipulation", "White to move and win"],
            "Black is to move",
        ),
        (["--stipulation", "win with ease"], "win with ease"),
        (
            ["--stipulation", "win in 3 with 9 fouls allowed"],
            "at most 99 plies and 8 fouls",
        ),
        (
            ["--stipulation", "win in 101"],
            "at most 99 plies and 8 fouls",
        ),
        (["--solutions", "main"], "leave it out"),
    ] {
        let message = refused(&[&["check", "tsuitate", M3][..], &args].concat(), here);
        assert!(message.contains(part), "{args:?}: {message}");
    }
    let report = probed(&["check", "tsuitate", M3, "--json"], here);
    assert_eq!(report["soundness"], "dualFreeTree");
    assert_eq!(report["solution"]["plies"], 3);
}

#[test]
fn rows_of_several_games_are_checked_together() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = format!(
        "game,position,stipulation\n\
         tsuitate,{M3},win in 3\n\
         \"ostle:3x3,pieces=2,losses=2\",1b1/w1w/1ob b -,lose\n\
         tsuitate,{M3},win in 7\n\
         tsuitate,{M3},a pretty one\n\
         tsuitate,{M3},win in 101\n\
         tsuitate,{M3},win in 3 with 9 fouls allowed\n"
    );
    fs::write(here.join("mixed.csv"), rows).unwrap();
    let (code, said, _) = says(&["check", "--puzzles", "mixed.csv"], here);
    assert_eq!(code, Some(1), "{said}");
    let deep = format!("game,position,stipulation\ntsuitate,{M3},win in 101\n");
    fs::write(here.join("deep.csv"), deep).unwrap();
    for command in [
        &["export", "--puzzles", "deep.csv", "-o", "out.csv"][..],
        &["book", "deep.csv", "-o", "out.html"],
    ] {
        let told = refused(command, here);
        assert!(
            told.contains("row 1: 'win in 101' is not searched"),
            "{told}"
        );
    }
    let lines: Vec<_> = said.lines().collect();
    for (line, verdict) in lines.iter().zip([
        "   1  sound (no duals)",
        "   2  not sound: other outcome",
        "   3  not sound: distance mismatch",
        "   4  not checked: ",
        "   5  not checked: 'win in 101' is not searched",
        "   6  not checked: 'win in 3 with 9 fouls allowed' is not searched",
        "1 of 6 sound, 3 not checked",
    ]) {
        assert!(line.starts_with(verdict), "{said}");
    }
}

/// Also those for which fewer fouls were allowed than a shorter mate needs.
#[test]
fn mined_problems_are_sound_until_they_are_edited() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("any.toml"),
        "name = 'any'\ntitle = ''\ntext = ''\npredicate = 'n_keys = 1 AND plies > 1'\n",
    )
    .unwrap();
    let args = [
        "mine",
        "tsuitate",
        "--from",
        M3,
        "--positions",
        "300",
        "--fouls",
        "0",
        "--depth",
        "5",
        "--filter",
        "any.toml",
        "--draw",
        "0",
        "-o",
        "finds",
    ];
    ok(&args, here);
    let path = "finds/any/puzzles.csv";
    let said = ok(&["check", "--puzzles", path], here);
    assert!(said.lines().count() > 10, "{said}");
    ok(&["book", path, "--strict", "-o", "book.html"], here);
    let rows = fs::read_to_string(here.join(path)).unwrap();
    let (head, first) = rows.split_once('\n').unwrap();
    let first = first.lines().next().unwrap();
    let cells: Vec<_> = first.split(',').collect();
    for (column, other, fault) in [
        ("plies", "9", "distance mismatch"),
        ("key", "1a1b", "other key"),
        ("outcome", "draw", "other outcome"),
    ] {
        let place = head.split(',').position(|name| name == column).unwrap();
        let mut cells = cells.clone();
        cells[place] = other;
        fs::write(
            here.join("edited.csv"),
            format!("{head}\n{}\n", cells.join(",")),
        )
        .unwrap();
        let (code, said, _) = says(&["check", "--puzzles", "edited.csv"], here);
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.contains(&format!("not sound: {fault}")),
            "{column}: {said}"
        );
    }
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (args, part) in [
        (&["probe", "tsuitate", "x"][..], "invalid SFEN"),
        (
            &["probe", "tsuitate:futile=x"],
            "unknown setting 'futile=x'",
        ),
        (
            &["probe", "tsuitate", M3, "--table", "x"],
            "--table is for games with tables",
        ),
        (
            &["probe", "tsuitate", M3, "--outcome"],
            "--outcome is for games with nimbers",
        ),
        (&["probe", "tsuitate", M3, "--fouls", "9"], "--fouls"),
        (&["probe", "tsuitate", M3, "--depth", "0"], "--depth"),
        (
            &["probe", "tsuitate", M3, "--repetition", "exact"],
            "rule 8",
        ),
        (
            &["probe", "ostle:3x3,pieces=2,losses=2", "--depth", "3"],
            "hidden information",
        ),
        (&["probe", "kings:3x3", "--times"], "hidden information"),
        (
            &["solution", "kings:3x3", "initial", "--mode", "fast"],
            "hidden information",
        ),
        (
            &["solution", "tsuitate", M3, "--depth", "1"],
            "no solution within 1",
        ),
        (
            &["solution", "tsuitate", M3, "--tree", "x.svg", "--boards"],
            "--boards draws boards",
        ),
        (
            &[
                "solution", "tsuitate", M3, "--tree", "x.svg", "--depth", "1",
            ],
            "no solution within 1",
        ),
        (
            &["draw", "tsuitate", M3, "--solution"],
            "it has no lines of play",
        ),
        (
            &["draw", "tsuitate", M3, "--moves", "B*3c"],
            "it has no lines of play",
        ),
        (&["mine", "kings:3x3", "--seed", "3"], "hidden information"),
        (
            &["mine", "tsuitate", "--sample", "3"],
            "--sample is for games with tables",
        ),
        (
            &["mine", "tsuitate", "--from", "x"],
            "invalid position of tsuitate",
        ),
        (
            &["mine", "tsuitate", "--from", M3, "--method", "random"],
            "--from names positions to vary",
        ),
        (
            &["mine", "tsuitate", "--filter", "nothing"],
            "unknown filter 'nothing'",
        ),
    ] {
        let message = refused(args, here);
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn an_unknown_column_is_refused_with_a_better_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("bad.toml"),
        "name = \"bad\"\ntitle = \"t\"\ntext = \"t\"\npredicate = \"plys = 3\"",
    )
    .unwrap();
    let message = refused(&["mine", "tsuitate", "--filter", "bad.toml"], here);
    assert!(message.contains("did you mean plies"), "{message}");
}

#[test]
fn kif_files_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let none = ok(&["solution", "tsuitate", M3, "--kif", "line.kif"], here);
    assert_eq!(none, "");
    let in_shift_jis = fs::read(here.join("line.kif")).unwrap();
    assert!(String::from_utf8(in_shift_jis.clone()).is_err());
    // 銀 and 玉, and the first line says what they are written in.
    assert!(in_shift_jis.windows(2).any(|two| two == b"\x8b\xe2"));
    assert!(in_shift_jis.starts_with(b"# KIF version=2.0 encoding=Shift_JIS\n"));
    ok(&["solution", "tsuitate", M3, "--kif", "line.kifu"], here);
    let kif = fs::read_to_string(here.join("line.kifu")).unwrap();
    assert!(kif.starts_with("# KIF version=2.0 encoding=UTF-8\n"));
    assert!(kif.contains("| ・ ・ ・ ・ ・ 銀 ・ ・v玉|一"), "{kif}");
    assert!(kif.contains("\n   1 ３三角打\n"), "{kif}");
    assert!(kif.contains("\n*反則 (foul): ２二銀打\n"), "{kif}");
    // Wherever a position is asked for.
    for command in ["probe", "solution", "draw"] {
        for file in ["line.kif", "line.kifu"] {
            assert_eq!(
                ok(&[command, "tsuitate", file], here),
                ok(&[command, "tsuitate", M3], here)
            );
        }
    }
    let again = ["solution", "tsuitate", M3, "--kif", "line.kif"];
    ok(&again, here);
    let told = refused(
        &["solution", "tsuitate", "initial", "--kif", "line.kif"],
        here,
    );
    assert!(told.contains("--force"), "{told}");
    let told = refused(&["solution", "tsuitate", M3, "--kif", "line.txt"], here);
    assert!(told.contains(".kif or .kifu"), "{told}");
    let told = refused(
        &["solution", "tictactoe", "initial", "--kif", "x.kif"],
        here,
    );
    assert!(told.contains("--kif is for tsuitate"), "{told}");
    // Other programs say how they show the board, and which move was the last; addresses have `_`.
    let before = kif.find("９").unwrap();
    let header = format!(
        "{}盤面反転\n手数＝0  まで\n{}",
        &kif[..before],
        &kif[before..]
    );
    fs::write(here.join("others.kifu"), header).unwrap();
    let value = ok(&["probe", "tsuitate", M3], here);
    let spellings = [
        "others.kifu".to_owned(),
        M3.replace(' ', "_"),
        format!("position sfen {}", M3.replace(' ', "  ")),
    ];
    for spelling in spellings {
        assert_eq!(
            ok(&["probe", "tsuitate", &spelling], here),
            value,
            "{spelling}"
        );
    }
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(kif.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(here.join("wide.kif"), utf16).unwrap();
    assert_eq!(ok(&["probe", "tsuitate", "wide.kif"], here), value);
    fs::write(here.join("none.kif"), "\n").unwrap();
    let told = refused(&["probe", "tsuitate", "none.kif"], here);
    assert!(told.contains("none.kif is empty"), "{told}");
    fs::write(here.join("odd.kif"), b"\xff\xfe\x30").unwrap();
    let told = refused(&["probe", "tsuitate", "odd.kif"], here);
    assert!(
        told.contains("odd.kif is neither UTF-8 nor Shift_JIS"),
        "{told}"
    );
    fs::write(here.join("bad.kif"), kif.replace("v玉|一", "v王玉|一")).unwrap();
    let told = refused(&["probe", "tsuitate", "bad.kif"], here);
    assert!(
        told.contains("KIF, line 5: the rank has 10 squares, not 9"),
        "{told}"
    );
}

#[test]
fn positions_and_solutions_are_read_as_other_programs_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let address = format!("https://lishogi.org/editor/{}", M3.replace(' ', "_"));
    let probe = |position: &str| probed(&["probe", "tsuitate", position, "--json"], here);
    assert_eq!(probe(&address), probe(M3));
    let chess = "https://lichess.org/analysis/standard/8/k1P5/8/1K6/8/8/8/8_w_-_-";
    let told = ok(&["probe", "chess:KP-K", chess], here);
    assert!(told.contains("win in 7 plies"), "{told}");
    let address = "https://lishogi.org/editor/nothing";
    assert!(refused(&["probe", "tsuitate", address], here).contains("invalid SFEN"));
    let row = |solution: &str| tesuji::mine::PuzzleRow {
        solution: solution.to_owned(),
        ..tesuji::mine::PuzzleRow::default()
    };
    let usi = row(&format!("position sfen {M3} moves B*3c S*2b"));
    assert_eq!(usi.moves(), row("B*3c  S*2b").moves());
}
