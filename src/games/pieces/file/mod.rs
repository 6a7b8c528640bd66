//! Files of rules, in TOML.
//!
//! ```toml
//! title = "Dobutsu shogi"
//! columns = 3
//! rows = 4
//! no_move = "loss"       # or draw, win: what a side gets that cannot move
//! captured = "hand"      # where men go that are taken; or gone
//! try = "safe"           # a royal man wins on the far rank where it cannot be taken
//! start = ["gle", "-c-", "-C-", "ELG"]   # or endings = true
//!
//! [[piece]]
//! letter = "C"
//! name = "chick"
//! moves = "fW"           # in Betza notation
//! promotes_to = "H"
//! ```
//!
//! The page of these games explains every key.

mod castling;
mod goals;
mod kinds;
mod source;
mod start;

use std::fmt::Write;

use serde::Deserialize;
use toml::Spanned;

use self::goals::WrittenGoal;
use self::kinds::WrittenKind;
use self::source::{List, Source, Whole, from_toml, value_of};
use super::rules::{
    Castling, Kind, MOST_SQUARES, Names, Notation, Passes, Position, Rules, Squares, Step, Try,
};
use crate::base::value::Outcome;
use crate::draw::MAX_SIDE;
use crate::game::Board;
use crate::games::settings::{self, SetupError};

/// The most columns or rows, so that every square has a name of two or three letters.
const LONGEST_SIDE: u8 = 16;

macro_rules! files {
    ($($name:literal)+) => {
        [$(($name, include_str!(concat!("../shipped/", $name, ".toml")))),+]
    };
}

/// The games that come with the program.
pub(super) const FILES: [(&str, &str); 15] = files! {
    "advanced-teeko" "breakthrough" "chess-4x4" "chess" "dao" "dobutsu" "hexapawn" "minichess"
    "mondrago" "neutreeko" "shatranj" "tapatan" "teeko" "three-mens-morris" "tictactoe"
};

/// The file of a name; `None` if no such game ships.
pub(super) fn shipped(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, text)| text)
}

const _: () = assert!(LONGEST_SIDE <= MAX_SIDE, "every board can be drawn");

/// Rules as they are written, perhaps without keys that they must have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: Option<String>,
    #[serde(rename = "text")]
    _text: Option<String>,
    columns: Option<Spanned<Whole>>,
    rows: Option<Spanned<Whole>>,
    sides: Option<Names>,
    notation: Option<Spanned<Notation>>,
    opponent: Option<Opponent>,
    alquerque: Option<Spanned<bool>>,
    check: Option<Spanned<bool>>,
    no_move: Option<Spanned<NoMove>>,
    may_pass: Option<Spanned<bool>>,
    captured: Option<Spanned<Captured>>,
    drop_first: Option<Spanned<bool>>,
    not_first: Option<Spanned<List<String>>>,
    #[serde(rename = "try")]
    try_rule: Option<Spanned<Try>>,
    bare_loses: Option<Spanned<bool>>,
    no_pieces_loses: Option<Spanned<bool>>,
    cornered_wins: Option<Spanned<bool>>,
    endings: Option<Spanned<bool>>,
    start: Option<Spanned<List<String>>>,
    hands: Option<Spanned<List<String>>>,
    #[serde(default)]
    piece: List<Spanned<WrittenKind>>,
    #[serde(default)]
    goal: List<Spanned<WrittenGoal>>,
}

/// What a side gets, or does, that is to move and cannot.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum NoMove {
    Loss,
    Draw,
    Win,
    Pass,
}

impl NoMove {
    const fn outcome(self) -> Outcome {
        match self {
            Self::Loss => Outcome::Loss,
            Self::Draw | Self::Pass => Outcome::Draw,
            Self::Win => Outcome::Win,
        }
    }
}

/// How the other side sees the board.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Opponent {
    Flipped,
    Rotated,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Default)]
#[serde(rename_all = "lowercase")]
enum Captured {
    #[default]
    Gone,
    Hand,
}

impl Rules {
    /// Reads a file of rules.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, lacks keys (the message names all), or the
    /// rules make no game. Messages have the line and the key.
    pub(super) fn parse(text: &str) -> Result<Self, SetupError> {
        let written = from_toml(text)?;
        let source = Source(text);
        Reader { source, written }.rules()
    }

