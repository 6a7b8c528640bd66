//! Who is not answered.

use serde_json::json;

use super::client::Running;

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

#[test]
fn without_the_token_there_is_nothing() {
    let it = Running::new(SMALL);
    let host = format!("Host: 127.0.0.1:{}", it.port);
    let other: String = it.token.chars().rev().collect();
    for path in [
        "/",
        "/api/game",
        "/page.css",
        &format!("/{other}/"),
        &format!("/{}x/", it.token),
        &format!("/{other}/../api/game"),
        &format!("{}/api/board", it.token),
        &format!("/{}", &it.token[..20]),
        &format!("/{}/api/board", it.token.to_uppercase()),
    ] {
        let (status, body) = it.send(&format!("GET {path}"), &[&host], "");
        assert_eq!(status, 404, "{path}");
        assert!(
            !body.contains("ostle") && !body.contains(&it.token),
            "{body}"
        );
    }
    assert_eq!(it.get("").0, 200);
    assert_eq!(it.get("api/game").0, 200);
    assert_ne!(it.token, Running::new(SMALL).token);
}

#[test]
fn requests_are_read_strictly() {
    let it = Running::new(SMALL);
    let refusals = [
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 400),
        ("POST / HTTP/1.1\r\nContent-Length: ", 400),
        ("POST / HTTP/1.1\r\nContent-Length: -1", 400),
        ("POST / HTTP/1.1\r\nContent-Length: +1", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1 1", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 0x1", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1048577", 413),
        (
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999",
            413,
        ),
    ];
    for (head, status) in refusals {
        let request = format!("{head}\r\n\r\n");
        assert_eq!(it.raw(request.as_bytes()).0, status, "{head}");
    }
    // A refusal of HEAD has no body either.
    let twice = it.at_the_end_of(b"HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    assert!(twice.starts_with("HTTP/1.1 400 ") && twice.ends_with("\r\n\r\n"));
    let cut = it.at_the_end_of(b"GET /a/b?c=d HTTP/1.1\r\nHo");
    assert!(cut.starts_with("HTTP/1.1 400 "));
    assert!(it.at_the_end_of(b"").is_empty());
}

#[test]
fn queries_are_decoded() {
    let it = Running::new(SMALL);
    let diagram = |query: &str| it.get(&format!("api/diagram.svg{query}"));
    let initial = diagram("");
    let other = diagram("?style=screen&position=ww1%2f1o1%2Fbb1+b+-");
    assert_eq!((initial.0, other.0), (200, 200));
    assert_ne!(initial, other);
    assert_eq!(diagram("?other=1"), initial);
    for name in ["position", "arrows", "style"] {
        for value in ["%2", "%zz", "%ff"] {
            let (status, text) = diagram(&format!("?{name}={value}"));
            assert_eq!(status, 400, "{name}={value}");
            assert!(text.contains(name), "{text}");
        }
    }
}

/// A structure could also be read from an array, by the order of its fields.
#[test]
fn a_body_is_an_object() {
    let it = Running::new(SMALL);
    assert_eq!(it.post("board", &json!({ "position": "" })).0, 200);
    let (status, text) = it.post("board", &json!([""]));
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("write an object"), "{text}");
}

#[test]
fn the_page_is_small_and_loads_nothing_from_elsewhere() {
    let mut bytes = 0;
    for file in std::fs::read_dir("src/explore/web").unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        bytes += text.len();
        let allowed = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!allowed.contains("://"), "{}", path.display());
        let runs = text.contains("innerHTML") || text.contains("eval(");
        assert!(!runs, "{}", path.display());
    }
    assert!(bytes <= 150_000, "{bytes} bytes");
}

