//! Style sheets: what they may leave out, and what is refused, where and with which
//! words.

use proptest::prelude::*;
use tesuji::draw::{Colour, Lettering, Millimetres, Orientation, Rotation, Style, StyleError};

#[test]
fn a_sheet_changes_what_it_names() -> Result<(), StyleError> {
    let text = "cell_mm = 5\nmark = \"#A00\"\ncoordinates = false # no letters\nrotate = 90";
    let expected = Style {
        cell_mm: Millimetres::try_from(5.0)?,
        mark: Colour::try_from("#a00".to_owned())?,
        coordinates: false,
        rotate: Rotation::try_from(90_i64)?,
        ..Style::print()
    };
    assert_eq!(Style::parse(text, "my.toml")?, expected);
    // The base holds wherever it stands.
    let text = "lettering = \"text\"\norientation = \"mover-below\"\nbase = \"dark\"";
    let expected = Style {
        lettering: Lettering::Text,
        orientation: Orientation::MoverBelow,
        ..Style::dark()
    };
    assert_eq!(Style::parse(text, "my.toml")?, expected);
    assert_eq!(Style::parse("", "my.toml")?, Style::print());
    Ok(())
}

#[test]
fn presets_are_sheets() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<_> = Style::presets().collect();
    assert_eq!(names, ["print", "screen", "dark"]);
    for name in names {
        let style = Style::preset(name)?;
        assert_eq!(Style::parse(Style::sheet(name)?, name)?, style);
        assert_eq!(Style::parse(&toml::to_string(&style)?, name)?, style);
        // The line that shows how to build on it works.
        let base = format!("base = \"{name}\"");
        assert!(Style::sheet(name)?.contains(&format!("# {base}")));
        assert_eq!(Style::parse(&base, name)?, style);
    }
    let sepia = Style::preset("sepia").expect_err("no such preset");
    assert_eq!(sepia, StyleError::Preset("sepia".into()));
    Ok(())
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (text, line, column, complaint) in [
        (
            "cel_mm = 5",
            1,
            1,
            "unknown key \"cel_mm\"; did you mean \"cell_mm\"?",
        ),
        (
            "\ncell_mm = 5\n  Ink = \"#000\"",
            3,
            3,
            "did you mean \"ink\"?",
        ),
        (
            "xyzzy = 1",
            1,
            1,
            "unknown key \"xyzzy\"; use one of arrows, ban, base, board,",
        ),
        (
            "cell_mm = 0",
            1,
            11,
            "cell_mm: a length must be from 0.05 to 1000 mm, not 0",
        ),
        ("cell_mm = nan", 1, 11, "from 0.05 to 1000 mm, not NaN"),
        ("cell_mm = \"8\"", 1, 11, "cell_mm: invalid type: string"),
        (
            "move_seconds = 61",
            1,
            16,
            "a time must be from 0.2 to 60 seconds, not 61",
        ),
        ("rotate = 45", 1, 10, "0, 90, 180 or 270 degrees, not 45"),
        (
            "rotate = 99999999999999999999",
            1,
            10,
            "rotate: invalid type",
        ),
        (
            "ink = \"black\"",
            1,
            7,
            "invalid colour \"black\": write #rgb or #rrggbb",
        ),
        ("ink = \"#+12345\"", 1, 7, "#rgb or #rrggbb"),
        ("family = \"a\\\"b\"", 1, 10, "invalid font list"),
        ("family = \" \"", 1, 10, "invalid font list"),
        (
            "lettering = \"outline\"",
            1,
            13,
            "unknown variant `outline`, expected one of",
        ),
        (
            "coordinates = 1",
            1,
            15,
            "coordinates: invalid type: integer",
        ),
        (
            "base = \"prnt\"",
            1,
            8,
            "unknown preset \"prnt\"; did you mean \"print\"?",
        ),
        (
            "base = 3",
            1,
            8,
            "base must be the name of a preset in quotes",
        ),
        ("ink = \"#000\"\nink = \"#111\"", 2, 1, "duplicate key"),
        (
            "[text]\nsize = 3",
            1,
            2,
            "unknown key \"text\"; did you mean \"text_mm\"?",
        ),
        ("# é\nink == 3", 2, 6, ""),
    ] {
        let error = Style::parse(text, "my.toml").expect_err(text);
        let said = error.to_string();
        let place = format!("my.toml, line {line}, column {column}: ");
        assert!(said.starts_with(&place), "{text:?} gives {said:?}");
        assert!(said.contains(complaint), "{text:?} gives {said:?}");
    }
}

/// Lines that are nearly a style sheet.
fn nearly_a_sheet() -> impl Strategy<Value = String> {
    let keys = toml::Table::try_from(Style::print()).expect("a style can be written");
    let mut keys: Vec<String> = keys.keys().cloned().collect();
    keys.extend(["base".to_owned(), "nonsense".to_owned()]);
    let value = prop_oneof![
        Just("true".to_owned()),
        Just("\"print\"".to_owned()),
        Just("\"#abc\"".to_owned()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<String>().prop_map(|text| format!("{text:?}")),
        any::<String>(),
        Just("[[]]".to_owned()),
        Just("1979-05-27".to_owned()),
    ];
    let line = (proptest::sample::select(keys), value);
    let line = line.prop_map(|(key, value)| format!("{key} = {value}\n"));
    proptest::collection::vec(line, 0..4).prop_map(|lines| lines.concat())
}

proptest! {
    /// Any text is a style or refused with a place within it; nothing panics.
    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), nearly_a_sheet()]) {
        match Style::parse(&text, "fuzz") {
            Ok(style) => {
                let written = toml::to_string(&style).expect("a style can be written");
                prop_assert_eq!(Style::parse(&written, "fuzz")?, style);
            }
            Err(StyleError::Sheet { line, column, message, .. }) => {
                prop_assert!(line >= 1 && line <= text.matches('\n').count() + 1);
                prop_assert!(column >= 1);
                prop_assert!(!message.is_empty());
            }
            Err(other) => prop_assert!(false, "without a place: {}", other),
        }
    }
}
