//! The explorer under requests of all kinds, from many clients: no answer is the server's own
//! fault, no request ends it, and its memory stays.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json, json};

use crate::chance::{Chance, is_long, times};
use crate::explorer;

/// Games, each with positions and moves.
const GAMES: [(&str, [&str; 4]); 4] = [
    (
        "ostle:3x3,pieces=2,losses=2",
        ["1ww/1o1/bb1 b -", "initial", "a1U", "c3D"],
    ),
    ("kings:3x3", ["initial", ".../.../...", "b2", "a1"]),
    (
        "chess:KQ-K",
        ["8/8/8/4k3/8/8/8/K6Q w - - 0 1", "initial", "h1h5", "e5e6"],
    ),
    (
        "tsuitate",
        ["5S2k/9/8P/9/9/9/9/9/9 b BS 1", "initial", "B*3c", "S*1b"],
    ),
];

/// Questions with a body, and two without.
const QUESTIONS: [&str; 14] = [
    "board",
    "arrange",
    "pattern",
    "play",
    "evaluate",
    "solution",
    "check",
    "neighbours",
    "umpire",
    "compose",
    "mine",
    "export",
    "game",
    "columns",
];

/// What bodies may say; the words of a game come besides.
fn fields() -> Vec<(&'static str, Vec<Json>)> {
    let words = [
        "",
        "\u{1b}[2J",
        "<script>",
        "win in 3",
        "\u{65e5}",
        "?",
        "'",
        "=1+1",
    ];
    let mut words: Vec<Json> = words.into_iter().map(Json::from).collect();
    words.push("x".repeat(3_000).into());
    let numbers = [-1_i64, 0, 1, 2, 3, 7, 500, 501, i64::MAX].map(Json::from);
    let things = [
        json!([]),
        json!([[0, 0, 0]]),
        json!([[255, 1, 2], [1, 1, 99]]),
    ];
    let conditions = [
        "plies > 1",
        "outcome = 'win'",
        "n_best = 1",
        "((((",
        "1",
        "no_such > 2",
        "plies IN (1)",
    ];
    let toml = [
        "name = \"a\"\npredicate = \"plies > 1\"\nlimit = 3",
        "name = \"a\"\npredicate = \"plies > 1\"\npattern = \"???/?o?/???\"",
        "a = [[[[[[",
    ];
    let formats = ["csv", "svg", "pdf", "html", "exe"].map(Json::from);
    let puzzles = [
        json!([]),
        json!([{ "game": "tictactoe", "position": "initial" }]),
        json!([{ "game": GAMES[0].0, "position": GAMES[0].1[0] }]),
    ];
    vec![
        ("position", words.clone()),
        (
            "positions",
            vec![json!([]), json!(["initial", ""]), json!([1])],
        ),
        ("move", words.clone()),
        ("outcome", vec![true.into(), false.into()]),
        ("second", vec![true.into(), false.into()]),
        ("hint", vec![true.into(), false.into()]),
        ("depth", numbers.to_vec()),
        ("fouls", numbers.to_vec()),
        ("nodes", numbers.to_vec()),
        ("limit", numbers.to_vec()),
        ("stipulation", words.clone()),
        (
            "tries",
            vec![json!([]), json!(["B*3c", "S*2b"]), json!(["2d1e"])],
        ),
        ("things", things.to_vec()),
        (
            "open",
            vec![json!([]), json!([[0, 0]]), json!([[255, 255]])],
        ),
        ("condition", conditions.map(Json::from).to_vec()),
        (
            "filter",
            ["longest-wins", "../x", ""].map(Json::from).to_vec(),
        ),
        ("toml", toml.map(Json::from).to_vec()),
        (
            "pattern",
            ["???/?o?/???", "???", "\u{0}"].map(Json::from).to_vec(),
        ),
        ("format", formats.to_vec()),
        ("puzzles", puzzles.to_vec()),
        ("title", words.clone()),
        ("author", words),
    ]
}

/// The fields that a question knows.
fn known(question: &str) -> &'static [&'static str] {
    match question {
        "board" => &["position"],
        "arrange" => &["things", "second"],
        "pattern" => &["things", "open"],
        "play" => &["position", "move"],
        "evaluate" => &["position", "positions", "outcome", "depth", "fouls"],
        "solution" => &["position", "nodes", "depth", "fouls"],
        "check" | "neighbours" => &["position", "stipulation"],
        "umpire" => &["position", "tries", "hint", "depth", "fouls"],
        "compose" | "mine" => &["condition", "filter", "toml", "pattern", "limit"],
        "export" => &["format", "puzzles", "title", "author"],
        _ => &[],
    }
}

fn one<'a, T>(all: &'a [T], chance: &mut Chance) -> &'a T {
    &all[chance.below(all.len())]
}

