//! Rules in words, for people who do not know a game.

/// A rule of a game, as a book has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleInWords {
    /// What it is about, in a word or two.
    pub title: &'static str,
    /// What it says, in a few sentences.
    pub text: String,
    /// What shows it on a board.
    pub example: RuleExample,
}

/// What shows a rule on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleExample {
    /// Nothing.
    None,
    /// The initial position.
    Initial,
    /// A position that play comes to early, with a move of this kind.
    Kind(&'static str),
    /// A position with a move, both in the game's notation.
    Position(&'static str, &'static str),
}

impl RuleInWords {
    /// A rule.
    #[must_use]
    pub fn new(title: &'static str, text: impl Into<String>, example: RuleExample) -> Self {
        Self {
            title,
            text: text.into(),
            example,
        }
    }
}
