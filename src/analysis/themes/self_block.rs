//! The defender moves its own piece to where it is lost.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "self-block",
    meaning: "the piece that the solver's last move removes came to its square by the defender's last move, itself or pushed by a piece of its own side",
    worth: 3,
    detect: |story| {
        let mut last = story.plies.iter().rev();
        let (Some(end), Some(before)) = (last.next(), last.next()) else {
            return false;
        };
        let lost = end
            .removed
            .filter(|_| end.solver && end.effect.removed.is_some_and(|leaving| !leaving.own));
        lost.is_some_and(|piece| before.thing == piece || before.pushed.contains(&piece))
    },
};
