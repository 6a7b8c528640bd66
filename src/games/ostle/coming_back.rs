//! Positions from which two successive moves may lead to an image of the position.

use super::Ostle;
use super::state::Placement;
use crate::game::RowImages;
use crate::games::ostle::grid::{Mask, Square};

/// A symmetry that the two moves may amount to, for one row.
#[derive(Debug, Clone, Copy, Default)]
struct Suspect {
    turn: u8,
    /// Changes of the mover's pieces by it.
    own: Mask,
    /// On how many squares at most it changes whether they are occupied.
    most: u32,
}

impl Ostle {
    /// [`may_come_back_turned`](crate::game::ByRows::may_come_back_turned).
    #[inline(always)]
    pub(super) fn coming_back(&self, row: &RowImages) -> impl Fn(Mask) -> bool {
        let (suspects, count) = self.suspects(row);
        let at = (row.images[0], row.tag);
        move |opponent| {
            // A move of a piece changes which squares are occupied at two squares: its origin
            // and the end of what it pushes. A move of the hole changes none.
            suspects[..count].iter().any(|suspect| {
                let image = self.grid.symmetries[usize::from(suspect.turn)].mask(opponent);
                (suspect.own ^ image ^ opponent).count_ones() <= suspect.most
                    && self.comes_back_by(at, opponent, suspect.turn)
            })
        }
    }

    fn suspects(&self, row: &RowImages) -> ([Suspect; 8], usize) {
        let hole: Mask = 1 << row.tag;
        let near = self.shifts.before(hole).any() | hole;
        let far = self.shifts.before(near).any() | near;
        let (mut suspects, mut count) = ([Suspect::default(); 8], 0);
        for (turn, symmetry) in (0u8..).zip(&self.grid.symmetries).skip(1) {
            let image: Mask = 1 << symmetry.square(row.tag);
            let most = if image == hole {
                4
            } else if image & near != 0 {
                2
            } else if image & far != 0 {
                0
            } else {
                continue;
            };
            suspects[count] = Suspect {
                turn,
                own: row.images[0] ^ row.images[usize::from(turn)],
                most,
            };
            count += 1;
        }
        (suspects, count)
    }

    /// Whether two moves lead from the position to its image under a symmetry.
    #[cold]
    fn comes_back_by(&self, (own, hole): (Mask, Square), opponent: Mask, turn: u8) -> bool {
        let at = Placement {
            own,
            opp: opponent,
            hole,
        };
        let image = at.image(&self.grid.symmetries[usize::from(turn)]);
        let mut found = false;
        self.steps(at, |step| {
            let after = step.after;
            let changed = after.own ^ image.own | after.opp ^ image.opp;
            let ends = after.occupied() ^ image.occupied();
            // The second move is one of the hole, or of pieces on one line.
            let near = if after.hole == image.hole {
                ends.count_ones() == 2 && changed & !self.line_through(ends) == 0
            } else {
                changed == 0
            };
            found |= near && self.leads_to(after, image);
        });
        found
    }

    /// Whether a move of the opponent leads from one placement to another.
    fn leads_to(&self, from: Placement, to: Placement) -> bool {
        let mut found = false;
        self.steps(from.turned(), |step| found |= step.after == to.turned());
        found
    }

    /// The file or rank with all the given squares, empty if there is none.
    fn line_through(&self, squares: Mask) -> Mask {
        let (width, height) = (u32::from(self.grid.width), u32::from(self.grid.height));
        let first = squares.trailing_zeros();
        let file = ((1 << height) - 1) << (first / height * height);
        let rank = (0..width).fold(0, |rank, file| rank | 1 << (file * height + first % height));
        if squares & !file == 0 {
            file
        } else if squares & !rank == 0 {
            rank
        } else {
            0
        }
    }
}
