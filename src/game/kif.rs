//! KIF, in which Japanese programs exchange problems and games: its header, which may draw a board in
//! characters, is read as SFEN.

use std::iter::Peekable;

use indexmap::IndexMap;

use super::fen_row;

/// The signs of pieces on a board, with their names in SFEN: those of shogi and, in kana, of Dobutsu
/// shogi. Of several signs the first is written.
const PIECES: &str =
    "玉王K 飛R 角B 金きキG 銀S 桂N 香らラL 歩P 龍竜+R 馬+B 全+S 圭+N 杏+L と+P ひヒC ぞゾE にニ+C";

/// The digits of ranks and counts.
pub(crate) const DIGITS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/// The digits of files.
pub(crate) const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The most pieces of one kind in a hand.
const MOST_IN_HAND: usize = 19;

/// The number of a line, from one, and what is wrong with it.
pub(crate) type Fault = (usize, String);

/// The signs of each piece, and its name in SFEN.
fn pieces() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pieces = PIECES.split(' ');
    pieces.map(|piece| piece.split_at(piece.find(|sign: char| sign.is_ascii()).unwrap_or(0)))
}

/// The name of a piece in SFEN.
pub(crate) fn piece(sign: char) -> Option<&'static str> {
    Some(pieces().find(|(signs, _)| signs.contains(sign))?.1)
}

/// The sign of a piece with this name.
pub(crate) fn sign(name: &str) -> char {
    let found = pieces().find(|(_, known)| *known == name);
    let sign = found.and_then(|(signs, _)| signs.chars().next());
    sign.unwrap_or('？')
}

/// The lines of a file with their numbers.
pub(crate) fn lines(text: &str) -> Peekable<impl Iterator<Item = (usize, &str)>> {
    let lines = text
        .split('\n')
        .map(|line| line.trim_start_matches('\u{feff}').trim());
    (1..).zip(lines).peekable()
}

/// What the lines before the first move say.
#[derive(Default)]
pub(crate) struct Header {
    /// Whether it is of a problem: nine by nine squares, and Black moves first.
    is_problem: bool,
    /// The ranks of the board, in SFEN.
    pub ranks: Vec<String>,
    /// The line in which the board begins.
    pub board: usize,
    columns: Option<usize>,
    /// The hands of Black and White, as far as they were given.
    hands: [Option<String>; 2],
    is_white: bool,
}

impl Header {
    /// Reads the lines up to the first move. What they say of people, dates and other things is
    /// passed over.
    pub(crate) fn read<'t>(
        lines: &mut Peekable<impl Iterator<Item = (usize, &'t str)>>,
        is_problem: bool,
    ) -> Result<Self, Fault> {
        let mut header = Self {
            is_problem,
            columns: is_problem.then_some(9),
            ..Self::default()
        };
        let is_move = |line: &str| {
            line.starts_with("手数-") || line.starts_with(|c: char| c.is_ascii_digit())
        };
        while let Some((number, line)) = lines.next_if(|(_, line)| !is_move(line)) {
            if line.starts_with('|') && header.ranks.is_empty() {
                header.board = number;
            }
            header.line(line).map_err(|why| (number, why))?;
        }
        Ok(header)
    }

    /// The position, if there is a board.
    pub(crate) fn sfen(&self) -> Option<String> {
        let hands: String = self.hands.iter().flatten().map(String::as_str).collect();
        let hands = if hands.is_empty() { "-" } else { &hands };
        let side = if self.is_white { 'w' } else { 'b' };
        let board = self.ranks.join("/");
        (!board.is_empty()).then(|| format!("{board} {side} {hands} 1"))
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.starts_with('|') {
            return self.rank(line);
        }
        // Comments, the frame of the board, which side a program shows below, the last move.
        let passed = ["#", "*", "&", "+", "先手番", "下手番", "盤面反転", "手数＝"];
        if line.is_empty()
            || line.starts_with(FILES)
            || passed.iter().any(|it| line.starts_with(it))
        {
            return Ok(());
        }
        let (key, value) = match line.split_once(['：', ':']) {
            Some((key, value)) => (key.trim(), value.trim()),
            None if ["後手番", "上手番"].contains(&line) => ("手番", "後手"),
            None => return Err("a line of the header is a name, '：' and a value, such as 先手の持駒：銀二, or a rank of the board between two '|'".to_owned()),
        };
        match key {
            "先手の持駒" | "下手の持駒" => return self.hand(0, value),
            "後手の持駒" | "上手の持駒" => return self.hand(1, value),
            "手番" if value.starts_with(['後', '上']) => self.is_white = true,
            "手合割" if value.contains('落') && !self.is_problem => {
                return Err(format!(
                    "the handicap {value} is not known; take the line out and draw the board"
                ));
            }
            _ => {}
        }
        if self.is_problem && self.is_white {
            return Err("White (後手) is to move, but Black (先手) is the attacker and must be; exchange the sides".to_owned());
        }
        Ok(())
    }

