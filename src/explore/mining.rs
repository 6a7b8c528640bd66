//! Scans, told bit by bit: first what a moment finds, then an estimate, then all.

use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::answers::{Answer, Question, Seek, data};
use super::http::{ClientProgress, begin_stream, send};
use crate::base::progress::{Interim, Progress};
use crate::session::{Mined, MiningOptions, ScopeOptions, SessionError};

/// How long the first look takes, which shows finds at once.
const FIRST_LOOK: Duration = Duration::from_millis(400);

/// How many finds it shows at most: each takes a moment to be solved.
const FIRST_SHOWN: usize = 8;

/// Finds that are kept by default.
const KEPT: usize = 24;

/// The shortest time between two reports of progress.
const PACE: Duration = Duration::from_millis(200);

/// Positions that fit a pattern and a filter, as `compose --json` prints them.
pub(super) fn compose(question: &Question<'_>) -> Answer {
    let (session, progress) = (question.session, question.progress);
    let asked: Seek = question.read()?;
    let composing = session.composing()?;
    let filter = asked.filter(&session.family())?;
    let limit = asked.limit(KEPT)?;
    let scope = ScopeOptions::default();
    data(&composing.compose(asked.pattern.as_deref(), &filter, &scope, limit, progress)?)
}

/// Scans for a filter and tells what is found, a line of JSON for each event. Whatever is
/// wrong with the question is reported before the first line.
pub(super) fn mine(question: &Question<'_>) -> Answer {
    let &Question {
        session,
        client,
        progress,
        ..
    } = question;
    let asked: Seek = question.read()?;
    let mining = session.mining()?;
    let mut filter = asked.filter(&session.family())?;
    match (&asked.pattern, &filter.pattern) {
        (None, _) => {}
        (Some(pattern), None) => filter.pattern = Some(pattern.clone()),
        (Some(_), Some(_)) => {
            let why = format!("is in the filter {} already", filter.name);
            return Err(SessionError::inapplicable("pattern", why).into());
        }
    }
    let filters = [filter];
    let limit = asked.limit(KEPT)?;
    let options = MiningOptions {
        limit: Some(limit),
        progressive: mining.estimates(&ScopeOptions::default()),
        ..MiningOptions::default()
    };
    mining.check(&filters, &options)?;
    let teller = Teller::new(client, progress, None);
    if begin_stream(client, "application/x-ndjson").is_err() {
        return Ok(None);
    }
    // A scan that is stopped keeps what a sample has; one that ends before is the answer.
    let first = Teller::new(client, progress, Some(Instant::now() + FIRST_LOOK));
    let quick = MiningOptions {
        limit: Some(limit.min(FIRST_SHOWN)),
        ..options.clone()
    };
    if options.progressive
        && let Ok(mined) = mining.mine(&filters, &quick, &first)
    {
        let mut found = finds(&mined);
        let is_all = found["complete"] == true && limit <= FIRST_SHOWN;
        found["complete"] = is_all.into();
        teller.tell(&found);
        if is_all {
            return Ok(None);
        }
    }
    // Whatever else went wrong there goes wrong here again, if it is not the end of the look.
    match mining.mine(&filters, &options, &teller) {
        Ok(mined) => teller.tell(&finds(&mined)),
        Err(error) => teller.tell(&json!({ "event": "error", "error": error.to_string() })),
    }
    Ok(None)
}

fn finds(mined: &Mined) -> Json {
    let set = mined.sets.first();
    let coverage = set.and_then(|set| set.coverage);
    json!({
        "event": "finds",
        "complete": coverage.is_none(),
        "looked_at": coverage.map(|it| it.looked_at),
        "slots": coverage.map(|it| it.of),
        "matched": set.map_or(0, |set| set.matched),
        "puzzles": set.map(|set| &set.rows),
    })
}

struct Teller<'a> {
    client: Mutex<&'a TcpStream>,
    progress: &'a ClientProgress,
    /// When the first look ends, if this is one.
    until: Option<Instant>,
    stage: Mutex<(String, u64, Instant)>,
    done: AtomicU64,
}

impl<'a> Teller<'a> {
    fn new(client: &'a TcpStream, progress: &'a ClientProgress, until: Option<Instant>) -> Self {
        Self {
            client: Mutex::new(client),
            progress,
            until,
            stage: Mutex::new((String::new(), 0, Instant::now())),
            done: AtomicU64::new(0),
        }
    }

    fn tell(&self, event: &Json) {
        let Ok(client) = self.client.lock() else {
            return;
        };
        if send(&client, format!("{event}\n").as_bytes()).is_err() {
            self.progress.lost();
        }
    }
}

impl Progress for Teller<'_> {
    fn begin(&self, stage: &str, total: u64) {
        self.done.store(0, Relaxed);
        if let Ok(mut current) = self.stage.lock() {
            *current = (stage.to_owned(), total, Instant::now());
        }
        self.tell(&json!({ "event": "progress", "stage": stage, "done": 0, "total": total }));
    }

    fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Relaxed) + steps;
        let Ok(mut stage) = self.stage.try_lock() else {
            return;
        };
        if stage.2.elapsed() < PACE {
            return;
        }
        stage.2 = Instant::now();
        let event =
            json!({ "event": "progress", "stage": stage.0, "done": done, "total": stage.1 });
        drop(stage);
        self.tell(&event);
    }

    fn interim(&self, so_far: &[Interim]) {
        // A first look is too short for estimates.
        if self.until.is_some() {
            return;
        }
        for sought in so_far {
            self.tell(&json!({
                "event": "estimate",
                "found": sought.found,
                "estimate": sought.estimate.number.round(),
                "error_95": sought.estimate.error.ceil(),
                "best": sought.best,
            }));
        }
    }

    fn cancelled(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || self.progress.cancelled()
    }
}