struct Explorer {
    child: Child,
    address: String,
    token: String,
    game: &'static (&'static str, [&'static str; 4]),
    fields: Vec<(&'static str, Vec<Json>)>,
}

impl Explorer {
    fn start(game: &'static (&'static str, [&'static str; 4])) -> Self {
        let (child, url) = explorer(game.0);
        let (address, token) = url.split_once('/').unwrap();
        Self {
            child,
            address: address.to_owned(),
            token: token.trim_matches('/').to_owned(),
            game,
            fields: fields(),
        }
    }

    /// Sends these bytes, and perhaps no more; the answer, if one came.
    fn send(&self, request: &[u8], hangs_up: bool) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let patience = Some(Duration::from_mins(2));
        stream.set_read_timeout(patience).unwrap();
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        if hangs_up {
            return answer;
        }
        let _ = stream.shutdown(Shutdown::Write);
        // A server that refuses early need not read to the end.
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn asked(&self, question: &str, body: Option<&Json>) -> Vec<u8> {
        let body = body.map_or_else(String::new, Json::to_string);
        let method = if body.is_empty() { "GET" } else { "POST" };
        let (token, host) = (&self.token, &self.address);
        let request = format!(
            "{method} /{token}/api/{question} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        request.into_bytes()
    }

    fn random(&self, chance: &mut Chance) -> Vec<u8> {
        let question = one(&QUESTIONS, chance);
        let mut body = Map::new();
        for (name, values) in &self.fields {
            // Some fields are strangers to the question.
            let likely = if known(question).contains(name) {
                2
            } else {
                400
            };
            if chance.below(likely) == 0 {
                let words = matches!(*name, "position" | "move") && chance.below(4) > 0;
                let value = if words {
                    Json::from(*one(&self.game.1, chance))
                } else {
                    one(values, chance).clone()
                };
                body.insert((*name).to_owned(), value);
            }
        }
        let has_body = !["game", "columns"].contains(question);
        let body = Json::from(body);
        let mut request = self.asked(question, has_body.then_some(&body));
        // One in four is damaged.
        if chance.below(4) == 0 {
            for _ in 0..=chance.below(3) {
                let place = chance.below(request.len());
                request[place] = u8::try_from(chance.below(256)).unwrap();
            }
            if chance.below(4) == 0 {
                request.truncate(chance.below(request.len()));
            }
        }
        request
    }

    /// Resident memory, in KiB, when nobody waits for an answer.
    fn memory(&self) -> u64 {
        std::thread::sleep(Duration::from_secs(1));
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.unwrap().parse().unwrap()
    }

    /// Random requests from `clients` clients, until each has made `requests` or `time` is over;
    /// gives the number of answers.
    fn under_load(
        &self,
        clients: usize,
        requests: usize,
        time: Duration,
        chance: &mut Chance,
    ) -> usize {
        let answered = AtomicUsize::new(0);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..clients {
                let mut chance = chance.divided();
                let answered = &answered;
                scope.spawn(move || {
                    for _ in 0..requests {
                        if begun.elapsed() > time {
                            break;
                        }
                        let request = self.random(&mut chance);
                        let hangs_up = chance.below(20) == 0;
                        let answer = self.send(&request, hangs_up);
                        let shown = String::from_utf8_lossy(&request);
                        let status = answer.get(9..12).map(String::from_utf8_lossy);
                        let status = status.and_then(|code| code.parse::<u16>().ok());
                        match status {
                            // Too many scans or connections.
                            Some(200 | 400..=499 | 503) => {
                                answered.fetch_add(1, Relaxed);
                            }
                            Some(status) => panic!("{status} of {}: {shown}", self.game.0),
                            // A damaged request may be none.
                            None => assert!(answer.is_empty(), "{shown}"),
                        }
                    }
                });
            }
        });
        answered.into_inner()
    }

    /// Puts load on a server that is warm; its memory before and after.
    fn endures(mut self, clients: usize, requests: usize, time: Duration, chance: &mut Chance) {
        let question = self.asked("game", None);
        let expected = self.send(&question, false);
        assert!(expected.starts_with(b"HTTP/1.1 200 "));
        let warm = self.under_load(clients, requests / 2, time / 4, chance);
        let before = self.memory();
        let answered = self.under_load(clients, requests, time, chance);
        let after = self.memory();
        assert!(self.child.try_wait().unwrap().is_none(), "it has ended");
        assert!(self.send(&question, false) == expected, "another answer");
        println!(
            "{}: {clients} clients, {} answers, {before} KiB before and {after} KiB after",
            self.game.0,
            warm + answered
        );
        assert!(answered > 0);
        // Answers that nobody waits for may be under way.
        assert!(after < 2 * before + (64 << 10), "it grows");
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn no_request_is_too_much_for_the_explorer() {
    let mut chance = Chance::new("requests");
    for game in &GAMES {
        let time = Duration::from_mins(5);
        Explorer::start(game).endures(2, times(60), time, &mut chance);
    }
}

/// The long form alone: a second for each unit of `TESUJI_FAULTS`, and each game.
#[test]
fn the_explorer_endures_many_clients() {
    if !is_long() {
        return;
    }
    let mut chance = Chance::new("clients");
    for game in &GAMES {
        let time = Duration::from_secs(times(1) as u64);
        Explorer::start(game).endures(200, usize::MAX, time, &mut chance);
    }
}
