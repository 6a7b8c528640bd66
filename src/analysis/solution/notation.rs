//! Solutions in the notation of composers.
//!
//! `!` marks the key, `?` a try, `but` its refutation. Variations are indented. The attacker's moves
//! are numbered and the defender's follow them: `1.d2L! a1R 2.c2L`. Defences with the same answer
//! stand together, `7...a3D,b1U 8.d5R`, and `~` is every reply that holds out as long.

use std::collections::HashSet;
use std::fmt;
use std::fmt::{Display, Formatter};
use std::ops::Range;

use crate::analysis::solution::fold::{Defence, Folded, Length, Then};
use crate::analysis::solution::{Rated, Solution, Tree};
use crate::base::text::plural;
use crate::game::{Game, Moves, Next, Playable};

/// Defences with the same answer that are named; of more, the others are counted.
const NAMED: usize = 4;

/// The lines of variations in a short solution.
const SHORT: usize = 14;

/// Writes a solution: key, variations, cooks, slower wins, tries, set play. At the length of
/// the main line there is nothing but cooks beside it.
pub fn write_solution<G: Moves + Playable>(
    game: &G,
    solution: &Solution<G>,
    length: Length,
) -> SolutionText<G::Move> {
    let mut writer = Writer::new(game, &solution.state);
    let side = game.side_to_move(&solution.state);
    let value = game.spell_value(solution.value);
    writer.say(format!("{side} to move: {value}"));
    if solution.tree.nodes.is_empty() {
        writer.main_line(&solution.line);
    } else {
        writer.tree(&solution.tree, length);
    }
    writer.listed("cooks: ", solution.keys.iter().skip(1).copied(), "");
    if length == Length::Main {
        return writer.done();
    }
    // Moves with the same value stand together, unless there is room.
    let together =
        |a: &Rated<G::Move>, b: &Rated<G::Move>| length == Length::Short && a.value == b.value;
    for same in solution.slower.chunk_by(together) {
        let value = format!(" ({})", game.spell_value(same[0].value));
        writer.listed("also 1.", same.iter().map(|rated| rated.mv), &value);
    }
    for this in &solution.tries {
        let mut line = TextLine::default();
        line.say("but 1.");
        let tried = writer.name(&mut line, None, this.mv);
        line.say("? ");
        writer.name(&mut line, Some(tried), this.refutation);
        line.say(&format!("! ({})", game.spell_value(this.value)));
        writer.lines.push(line);
    }
    if let Some(set_play) = &solution.set_play {
        let line = spelled(game, &set_play.state, &set_play.line);
        writer.say(format!(
            "set play ({} to move): {}{}{}",
            game.side_to_move(&set_play.state),
            game.spell_value(set_play.value),
            if line.is_empty() { "" } else { ": " },
            numbered(&line, false)
        ));
    }
    writer.done()
}

/// The moves of a line from a state on, as people read them.
fn spelled<G: Moves>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let name = |&mv| {
        let name = game.spell_move(&state, mv);
        if let Next::State(next) = game.play(&state, mv) {
            state = next;
        }
        name
    };
    line.iter().map(name).collect()
}

/// A main line with the numbers of its moves, the first of which is the key.
pub(crate) fn write_line(line: &[String]) -> String {
    let numbered = numbered(line, true);
    match numbered.split_once(' ') {
        Some((key, rest)) => format!("{key}! {rest}"),
        None => numbered + "!",
    }
}