    /// A short digest of everything that decides how the game is played and written.
    pub(crate) fn digest(&self) -> String {
        settings::digest(&self.signature())
    }

    /// Everything that decides how the game is played and written, in one line that is the same
    /// for rules that are the same.
    fn signature(&self) -> String {
        let (columns, rows) = self.board.size();
        let mut text = format!("{columns}x{rows} {:?}", self.names);
        if self.notation != Notation::Fen {
            let _ = write!(text, " {:?}", self.notation);
        }
        let rules = [
            (self.check, "check"),
            (self.to_hand, "to hand"),
            (self.drop_first, "drop first"),
            (self.bare_loses, "bare loses"),
            (self.no_pieces_loses, "none loses"),
            (self.rotated, "rotated"),
            (self.alquerque, "alquerque"),
            (self.passes == Passes::Stuck, "passes if stuck"),
            (self.passes == Passes::Always, "may pass"),
            (self.cornered_wins, "cornered wins"),
        ];
        for (_, word) in rules.into_iter().filter(|(holds, _)| *holds) {
            text.push(' ');
            text.push_str(word);
        }
        let _ = write!(
            text,
            " no move {} try {:?} not first {:x}",
            self.no_move.name(),
            self.try_rule,
            self.not_first
        );
        for kind in &self.kinds {
            write_kind(&mut text, kind);
        }
        for goal in &self.goals {
            let _ = write!(text, " {goal:x}");
        }
        if let Some(Castling { kinds, ways }) = &self.castling {
            let _ = write!(text, " castling {kinds:?} {ways:?}");
        }
        let Some(start) = &self.start else {
            return text + " endings";
        };
        for (men, hands) in start.men.iter().zip(&start.hands) {
            text.push_str(" side");
            for (men, hand) in men.iter().zip(hands).take(self.kinds.len()) {
                let _ = write!(text, " {men:x}+{hand}");
            }
        }
        text
    }
}

/// Writes what decides how a kind of men is played.
fn write_kind(text: &mut String, kind: &Kind) {
    let _ = write!(
        text,
        "; {} royal {} on {:x} from {} to {:?} on {:x} or not {} hand {} on {:x} one {} far {} passing {:?}",
        String::from_iter(kind.letters),
        kind.royal,
        kind.squares,
        kind.initial_rank,
        kind.promotes_to,
        kind.promotion_squares,
        kind.promotion_optional,
        kind.in_hand,
        kind.drop_squares,
        kind.one_per_file,
        kind.wins_on_far_rank,
        kind.passing_of
    );
    if kind.no_drop_mate {
        text.push_str(" no drop mate");
    }
    let words = |step: &Step| {
        let marks = [
            (step.goes, 'm'),
            (step.takes, 'c'),
            (step.takes_in_passing, 'e'),
            (step.lame, 'n'),
            (step.initial, 'i'),
            (step.to_end, 'u'),
        ];
        let marks = marks.into_iter().filter(|(has, _)| *has);
        let marks: String = marks.map(|(_, mark)| mark).collect();
        format!(" {marks}{},{}x{}", step.right, step.forward, step.range)
    };
    let mut steps: Vec<String> = kind.steps.iter().map(words).collect();
    steps.sort_unstable();
    text.extend(steps);
}

/// Rules as they are written, with their text for the numbers of lines.
struct Reader<'t> {
    source: Source<'t>,
    written: Written,
}

