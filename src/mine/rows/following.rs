//! Main lines of single positions, followed many at a time as far as they stay in a group.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::batch::{Batch, Line};
use super::group::RowGroup;

use crate::base::cpu::{Cpu, CpuTask};
use crate::base::value::Narrow;
use crate::game::{ByRows, RowExit, RowExitTo, RowMove, Squares};
use crate::solve::{Ordinal, ValueOrder, prefetch_read};
use crate::table::MoveValues;

/// Lines that are followed together.
const TOGETHER: usize = 64;

/// How far a line could be followed in a group.
pub(super) enum Followed {
    /// To its end: whether each move of the winner is the only best one, or to the first that is
    /// not.
    Ended { is_dual_free: bool },
    /// To a position of an earlier group, given by its slot and the symmetry that turns it, as it
    /// is stored, to the board of the line.
    Left { slot: u64, turn: u8 },
    /// The values contradict each other.
    Contradicted,
}

/// Follows the lines of a batch, and says of each how far, given its number.
pub(super) struct Follow<'f, 'a, 'g, G, F> {
    pub follower: &'f Follower<'a, 'g, G>,
    pub batch: Batch,
    pub done: F,
}

impl<G, F> CpuTask for Follow<'_, '_, '_, G, F>
where
    G: ByRows,
    F: FnMut(&Batch, u32, Followed),
{
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let mut step = Step {
            all: Vec::with_capacity(TOGETHER),
            asked: Vec::new(),
        };
        loop {
            let lines = self.batch.take();
            if lines.is_empty() {
                return;
            }
            self.play(cpu, &lines, &mut step);
        }
    }
}

/// Memory for playing a move of each of many lines.
struct Step {
    /// Those that are looked at together.
    all: Vec<Following>,
    asked: Vec<PendingMove>,
}

impl<G, F> Follow<'_, '_, '_, G, F>
where
    G: ByRows,
    F: FnMut(&Batch, u32, Followed),
{
    /// Follows lines by a move each.
    #[inline(always)]
    fn play<C: Cpu>(&mut self, cpu: C, lines: &[Line], step: &mut Step) {
        let follower = self.follower;
        let Step { all, asked } = step;
        let mut lines = lines.iter();
        // Those that are not done come first. Others keep memory for further ones.
        let mut count = 0;
        loop {
            while count < TOGETHER
                && let Some(line) = lines.next()
            {
                match all.get_mut(count) {
                    Some(at) => at.line = *line,
                    None => all.push(Following::new(*line)),
                }
                follower.reach(cpu, &mut all[count]);
                if count == 0 || !all[count].is_beside(&all[count - 1]) {
                    follower.prefetch_row(&all[count]);
                }
                count += 1;
            }
            if count == 0 {
                return;
            }
            for (number, at) in all[..count].iter_mut().enumerate() {
                if at.is_new {
                    follower.list(at);
                }
                follower.ask(cpu, number, at, asked);
                at.is_new = false;
            }
            for asked in asked.drain(..) {
                follower.settle(&asked, &mut all[asked.line]);
            }
            let mut number = 0;
            while number < count {
                let at = &mut all[number];
                let followed = match at.end() {
                    Some(followed) => Err(followed),
                    None if at.is_settled() => follower.play(cpu, at),
                    None => {
                        number += 1;
                        continue;
                    }
                };
                match followed {
                    Ok(line) => self.batch.go_on(line),
                    Err(followed) => (self.done)(&self.batch, at.line.id, followed),
                }
                count -= 1;
                all.swap(number, count);
            }
        }
    }
}

/// Moves of a line's position whose values are fetched together. Further ones are often not
/// needed.
const AT_ONCE: usize = 4;

/// What lines are followed by.
pub(super) struct Follower<'a, 'g, G> {
    pub group: &'a RowGroup<'g, G>,
    pub values: &'a MoveValues,
    pub order: &'a ValueOrder<Narrow>,
    pub turns: &'a Turns,
}

