//! What all sessions answer alike, written once.

/// Writes methods of [`Session`](super::Session): with `game` those that ask the field
/// `game`; otherwise the getters of interfaces that the session implements itself, or,
/// after `of FIELD`, of those that a session within it gives.
macro_rules! session_methods {
    (game) => {
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
            Ok(self.game.with_past(self.game.diagram(&state), position, &[]))
        }
    };
    (of $part:ident, $($getter:ident: $interface:ident),+) => {
        $(fn $getter(&self) -> Result<&dyn $interface, SessionError> {
            self.$part.$getter()
        })+
    };
    ($($getter:ident: $interface:ident),+) => {
        $(fn $getter(&self) -> Result<&dyn $interface, SessionError> {
            Ok(self)
        })+
    };
}

pub(super) use session_methods;
