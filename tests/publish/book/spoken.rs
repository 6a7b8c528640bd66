//! What a reader hears of a booklet: its structure, read back with another library.

use std::collections::BTreeSet;
use std::fs;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream, String as Text};
use tesuji::book::{Act, Book, Credit, Front, Paper, Play, Problem, Setting, Turn, Unit, booklet};
use tesuji::draw::{BoardSquare, Diagram, Style};

use super::played::squares;
use super::reading::{decode, links, open};
use super::{mined, ok};

/// An element of the structure.
#[derive(Debug)]
struct Element {
    kind: String,
    alt: Option<String>,
    below: Vec<Element>,
    /// The pieces of pages that belong to it: page by object number, number on the
    /// page.
    content: Vec<(i32, i32)>,
    /// How many annotations belong to it.
    annotations: usize,
}

impl Element {
    /// This and all below of a kind, in the order of reading.
    fn all(&self, kind: &str) -> Vec<&Self> {
        let own = (self.kind == kind).then_some(self).into_iter();
        own.chain(self.below.iter().flat_map(|inner| inner.all(kind)))
            .collect()
    }

    fn kinds(&self) -> Vec<&str> {
        self.below.iter().map(|inner| &inner.kind[..]).collect()
    }
}

fn root(pdf: &Pdf) -> Dict<'_> {
    let id = pdf.xref().root_id();
    pdf.xref().get::<Dict<'_>>(id).expect("a catalog")
}

fn text(dict: &Dict<'_>, key: &str) -> Option<String> {
    dict.get::<Text<'_>>(key)
        .map(|text| decode(text.as_bytes()))
}

fn name(dict: &Dict<'_>, key: &str) -> Option<String> {
    let name = dict.get::<Name<'_>>(key)?;
    Some(name.as_str().to_owned())
}

/// The document, with all elements below.
fn structure(pdf: &Pdf) -> Element {
    let tree = root(pdf).get::<Dict<'_>>("StructTreeRoot");
    let tree = tree.expect("a structure");
    let roles = tree.get::<Dict<'_>>("RoleMap").unwrap_or_else(Dict::empty);
    let mut elements = kids(&tree).filter_map(Object::into_dict);
    let document = element(&elements.next().expect("a document"), &roles);
    assert!(elements.next().is_none(), "one document");
    document
}

fn kids<'a>(dict: &Dict<'a>) -> impl Iterator<Item = Object<'a>> {
    let kids: Vec<Object<'a>> = match dict.get::<Object<'a>>("K") {
        Some(Object::Array(list)) => list.iter().collect(),
        one => one.into_iter().collect(),
    };
    kids.into_iter()
}

fn element(dict: &Dict<'_>, roles: &Dict<'_>) -> Element {
    let own = name(dict, "S").expect("a kind");
    let page = dict.get_ref("Pg").map(|page| page.obj_number);
    let mut element = Element {
        kind: name(roles, &own).unwrap_or(own),
        alt: text(dict, "Alt"),
        below: Vec::new(),
        content: Vec::new(),
        annotations: 0,
    };
    for kid in kids(dict) {
        match kid {
            Object::Number(number) => {
                let page = page.expect("content is on a page");
                element.content.push((page, whole(number)));
            }
            Object::Dict(kid) => match name(&kid, "Type").as_deref() {
                Some("MCR") => {
                    let page = kid.get_ref("Pg").map(|page| page.obj_number).or(page);
                    let number = kid.get::<Number>("MCID").expect("a number");
                    element.content.push((page.unwrap(), whole(number)));
                }
                Some("OBJR") => element.annotations += 1,
                _ => element.below.push(self::element(&kid, roles)),
            },
            other => panic!("{other:?} is no part of a structure"),
        }
    }
    element
}

fn whole(number: Number) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "these are whole numbers")]
    let whole = number.as_f64() as i32;
    whole
}

/// The words of an element, with those of all below.
fn content(element: &Element) -> BTreeSet<(i32, i32)> {
    let below = element.below.iter().flat_map(content);
    below.chain(element.content.iter().copied()).collect()
}

