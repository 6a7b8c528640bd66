//! Searches for programs that go on where they were stopped.

use std::fs;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Questions, SessionError};
use crate::base::files::{expect_ours, open_ours, put_all_claimed};
use crate::base::progress::Progress;
use crate::base::text::percent;
use crate::formula::{AnswerKind, BitSearch, MagicSearch, OrderSearch};

/// Time between two copies of a search on disk.
const EVERY: Duration = Duration::from_secs(5);

/// A search, round by round.
pub trait Search: Serialize + DeserializeOwned {
    /// Whether a search that was read from a file may be this one, which is new.
    fn continues(&self, new: &Self, questions: &Questions) -> bool;
    /// Whether all candidates are tried.
    fn is_finished(&self) -> bool;
    /// Tries some more candidates.
    fn advance(&mut self, questions: &Questions, progress: &dyn Progress);
    /// Candidates tried, and how many there are.
    fn tried(&self) -> (u64, u64);
}

impl Search for BitSearch {
    fn continues(&self, new: &Self, questions: &Questions) -> bool {
        self.bounds() == new.bounds() && self.fits(&questions.policy)
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, questions: &Questions, progress: &dyn Progress) {
        self.advance(&questions.policy, &progress);
    }

    fn tried(&self) -> (u64, u64) {
        let all = self
            .bounds()
            .candidates()
            .saturating_mul(self.bits() as u128);
        let all = u64::try_from(all).unwrap_or(u64::MAX);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of what fits, for people"
        )]
        let tried = (self.share() * all as f64) as u64;
        (tried, all)
    }
}

impl Search for MagicSearch {
    fn continues(&self, new: &Self, _questions: &Questions) -> bool {
        self.bounds() == new.bounds() && self.is_sound()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, questions: &Questions, progress: &dyn Progress) {
        self.advance(&questions.policy, &progress);
    }

    fn tried(&self) -> (u64, u64) {
        (self.tried(), self.total())
    }
}

impl Search for OrderSearch {
    fn continues(&self, new: &Self, _questions: &Questions) -> bool {
        self.pairs() == new.pairs()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, questions: &Questions, progress: &dyn Progress) {
        if let Some((tactics, _)) = &questions.tactics {
            self.advance(tactics, &progress);
        }
    }

    fn tried(&self) -> (u64, u64) {
        (self.tried(), self.pairs())
    }
}

/// What the file of a search begins with: the name of the first field of [`SavedSearch`].
const MARK: [u8; 8] = *b"{\"game\":";

/// A search on disk.
#[derive(Serialize, Deserialize)]
struct SavedSearch<S> {
    game: String,
    shortest: bool,
    #[serde(default)]
    answer: AnswerKind,
    search: S,
}

/// Which search is wanted, besides its bounds.
#[derive(Debug, Clone, Copy)]
pub struct SearchRun<'a> {
    /// Only the quickest win and the slowest loss are right.
    pub shortest: bool,
    /// Forget what an earlier run saved.
    pub restart: bool,
    /// The file in which the search is saved now and then.
    pub path: &'a Path,
}

/// Brings a search to its end, from where an earlier run of the same search was stopped. A
/// copy is kept in a file, in a folder that the caller has claimed.
///
/// # Errors
/// If the file is not a search with the same bounds, or cannot be read or written.
pub fn finish<S: Search>(
    new: S,
    questions: &Questions,
    run: SearchRun<'_>,
    progress: &dyn Progress,
) -> Result<S, SessionError> {
    let path = run.path;
    expect_ours(path, &[MARK])?;
    let saved = if run.restart { None } else { read(path)? };
    let mut search = match saved {
        Some(saved) => resumed(saved, &new, questions, run, progress)?,
        None => new,
    };
    let (tried, all) = search.tried();
    progress.begin("candidates", all);
    progress.advance(tried);
    let mut last = Instant::now();
    while !search.is_finished() {
        search.advance(questions, progress);
        if last.elapsed() >= EVERY {
            let saved = SavedSearch {
                game: questions.spec.clone(),
                shortest: run.shortest,
                answer: questions.policy.kind(),
                search,
            };
            put_all_claimed(&[(path.to_owned(), bytes(path, &saved)?)], true)?;
            search = saved.search;
            last = Instant::now();
        }
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(SessionError::file("remove", path)(error))
        }
        _ => Ok(search),
    }
}

fn bytes<S: Serialize>(path: &Path, saved: &SavedSearch<S>) -> Result<Vec<u8>, SessionError> {
    serde_json::to_vec(saved).map_err(|error| SessionError::file("write", path)(error.into()))
}

fn read<S: Search>(path: &Path) -> Result<Option<SavedSearch<S>>, SessionError> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let saved = serde_json::from_reader(BufReader::new(file)).map_err(|error| {
        let why = format!("is not a search of this kind ({error}); give --restart to start over");
        SessionError::unusable(path, why)
    })?;
    Ok(Some(saved))
}

fn resumed<S: Search>(
    saved: SavedSearch<S>,
    new: &S,
    questions: &Questions,
    run: SearchRun<'_>,
    progress: &dyn Progress,
) -> Result<S, SessionError> {
    let same = saved.game == questions.spec
        && saved.shortest == run.shortest
        && saved.answer == questions.policy.kind();
    if !same || !saved.search.continues(new, questions) {
        let why = format!(
            "is a search of {} within other bounds; give the same ones to continue, or --restart to start over",
            saved.game
        );
        return Err(SessionError::unusable(run.path, why));
    }
    let (tried, all) = saved.search.tried();
    progress.note(&format!(
        "going on from {}: {} of the candidates are tried",
        run.path.display(),
        percent(tried, all)
    ));
    Ok(saved.search)
}
