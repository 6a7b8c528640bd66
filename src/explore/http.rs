//! Requests and answers of HTTP/1.1, one of each for a connection.
//!
//! A request is read within limits of size and time, and only what this server needs of the
//! protocol is understood; everything else is refused.

use std::io;
use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crate::base::progress::Progress;
use crate::base::text::shortened;
use crate::base::threads::begin;

/// The most bytes of a request line with its headers.
const MOST_HEAD: usize = 16 << 10;

/// The most bytes of a body: several hundred puzzles.
pub(super) const MOST_BODY: usize = 1 << 20;

/// How long a refused request is still read, so that its client gets the answer.
const LINGERING: Duration = Duration::from_secs(2);

/// The most bytes that are read of it.
const MOST_DRAINED: usize = 64 << 20;

const MOST_HEADERS: usize = 64;

/// The time in which a request must have come, and in which a part of an answer must be
/// taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is sent with every answer: nothing is loaded from elsewhere, nothing is kept, and
/// no other page may frame or read this one.
const HEADERS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Connection: close\r\n";

#[derive(Debug)]
pub(super) struct Request {
    pub method: String,
    /// The path as it was sent, with no question mark.
    pub path: String,
    /// What follows the question mark.
    pub query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    pub fetch_site: Option<String>,
    /// Whether a person opens the address, so that no page reads the answer.
    pub navigates: bool,
    /// Whether the body says that it is JSON.
    pub is_json: bool,
    pub body: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Response {
    pub status: u16,
    pub content_type: &'static str,
    /// The methods that the path has, where that is asked or another was used.
    pub allow: Option<&'static str>,
    pub body: Vec<u8>,
}

impl Response {
    pub(super) fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            content_type,
            allow: None,
            body: body.into(),
        }
    }

    /// Why nothing else is answered, as JSON.
    pub(super) fn refused(status: u16, why: impl AsRef<str>) -> Self {
        let body = serde_json::json!({ "error": shortened(why.as_ref()) });
        Self {
            status,
            ..Self::new("application/json", format!("{body:#}\n"))
        }
    }

    /// Sends the answer; of one to HEAD, everything but the body.
    pub(super) fn send(&self, client: &TcpStream, is_head: bool) -> io::Result<()> {
        let allow = self.allow.map(|methods| format!("Allow: {methods}\r\n"));
        let allow = allow.unwrap_or_default();
        let (kind, length) = (self.content_type, self.body.len());
        let content = match self.status {
            NO_CONTENT => String::new(),
            _ => format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n"),
        };
        let mut bytes = format!("{}{allow}{content}\r\n", head(self.status)).into_bytes();
        if !is_head {
            bytes.extend_from_slice(&self.body);
        }
        send(client, &bytes)
    }
}

/// Sends some bytes of an answer, each part of which must be taken within [`PATIENCE`].
pub(super) fn send(mut client: &TcpStream, bytes: &[u8]) -> io::Result<()> {
    client.set_write_timeout(Some(PATIENCE))?;
    client.write_all(bytes)
}

/// Begins an answer whose length is not known: it ends when the connection does.
pub(super) fn begin_stream(client: &TcpStream, content_type: &str) -> io::Result<()> {
    let head = head(200);
    let head = format!("{head}Content-Type: {content_type}\r\n\r\n");
    send(client, head.as_bytes())
}

/// The status of an answer that has neither a body nor what describes one.
pub(super) const NO_CONTENT: u16 = 204;

fn head(status: u16) -> String {
    let reason = match status {
        200 => "OK",
        NO_CONTENT => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    };
    format!("HTTP/1.1 {status} {reason}\r\n{HEADERS}")
}

/// Reads a request, whose bytes are kept. Nothing at all is no request, and no fault.
pub(super) fn read(client: &TcpStream, bytes: &mut Vec<u8>) -> Result<Option<Request>, Response> {
    let until = Instant::now() + PATIENCE;
    while more(client, bytes, until)? {
        match parse(bytes)? {
            Some((mut request, body)) if body.end <= bytes.len() => {
                request.body = bytes[body].to_vec();
                return Ok(Some(request));
            }
            None if bytes.len() > MOST_HEAD => {
                return Err(Response::refused(431, "the headers are too long"));
            }
            _ => {}
        }
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    Err(Response::refused(400, "the request is not complete"))
}

/// Reads some more bytes; false at the end.
fn more(mut client: &TcpStream, bytes: &mut Vec<u8>, until: Instant) -> Result<bool, Response> {
    let late = || Response::refused(408, "the request took too long");
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late());
    }
    let mut some = [0; 16 << 10];
    let waits = client.set_read_timeout(Some(left));
    // A connection that breaks off is one that ends.
    match waits.and_then(|()| client.read(&mut some)) {
        Ok(count) => {
            bytes.extend_from_slice(&some[..count]);
            Ok(count > 0)
        }
        Err(error) if matches!(error.kind(), WouldBlock | TimedOut) => Err(late()),
        Err(_) => Ok(false),
    }
}

