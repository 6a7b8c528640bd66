//! Checks of texts with meanings: templates of books, sketches, KIF, how men move, game scores.

use std::sync::LazyLock;

use encoding_rs::{Encoding, SHIFT_JIS};
use tesuji::base::progress::NoProgress;
use tesuji::book::Template;
use tesuji::game::{Game, HiddenBoard, Moves, Playable};
use tesuji::games::ostle::Ostle;
use tesuji::games::pieces::Pieces;
use tesuji::games::registry::{self, AnyGame};
use tesuji::mine::Filter;
use tesuji::session::{Session, read_scores, score};

/// What books say, or nearly.
const SAID: [&str; 4] = [
    "Black to move and win in 7",
    "Game: a. Solved with tesuji.",
    "win in 3, draw in 4, 5 plies",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
];

/// A template of a book.
pub fn template(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Template::parse(text, "x.toml") {
        Ok(template) => {
            let printed: usize = template.printed().map(str::len).sum();
            // A part of a text is looked up once, and is as long as what it is replaced by.
            for said in SAID {
                let most = (said.len() + 1) * (printed + said.len());
                assert!(template.text(said).len() <= most, "{said}");
            }
        }
        Err(error) => assert!(error.to_string().starts_with("x.toml: ")),
    }
}

/// A sketch: a filter with a pattern, which is kept and read again.
pub fn sketch(bytes: &[u8]) {
    static GAME: LazyLock<Ostle> = LazyLock::new(|| {
        Ostle::from_settings("ostle:3x3,pieces=2,losses=2", None).expect("a game")
    });
    fn same(sketch: &Filter) {
        let again = Filter::parse(&sketch.sketch(), "again.toml").expect("our own sketch");
        assert_eq!(again.name, sketch.name);
        assert_eq!(again.predicate, sketch.predicate);
        assert_eq!(again.order, sketch.order);
        assert_eq!(again.pattern, sketch.pattern);
        if let Some(pattern) = &again.pattern {
            match GAME.parse_pattern(pattern) {
                Ok(pattern) => drop(GAME.fit(&pattern, &GAME.initial())),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(filter) = Filter::parse(text, "x.toml") {
        same(&filter);
    }
    // As `compose --save` makes one: a pattern, a condition and columns, line by line.
    let mut lines = text.split('\n');
    let (pattern, condition) = (lines.next(), lines.next().unwrap_or_default());
    if let Ok(mut filter) = Filter::of_condition("sketch", condition) {
        filter.order = lines.map(str::to_owned).collect();
        filter.pattern = Some(pattern.unwrap_or_default().to_owned());
        same(&filter);
    }
}

/// A file in KIF. As the program does, UTF-8 is known by itself, UTF-16 by its mark, and
/// anything else is `Shift_JIS`.
pub fn kif(bytes: &[u8]) {
    static GAME: LazyLock<AnyGame> =
        LazyLock::new(|| registry::parse("tsuitate", None, |_| Ok(String::new())).expect("a game"));
    let AnyGame::Tsuitate(game) = &*GAME else {
        unreachable!("it is asked for");
    };
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let text = match (marked, std::str::from_utf8(bytes)) {
        (None, Ok(text)) => text.into(),
        (encoding, _) => encoding.unwrap_or(SHIFT_JIS).decode(bytes).0,
    };
    match game.parse_state(&text) {
        Ok(state) => {
            let written = game.record(&state, &[], "x\ny").expect("KIF");
            assert_eq!(game.parse_state(&written).as_ref(), Ok(&state), "{written}");
            let (encoded, _, is_lossy) = SHIFT_JIS.encode(&written);
            assert!(!is_lossy, "{written}");
            let (decoded, _, is_wrong) = SHIFT_JIS.decode(&encoded);
            assert!(!is_wrong && decoded == *written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// How a man moves, in the notation of Betza.
pub fn betza(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let quoted = serde_json::Value::from(text);
    let file = format!(
        "title = \"x\"\ncolumns = 4\nrows = 4\nno_move = \"loss\"\nstart = [\"mk--\", \"----\", \"----\", \"--KM\"]\n\n[[piece]]\nletter = \"K\"\nmoves = \"K\"\nroyal = true\n\n[[piece]]\nletter = \"M\"\nmoves = {quoted}\n"
    );
    match Pieces::from_file("x.toml", &file) {
        Ok(game) => {
            assert!(!game.rules_in_words().is_empty());
            let state = game.initial();
            for mv in game.moves(&state) {
                assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv), "{text}");
                let _ = game.play(&state, mv);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

static PLAYED: LazyLock<Vec<Box<dyn Session>>> = LazyLock::new(|| {
    let games = ["ostle:3x3,pieces=2,losses=2", "tictactoe", "chess:KR-K"];
    let games = games.iter();
    games
        .map(|spec| tesuji::open(spec).expect("a game"))
        .collect()
});

/// The score of a game that was played. The first byte says which game.
pub fn game_score(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let session = &PLAYED[usize::from(*first) % PLAYED.len()];
    let records = match read_scores(text) {
        Ok(records) => records,
        Err(error) => return assert!(error.to_string().starts_with("line ")),
    };
    for record in &records {
        match score(&**session, record, "initial", &NoProgress) {
            Ok(report) => {
                assert_eq!(report.plies.len(), report.moves.len());
                assert_eq!(report.before + report.moves.len(), record.moves.len());
                for ply in &report.plies {
                    assert!(ply.played.outcome() <= ply.best.outcome(), "{text}");
                    assert_eq!(ply.better.is_some(), ply.mistake().is_some(), "{text}");
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
