//! Ostle by rows: a row is the hole and the mover's pieces.

use super::features::{CAPTURE, HOLE, PUSH, QUIET, RETREAT, SACRIFICE};
use super::grid::{Direction, Mask, Square, low, squares_of};
use super::index::{Index, Unplaced};
use super::movegen::number_of;
use super::runs::Run;
use super::state::Placement;
use super::{Move, Ostle, Side, State};
use crate::base::cpu::{Cpu, extract};
use crate::base::turn::Turn;
use crate::game::{
    ByRows, Ranked, Retrograde, Row, RowExit, RowExitTo, RowImages, RowLayer, RowMove, Squares,
    Transposed,
};

/// Where the pieces of the side that moved stand after the move.
struct Moved {
    own: Mask,
    hole: Square,
    /// Squares of the opponent before the move that the move empties, and squares that the
    /// move brings the opponent to.
    from: Mask,
    to: Mask,
    /// The square that is empty before the move, and from which a move takes it back, if any does.
    entered: Mask,
    number: u8,
    /// Whether a move takes it back.
    has_undo: bool,
}

impl Ostle {
    fn row_move(&self, layer: usize, free: Mask, moved: &Moved) -> RowMove {
        let index = self.index();
        let class = index.row_class(index.pieces(layer).0, moved.own, moved.hole);
        let symmetry = &self.grid.symmetries[usize::from(class.turn())];
        let condition = Self::condition(free, moved.from, moved.entered);
        let touched = moved.from | moved.to | moved.entered | 1 << (moved.number >> 2);
        let mated = if u32::from(self.fewest()) == moved.own.count_ones() {
            let attackers = self.attackers(moved.own, moved.hole);
            if attackers & moved.to == 0 {
                extract(low(attackers & !moved.from), low(free))
            } else {
                RowMove::ALWAYS
            }
        } else {
            0
        };
        RowMove {
            condition,
            bucket: class.row(),
            bucket_free: low(class.free()),
            image: Self::condition(
                class.free(),
                symmetry.mask(moved.to),
                symmetry.mask(touched),
            ),
            flip: low(moved.from ^ moved.to),
            mated,
            turn: class.turn(),
            turn_back: Turn(class.turn()).inverse().0,
            number: moved.number,
            undo: if moved.has_undo {
                let undo = number_of(moved.entered, moved.number & 3 ^ 1);
                index.turned(class.turn(), undo)
            } else {
                RowMove::NO_UNDO
            },
        }
    }

    fn row_exit(&self, layer: usize, row: Placement, run: &Run, number: u8) -> RowExit {
        let index = self.index();
        let step = |mask| self.shifts.ahead(mask, number & 3);
        let free = self.grid.all() & !(row.own | 1 << row.hole);
        let condition = Self::condition(free, run.opp, 0);
        let fewest = self.fewest();
        let (own_pieces, opp_pieces) = index.pieces(layer);
        let own_goes = run.last & run.own != 0;
        let pushes = (run.own | run.opp).count_ones() > 1;
        let to = if own_goes && own_pieces == fewest {
            RowExitTo::Loss
        } else if !own_goes && opp_pieces == fewest {
            RowExitTo::Win
        } else {
            let own = row.own & !run.own | step(run.own & !run.last);
            let (own_after, opp_after) = if own_goes {
                (own_pieces - 1, opp_pieces)
            } else {
                (own_pieces, opp_pieces - 1)
            };
            let class = index.row_class(own_after, own, row.hole);
            let symmetry = &self.grid.symmetries[usize::from(class.turn())];
            let to = step(run.opp & !run.last);
            RowExitTo::Earlier {
                layer: index.layer_of_pieces(opp_after, own_after),
                bucket: class.row(),
                bucket_free: low(class.free()),
                image: Self::condition(
                    class.free(),
                    symmetry.mask(to),
                    symmetry.mask(run.own | run.opp),
                ),
                turn: class.turn(),
                flip: low(run.opp ^ to),
            }
        };
        RowExit {
            moves: 1,
            numbers: [number, 0, 0, 0],
            kinds: if own_goes { SACRIFICE } else { CAPTURE } | if pushes { PUSH } else { 0 },
            condition,
            to,
        }
    }

