//! What a run keeps for a later one: changed, endless, reached by links, or by somebody else.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::files;
use crate::common::program::{ok, refused};
use crate::make_pipe;

const GAME: &str = "ostle:rows=4,columns=3,pieces=2,losses=2";
const LURE: [&str; 6] = ["lure", GAME, "--moves", "2", "--keep", "k"];
const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

#[test]
fn lures_that_have_changed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let depth = [&LURE[..], &["--depth", "1"]].concat();
    let first = ok(&depth, here);
    let path = here.join("k/depth-1.json");
    let kept = fs::read(&path).unwrap();
    let digits = kept
        .iter()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit());
    let step = kept.len() / 20;
    let mut places: Vec<_> = digits
        .map(|(place, _)| place)
        .step_by(step.min(9))
        .collect();
    places.truncate(20);
    assert!(places.len() > 10);
    for place in places {
        let mut changed = kept.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).unwrap();
        let message = refused(&depth, here);
        assert!(message.contains("depth-1.json is damaged"), "{message}");
        assert!(message.contains("remove it"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), changed);
    }
    for length in [0, 7, 20, kept.len() - 1] {
        fs::write(&path, &kept[..length]).unwrap();
        let message = refused(&depth, here);
        assert!(message.contains("depth-1.json is"), "{message}");
    }
    // Another depth under this name is another search.
    fs::write(&path, &kept).unwrap();
    fs::copy(&path, here.join("k/depth-2.json")).unwrap();
    let both = [&LURE[..], &["--depth", "1-2"]].concat();
    let message = refused(&both, here);
    assert!(message.contains("depth-2.json is of another"), "{message}");
    assert_eq!(ok(&depth, here), first);
}

/// Puts a link, a pipe and a device in place of a file, and tells what is said of each.
fn strange(args: &[&str], path: &Path, here: &Path) {
    let real = here.join("real");
    fs::rename(path, &real).unwrap();
    for target in [&real, Path::new("/dev/zero")] {
        symlink(target, path).unwrap();
        let message = refused(args, here);
        assert!(message.contains("is a symbolic link"), "{message}");
        fs::remove_file(path).unwrap();
    }
    make_pipe(path);
    // With a pipe to which nobody writes, it would wait for ever.
    let mut limited = Command::new("timeout");
    limited
        .args(["20", env!("CARGO_BIN_EXE_tesuji")])
        .args(args);
    let output = limited.current_dir(here).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains("is a device, pipe"), "{message}");
    fs::remove_file(path).unwrap();
    fs::rename(&real, path).unwrap();
}

#[test]
fn nothing_that_is_read_again_is_a_link_or_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let depth = [&LURE[..], &["--depth", "1"]].concat();
    ok(&depth, here);
    strange(&depth, &here.join("k/depth-1.json"), here);
    symlink("k/depth-1.json", here.join("k/depth-2.json")).unwrap();
    let message = refused(&[&LURE[..], &["--depth", "2"]].concat(), here);
    assert!(message.contains("move it away, and run"), "{message}");
    fs::remove_file(here.join("k/depth-2.json")).unwrap();
    fs::hard_link(here.join("k/depth-1.json"), here.join("other")).unwrap();
    let message = refused(&depth, here);
    assert!(message.contains("has other names"), "{message}");
    let mine = ["mine", SMALL, "--filter", "longest-wins", "--draw", "0"];
    ok(&mine, here);
    let finds = here.join("output/longest-wins");
    for name in ["puzzles.csv", "run.json"] {
        strange(&mine, &finds.join(name), here);
    }
    let export = ["export", SMALL, "-o", "set", "--force"];
    ok(&export, here);
    strange(&export, &here.join("set/_dataset.json"), here);
    let search = ["formula", "sliding:2x2", "--family", "bits"];
    let path = here.join("output/formulas/sliding-2x2/bits.search");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, crate::common::sealed("{}")).unwrap();
    strange(&search, &path, here);
    let message = refused(&search, here);
    assert!(message.contains("--restart"), "{message}");
    let before = files(here);
    fs::write(&path, crate::common::sealed("{}").replace("{}", "[]")).unwrap();
    let message = refused(&search, here);
    assert!(message.contains("bits.search is damaged"), "{message}");
    assert_eq!(files(here).len(), before.len());
    ok(&[&search[..], &["--restart"]].concat(), here);
}
