//! What other programs send: commands of UCI and USI to the program itself, and files in KIF in any
//! encoding.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use encoding_rs::SHIFT_JIS;

use crate::chance::{Chance, flipped, times};
use crate::common::program::{ok, tesuji};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

const LINES: [&str; 20] = [
    "uci",
    "ucinewgame",
    "isready",
    "setoption name MultiPV value 3",
    "setoption name multipv value 99999999999",
    "setoption name MultiPV",
    "position fen 1ww/1o1/bb1 b -",
    "position fen 1ww/1o1/bb1 b - moves a1U",
    "position fen 1ww/1o1/bb1 b - moves a1U c3D moves",
    "position startpos moves e2e4",
    "position fen",
    "position",
    "go depth 3",
    "go infinite",
    "go ponder wtime 1",
    "stop",
    "ponderhit",
    "register later",
    "debug on",
    "",
];

const USI: [&str; 8] = [
    "usi",
    "isready",
    "usinewgame",
    "position startpos",
    "position sfen l2/1c1/1C1/1L1 b - 1 moves 2c2b 3a2b",
    "position sfen l2/1c1/1C1/1L1 w C 7",
    "go btime 100",
    "go mate infinite",
];

#[test]
fn no_command_of_uci_ends_the_engine() {
    endures(GAME, &LINES);
}

#[test]
fn no_command_of_usi_ends_the_engine() {
    endures("dobutsu:pieces=lion+chick", &USI);
}

fn endures(game: &str, known: &[&str]) {
    let mut chance = Chance::new("engine");
    let mut asked = String::new();
    let (mut ready, mut searches) = (0, 0);
    let lines = 100 * times(3);
    for _ in 0..lines {
        let mut line = known[chance.below(known.len())].to_owned();
        if chance.below(4) == 0 {
            let (_, bytes) = flipped(format!("{line} ").as_bytes(), &mut chance);
            line = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            continue;
        }
        ready += usize::from(words.first() == Some(&"isready"));
        let waits = words
            .iter()
            .any(|word| ["infinite", "ponder", "mate"].contains(word));
        searches += usize::from(words.first() == Some(&"go") && !waits);
        let _ = writeln!(asked, "{line}");
    }
    let mut engine = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    engine.args(["engine", game]).stdin(Stdio::piped());
    engine.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut engine = engine.spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    let sender = std::thread::spawn(move || {
        let _ = input.write_all(asked.as_bytes());
        let _ = input.write_all(b"quit\nisready\n");
    });
    let output = engine.wait_with_output().unwrap();
    sender.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let told = String::from_utf8(output.stdout).unwrap();
    let count = |word| told.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(count("readyok"), ready);
    assert!(count("bestmove ") >= searches && ready > 0 && searches > 0);
    println!("engine: {lines} commands, {} searches", count("bestmove "));
}

#[test]
fn no_file_of_kif_is_more_than_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut chance = Chance::new("kif");
    ok(
        &["solution", "tsuitate", "initial", "--kif", "a.kifu"],
        here,
    );
    let text = fs::read_to_string(here.join("a.kifu")).unwrap();
    let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let [little, big]: [Vec<u8>; 2] = [wide(u16::to_le_bytes), wide(u16::to_be_bytes)];
    let encodings = [
        text.clone().into_bytes(),
        [&b"\xef\xbb\xbf"[..], text.replace('\n', "\r\n").as_bytes()].concat(),
        SHIFT_JIS.encode(&text).0.into_owned(),
        [&b"\xff\xfe"[..], &little].concat(),
        [&b"\xfe\xff"[..], &big].concat(),
    ];
    let draw = ["draw", "tsuitate", "b.kif", "-o", "b.svg", "--force"];
    let picture = |bytes: &[u8]| {
        fs::write(here.join("b.kif"), bytes).unwrap();
        ok(&draw, here);
        fs::read(here.join("b.svg")).unwrap()
    };
    let pictures = encodings.each_ref().map(|bytes| picture(bytes));
    assert!(pictures.iter().all(|picture| *picture == pictures[0]));
    let (mut runs, mut refused) = (0, 0);
    for _ in 0..times(4) {
        for bytes in &encodings {
            let (_, mut bytes) = flipped(bytes, &mut chance);
            if chance.below(3) == 0 {
                bytes.truncate(chance.below(bytes.len()));
            }
            fs::write(here.join("b.kif"), bytes).unwrap();
            let output = tesuji(&draw, here);
            let errors = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 2)), "{code:?}: {errors}");
            refused += usize::from(code == Some(2));
            runs += 1;
        }
    }
    println!("kif: {runs} files, {refused} refused");
}
