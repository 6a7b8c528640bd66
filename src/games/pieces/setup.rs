//! Specs: which file, and which men.
//!
//! A game that ships is named, `hexapawn`, and any other file, `rules:FILE`. Rules of endings want
//! the men, `chess:KQ-KR`, several of them, `chess:KQ-KR,KRP-KR`, or all up to a number,
//! `chess:men=4` or `chess:4`; those of a file stand after a comma, `rules:FILE,KQ-KR`. With `,castling`
//! after them, men that have not moved may castle. A game with a start that
//! ships has relatives, `dobutsu:pieces=lion+chick`.

use std::sync::OnceLock;

use super::core::Core;
use super::file;
use super::index::MOST_EQUAL;
use super::material::Material;
use super::rules::{MOST_KINDS, Rules};
use super::{Pieces, features};
use crate::base::subsets::bits;
use crate::base::text::plural;
use crate::game::{Game, NotationError};
use crate::games::settings::{self, SetupError};

/// What asks for castling in endings, after the men.
const CASTLING: &str = ",castling";

/// The most men of `men=`: more would be more materials than fit.
const MOST_MEN: u8 = 8;

impl Pieces {
    /// The names of the games that ship.
    pub fn names() -> impl Iterator<Item = &'static str> {
        file::FILES.iter().map(|(name, _)| *name)
    }

    /// Whether a game of this name ships.
    pub fn ships(name: &str) -> bool {
        file::shipped(name).is_some()
    }

    /// A game that ships, perhaps with men or settings after a colon.
    ///
    /// # Errors
    /// If none has this name, or the men are missing or wrong, or a setting is.
    pub fn shipped(spec: &str) -> Result<Self, SetupError> {
        let (name, men) = match spec.split_once(':') {
            Some((name, men)) => (name, Some((men, name.chars().count() + 1))),
            None => (spec, None),
        };
        let unknown = || NotationError::new(spec, 0, format!("no game '{name}' ships"));
        let mut rules = Rules::parse(file::shipped(name).ok_or_else(unknown)?)?;
        if rules.start.is_none() {
            return Self::new(spec, name, men, rules, ':');
        }
        let name = &rules.set(spec, name)?;
        Self::new(spec, name, None, rules, ':')
    }

    /// The path in what follows `rules:`, without digest and men.
    pub(crate) fn path_of(rest: &str) -> &str {
        split_file(rest).0
    }

    /// The game of a file of rules. `rest` is what follows `rules:` in the spec: the path, perhaps
    /// with `#` and the digest that the rules must have, and perhaps with men after a comma.
    ///
    /// # Errors
    /// If the rules are wrong, or not those of the digest, or the men are missing or wrong.
    pub fn from_file(rest: &str, text: &str) -> Result<Self, SetupError> {
        let spec = format!("rules:{rest}");
        let rules = Rules::parse(text)?;
        let found = rules.digest();
        let (path, expected, men) = split_file(rest);
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            return Err(SetupError::Changed(format!(
                "its rules are not those of '#{expected}': they have changed and are now '#{found}'; leave the '#...' out to play by the new rules, and solve the game again"
            )));
        }
        let name = format!("rules:{path}#{found}");
        let before = spec.chars().count();
        let men = men.map(|men| (men, before - men.chars().count()));
        Self::new(&spec, &name, men, rules, ',')
    }

    /// `name` is that of a game or file; the men are with where they begin, in characters.
    fn new(
        spec: &str,
        name: &str,
        men: Option<(&str, usize)>,
        mut rules: Rules,
        separator: char,
    ) -> Result<Self, SetupError> {
        let fault = |at, message: String| Err(NotationError::new(spec, at, message).into());
        let end = spec.chars().count();
        let (all, spec) = match (&rules.start, men) {
            (Some(_), Some((_, at))) => {
                let message = format!("{name} has a starting position; leave the men out");
                return fault(at, message);
            }
            (Some(start), None) => (vec![start.material()], name.to_owned()),
            (None, None) => {
                let message = format!(
                    "the rules do not say which men there are; write them, e.g. {name}{separator}KQ-KR"
                );
                return fault(end, message);
            }
            (None, Some((text, at))) => {
                let men = text.strip_suffix(CASTLING);
                let (text, castling) = men.map_or((text, ""), |men| (men, CASTLING));
                if castling.is_empty() {
                    rules.castling = None;
                }
                let mut all = read_men(&rules, spec, text, at)?;
                let names: Vec<_> = all.iter().map(|men| men.name(&rules)).collect();
                let names = match men_asked(text).and_then(settings::number::<u8>) {
                    Some(number) => format!("men={number}"),
                    None => names.join(","),
                };
                let turned: Vec<_> = all.iter().map(Material::turned).collect();
                all.extend(turned);
                let castle = all.iter().flat_map(|men| men.with_rights(&rules));
                let castle: Vec<_> = castle.collect();
                if castle.len() == all.len() && !castling.is_empty() {
                    let at = at + text.chars().count() + 1;
                    return fault(at, "none of these men castle; leave this out".to_owned());
                }
                (castle, format!("{name}{separator}{names}{castling}"))
            }
        };
        Self::of_men(rules, spec, &all)
    }

    /// Chess with any men, for moves alone: its positions have no numbers.
    pub(crate) fn any_chess() -> Result<Self, SetupError> {
        let rules = Rules::parse(file::shipped("chess").unwrap_or_default())?;
        Self::of_men(rules, "chess".to_owned(), &[])
    }

    fn of_men(rules: Rules, spec: String, starts: &[Material]) -> Result<Self, SetupError> {
        let core = Core::new(rules, &spec, starts);
        let core = core.map_err(|error| SetupError::Refused(error.to_string()))?;
        let common = (core.index.order.iter())
            .fold(u8::MAX, |set, &layer| set & core.index.symmetries(layer));
        let game = Self {
            symmetries: bits(common.into()).map(usize::from).collect(),
            columns: features::columns(&core.rules),
            is_chess: core.rules.is_chess(),
            initial: OnceLock::new(),
            spec,
            core,
        };
        if !starts.is_empty()
            && let Some(fault) = game.fault_of(&game.initial())
        {
            let which = ["no position can be played", "start"][usize::from(game.has_beginning())];
            return Err(SetupError::Refused(format!("{which}: {fault}")));
        }
        Ok(game)
    }
}

