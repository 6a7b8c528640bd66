//! What is answered to methods other than the one that a path is asked with.

use serde_json::Value as Json;
use tesuji::analysis::Soundness;

use super::client::Running;

#[test]
fn every_path_names_its_methods() {
    let it = Running::new("ostle:3x3,pieces=2,losses=2");
    let whole: Json = serde_json::from_str(&it.get("api/openapi.json").1).unwrap();
    let questions = whole["paths"].as_object().unwrap().iter();
    let questions = questions.map(|(path, methods)| (&path[1..], methods.get("post").is_some()));
    for (path, is_post) in questions.chain([("", false), ("app.js", false)]) {
        let allow = if is_post {
            "Allow: POST, OPTIONS"
        } else {
            "Allow: GET, HEAD, OPTIONS"
        };
        let lacked: &[_] = if is_post { &["GET", "HEAD"] } else { &["POST"] };
        for method in ["PUT", "DELETE", "PATCH", "TRACE", "BREW"]
            .iter()
            .chain(lacked)
        {
            let (head, body) = it.whole(method, path, "");
            let begin = "HTTP/1.1 405 Method Not Allowed\r\n";
            assert!(head.starts_with(begin), "{method} {path}: {head}");
            assert!(head.contains(allow), "{method} {path}: {head}");
            assert_eq!(body.is_empty(), *method == "HEAD", "{method} {path}");
        }
        // A form of another page gets no further.
        let (status, _) = it.send(
            &format!("PUT /{}/{path}", it.token),
            &[&it.own()[0], "Origin: http://evil.example"],
            "",
        );
        assert_eq!(status, 403, "{path}");
        let (head, body) = it.whole("OPTIONS", path, "");
        assert!(head.starts_with("HTTP/1.1 204 No Content\r\n"), "{head}");
        assert!(head.contains(allow) && body.is_empty(), "{path}: {head}");
        for part in ["\r\nContent-Type:", "\r\nContent-Length:"] {
            assert!(!head.contains(part), "{path}: {head}");
        }
        assert!(!head.to_lowercase().contains("access-control"), "{path}");
    }
    // Without the token, no path has methods.
    let host = format!("Host: 127.0.0.1:{}", it.port);
    assert_eq!(it.send("PUT /", &[&host], "").0, 404);
}

#[test]
fn head_is_get_without_the_body() {
    let it = Running::new("ostle:3x3,pieces=2,losses=2");
    for path in ["", "page.css", "api/game", "api/diagram.svg", "nothing"] {
        let (got, whole) = it.whole("GET", path, "");
        let (head, none) = it.whole("HEAD", path, "");
        assert_eq!((head.as_str(), none.as_str()), (got.as_str(), ""));
        assert!(head.contains(&format!("Content-Length: {}", whole.len())));
    }
}

/// People read the same words on the page as in the terminal.
#[test]
fn the_page_has_the_words_for_soundness() {
    let page = include_str!("../../../src/explore/web/desk.js");
    for one in Soundness::ALL {
        let line = format!("\n  {}: \"{}\",\n", one.name(), one.words());
        assert!(page.contains(&line), "{line}");
    }
}
