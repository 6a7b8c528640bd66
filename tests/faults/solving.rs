//! Solves that are killed, and checkpoints that are damaged.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use tesuji::table::Checkpoint;

/// The four-piece layer of the published game, 162 million slots, and the fingerprint
/// that an uninterrupted solve gave (see output/ostle/full-runs.csv).
const FOUR_PIECES: &str = "ostle:5x5,pieces=4,losses=1";
const FOUR_PIECES_FINGERPRINT: &str = "eb144412d6d59818b63898f16434f388";
/// A game of nine layers that takes a few seconds.
const LAYERED: &str = "ostle:5x5,pieces=3,losses=2";
const LAYERED_FINGERPRINT: &str = "1b7feebd486c0c1c2fb0ae9498998c40";

fn solve(game: &str, table: &Path, every: u64, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["solve", game, "--checkpoint-every", &every.to_string()]);
    command.arg("--output").arg(table).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it for so long, then kills it; false if it had ended by then.
fn killed_after(mut command: Command, time: Duration) -> bool {
    let mut child = command.spawn().unwrap();
    sleep(time);
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

/// When a file was last written, if it is there.
fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn beside(table: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = table.file_name().unwrap().to_owned();
    name.push(suffix);
    table.with_file_name(name)
}

#[test]
fn killed_five_times_the_four_piece_game_comes_out_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("four.tsj");
    let pass = beside(&table, ".pass");
    for moment in 0..5u64 {
        let random = Duration::from_millis(RandomState::new().hash_one(moment) % 2500);
        let mut child = solve(FOUR_PIECES, &table, 2, &[]).spawn().unwrap();
        // The first is killed before there is a checkpoint, the others some time after
        // one, so that the solve comes further on a slow machine too.
        let before = written(&pass);
        while moment > 0 && written(&pass) == before && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(20));
        }
        sleep(random);
        if child.try_wait().unwrap().is_some() {
            // A fast machine is through before the fifth kill.
            assert!(moment > 0, "the first run was never killed");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        println!("run {moment} killed {random:?} after its beginning or a checkpoint");
        assert!(!table.exists(), "a killed run left no table");
    }
    if !table.exists() {
        let output = solve(FOUR_PIECES, &table, 60, &[]).output().unwrap();
        let (out, err) = told(&output);
        assert!(output.status.success(), "{err}");
        assert!(err.contains("going on from"), "{err}");
        assert!(out.contains(FOUR_PIECES_FINGERPRINT), "{out}");
    }
    let bytes = fs::read(&table).unwrap();
    let text = String::from_utf8_lossy(&bytes[bytes.len() - 200_000..]);
    assert!(text.contains(FOUR_PIECES_FINGERPRINT));
    for suffix in [".partial", ".layers", ".pass"] {
        assert!(!beside(&table, suffix).exists(), "{suffix} is left behind");
    }
}

/// Kills a solve of the layered game again and again until both kinds of checkpoint
/// are there.
fn leave_checkpoints(table: &Path) {
    for tenths in 3..60 {
        let command = solve(LAYERED, table, 0, &["--restart", "--force"]);
        let running = killed_after(command, Duration::from_millis(100 * tenths));
        if beside(table, ".pass").exists() && beside(table, ".layers").exists() {
            return;
        }
        assert!(running, "the solve ended before it could be killed");
    }
    panic!("no checkpoint was left");
}

#[test]
fn a_damaged_checkpoint_is_named_and_finished_layers_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("layered.tsj");
    leave_checkpoints(&table);
    let pass = beside(&table, ".pass");
    let sound = fs::read(&pass).unwrap();
    let places = [0, 9, 30, 200, sound.len() / 2, sound.len() - 1];
    for place in places {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x10;
        fs::write(&pass, &damaged).unwrap();
        refused(&table, &pass, &format!("byte {place} flipped"));
    }
    for length in [0, 5, 20, sound.len() / 3, sound.len() - 1] {
        fs::write(&pass, &sound[..length]).unwrap();
        refused(&table, &pass, &format!("cut to {length} bytes"));
    }
    let mut longer = sound.clone();
    longer.push(0);
    fs::write(&pass, &longer).unwrap();
    refused(&table, &pass, "a byte more");
    // Other options than those of the checkpoint are refused too, and say why.
    fs::write(&pass, &sound).unwrap();
    let output = solve(LAYERED, &table, 60, &["--raw"]).output().unwrap();
    let (_, err) = told(&output);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("--restart"), "{err}");
    // Without the damaged one, the finished layers are still there.
    fs::remove_file(&pass).unwrap();
    let output = solve(LAYERED, &table, 60, &[]).output().unwrap();
    let (out, err) = told(&output);
    assert!(output.status.success(), "{err}");
    assert!(err.contains(".layers"), "{err}");
    assert!(out.contains(LAYERED_FINGERPRINT), "{out}");
}

fn refused(table: &Path, checkpoint: &Path, what: &str) {
    let output = solve(LAYERED, table, 60, &[]).output().unwrap();
    let (_, err) = told(&output);
    assert_eq!(output.status.code(), Some(2), "{what}: {err}");
    assert!(err.contains(checkpoint.to_str().unwrap()), "{what}: {err}");
    assert!(!table.exists());
}

#[test]
fn what_memory_cannot_hold_is_refused_with_figures() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("none.tsj");
    let output = solve("ostle", &table, 60, &["--memory", "2GiB"])
        .output()
        .unwrap();
    let (_, err) = told(&output);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        err.contains("2.00 GiB") && err.contains("needs 5."),
        "{err}"
    );
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "a refused solve leaves nothing behind");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_of_checkpoints_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        magic: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("any.pass");
        let mut file = if magic { b"\x89TSC\r\n\x1a\n".to_vec() } else { Vec::new() };
        file.extend(bytes);
        fs::write(&path, &file).unwrap();
        let error = Checkpoint::read(&path, |_, _| panic!("no group is begun")).unwrap_err().to_string();
        prop_assert!(error.contains("any.pass"), "{error}");
    }
}
