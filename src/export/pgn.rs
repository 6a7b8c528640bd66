//! Puzzles as games in PGN, and as positions in EPD, which chess programs read and write; and as
//! rows of the database of Lichess.
//!
//! PGN standard, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>; EPD is its
//! section 16.2. The database of Lichess, <https://database.lichess.org/#puzzles>.

use std::io::{self, Write};
use std::iter::Peekable;
use std::str::Chars;

use super::error::ExportError;

/// The position that a game without a FEN begins with.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The longest line of a game, in characters.
const LINE: usize = 79;

/// The most variations that are inside one another, in games that are read.
const MOST_NESTED: usize = 100;

/// How games end: `*` if it is not known.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

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

    /// Whether it passes, which is not allowed in chess: such a move shows a threat.
    pub(crate) fn is_null(&self) -> bool {
        NULL_MOVES.contains(&&*self.san)
    }
}

/// The sign of a move that is the only one.
pub(crate) const ONLY_MOVE: char = '\u{25a1}';

/// How programs write that a side passes.
const NULL_MOVES: [&str; 3] = ["--", "Z0", "0000"];

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
    /// A position before it, in all six fields, and the move of the other side that leads to it, as in
    /// UCI; `None` if there is none.
    pub before: Option<(String, String)>,
    /// The moves of the main line, as in UCI.
    pub line: Vec<String>,
    /// The names of its themes.
    pub themes: Vec<String>,
}

impl PgnGame {
    /// Whether the side to move loses.
    pub fn is_lost(&self) -> bool {
        self.result == ["0-1", "1-0"][first_ply(&self.fen) % 2]
    }
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
        line(&game.moves, first_ply(&game.fen), &mut words);
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

/// The header line of the database of Lichess.
const LICHESS: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// Writes puzzles as Lichess does, with the header line of its database. A row begins with the move of
/// the other side that leads to the puzzle, and ends with a move of the solver. Of the themes, those
/// that Lichess has are written; what only players can give, such as ratings, stays empty. Games without
/// a move before them or without a solution, and lost ones, are left out.
///
/// # Errors
/// If writing fails.
pub fn write_lichess(sink: impl Write, games: &[PgnGame]) -> Result<(), ExportError> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(LICHESS.split(','))?;
    for game in games {
        let has_task = !game.line.is_empty() && !game.is_lost();
        let Some((fen, mv)) = game.before.as_ref().filter(|_| has_task) else {
            continue;
        };
        let solvers = game.line.len() - (game.line.len() + 1) % 2;
        let moves = [mv].into_iter().chain(&game.line[..solvers]);
        let moves: Vec<_> = moves.map(String::as_str).collect();
        let (moves, themes) = (moves.join(" "), lichess_themes(game, solvers));
        let [id, fen] = [&game.id, fen].map(String::as_str);
        writer.write_record([id, fen, &moves, "", "", "", "", &themes, "", ""])?;
    }
    writer.flush()?;
    Ok(())
}

/// The themes of a puzzle that Lichess has, by the names of its `puzzleTheme.xml`.
fn lichess_themes(game: &PgnGame, solvers: usize) -> String {
    let own = || game.line[..solvers].iter().step_by(2);
    let has = |theme: &str| game.themes.iter().any(|name| name.ends_with(theme));
    let promotes = own().any(|mv| mv.len() == 5);
    let to_less = own().any(|mv| mv.len() == 5 && !mv.ends_with('q'));
    let length = match own().count() {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    };
    // Five stands for five and more.
    let mate = game.mate.map(|mate| format!("mateIn{}", mate.min(5)));
    let themes = [
        Some("endgame"),
        ending(game),
        Some(length),
        (game.result == "1/2-1/2").then_some("equality"),
        mate.is_some().then_some("mate"),
        mate.as_deref(),
        promotes.then_some("promotion"),
        has("quiet-key").then_some("quietMove"),
        has("sacrifice").then_some("sacrifice"),
        to_less.then_some("underPromotion"),
        has("zugzwang").then_some("zugzwang"),
    ];
    themes.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The theme for the men beside kings and pawns, before and after the first move. A capture can take
/// the last man of a kind, which is not looked at.
fn ending(game: &PgnGame) -> Option<&'static str> {
    let kind = |promoted: &str| {
        let board = game.fen.split(' ').next()?.to_lowercase() + promoted;
        let mut men: Vec<_> = board.chars().filter(|man| "bnqr".contains(*man)).collect();
        men.sort_unstable();
        let queens = men.iter().filter(|&&man| man == 'q').count();
        men.dedup();
        Some(match (&men[..], queens) {
            ([], _) => "pawnEndgame",
            (['b'], _) => "bishopEndgame",
            (['n'], _) => "knightEndgame",
            (['q'], _) => "queenEndgame",
            (['r'], _) => "rookEndgame",
            (['q', 'r'], 1) => "queenRookEndgame",
            _ => return None,
        })
    };
    let promoted = game.line.first().and_then(|mv| mv.get(4..));
    kind("").filter(|_| kind("") == kind(promoted.unwrap_or_default()))
}

