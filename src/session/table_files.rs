//! The table of a session: from its file, or solved in memory if the game is small; what a job
//! needs, held against what the machine has; and tables that are written, in a solve that survives
//! being killed, repacked and verified.
//!
//! A table grows in a file beside its final name, and checkpoints say how far it is:
//!
//! | file | content |
//! |---|---|
//! | `NAME.partial` | the table so far: the blocks of the finished layers |
//! | `NAME.layers` | checkpoint after the last finished layers |
//! | `NAME.pass` | checkpoint within the layers under way |
//!
//! Who has the claim on the first owns them all. Other people's files under these names are
//! refused: each begins with a mark of its own.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::base::files::{self, Claim, Existing, FileError, Place, folder_of};
use crate::base::progress::{NoProgress, Progress};
use crate::base::text::{bytes, grouped, plural};
use crate::base::threads::locked;
use crate::base::value::{Narrow, Record, Wide};
use crate::game::{Ranked, Retrograde};
use crate::session::{
    Options, Result, SessionError, SolveOptions, VerifyReport, WrittenTable, table_name,
};
use crate::solve::{
    SnapshotSink, SolveError, Solver, Stage, WordWidth, Words, least_working_set, room_for_records,
    working_set,
};
use crate::table::{
    CHECKPOINT_MARK, CHECKPOINT_VERSION, Checkpoint, Encoding, Head, TABLE_MARKS, Table,
    TableError, TableWriter, ValueWidth, Verified, Written,
};

/// Games with more slots than this are not solved automatically.
pub(super) const SMALL: u64 = 60_000_000;

/// Where a session's table comes from. It is read or made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct TableSource {
    pub(super) file: Option<PathBuf>,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    table: Option<Arc<Table>>,
    /// Where a table may be if no file was given; `None` once it could not be used.
    kept: Option<PathBuf>,
}

impl TableSource {
    /// The table of a game: from the file given, from that of an earlier solve, or to be made.
    pub(super) fn new(options: &Options, spec: &str) -> Self {
        let folder = options.folder.as_ref();
        let kept = folder.map(|folder| folder.join(table_name(spec)));
        Self {
            file: options.table.clone(),
            held: Mutex::new(Held { table: None, kept }),
        }
    }

    /// The table, made by `solve` if there is no file.
    pub(super) fn get<G: Ranked>(
        &self,
        game: &G,
        progress: &dyn Progress,
        solve: impl FnOnce() -> Result<Table>,
    ) -> Result<Arc<Table>> {
        // The lock is held while the table is made, so that it is made once.
        let mut held = locked(&self.held);
        if let Some(table) = &held.table {
            return Ok(Arc::clone(table));
        }
        let table = if let Some(path) = &self.file {
            opened(game, path)?
        } else if let Some(table) = held.found(game, progress) {
            table
        } else {
            game.check_size()?;
            if game.slots() > SMALL {
                return Err(SessionError::NotSolved {
                    spec: game.spec(),
                    positions: game.positions(),
                });
            }
            solve()?
        };
        let table = Arc::new(table);
        held.table = Some(Arc::clone(&table));
        Ok(table)
    }
}

impl Held {
    /// The table of an earlier solve, if it is there and can be used. What cannot is reported once.
    fn found<G: Ranked>(&mut self, game: &G, progress: &dyn Progress) -> Option<Table> {
        let path = self.kept.take_if(|path| path.is_file())?;
        let found = opened(game, &path);
        if let Err(error) = &found {
            progress.note(&format!(
                "not used: {error}; move it away, or replace it by 'tesuji solve --force'"
            ));
        }
        found.ok()
    }
}

fn opened<G: Ranked>(game: &G, path: &Path) -> Result<Table> {
    let table = Table::open(path)?;
    table.expect_game(game)?;
    Ok(table)
}

/// Bytes beside the large arrays: numbering, buffers, the program.
const OVERHEAD: u64 = 300 << 20;

/// Bytes of memory that the system says are free, if it says so. A container may be
/// allowed less than its machine has.
fn available_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = info.lines();
    let line = lines.find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let machine = kib << 10;
    let read = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let allowed = read("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(read("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(allowed.map_or(machine, |allowed| allowed.min(machine)))
}

