//! The rules of a game with their diagrams, for books.

use super::SessionError;
use crate::base::random::SplitMix64;
use crate::book::Rule;
use crate::draw::Diagram;
use crate::game::{Drawable, Game, Moves, Next, RuleExample, RuleInWords};

/// Games that are played at random in the search for an example, and the moves of each.
const GAMES: u64 = 200;
const LONGEST: usize = 60;

/// The rules of a game of which every example is the initial position or one that is given.
pub(super) fn plain<G: Drawable>(game: &G) -> Result<Vec<Rule>, SessionError> {
    let rules = game.rules_in_words().into_iter();
    rules.map(|rule| shown(game, rule, |_| None)).collect()
}

/// The rules of a game with moves that can be listed.
pub(super) fn with_examples<G: Drawable + Moves>(game: &G) -> Result<Vec<Rule>, SessionError> {
    let rules = game.rules_in_words().into_iter();
    let found = rules.map(|rule| {
        shown(game, rule, |kind| {
            let (state, mv) = example(game, kind)?;
            Some(game.with_move(game.diagram(&state), &state, mv))
        })
    });
    found.collect()
}

/// A rule with its diagram.
fn shown<G: Drawable>(
    game: &G,
    rule: RuleInWords,
    of_kind: impl Fn(&str) -> Option<Diagram>,
) -> Result<Rule, SessionError> {
    game.check_picture()?;
    let diagram = match rule.example {
        RuleExample::None => None,
        RuleExample::Initial => Some(game.diagram(&game.initial())),
        RuleExample::Kind(kind) => of_kind(kind),
        RuleExample::Position(position, mv) => {
            let state = super::lines::read(game, position)?;
            let mv = game.parse_move(mv).map_err(SessionError::Move)?;
            Some(game.with_move(game.diagram(&state), &state, mv))
        }
    };
    Ok(Rule {
        title: rule.title.to_owned(),
        text: rule.text,
        diagram,
    })
}

/// A move of a kind, as early as one comes in games played at random; always the same.
fn example<G: Moves>(game: &G, kind: &str) -> Option<(G::State, <G as Game>::Move)> {
    let place = game.kinds().iter().position(|known| known.name == kind)?;
    let mut most = LONGEST;
    let mut earliest = None;
    for number in 0..GAMES {
        let mut numbers = SplitMix64::new(number);
        let mut state = game.initial();
        for plies in 0..most {
            let moves = game.moves(&state);
            let mut of_kind = moves.iter();
            let of_kind = of_kind.find(|&&mv| game.kinds_of(&state, mv) >> place & 1 == 1);
            if let Some(&mv) = of_kind {
                earliest = Some((state, mv));
                most = plies;
                break;
            }
            let choice = numbers.next() % (moves.len() as u64).max(1);
            let Some(&mv) = moves.get(usize::try_from(choice).unwrap_or(0)) else {
                break;
            };
            match game.play(&state, mv) {
                Next::State(next) => state = next,
                Next::Over(_) => break,
            }
        }
    }
    earliest
}
