//! What all sessions answer alike, written once.

/// Writes the methods of [`Session`](super::Session) that ask the field `game`.
macro_rules! session_methods {
    () => {
        fn spec(&self) -> String {
            self.game.spec()
        }

        fn family(&self) -> String {
            self.game.family()
        }

        fn position(&self, text: &str) -> Result<Position, SessionError> {
            crate::session::lines::position(&self.game, text)
        }

        fn diagram(&self, position: &str) -> Result<Diagram, SessionError> {
            self.game.check_picture()?;
            let state = crate::session::lines::read(&self.game, position)?;
            Ok(self
                .game
                .with_past(self.game.diagram(&state), position, &[]))
        }
    };
}

pub(super) use session_methods;
