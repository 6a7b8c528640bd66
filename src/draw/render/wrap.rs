//! Where lines break: the one line breaker, for captions of diagrams and for books.

/// Paragraphs with more lines are left as they are: their last line does not show.
const BALANCED: usize = 4;

/// Halvings of the range in which the least width lies.
const STEPS: usize = 6;

/// A line of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapped<K> {
    /// Stretches of text in one kind of type, from left to right.
    pub runs: Vec<(K, String)>,
    /// Whether the next line begins a new word.
    pub spaced: bool,
}

/// Breaks a paragraph of several kinds of type into lines, at spaces where it can, and in Chinese and
/// Japanese between characters. A word that is too long for a line breaks after a comma, a slash or the
/// like, if it has one.
///
/// `width` measures a run. The first line has room for `first`, the others have for
/// `others`, both in the unit of `width`. A line holds at least one character,
/// however narrow.
pub fn wrap<K: Copy + PartialEq, T: AsRef<str>>(
    pieces: &[(K, T)],
    first: f64,
    others: f64,
    width: impl Fn(K, &str) -> f64,
) -> Vec<Wrapped<K>> {
    let room = |lines: &Vec<_>| if lines.is_empty() { first } else { others };
    let mut lines = Vec::new();
    let mut line = Line {
        runs: Vec::new(),
        settled: 0.0,
        width: &width,
    };
    for &(kind, ref text) in pieces {
        for (part, begins) in text.as_ref().split_whitespace().flat_map(parts) {
            // A word is parted by a space from the line so far.
            let space = if begins && !line.runs.is_empty() {
                " "
            } else {
                ""
            };
            if line.add(kind, &format!("{space}{part}"), room(&lines)) {
                continue;
            }
            if !line.runs.is_empty() {
                lines.push(line.end(begins));
            }
            if line.add(kind, part, room(&lines)) {
                continue;
            }
            let bits = part.split_inclusive([',', ';', '/', '-']).flat_map(|bit| {
                let long = width(kind, bit) > first.min(others);
                bit.split_inclusive(move |_: char| long)
            });
            for bit in bits {
                if line.add(kind, bit, room(&lines)) {
                    continue;
                }
                if !line.runs.is_empty() {
                    lines.push(line.end(false));
                }
                line.add(kind, bit, f64::INFINITY);
            }
        }
    }
    if !line.runs.is_empty() {
        lines.push(line.end(false));
    }
    lines
}

/// The parts of a word between which a line may break, and whether they begin it: characters of
/// Chinese and Japanese, with the marks that must not begin or end a line.
fn parts(word: &str) -> Vec<(&str, bool)> {
    const NEVER_FIRST: &str = ",.:;?!)]}、。，．・：；？！）］｝」』】〉》〕ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々…";
    const NEVER_LAST: &str = "([{（［｛「『【〈《〔";
    let stands_alone = |letter: char| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..);
    let (mut parts, mut start, mut last) = (Vec::new(), 0, None);
    for (at, letter) in word.char_indices() {
        let breaks = last.is_some_and(|last| {
            (stands_alone(last) || stands_alone(letter))
                && !NEVER_LAST.contains(last)
                && !NEVER_FIRST.contains(letter)
        });
        if breaks {
            parts.push((&word[start..at], start == 0));
            start = at;
        }
        last = Some(letter);
    }
    parts.push((&word[start..], start == 0));
    parts
}

/// Like [`wrap`], but with lines of about the same length: the least width, nearly, that
/// needs no more lines than `room`.
pub fn balanced<K: Copy + PartialEq, T: AsRef<str>>(
    pieces: &[(K, T)],
    room: f64,
    width: impl Fn(K, &str) -> f64,
) -> Vec<Wrapped<K>> {
    let mut lines = wrap(pieces, room, room, &width);
    let parts = pieces.iter().flat_map(|&(kind, ref text)| {
        let parts = text.as_ref().split_whitespace().flat_map(parts);
        parts.map(move |(part, _)| (kind, part))
    });
    let longest = parts.map(|(kind, part)| width(kind, part));
    let longest = longest.fold(0.0, f64::max);
    if (2..=BALANCED).contains(&lines.len()) && longest <= room {
        let (mut low, mut high) = (longest, room);
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            let narrower = wrap(pieces, middle, middle, &width);
            if narrower.len() > lines.len() {
                low = middle;
            } else {
                (lines, high) = (narrower, middle);
            }
        }
    }
    lines
}

/// A line as far as it is filled.
struct Line<'w, K, W> {
    runs: Vec<(K, String)>,
    /// The width of all runs but the last.
    settled: f64,
    width: &'w W,
}

impl<K: Copy + PartialEq, W: Fn(K, &str) -> f64> Line<'_, K, W> {
    /// Adds text if the line stays within `room`; says whether it does.
    fn add(&mut self, kind: K, text: &str, room: f64) -> bool {
        match self.runs.last_mut() {
            Some((last, said)) if *last == kind => {
                let length = said.len();
                said.push_str(text);
                let fits = self.settled + (self.width)(kind, said) <= room;
                if !fits {
                    said.truncate(length);
                }
                fits
            }
            last => {
                let before = last.map_or(0.0, |(last, said)| (self.width)(*last, said));
                let settled = self.settled + before;
                let fits = settled + (self.width)(kind, text) <= room;
                if fits {
                    self.settled = settled;
                    self.runs.push((kind, text.to_owned()));
                }
                fits
            }
        }
    }

    /// Takes the line, and begins the next.
    fn end(&mut self, spaced: bool) -> Wrapped<K> {
        self.settled = 0.0;
        Wrapped {
            runs: std::mem::take(&mut self.runs),
            spaced,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, room: f64) -> Vec<String> {
        let width = |(), run: &str| f64::from(u8::try_from(run.chars().count()).unwrap());
        let lines = wrap(&[((), text)], room, room, width);
        let runs = lines.into_iter().flat_map(|line| line.runs);
        runs.map(|((), text)| text).collect()
    }

    #[test]
    fn japanese_breaks_between_characters_but_not_before_a_full_stop() {
        assert_eq!(lines("駒を押します。次の", 6.0), ["駒を押しま", "す。次の"]);
        assert_eq!(
            lines("黒が「負け」です", 3.0),
            ["黒が", "「負", "け」で", "す"]
        );
        // Words in other letters stay whole.
        assert_eq!(
            lines("手は b2↑ です、abc も", 6.0),
            ["手は b2↑", "です、abc", "も"]
        );
    }

    #[test]
    fn too_long_a_word_breaks_after_a_comma() {
        assert_eq!(
            lines("1.Kb3 (Dg4,Dc3,Dh3) x", 11.0),
            ["1.Kb3", "(Dg4,Dc3,", "Dh3) x"]
        );
        // Without one it breaks anywhere; one that fits stays whole.
        assert_eq!(lines("abcdef a,b", 4.0), ["abcd", "ef", "a,b"]);
    }
}