/// A line of moves with numbers. The first is the attacker's, or the defender's.
fn numbered(line: &[String], attack: bool) -> String {
    let first = usize::from(!attack);
    let moves = line.iter().enumerate().map(|(place, name)| {
        let ply = place + first;
        let (number, own) = (ply / 2 + 1, ply.is_multiple_of(2));
        match (own, place) {
            (true, _) => format!("{number}.{name}"),
            (false, 0) => format!("{number}...{name}"),
            (false, _) => name.clone(),
        }
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// The defences with the same answer that are named, and how many are not; `None` where they
/// are all that there are and are many.
fn named<M>(defence: &Defence<M>) -> Option<(&[M], usize)> {
    let replies = &defence.replies;
    if defence.all && replies.len() > NAMED {
        return None;
    }
    // A single one more takes no more room than its number.
    let most = if replies.len() > NAMED + 1 {
        NAMED
    } else {
        replies.len()
    };
    Some((&replies[..most], replies.len() - most))
}

/// The names of defences in some states that have the same answer: all of them, or `~` where they are
/// all that there are and are many; otherwise the first few with the number of the others. And whether
/// there is such a number.
pub(crate) fn write_defences<G: Moves>(
    game: &G,
    states: &[G::State],
    defence: &Defence<G::Move>,
) -> (String, bool) {
    let Some((replies, more)) = named(defence) else {
        return ("~".to_owned(), false);
    };
    let names = replies.iter().map(|&mv| spell_in(game, states, mv));
    let mut names: Vec<_> = names.collect();
    if more > 0 {
        names.push(format!("+{more}"));
    }
    (names.join(", "), more > 0)
}

/// The name of a move in some states: in the game's own notation where it has several names there.
pub(crate) fn spell_in<G: Moves>(game: &G, states: &[G::State], mv: G::Move) -> String {
    let mut names: Vec<_> = states.iter().map(|state| game.san(state, mv)).collect();
    names.dedup();
    match (names.pop().flatten(), names.is_empty()) {
        (Some(name), true) => name,
        _ => game.format_move(mv),
    }
}

/// The states after moves in some states; none if they are too many to look up names in.
pub(crate) fn states_after<G: Moves>(
    game: &G,
    states: &[G::State],
    moves: &[G::Move],
) -> Vec<G::State> {
    let mut found = Vec::new();
    for state in states {
        for &mv in moves {
            if let Next::State(next) = game.play(state, mv)
                && !found.contains(&next)
            {
                found.push(next);
            }
        }
    }
    if found.len() > MOST_STATES {
        found.clear();
    }
    found
}

/// Writes the tree as indented variations. The first variation of every position continues
/// its line, and the others follow, indented. A subtree is shown only once.
pub(crate) fn write_tree<G: Moves>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Move>,
    length: Length,
) -> SolutionText<G::Move> {
    let mut writer = Writer::new(game, state);
    writer.tree(tree, length);
    writer.done()
}

/// The most states in which the name of a move is looked up.
const MOST_STATES: usize = 64;

struct Writer<'a, G: Game> {
    game: &'a G,
    /// The state to solve; none if moves have the same names in all states.
    begin: Vec<G::State>,
    /// The states after each ply: several after defences with the same answer; none if they are not
    /// known.
    after: Vec<Vec<G::State>>,
    seen: HashSet<usize>,
    lines: Vec<TextLine>,
    plies: Vec<TextPly<G::Move>>,
}

impl<'a, G: Moves> Writer<'a, G> {
    fn new(game: &'a G, state: &G::State) -> Self {
        let first = game.moves(state).first().copied();
        let has_san = first.is_some_and(|mv| game.san(state, mv).is_some());
        Self {
            game,
            begin: has_san.then(|| state.clone()).into_iter().collect(),
            after: Vec::new(),
            seen: HashSet::new(),
            lines: Vec::new(),
            plies: Vec::new(),
        }
    }

    /// The lines with the plies that they name, without those that none leads to.
    fn done(self) -> SolutionText<G::Move> {
        let Self {
            mut lines, plies, ..
        } = self;
        let mut used = vec![false; plies.len()];
        for named in lines.iter().flat_map(|line| &line.moves) {
            used[named.ply] = true;
        }
        for (ply, told) in plies.iter().enumerate().rev() {
            if let (true, Some(after)) = (used[ply], told.after) {
                used[after] = true;
            }
        }
        let mut numbers = vec![0; plies.len()];
        let mut kept = Vec::new();
        for (ply, told) in plies.iter().enumerate().filter(|&(ply, _)| used[ply]) {
            numbers[ply] = kept.len();
            kept.push(TextPly {
                after: told.after.map(|after| numbers[after]),
                mv: told.mv,
            });
        }
        for named in lines.iter_mut().flat_map(|line| &mut line.moves) {
            named.ply = numbers[named.ply];
        }
        SolutionText { lines, plies: kept }
    }

    /// Adds a line that names no move.
    fn say(&mut self, text: String) {
        self.lines.push(text.into());
    }

    /// The states after a ply, or the one to solve.
    fn states(&self, after: Option<usize>) -> &[G::State] {
        after.map_or(&self.begin, |ply| &self.after[ply])
    }

    /// The states after moves that follow a ply.
    fn played(&self, after: Option<usize>, moves: &[G::Move]) -> Vec<G::State> {
        states_after(self.game, self.states(after), moves)
    }

    fn ply(&mut self, after: Option<usize>, mv: G::Move) -> usize {
        self.after.push(self.played(after, &[mv]));
        self.plies.push(TextPly { after, mv });
        self.plies.len() - 1
    }

    /// Names a move, and tells its ply.
    fn name(&mut self, line: &mut TextLine, after: Option<usize>, mv: G::Move) -> usize {
        let name = spell_in(self.game, self.states(after), mv);
        let ply = self.ply(after, mv);
        line.name(&name, ply);
        ply
    }

    /// A line of first moves; nothing if there are none.
    fn listed(&mut self, before: &str, moves: impl Iterator<Item = G::Move>, after: &str) {
        let mut line = TextLine::default();
        line.say(before);
        for (place, mv) in moves.enumerate() {
            line.say(if place > 0 { " " } else { "" });
            self.name(&mut line, None, mv);
        }
        if !line.moves.is_empty() {
            line.say(after);
            self.lines.push(line);
        }
    }

    fn main_line(&mut self, moves: &[G::Move]) {
        let mut line = TextLine::default();
        let mut after = None;
        for (place, &mv) in moves.iter().enumerate() {
            line.space();
            if place.is_multiple_of(2) {
                line.say(&format!("{}.", place / 2 + 1));
            }
            after = Some(self.name(&mut line, after, mv));
        }
        self.lines.push(line);
    }

    fn tree(&mut self, tree: &Tree<G::Move>, length: Length) {
        let begin = self.lines.len();
        let folded = Folded::new(tree);
        if let Some(root) = folded.root {
            self.line(&folded, root, (1, None), 0, TextLine::default());
        }
        let written = self.lines.len() - begin;
        let most = match length {
            Length::Main => 1,
            Length::Short => SHORT,
            Length::Full => usize::MAX,
        };
        self.lines.truncate(begin.saturating_add(most));
        if written > most && length == Length::Short {
            let more = (written - most) as u64;
            self.say(format!("(and {})", plural(more, "more line")));
        }
        if written > 0 && !tree.complete && length == Length::Full {
            self.say("(the tree goes on)".to_owned());
        }
    }

    /// Names defences with the same answer. The notes on their play follow the first.
    fn defences(&mut self, line: &mut TextLine, after: usize, defence: &Defence<G::Move>) -> usize {
        let states = self.played(Some(after), &defence.replies);
        let Some((replies, more)) = named(defence) else {
            let ply = self.ply(Some(after), defence.replies[0]);
            line.name("~", ply);
            self.after[ply] = states;
            return ply;
        };
        let mut first = None;
        for &mv in replies {
            line.say(if first.is_some() { "," } else { "" });
            first.get_or_insert(self.name(line, Some(after), mv));
        }
        if more > 0 {
            line.say(&format!(",+{more}"));
        }
        let first = first.unwrap_or(after);
        self.after[first] = states;
        first
    }

    /// Writes the line that begins with `start` and continues at a turn with a number after a
    /// ply, then the other variations.
    fn line(
        &mut self,
        folded: &Folded<G::Move>,
        turn: usize,
        (number, after): (usize, Option<usize>),
        depth: usize,
        start: TextLine,
    ) {
        let (mut at, mut move_number, mut after, mut line) = (turn, number, after, start);
        // Variations that wait: the number of the attacker's move, its ply, and the defence.
        let mut aside: Vec<(usize, usize, &Defence<G::Move>)> = Vec::new();
        loop {
            let turn = &folded.turns[at];
            let key = Some(at) == folded.root;
            line.space();
            line.say(&format!("{move_number}."));
            let attack = self.name(&mut line, after, turn.mv);
            line.say(if key { "!" } else { "" });
            if !key && !turn.duals.is_empty() {
                for (place, &mv) in turn.duals.iter().enumerate() {
                    line.say(if place > 0 { "," } else { "(" });
                    self.name(&mut line, after, mv);
                }
                line.say(")");
            }
            let Some((first, others)) = turn.defences.split_first() else {
                break;
            };
            if !self.seen.insert(at) {
                line.say(" etc.");
                break;
            }
            aside.extend(others.iter().map(|other| (move_number, attack, other)));
            line.space();
            after = Some(self.defences(&mut line, attack, first));
            let Then::Turn(next) = first.then else {
                line.say(cut(first.then));
                break;
            };
            (at, move_number) = (next, move_number + 1);
        }
        self.lines.push(line.indented(2 * depth));
        for (number, attack, defence) in aside {
            let mut start = TextLine::from(format!("{number}..."));
            let reply = self.defences(&mut start, attack, defence);
            if let Then::Turn(next) = defence.then {
                self.line(folded, next, (number + 1, Some(reply)), depth + 1, start);
            } else {
                start.say(cut(defence.then));
                self.lines.push(start.indented(2 * (depth + 1)));
            }
        }
    }
}

/// What marks a line that the tree does not follow to its end.
const fn cut(then: Then) -> &'static str {
    match then {
        Then::Cut => " \u{2026}",
        Then::Over | Then::Turn(_) => "",
    }
}

