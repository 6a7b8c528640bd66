//! What a job needs, held against what the machine has, before it begins.

use std::fs;
use std::path::Path;

use super::SessionError;

/// Bytes beside the large arrays: numbering, buffers, the program.
const OVERHEAD: u64 = 300 << 20;

/// Bytes of memory that the system says are free, if it says so. A container may be
/// allowed less than its machine has.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let machine = kib << 10;
    let read = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let allowed = read("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(read("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(allowed.map_or(machine, |allowed| allowed.min(machine)))
}

/// Bytes that a job may take: `bound` if given, else four fifths of what is free.
pub(super) fn most_memory(bound: Option<u64>) -> u64 {
    bound
        .or_else(|| available_memory().map(|bytes| bytes / 5 * 4))
        .unwrap_or(u64::MAX)
}

/// Refuses a job whose large arrays take `arrays` bytes if that is more than `bound`, or
/// than the machine has free.
pub(super) fn check_memory(job: &str, arrays: u64, bound: Option<u64>) -> Result<(), SessionError> {
    let needed = arrays.saturating_add(OVERHEAD);
    let available = available_memory().unwrap_or(u64::MAX);
    let bound = bound.filter(|&bound| bound < needed);
    if bound.is_none() && available >= needed {
        return Ok(());
    }
    Err(SessionError::Memory {
        job: job.to_owned(),
        needed,
        arrays,
        bound,
        available,
    })
}

/// Refuses a job that takes at least `least` bytes for its arrays if less is allowed or free.
/// If `arrays`, with which it is fastest, do not fit, returns the bytes that it can take.
pub(super) fn check_room(
    job: &str,
    arrays: u64,
    least: u64,
    bound: Option<u64>,
) -> Result<Option<u64>, SessionError> {
    let available = available_memory().unwrap_or(u64::MAX);
    let most = bound.map_or(available, |bound| bound.min(available));
    if most >= arrays.saturating_add(OVERHEAD) {
        return Ok(None);
    }
    check_memory(job, least, bound)?;
    Ok(Some(most.saturating_sub(OVERHEAD)))
}

/// Refuses a job that writes up to `needed` bytes to `folder` if less is free.
pub(super) fn check_disk(job: &str, needed: u64, folder: &Path) -> Result<(), SessionError> {
    #[cfg(unix)]
    if let Ok(system) = rustix::fs::statvfs(folder) {
        let free = system.f_bavail.saturating_mul(system.f_frsize);
        if free < needed {
            return Err(SessionError::Disk {
                job: job.to_owned(),
                needed,
                folder: folder.to_owned(),
                free,
            });
        }
    }
    Ok(())
}