/// Bytes that a job may take: `bound` if given, else four fifths of what is free.
pub fn most_memory(bound: Option<u64>) -> u64 {
    let most_free = || available_memory().map(|bytes| bytes / 5 * 4);
    bound.or_else(most_free).unwrap_or(u64::MAX)
}

/// Refuses a job whose large arrays take `arrays` bytes if that is more than `bound`, or
/// than the machine has free.
pub(super) fn check_memory(job: &str, arrays: u64, bound: Option<u64>) -> Result<()> {
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

/// Refuses a game with layers that belong together and have more slots than one search takes; it would
/// take `arrays` bytes.
pub(super) fn check_groups<G: Ranked>(job: &str, game: &G, arrays: u64) -> Result<()> {
    let groups = (0..game.groups()).map(|group| game.group_slots(group));
    let largest = groups.map(|slots| slots.end - slots.start).max();
    let Some(largest) = largest.filter(|&slots| slots > u32::MAX.into()) else {
        return Ok(());
    };
    Err(SessionError::Refused(format!(
        "{job} is out of range: it has {} positions and would take {} of memory, and {} slots belong together, of which there may be {}; choose a smaller game, or solve it on several machines as notebooks/cluster shows",
        grouped(game.positions()),
        bytes(arrays),
        grouped(largest),
        grouped(u32::MAX.into())
    )))
}

/// Refuses a job that takes at least `least` bytes for its arrays if less is allowed or free.
/// If `arrays`, with which it is fastest, do not fit, returns the bytes that it can take.
pub(super) fn check_room(
    job: &str,
    arrays: u64,
    least: u64,
    bound: Option<u64>,
) -> Result<Option<u64>> {
    let available = available_memory().unwrap_or(u64::MAX);
    let most = bound.map_or(available, |bound| bound.min(available));
    if most >= arrays.saturating_add(OVERHEAD) {
        return Ok(None);
    }
    check_memory(job, least, bound)?;
    Ok(Some(most.saturating_sub(OVERHEAD)))
}

/// Refuses a job that writes up to `needed` bytes to `folder` if less is free.
pub(super) fn check_disk(job: &str, needed: u64, folder: &Path) -> Result<()> {
    #[cfg(unix)]
    if let Ok(system) = rustix::fs::statvfs(folder) {
        let free = system.f_bavail.saturating_mul(system.f_frsize);
        if free < needed {
            return Err(SessionError::TooMuch(format!(
                "{job} needs up to {} on disk ({} bytes), but {} has only {} free; make room, or choose another place with --output",
                bytes(needed),
                grouped(needed),
                folder.display(),
                bytes(free)
            )));
        }
    }
    Ok(())
}

/// The table file of a session, which must have been given.
pub(super) fn given<G: Ranked>(game: &G, source: &TableSource) -> Result<Arc<Table>> {
    if source.file.is_none() {
        let why = "was opened without a table; open its table file";
        return Err(SessionError::unusable(game.spec(), why));
    }
    source.get(game, &NoProgress, || unreachable!("the table has a file"))
}

/// The place of a table that is written as a whole.
pub(super) fn claimed(path: &Path, force: bool) -> Result<Place> {
    expect_own_name(path)?;
    Ok(Place::claim(path, Existing::refused_unless(force))?)
}

/// Writes a table with these records into a place, and if its fingerprint is accepted gives it its
/// name.
pub(super) fn write_whole<G: Ranked>(
    game: &G,
    place: Place,
    (width, options): (ValueWidth, &SolveOptions),
    records: impl Fn(Range<u64>) -> Result<Vec<Record>> + Sync,
    accept: impl FnOnce(&str) -> Result<()>,
    (stage, progress): (&str, &dyn Progress),
) -> Result<WrittenTable> {
    let path = place.path.clone();
    place.write(|file| {
        let sink = BufWriter::with_capacity(1 << 20, file);
        let (encoding, level) = (options.encoding(), options.level);
        let mut writer = TableWriter::new(sink, &path, game, width, encoding, level)?;
        progress.begin(stage, game.slots());
        writer.append(game.slots(), records, |done| progress.advance(done))?;
        let (_, fingerprint, size) = writer.finish()?;
        accept(&fingerprint)?;
        Ok(WrittenTable { fingerprint, size })
    })
}

/// Writes the table of a session again in another encoding. Its fingerprint stays, which is
/// checked before the new file gets its name.
pub(super) fn repack<G: Ranked>(
    game: &G,
    source: &TableSource,
    path: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<(WrittenTable, u64)> {
    let table = given(game, source)?;
    let place = claimed(path, options.force)?;
    let width = match table.description.value_bytes {
        1 => ValueWidth::NARROW,
        _ => ValueWidth::WIDE,
    };
    let fingerprint = &table.description.fingerprint;
    let records = |slots| Ok(table.records(slots)?);
    let accept = |found: &str| {
        table.expect_unchanged()?;
        if found == fingerprint {
            return Ok(());
        }
        let why = format!(
            "says that its fingerprint is {fingerprint}, but its records have {found}; solve the game again"
        );
        Err(SessionError::unusable(&table.path, why))
    };
    let how = (width, options);
    let written = write_whole(game, place, how, records, accept, ("packing", progress))?;
    Ok((written, table.file_size()))
}

/// Refuses names that belong to a solve under way.
fn expect_own_name(path: &Path) -> Result<()> {
    let ending = path.extension().and_then(OsStr::to_str);
    if matches!(ending, Some("partial" | "layers" | "pass")) {
        let why = "is named like the file of a solve that is under way; choose another name, such as table.tsj";
        return Err(SessionError::unusable(path, why));
    }
    Ok(())
}

pub(super) fn verified<G: Ranked>(
    game: &G,
    table: &Table,
    found: Verified,
) -> Result<VerifyReport> {
    table.expect_unchanged()?;
    let states = found.flaws.iter().map(|flaw| game.unrank(flaw.slot));
    let positions = states.map(|state| Some(game.format_state(&state?)));
    Ok(VerifyReport {
        game: game.spec(),
        fingerprint: table.description.fingerprint.clone(),
        positions: positions.collect(),
        found,
    })
}

type TakenUp<'g, G, W> = (Solver<'g, G, W>, TableWriter<BufWriter<File>>);

/// The claim on a run's files, which ends with the process.
pub(super) struct Claimed {
    /// The table's final name.
    path: PathBuf,
    existing: Existing,
    claim: Claim,
    partial: PathBuf,
    layers: PathBuf,
    pass: PathBuf,
}

impl Claimed {
    /// Claims the files of the run for the table at `path`, and tidies up what a
    /// killed run left half-written or outlived.
    pub(super) fn new(path: &Path, existing: Existing) -> Result<Self> {
        files::check(path, Existing::Replace)?;
        expect_own_name(path)?;
        let partial = beside(path, ".partial");
        let claimed = Self {
            path: path.to_owned(),
            existing,
            claim: Claim::file(&partial, &TABLE_MARKS)?,
            partial,
            layers: beside(path, ".layers"),
            pass: beside(path, ".pass"),
        };
        for checkpoint in [&claimed.layers, &claimed.pass] {
            files::expect_ours(checkpoint, &[CHECKPOINT_MARK])?;
            files::tidy_beside(checkpoint)?;
        }
        // Killed after its table got its name and before the checkpoints went.
        if path.exists() && claimed.is_empty() {
            claimed.forget_checkpoints()?;
        }
        files::check(path, existing)?;
        Ok(claimed)
    }

    /// Whether nothing of the table is written.
    fn is_empty(&self) -> bool {
        let begun = self.claim.handle().and_then(|file| file.metadata());
        begun.is_ok_and(|begun| begun.len() == 0)
    }

    fn forget_checkpoints(&self) -> Result<()> {
        remove_if_there(&self.pass)?;
        remove_if_there(&self.layers)
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        // Files from which no run can continue are removed.
        let none = !self.layers.exists() && !self.pass.exists();
        if self.claim.holds() && (none || self.is_empty()) {
            let _ = fs::remove_file(&self.claim.path);
        }
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

pub(super) fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(FileError::io(path, "remove")(error).into())
        }
        _ => Ok(()),
    }
}

