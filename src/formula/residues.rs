//! The family `residues`: distances modulo 6 and a lookahead of two moves.
//!
//! Where every move changes the parity of the distance, it is enough to store the states
//! of odd distance, and for each whether its distance is 1, 3 or 5 modulo 6: two such
//! states that are two moves apart differ by -2, 0 or 2, and the residues tell which. In
//! a state of even distance the best move leads to the nearest of its neighbours; in one
//! of odd distance, towards a state two moves on that is nearer by two. That takes 1.6
//! bits for every second state, with a symmetry for every fourth, and the answer is
//! right in every state. Compare distances modulo 3: R. E. Korf, *Linear-time disk-based
//! implicit graph search* (2008); A. Breyer and R. E. Korf, *1.6-bit pattern databases*
//! (2010).

use super::program::{Form, Program, Table};
use crate::game::{Encoded, Helper, Language};

/// Residues in a byte: 3 to the power of 5 is 243.
const IN_A_BYTE: usize = 5;

/// The program of the family for a puzzle; `distance` is the number of moves from a state
/// to the goal. `None` if the game has no helper for the lookahead, or a state that must be
/// stored has an even distance.
pub(crate) fn residues<G: Encoded + ?Sized>(
    game: &G,
    distance: impl Fn(&G::State) -> Option<u16>,
) -> Option<Program> {
    let [rust, c, python] = Language::ALL.map(|language| game.helper(Helper::Residues, language));
    let helpers = [rust?, c?, python?];
    let mut bytes = vec![0; usize::try_from(game.kept()?).ok()?.div_ceil(IN_A_BYTE)];
    for state in game.questions() {
        let Some(place) = game.place_kept(&state) else {
            continue;
        };
        let distance = distance(&state).filter(|distance| distance % 2 == 1)?;
        let place = usize::try_from(place).ok()?;
        let residue = u8::try_from(distance % 6 / 2).ok()?;
        let weight = 3_u8.pow(u32::try_from(place % IN_A_BYTE).ok()?);
        let byte: &mut u8 = &mut bytes[place / IN_A_BYTE];
        // Symmetric states share a place and have the same distance.
        *byte = *byte - *byte / weight % 3 * weight + residue * weight;
    }
    Some(Program::new(Form::Residues(Table { bytes, helpers })))
}