/// A text in quotation marks, in one line.
fn quoted(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The words of a line that begins at a ply; even plies are White's.
fn line(moves: &[PgnMove], first: usize, words: &mut Vec<String>) {
    // After a variation, the number of a move of Black is written again.
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

/// A game that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnRecord {
    /// The line of the file that it begins in, from 1.
    pub line: u64,
    /// Names and values of its tags. The result after the moves is a tag, too, and the last one, if it
    /// is not that of the tag.
    pub tags: Vec<(String, String)>,
    /// Its moves, with variations.
    pub moves: Vec<PgnMove>,
}

impl PgnRecord {
    /// The value of a tag; empty if there is none, or it is `?`.
    pub fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value.trim_matches('?'))
    }

    /// The position that it begins with, in FEN.
    pub fn fen(&self) -> &str {
        match self.tag("FEN") {
            "" => START,
            fen => fen,
        }
    }

    /// Its results other than `*`, each once: two, if the tag and the end of the moves differ.
    pub(crate) fn results(&self) -> Vec<&str> {
        let results = self.tags.iter().filter(|(name, _)| name == "Result");
        let mut results: Vec<_> = results.map(|(_, result)| &**result).collect();
        results.retain(|result| RESULTS.contains(result) && *result != "*");
        results
    }

    /// The moves of its main line.
    pub fn main_line(&self) -> Vec<String> {
        self.moves.iter().map(|mv| mv.san.clone()).collect()
    }
}

/// Reads games in PGN. Comments are left out, and variations before the first move.
///
/// # Errors
/// [`ExportError::Line`] if a tag, a comment or a variation has no end, or more than a hundred
/// variations are inside one another.
pub fn read_pgn(text: &str) -> Result<Vec<PgnRecord>, ExportError> {
    let text = harmless(text);
    let mut reader = Reader {
        rest: text.trim_start_matches('\u{feff}').chars().peekable(),
        line: 1,
    };
    let (mut games, mut game) = (Vec::new(), PgnRecord::default());
    // The line of the next move, and the lines around it.
    let (mut line, mut outer, mut done) = (Vec::new(), Vec::<Vec<PgnMove>>::new(), false);
    loop {
        let begin = reader.line;
        let Some(letter) = reader.next() else { break };
        let fault = |why: &str| ExportError::Line {
            line: begin,
            why: why.to_owned(),
        };
        let begins = match letter {
            '[' => done || !line.is_empty(),
            letter => done && letter.is_ascii_alphanumeric(),
        };
        let is_main = outer.is_empty();
        if is_main && begins {
            game.moves = std::mem::take(&mut line);
            games.push(std::mem::take(&mut game));
            done = false;
        }
        if game.line == 0 && !letter.is_whitespace() {
            game.line = begin;
        }
        match letter {
            '[' if is_main => {
                let tag = reader.tag();
                let tag =
                    tag.ok_or_else(|| fault("a tag is not closed; write [Name \"value\"]"))?;
                game.tags.push(tag);
            }
            '[' => {
                reader.pass(']');
            }
            '{' if !reader.pass('}') => return Err(fault("a comment is not closed; add a }")),
            ';' | '%' => {
                reader.pass('\n');
            }
            '(' if outer.len() >= MOST_NESTED => {
                return Err(fault(
                    "variations are nested more than 100 deep; take some out",
                ));
            }
            '(' => outer.push(std::mem::take(&mut line)),
            ')' => {
                let before = outer.pop();
                let before = before.ok_or_else(|| fault("a ) has no (; take it away"))?;
                let inner = std::mem::replace(&mut line, before);
                if let Some(mv) = line.last_mut().filter(|_| !inner.is_empty()) {
                    mv.instead.push(inner);
                }
            }
            letter if letter.is_whitespace() || letter == '{' => {}
            letter => {
                let word = reader.word(letter);
                if RESULTS.contains(&&*word) {
                    done |= is_main;
                    let result = ("Result".to_owned(), word);
                    if is_main && !game.tags.contains(&result) {
                        game.tags.push(result);
                    }
                    continue;
                }
                let (mv, mark) = match &*word {
                    mark if letter == '$' => ("", mark),
                    word => {
                        let named = unnumbered(word);
                        named.split_at(named.trim_end_matches(['!', '?', ONLY_MOVE]).len())
                    }
                };
                let mark = match mark.trim_matches(ONLY_MOVE) {
                    "!" | "!!" | "$1" | "$3" => Some(Mark::Good),
                    "?" | "??" | "$2" | "$4" => Some(Mark::Mistake),
                    _ => None,
                };
                if is_move(mv) {
                    let mv = PgnMove::new(mv.to_owned());
                    line.push(PgnMove { mark, ..mv });
                } else if let Some(mv) = line.last_mut() {
                    mv.mark = mark.or(mv.mark);
                }
            }
        }
    }
    if !outer.is_empty() {
        return Err(ExportError::Line {
            line: reader.line,
            why: "a variation is not closed; add a )".to_owned(),
        });
    }
    game.moves = line;
    if !game.tags.is_empty() || !game.moves.is_empty() {
        games.push(game);
    }
    Ok(games)
}