impl SolveOptions {
    /// Solves `game`, or goes on where an earlier run was stopped.
    pub(super) fn run<G: Retrograde>(
        &self,
        game: &G,
        claimed: &Claimed,
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        if self.restart {
            claimed.forget_checkpoints()?;
        }
        let mut wide = false;
        for path in [&claimed.pass, &claimed.layers] {
            if let Some(head) = Checkpoint::peek(path)? {
                self.expect(game, &head, path)?;
                wide |= head.value_bytes == 2;
            }
        }
        // Little boards often have wins too long for one byte.
        if !wide && game.slots() > SMALL && Narrow::holds(game.most_moves()) {
            match self.run_width::<Narrow, _>(game, ValueWidth::NARROW, claimed, progress) {
                Err(SessionError::Solve(SolveError::TooLong { .. })) => {
                    claimed.forget_checkpoints()?;
                }
                result => return result,
            }
        }
        self.run_width::<Wide, _>(game, ValueWidth::WIDE, claimed, progress)
    }

    /// Checks that a checkpoint is one of this run.
    fn expect<G: Retrograde>(&self, game: &G, head: &Head, path: &Path) -> Result<()> {
        let described = |game: &str, encoding, level| match encoding {
            Encoding::Raw => format!("'{game}', not compressed"),
            Encoding::Packed => format!("'{game}', compressed at level {level}"),
        };
        let found = described(&head.game, head.encoding, head.level);
        let asked = described(&game.spec(), self.encoding(), self.level);
        if found != asked {
            let why = format!(
                "is a checkpoint of {found}, but this is to be {asked}; give the same options to continue, or --restart to start over"
            );
            return Err(SessionError::unusable(path, why));
        }
        Ok(())
    }