/// Everything that is drawn on the pages, by the numbers that the pages give; what is
/// drawn must have a number or be an artifact.
fn drawn(pdf: &Pdf) -> Vec<(i32, i32)> {
    let pages = root(pdf).get::<Dict<'_>>("Pages").expect("pages");
    let numbers = pages.get::<Array<'_>>("Kids").expect("pages");
    let numbers: Vec<i32> = numbers
        .raw_iter()
        .filter_map(|page| page.as_obj_ref().map(|page| page.obj_number))
        .collect();
    assert_eq!(numbers.len(), pdf.pages().len(), "one level of pages");
    let mut found = Vec::new();
    for (number, page) in numbers.iter().zip(pdf.pages().iter()) {
        let mut marked = false;
        let mut operations = page.operations();
        while let Some(operation) = operations.next() {
            let operands: Vec<&Object<'_>> = operation.operands().collect();
            match &operation.operator[..] {
                b"BDC" | b"BMC" => {
                    assert!(!marked, "one mark at a time");
                    marked = true;
                    if let Some(Object::Dict(dict)) = operands.get(1)
                        && let Some(id) = dict.get::<Number>("MCID")
                    {
                        found.push((*number, whole(id)));
                    } else {
                        let kind = operands.first();
                        let artifact =
                            matches!(kind, Some(Object::Name(name)) if name.as_str() == "Artifact");
                        assert!(artifact, "{kind:?} is neither numbered nor an artifact");
                    }
                }
                b"EMC" => marked = false,
                b"TJ" | b"Tj" | b"f" | b"f*" | b"S" | b"B" | b"B*" => {
                    assert!(marked, "everything is marked");
                }
                _ => {}
            }
        }
    }
    found
}

/// What a position looks like in words, from its notation alone: files from `a`, ranks
/// from 1.
fn occupied(position: &str, side: usize) -> Vec<String> {
    let things = squares(position).into_iter().enumerate();
    let things = things.filter(|(_, letter)| *letter != '.');
    things
        .map(|(place, _)| {
            let file = char::from(b'a' + u8::try_from(place % side).unwrap());
            format!("{file}{}", place / side + 1)
        })
        .collect()
}

#[test]
fn a_booklet_can_be_heard() {
    let folder = mined();
    let here = folder.path();
    let title = ["--title", "Little Ostle", "--author", "A. Composer"];
    ok(
        &[&["book", "puzzles.csv", "-o", "book.pdf"], &title[..]].concat(),
        here,
    );
    let bytes = fs::read(here.join("book.pdf")).unwrap();
    let pdf = open(&bytes);
    let catalog = root(&pdf);
    assert_eq!(text(&catalog, "Lang").as_deref(), Some("en"));
    let marks = catalog.get::<Dict<'_>>("MarkInfo").expect("marks");
    assert_eq!(marks.get::<bool>("Marked"), Some(true));
    let view = catalog.get::<Dict<'_>>("ViewerPreferences").expect("view");
    assert_eq!(view.get::<bool>("DisplayDocTitle"), Some(true));
    let about = catalog.get::<Stream<'_>>("Metadata").expect("XMP");
    let about = String::from_utf8(about.decoded().unwrap().into_owned()).unwrap();
    for part in ["<pdfuaid:part>1<", "Little Ostle", "A. Composer"] {
        assert!(about.contains(part), "{part} is not in {about}");
    }
    assert!(!about.contains("Date"), "a date would change the bytes");

    let document = structure(&pdf);
    assert_eq!(document.kind, "Document");
    assert_eq!(document.kinds(), ["Sect"; 9], "title page and eight parts");
    assert_eq!(document.all("H1").len(), 8);
    // Eight rules, seven problems and their solutions; no level is left out.
    assert_eq!(document.all("H2").len(), 8 + 14);
    for part in &document.below[1..] {
        assert_eq!(part.below[0].kind, "H1");
        assert!(part.below[1..].iter().all(|inner| inner.kind != "H1"));
    }
    assert_eq!(document.all("TOCI").len(), 7);
    assert_eq!(document.all("LI").len(), document.all("LBody").len());
    for list in document.all("L") {
        assert!(list.kinds().iter().all(|&kind| kind == "LI"), "{list:?}");
    }
    for solution in &document.below[6].below[1..] {
        assert_eq!(solution.kinds(), ["H2", "L"]);
    }
    let linked: usize = document
        .all("Link")
        .iter()
        .map(|link| link.annotations)
        .sum();
    assert_eq!(linked, links(&pdf), "every link is part of the text");
    for link in document.all("Link") {
        assert!(!link.content.is_empty(), "a link has words");
    }

    // What is drawn is in the structure, once.
    let drawn = drawn(&pdf);
    let heard = content(&document);
    assert_eq!(drawn.len(), heard.len());
    assert_eq!(drawn.iter().copied().collect::<BTreeSet<_>>(), heard);
}

