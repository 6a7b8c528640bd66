//! What must hold of any input: a parser takes it or says what is wrong with it, and what
//! it takes is written and read back as the same.

use std::path::Path;
use std::sync::LazyLock;

use tesuji::draw::Style;
use tesuji::export::{PgnMove, read_csv, read_epd, read_pgn, write_csv};
use tesuji::game::{FeatureValue, Game, Moves, Ranked};
use tesuji::games::ostle::Ostle;
use tesuji::games::pieces::Pieces;
use tesuji::games::placement::{Graph, Placement};
use tesuji::games::registry::{self, AnyGame};
use tesuji::mine::{Catalogue, Condition, Filter};

#[path = "asking.rs"]
mod asking;
pub use asking::{batch, engine, http};
#[path = "lister.rs"]
mod listing;
pub use listing::lister;
#[path = "notations.rs"]
mod notations;
pub use notations::{betza, game_score, kif, sketch, template};
#[path = "tables.rs"]
mod tables;
pub use tables::{block, table};

/// A check of one input.
pub type Check = fn(&[u8]);

/// All checks, by the names of their corpora.
pub const ALL: [(&str, Check); 21] = [
    ("position", position),
    ("move", a_move),
    ("filter", filter),
    ("condition", condition),
    ("table", table),
    ("block", block),
    ("csv", csv),
    ("pgn", pgn),
    ("graph", graph),
    ("spec", spec),
    ("style", style),
    ("rules", rules),
    ("http", http),
    ("batch", batch),
    ("engine", engine),
    ("template", template),
    ("sketch", sketch),
    ("kif", kif),
    ("betza", betza),
    ("score", game_score),
    ("lister", lister),
];

const SPECS: [&str; 14] = [
    "ostle",
    "ostle:3x3,pieces=2,losses=2",
    "ostle:rows=5,columns=4,pieces=3,losses=1,repetition=up-to-symmetry",
    "kings:5x6",
    "regio:.../._.",
    "graph:edges",
    "sliding:3x3",
    "tictactoe",
    "tsuitate",
    "neutreeko",
    "tapatan",
    "dobutsu",
    "chess:KP-KP",
    "hexapawn",
];

/// The games, the last on a small graph.
static GAMES: LazyLock<Vec<AnyGame>> = LazyLock::new(|| {
    let edges = |_: &Path| Ok("a b\nb c\nc a\nd".to_owned());
    let game = |spec: &&str| registry::parse(spec, None, edges).expect("a game");
    SPECS.iter().map(game).collect()
});

/// A game by the first byte, and the text after it.
fn asked(bytes: &[u8]) -> Option<(&'static AnyGame, &str)> {
    let (first, rest) = bytes.split_first()?;
    let text = std::str::from_utf8(rest).ok()?;
    Some((&GAMES[usize::from(*first) % GAMES.len()], text))
}

/// A position in any notation.
pub fn position(bytes: &[u8]) {
    fn reads<G: Moves>(game: &G, text: &str) -> Option<G::State> {
        let state = match game.parse_state(text) {
            Ok(state) => state,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return None;
            }
        };
        let written = game.format_state(&state);
        assert_eq!(game.parse_state(&written).as_ref(), Ok(&state), "{written}");
        for (_, written) in game.other_notations(&state) {
            assert_eq!(game.parse_state(&written).as_ref(), Ok(&state), "{written}");
        }
        for mv in game.moves(&state) {
            let _ = game.play(&state, mv);
        }
        Some(state)
    }
    fn ranks<G: Moves + Ranked>(game: &G, text: &str) {
        if let Some(state) = reads(game, text) {
            let slot = game.rank(&state);
            assert!(slot < game.slots() && game.unrank(slot).is_some(), "{text}");
        }
    }
    match asked(bytes) {
        Some((AnyGame::Ostle(game), text)) => {
            if let Some(state) = reads(game, text) {
                let slot = game.rank(&state);
                assert_eq!(game.unrank(slot).is_some(), slot < game.slots(), "{text}");
            }
        }
        Some((AnyGame::Placement(game), text)) => {
            reads(game, text);
        }
        Some((AnyGame::Tsuitate(game), text)) => {
            if let Ok(state) = game.parse_state(text) {
                let written = game.format_state(&state);
                assert_eq!(game.parse_state(&written).as_ref(), Ok(&state), "{written}");
            }
        }
        Some((AnyGame::Sliding(game), text)) => {
            if let Some(state) = reads(game, text) {
                assert_eq!(game.unrank(game.rank(&state)), Some(state), "{text}");
            }
        }
        Some((AnyGame::Pieces(game), text)) => ranks(&**game, text),
        _ => {}
    }
}

