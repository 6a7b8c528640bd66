//! Connections, their limits, and the end; and who is answered: requests that know the token, come
//! to the right host, and were not made by a page of another origin.

use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread::sleep;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::answers::{Answer, Question, data};
use super::http::{ClientProgress, NO_CONTENT, Request, Response};
use super::{answers, http, mining, page};
use crate::base::threads::begin;
use crate::session::Session;

const MOST_CONNECTIONS: usize = 256;

const MOST_SCANS: usize = 2;

/// How long the end waits for answers that are under way.
const LAST_ANSWERS: Duration = Duration::from_secs(3);

/// Why there is no server.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The port cannot be listened at.
    #[error("cannot listen at 127.0.0.1:{port}: {source}; choose another --port")]
    Address {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// There is no token.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

/// A server that answers a page on this machine about one game.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    session: Box<dyn Session>,
    stopping: Arc<AtomicBool>,
    connections: Count,
    scans: Count,
}

type Count = Arc<AtomicUsize>;

/// One of a bounded number; gives its place back when dropped.
#[derive(Debug)]
struct Permit(Count);

impl Permit {
    fn take(count: &Count, most: usize) -> Option<Self> {
        let free = |taken: usize| (taken < most).then_some(taken + 1);
        count.fetch_update(Relaxed, Relaxed, free).ok()?;
        Some(Self(Arc::clone(count)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Server {
    /// Listens at a port of the loopback address; 0 is any that is free.
    ///
    /// # Errors
    /// If the port is taken, or the system gives no random numbers.
    pub fn bind(session: Box<dyn Session>, port: u16) -> Result<Self, ExploreError> {
        let address = |source| ExploreError::Address { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(address)?;
        let at = listener.local_addr().map_err(address)?;
        let mut bytes = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self {
            listener,
            address: at,
            token: bytes.map(|byte| format!("{byte:02x}")).concat(),
            session,
            stopping: Arc::default(),
            connections: Count::default(),
            scans: Count::default(),
        })
    }

    /// The address of the page, with its token.
    pub fn url(&self) -> String {
        let port = self.address.port();
        format!("http://{}:{port}/{}/", NAMES[0], self.token)
    }

    /// Answers until [`stop`](Self::stop) is called, then waits some seconds for answers
    /// that are under way.
    pub fn run(self: &Arc<Self>) {
        for stream in self.listener.incoming() {
            if self.stopping.load(Relaxed) {
                break;
            }
            let Ok(stream) = stream else { continue };
            if let Some(permit) = Permit::take(&self.connections, MOST_CONNECTIONS) {
                let (server, stream) = (Arc::clone(self), Arc::new(stream));
                let served = Arc::clone(&stream);
                let begun = begin(move || {
                    let _ = served.set_nodelay(true);
                    if !server.reply(&served) {
                        // A connection that ends with bytes unread is reset, and the client
                        // may lose the answer.
                        let _ = served.shutdown(Shutdown::Write);
                        http::drain(&served);
                    }
                    // Ends the thread that watches the connection, too.
                    let _ = served.shutdown(Shutdown::Both);
                    drop(permit);
                });
                if begun.is_err() {
                    turn_away(&stream);
                }
            } else {
                turn_away(&stream);
            }
        }
        let end = Instant::now() + LAST_ANSWERS;
        while self.connections.load(Relaxed) > 0 && Instant::now() < end {
            sleep(Duration::from_millis(20));
        }
    }

    /// Ends [`run`](Self::run): scans are cancelled, and answers under way are finished.
    pub fn stop(&self) {
        self.stopping.store(true, Relaxed);
        // Wakes the thread that waits for connections; if it cannot, it was not waiting.
        let second = Duration::from_secs(1);
        drop(TcpStream::connect_timeout(&self.address, second));
    }

    /// Answers one request. A client that cannot be written to is gone, and nobody is left
    /// to be told. Returns whether the request was read to its end.
    fn reply(&self, client: &TcpStream) -> bool {
        let mut bytes = Vec::new();
        let request = http::read(client, &mut bytes);
        let is_head = bytes.starts_with(b"HEAD ");
        let is_whole = request.is_ok();
        let answer = match request {
            Ok(None) => return true,
            Ok(Some(request)) => {
                let path = self.admit(&request);
                path.and_then(|path| self.respond(client, &request, path))
            }
            Err(refusal) => Err(refusal),
        };
        if let Some(response) = answer.unwrap_or_else(Some) {
            let _ = response.send(client, is_head);
        }
        is_whole
    }

    /// The part of a request's path that follows the token.
    fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Response> {
        let refused = |status, why: &str| Err(Response::refused(status, why));
        // A page of another name that leads to this machine (DNS rebinding) names itself.
        let host = request.host.as_deref().and_then(|it| it.rsplit_once(':'));
        let here = |(name, port)| NAMES.contains(&name) && port == self.address.port().to_string();
        if !host.is_some_and(here) {
            return refused(421, "this server answers to 127.0.0.1 alone");
        }
        let own = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| Some(host) == request.host.as_deref())
        };
        let site = request.fetch_site.as_deref();
        let foreign = matches!(site, Some("cross-site" | "same-site")) && !request.navigates;
        if foreign || !request.origin.as_deref().is_none_or(own) {
            return refused(403, "requests of other pages are refused");
        }
        let rest = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = rest.split_once('/').unwrap_or((rest, ""));
        if !same(token.as_bytes(), self.token.as_bytes()) {
            return refused(404, "not found");
        }
        Ok(rest)
    }

    /// Answers a request that was admitted. `path` is what follows the token.
    fn respond(&self, client: &TcpStream, request: &Request, path: &str) -> Answer {
        let Some(asked) = path.strip_prefix("api/") else {
            let Some((kind, text)) = page::file(path) else {
                return Err(Response::refused(404, "not found"));
            };
            let file = || Response::new(kind, text);
            return Ok(Some(other_method(request, false).unwrap_or_else(file)));
        };
        let found = QUESTIONS.iter().find(|(name, ..)| *name == asked);
        let Some((_, is_post, answering)) = found else {
            let shown: String = asked.chars().take(40).collect();
            let why = format!("no question '{shown}' is known");
            return Err(Response::refused(404, why));
        };
        if let Some(answer) = other_method(request, *is_post) {
            return Ok(Some(answer));
        }
        // Forms of other pages cannot have this type.
        if *is_post && !request.is_json {
            return Err(Response::refused(415, "send application/json"));
        }
        let is_scan = matches!(asked, "mine" | "compose");
        let full = || {
            let why = format!("{MOST_SCANS} scans are running; wait for one to end, or stop it");
            Response::refused(503, why)
        };
        let permit = || Permit::take(&self.scans, MOST_SCANS).ok_or_else(full);
        let _permit = is_scan.then(permit).transpose()?;
        let time = if is_scan { SCAN } else { QUESTION };
        let progress = ClientProgress::new(client, &self.stopping, time);
        let question = Question {
            session: &*self.session,
            client,
            request,
            progress: &progress,
        };
        answering(&question).map_err(|refusal| {
            if progress.is_late() {
                return Response::refused(503, "this takes too long here; ask the command line");
            }
            refusal
        })
    }
}

/// What is answered at once, whatever the path: OPTIONS, and methods that it does not have.
fn other_method(request: &Request, is_post: bool) -> Option<Response> {
    let (method, allow) = if is_post {
        ("POST", "POST, OPTIONS")
    } else {
        ("GET", "GET, HEAD, OPTIONS")
    };
    let answer = match (&*request.method, is_post) {
        ("GET" | "HEAD", false) | ("POST", true) => return None,
        ("OPTIONS", _) => Response {
            status: NO_CONTENT,
            ..Response::new("", "")
        },
        _ => Response::refused(405, format!("ask this with {method}")),
    };
    Some(Response {
        allow: Some(allow),
        ..answer
    })
}

/// Answers a connection for which there is no place, or no thread.
fn turn_away(mut stream: &TcpStream) {
    let message = "too many requests at once; ask again later";
    let _ = stream.set_nonblocking(true);
    // With bytes unread, the connection would be reset, and the answer lost.
    let _ = stream.read(&mut [0; 16 << 10]);
    let _ = Response::refused(503, message).send(stream, false);
}

/// The longest time that one position takes.
const QUESTION: Duration = Duration::from_mins(2);

/// The longest time that a scan takes.
const SCAN: Duration = Duration::from_hours(1);

type Answering = fn(&Question<'_>) -> Answer;

/// The questions, whether they are asked with POST, and what answers them.
const QUESTIONS: [(&str, bool, Answering); 17] = [
    ("openapi.json", false, |_| {
        Ok(Some(Response::new("application/json", page::OPENAPI)))
    }),
    ("game", false, |question| {
        data(&answers::game(question.session)?)
    }),
    ("columns", false, answers::columns),
    ("diagram.svg", false, answers::diagram),
    ("tree.svg", false, answers::solution_tree),
    ("board", true, answers::board),
    ("arrange", true, answers::arrange),
    ("pattern", true, answers::pattern),
    ("play", true, answers::play),
    ("evaluate", true, answers::evaluate),
    ("solution", true, answers::solution),
    ("check", true, answers::check),
    ("neighbours", true, answers::neighbours),
    ("umpire", true, answers::umpire),
    ("compose", true, mining::compose),
    ("mine", true, mining::mine),
    ("export", true, answers::export),
];

const TOKEN_BYTES: usize = 16;

/// The names of this machine that an address may have.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}
