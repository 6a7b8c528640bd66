//! Symbols, stars, names and stands in books.

use shogi_core::Square;
use tesuji::base::value::Value;
use tesuji::book::{
    Act, Book, Choice, Credit, Front, Paper, Play, Problem, Setting, Then, Turn, Unit, booklet,
    page,
};
use tesuji::draw::{BoardSquare, Diagram, Glyph, Slide, Style, render};
use tesuji::game::Standing;
use tesuji::games::tsuitate::{glyph, picture};

use super::shogi::{SAMPLE, position};
use crate::book::reading::{curves, open, texts};
use crate::common::page_data;

type Done = Result<(), Box<dyn std::error::Error>>;

/// A book of one problem that is played in one move.
fn book(diagram: Diagram, board: Vec<Standing>) -> Result<Book, Box<dyn std::error::Error>> {
    let act = Act {
        name: "S1e".to_owned(),
        from: BoardSquare::new(7, 5),
        to: BoardSquare::new(8, 4).into(),
        slides: vec![Slide {
            from: BoardSquare::new(7, 5),
            to: BoardSquare::new(8, 4).into(),
            lost: false,
        }],
        appears: Vec::new(),
    };
    let choice = Choice {
        act: act.clone(),
        worth: Value::CHECKMATE,
        reply: None,
        then: Then::Over,
    };
    let turn = Turn {
        board,
        choices: vec![choice],
        banned: None,
    };
    let problem = Problem {
        id: "p1".to_owned(),
        credit: Credit::default(),
        task: "Move the silver".to_owned(),
        side: "Black".to_owned(),
        other: "White".to_owned(),
        plies: 1,
        themes: vec!["silver".to_owned()],
        grade: tesuji::analysis::Grade::new(1, None, 1),
        lured: false,
        unit: Unit::Plies,
        difficulty: 1,
        position: SAMPLE.to_owned(),
        link: None,
        diagram,
        hints: vec!["It is a silver.".to_owned()],
        solution: vec!["1.S1e".to_owned().into()],
        play: Play {
            turns: vec![turn],
            line: vec![act],
            ..Play::default()
        },
    };
    let front = Front {
        title: "A page".to_owned(),
        games: vec!["shogi".to_owned()],
        ..Front::default()
    };
    let mut book = Book::new(front, vec![problem])?;
    book.themes = vec![("silver".to_owned(), String::new())];
    Ok(book)
}

fn shogi() -> Result<Book, Box<dyn std::error::Error>> {
    let shown = position(SAMPLE, "2GP");
    let mut things = Vec::new();
    for (row, column) in (0..9)
        .rev()
        .flat_map(|row| (0..9).map(move |column| (row, column)))
    {
        let on = Square::new(9 - column, 9 - row).expect("it is on the board");
        let Some(man) = shown.piece_at(on) else {
            continue;
        };
        let cell = BoardSquare::new(column, row);
        things.push(Standing::new(cell, glyph(man), "a piece"));
    }
    book(picture(&shown, true), things)
}

/// The data of the page: names and their places, dots, shapes, stands.
#[test]
fn pages_have_what_diagrams_have() -> Done {
    let data = page_data(&page(&shogi()?));
    let board = &data["boards"][0];
    assert_eq!(board["files"][0], "9");
    assert_eq!(board["ranks"][0], "i");
    assert_eq!(
        (&board["above"], &board["right"]),
        (&true.into(), &true.into())
    );
    assert_eq!(board["stars"].as_array().map(Vec::len), Some(4));
    let shapes = data["shapes"].as_array().ok_or("no shapes")?;
    // Silver, rook, king, White's rook, pawn, lance; gold; two signs.
    assert_eq!(shapes.len(), 9);
    let named = |place: &serde_json::Value| {
        let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| shapes[place][0].as_str())
    };
    let stands = data["puzzles"][0]["stands"].as_array().ok_or("no stands")?;
    assert_eq!(stands.len(), 2);
    assert_eq!(named(&stands[0][0]), Some("Black"));
    let held = stands[0][2].as_array().ok_or("nothing held")?;
    let held: Vec<_> = held
        .iter()
        .map(|pair| (named(&pair[0]), &pair[1]))
        .collect();
    assert_eq!(held, [(Some("金"), &2.into()), (Some("歩"), &1.into())]);
    assert_eq!(stands[1][1], "in hand: the rest");
    Ok(())
}

/// A plain diagram's page names files and ranks as before.
#[test]
fn plain_pages_have_no_stands() -> Done {
    let stone = Standing::new(BoardSquare::new(7, 5), Glyph::Filled, "a stone");
    let html = page(&book(Diagram::new(9, 9)?, vec![stone])?);
    assert!(html.contains("\"files\":[\"a\",\"b\""));
    assert!(html.contains("\"ranks\":[\"1\",\"2\""));
    assert!(html.contains("\"stands\":[]") && html.contains("\"shapes\":[]"));
    Ok(())
}

/// The booklet of the sample in a style.
pub fn shogi_booklet(style: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    bound(&shogi()?, style)
}

fn bound(book: &Book, style: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let setting = Setting {
        paper: Paper::A5,
        per_page: 1,
        style: Style::preset(style)?,
        without: Vec::new(),
    };
    Ok(booklet(book, &setting)?)
}

/// Booklets take the pictures as they are: symbols come with the curves of their outlines.
#[test]
fn booklets_have_symbols() -> Done {
    let outlines = |svg: &str| -> usize {
        let paths = svg
            .split(" d=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        let curves = |path: &str| path.matches(['C', 'c', 'Q', 'q']).count();
        paths.map(curves).sum()
    };
    let empty = Diagram::new(9, 9)?;
    for name in Style::presets() {
        let style = Style::preset(name)?;
        let bare = open(&bound(&book(empty.clone(), Vec::new())?, name)?);
        let pdf = open(&shogi_booklet(name)?);
        let words = texts(&pdf).concat();
        for part in ["Move the silver", "1.S1e", "It is a silver."] {
            assert!(words.contains(part), "{part} in {words}");
        }
        let shown = picture(&position(SAMPLE, "2GP"), true);
        let expected = outlines(&render(&shown, &style)) - outlines(&render(&empty, &style));
        let found = curves(&pdf) - curves(&bare);
        assert!(found >= expected && expected > 100, "{found} of {expected}");
    }
    Ok(())
}