/// A move.
pub fn a_move(bytes: &[u8]) {
    fn reads<G: Game>(game: &G, text: &str) {
        if let Ok(mv) = game.parse_move(text) {
            assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv), "{text}");
        }
    }
    match asked(bytes) {
        Some((AnyGame::Ostle(game), text)) => reads(game, text),
        Some((AnyGame::Placement(game), text)) => reads(game, text),
        Some((AnyGame::Tsuitate(game), text)) => reads(game, text),
        Some((AnyGame::Sliding(game), text)) => reads(game, text),
        Some((AnyGame::Pieces(game), text)) => reads(&**game, text),
        _ => {}
    }
}

/// The text of a filter.
pub fn filter(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Filter::parse(text, "x.toml") {
        // It names a folder.
        Ok(filter) => {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!filter.name.is_empty() && filter.name.chars().all(plain));
        }
        Err(error) => assert!(error.to_string().contains("x.toml")),
    }
}

/// The columns of a small game.
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let game = Ostle::from_settings(SPECS[1], None).expect("a game");
    Catalogue::new(&game)
});

/// A condition, tested on rows made of the bytes of its text.
pub fn condition(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Condition::new(text, &CATALOGUE) {
        Ok(condition) => {
            let value = |column: usize, row: usize| match bytes[(column + row) % bytes.len()] {
                byte if byte % 4 == 0 => FeatureValue::NONE,
                byte => FeatureValue::number(i32::from(byte / 4) - 1),
            };
            let rows = |count: usize| {
                condition.test(count, |column| {
                    (0..count).map(|row| value(column, row)).collect()
                })
            };
            let all = rows(5);
            assert_eq!(all[..3], rows(3));
            // Its parts say the same.
            let first = condition.columns().first().copied();
            let has = |columns: &[usize]| first.is_some_and(|first| columns.contains(&first));
            let [with, without] = [true, false].map(|wanted| {
                let part = condition.parts_with(|columns| has(columns) == wanted);
                part.test(5, |column| (0..5).map(|row| value(column, row)).collect())
            });
            let both = with
                .iter()
                .zip(&without)
                .map(|(&with, &without)| with && without);
            assert!(both.eq(all));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(
                !error.message.is_empty() && message.len() < 2000,
                "{message}"
            );
        }
    }
}

/// A table of puzzles.
pub fn csv(bytes: &[u8]) {
    if let Ok(rows) = read_csv(bytes) {
        let mut written = Vec::new();
        write_csv(&mut written, &rows).expect("memory");
        assert_eq!(read_csv(&written[..]).expect("our own CSV"), rows);
    }
}

/// Checks the moves of a line and of its variations.
fn check_line(moves: &[PgnMove], depth: usize) {
    assert!(depth <= 100);
    for mv in moves {
        assert!(!mv.san.is_empty() && !mv.san.contains(char::is_whitespace));
        mv.instead
            .iter()
            .for_each(|line| check_line(line, depth + 1));
    }
}

/// Games in PGN, or positions in EPD.
pub fn pgn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let lines = text.split('\n').count() as u64;
    for games in [read_pgn(text), Ok(read_epd(text))] {
        match games {
            Ok(games) => {
                for game in &games {
                    check_line(&game.moves, 0);
                }
                assert!(games.iter().all(|game| game.line <= lines));
            }
            Err(error) => assert!(error.to_string().starts_with("line ")),
        }
    }
}

/// A file of rules.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Pieces::from_file("x.toml,KP-KP", text).or_else(|_| Pieces::from_file("x.toml", text)) {
        Ok(game) => {
            let spec = game.spec();
            let name = spec.strip_prefix("rules:").expect("a file's spec");
            let again = Pieces::from_file(name, text).expect("the same rules");
            assert_eq!(again.spec(), spec);
            let initial = game.initial();
            assert_eq!(game.parse_state(&game.format_state(&initial)), Ok(initial));
            assert!(!game.moves(&initial).is_empty());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A graph.
pub fn graph(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(graph) = Graph::parse(text) {
        let game = Placement::on_graph("x", graph).expect("no settings");
        let state = game.initial();
        let moves = game.moves(&state).len();
        assert!(moves > 0, "a vertex to fill");
        let written = game.format_state(&state);
        assert_eq!(game.parse_state(&written), Ok(state), "{written}");
    }
}

/// The spec of a game.
pub fn spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let read = |_: &Path| Ok("a b".to_owned());
    match registry::parse(text, None, read) {
        Ok(game) => {
            let again = registry::parse(&game.spec(), None, read).expect("our own spec");
            assert_eq!(again.spec(), game.spec(), "{text}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A style sheet.
pub fn style(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(error) = Style::parse(text, "x.toml") {
        assert!(error.to_string().contains("x.toml"));
    }
}