#[test]
fn a_name_that_leads_here_is_not_a_way_in() {
    let it = Running::new(SMALL);
    let line = format!("GET /{}/api/game", it.token);
    // DNS rebinding: the address is right, the name is the attacker's.
    for host in [
        "evil.example",
        &format!("evil.example:{}", it.port),
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]:80",
        &format!("127.0.0.1.evil.example:{}", it.port),
        &format!("0.0.0.0:{}", it.port),
        "",
    ] {
        let (status, body) = it.send(&line, &[&format!("Host: {host}")], "");
        assert_eq!(status, 421, "{host}");
        assert!(!body.contains("ostle"));
    }
    assert_eq!(it.send(&line, &[], "").0, 421, "no host at all");
    let twice = format!("Host: 127.0.0.1:{}", it.port);
    assert_eq!(it.send(&line, &[&twice, "Host: evil.example"], "").0, 400);
    assert_eq!(
        it.send(&line, &[&format!("Host: localhost:{}", it.port)], "")
            .0,
        200
    );
}

#[test]
fn a_page_of_another_origin_gets_nothing() {
    let it = Running::new(SMALL);
    let [host, own, json] = it.own();
    let line = format!("POST /{}/api/board", it.token);
    let body = json!({ "position": "" }).to_string();
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        &format!("https://127.0.0.1:{}", it.port),
        &format!("http://localhost:{}", it.port),
        &format!("http://127.0.0.1:{}.evil.example", it.port),
    ] {
        let (status, text) = it.send(&line, &[&host, &json, &format!("Origin: {origin}")], &body);
        assert_eq!(status, 403, "{origin}");
        assert!(!text.contains("position"));
    }
    for site in ["cross-site", "same-site"] {
        let site = format!("Sec-Fetch-Site: {site}");
        assert_eq!(
            it.send(&line, &[&host, &json, &site], &body).0,
            403,
            "{site}"
        );
        let get = format!("GET /{}/api/diagram.svg?position=initial", it.token);
        assert_eq!(it.send(&get, &[&host, &site], "").0, 403, "{site}");
    }
    // What a form of another page can send without being asked.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=a",
    ] {
        let kind = format!("Content-Type: {kind}");
        assert_eq!(
            it.send(&line, &[&host, &own, &kind], &body).0,
            415,
            "{kind}"
        );
    }
    // A browser asks before it sends JSON elsewhere; the answer allows nothing.
    let preflight = format!("OPTIONS /{}/api/board", it.token);
    assert_eq!(
        it.send(&preflight, &[&host, "Origin: http://evil.example"], "")
            .0,
        403
    );
    assert_eq!(it.send(&line, &[&host, &own, &json], &body).0, 200);
}

#[test]
fn every_answer_forbids_what_a_page_does_not_need() {
    use std::io::{Read, Write};
    let it = Running::new(SMALL);
    for path in [
        "",
        "page.css",
        "app.js",
        "api/game",
        "api/diagram.svg?position=initial",
        "nothing",
    ] {
        let mut stream = it.connect();
        let request = format!(
            "GET /{}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            it.token, it.port
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let head = text.split_once("\r\n\r\n").unwrap().0.to_lowercase();
        for part in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(part), "{path} lacks {part}");
        }
        assert!(!head.contains("access-control"), "{path}");
        assert!(!head.contains("unsafe"), "{path}");
    }
}

#[test]
fn no_path_comes_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(
        &file,
        "name = 'a'\ntitle = ''\ntext = ''\npredicate = \"outcome = 'win'\"",
    )
    .unwrap();
    let it = Running::new(SMALL);
    for name in [
        file.to_str().unwrap(),
        "../filters/ostle/ban-win.toml",
        "Cargo.toml",
        "filters/ostle/forced-sacrifice.toml",
    ] {
        let (status, text) = it.post("mine", &json!({ "filter": name }));
        assert_eq!(status, 400, "{name}: {text}");
        assert!(text.contains("no filter"), "{text}");
    }
    for path in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "/etc/passwd",
        "page.css/../app.js",
        "web/page.css",
        "api/../page.css",
    ] {
        assert_eq!(it.get(path).0, 404, "{path}");
    }
    let (status, text) = it.post("export", &json!({ "format": "/tmp/x.csv", "puzzles": [] }));
    assert_eq!(status, 400, "{text}");
    let (status, _) = it.post(
        "export",
        &json!({ "format": "csv", "puzzles": [], "output": "x" }),
    );
    assert_eq!(status, 400, "an unknown field");
}
