//! What stays bounded: sizes, times, connections, scans.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Running, answer};

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let it = Running::new(SMALL);
    let own = it.own();
    let headers = own.each_ref().map(String::as_str);
    let line = format!("POST /{}/api/board", it.token);
    let (status, _) = it.send(&line, &headers, &"x".repeat((1 << 20) + 1));
    assert_eq!(status, 413);
    // A client that sends all of a long body before it reads is answered, not reset.
    let length = 16 << 20;
    let head = format!("{line} HTTP/1.1\r\n{}\r\n", headers.join("\r\n"));
    let mut stream = it.connect();
    let request = format!(
        "{head}Content-Length: {length}\r\n\r\n{}",
        "x".repeat(length)
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut told = String::new();
    stream.read_to_string(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 413 "), "{told}");
    // A length without the bytes: the answer does not wait for them.
    let head = format!(
        "{line} HTTP/1.1\r\n{}\r\nContent-Length: 18446744073709551615\r\n\r\n",
        headers.join("\r\n")
    );
    assert_eq!(it.raw(head.as_bytes()).0, 413);
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n",
        it.token,
        "a".repeat(40_000)
    );
    assert_eq!(it.raw(long.as_bytes()).0, 431);
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200));
    assert_eq!(it.raw(many.as_bytes()).0, 431);
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"\0\0\0\0\r\n\r\n",
        b"GET http://evil.example/ HTTP/9\r\n\r\n",
    ] {
        assert_eq!(it.raw(garbage).0, 400);
    }
    let things: Vec<_> = (0..3).map(|_| json!([255, 255, 99])).collect();
    assert_eq!(
        it.ask("arrange", &json!({ "things": things }))["position"],
        json!(null)
    );
    let many = vec!["initial"; 1001];
    assert_eq!(it.post("evaluate", &json!({ "positions": many })).0, 400);
    for limit in [0, 501] {
        let seek = json!({ "condition": "plies > 1", "limit": limit });
        assert_eq!(it.post("mine", &seek).0, 400);
    }
    let greedy = "name='a'\ntitle=''\ntext=''\npredicate='plies > 1'\nshortlist=1000000000000";
    assert_eq!(it.post("mine", &json!({ "toml": greedy })).0, 400);
    let (_, told) = it.post("mine", &json!({ "toml": "a = 1" }));
    assert!(told.contains("invalid filter 'toml': "), "{told}");
    assert_eq!(it.get("api/game").0, 200, "the server is well");
}

#[test]
fn whole_numbers_may_have_a_point() {
    let it = Running::new(SMALL);
    let things = json!({ "things": [[0.0, 0, 2.0]] });
    let whole = json!({ "things": [[0, 0, 2]] });
    assert_eq!(it.ask("arrange", &things), it.ask("arrange", &whole));
    let seek = |limit: f64| json!({ "condition": "plies > 1", "limit": limit });
    assert_eq!(it.post("mine", &seek(1.0)).0, 200);
    assert_eq!(it.post("mine", &seek(1.5)).0, 400);
    assert_eq!(it.post("mine", &seek(-1.0)).0, 400);
}

#[test]
fn what_is_drawn_or_told_again_is_bounded() {
    let it = Running::new(SMALL);
    let found = it
        .post("mine", &json!({ "filter": "longest-wins", "limit": 1 }))
        .1;
    let last: serde_json::Value = serde_json::from_str(found.lines().last().unwrap()).unwrap();
    let row = last["puzzles"][0].clone();
    let long = "W".repeat(900_000);
    for name in ["title", "author"] {
        let mut body = json!({ "format": "svg", "puzzles": [row] });
        body[name] = long.as_str().into();
        let (status, text) = it.post("export", &body);
        assert!(status == 400 && text.contains(name), "{text}");
    }
    for (column, bad) in [
        ("stipulation", long.as_str()),
        ("solution", long.as_str()),
        ("stipulation", "=1+1"),
        ("key", "@x"),
        ("filter", "\u{1b}[2J"),
        ("uniqueness", long.as_str()),
        ("soundness", long.as_str()),
        ("forbidden", long.as_str()),
    ] {
        let mut row = row.clone();
        row[column] = bad.into();
        let (status, text) = it.post("export", &json!({ "format": "csv", "puzzles": [row] }));
        assert!(status == 400 && text.contains(column), "{text}");
    }
    let (status, text) = it.post("export", &json!({ "format": "csv", "puzzles": [row] }));
    assert!(status == 200 && text.starts_with("puzzle_id,"), "{text}");
    let toml = "a = [".repeat(100_000);
    let (status, text) = it.post("mine", &json!({ "toml": toml }));
    assert!(status == 400 && text.len() < 5000, "{}", text.len());
}

#[test]
fn a_request_that_never_comes_is_given_up() {
    let it = Running::new(SMALL);
    let begun = Instant::now();
    let mut slow = it.connect();
    slow.write_all(b"GET / HT").unwrap();
    let (status, _) = answer(slow);
    assert_eq!(status, 408);
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn two_hundred_requests_at_once_are_all_answered() {
    let it = Running::new(SMALL);
    let expected = it.ask("evaluate", &json!({ "position": "1ww/1o1/bb1 b -" }));
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..200)
            .map(|_| scope.spawn(|| it.ask("evaluate", &json!({ "position": "1ww/1o1/bb1 b -" }))))
            .collect();
        for answer in asked {
            assert_eq!(answer.join().unwrap(), expected);
        }
    });
    // As many that say nothing, and go away.
    drop((0..200).map(|_| it.connect()).collect::<Vec<_>>());
    assert_eq!(
        it.ask("evaluate", &json!({ "position": "1ww/1o1/bb1 b -" })),
        expected
    );
}

/// A scan that takes long: the game is solved first.
const LARGE: &str = "ostle:4x4,pieces=4,losses=2";

fn mining(it: &Running) -> std::net::TcpStream {
    let mut stream = it.connect();
    let body = json!({ "condition": "plies > 1 AND n_winning = 1" }).to_string();
    let request = format!(
        "POST /{}/api/mine HTTP/1.1\r\n{}\r\nContent-Length: {}\r\n\r\n{body}",
        it.token,
        it.own().join("\r\n"),
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    // The answer has begun.
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream
}

#[test]
fn scans_are_few_and_end_when_their_client_goes_away() {
    let it = Running::new(LARGE);
    let [first, second] = [mining(&it), mining(&it)];
    let (status, text) = it.post("mine", &json!({ "condition": "plies > 1" }));
    assert_eq!(status, 503, "{text}");
    // Other questions are answered meanwhile.
    assert_eq!(it.get("api/game").0, 200);
    let one_ends = || {
        let begun = Instant::now();
        // Refused for what it asks as soon as a scan could begin.
        let none = json!({ "condition": "plies > 1", "limit": 0 });
        while it.post("mine", &none).0 != 400 {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "a scan goes on for nobody"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    drop(first);
    one_ends();
    let _third = mining(&it);
    drop(second);
    one_ends();
    assert_eq!(it.get("api/game").0, 200);
}

#[test]
fn the_end_does_not_wait_for_scans() {
    let it = Running::new(LARGE);
    let _scan = mining(&it);
    let begun = Instant::now();
    drop(it);
    assert!(begun.elapsed() < Duration::from_secs(10));
}