/// A line being followed, at a row of the group.
pub(super) struct Following {
    pub line: Line,
    /// The layer of the group, and the row.
    layer: usize,
    row: usize,
    column: Squares,
    /// The opponent's squares on the board.
    opponent: Squares,
    /// What its best moves are worth.
    target: Ordinal,
    choice: Choice,
    /// Whether the forbidden move is one of the best ones.
    forbidden_is_best: bool,
    /// The moves that may be asked for, the first one last: the places of exits among those of
    /// the row, and those of moves within the group after [`EXITS`]; of a lost position with the
    /// number that decides which of several best ones is played.
    moves: Vec<(u16, u8)>,
    /// Whether moves within the group are yet to be listed.
    is_partly_listed: bool,
    /// How many moves are asked for next.
    next: usize,
    /// Whether the moves are yet to be listed.
    pub is_new: bool,
}

/// More than a row has exits.
const EXITS: u16 = 1 << 15;

impl Following {
    pub(super) const fn new(line: Line) -> Self {
        Self {
            line,
            layer: 0,
            row: 0,
            column: 0,
            opponent: 0,
            target: 0,
            choice: Choice::NONE,
            forbidden_is_best: false,
            moves: Vec::new(),
            is_partly_listed: false,
            next: 0,
            is_new: true,
        }
    }

    /// How far the line could be followed, if that is known already.
    pub(super) const fn end(&self) -> Option<Followed> {
        let moves = self.choice.moves;
        // Moves that leave the group and the forbidden move were asked for first. If none of them
        // is best, at least two others are.
        let is_tied = self.line.is_tied && !self.forbidden_is_best;
        if self.line.is_won() && (moves > 1 || moves == 0 && is_tied) {
            return Some(Followed::Ended {
                is_dual_free: false,
            });
        }
        if moves == 0 && self.is_listed() {
            return Some(Followed::Contradicted);
        }
        None
    }

    /// Whether two lines are in the same row.
    pub(crate) const fn is_beside(&self, other: &Self) -> bool {
        self.layer == other.layer && self.row == other.row
    }

    /// Whether the first best move is known, and of a won position, that it is the only one.
    pub(crate) const fn is_settled(&self) -> bool {
        self.choice.moves > 0 && (!self.line.is_won() || self.is_listed())
    }

    /// Whether all moves were asked for.
    const fn is_listed(&self) -> bool {
        self.moves.is_empty() && !self.is_partly_listed
    }
}

impl<G: ByRows> Follower<'_, '_, G> {
    /// Goes to the position that a line has come to.
    #[inline(always)]
    pub(super) fn reach<C: Cpu>(&self, cpu: C, at: &mut Following) {
        let group = self.group;
        let index = group.index(at.line.slot());
        let layer = group.tables.iter().position(|table| table.has(index));
        at.layer = layer.expect("the slot is in the group");
        let table = &group.tables[at.layer];
        let within = index - table.first;
        at.row = within / table.columns();
        at.column = table.shape.columns[within % table.columns()];
        at.target = self.order.ordinal_of_code(at.line.code.into());
        at.choice = Choice::NONE;
        at.forbidden_is_best = false;
        at.moves.clear();
        at.is_partly_listed = false;
        at.next = AT_ONCE;
        at.is_new = true;
        let free = group.game.row(table.layer, at.row).free;
        at.opponent = cpu.deposit(at.column, free);
    }

    /// Prefetches what is known of the row of a position that a line has reached.
    #[inline(always)]
    pub(crate) fn prefetch_row(&self, at: &Following) {
        let table = &self.group.tables[at.layer];
        table.moves(at.row).iter().for_each(prefetch_read);
        let exits = self.group.exits(table, at.row);
        exits.iter().for_each(prefetch_read);
    }

