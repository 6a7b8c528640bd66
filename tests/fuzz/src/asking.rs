//! Checks of what answers questions: the server of the explorer, batches of positions, and engines.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::Value as Json;
use tesuji::base::progress::NoProgress;
use tesuji::explore::Server;
use tesuji::session::{BatchError, Engine, Session, answer_lines};

const GAMES: [&str; 4] = [
    "ostle:3x3,pieces=2,losses=2",
    "kings:3x3",
    "tictactoe",
    "sliding:2x3",
];

/// What every answer forbids.
const HEADERS: [&str; 5] = [
    "Content-Security-Policy: default-src 'none';",
    "Cross-Origin-Resource-Policy: same-origin",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close",
];

/// The port and the token of a server.
struct Asked {
    port: String,
    token: String,
}

impl Asked {
    /// What is answered to a connection that sends these bytes.
    fn answer(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("a server");
        // A server that refuses early need not read to the end.
        let _ = stream.write_all(request);
        // A request that is not whole has no answer before the connection ends; a client that is
        // gone need not be answered, so those that are whole get some time.
        let time = if request.is_empty() { 1 } else { 500 };
        let _ = stream.set_read_timeout(Some(Duration::from_millis(time)));
        let mut answer = vec![0; 1];
        let begun = stream.read(&mut answer);
        answer.truncate(begun.unwrap_or(0));
        if answer.is_empty() {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let _ = stream.set_read_timeout(None);
        let _ = stream.read_to_end(&mut answer);
        answer
    }
}

static SERVERS: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let asked = |spec: &&str| {
        let session = tesuji::open(spec).expect("a game");
        let server = Arc::new(Server::bind(session, 0).expect("a port"));
        let url = server.url();
        let (address, token) = url.trim_end_matches('/').rsplit_once('/').expect("a token");
        let (_, port) = address.rsplit_once(':').expect("a port");
        std::thread::spawn(move || server.run());
        Asked {
            port: port.to_owned(),
            token: token.to_owned(),
        }
    };
    GAMES.iter().map(asked).collect()
});