    /// Reads a rank: its squares, each a piece or ・ with v before it for White's or a space, and the
    /// number of the rank.
    fn rank(&mut self, line: &str) -> Result<(), String> {
        let expected = DIGITS[..9].get(self.ranks.len());
        let expected = expected.ok_or("the board has more than nine ranks")?;
        let inside = line.strip_prefix('|').and_then(|rest| rest.split_once('|'));
        let (squares, name) = inside.ok_or("the rank has no '|' at its end")?;
        let name = name.trim();
        if !name.is_empty() && !name.starts_with(*expected) {
            return Err(format!(
                "this should be rank {expected}, ranks go from 一 to 九"
            ));
        }
        let (mut rank, mut is_white) = (Vec::new(), false);
        for sign in squares.chars() {
            match sign {
                ' ' | '^' | 'v' | 'V' => {
                    is_white = matches!(sign, 'v' | 'V');
                    continue;
                }
                '・' | '･' => rank.push(None),
                _ => {
                    let name = piece(sign).ok_or_else(|| format!(
                        "'{sign}' is no piece; write 玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と, or ・ for an empty square"
                    ))?;
                    rank.push(Some(in_colour(name, is_white)));
                }
            }
            is_white = false;
        }
        let (found, columns) = (rank.len(), *self.columns.get_or_insert(rank.len()));
        if found != columns {
            return Err(format!("the rank has {found} squares, not {columns}"));
        }
        self.ranks.push(fen_row(rank.into_iter()));
        Ok(())
    }

    /// Reads a hand: pieces with their numbers, なし for none, or for White in problems 残り, all the
    /// rest.
    fn hand(&mut self, side: usize, value: &str) -> Result<(), String> {
        let is_none = value == "なし" || self.is_problem && side == 1 && value.starts_with('残');
        let mut hand = IndexMap::new();
        let pieces = value.chars().filter(|sign| !sign.is_whitespace());
        let mut signs = pieces.peekable();
        while let Some(sign) = signs.next_if(|_| !is_none) {
            let is_held = |name: &&str| name.len() == 1 && *name != "K";
            let name = piece(sign).filter(is_held).ok_or_else(|| {
                format!(
                    "'{sign}' is no piece in hand; a hand is written 飛　角　金四　歩十八, or なし"
                )
            })?;
            let mut count = 0;
            let digit = |sign: char| DIGITS.iter().position(|&digit| digit == sign).ok_or(sign);
            while let Some(digit) = signs.next_if_map(digit) {
                // 十八 is 10 and 8; nothing in a set is more.
                count += digit + 1;
            }
            let held = hand.entry(in_colour(name, side == 1)).or_insert(0);
            *held += count.max(1);
            if *held > MOST_IN_HAND {
                return Err(format!("there cannot be that many {sign} in a hand"));
            }
        }
        let held = hand.iter().map(|(name, count)| format!("{count}{name}"));
        match self.hands[side].replace(held.collect()) {
            None => Ok(()),
            Some(_) => Err("the same hand was given before; leave one out".to_owned()),
        }
    }
}

/// The name of a piece of a side: small for White's.
fn in_colour(name: &str, is_white: bool) -> String {
    if is_white {
        name.to_lowercase()
    } else {
        name.to_owned()
    }
}