/// The path of a file, its digest, and men, in what follows `rules:`.
fn split_file(rest: &str) -> (&str, Option<&str>, Option<&str>) {
    // Men are letters with a hyphen or v, and commas between; the name of a file ends otherwise.
    let is_men = |part: &str| {
        let sides = part.split_once(['-', 'v']);
        let letters = |side: &str| !side.is_empty() && side.bytes().all(|b| b.is_ascii_uppercase());
        sides.is_some_and(|(own, other)| letters(own) && letters(other))
            || Some(part) == CASTLING.strip_prefix(',')
            || men_asked(part).is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut start = rest.len();
    for (place, _) in rest.rmatch_indices(',') {
        if !is_men(&rest[place + 1..start]) {
            break;
        }
        start = place;
    }
    // What follows a digest and is no men is an error, which is reported where men are read.
    let (file, men) = (&rest[..start], rest.get(start + 1..));
    match (settings::split_digest(file), rest.split_once(',')) {
        ((_, None), Some((file, men)))
            if let (path, Some(digest)) = settings::split_digest(file) =>
        {
            (path, Some(digest), Some(men))
        }
        ((path, digest), _) => (path, digest, men),
    }
}

/// The number of men that `men=4` or `4` asks for.
fn men_asked(text: &str) -> Option<&str> {
    let is_number = || text.starts_with(|letter: char| letter.is_ascii_digit());
    text.strip_prefix("men=")
        .or_else(|| is_number().then_some(text))
}

/// Reads men such as `KQ-KR,KRP-KR`, or their number. They begin at a character of the spec.
fn read_men(
    rules: &Rules,
    spec: &str,
    text: &str,
    at: usize,
) -> Result<Vec<Material>, NotationError> {
    if let Some(asked) = men_asked(text) {
        let most = MOST_MEN.min(rules.squares());
        let number = settings::number(asked).filter(|men| (2..=most).contains(men));
        let message = format!("expected a number of men from 2 to {most}, both kings included");
        let at = at + text.len() - asked.len();
        let number = number.ok_or_else(|| NotationError::new(spec, at, message))?;
        return Ok(all_men(rules, number));
    }
    let mut found = Vec::new();
    let mut at = at;
    for part in text.split(',') {
        let men = read_ending(rules, spec, part, at)?;
        // Both sides to move come with it, so the order of the sides has no meaning.
        let men = stronger_first(rules, men);
        if !found.contains(&men) {
            found.push(men);
        }
        at += part.chars().count() + 1;
    }
    Ok(found)
}

/// The side that comes first in the order of kinds: more men, then stronger kinds.
fn stronger_first(rules: &Rules, men: Material) -> Material {
    let key = |side: usize| {
        let counts = &men.board[side];
        let total: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        (total, counts[..rules.kinds.len()].to_vec())
    };
    if key(0) < key(1) { men.turned() } else { men }
}

/// Reads the men of one ending, such as `KQ-KR`, which tables of chess call `KQvKR` or `KQKR`.
fn read_ending(
    rules: &Rules,
    spec: &str,
    text: &str,
    at: usize,
) -> Result<Material, NotationError> {
    let fault = |place: usize, message: String| Err(NotationError::new(spec, at + place, message));
    let letters = rules.written_kinds().map(|(_, kind)| kind.letter);
    let letters: String = letters.collect();
    let mut men = Material::default();
    let mut side = 0;
    for (place, letter) in text.chars().enumerate() {
        if matches!(letter, '-' | 'v') && side == 0 {
            side = 1;
            continue;
        }
        let Some(kind) = rules.kind_of(letter) else {
            let message = format!(
                "expected one of the kinds {letters}, or - between the sides, e.g. KQ-KR; found '{letter}'"
            );
            return fault(place, message);
        };
        if !text.contains(['-', 'v']) && rules.kinds[kind].royal && men.board[0][kind] > 0 {
            side = 1;
        }
        let count = &mut men.board[side][kind];
        if usize::from(*count) == MOST_EQUAL {
            return fault(place, format!("a side has at most {MOST_EQUAL} equal men"));
        }
        *count += 1;
    }
    if side == 0 {
        let message = "expected - and the men of the other side, e.g. KQ-KR";
        return fault(text.chars().count(), message.to_owned());
    }
    let counts = men.board.as_flattened().iter().copied();
    if counts.map(u32::from).sum::<u32>() > rules.squares().into() {
        return fault(0, rules.too_many_men());
    }
    if let Some(royal) = rules.royal_kind() {
        let mut sides = men.board.iter().zip(["first", "second"]);
        if let Some((men, which)) = sides.find(|(men, _)| men[royal] != 1) {
            let verb = if men[royal] == 0 { "give" } else { "leave" };
            let men = plural(men[royal].into(), &rules.kinds[royal].name);
            return fault(0, format!("the {which} side has {men}; {verb} it one"));
        }
    }
    Ok(men)
}

/// All men up to a number, each with the stronger side first.
fn all_men(rules: &Rules, most: u8) -> Vec<Material> {
    let others = rules.written_kinds().filter(|(_, kind)| !kind.royal);
    let (mut base, mut royals) = ([0; MOST_KINDS], 0);
    if let Some(royal) = rules.royal_kind() {
        (base[royal], royals) = (1, 1);
    }
    // All sets of men of a side that leave the other its royal men.
    let mut sides: Vec<([u8; MOST_KINDS], u8)> = vec![(base, royals)];
    for (kind, _) in others {
        for place in 0..sides.len() {
            let (mut men, mut count) = sides[place];
            while count + 1 + royals <= most {
                men[kind] += 1;
                count += 1;
                sides.push((men, count));
            }
        }
    }
    let mut found = Vec::new();
    for &(own, count) in &sides {
        for &(other, more) in &sides {
            let board = [own, other];
            let men = Material {
                board,
                ..Material::default()
            };
            if count + more <= most && stronger_first(rules, men) == men {
                found.push(men);
            }
        }
    }
    found
}