/// Takes what is still sent after a refusal, for a while.
pub(super) fn drain(client: &TcpStream) {
    let until = Instant::now() + LINGERING;
    let mut bytes = Vec::new();
    let mut left = MOST_DRAINED;
    while left > 0 && matches!(more(client, &mut bytes, until), Ok(true)) {
        left = left.saturating_sub(bytes.len());
        bytes.clear();
    }
}

/// A request without its body, and where that is; `None` if more bytes are needed.
fn parse(bytes: &[u8]) -> Result<Option<(Request, Range<usize>)>, Response> {
    let bad = |why: &str| Response::refused(400, why);
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let start = match head.parse(bytes) {
        Ok(httparse::Status::Complete(start)) if start <= MOST_HEAD => start,
        Ok(httparse::Status::Partial) => return Ok(None),
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::refused(431, "the headers are too long"));
        }
        Err(_) => return Err(bad("this is not HTTP")),
    };
    let one = |name: &str| -> Result<Option<String>, Response> {
        let headers = head.headers.iter();
        let mut found = headers.filter(|header| header.name.eq_ignore_ascii_case(name));
        let Some(header) = found.next() else {
            return Ok(None);
        };
        if found.next().is_some() {
            return Err(bad("a header is given twice"));
        }
        let value = std::str::from_utf8(header.value).map_err(|_| bad("a header is not text"))?;
        Ok(Some(value.to_owned()))
    };
    if one("transfer-encoding")?.is_some() {
        return Err(bad("a body needs a Content-Length"));
    }
    let length = match one("content-length")? {
        None => 0,
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().unwrap_or(usize::MAX)
        }
        Some(_) => return Err(bad("Content-Length is not a number")),
    };
    if length > MOST_BODY {
        let why = format!("a body has at most {MOST_BODY} bytes");
        return Err(Response::refused(413, why));
    }
    let is_json = one("content-type")?.is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
    });
    let target = head.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        host: one("host")?,
        origin: one("origin")?,
        fetch_site: one("sec-fetch-site")?,
        navigates: one("sec-fetch-mode")?.as_deref() == Some("navigate"),
        is_json,
        body: Vec::new(),
    };
    Ok(Some((request, start..start + length)))
}

/// The value of a name in a query, decoded; `None` if the name is not there.
pub(super) fn in_query(query: &str, name: &str) -> Result<Option<String>, Response> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.find(|(known, _)| *known == name).map(|(_, value)| {
        decoded(value)
            .ok_or_else(|| Response::refused(400, format!("{name} is not percent-encoded text")))
    });
    value.transpose()
}

fn decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(16 * digit()? + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Watches a client while its question is worked on.
#[derive(Debug)]
pub(super) struct ClientProgress {
    gone: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    until: Instant,
}

impl ClientProgress {
    /// Watches a client, for at most this time. Its connection is not read from any more, and
    /// must be shut down in the end.
    pub(super) fn new(client: &TcpStream, stopping: &Arc<AtomicBool>, time: Duration) -> Self {
        let gone = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&gone);
        // Without a second handle or a thread, the client is noticed when it is written to.
        if let Ok(mut stream) = client.try_clone() {
            let _ = begin(move || {
                let waits = stream.set_read_timeout(None).is_ok();
                // Nothing more is expected: a read returns at the end.
                let mut some = [0; 256];
                while waits && matches!(stream.read(&mut some), Ok(1..)) {}
                flag.store(true, Relaxed);
            });
        }
        Self {
            gone,
            stopping: Arc::clone(stopping),
            until: Instant::now() + time,
        }
    }

    /// Says that the client is gone.
    pub(super) fn lost(&self) {
        self.gone.store(true, Relaxed);
    }

    pub(crate) fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }
}

impl Progress for ClientProgress {
    fn cancelled(&self) -> bool {
        self.gone.load(Relaxed) || self.stopping.load(Relaxed) || self.is_late()
    }
}
