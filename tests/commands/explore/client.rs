//! A server of a game, and requests byte by byte.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value as Json;
use tesuji::explore::Server;
use tesuji::session::Options;

/// A server that runs until it is dropped.
pub struct Running {
    pub server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
    pub port: String,
    pub token: String,
}

impl Running {
    pub fn new(spec: &str) -> Self {
        Self::with_table(spec, None)
    }

    pub fn with_table(spec: &str, table: Option<&Path>) -> Self {
        let options = Options::new().table(table.map(Path::to_owned));
        let session = options.open(spec).unwrap();
        let server = Arc::new(Server::bind(session, 0).unwrap());
        let url = server.url();
        let (address, token) = url.trim_end_matches('/').rsplit_once('/').unwrap();
        let running = Arc::clone(&server);
        Self {
            port: address.rsplit_once(':').unwrap().1.to_owned(),
            token: token.to_owned(),
            thread: Some(std::thread::spawn(move || running.run())),
            server,
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(2)))
            .unwrap();
        stream
    }

    /// Sends these bytes; the status and the body of the answer.
    pub fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // A server that refuses early need not read to the end.
        let _ = stream.write_all(request);
        answer(stream)
    }

    /// All that a client is answered who sends these bytes and then no more.
    pub fn at_the_end_of(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        text_of(stream)
    }

    /// A request with these lines besides the first and the length.
    pub fn send(&self, line: &str, headers: &[&str], body: &str) -> (u16, String) {
        let headers: Vec<_> = headers.iter().map(|it| format!("{it}\r\n")).collect();
        let headers = headers.concat();
        let request = format!(
            "{line} HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.raw(request.as_bytes())
    }

    /// Headers that a page of the server sends.
    pub fn own(&self) -> [String; 3] {
        [
            format!("Host: 127.0.0.1:{}", self.port),
            format!("Origin: http://127.0.0.1:{}", self.port),
            "Content-Type: application/json".to_owned(),
        ]
    }

    /// The headers and the body of what a page of the server is answered.
    pub fn whole(&self, method: &str, path: &str, body: &str) -> (String, String) {
        let (own, length) = (self.own().join("\r\n"), body.len());
        let request = format!(
            "{method} /{}/{path} HTTP/1.1\r\n{own}\r\nContent-Length: {length}\r\n\r\n{body}",
            self.token
        );
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let text = text_of(stream);
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        let line = format!("GET /{}/{path}", self.token);
        self.send(&line, &[&self.own()[0]], "")
    }

    pub fn post(&self, question: &str, body: &Json) -> (u16, String) {
        let line = format!("POST /{}/api/{question}", self.token);
        let own = self.own();
        self.send(
            &line,
            &own.each_ref().map(String::as_str),
            &body.to_string(),
        )
    }

    /// The answer to a question that must have one.
    pub fn ask(&self, question: &str, body: &Json) -> Json {
        let (status, text) = self.post(question, body);
        assert_eq!(status, 200, "{question} {body}: {text}");
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.server.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

/// All of an answer, with its headers.
fn text_of(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // The end may come as a reset, if the request was not read to its end.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads an answer to its end.
pub fn answer(stream: TcpStream) -> (u16, String) {
    let text = text_of(stream);
    let status = text.split(' ').nth(1).and_then(|code| code.parse().ok());
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or(0), body.to_owned())
}