    fn run_width<W: WordWidth, G: Retrograde>(
        &self,
        game: &G,
        width: ValueWidth,
        claimed: &Claimed,
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        let job = format!("solving {}", game.spec());
        let working_set = working_set::<G, W>(game);
        let least = least_working_set::<G, W>(game);
        check_groups(&job, game, working_set)?;
        let memory = check_room(&job, working_set, least, self.memory)?;
        let record = 2 * W::BYTES as u64 + 1;
        // Compressed tables take about 6 bits a position, a checkpoint a sixth of the
        // working set (measured, see README), and it replaces
        // the one before only when it is whole.
        let table = match self.encoding() {
            Encoding::Raw => game.slots() * record,
            Encoding::Packed => game.slots() * record / 3,
        };
        check_disk(&job, table + working_set / 2, folder_of(&claimed.path))?;
        let (mut solver, mut writer) =
            self.take_up::<W, G>(game, width, claimed, memory, progress)?;
        if let Some(memory) = memory {
            solver = solver.within(memory);
        }
        if game.slots() > SMALL {
            progress
                .note("this may be stopped at any time; the same command then goes on from there");
        }
        let mut head = Head {
            version: CHECKPOINT_VERSION,
            game: game.spec(),
            value_bytes: u8::try_from(W::BYTES).unwrap_or(u8::MAX),
            encoding: self.encoding(),
            level: self.level,
            groups: solver.solved(),
            next: 0,
            offset: 0,
            stage: None,
        };
        loop {
            let mut keeper = FileKeeper {
                path: &claimed.pass,
                head: &head,
                written: writer.written.clone(),
                every: Duration::from_secs(self.checkpoint_every),
                last: Instant::now(),
            };
            let Some(solved) = solver.solve_next_with_snapshots(progress, Some(&mut keeper))?
            else {
                break;
            };
            let slots = solved.slots();
            progress.begin("writing", slots.end - slots.start);
            let records = |slots| Ok::<_, TableError>(solved.records(slots));
            writer.append(slots.end, records, |done| progress.advance(done))?;
            sync(&mut writer.sink, &claimed.partial)?;
            head.groups = solver.solved();
            Checkpoint::write(&claimed.layers, head.clone(), &writer.written, None)?;
            let _ = fs::remove_file(&claimed.pass);
        }
        let (mut sink, fingerprint, size) = writer.finish()?;
        sync(&mut sink, &claimed.partial)?;
        // An earlier run may have left something behind the end.
        let file = sink.get_ref();
        let cut = file.set_len(size).and_then(|()| file.sync_all());
        cut.map_err(FileError::io(&claimed.partial, "write"))?;
        expect_sound(&Table::open(&claimed.partial)?)?;
        files::rename(&claimed.partial, &claimed.path, claimed.existing)?;
        claimed.forget_checkpoints()?;
        Ok(WrittenTable { fingerprint, size })
    }

