//! Searches that go on where they were stopped.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::policy::Asked;
use crate::base::watch::Watch;
use crate::cli::output::put;
use crate::cli::progress::Progress;
use crate::formula::{BitSearch, MagicSearch, OrderSearch};

/// Time between two copies of a search on disk.
const EVERY: Duration = Duration::from_secs(5);

/// A search, round by round.
pub trait Search: Serialize + DeserializeOwned {
    /// Whether a search that was read from a file may be this one, which is new.
    fn continues(&self, new: &Self, asked: &Asked) -> bool;
    fn is_finished(&self) -> bool;
    /// Tries some more candidates.
    fn advance(&mut self, asked: &Asked, progress: &Progress);
    /// Candidates tried, and how many there are.
    fn tried(&self) -> (u64, u64);
}

impl Search for BitSearch {
    fn continues(&self, new: &Self, asked: &Asked) -> bool {
        self.bounds() == new.bounds() && self.fits(&asked.policy)
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, asked: &Asked, progress: &Progress) {
        self.advance(&asked.policy, progress);
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
    fn continues(&self, new: &Self, _asked: &Asked) -> bool {
        self.bounds() == new.bounds() && self.is_sound()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, asked: &Asked, progress: &Progress) {
        self.advance(&asked.policy, progress);
    }

    fn tried(&self) -> (u64, u64) {
        (self.tried(), self.total())
    }
}

impl Search for OrderSearch {
    fn continues(&self, new: &Self, _asked: &Asked) -> bool {
        self.pairs() == new.pairs()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn advance(&mut self, asked: &Asked, progress: &Progress) {
        if let Some((tactics, _)) = &asked.tactics {
            self.advance(tactics, progress);
        }
    }

    fn tried(&self) -> (u64, u64) {
        (self.tried(), self.pairs())
    }
}

/// A search on disk.
#[derive(Serialize, Deserialize)]
struct Kept<S> {
    game: String,
    shortest: bool,
    search: S,
}

/// Brings a search to its end, from where an earlier run of the same one was stopped. A
/// copy is kept beside the programs meanwhile.
pub fn finished<S: Search>(
    new: S,
    asked: &Asked,
    (shortest, restart): (bool, bool),
    path: &Path,
) -> Result<S> {
    let kept = if restart { None } else { read(path)? };
    let mut search = match kept {
        Some(kept) => taken_up(kept, &new, asked, shortest, path)?,
        None => new,
    };
    let progress = Progress::new();
    let (tried, all) = search.tried();
    progress.begin("candidates", all);
    progress.advance(tried);
    let mut last = Instant::now();
    while !search.is_finished() {
        search.advance(asked, &progress);
        if last.elapsed() >= EVERY {
            let kept = Kept {
                game: asked.spec.clone(),
                shortest,
                search,
            };
            put(path, &serde_json::to_vec(&kept)?, true)?;
            search = kept.search;
            last = Instant::now();
        }
    }
    progress.finish();
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(search),
    }
}

fn read<S: Search>(path: &Path) -> Result<Option<Kept<S>>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let kept = serde_json::from_slice(&text).with_context(|| {
        let path = path.display();
        format!("{path} is no search of this kind; give --restart to begin anew")
    })?;
    Ok(Some(kept))
}

fn taken_up<S: Search>(
    kept: Kept<S>,
    new: &S,
    asked: &Asked,
    shortest: bool,
    path: &Path,
) -> Result<S> {
    let same = kept.game == asked.spec && kept.shortest == shortest;
    if !same || !kept.search.continues(new, asked) {
        bail!(
            "{} is a search of {} within other bounds; give the same ones to go on, or --restart to begin anew",
            path.display(),
            kept.game
        );
    }
    let (tried, all) = kept.search.tried();
    eprintln!(
        "going on from {}: {:.0}% of the candidates are tried",
        path.display(),
        100.0 * tried as f64 / all.max(1) as f64
    );
    Ok(kept.search)
}
