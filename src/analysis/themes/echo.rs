//! Two variations end in symmetric positions.

use super::Theme;

pub(super) const THEME: Theme = Theme {
    name: "echo",
    meaning: "before the last move of two variations the positions are mirror images or rotations of one another",
    worth: 4,
    detect: |story| story.echo,
};