    /// The hole and the mover's pieces of a row of a layer.
    fn at_row(&self, layer: usize, row: usize) -> Placement {
        let index = self.index();
        index.row(index.pieces(layer).0, row).placement()
    }

    /// Position of a layer as its bucket sees it.
    #[inline(always)]
    fn of_bucket(&self, layer: usize, bucket: usize, squares: Squares) -> Unplaced {
        let index = self.index();
        let (own_pieces, opp_pieces) = index.pieces(layer);
        let row = index.row(opp_pieces, bucket).placement();
        let at = Placement {
            own: squares.into(),
            ..row.turned()
        };
        let layer = index.piece_layer(own_pieces, opp_pieces);
        Unplaced::new(at, index.orbit(row.hole), 0, layer)
    }

    /// Visits the distinct images of a position under the symmetries of its bucket.
    #[cold]
    fn images_of_transposed(
        &self,
        pieces: u8,
        seen: Transposed,
        image: Squares,
        visit: &mut dyn FnMut(Transposed),
    ) {
        let index = self.index();
        let mut done = [Squares::MAX; 8];
        let row = index.row(pieces, seen.bucket as usize);
        for (place, turn) in squares_of(row.kept.into()).enumerate() {
            let again = self.turn(turn)(image);
            if !done.contains(&again) {
                done[place] = again;
                visit(Transposed {
                    set: extract(again, low(row.free)),
                    number: index.turned(turn, seen.number),
                    turn: index.composed[usize::from(seen.turn)][usize::from(turn)],
                    ..seen
                });
            }
        }
    }
}

/// Why a board that is solved by rows has tables of sets and of images.
const SMALL: &str = "a board that is solved by rows has at most 25 squares";