/// A request to the server of a game, which the first byte names. What follows is the
/// request as it is sent, with `TOKEN` and `PORT` for what only the server's own page knows;
/// or, if the byte is odd, a question, and after a line break the body of its request.
pub fn http(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let asked = &SERVERS[usize::from(first / 2) % SERVERS.len()];
    let known = |text: &[u8]| {
        let text = replaced(text, b"TOKEN", asked.token.as_bytes());
        replaced(&text, b"PORT", asked.port.as_bytes())
    };
    let mut knows_the_token = true;
    let request = if first % 2 == 0 {
        knows_the_token = rest.windows(5).any(|some| some == b"TOKEN");
        known(rest)
    } else {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let (question, body) = rest.split_at(end.unwrap_or(rest.len()));
        let body = body.get(1..).unwrap_or_default();
        let method = if end.is_some() { "POST" } else { "GET" };
        let head = format!(
            "{method} /TOKEN/{} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            String::from_utf8_lossy(question),
            body.len()
        );
        [known(head.as_bytes()), body.to_vec()].concat()
    };
    let answer = asked.answer(&request);
    if answer.is_empty() {
        assert!(request.is_empty());
        return;
    }
    let end = answer.windows(4).position(|some| some == b"\r\n\r\n");
    let (head, body) = answer.split_at(end.expect("a head") + 4);
    let head = std::str::from_utf8(head).expect("a head of text");
    assert!(HEADERS.iter().all(|header| head.contains(header)), "{head}");
    let value = |name: &str| {
        let mut lines = head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    let status = head.get(9..12).and_then(|code| code.parse::<u16>().ok());
    let status = status.expect("a status");
    assert!(knows_the_token || status >= 400, "{head}");
    assert_eq!(matches!(status, 204 | 405), value("Allow").is_some());
    // Blank lines may come before a request.
    if status == 204 || request.trim_ascii_start().starts_with(b"HEAD ") && body.is_empty() {
        assert!(body.is_empty(), "{head}");
        return;
    }
    if let Some(length) = value("Content-Length") {
        assert_eq!(length.parse(), Ok(body.len()));
    }
    let json = |text: &[u8]| serde_json::from_slice::<Json>(text).expect("JSON");
    if status != 200 {
        assert!((400..504).contains(&status), "{head}");
        let error = json(body)["error"].as_str().expect("a message").to_owned();
        assert!(!error.is_empty());
        return;
    }
    match value("Content-Type").expect("a type") {
        "application/json" => drop(json(body)),
        "application/x-ndjson" => {
            let lines = body.split(|&byte| byte == b'\n');
            lines
                .filter(|line| !line.is_empty())
                .for_each(|line| drop(json(line)));
        }
        "image/svg+xml" => assert!(!body.windows(7).any(|some| some == b"<script")),
        _ => {}
    }
}

/// A text with another in the places of a word.
fn replaced(text: &[u8], word: &[u8], by: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut rest = text;
    while let Some((first, others)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(word) {
            whole.extend_from_slice(by);
            rest = after;
        } else {
            whole.push(*first);
            rest = others;
        }
    }
    whole
}

static SESSIONS: LazyLock<Vec<Box<dyn Session>>> = LazyLock::new(|| {
    let games = GAMES[..3].iter();
    games
        .map(|spec| tesuji::open(spec).expect("a game"))
        .collect()
});

/// Lines of `probe --batch`. The first byte says of which game, and whether lines are slots.
pub fn batch(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let session = &SESSIONS[usize::from(first / 2) % SESSIONS.len()];
    let game = session.evaluating().expect("a game with values");
    let ask = |text: &[u8], slots: bool| {
        let mut out = Vec::new();
        let ended = answer_lines(game, slots, text, &mut out, &NoProgress);
        (out, ended)
    };
    let by_slots = first % 2 == 1;
    let (out, ended) = ask(text, by_slots);
    // All lines before the first that has no answer are answered.
    let lines = text.split(|&byte| byte == b'\n');
    let upto = match ended {
        Ok(()) => usize::MAX,
        Err(BatchError::Line { number, source }) => {
            assert!(!source.to_string().is_empty());
            usize::try_from(number).expect("few lines") - 1
        }
        Err(error) => panic!("{error}"),
    };
    let blank = |line: &&[u8]| std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty());
    let asked = lines.take(upto).filter(|line| !blank(line)).count();
    let answers: Vec<Json> = out
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), asked);
    // Only a slot can have no position, and then the answer has nothing but the slot.
    let vacant = |answer: &&Json| answer["position"].is_null();
    for answer in answers.iter().filter(vacant) {
        assert!(
            by_slots && answer.as_object().is_some_and(|it| it.len() == 2),
            "{answer}"
        );
    }
    // The position of an answer asks the same question, if it has one; the slot does, unless a
    // position was asked about that is turned or forbids a move.
    let again = [("position", false), ("slot", true)];
    for (name, slots) in again.into_iter().take(1 + usize::from(by_slots)) {
        let left_out = |answer: &&Json| !slots && vacant(answer);
        let again = answers
            .iter()
            .filter(|answer| !left_out(answer))
            .map(|answer| {
                let value = &answer[name];
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
                    + "\n"
            });
        let again: String = again.collect();
        let (found, ended) = ask(again.as_bytes(), slots);
        let lines = out.split_inclusive(|&byte| byte == b'\n').zip(&answers);
        let expected = lines
            .filter(|(_, answer)| !left_out(answer))
            .map(|(line, _)| line);
        assert!(
            ended.is_ok() && found == expected.collect::<Vec<_>>().concat(),
            "{again}"
        );
    }
}

static PLAYED: LazyLock<Vec<Box<dyn Session>>> = LazyLock::new(|| {
    let games = [GAMES[0], "chess-4x4:KP-K", "hexapawn", "tictactoe"];
    let opened = games.iter().map(|spec| tesuji::open(spec));
    opened.map(|game| game.expect("a game")).collect()
});

/// Commands to an engine, one a line. The first byte says of which game.
pub fn engine(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let session = PLAYED[usize::from(*first) % PLAYED.len()].as_ref();
    let mut engine = Engine::new(session).expect("a game with values");
    for line in String::from_utf8_lossy(text).lines().take(64) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let told = engine.answer(line);
        assert!(told.is_empty() || told.ends_with('\n'), "{line}: {told}");
        let best: Vec<&str> = told
            .lines()
            .filter_map(|line| line.strip_prefix("bestmove "))
            .collect();
        match words.as_slice() {
            ["isready", ..] => assert_eq!(told, "readyok\n"),
            ["go", "mate", ..] => assert_ne!(told, ""),
            ["go", limits @ ..] => {
                let waits = ["infinite", "ponder"].iter().any(|it| limits.contains(it));
                assert_eq!(best.len(), usize::from(!waits), "{line}: {told}");
                if let &[mv] = best.as_slice() {
                    // The first line that is shown begins with the best move.
                    let shown = told.lines().find_map(|line| line.split_once(" pv "));
                    let begins = shown.map(|(_, pv)| pv.split(' ').next());
                    assert!(begins.is_none_or(|begins| begins == Some(mv)), "{told}");
                }
            }
            _ => assert!(best.len() <= 1, "{line}: {told}"),
        }
    }
}
