//! Graphs, from a list of edges or a simple DOT file.
//!
//! - A list of edges has one edge on a line, two names separated by blanks or a comma; a line
//!   with one name is a vertex without edges; `#` begins a comment.
//! - Undirected graphs in DOT: `graph G { a -- b -- c; d; }`. Comments and attribute lists
//!   are ignored.

use std::fmt::Write;

use indexmap::IndexSet;

use crate::base::text::runs_in_spreadsheet;
use crate::game::{NotationError, words};
use crate::games::settings;

/// An undirected graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    pub(super) names: Vec<String>,
    pub(super) neighbours: Vec<Vec<usize>>,
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
        let mut builder = Builder {
            text,
            names: IndexSet::new(),
            neighbours: Vec::new(),
        };
        if text.contains('{') {
            builder.dot()?;
        } else {
            builder.edges()?;
        }
        if builder.names.is_empty() {
            let message = "the graph has no vertex; give one edge on each line, such as 'a b'";
            return Err(NotationError::new(text, 0, message));
        }
        Ok(Self {
            names: builder.names.into_iter().map(str::to_owned).collect(),
            neighbours: builder.neighbours,
        })
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
}

/// A word or sign of a text, after its place in characters.
type Token<'t> = (usize, &'t str);

struct Builder<'t> {
    text: &'t str,
    names: IndexSet<&'t str>,
    neighbours: Vec<Vec<usize>>,
}

impl<'t> Builder<'t> {
    fn fault(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    fn vertex(&mut self, (at, name): Token<'t>) -> Result<usize, NotationError> {
        if name.chars().count() > MOST_LETTERS {
            let message =
                format!("a vertex has a name of more than {MOST_LETTERS} letters; shorten it");
            return Err(self.fault(at, message));
        }
        if name.is_empty() || runs_in_spreadsheet(name) {
            let message = format!(
                "a vertex cannot be named {name:?}: begin with another sign than =, +, - and @, and use no control characters"
            );
            return Err(self.fault(at, message));
        }
        let (vertex, _) = self.names.insert_full(name);
        if vertex == MOST_VERTICES {
            let message = format!("the graph has more than {MOST_VERTICES} vertices");
            return Err(self.fault(at, message));
        }
        self.neighbours.resize(self.names.len(), Vec::new());
        Ok(vertex)
    }

    fn edge(&mut self, from: usize, to: usize, at: usize) -> Result<(), NotationError> {
        if from == to {
            let name = self.names[from];
            return Err(self.fault(at, format!("an edge joins {name} to itself; leave it out")));
        }
        if !self.neighbours[from].contains(&to) {
            self.neighbours[from].push(to);
            self.neighbours[to].push(from);
        }
        Ok(())
    }

    fn edges(&mut self) -> Result<(), NotationError> {
        let mut start = 0;
        for line in self.text.split('\n') {
            let content = line.split('#').next().unwrap_or_default();
            let mut words = words(content, |letter| letter.is_whitespace() || letter == ',');
            for (at, _) in &mut words {
                *at += start;
            }
            start += line.chars().count() + 1;
            match words[..] {
                [] => {}
                [one] => drop(self.vertex(one)?),
                [from, to] => {
                    let (a, b) = (self.vertex(from)?, self.vertex(to)?);
                    self.edge(a, b, to.0)?;
                }
                [_, _, (third, _), ..] => {
                    let message = "expected two names on a line, the ends of an edge; put further edges on separate lines";
                    return Err(self.fault(third, message));
                }
            }
        }
        Ok(())
    }

    fn dot(&mut self) -> Result<(), NotationError> {
        let tokens = self.tokens()?;
        let end = self.text.chars().count();
        let open = tokens.iter().position(|&(_, text)| text == "{");
        let open = open.ok_or_else(|| self.fault(end, "'{' is missing"))?;
        let head: Vec<&str> = tokens[..open].iter().map(|&(_, text)| text).collect();
        let head = head.strip_prefix(&["strict"]).unwrap_or(&head);
        if !matches!(head, ["graph"] | ["graph", _]) {
            return Err(self.fault(0, "only undirected graphs are read: graph NAME { a -- b; }"));
        }
        let mut last: Option<usize> = None;
        let mut joins = false;
        for &(at, text) in &tokens[open + 1..] {
            match text {
                "}" if !joins => return Ok(()),
                ";" if !joins => last = None,
                "--" if last.is_some() && !joins => joins = true,
                "{" | "}" | "--" | ";" | "=" | "->" | "[" | "]" | "subgraph" => {
                    let message = format!(
                        "unexpected '{text}'; only vertices and edges (a -- b;) are supported in DOT"
                    );
                    return Err(self.fault(at, message));
                }
                _ => {
                    let vertex = self.vertex((at, text))?;
                    if let (true, Some(before)) = (joins, last) {
                        self.edge(before, vertex, at)?;
                    }
                    joins = false;
                    last = Some(vertex);
                }
            }
        }
        Err(self.fault(end, "'}' is missing at the end"))
    }

    /// The words and signs of a DOT text, without comments and attribute lists.
    fn tokens(&self) -> Result<Vec<Token<'t>>, NotationError> {
        let (mut tokens, mut rest, mut at) = (Vec::new(), self.text, 0);
        // The bytes up to the end of what goes on to a sign, from a byte of the rest.
        let up_to = |rest: &str, from: usize, sign: &str| {
            let found = rest[from..].find(sign);
            found.map(|place| from + place + sign.len())
        };
        while let Some(letter) = rest.chars().next() {
            let mut word = None;
            let length = if letter.is_whitespace() {
                letter.len_utf8()
            } else if letter == '#' || rest.starts_with("//") {
                up_to(rest, 0, "\n").unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                up_to(rest, 2, "*/").ok_or_else(|| self.fault(at, "a comment has no end"))?
            } else if letter == '[' {
                up_to(rest, 0, "]").ok_or_else(|| self.fault(at, "']' is missing"))?
            } else if letter == '"' {
                let end = up_to(rest, 1, "\"");
                let end = end.ok_or_else(|| self.fault(at, "a quote has no end"))?;
                word = Some(&rest[1..end - 1]);
                end
            } else {
                let others =
                    rest.trim_start_matches(|c: char| c.is_alphanumeric() || "_.".contains(c));
                let end = match rest.len() - others.len() {
                    0 if rest.starts_with("--") || rest.starts_with("->") => 2,
                    0 => letter.len_utf8(),
                    end => end,
                };
                word = Some(&rest[..end]);
                end
            };
            tokens.extend(word.map(|word| (at, word)));
            at += rest[..length].chars().count();
            rest = &rest[length..];
        }
        Ok(tokens)
    }
}
