//! Castling.

use toml::Spanned;

use super::kinds::WrittenKind;
use super::source::Source;
use crate::game::Board;
use crate::games::pieces::rules::{Castling, Kind, Notation, Rules, Step, Way};
use crate::games::settings::SetupError;

/// Reads how the royal man castles, for rules that have kinds of men.
pub(super) fn read(
    source: Source,
    rules: &Rules,
    written: &[Spanned<WrittenKind>],
    has_goals: bool,
) -> Result<Option<Castling>, SetupError> {
    let mut castling = None;
    for (number, piece) in written.iter().enumerate() {
        let (royal, piece) = (&rules.kinds[number], piece.get_ref());
        let (letter, texts) = match (&piece.castles_with, &piece.castling) {
            (None, None) => continue,
            (Some(letter), Some(texts)) => (letter, texts),
            (Some(letter), None) => {
                let message = "say where the men go, too, as in castling = [\"e1g1 h1f1\"]";
                return source.fault(letter.span(), "castles_with", message);
            }
            (None, Some(texts)) => {
                let message = "say with which man, too, as in castles_with = \"R\"";
                return source.fault(texts.span(), "castling", message);
            }
        };
        let refuse = |wrong, message| source.refuse(wrong, letter.span(), "castles_with", message);
        let message = "only a royal man castles; write this for the piece with royal = true";
        refuse(!royal.royal, message)?;
        let message = "without check = true no man castles; leave this out, or add check = true";
        refuse(!rules.check, message)?;
        let message =
            "in games with a [[goal]] or cornered_wins no man castles; leave one of them out";
        refuse(has_goals, message)?;
        let fen = rules.notation == Notation::Fen;
        refuse(!fen, "this notation has no castling; leave one of them out")?;
        let is_named = |kind: &Kind| !kind.royal && *letter.get_ref() == kind.letter.to_string();
        let Some(rook) = rules.kinds.iter().position(is_named) else {
            let message = "give the letter of one other [[piece]], such as \"R\"";
            return source.fault(letter.span(), "castles_with", message);
        };
        let mut ways = [None; 2];
        for text in &texts.get_ref().0 {
            let way = way(rules, [royal, &rules.kinds[rook]], &ways, text);
            let fault =
                |message| source.fault(texts.span(), "castling", format!("\"{text}\": {message}"));
            let way = way.or_else(fault)?;
            ways[usize::from(way[1][0] < way[0][0])] = Some(way);
        }
        let message = "name a way or two, such as [\"e1g1 h1f1\"], or leave castles_with out, too";
        source.refuse(ways == [None; 2], texts.span(), "castling", message)?;
        let kinds = [number, rook];
        castling = Some(Castling { kinds, ways });
    }
    Ok(castling)
}

/// Reads two moves such as `e1g1 h1f1`, of these kinds; or says what is wrong with them.
fn way(
    rules: &Rules,
    kinds: [&Kind; 2],
    others: &[Option<Way>; 2],
    text: &str,
) -> Result<Way, &'static str> {
    let moves = text.split_once(' ').and_then(|(royal, rook)| {
        Some([squares(rules.board, royal)?, squares(rules.board, rook)?])
    });
    let way =
        moves.ok_or("give the royal man's move and the other man's, such as \"e1g1 h1f1\"")?;
    let [[from, to], [begin, end]] = way;
    let columns = rules.board.size().0;
    let one_rank = [to, begin, end]
        .iter()
        .all(|square| square / columns == from / columns);
    let stand = |(kind, squares): (&Kind, [u8; 2])| {
        squares.iter().all(|square| kind.squares >> square & 1 == 1)
    };
    let unlike = |way: &Way| way[0][0] != from || (way[1][0] < from) == (begin < from);
    if !one_rank || from == to || begin == end || from == begin || to == end {
        Err("both men change their squares, and all squares lie on one rank and differ")
    } else if !kinds.into_iter().zip(way).all(stand) {
        Err("a man cannot stand there; give it more ranks or squares, or other moves")
    } else if kinds[0].steps.iter().any(|step| leads(*step, from, to)) {
        Err("the royal man goes there anyway; give another move, or leave this out")
    } else if others.iter().flatten().any(unlike) {
        Err("all ways begin on one square, and there is one on each side of it at most")
    } else {
        Ok(way)
    }
}

/// Reads the squares of a move such as `e1g1`.
fn squares(board: Board, text: &str) -> Option<[u8; 2]> {
    let (from, to) = text.split_at(text.rfind(|letter: char| letter.is_ascii_alphabetic())?);
    Some([board.read_name(from).ok()?, board.read_name(to).ok()?])
}

/// Whether a step may lead from one square to another on its rank.
const fn leads(step: Step, from: u8, to: u8) -> bool {
    let (along, apart) = (step.right.unsigned_abs(), from.abs_diff(to));
    let towards = step.forward == 0 && (step.right > 0) == (to > from);
    towards && apart.is_multiple_of(along) && (step.range == 0 || apart / along <= step.range)
}
