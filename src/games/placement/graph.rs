//! Graphs, from a list of edges or a simple DOT file.
//!
//! - A list of edges has one edge on a line, two names separated by blanks or a comma; a line
//!   with one name is a vertex without edges; `#` begins a comment.
//! - Undirected graphs in DOT: `graph G { a -- b -- c; d; }`. Comments and attribute lists
//!   are ignored.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use crate::base::text::runs_in_spreadsheet;
use crate::game::{NotationError, words};
use crate::games::settings;

/// An undirected graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    names: Vec<String>,
    neighbours: Vec<Vec<usize>>,
}

/// The most vertices. Larger graphs could not be searched.
const MOST_VERTICES: usize = 1 << 12;

/// The most letters of a name. Longer names could not be drawn.
const MOST_LETTERS: usize = 64;

impl Graph {
    /// Reads a list of edges, one on each line (`a b` or `a,b`; a name alone is a vertex;
    /// `#` begins a comment), or an undirected DOT graph (`graph { a -- b -- c; d; }`).
    ///
    /// # Errors
    /// Says what is wrong with the text, and where. An edge from a vertex to itself is an
    /// error.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let mut builder = Builder::new(text);
        if text.contains('{') {
            builder.dot()?;
        } else {
            builder.edges()?;
        }
        if builder.graph.names.is_empty() {
            let message = "the graph has no vertex; give one edge on each line, such as 'a b'";
            return Err(NotationError::new(text, 0, message));
        }
        Ok(builder.graph)
    }

    /// A short digest of the names and edges.
    pub(super) fn digest(&self) -> String {
        let mut signature = String::new();
        for (name, neighbours) in self.names.iter().zip(&self.neighbours) {
            // No name has a line break.
            let _ = writeln!(signature, "{name}\n{neighbours:?}");
        }
        settings::digest(&signature)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, vertex: usize) -> &str {
        &self.names[vertex]
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }
}

/// A word or sign of a text, with its place in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    at: usize,
    text: String,
}