    /// Lists the moves that may be asked for in the position that a line has reached.
    #[inline(always)]
    pub(super) fn list(&self, at: &mut Following) {
        let group = self.group;
        let table = &group.tables[at.layer];
        let moves = table.moves(at.row);
        let (line, column) = (at.line, at.column);
        let place = |place: usize| u16::try_from(place).unwrap_or(u16::MAX);
        let of_number = |number: u8| {
            // What a move pushes depends on the column, so several have the number.
            let is_it = |mv: &RowMove| mv.number == number && mv.condition.holds(column);
            let found = moves.iter().position(is_it)?;
            Some((EXITS + place(found), 0))
        };
        if let Some(only) = line.only() {
            at.moves.extend(of_number(only));
            return;
        }
        let exits = group.exits(table, at.row).iter().enumerate();
        let exits = exits.filter(|(_, exit)| exit.condition.holds(column));
        if line.code == 0 {
            let wins = exits.filter(|(_, exit)| exit.to == RowExitTo::Win);
            at.choice.moves = wins.map(|(_, exit)| u32::from(exit.moves)).sum();
            return;
        }
        let exits = exits.filter(|(_, exit)| matches!(exit.to, RowExitTo::Earlier { .. }));
        let forbidden = line.forbidden();
        if line.is_won() {
            at.moves.extend(exits.map(|(number, _)| (place(number), 0)));
            if line.is_tied {
                at.moves.extend(forbidden.and_then(of_number));
            }
            at.next = at.moves.len();
            at.is_partly_listed = true;
            return;
        }
        // By number on the board of the line.
        let turn = line.turn();
        let mut places = [0; 128];
        let mut numbers = 0u128;
        let mut put = |number: u8, place, holds| {
            let at = &mut places[usize::from(number & 127)];
            *at = if holds { place } else { *at };
            numbers |= u128::from(holds) << (number & 127);
        };
        for (number, exit) in exits {
            put(self.number(turn, exit), place(number), true);
        }
        for (number, mv) in moves.iter().enumerate() {
            let holds = mv.condition.holds(column) && Some(mv.number) != forbidden;
            let turned = group.game.turned(turn, mv.number);
            put(turned, EXITS + place(number), holds);
        }
        while numbers != 0 {
            let last = numbers.ilog2();
            numbers &= !(1 << last);
            let number = u8::try_from(last).expect("a set of 128");
            at.moves.push((places[last as usize], number));
        }
    }

    /// Lists the moves within the group of a won position, after those that had to be asked for
    /// first.
    #[cold]
    fn list_rest(&self, at: &mut Following) {
        at.is_partly_listed = false;
        let moves = self.group.tables[at.layer].moves(at.row).iter();
        for (number, mv) in (EXITS..).zip(moves) {
            if mv.condition.holds(at.column) && Some(mv.number) != at.line.forbidden() {
                at.moves.push((number, 0));
            }
        }
    }

    /// The least number of the moves of an exit on the board of a line.
    #[inline(always)]
    fn number(&self, turn: u8, exit: &RowExit) -> u8 {
        let numbers = exit.numbers.iter().take(exit.moves.into());
        let turned = numbers.map(|&number| self.group.game.turned(turn, number));
        turned.min().unwrap_or(u8::MAX)
    }

    /// Asks for the next moves of a position.
    #[inline(always)]
    pub(super) fn ask<C: Cpu>(
        &self,
        cpu: C,
        line: usize,
        at: &mut Following,
        asked: &mut Vec<PendingMove>,
    ) {
        let group = self.group;
        let (game, table) = (group.game, &group.tables[at.layer]);
        let opponent = at.opponent;
        if at.moves.is_empty() && at.is_partly_listed && !at.is_new {
            self.list_rest(at);
        }
        for _ in 0..at.next.min(at.moves.len()) {
            let Some((place, number)) = at.moves.pop() else {
                break;
            };
            if let Some(place) = place.checked_sub(EXITS) {
                let mv = &table.moves(at.row)[usize::from(place)];
                let after = game.turn(mv.turn)(opponent ^ mv.flip);
                let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
                self.values
                    .prefetch(table.answers, mv.bucket as usize, set as usize);
                let is_forbidden = Some(mv.number) == at.line.forbidden();
                asked.push(PendingMove {
                    line,
                    moves: u8::from(!is_forbidden),
                    number,
                    to: To::Within(mv.undo),
                    after: After {
                        bucket: mv.bucket,
                        set,
                        squares: after,
                        turn: mv.turn,
                    },
                });
                continue;
            }
            let exit = &group.exits(table, at.row)[usize::from(place)];
            let Some(found) = group.floors.prefetch(cpu, game, exit, opponent) else {
                continue;
            };
            if let RowExitTo::Earlier {
                layer,
                bucket,
                turn: turned,
                flip,
                ..
            } = exit.to
            {
                asked.push(PendingMove {
                    line,
                    moves: exit.moves,
                    number,
                    to: To::Earlier(layer),
                    after: After {
                        bucket,
                        set: found,
                        squares: game.turn(turned)(opponent ^ flip),
                        turn: turned,
                    },
                });
            }
        }
        at.next = AT_ONCE;
    }