impl ByRows for Ostle {
    fn row_layers(&self) -> Vec<RowLayer<'_>> {
        let index = self.index();
        (0..self.layers().len())
            .map(|layer| {
                let (own, opp) = index.pieces(layer);
                let layer = &index.layers[usize::from(index.piece_layer(own, opp))];
                let (ranker, columns) = layer.sets.tables().expect(SMALL);
                RowLayer {
                    rows: index.rows[layer.rows].rows.len(),
                    answers: index.layer_of_pieces(opp, own),
                    ranker,
                    columns,
                }
            })
            .collect()
    }

    fn row(&self, layer: usize, row: usize) -> Row {
        let index = self.index();
        let row = index.row(index.pieces(layer).0, row);
        Row {
            free: low(row.free),
            symmetric: row.kept != 1,
        }
    }

    fn row_moves(&self, layer: usize, row: usize, moves: &mut Vec<RowMove>) {
        let Placement { own, hole, .. } = self.at_row(layer, row);
        let free = self.grid.all() & !(own | 1 << hole);
        for mv in Self::moves_from(own) {
            let step = |mask| self.shifts.ahead(mask, mv.direction as u8);
            for run in self.runs(own, hole, mv) {
                let Some(end) = run.end else {
                    continue;
                };
                let moved = Moved {
                    own: own & !run.own | step(run.own),
                    hole,
                    from: run.opp,
                    to: step(run.opp),
                    entered: 1 << end,
                    number: mv.number(),
                    has_undo: run.last & run.opp != 0,
                };
                moves.push(self.row_move(layer, free, &moved));
            }
        }
        for direction in Direction::ALL {
            let to = self.grid.neighbour(hole, direction);
            if let Some(to) = to.filter(|&to| own >> to & 1 == 0 && !self.has_fixed_hole()) {
                let moved = Moved {
                    own,
                    hole: to,
                    from: 0,
                    to: 0,
                    entered: 1 << to,
                    number: hole << 2 | direction as u8,
                    has_undo: true,
                };
                moves.push(self.row_move(layer, free, &moved));
            }
        }
    }

    fn row_exits(&self, layer: usize, row: usize, exits: &mut Vec<RowExit>) {
        let row = self.at_row(layer, row);
        let first = exits.len();
        for mv in Self::moves_from(row.own) {
            let runs = self.runs(row.own, row.hole, mv);
            for run in runs.iter().filter(|run| run.end.is_none()) {
                let exit = self.row_exit(layer, row, run, mv.number());
                // Ways to walk off the same piece lead to the same position.
                let same = |other: &&mut RowExit| {
                    (other.condition, other.to, other.kinds)
                        == (exit.condition, exit.to, exit.kinds)
                };
                match exits[first..].iter_mut().find(same) {
                    Some(other) => {
                        if let Some(next) = other.numbers.get_mut(usize::from(other.moves)) {
                            *next = mv.number();
                        }
                        other.moves += 1;
                    }
                    None => exits.push(exit),
                }
            }
        }
    }

    fn exit_kinds(&self) -> u32 {
        SACRIFICE | CAPTURE
    }

    fn varying_kinds(&self) -> u32 {
        RETREAT
    }

    fn kinds_of_row_move(&self, layer: usize, row: usize, mv: &RowMove) -> u32 {
        let row = self.at_row(layer, row);
        let (from, direction) = (mv.number >> 2, Direction::ALL[usize::from(mv.number & 3)]);
        let next = self.grid.neighbour(from, direction);
        if from == row.hole {
            HOLE
        } else if mv.condition.bits != 0 || next.is_some_and(|next| row.own >> next & 1 == 1) {
            PUSH
        } else {
            QUIET
        }
    }

    fn varying_kinds_of(&self, layer: usize, row: usize, number: u8, opponent: Squares) -> u32 {
        let at = Placement {
            opp: opponent.into(),
            ..self.at_row(layer, row)
        };
        let effect = self.effect(&State::open(at, Side::Black), Move::from_number(number));
        effect.map_or(0, |effect| self.kinds_of_effect(at.own, &effect) & RETREAT)
    }

    #[inline(always)]
    fn turn(&self, turn: u8) -> impl Fn(Squares) -> Squares {
        let symmetry = &self.grid.symmetries[usize::from(turn)];
        let images = symmetry.images.as_ref().expect(SMALL);
        move |squares| images.of(squares)
    }

    fn compositions(&self) -> Vec<Vec<u8>> {
        let composed = &self.index().composed;
        composed
            .iter()
            .map(|then| then[..composed.len()].to_vec())
            .collect()
    }

    #[inline(always)]
    fn turned(&self, turn: u8, number: u8) -> u8 {
        self.index().turned(turn, number)
    }

    #[inline(always)]
    fn transposed<C: Cpu>(
        &self,
        cpu: C,
        row: &RowImages,
        opponent: Squares,
        number: u8,
        mut visit: impl FnMut(Transposed),
    ) {
        let index: &Index = self.index();
        let opp_pieces = index.pieces(row.layer).1;
        let class = index.row_class(opp_pieces, opponent.into(), row.tag);
        let image = row.images[usize::from(class.turn())];
        let seen = Transposed {
            bucket: class.row(),
            set: cpu.extract(image, low(class.free())),
            number: index.turned(class.turn(), number),
            turn: class.turn(),
        };
        if class.is_symmetric() {
            self.images_of_transposed(opp_pieces, seen, image, &mut visit);
        } else {
            visit(seen);
        }
    }

    fn row_images(&self, layer: usize, row: usize) -> RowImages {
        let row = self.at_row(layer, row);
        let mut images = [0; 8];
        for (image, symmetry) in images.iter_mut().zip(&self.grid.symmetries) {
            *image = low(symmetry.mask(row.own));
        }
        RowImages {
            layer,
            tag: row.hole,
            images,
        }
    }

    #[inline(always)]
    fn transposed_place<C: Cpu>(
        &self,
        cpu: C,
        layer: usize,
        bucket: usize,
        squares: Squares,
    ) -> (u64, u8) {
        let at = self.of_bucket(layer, bucket, squares);
        let place = self
            .index()
            .place_by(|set, mask| cpu.extract(set, mask), at);
        (place.slot, place.turn)
    }

    fn transposed_follow(&self, layer: usize, bucket: usize, squares: Squares, number: u8) -> u64 {
        let at = self.of_bucket(layer, bucket, squares);
        let after = self.moved(at.placement(), number);
        after.map_or(u64::MAX, |after| self.place(self.unplaced(after, 0)).slot)
    }
}
