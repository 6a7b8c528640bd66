//! Where lines break, and what the built-in typefaces have.

use tesuji::draw::typeset::{Cut, Face, balanced, wrap};
use tesuji::draw::{Diagram, Millimetres, Style, Typeface, render};

use super::readable;

/// Every letter is 1 wide, capitals in the second kind are 2.
fn width(kind: u8, text: &str) -> f64 {
    let widths = text.chars().map(|letter| match (kind, letter) {
        (1, 'A'..='Z') => 2.0,
        _ => 1.0,
    });
    widths.sum()
}

/// Lines as text, `|` between kinds, `-` after a broken word.
fn lines(pieces: &[(u8, &str)], first: f64, others: f64) -> Vec<String> {
    let lines = wrap(pieces, first, others, width);
    let count = lines.len();
    let joined = lines.into_iter().enumerate().map(|(place, line)| {
        let runs: Vec<String> = line.runs.into_iter().map(|(_, text)| text).collect();
        let broken = !line.spaced && place + 1 < count;
        runs.join("|") + if broken { "-" } else { "" }
    });
    joined.collect()
}

#[test]
fn kinds_of_type_share_a_line() {
    let pieces = [(0, "12."), (1, "AB c"), (0, "d")];
    assert_eq!(lines(&pieces, 12.0, 12.0), ["12.| AB c| d"]);
    assert_eq!(lines(&pieces, 11.0, 11.0), ["12.| AB c", "d"]);
    assert_eq!(lines(&pieces, 7.0, 7.0), ["12.", "AB c", "d"]);
}

#[test]
fn the_first_line_has_its_own_room() {
    assert_eq!(lines(&[(0, "a bc de")], 1.0, 5.0), ["a", "bc de"]);
    assert_eq!(lines(&[(0, "a bc de")], 4.0, 2.0), ["a bc", "de"]);
}

#[test]
fn broken_words_have_no_space() {
    assert_eq!(
        lines(&[(0, "a bcdef g")], 3.0, 3.0),
        ["a", "bcd-", "ef", "g"]
    );
    assert_eq!(lines(&[(1, "AB")], 1.0, 1.0), ["A-", "B"]);
    assert!(lines(&[(0, " \n ")], 3.0, 3.0).is_empty());
}

#[test]
fn balanced_lines_are_of_about_one_length() {
    let text = [(0, "aa aa aa aa aa b")];
    let lines = |room| {
        let lines = balanced(&text, room, width).into_iter();
        lines.map(|line| line.runs[0].1.clone()).collect::<Vec<_>>()
    };
    assert_eq!(lines(14.0), ["aa aa aa", "aa aa b"]);
    assert_eq!(lines(16.0), ["aa aa aa aa aa b"]);
}

const ALL: [Typeface; 3] = [
    Typeface::LibertinusSerif,
    Typeface::NewComputerModern,
    Typeface::DejavuSansMono,
];

#[test]
fn every_cut_is_there_and_differs() {
    for typeface in ALL {
        let [regular, bold, italic] = [Cut::Regular, Cut::Bold, Cut::Italic].map(|cut| {
            let face = Face::of(typeface, cut);
            face.outline(&face.line("R").expect("a letter")).to_owned()
        });
        assert!(regular != bold && regular != italic && bold != italic);
    }
}

#[test]
fn lines_are_kerned() {
    let face = Face::of(Typeface::LibertinusSerif, Cut::Regular);
    let width = |text| face.line(text).expect("letters").width;
    assert!(width("AV") < width("A") + width("V") - 0.05);
    // 0.25 em, from the font's horizontal metrics.
    assert!((width(" ") - 0.25).abs() < 1e-9);
    let mono = Face::of(Typeface::DejavuSansMono, Cut::Regular);
    let width = mono.line("i").map(|line| line.width);
    assert_eq!(width, mono.line("W").map(|line| line.width));
}

#[test]
fn a_missing_letter_is_told() {
    let face = Face::of(Typeface::LibertinusSerif, Cut::Regular);
    assert!(face.line("将棋").is_none());
    assert!(face.line("…–’×é").is_some());
    assert!(
        face.line("")
            .is_some_and(|line| face.outline(&line).is_empty())
    );
    assert_eq!(face.parts("a將棋").err(), Some('將'));
    assert!(face.parts("ab").is_ok());
}

#[test]
fn every_byte_is_written_by_a_glyph() {
    let face = Face::of(Typeface::LibertinusSerif, Cut::Regular);
    // "ffi" is one glyph.
    let line = face.line("\u{e9}ffi!").expect("letters");
    let parts: Vec<_> = line.glyphs.iter().map(|glyph| glyph.text.clone()).collect();
    assert_eq!(parts, [0..2, 2..5, 5..6]);
}

#[test]
fn no_word_stands_alone_below_a_board() -> Result<(), Box<dyn std::error::Error>> {
    let style = Style::print();
    let asked = "Black to move and force a win in 21";
    let face = Face::of(style.typeface, Cut::Regular);
    let width = |text| face.line(text).expect("letters").width * style.text_mm.get();
    // Room for all but the last word.
    let room = width("Black to move and force a win in") + 0.1;
    assert!(width(asked) > room);
    let below = |room: f64| {
        let style = Style {
            coordinates: false,
            cell_mm: Millimetres::try_from(room / 3.0)?,
            ..style.clone()
        };
        let board = Diagram::new(3, 3)?.stipulation(asked);
        Ok::<_, Box<dyn std::error::Error>>(super::lines(&render(&board, &style)))
    };
    let two = below(room)?;
    assert!(two.len() == 2 && two.join(" ") == asked, "{two:?}");
    assert!(two[1].split(' ').count() > 2, "{two:?}");
    assert_eq!(below(2.0 * room)?, [asked]);
    Ok(())
}

#[test]
fn a_style_says_what_stands_below() -> Result<(), Box<dyn std::error::Error>> {
    let mut diagram = Diagram::new(3, 3)?
        .caption("After Bell")
        .stipulation("Win in 3");
    diagram.themes = ["echo", "decoy"].map(str::to_owned).into();
    let said = |style: &Style| super::lines(&render(&diagram, style));
    let print = Style {
        coordinates: false,
        ..readable(Style::print())
    };
    // Themes give the solution away.
    assert_eq!(said(&print), ["Win in 3", "After Bell"]);
    let told = Style {
        themes: true,
        ..print
    };
    assert_eq!(said(&told), ["Win in 3", "echo, decoy", "After Bell"]);
    let bare = Style {
        stipulation: false,
        captions: false,
        ..told
    };
    assert_eq!(said(&bare), ["echo, decoy"]);
    Ok(())
}