impl Reader<'_> {
    fn missing(&self) -> Vec<&'static str> {
        let it = &self.written;
        let keys = [
            ("title", it.title.is_none()),
            ("columns", it.columns.is_none()),
            ("rows", it.rows.is_none()),
            ("no_move", it.no_move.is_none()),
            (
                "start (or endings = true)",
                it.start.is_none() && !value_of(it.endings.as_ref()),
            ),
            ("[[piece]]", it.piece.0.is_empty()),
        ];
        let missing = keys.into_iter().filter(|(_, missing)| *missing);
        missing.map(|(key, _)| key).collect()
    }

    fn rules(&self) -> Result<Rules, SetupError> {
        let (it, missing) = (&self.written, self.missing());
        let (Some(title), Some(columns), Some(rows), Some(no_move), []) =
            (&it.title, &it.columns, &it.rows, &it.no_move, &missing[..])
        else {
            let missing = missing.join(", ");
            return Err(SetupError::Refused(format!("missing {missing}")));
        };
        let mut rules = Rules {
            title: title.clone(),
            board: self.board(columns, rows)?,
            notation: value_of(it.notation.as_ref()),
            names: it.sides.unwrap_or(Names::WhiteBlack),
            check: value_of(it.check.as_ref()),
            no_move: no_move.get_ref().outcome(),
            passes: self.passes(*no_move.get_ref())?,
            to_hand: value_of(it.captured.as_ref()) == Captured::Hand,
            drop_first: value_of(it.drop_first.as_ref()),
            not_first: 0,
            try_rule: value_of(it.try_rule.as_ref()),
            bare_loses: value_of(it.bare_loses.as_ref()),
            no_pieces_loses: value_of(it.no_pieces_loses.as_ref()),
            rotated: it.opponent == Some(Opponent::Rotated),
            alquerque: value_of(it.alquerque.as_ref()),
            kinds: Vec::new(),
            castling: None,
            goals: Vec::new(),
            cornered_wins: value_of(it.cornered_wins.as_ref()),
            start: None,
        };
        rules.kinds = kinds::read(self.source, &rules, &it.piece.0)?;
        let has_goals = !it.goal.0.is_empty() || rules.cornered_wins;
        rules.castling = castling::read(self.source, &rules, &it.piece.0, has_goals)?;
        self.check_royal_rules(&rules)?;
        self.check_rules_of_men(&rules)?;
        rules.start = self.start(&rules)?;
        let message = "the number of men shows whose turn it is in this game, so no side can pass; write \"loss\", \"draw\" or \"win\"";
        let counted = rules.passes != Passes::Never && rules.fills_squares();
        self.source
            .refuse(counted, no_move.span(), "no_move", message)?;
        rules.not_first = self.not_first(&rules)?;
        self.check_hands(&rules)?;
        let most_men = start::most_men(&rules);
        rules.goals = goals::read(self.source, rules.board, &it.goal.0, most_men)?;
        self.check_ends(&rules, no_move)?;
        self.check_start(&rules)?;
        Ok(rules)
    }

    fn passes(&self, no_move: NoMove) -> Result<Passes, SetupError> {
        let may = self.written.may_pass.as_ref();
        match (value_of(may), no_move) {
            (true, NoMove::Pass) => Ok(Passes::Always),
            (false, NoMove::Pass) => Ok(Passes::Stuck),
            (false, _) => Ok(Passes::Never),
            (true, _) => {
                let message =
                    "a side that may always pass is never without a move; write no_move = \"pass\"";
                let span = may.map_or(0..0, Spanned::span);
                self.source.fault(span, "may_pass", message)
            }
        }
    }

    fn board(&self, columns: &Spanned<Whole>, rows: &Spanned<Whole>) -> Result<Board, SetupError> {
        let side = |field: &str, number: &Spanned<Whole>| {
            let message = format!("a board has 1 to {LONGEST_SIDE} {field}");
            let fault = || self.source.fault(number.span(), field, message);
            number.get_ref().up_to(LONGEST_SIDE).map_or_else(fault, Ok)
        };
        let (columns, count) = (side("columns", columns)?, side("rows", rows)?);
        let squares = u16::from(columns) * u16::from(count);
        let message = format!(
            "a board of {squares} squares is too large; at most {MOST_SQUARES} fit, so take fewer rows or columns"
        );
        let many = squares > MOST_SQUARES.into();
        self.source.refuse(many, rows.span(), "rows", message)?;
        let board = Board::new(columns, count);
        Ok(match value_of(self.written.notation.as_ref()) {
            Notation::Fen => board,
            Notation::Clausecker => board.counted_from_the_top(),
        })
    }

    /// Checks that rules about royal men have some.
    fn check_royal_rules(&self, rules: &Rules) -> Result<(), SetupError> {
        let (it, source) = (&self.written, self.source);
        if rules.has_royal() {
            let message = "a side always has its royal man, so this says nothing; leave it out, or write bare_loses = true";
            let none = it.no_pieces_loses.as_ref();
            source.without_effect("no_pieces_loses", none, message)?;
            let held = rules.check && rules.try_rule == Try::Held;
            let message = "with check, no royal man is ever taken, so it is held when it arrives; write try = \"any\"";
            let span = it.try_rule.as_ref().map_or(0..0, Spanned::span);
            return source.refuse(held, span, "try", message);
        }
        let message = "no piece is royal, so this says nothing; leave it out, or write royal = true for a [[piece]]";
        for (field, value) in [("check", &it.check), ("bare_loses", &it.bare_loses)] {
            source.without_effect(field, value.as_ref(), message)?;
        }
        source.without_effect("try", it.try_rule.as_ref(), message)
    }

    /// Checks that rules about how men move and take have an effect.
    fn check_rules_of_men(&self, rules: &Rules) -> Result<(), SetupError> {
        let (it, source) = (&self.written, self.source);
        let any = |has: fn(&Step) -> bool| rules.kinds.iter().flat_map(|kind| &kind.steps).any(has);
        if !any(|step| step.right.abs() == step.forward.abs()) {
            let message = "no piece has a diagonal step, so this says nothing; leave it out";
            source.without_effect("alquerque", it.alquerque.as_ref(), message)?;
        }
        let unfit = rules.notation == Notation::Clausecker
            && (rules.board.size().0 == 1
                || any(|step| step.takes_in_passing)
                || !rules.has_simple_promotions());
        let span = it.notation.as_ref().map_or(0..0, Spanned::span);
        let message = "this notation is for boards of two columns or more, where no man is taken in passing and each is promoted to one kind, which comes back as it was in a hand; leave it out";
        source.refuse(unfit, span, "notation", message)?;
        if !any(|step| step.takes || step.takes_in_passing) {
            let message = "no piece takes, so this says nothing; leave it out";
            source.without_effect("captured", it.captured.as_ref(), message)?;
        }
        Ok(())
    }

    fn not_first(&self, rules: &Rules) -> Result<Squares, SetupError> {
        let Some(names) = &self.written.not_first else {
            return Ok(0);
        };
        let fault = |message: &str| self.source.fault(names.span(), "not_first", message);
        let begins_empty = |start: Position| start.of_side(0) | start.of_side(1) == 0;
        if !rules.start.is_some_and(begins_empty) {
            return fault("this is for games that begin with an empty board; leave it out");
        }
        match self.source.squares("not_first", names, rules.board)? {
            0 => fault("name a square or more, such as [\"b2\"], or leave this out"),
            squares if squares == rules.all() => {
                fault("no square is left for the first man; name fewer")
            }
            squares => Ok(squares),
        }
    }

    /// Checks that rules about hands have an effect.
    fn check_hands(&self, rules: &Rules) -> Result<(), SetupError> {
        let (it, source) = (&self.written, self.source);
        if !(0..rules.kinds.len()).any(|kind| rules.can_be_in_hand(kind)) {
            let message = "no man is ever in hand, so this says nothing; leave it out, or add hands or captured = \"hand\"";
            source.without_effect("drop_first", it.drop_first.as_ref(), message)?;
        }
        for (number, piece) in it.piece.0.iter().enumerate() {
            if !rules.can_be_in_hand(number) {
                piece.get_ref().check_no_drops(source)?;
            }
        }
        Ok(())
    }

    /// Checks that not every game is a draw.
    fn check_ends(&self, rules: &Rules, no_move: &Spanned<NoMove>) -> Result<(), SetupError> {
        let decides = rules.has_royal()
            || rules.no_pieces_loses
            || rules.no_move != Outcome::Draw
            || !rules.goals.is_empty()
            || rules.cornered_wins
            || rules.kinds.iter().any(|kind| kind.wins_on_far_rank);
        let message = "nothing wins: add a [[goal]], make a piece royal or let it win on the far rank, or write no_move = \"loss\"";
        self.source
            .refuse(!decides, no_move.span(), "no_move", message)
    }
}
