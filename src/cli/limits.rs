//! What a job needs, held against what the machine has, before it begins.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::base::text::{bytes, grouped};

/// Bytes beside the large arrays: numbering, buffers, the program.
const OVERHEAD: u64 = 300 << 20;

/// Reads a number of bytes: `9GiB`, `9GB`, `512MiB`, or plain bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => 0.0,
    };
    let number = digits.trim().parse::<f64>().ok();
    let bytes = number.map_or(0.0, |number| number * unit);
    if !bytes.is_finite() || bytes < 1.0 {
        return Err("give a number of bytes with a unit, such as 9GiB or 800MB".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and saturating beyond all memory"
    )]
    Ok(bytes as u64)
}

/// Memory that the system says is free for use, as far as it says so.
fn available_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let machine = kib << 10;
    // A container may be allowed less than the machine has.
    let read = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let allowed = read("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(read("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(allowed.map_or(machine, |allowed| allowed.min(machine)))
}

/// How much a job may take of the memory that is free: `bound` if given, else four
/// fifths of it.
pub fn most_memory(bound: Option<u64>) -> u64 {
    bound
        .or_else(|| available_memory().map(|bytes| bytes / 5 * 4))
        .unwrap_or(u64::MAX)
}

/// Refuses a job whose large arrays take `arrays` bytes if that is more than
/// `bound` or than the machine has to give.
pub fn check_memory(job: &str, arrays: u64, bound: Option<u64>) -> Result<()> {
    let needed = arrays + OVERHEAD;
    if let Some(bound) = bound.filter(|&bound| bound < needed) {
        bail!(
            "{job} needs {} of memory at its peak ({} for its arrays), more than --memory {}; allow at least that much, or choose a smaller game",
            bytes(needed),
            bytes(arrays),
            bytes(bound),
        );
    }
    if let Some(available) = available_memory().filter(|&available| available < needed) {
        bail!(
            "{job} needs {} of memory at its peak, but only {} are available; close other programs, take a larger machine, or choose a smaller game",
            bytes(needed),
            bytes(available),
        );
    }
    Ok(())
}

/// Refuses a job that writes up to `needed` bytes to `folder` if less is free.
pub fn check_disk(job: &str, needed: u64, folder: &Path) -> Result<()> {
    #[cfg(unix)]
    if let Ok(system) = rustix::fs::statvfs(folder) {
        let free = system.f_bavail.saturating_mul(system.f_frsize);
        if free < needed {
            bail!(
                "{job} needs up to {} on disk ({} bytes), but {} has only {} free; make room, or give another place with --output",
                bytes(needed),
                grouped(needed),
                folder.display(),
                bytes(free),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes_have_units() {
        assert_eq!(parse_bytes("9GiB"), Ok(9 << 30));
        assert_eq!(parse_bytes("1.5gb"), Ok(1_500_000_000));
        assert_eq!(parse_bytes("4096"), Ok(4096));
        for wrong in ["", "GiB", "-3GB", "9 parsecs", "nan", "0"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