struct Builder<'t> {
    text: &'t str,
    graph: Graph,
    places: HashMap<String, usize>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            graph: Graph {
                names: Vec::new(),
                neighbours: Vec::new(),
            },
            places: HashMap::new(),
        }
    }

    fn fault(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    fn vertex(&mut self, token: &Token) -> Result<usize, NotationError> {
        if token.text.chars().count() > MOST_LETTERS {
            let message =
                format!("a vertex has a name of more than {MOST_LETTERS} letters; shorten it");
            return Err(self.fault(token.at, message));
        }
        if token.text.is_empty() || runs_in_spreadsheet(&token.text) {
            let message = format!(
                "a vertex cannot be named {:?}: begin with another sign than =, +, - and @, and use no control characters",
                token.text
            );
            return Err(self.fault(token.at, message));
        }
        if let Some(&vertex) = self.places.get(&token.text) {
            return Ok(vertex);
        }
        if self.graph.len() == MOST_VERTICES {
            let message = format!("the graph has more than {MOST_VERTICES} vertices");
            return Err(self.fault(token.at, message));
        }
        let vertex = self.graph.len();
        self.places.insert(token.text.clone(), vertex);
        self.graph.names.push(token.text.clone());
        self.graph.neighbours.push(Vec::new());
        Ok(vertex)
    }

    fn edge(&mut self, from: usize, to: usize, at: usize) -> Result<(), NotationError> {
        if from == to {
            let name = self.graph.names[from].clone();
            return Err(self.fault(at, format!("an edge joins {name} to itself; leave it out")));
        }
        if !self.graph.neighbours[from].contains(&to) {
            self.graph.neighbours[from].push(to);
            self.graph.neighbours[to].push(from);
        }
        Ok(())
    }

    fn edges(&mut self) -> Result<(), NotationError> {
        let mut start = 0;
        for line in self.text.split('\n') {
            let content = line.split('#').next().unwrap_or_default();
            let words = words(content, |letter| letter.is_whitespace() || letter == ',');
            let token = |(at, text): (usize, &str)| Token {
                at: start + at,
                text: text.to_owned(),
            };
            let words: Vec<_> = words.into_iter().map(token).collect();
            start += line.chars().count() + 1;
            match words.as_slice() {
                [] => {}
                [one] => drop(self.vertex(one)?),
                [from, to] => {
                    let (a, b) = (self.vertex(from)?, self.vertex(to)?);
                    self.edge(a, b, to.at)?;
                }
                [_, _, third, ..] => {
                    let message = "expected two names on a line, the ends of an edge; put further edges on separate lines";
                    return Err(self.fault(third.at, message));
                }
            }
        }
        Ok(())
    }

    fn dot(&mut self) -> Result<(), NotationError> {
        let tokens = self.tokens()?;
        let end = self.text.chars().count();
        let open = tokens.iter().position(|token| token.text == "{");
        let open = open.ok_or_else(|| self.fault(end, "'{' is missing"))?;
        let head: Vec<&str> = tokens[..open]
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        let undirected = match head.as_slice() {
            ["graph"] | ["graph", _] => true,
            ["strict", "graph", ..] => head.len() <= 3,
            _ => false,
        };
        if !undirected {
            return Err(self.fault(0, "only undirected graphs are read: graph NAME { a -- b; }"));
        }
        let mut last: Option<usize> = None;
        let mut joins = false;
        for token in &tokens[open + 1..] {
            match token.text.as_str() {
                "}" if !joins => return Ok(()),
                ";" if !joins => last = None,
                "--" if last.is_some() && !joins => joins = true,
                "{" | "}" | "--" | ";" | "=" | "->" | "[" | "]" | "subgraph" => {
                    let message = format!(
                        "unexpected '{}'; only vertices and edges (a -- b;) are supported in DOT",
                        token.text
                    );
                    return Err(self.fault(token.at, message));
                }
                _ => {
                    let vertex = self.vertex(token)?;
                    if let (true, Some(before)) = (joins, last) {
                        self.edge(before, vertex, token.at)?;
                    }
                    joins = false;
                    last = Some(vertex);
                }
            }
        }
        Err(self.fault(end, "'}' is missing at the end"))
    }

    /// The words and signs of a DOT text, without comments and attribute lists.
    fn tokens(&self) -> Result<Vec<Token>, NotationError> {
        let letters: Vec<char> = self.text.chars().collect();
        let mut tokens = Vec::new();
        let mut push = |at: usize, word: Range<usize>| {
            let text = letters[word].iter().collect();
            tokens.push(Token { at, text });
        };
        let mut at = 0;
        let begins = |at: usize, sign: &str| {
            sign.chars()
                .enumerate()
                .all(|(offset, letter)| letters.get(at + offset) == Some(&letter))
        };
        // The first occurrence of `sign` from `from` on.
        let find = |from: usize, sign: &str| (from..letters.len()).find(|&at| begins(at, sign));
        while at < letters.len() {
            let letter = letters[at];
            if letter.is_whitespace() {
                at += 1;
            } else if letter == '#' || begins(at, "//") {
                at = find(at, "\n").unwrap_or(letters.len());
            } else if begins(at, "/*") {
                at = find(at + 2, "*/").ok_or_else(|| self.fault(at, "a comment has no end"))? + 2;
            } else if letter == '[' {
                at = find(at, "]").ok_or_else(|| self.fault(at, "']' is missing"))? + 1;
            } else if letter == '"' {
                let end = find(at + 1, "\"").ok_or_else(|| self.fault(at, "a quote has no end"))?;
                push(at, at + 1..end);
                at = end + 1;
            } else if begins(at, "--") || begins(at, "->") {
                push(at, at..at + 2);
                at += 2;
            } else if letter.is_alphanumeric() || letter == '_' || letter == '.' {
                let word = letters[at..].iter();
                let length = word
                    .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
                    .count();
                push(at, at..at + length);
                at += length;
            } else {
                push(at, at..at + 1);
                at += 1;
            }
        }
        Ok(tokens)
    }
}
