//! Puzzles as games in PGN, and as positions in EPD, which chess programs read.
//!
//! PGN standard, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>; EPD is its
//! section 16.2.

use std::io::{self, Write};

/// The longest line of a game, in characters.
const LINE: usize = 79;

/// What a move is, as a numeric annotation of PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The solution, or the refutation of a try: `!`.
    Good,
    /// A try, which fails: `?`.
    Mistake,
}

/// A move of a game, with what else may be played instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnMove {
    /// In standard algebraic notation.
    pub san: String,
    /// What it is.
    pub mark: Option<Mark>,
    /// Lines that begin with another move.
    pub instead: Vec<Vec<Self>>,
}

impl PgnMove {
    /// A move without a mark and without variations.
    pub const fn new(san: String) -> Self {
        Self {
            san,
            mark: None,
            instead: Vec::new(),
        }
    }
}

/// A puzzle as a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    /// What the puzzle is called; `?` if nobody says.
    pub event: String,
    /// Where it comes from; `?` if nobody says.
    pub site: String,
    /// Who composed it; `?` if nobody says.
    pub author: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// The position in FEN, in all six fields.
    pub fen: String,
    /// The name of the puzzle, if it has one.
    pub id: String,
    /// Names and values of further tags, in order.
    pub tags: Vec<(&'static str, String)>,
    /// The solution.
    pub moves: Vec<PgnMove>,
    /// The moves that solve the puzzle, in SAN.
    pub best: Vec<String>,
    /// Moves of the side to move to mate, if it wins.
    pub mate: Option<u16>,
}

/// Writes games in PGN, with a blank line after each.
///
/// # Errors
/// If writing fails.
pub fn write_pgn(mut sink: impl Write, games: &[PgnGame]) -> io::Result<()> {
    for game in games {
        // Those that the standard asks for, in its order.
        let roster = [
            ("Event", &*game.event),
            ("Site", &game.site),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", &game.author),
            ("Black", "?"),
            ("Result", game.result),
            ("SetUp", "1"),
            ("FEN", &game.fen),
            ("PuzzleId", &game.id),
        ];
        let more = game.tags.iter().map(|(name, value)| (*name, &**value));
        for (name, value) in roster.into_iter().chain(more) {
            if !value.is_empty() {
                writeln!(sink, "[{name} \"{}\"]", quoted(value))?;
            }
        }
        writeln!(sink)?;
        let mut words = Vec::new();
        let black = game.fen.split(' ').nth(1) == Some("b");
        line(&game.moves, usize::from(black), &mut words);
        words.push(game.result.to_owned());
        let mut length = 0;
        for word in words {
            let gap = if length == 0 {
                ""
            } else if length + 1 + word.len() > LINE {
                length = 0;
                "\n"
            } else {
                length += 1;
                " "
            };
            write!(sink, "{gap}{word}")?;
            length += word.len();
        }
        writeln!(sink, "\n")?;
    }
    sink.flush()
}

/// Writes positions in EPD, one a line, with the moves that solve them (`bm`), the moves to mate
/// (`dm`) and the name of the puzzle (`id`).
///
/// # Errors
/// If writing fails.
pub fn write_epd(mut sink: impl Write, games: &[PgnGame]) -> io::Result<()> {
    for game in games {
        // Counts of moves are no part of EPD.
        let fields: Vec<_> = game.fen.split(' ').take(4).collect();
        write!(sink, "{} bm {};", fields.join(" "), game.best.join(" "))?;
        if let Some(mate) = game.mate {
            write!(sink, " dm {mate};")?;
        }
        let id = quoted(&game.id).replace(';', ",");
        writeln!(sink, " id \"{id}\";")?;
    }
    sink.flush()
}

/// A text in quotation marks, in one line.
fn quoted(text: &str) -> String {
    let kept = text.chars().filter(|letter| !letter.is_control());
    let text: String = kept.collect();
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The words of a line that begins at a ply; even plies are White's.
fn line(moves: &[PgnMove], first: usize, words: &mut Vec<String>) {
    // After a variation, the number of a move of Black is told again.
    let mut numbered = true;
    for (ply, mv) in (first..).zip(moves) {
        let number = ply / 2 + 1;
        if ply.is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if numbered {
            words.push(format!("{number}..."));
        }
        words.push(mv.san.clone());
        words.extend(mv.mark.map(|mark| match mark {
            Mark::Good => "$1".to_owned(),
            Mark::Mistake => "$2".to_owned(),
        }));
        for other in mv.instead.iter().filter(|line| !line.is_empty()) {
            let begin = words.len();
            line(other, ply, words);
            words[begin].insert(0, '(');
            if let Some(last) = words.last_mut() {
                last.push(')');
            }
        }
        numbered = !mv.instead.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(san: &str, instead: Vec<Vec<PgnMove>>) -> PgnMove {
        PgnMove {
            instead,
            ..PgnMove::new(san.to_owned())
        }
    }

    /// Black to move: two replies, of which the second has a dual.
    fn game() -> PgnGame {
        let dual = vec![mv("Qb7#", vec![])];
        let other = vec![mv("Kc8", vec![]), mv("Qc7#", vec![dual])];
        PgnGame {
            fen: "1k6/8/2K5/Q7/8/8/8/8 b - - 0 1".to_owned(),
            event: "A \"quoted\" \\ title\n".to_owned(),
            site: "?".to_owned(),
            author: "?".to_owned(),
            id: "one; two".to_owned(),
            tags: vec![("Themes", "zugzwang".to_owned())],
            result: "1-0",
            moves: vec![mv("Kc8", vec![other]), mv("Qa8#", vec![])],
            best: vec!["Kc8".to_owned()],
            mate: None,
        }
    }

    #[test]
    fn variations_stand_after_the_moves_that_they_replace() {
        let mut text = Vec::new();
        write_pgn(&mut text, &[game()]).unwrap();
        let expected = r#"[Event "A \"quoted\" \\ title"]
[Site "?"]
[Date "????.??.??"]
[Round "-"]
[White "?"]
[Black "?"]
[Result "1-0"]
[SetUp "1"]
[FEN "1k6/8/2K5/Q7/8/8/8/8 b - - 0 1"]
[PuzzleId "one; two"]
[Themes "zugzwang"]

1... Kc8 (1... Kc8 2. Qc7# (2. Qb7#)) 2. Qa8# 1-0

"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn long_lines_are_broken() {
        let game = PgnGame {
            moves: vec![mv("Kc8", vec![]); 100],
            ..game()
        };
        let mut text = Vec::new();
        write_pgn(&mut text, &[game]).unwrap();
        let text = String::from_utf8(text).unwrap();
        let body = text.split("\n\n").nth(1).unwrap();
        assert!(
            body.lines()
                .all(|line| line.len() <= LINE && !line.starts_with(' '))
        );
        assert_eq!(body.split_whitespace().count(), 100 + 51 + 1);
    }

    #[test]
    fn positions_stand_in_a_line() {
        let mut text = Vec::new();
        write_epd(&mut text, &[game()]).unwrap();
        let expected = "1k6/8/2K5/Q7/8/8/8/8 b - - bm Kc8; id \"one, two\";\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
