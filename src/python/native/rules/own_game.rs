//! A listed game as the library wants it.

use std::sync::Arc;

use tesuji::game::{
    Board, Feature, FeatureValue, FiniteGame, Game, Moves, Next, NotationError, Playable, Standing,
};

use super::listing::Listing;

/// A game whose positions are listed. States are numbers of positions, moves numbers of names.
pub(super) struct OwnGame(pub Arc<Listing>);

impl Game for OwnGame {
    type State = u32;
    type Move = u32;

    fn spec(&self) -> String {
        self.0.name.clone()
    }

    fn initial(&self) -> u32 {
        0
    }

    fn format_state(&self, state: &u32) -> String {
        self.0.key(*state).to_owned()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        self.0.find(text)
    }

    fn format_move(&self, mv: u32) -> String {
        let name = self.0.names.get_index(mv as usize);
        name.map_or_else(String::new, ToString::to_string)
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotationError> {
        let found = self.0.names.get_index_of(text);
        let found = found.and_then(|place| u32::try_from(place).ok());
        found.ok_or_else(|| {
            let example = self.0.names.first().map_or("", |name| &**name);
            let message = format!("no move is written so; one is written '{example}'");
            NotationError::new(text, 0, message)
        })
    }

    fn side_to_move(&self, state: &u32) -> &'static str {
        let mover = self.0.mover.get(*state as usize).copied().unwrap_or(0);
        self.0.sides[usize::from(mover)]
    }
}

impl Moves for OwnGame {
    fn moves(&self, state: &u32) -> Vec<u32> {
        self.0.moves(*state).map(|(mv, _)| mv).collect()
    }

    fn play(&self, state: &u32, mv: u32) -> Next<u32> {
        let mut moves = self.0.moves(*state);
        let found = moves.find(|(name, _)| *name == mv);
        // Only legal moves are played.
        found.map_or(Next::State(*state), |(_, next)| next)
    }
}

impl FiniteGame for OwnGame {
    fn stage(&self, state: &u32) -> u32 {
        self.0.stages.get(*state as usize).copied().unwrap_or(0)
    }

    fn sides(&self) -> [&'static str; 2] {
        self.0.sides
    }

    fn classes(&self) -> Vec<String> {
        let [first, second] = self.0.sides.map(str::to_lowercase);
        if first == second {
            return vec![first];
        }
        vec![first, second]
    }

    fn features(&self) -> Vec<Feature> {
        self.0.columns.features()
    }

    fn measure(&self, state: &u32, place: usize) -> FeatureValue {
        self.0.columns.value(place, *state)
    }
}

impl Playable for OwnGame {
    fn board(&self) -> Board {
        let pieces = self.0.pieces.as_ref();
        pieces.map_or(Board::new(1, 1), |pieces| pieces.board)
    }

    fn standing(&self, state: &u32) -> Vec<Standing> {
        let pieces = self.0.pieces.as_ref();
        pieces.map_or_else(Vec::new, |pieces| pieces.standing(self.0.key(*state)))
    }
}