    /// Adds a move that was asked for to the best ones, if it is one.
    #[inline(always)]
    pub(crate) fn settle(&self, asked: &PendingMove, at: &mut Following) {
        let (group, After { bucket, set, .. }) = (self.group, asked.after);
        let value = match asked.to {
            To::End => return,
            To::Within(undo) => {
                let answers = group.tables[at.layer].answers;
                let value = self.values.get(answers, bucket as usize, set as usize);
                value.after(value.only() == undo)
            }
            To::Earlier(layer) => group.floors.at(layer, bucket, set),
        };
        if value == at.target {
            if asked.moves == 0 {
                at.forbidden_is_best = true;
                return;
            }
            at.choice.add(asked);
        }
    }

    /// Plays the first best move of a line's position.
    #[inline(always)]
    pub(super) fn play<C: Cpu>(&self, cpu: C, at: &Following) -> Result<Line, Followed> {
        let (group, turns, line) = (self.group, self.turns, &at.line);
        let (game, answers) = (group.game, group.tables[at.layer].answers);
        let layer = match at.choice.to {
            To::End => return Err(Followed::Ended { is_dual_free: true }),
            To::Earlier(layer) => layer,
            To::Within(_) => group.tables[answers].layer,
        };
        let after = at.choice.after;
        let bucket = after.bucket as usize;
        let (slot, turned) = game.transposed_place(cpu, layer, bucket, after.squares);
        let turn = turns.back(turned, turns.back(after.turn, line.turn()));
        let To::Within(undo) = at.choice.to else {
            return Err(Followed::Left { slot, turn });
        };
        let value = self.values.get(answers, bucket, after.set as usize);
        // A checkmate has no such move, unless the table is wrong.
        let code = line.code.checked_sub(1).ok_or(Followed::Contradicted)?;
        let stored = |number| game.turned(turned, number);
        let undo = (undo != RowMove::NO_UNDO).then(|| stored(undo));
        let best = value.only_best().map(stored);
        Ok(Line::new(line.id, (slot, turn), code, best, undo))
    }
}

/// The best moves of a line's position, as far as they were found.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub moves: u32,
    /// The least number of such a move on the board of the line, and where it leads.
    pub first: u8,
    pub to: To,
    pub after: After,
}

#[derive(Clone, Copy)]
pub(super) enum To {
    End,
    /// To a position of the group, where the move of this number takes back the last one.
    Within(u8),
    /// To a position of an earlier group, in this layer.
    Earlier(usize),
}

/// A position after a move, as its bucket sees it.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub bucket: u32,
    pub set: u32,
    /// The squares of the side to move there, and the symmetry that turned the board.
    pub squares: Squares,
    pub turn: u8,
}

/// A move whose value is being fetched from memory.
pub(super) struct PendingMove {
    /// The line's place among those followed together.
    pub line: usize,
    /// How many moves do the same, none if it is forbidden, and the least number of them on the
    /// board of the line.
    pub moves: u8,
    pub number: u8,
    pub to: To,
    pub after: After,
}

impl Choice {
    pub(super) const NONE: Self = Self {
        moves: 0,
        first: u8::MAX,
        to: To::End,
        after: After {
            bucket: 0,
            set: 0,
            squares: 0,
            turn: 0,
        },
    };

    #[inline(always)]
    pub(super) fn add(&mut self, asked: &PendingMove) {
        self.moves += u32::from(asked.moves);
        if asked.number < self.first {
            (self.first, self.to, self.after) = (asked.number, asked.to, asked.after);
        }
    }
}

/// The symmetries of a board.
pub(super) struct Turns {
    /// By the numbers of two symmetries: that of the first one and then the second.
    composed: Vec<Vec<u8>>,
    /// By number: the symmetry that takes it back.
    inverse: Vec<u8>,
}

impl Turns {
    pub(super) fn new<G: ByRows>(game: &G) -> Self {
        let composed = game.compositions();
        let back = |then: &Vec<u8>| {
            let back = then.iter().position(|&both| both == 0);
            back.and_then(|back| u8::try_from(back).ok())
                .unwrap_or_default()
        };
        Self {
            inverse: composed.iter().map(back).collect(),
            composed,
        }
    }

    /// What turns a position to the board of a line, if it is the position that `turn` leads to
    /// from one that `then` turns so.
    #[inline(always)]
    pub(super) fn back(&self, turn: u8, then: u8) -> u8 {
        let back = self.inverse[usize::from(turn)];
        self.composed[usize::from(back)][usize::from(then)]
    }
}
