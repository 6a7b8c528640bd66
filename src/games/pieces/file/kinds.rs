//! Kinds of men.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::source::{List, Source, Whole, value_of};
use crate::games::pieces::betza;
use crate::games::pieces::rules::{Kind, KindNumber, MOST_KINDS, Rules, Squares, Step};
use crate::games::settings::SetupError;

const MOST_LETTERS: usize = 40;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKind {
    letter: Option<Spanned<String>>,
    side_letters: Option<Spanned<String>>,
    name: Option<Spanned<String>>,
    moves: Option<Spanned<String>>,
    royal: Option<Spanned<bool>>,
    ranks: Option<Spanned<List<Whole>>>,
    squares: Option<Spanned<List<String>>>,
    initial_rank: Option<Spanned<Whole>>,
    promotes_to: Option<Spanned<String>>,
    promotion_ranks: Option<Spanned<Whole>>,
    promotion_optional: Option<Spanned<bool>>,
    in_hand: Option<Spanned<String>>,
    drop_ranks: Option<Spanned<List<Whole>>>,
    one_per_file: Option<Spanned<bool>>,
    no_drop_mate: Option<Spanned<bool>>,
    wins_on_far_rank: Option<Spanned<bool>>,
    pub(super) castles_with: Option<Spanned<String>>,
    pub(super) castling: Option<Spanned<List<String>>>,
}

impl WrittenKind {
    /// Checks that nothing is said of drops, for a man that is never in hand.
    pub(super) fn check_no_drops(&self, source: Source) -> Result<(), SetupError> {
        let message = "the man is never in hand, so this says nothing; leave it out";
        if let Some(ranks) = &self.drop_ranks {
            return source.fault(ranks.span(), "drop_ranks", message);
        }
        source.without_effect("one_per_file", self.one_per_file.as_ref(), message)?;
        source.without_effect("no_drop_mate", self.no_drop_mate.as_ref(), message)
    }
}

/// Reads the kinds of men of rules that have everything else but goals and material. Kinds of
/// men that can be taken in passing are added at the end.
pub(super) fn read(
    source: Source,
    rules: &Rules,
    written: &[Spanned<WrittenKind>],
) -> Result<Vec<Kind>, SetupError> {
    if let Some(piece) = written.get(MOST_KINDS) {
        let message = format!("a game has at most {MOST_KINDS} kinds of men; leave some out");
        return source.fault(piece.span(), "piece", message);
    }
    let reader = |piece| Reader {
        source,
        rules,
        piece,
    };
    let mut kinds: Vec<Kind> = Vec::new();
    for piece in written {
        let reader = reader(piece);
        let kind = reader.kind(kinds.len())?;
        reader.check_first_of_its_kind(&kind, &kinds)?;
        kinds.push(kind);
    }
    for (number, piece) in written.iter().enumerate() {
        let reader = reader(piece);
        reader.promotion(number, &mut kinds)?;
        reader.in_hand(number, &mut kinds)?;
    }
    for (number, piece) in written.iter().enumerate() {
        reader(piece).passing(number, &mut kinds)?;
    }
    Ok(kinds)
}

/// What men are called that have the letters of chess.
fn usual_name(letter: char) -> String {
    match letter {
        'K' => "king".to_owned(),
        'Q' => "queen".to_owned(),
        'R' => "rook".to_owned(),
        'B' => "bishop".to_owned(),
        'N' => "knight".to_owned(),
        'P' => "pawn".to_owned(),
        _ => format!("piece {}", letter.to_ascii_lowercase()),
    }
}

/// One kind as it is written.
struct Reader<'t> {
    source: Source<'t>,
    rules: &'t Rules,
    piece: &'t Spanned<WrittenKind>,
}

