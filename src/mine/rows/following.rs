//! One main line at a position: its best moves, and the one that is played.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::RowGroup;
use super::lines::{Followed, Line};
use super::turns::Turns;
use crate::base::cpu::Cpu;
use crate::game::{ByRows, RowExit, RowExitTo, RowMove, Squares};
use crate::solve::{Ordinal, ValueOrder, WordWidth, prefetch_read};
use crate::table::MoveValues;

/// Moves of a line's position whose values are fetched together. Further ones are often not
/// needed.
const AT_ONCE: usize = 4;

/// What lines are followed by.
pub(super) struct Follower<'a, 'g, G, W> {
    pub group: &'a RowGroup<'g, G>,
    pub values: &'a MoveValues<W>,
    pub order: &'a ValueOrder<W>,
    pub turns: &'a Turns,
}

/// The best moves of a line's position, as far as they were found.
#[derive(Clone, Copy)]
struct Choice {
    moves: u32,
    /// The least number of such a move on the board of the line, and where it leads.
    first: u8,
    to: To,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum To {
    /// It ends the game.
    End,
    /// To a position of the group.
    Within(Within),
    /// To a position of an earlier group.
    Earlier(Earlier),
}

/// A position after a move within the group, as its bucket sees it.
#[derive(Clone, Copy)]
struct Within {
    bucket: u32,
    set: u32,
    /// The squares of the side to move there, and the symmetry that turned the board.
    after: Squares,
    turn: u8,
    /// The number of the move that takes back the last one.
    undo: u8,
}

/// A position of an earlier group after a move, as its bucket sees it.
#[derive(Clone, Copy)]
struct Earlier {
    layer: usize,
    bucket: u32,
    set: u32,
    after: Squares,
    turn: u8,
}

/// A move whose value is being fetched from memory.
pub(super) struct Asked {
    /// The line's place among those followed together.
    pub line: usize,
    /// How many moves do the same, and the least number of them on the board of the line.
    moves: u8,
    number: u8,
    to: To,
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
    /// The moves that may be asked for, the first one last: the places of exits among those of
    /// the row, and those of moves within the group after [`EXITS`].
    moves: Vec<u16>,
    /// How many moves are asked for next.
    next: usize,
    /// Whether the moves are yet to be listed.
    pub is_new: bool,
}

/// More than a row has exits.
const EXITS: u16 = 1 << 15;

impl Choice {
    const NONE: Self = Self {
        moves: 0,
        first: u8::MAX,
        to: To::End,
    };

    #[inline(always)]
    fn add(&mut self, moves: u8, number: u8, to: To) {
        self.moves += u32::from(moves);
        if number < self.first {
            (self.first, self.to) = (number, to);
        }
    }
}

impl Following {
    pub const fn new(line: Line) -> Self {
        Self {
            line,
            layer: 0,
            row: 0,
            column: 0,
            opponent: 0,
            target: 0,
            choice: Choice::NONE,
            moves: Vec::new(),
            next: 0,
            is_new: true,
        }
    }

    /// How far the line could be followed, if that is known already.
    pub const fn end(&self) -> Option<Followed> {
        let Line {
            only, forbidden, ..
        } = self.line;
        let moves = self.choice.moves;
        // If nothing is forbidden, a move within the group that is the only best one is known, and
        // moves that leave it were asked for first.
        let leaves = only.is_none() && forbidden.is_none();
        if self.line.is_won() && (moves > 1 || moves == 0 && leaves) {
            return Some(Followed::Ended {
                is_dual_free: false,
            });
        }
        if moves == 0 && self.moves.is_empty() {
            return Some(Followed::Contradicted);
        }
        None
    }

    /// Whether two lines are in the same row.
    pub const fn is_beside(&self, other: &Self) -> bool {
        self.layer == other.layer && self.row == other.row
    }

    /// Whether the first best move is known, and of a won position, that it is the only one.
    pub const fn is_settled(&self) -> bool {
        self.choice.moves > 0 && (!self.line.is_won() || self.moves.is_empty())
    }
}

impl<G: ByRows, W: WordWidth> Follower<'_, '_, G, W> {
    /// Goes to the position that a line has come to.
    #[inline(always)]
    pub fn reach<C: Cpu>(&self, cpu: C, at: &mut Following) {
        let group = self.group;
        let index = group.index(at.line.slot);
        let layer = group.tables.iter().position(|table| table.has(index));
        at.layer = layer.expect("the slot is in the group");
        let table = &group.tables[at.layer];
        let within = index - table.first;
        at.row = within / table.columns();
        at.column = table.shape.columns[within % table.columns()];
        at.target = self.order.ordinal_of_code(at.line.code.into());
        at.choice = Choice::NONE;
        at.moves.clear();
        at.next = AT_ONCE;
        at.is_new = true;
        let free = group.game.row(table.layer, at.row).free;
        at.opponent = cpu.deposit(at.column, free);
    }

    /// Prefetches what is known of the row of a position that a line has reached.
    #[inline(always)]
    pub fn prefetch_row(&self, at: &Following) {
        let table = &self.group.tables[at.layer];
        table.moves(at.row).iter().for_each(prefetch_read);
        let exits = self.group.exits(table, at.row);
        exits.iter().for_each(prefetch_read);
    }