    /// Solver and writer as the checkpoints have them, or as at the beginning.
    fn take_up<'g, W: WordWidth, G: Retrograde>(
        &self,
        game: &'g G,
        width: ValueWidth,
        claimed: &Claimed,
        memory: Option<u64>,
        progress: &dyn Progress,
    ) -> Result<TakenUp<'g, G, W>> {
        let (partial, encoding, level) = (&claimed.partial, self.encoding(), self.level);
        let file = claimed.claim.handle();
        let file = file.map_err(FileError::io(partial, "write"))?;
        let layers = Checkpoint::peek(&claimed.layers)?.map(|head| head.groups);
        let pass = Checkpoint::peek(&claimed.pass)?.map(|head| head.groups);
        // A pass of layers that were finished later is out of date.
        let latest = if pass >= layers {
            &claimed.pass
        } else {
            &claimed.layers
        };
        let room = |group, rows| room_for_records::<G, W>(game, group, rows, memory);
        let sink = |file| BufWriter::with_capacity(1 << 20, file);
        let Some((checkpoint, begun)) = Checkpoint::read(latest, room)? else {
            file.set_len(0).map_err(FileError::io(partial, "write"))?;
            let writer = TableWriter::new(sink(file), partial, game, width, encoding, level)?;
            return Ok((Solver::new(game), writer));
        };
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let head = checkpoint.head.clone();
        if length < head.offset {
            let why = format!(
                "has {length} bytes, but {} says that {} were written; give --restart to start over",
                latest.display(),
                head.offset
            );
            return Err(SessionError::unusable(partial, why));
        }
        let next = head.stage.as_ref();
        let next = next.map(|it| format!(", the next has come to distance {}", it.depth));
        progress.note(&format!(
            "going on from {}: {} of layers finished{}",
            latest.display(),
            plural(head.groups as u64, "group"),
            next.unwrap_or_default()
        ));
        let written = checkpoint.written;
        let unfinished = Table::unfinished(partial, game, width, encoding, &written)?;
        expect_sound(&unfinished)?;
        let best = |slots, codes: &mut [u8]| Ok(unfinished.best_codes(slots, codes)?);
        let solver = Solver::resume::<SessionError>(game, head.groups, best, begun)?;
        let sink = sink(file);
        let writer = TableWriter::resume(sink, partial, game, width, encoding, level, written)?;
        Ok((solver, writer))
    }
}

/// Refuses a table that is being written if one of its blocks has changed since.
fn expect_sound(partial: &Table) -> Result<()> {
    partial.damaged_part().map_or(Ok(()), |part| {
        let why = format!("is damaged: {part} has changed; give --restart to start over");
        Err(SessionError::unusable(&partial.path, why))
    })
}

/// Brings all that was written to the disk.
fn sync(sink: &mut BufWriter<File>, path: &Path) -> Result<()> {
    let written = sink.flush().and_then(|()| sink.get_ref().sync_data());
    Ok(written.map_err(FileError::io(path, "write"))?)
}

/// Writes checkpoints within a group.
struct FileKeeper<'a> {
    path: &'a Path,
    head: &'a Head,
    written: Written,
    every: Duration,
    last: Instant,
}

impl SnapshotSink for FileKeeper<'_> {
    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn save(&mut self, stage: &Stage, records: &Words) -> Result<(), Box<dyn Error + Send + Sync>> {
        let current = Some((stage, records));
        Checkpoint::write(self.path, self.head.clone(), &self.written, current)?;
        self.last = Instant::now();
        Ok(())
    }
}