impl Reader<'_> {
    fn written(&self) -> &WrittenKind {
        self.piece.get_ref()
    }

    /// Where a value stands; without one, the piece.
    fn span<T>(&self, value: Option<&Spanned<T>>) -> Range<usize> {
        value.map_or(self.piece.span(), Spanned::span)
    }

    /// The kind, without what other kinds are needed for.
    fn kind(&self, number: KindNumber) -> Result<Kind, SetupError> {
        let (it, source) = (self.written(), self.source);
        let letter = self.letter()?;
        let steps = self.steps()?;
        let wins_on_far_rank = value_of(it.wins_on_far_rank.as_ref());
        let mut squares = match &it.ranks {
            Some(ranks) => self.ranks("ranks", ranks)?,
            None => self.rules.all(),
        };
        if let Some(names) = &it.squares {
            squares &= source.squares("squares", names, self.rules.board)?;
        }
        let named = it.squares.as_ref().map(|named| ("squares", named.span()));
        let ranks = it.ranks.as_ref().map(|ranks| ("ranks", ranks.span()));
        let wins = ("wins_on_far_rank", self.span(it.wins_on_far_rank.as_ref()));
        let (key, span) = named.or(ranks).unwrap_or(wins);
        let refuse = |wrong, message| source.refuse(wrong, span.clone(), key, message);
        let message = "the man has no square to stand on; name one or more, on its ranks";
        refuse(squares == 0, message)?;
        if wins_on_far_rank {
            squares &= !self.rules.far();
        }
        let message = "no square is left to stand on, as a man that wins on the far rank does not stand there; give more ranks or squares";
        refuse(squares == 0, message)?;
        let drop_squares = match &it.drop_ranks {
            Some(ranks) => squares & self.ranks("drop_ranks", ranks)?,
            None => squares,
        };
        let royal = value_of(it.royal.as_ref());
        if let Some(ranks) = &it.drop_ranks {
            let span = ranks.span();
            let refuse = |wrong, message| source.refuse(wrong, span.clone(), "drop_ranks", message);
            refuse(royal, "a royal man is never in hand; leave this out")?;
            let message = "the man cannot stand on any of these ranks; give some of those in ranks";
            refuse(drop_squares == 0, message)?;
        }
        if royal {
            let far = it.wins_on_far_rank.as_ref();
            let message = "write try = \"any\" for a royal man that wins on the far rank";
            source.without_effect("wins_on_far_rank", far, message)?;
        }
        if !self.rules.check {
            let message = "without check = true nobody is mated, so this says nothing; leave it out, or add check = true";
            let ban = it.no_drop_mate.as_ref();
            source.without_effect("no_drop_mate", ban, message)?;
        }
        Ok(Kind {
            letter,
            letters: self.side_letters(letter)?,
            name: self.name(letter)?,
            royal,
            initial_rank: self.initial_rank(&steps, squares)?,
            steps,
            squares,
            in_hand: number,
            drop_squares,
            one_per_file: value_of(it.one_per_file.as_ref()),
            no_drop_mate: value_of(it.no_drop_mate.as_ref()),
            wins_on_far_rank,
            ..Kind::default()
        })
    }

    fn letter(&self) -> Result<char, SetupError> {
        let Some(letter) = &self.written().letter else {
            let message = "a piece needs a letter, such as letter = \"K\"";
            return self.source.fault(self.piece.span(), "letter", message);
        };
        let mut letters = letter.get_ref().chars();
        match (letters.next(), letters.next()) {
            (Some(first), None) if first.is_ascii_uppercase() => Ok(first),
            _ => {
                let message = "give one of the letters A to Z, a capital one";
                self.source.fault(letter.span(), "letter", message)
            }
        }
    }

    fn side_letters(&self, letter: char) -> Result<[char; 2], SetupError> {
        let Some(letters) = &self.written().side_letters else {
            return Ok([letter, letter.to_ascii_lowercase()]);
        };
        let found: Vec<char> = letters.get_ref().chars().collect();
        match found[..] {
            [first, second] if first != second && found.iter().all(char::is_ascii_alphabetic) => {
                Ok([first, second])
            }
            _ => {
                let message =
                    "give two letters, that of the side that begins first, such as \"bw\"";
                self.source.fault(letters.span(), "side_letters", message)
            }
        }
    }

    fn name(&self, letter: char) -> Result<String, SetupError> {
        let Some(name) = &self.written().name else {
            return Ok(usual_name(letter));
        };
        let words = name.get_ref();
        let fits = |c: char| c == ' ' || c == '-' || c.is_alphabetic() && !c.is_uppercase();
        let whole = !words.is_empty() && words.trim() == words;
        if whole && words.chars().nth(MOST_LETTERS).is_none() && words.chars().all(fits) {
            return Ok(words.clone());
        }
        let message =
            format!("give a name of at most {MOST_LETTERS} small letters, such as \"rook\"");
        self.source.fault(name.span(), "name", message)
    }

    fn steps(&self) -> Result<Vec<Step>, SetupError> {
        let Some(moves) = &self.written().moves else {
            let message = "a piece needs moves, such as moves = \"K\", or \"\" if it has none";
            return self.source.fault(self.piece.span(), "moves", message);
        };
        betza::steps(moves.get_ref()).or_else(|error| {
            let message = format!("at character {}, {}", error.at + 1, error.message);
            self.source.fault(moves.span(), "moves", message)
        })
    }

    fn ranks(&self, field: &str, ranks: &Spanned<List<Whole>>) -> Result<Squares, SetupError> {
        let rows = self.rules.board.size().1;
        if let [first, last] = ranks.get_ref().0[..]
            && let (Some(first), Some(last)) = (first.up_to(rows), last.up_to(rows))
            && first <= last
        {
            return Ok((first..=last).fold(0, |squares, rank| squares | self.rules.rank(rank)));
        }
        let message = format!(
            "give the first and the last rank, as the side of the man counts them, such as [1, {rows}]"
        );
        self.source.fault(ranks.span(), field, message)
    }

    fn initial_rank(&self, steps: &[Step], squares: Squares) -> Result<u8, SetupError> {
        let written = self.written().initial_rank.as_ref();
        let rows = self.rules.board.size().1;
        let begins = steps.iter().any(|step| step.initial);
        if !begins {
            let Some(rank) = written else {
                return Ok(2);
            };
            let message = "no atom of moves has an 'i', so this says nothing; leave it out";
            return self.source.fault(rank.span(), "initial_rank", message);
        }
        let rank = written.map_or(Some(2), |rank| rank.get_ref().up_to(rows));
        let fits = |&rank: &u8| rank <= rows && self.rules.rank(rank) & squares != 0;
        if let Some(rank) = rank.filter(fits) {
            return Ok(rank);
        }
        let span = self.span(written);
        let message = "the man cannot stand on its initial rank, which is 2 unless this says another; give one of its ranks, or leave 'i' out of its moves";
        self.source.fault(span, "initial_rank", message)
    }

    /// Checks that letter and name are new, and that there is one royal kind.
    fn check_first_of_its_kind(&self, kind: &Kind, others: &[Kind]) -> Result<(), SetupError> {
        let (it, source, name) = (self.written(), self.source, &kind.name);
        for other in others {
            let letter = other.letter;
            if letter == kind.letter {
                let message =
                    format!("another piece has the letter {letter} already; give this one another");
                return source.fault(self.span(it.letter.as_ref()), "letter", message);
            }
            if let Some(letter) = (kind.letters.iter()).find(|own| other.letters.contains(own)) {
                let message = format!(
                    "another piece has the letter {letter} on the board already; give this one others"
                );
                let span = self.span(it.side_letters.as_ref().or(it.letter.as_ref()));
                return source.fault(span, "side_letters", message);
            }
            if other.name == *name {
                let message =
                    format!("another piece is called {name} already; give this one another name");
                return source.fault(self.span(it.name.as_ref()), "name", message);
            }
            let message = format!(
                "{letter} is royal already, and a side has one royal man; leave one of the two out"
            );
            let (both, span) = (other.royal && kind.royal, self.span(it.royal.as_ref()));
            source.refuse(both, span, "royal", message)?;
        }
        Ok(())
    }

    fn of_letter(
        &self,
        field: &str,
        span: Range<usize>,
        letter: char,
        kinds: &[Kind],
    ) -> Result<KindNumber, SetupError> {
        let found = kinds.iter().position(|kind| kind.letter == letter);
        let message = match found {
            None => format!("no piece has the letter '{letter}'; give the letter of a [[piece]]"),
            Some(kind) if kinds[kind].royal => {
                format!("{letter} is royal, and a side has one royal man; give another letter")
            }
            Some(kind) => return Ok(kind),
        };
        self.source.fault(span, field, message)
    }

    fn promotion(&self, number: KindNumber, kinds: &mut [Kind]) -> Result<(), SetupError> {
        let (it, source) = (self.written(), self.source);
        let Some(letters) = &it.promotes_to else {
            let message = "the man does not promote; leave this out, or add promotes_to";
            if let Some(ranks) = &it.promotion_ranks {
                return source.fault(ranks.span(), "promotion_ranks", message);
            }
            let optional = it.promotion_optional.as_ref();
            return source.without_effect("promotion_optional", optional, message);
        };
        let refuse =
            |wrong, message: &str| source.refuse(wrong, letters.span(), "promotes_to", message);
        let kind = &kinds[number];
        let message = "give one letter or more, such as \"QRBN\", or leave this out";
        refuse(letters.get_ref().is_empty(), message)?;
        refuse(kind.royal, "a royal man does not promote; leave this out")?;
        let message = "the man wins on the far rank, so it does not promote; leave this or wins_on_far_rank out";
        refuse(kind.wins_on_far_rank, message)?;
        let rows = self.rules.board.size().1;
        let ranks = it.promotion_ranks.as_ref();
        let span = self.span(ranks);
        let Some(ranks) = ranks.map_or(Some(1), |ranks| ranks.get_ref().up_to(rows)) else {
            let message = format!("give how many of the far ranks promote, from 1 to {rows}");
            return source.fault(span, "promotion_ranks", message);
        };
        let zone = (rows - ranks + 1..=rows).fold(0, |zone, rank| zone | self.rules.rank(rank));
        let mut found = Vec::new();
        for letter in letters.get_ref().chars() {
            let kind = self.of_letter("promotes_to", letters.span(), letter, kinds)?;
            let twice = format!("{letter} stands here twice; leave one out");
            refuse(found.contains(&kind), &twice)?;
            let itself = format!(
                "{letter} is the man itself; leave it out, or write promotion_optional = true"
            );
            refuse(kind == number, &itself)?;
            let nowhere = format!(
                "{letter} cannot stand on all ranks where this man promotes; give {letter} more ranks, or leave it out"
            );
            refuse(zone & !kinds[kind].squares != 0, &nowhere)?;
            found.push(kind);
        }
        let kind = &mut kinds[number];
        kind.promotes_to = found;
        kind.promotion_squares = zone;
        kind.promotion_optional = value_of(it.promotion_optional.as_ref());
        Ok(())
    }

    fn in_hand(&self, number: KindNumber, kinds: &mut [Kind]) -> Result<(), SetupError> {
        let Some(letter) = &self.written().in_hand else {
            return Ok(());
        };
        let refuse = |wrong, message| self.source.refuse(wrong, letter.span(), "in_hand", message);
        let message = "men that are taken are gone; leave this out, or add captured = \"hand\"";
        refuse(!self.rules.to_hand, message)?;
        let message = "a royal man is never in hand; leave this out";
        refuse(kinds[number].royal, message)?;
        let mut letters = letter.get_ref().chars();
        let first = letters.next().filter(|_| letters.next().is_none());
        let message = "give the letter of the one piece that this one becomes in a hand";
        refuse(first.is_none(), message)?;
        let first = first.unwrap_or_default();
        let kind = self.of_letter("in_hand", letter.span(), first, kinds)?;
        let message = "the man stays what it is without this; leave it out";
        refuse(kind == number, message)?;
        kinds[number].in_hand = kind;
        Ok(())
    }

    /// Adds the kind of men that have just made a double step, if others take them in passing.
    fn passing(&self, number: KindNumber, kinds: &mut Vec<Kind>) -> Result<(), SetupError> {
        let kind = &kinds[number];
        if !kind.steps.iter().any(|step| step.takes_in_passing) {
            return Ok(());
        }
        let span = self.span(self.written().moves.as_ref());
        let refuse =
            |wrong, message: &str| self.source.refuse(wrong, span.clone(), "moves", message);
        let message = "a royal man is not taken in passing; leave 'e' out";
        refuse(kind.royal, message)?;
        let message =
            "men taken in passing do not come to a hand; leave 'e' or captured = \"hand\" out";
        refuse(self.rules.to_hand, message)?;
        let message =
            "a man that must drop another cannot take in passing; leave 'e' or drop_first out";
        refuse(self.rules.drop_first, message)?;
        if let Some(other) = kinds.iter().find(|other| other.passing.is_some()) {
            let message = format!(
                "{} is taken in passing already, and one kind can be; leave 'e' out",
                other.letter
            );
            return self.source.fault(span, "moves", message);
        }
        let mut doubles = kind.steps.iter().filter(|step| step.initial && step.lame);
        let (Some(double), None) = (doubles.next(), doubles.next()) else {
            let message = "'e' takes men of this kind after their double step; give it one, such as imfnD, or leave 'e' out";
            return self.source.fault(span, "moves", message);
        };
        let straight = (double.right, double.forward) == (0, 2);
        let message = "the step after which 'e' takes leads two squares forward and takes nothing itself; write imfnD";
        refuse(!straight || !double.goes || double.takes, message)?;
        let rank = kind.initial_rank + 2;
        let on_board = rank <= self.rules.board.size().1;
        let squares = if on_board { self.rules.rank(rank) } else { 0 };
        let stays = squares & kind.squares & !kind.promotion_squares;
        let message = format!(
            "the double step ends on rank {rank}, where the man cannot stay; leave the double step and 'e' out, or give it more ranks"
        );
        refuse(stays == 0 || stays != squares, &message)?;
        let rows = self.rules.board.size().1;
        let over = self.rules.rank(rows.saturating_sub(kind.initial_rank));
        let promotes = over & kind.promotion_squares != 0 && !kind.promotes_to.is_empty();
        let message = "men that take in passing would promote there; give fewer promotion_ranks, or leave 'e' out";
        refuse(promotes, message)?;
        let message = format!(
            "men that can be taken in passing count as another kind, and a game has at most {MOST_KINDS}; leave a piece out"
        );
        refuse(kinds.len() == MOST_KINDS, &message)?;
        let passing = Kind {
            squares,
            passing_of: Some(number),
            ..kind.clone()
        };
        kinds[number].passing = Some(kinds.len());
        kinds.push(passing);
        Ok(())
    }
}