#[test]
fn every_diagram_has_its_position_in_words() {
    let folder = mined();
    let here = folder.path();
    ok(&["book", "puzzles.csv", "-o", "book.pdf"], here);
    let pdf = open(&fs::read(here.join("book.pdf")).unwrap());
    let document = structure(&pdf);
    let mut figures = document.all("Figure");
    let mut csv = csv::Reader::from_path(here.join("puzzles.csv")).unwrap();
    let column = csv
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "position");
    let rows = csv
        .records()
        .map(|row| row.unwrap()[column.unwrap()].to_owned());
    let positions: Vec<String> = rows.collect();
    // The first problem is on the title page, too.
    let expected = positions.iter().take(1).chain(&positions);
    // Five of the rules have a diagram, between the title page and the problems.
    for figure in figures.drain(1..6) {
        assert!(figure.alt.as_deref().is_some_and(|words| !words.is_empty()));
    }
    assert_eq!(figures.len(), positions.len() + 1);
    for (figure, position) in figures.iter().zip(expected) {
        let words = figure.alt.as_deref().expect("an alternative text");
        let side = if position.contains(" b ") {
            "Black to move"
        } else {
            "White to move"
        };
        assert!(words.contains(side), "{words}: {side}");
        for square in occupied(position, 3) {
            assert!(words.contains(&square), "{words}: {square}");
        }
    }
}

/// A book of one problem whose diagram has no words and whose solution has variations.
fn bare() -> Book {
    let act = Act {
        name: "a1U".to_owned(),
        from: BoardSquare::new(0, 0),
        to: BoardSquare::new(0, 1).into(),
        slides: Vec::new(),
        appears: Vec::new(),
    };
    let turn = Turn {
        board: Vec::new(),
        choices: Vec::new(),
        banned: None,
    };
    let solution = [
        "1.a1U!",
        "  1...b2 2.c1",
        "    2...c3 3.a1",
        "  1...b3",
        "but 1.c1?",
    ];
    let problem = Problem {
        id: "p1".to_owned(),
        credit: Credit::default(),
        task: "Black to move and win".to_owned(),
        side: "Black".to_owned(),
        other: "White".to_owned(),
        plies: 5,
        themes: Vec::new(),
        grade: tesuji::analysis::Grade::new(1, None, 1),
        lured: false,
        unit: Unit::Plies,
        difficulty: 1,
        position: "3/1b1/3 b -".to_owned(),
        link: None,
        diagram: Diagram::new(3, 3).unwrap(),
        hints: Vec::new(),
        solution: solution.map(|line| line.to_owned().into()).to_vec(),
        play: Play {
            turns: vec![turn],
            line: vec![act],
            ..Play::default()
        },
    };
    Book::new(Front::default(), vec![problem]).unwrap()
}

/// Not even a book without a title, hints and words is mute.
#[test]
fn a_bare_book_can_be_heard() {
    let setting = Setting {
        paper: Paper::A4,
        per_page: 6,
        style: Style::print(),
        without: Vec::new(),
    };
    let pdf = open(&booklet(&bare(), &setting).unwrap());
    let title = pdf.metadata().title.as_deref().map(decode);
    assert_eq!(title.as_deref(), Some("Puzzles"));
    let document = structure(&pdf);
    for figure in document.all("Figure") {
        let words = "Black to move. Position: 3/1b1/3 b -";
        assert_eq!(figure.alt.as_deref(), Some(words));
    }
    // A single problem, and its solution.
    let solution = &document.below[1].below[1];
    let lists = solution.all("L");
    let lengths: Vec<usize> = lists.iter().map(|list| list.below.len()).collect();
    assert_eq!(
        lengths,
        [2, 2, 1],
        "variations are below the move they answer"
    );
    let body = &lists[0].below[0].below[0];
    assert_eq!((&body.kind[..], body.kinds()), ("LBody", vec!["L"]));
}

/// Neither the number of threads nor the place changes a byte.
#[test]
fn the_same_book_has_the_same_bytes() {
    let folder = mined();
    let here = folder.path();
    let made = ["1", "3"].map(|threads| {
        let name = format!("{threads}.pdf");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(["book", "puzzles.csv", "-o", &name]);
        command.env("RAYON_NUM_THREADS", threads).current_dir(here);
        assert!(command.status().unwrap().success());
        fs::read(here.join(name)).unwrap()
    });
    assert!(made[0] == made[1]);
}

/// Print needs black ink alone; a coloured style needs more.
#[test]
fn print_style_is_grey() {
    let folder = mined();
    let here = folder.path();
    let coloured = |style: &str| {
        let name = format!("{style}.pdf");
        ok(
            &["book", "puzzles.csv", "-o", &name, "--style", style],
            here,
        );
        let pdf = open(&fs::read(here.join(name)).unwrap());
        let (mut grey, mut coloured) = (0, 0);
        for page in pdf.pages().iter() {
            let mut operations = page.operations();
            while let Some(operation) = operations.next() {
                match &operation.operator[..] {
                    b"g" | b"G" => grey += 1,
                    b"rg" | b"RG" | b"k" | b"K" | b"sc" | b"SC" | b"scn" | b"SCN" => coloured += 1,
                    _ => {}
                }
            }
        }
        assert!(grey > 0, "texts are black");
        coloured
    };
    assert_eq!(coloured("print"), 0);
    assert!(coloured("dark") > 0);
}