/// A move that is named in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMove {
    /// Where its name stands, in bytes of the line.
    pub place: Range<usize>,
    /// The number of its ply.
    pub ply: usize,
}

/// A line of a solution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextLine {
    /// The line, indented by spaces.
    pub text: String,
    /// The moves that are named, in order.
    pub moves: Vec<TextMove>,
}

/// A line that names no move.
impl From<String> for TextLine {
    fn from(text: String) -> Self {
        Self {
            text,
            moves: Vec::new(),
        }
    }
}

impl TextLine {
    pub(crate) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    /// Adds words that name no move.
    pub(super) fn say(&mut self, words: &str) {
        self.text += words;
    }

    /// Adds a space, except at the beginning of the line.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    pub(super) fn name(&mut self, name: &str, ply: usize) {
        let begin = self.text.len();
        self.text += name;
        let place = begin..self.text.len();
        self.moves.push(TextMove { place, ply });
    }

    /// Adds another line after some words, without its indentation.
    pub(crate) fn append(&mut self, between: &str, other: &Self) {
        let indent = other.indent();
        self.text += between;
        let shift = self.text.len();
        self.text += &other.text[indent..];
        self.moves.extend(other.moves.iter().map(|named| TextMove {
            place: named.place.start - indent + shift..named.place.end - indent + shift,
            ply: named.ply,
        }));
    }

    pub(super) fn indented(self, spaces: usize) -> Self {
        let mut line = Self::from(" ".repeat(spaces));
        line.append("", &self);
        line
    }
}

/// A ply of the play that a solution tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPly<M> {
    /// The number of the ply before it, which is smaller; `None` in the position to solve.
    pub after: Option<usize>,
    /// The move.
    pub mv: M,
}

/// A solution in words. Its [`Display`] is the lines, each with its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionText<M> {
    /// The lines.
    pub lines: Vec<TextLine>,
    /// The plies that the lines name, and those that lead to them.
    pub plies: Vec<TextPly<M>>,
}

impl<M> Display for SolutionText<M> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(formatter, "{}", line.text)?;
        }
        Ok(())
    }
}
