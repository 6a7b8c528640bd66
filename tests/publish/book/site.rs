//! `tesuji book -o site/`: a folder for a web server.

use std::collections::BTreeSet;
use std::fs;

use crate::common::page_data;
use crate::common::program::{ok, refused};

const ADDRESS: &str = "https://example.org/ostle";

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let csv = "game,position,author,title\n\
        \"ostle:4x4,pieces=3,losses=2\",2b1/3w/1o2/1bw1 b -,A <b> & C,\n\
        \"ostle:4x4,pieces=3,losses=2\",2b1/w1w1/1ob1/2b1 b -,,Round & round\n\
        kings:3x3,.../.../...,,\n";
    fs::write(folder.path().join("three.csv"), csv).unwrap();
    folder
}

#[test]
fn each_puzzle_has_a_page_and_a_preview() {
    let folder = prepared();
    let here = folder.path();
    let book = [
        "book",
        "three.csv",
        "-o",
        "site/",
        "--title",
        "Three & more",
    ];
    let args = [&book[..], &["--address", ADDRESS]].concat();
    ok(&args, here);
    let site = here.join("site");
    let files: BTreeSet<String> = fs::read_dir(&site)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    let puzzles = page_data(&index)["puzzles"].as_array().unwrap().clone();
    let names = puzzles.iter().map(|puzzle| puzzle["id"].as_str().unwrap());
    let names: Vec<_> = names.collect();
    let mut expected: BTreeSet<String> = names
        .iter()
        .flat_map(|name| [format!("{name}.html"), format!("{name}.png")])
        .collect();
    expected.extend(["index.html", "today.html", "feed.xml"].map(str::to_owned));
    assert_eq!(files, expected);
    let read = |name: &str| fs::read_to_string(site.join(name)).unwrap();
    for (place, name) in names.iter().enumerate() {
        let page = read(&format!("{name}.html"));
        assert!(page.contains("<title>") && page.contains("Three &amp; more"));
        assert!(page.contains(&format!("content=\"{ADDRESS}/{name}.png\"")));
        for (other, around) in names.iter().enumerate() {
            let linked = page.contains(&format!("<a href=\"{around}.html\">"));
            assert_eq!(linked, other.abs_diff(place) == 1, "{name} to {around}");
        }
        let png = fs::read(site.join(format!("{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
    }
    let first = read(&format!("{}.html", names[0]));
    // The frame names the author; the page does only in previews and where there are no scripts.
    assert_eq!(first.matches("A &lt;b&gt; &amp; C").count(), 2);
    let task = puzzles[0]["task"].as_str().unwrap();
    let said = format!("{task} &middot; A &lt;b&gt; &amp; C");
    assert!(first.contains(&format!("<noscript><p>{said}</p>")));
    let title = format!("1. {task}");
    let task = puzzles[1]["task"].as_str().unwrap();
    let titled = format!("Round &amp; round &middot; {task}");
    for (name, title, said) in [
        (names[0], title.as_str(), said),
        (names[1], "2. Round &amp; round", titled),
    ] {
        let page = read(&format!("{name}.html"));
        assert!(page.contains(&format!("<title>{title} &middot; Three &amp; more</title>")));
        let meta =
            |name: &str, content: &str| format!("<meta property=\"{name}\" content=\"{content}\">");
        assert!(page.contains(&meta("og:title", title)), "{page}");
        assert!(page.contains(&meta("og:description", &said)), "{page}");
        assert!(page.contains(&meta("twitter:card", "summary")), "{page}");
    }
    assert!(first.contains(&format!("src=\"index.html#{}&amp;embed\"", names[0])));
    assert_eq!(read("feed.xml").matches("<item>").count(), 3);
    // The same again, and nothing is replaced by anything else unasked.
    ok(&args, here);
    let told = refused(&[&book[..4], &["--title", "Other"]].concat(), here);
    assert!(told.contains("--force"), "{told}");
    assert!(read("index.html").contains("Three &amp; more"));
}

/// The id of a mined row names no file outside the site, nor another file of it.
#[test]
fn odd_ids_become_numbers() {
    let folder = prepared();
    let here = folder.path();
    let game = "ostle:4x4,pieces=3,losses=2";
    let mine = ["mine", game, "--filter", "medium", "--limit", "2"];
    ok(&[&mine[..], &["--draw", "0", "-o", "out"]].concat(), here);
    let path = here.join("out/medium/puzzles.csv");
    let text = fs::read_to_string(&path).unwrap();
    let rows: Vec<_> = tesuji::export::read_csv(text.as_bytes()).unwrap();
    let text = text.replace(&rows[0].puzzle_id, "../up");
    fs::write(&path, text.replace(&rows[1].puzzle_id, "index")).unwrap();
    ok(&["book", "out/medium/puzzles.csv", "-o", "site/"], here);
    for name in ["problem_1.html", "problem_2.png", "index.html"] {
        assert!(here.join("site").join(name).exists(), "{name}");
    }
    assert!(!here.join("up.html").exists());
    let page = fs::read_to_string(here.join("site/problem_1.html")).unwrap();
    assert!(page.contains("index.html#%2E%2E%2Fup&amp;embed"));
}

#[test]
fn without_an_address_there_is_no_feed() {
    let folder = prepared();
    let here = folder.path();
    ok(&["book", "three.csv", "-o", "site/"], here);
    assert!(!here.join("site/feed.xml").exists());
    for (option, value, why) in [
        ("--address", "example.org", "https://"),
        ("--paper", "a5", "booklets"),
        ("--without", "hints", "booklets"),
    ] {
        let told = refused(&["book", "three.csv", "-o", "other/", option, value], here);
        assert!(told.contains(why), "{told}");
        assert!(!here.join("other").exists());
    }
    let told = refused(
        &["book", "three.csv", "-o", "x.html", "--address", ADDRESS],
        here,
    );
    assert!(told.contains("folder/"), "{told}");
}
