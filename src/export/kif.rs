//! Game records in KIF, which shogi programs exchange.
//!
//! <http://kakinoki.o.oo7.jp/kif_format.html>

use super::error::ExportError;
use super::pgn::{PgnMove, PgnRecord};
use crate::game::kif::{DIGITS, FILES, Fault, Header, lines, piece};

/// What ends a game: words in place of a last move, and those before its length or a variation.
const ENDS: &str = "中断 投了 持将棋 千日手 詰み 不詰 切れ負け 時間切れ 反則勝ち 反則負け 入玉勝ち トライ \
    不戦勝 不戦敗 封じ手 まで 変化";

/// Whether a text is KIF, which has other digits and colons than PGN and moves of engines.
pub fn is_kif(text: &str) -> bool {
    text.contains(|sign: char| sign == '：' || FILES.contains(&sign)) || text.contains("手数")
}

/// Reads a game in KIF: its main line in USI, and as the tag `FEN` the board of its header in SFEN,
/// empty if it has none. Comments and the rest of the header are passed over.
///
/// # Errors
/// [`ExportError::Line`] if a line is none of KIF, or the game begins with a handicap.
pub fn read_kif(text: &str) -> Result<PgnRecord, ExportError> {
    let fault = |(line, why): Fault| ExportError::Line {
        line: line as u64,
        why,
    };
    let mut lines = lines(text);
    let header = Header::read(&mut lines, false).map_err(fault)?;
    let (mut moves, mut last) = (Vec::new(), None);
    for (number, line) in lines {
        let word = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let word = word.trim_start();
        let mut ends = ENDS.split_whitespace();
        if ends.any(|end| word.starts_with(end)) {
            break;
        }
        if word.is_empty() || word.starts_with(['*', '#', '&']) || word.starts_with("手数") {
            continue;
        }
        let (mv, to) = usi(word, last.as_deref()).ok_or_else(|| {
            fault((number, format!(
                "'{word}' is neither a move, such as ７六歩(77) or ７六歩打, nor a known end of a game"
            )))
        })?;
        moves.push(PgnMove::new(mv));
        last = Some(to);
    }
    let tags = [
        ("FEN", header.sfen().unwrap_or_default()),
        ("Notation", "KIF".to_owned()),
    ];
    Ok(PgnRecord {
        line: 1,
        tags: tags.map(|(name, value)| (name.to_owned(), value)).into(),
        moves,
    })
}

/// A move in USI, and the square it goes to: `7g7f` for `７六歩(77)`, `2b2a+` for `２一歩成(22)`, `P*2c` for
/// `２三歩打`. The square of the `last` move is `同`.
fn usi(text: &str, last: Option<&str>) -> Option<(String, String)> {
    let number = |digits: &[char], sign| digits.iter().position(|&digit| digit == sign);
    let square = |file, rank: usize| {
        let rank = "abcdefghi".get(rank..=rank)?;
        Some(format!("{}{rank}", file + 1))
    };
    let mut signs = text.chars();
    let to = match signs.next()? {
        '同' => last?.to_owned(),
        file => square(number(&FILES, file)?, number(&DIGITS, signs.next()?)?)?,
    };
    let mv = signs.as_str().split_whitespace().next()?;
    let Some((name, from)) = mv.split_once('(') else {
        let dropped = piece(mv.strip_suffix('打')?.chars().next()?);
        let dropped = dropped.filter(|name| name.len() == 1)?;
        return Some((format!("{dropped}*{to}"), to));
    };
    let mut digits = from.chars().map_while(|sign| "123456789".find(sign));
    let from = square(digits.next()?, digits.next()?)?;
    let promotes = name.ends_with('成') && !name.ends_with("不成");
    Some((format!("{from}{to}{}", if promotes { "+" } else { "" }), to))
}
