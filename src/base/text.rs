//! Numbers and names as people read them.

use std::borrow::Cow;
use std::error::Error;
use std::iter::successors;

/// Defines an enum whose values have names; lists all of them, in this order. Each is
/// shown by its name.
macro_rules! named {
    (
        $(#[$about:meta])+
        pub enum $kind:ident {
            $($(#[$meaning:meta])+ $value:ident = $name:literal,)+
        }
    ) => {
        $(#[$about])+
        pub enum $kind {
            $($(#[$meaning])+ $value,)+
        }

        impl $kind {
            /// All values.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The value of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }

            /// The name in tables, settings and messages.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;

/// An error with its causes, leaving out those that are already in the message.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for cause in successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// A number with its digits in groups of three: `2,735,147,685`.
pub fn grouped(number: u64) -> String {
    let mut text = number.to_string();
    for place in (1..text.len()).rev().skip(2).step_by(3) {
        text.insert(place, ',');
    }
    text
}

/// A number of things, each of which is called `one`: `1 ply`, `3 plies`, `1,000 turns`.
pub fn plural(count: u64, one: &str) -> String {
    #[rustfmt::skip]
    const ENDINGS: [(&str, &str); 10] = [
        ("wolf", "wolves"), ("mouse", "mice"), ("ay", "ays"), ("ey", "eys"), ("oy", "oys"),
        ("y", "ies"), ("ch", "ches"), ("sh", "shes"), ("s", "ses"), ("x", "xes"),
    ];
    if count == 1 {
        return format!("1 {one}");
    }
    let many = |(end, ends): (&str, &'static str)| Some((one.strip_suffix(end)?, ends));
    let (stem, ending) = ENDINGS.into_iter().find_map(many).unwrap_or((one, "s"));
    format!("{} {stem}{ending}", grouped(count))
}

/// Bytes: whole MiB, rounded up, and GiB with two digits.
pub fn bytes(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30))
    } else {
        format!("{:.0} MiB", (bytes as f64 / f64::from(1 << 20)).ceil())
    }
}

/// A share in whole percent: `33%`. The share of nothing is `0%`.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.0}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The words that a name is made of, such as `edge-sacrifice`, `edge_sacrifice` or, in
/// tables of earlier versions, `edgeSacrifice`.
pub(crate) fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text.replace(['-', '_'], " ").trim().to_owned()
}

/// A text whose first letter is a capital.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// A text with control characters and marks of direction made visible, but for line ends and tabs:
/// what a file says must not steer the terminal that shows it.
pub fn visible(text: &str) -> Cow<'_, str> {
    let steers = |letter: char| match letter {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => letter.is_control(),
    };
    if text.contains(steers) {
        Cow::Owned(text.replace(steers, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A file name made from a spec: `ostle:4x4,pieces=3` becomes `ostle-4x4-pieces-3`.
pub fn file_stem(spec: &str) -> String {
    spec.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

/// The begin and the end of a message that has more than 3000 letters, such as one that quotes a
/// whole file.
pub fn shortened(text: &str) -> Cow<'_, str> {
    const HEAD: usize = 2000;
    const TAIL: usize = 1000;
    let count = text.chars().count();
    if count <= HEAD + TAIL {
        return Cow::Borrowed(text);
    }
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().skip(count - TAIL).collect();
    Cow::Owned(format!("{head} ... {tail}"))
}

/// Whether a spreadsheet would run a cell with this text, or a terminal obey it: it begins with
/// `=`, `+`, `-` or `@`, or has control characters.
pub(crate) fn runs_in_spreadsheet(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@']) || text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_well() {
        let names = ["edgeSacrifice", "edge-sacrifice", "edge_sacrifice"];
        assert_eq!(names.map(words), ["edge sacrifice"; 3]);
    }

    #[test]
    fn nouns_have_plurals() {
        let many = "plies moves foxes wolves mice monkeys witches colossuses";
        let one = "ply move fox wolf mouse monkey witch colossus".split(' ');
        let found: Vec<_> = one.map(|one| plural(2, one)).collect();
        assert_eq!(found.join(" ").replace("2 ", ""), many);
        assert_eq!(plural(1, "fox"), "1 fox");
    }
}
