//! The command: what it refuses, and the page that needs no server.

use std::fs;
use std::net::TcpListener;

use crate::common::program::{ok, refused};

#[test]
fn what_cannot_be_explored_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(refused(&["explore", "ostle"], here).contains("--table"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let message = refused(&["explore", "tictactoe", "--port", &port], here);
    assert!(
        message.contains("--port") && message.contains(&port),
        "{message}"
    );
    let message = refused(&["explore", "sliding:3x3", "--html", "a.html"], here);
    assert!(message.contains("boards"), "{message}");
    let large = ["explore", "ostle:4x4,pieces=3,losses=2", "--html", "a.html"];
    let message = refused(&large, here);
    assert!(message.contains("too many positions") && message.contains("leave --html out"));
    assert_eq!(fs::read_dir(here).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_page_without_the_program_is_always_the_same_and_loads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let args = ["explore", "tictactoe", "--html", "page.html"];
    ok(&args, here);
    let page = fs::read_to_string(here.join("page.html")).unwrap();
    ok(&args, here);
    assert_eq!(fs::read_to_string(here.join("page.html")).unwrap(), page);
    // Positions of the unfinished game: 5,478 in all, of which 958 are final.
    let data = page.split("id=\"data\">").nth(1).unwrap();
    let data = data.split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["states"].as_array().unwrap().len(), 5478 - 958);
    let plain = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!plain.contains("://") && !plain.contains("import "));
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
    fs::write(here.join("page.html"), "notes").unwrap();
    assert!(refused(&args, here).contains("--force"));
}