/// The ply that a position in FEN begins with, by the number of its move: 0 for White's first.
pub(crate) fn first_ply(fen: &str) -> usize {
    let mut fields = fen.split_whitespace().skip(1);
    let is_black = fields.next() == Some("b");
    let number = fields.nth(3).and_then(|number| number.parse::<u16>().ok());
    2 * usize::from(number.unwrap_or(1).max(1) - 1) + usize::from(is_black)
}

/// A move with its number, such as `10...Re4`; even plies are White's.
pub(crate) fn numbered(ply: usize, mv: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}{mv}", ply / 2 + 1)
}

/// A move without the number before it.
pub(crate) fn unnumbered(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', '\u{2026}']);
    if bare.len() < rest.len() { bare } else { word }
}

/// Whether a word is a move, perhaps a null move or castling with zeros, and no number or remark.
fn is_move(word: &str) -> bool {
    let has_letter = word.contains(|letter: char| letter.is_ascii_alphabetic());
    has_letter && word != "e.p." || word.starts_with("0-0") || NULL_MOVES.contains(&word)
}

/// Reads positions in EPD, one a line: the first of the moves of `bm` is the main line, of which the
/// others are good variations, `dm` the tag `Stipulation`, and `id` the tag `Event`.
pub fn read_epd(text: &str) -> Vec<PgnRecord> {
    let record = |(line, text): (u64, &str)| {
        let fields: Vec<_> = text.split_whitespace().collect();
        let operations = text.split(';').map(|operation| {
            let mut words = operation.split_whitespace();
            let at = words.position(|word| ["bm", "dm", "id"].contains(&word))?;
            Some(operation.split_whitespace().skip(at).collect::<Vec<_>>())
        });
        let mut tags = vec![("FEN".to_owned(), fields.get(..4)?.join(" ") + " 0 1")];
        let mut moves = Vec::new();
        for operation in operations.flatten() {
            match operation[..] {
                ["bm", best, ref others @ ..] => {
                    let mark = Some(Mark::Good);
                    let others = others.iter().map(|&other| PgnMove::new(other.to_owned()));
                    moves.push(PgnMove {
                        instead: others.map(|mv| vec![PgnMove { mark, ..mv }]).collect(),
                        ..PgnMove::new(best.to_owned())
                    });
                }
                ["dm", mate] => {
                    let task = match mate.strip_prefix('-') {
                        Some(moves) => format!("lose in {moves} moves"),
                        None => format!("mate in {mate}"),
                    };
                    tags.push(("Stipulation".to_owned(), task));
                }
                ["id", ref name @ ..] => {
                    let name = name.join(" ").trim_matches('"').to_owned();
                    tags.push(("Event".to_owned(), name));
                }
                _ => {}
            }
        }
        Some(PgnRecord { line, tags, moves })
    };
    let text = harmless(text);
    (1..).zip(text.lines()).filter_map(record).collect()
}

/// A text without characters that a terminal may run.
fn harmless(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n', " ")
}

/// The letters of a file in PGN.
struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    line: u64,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        self.line += u64::from(letter == '\n');
        Some(letter)
    }

    /// Passes over all letters up to this one; whether it is there.
    fn pass(&mut self, end: char) -> bool {
        std::iter::from_fn(|| self.next()).any(|letter| letter == end)
    }

    /// The word that begins with a letter.
    fn word(&mut self, first: char) -> String {
        let ends = |it: &char| it.is_whitespace() || "()[]{};$".contains(*it);
        let rest = std::iter::from_fn(|| self.rest.next_if(|it| !ends(it)));
        [first].into_iter().chain(rest).collect()
    }

    /// The rest of a tag; `None` if it has no end.
    fn tag(&mut self) -> Option<(String, String)> {
        let letters = std::iter::from_fn(|| self.next());
        let name: String = letters.take_while(|letter| *letter != '"').collect();
        let mut value = String::new();
        loop {
            match self.next()? {
                '"' => break,
                '\\' => value.push(self.next()?),
                '\n' => return None,
                letter => value.push(letter),
            }
        }
        self.pass(']').then(|| (name.trim().to_owned(), value))
    }
}