    /// Lists the moves that may be asked for in the position that a line has reached.
    #[inline(always)]
    pub fn list(&self, at: &mut Following) {
        let group = self.group;
        let table = &group.tables[at.layer];
        let moves = table.moves(at.row);
        let (line, column) = (at.line, at.column);
        let place = |place: usize| u16::try_from(place).unwrap_or(u16::MAX);
        if let Some(only) = line.only {
            // What a move pushes depends on the column, so several have the number.
            let is_it = |mv: &RowMove| mv.number == only && mv.condition.holds(column);
            let found = moves.iter().position(is_it);
            at.moves.extend(found.map(|found| EXITS + place(found)));
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
        let exits = exits.map(|(number, exit)| (place(number), exit));
        let moves = moves.iter().enumerate();
        let moves =
            moves.filter(|(_, mv)| mv.condition.holds(column) && Some(mv.number) != line.forbidden);
        let moves = moves.map(|(number, mv)| (EXITS + place(number), mv));
        if line.is_won() {
            at.moves.extend(moves.map(|(place, _)| place));
            let before = at.moves.len();
            at.moves.extend(exits.map(|(place, _)| place));
            at.next = at.moves.len() - before;
            return;
        }
        // By number on the board of the line.
        let mut places = [0; 128];
        let mut numbers = 0u128;
        let mut put = |number: u8, place| {
            places[usize::from(number & 127)] = place;
            numbers |= 1 << (number & 127);
        };
        for (place, exit) in exits {
            put(self.number(line.turn, exit), place);
        }
        for (place, mv) in moves {
            put(group.game.turned(line.turn, mv.number), place);
        }
        while numbers != 0 {
            let last = numbers.ilog2();
            numbers &= !(1 << last);
            at.moves.push(places[last as usize]);
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
    pub fn ask<C: Cpu>(&self, cpu: C, line: usize, at: &mut Following, asked: &mut Vec<Asked>) {
        let group = self.group;
        let (game, table) = (group.game, &group.tables[at.layer]);
        let (opponent, turn) = (at.opponent, at.line.turn);
        for _ in 0..at.next.min(at.moves.len()) {
            let Some(place) = at.moves.pop() else { break };
            if let Some(place) = place.checked_sub(EXITS) {
                let mv = &table.moves(at.row)[usize::from(place)];
                let after = game.turn(mv.turn)(opponent ^ mv.flip);
                let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
                self.values
                    .prefetch(table.answers, mv.bucket as usize, set as usize);
                asked.push(Asked {
                    line,
                    moves: 1,
                    number: game.turned(turn, mv.number),
                    to: To::Within(Within {
                        bucket: mv.bucket,
                        set,
                        after,
                        turn: mv.turn,
                        undo: mv.undo,
                    }),
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
                asked.push(Asked {
                    line,
                    moves: exit.moves,
                    number: self.number(turn, exit),
                    to: To::Earlier(Earlier {
                        layer,
                        bucket,
                        set: found,
                        after: game.turn(turned)(opponent ^ flip),
                        turn: turned,
                    }),
                });
            }
        }
        at.next = AT_ONCE;
    }

    /// Adds a move that was asked for to the best ones, if it is one.
    #[inline(always)]
    pub fn settle(&self, asked: &Asked, at: &mut Following) {
        let group = self.group;
        let value = match asked.to {
            To::End => return,
            To::Within(to) => {
                let answers = group.tables[at.layer].answers;
                let value = self
                    .values
                    .get(answers, to.bucket as usize, to.set as usize);
                value.after::<W>(value.only::<W>() == to.undo)
            }
            To::Earlier(to) => group.floors.at::<W>(to.layer, to.bucket, to.set),
        };
        if value == at.target {
            at.choice.add(asked.moves, asked.number, asked.to);
        }
    }

    /// Plays the first best move of a line's position.
    #[inline(always)]
    pub fn play(&self, at: &Following) -> Result<Line, Followed> {
        let (group, turns, line) = (self.group, self.turns, &at.line);
        let game = group.game;
        match at.choice.to {
            To::End => Err(Followed::Ended { is_dual_free: true }),
            To::Earlier(to) => {
                let (slot, turn) = game.transposed_place(to.layer, to.bucket as usize, to.after);
                let turn = turns.back(turn, turns.back(to.turn, line.turn));
                Err(Followed::Left { slot, turn })
            }
            To::Within(to) => {
                let answers = group.tables[at.layer].answers;
                let bucket = to.bucket as usize;
                let (slot, turn) = game.transposed_place(group.layer(answers), bucket, to.after);
                let value = self.values.get(answers, bucket, to.set as usize);
                let only = value.only_best::<W>().filter(|&only| only != to.undo);
                // A checkmate has no such move, unless the table is wrong.
                let code = line.code.checked_sub(1).ok_or(Followed::Contradicted)?;
                let stored = |number| game.turned(turn, number);
                Ok(Line {
                    slot,
                    turn: turns.back(turn, turns.back(to.turn, line.turn)),
                    code,
                    only: only.map(stored),
                    forbidden: (to.undo != RowMove::NO_UNDO).then(|| stored(to.undo)),
                    of: line.of,
                })
            }
        }
    }
}
