//! The columns of a position, and the kinds of moves.

use super::Pieces;
use super::core::Core;
use super::goals::{self, GoalColumn};
use super::index::Placing;
use super::movegen::Step;
use super::royal::{self, RoyalColumn};
use super::rules::{KindNumber, Position, Rules, Squares};
use super::state::{State, number, of_side};
use crate::base::subsets::bits;
use crate::game::{Feature, FeatureValue, MoveKind, Symmetric, kinds_in};

/// A column. Side 0 is the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// Whether the sides still put their men on the board.
    Dropping,
    Men(usize),
    OfKind(usize, KindNumber),
    InHand(usize, KindNumber),
    /// All men of a side in hand, and all that it has.
    Held(usize),
    Total(usize),
    Goals(usize, GoalColumn),
    Royal(RoyalColumn),
    EnPassant,
    /// How far the men of a side have come that change or win by going forward.
    Advance(usize),
    /// The men of a side that can move, but only to where they are attacked.
    Dominated(usize),
    Symmetries,
}

impl Column {
    /// Whether it is the same in all positions with the same men and hands.
    pub(super) const fn is_material(self) -> bool {
        matches!(
            self,
            Self::Dropping
                | Self::Men(_)
                | Self::OfKind(..)
                | Self::InHand(..)
                | Self::Held(_)
                | Self::Total(_)
        )
    }

    pub(super) fn feature(self, rules: &Rules) -> Feature {
        let letter = |kind: KindNumber| rules.kinds[kind].letter.to_ascii_lowercase();
        let name = |kind: KindNumber| &rules.kinds[kind].name;
        let men = |side: usize, what: &str, which: &str| {
            number(side, what, format!("men {} {which}", of_side(side))).counts("men")
        };
        let feature = match self {
            Self::Dropping => {
                Feature::flag("dropping", "the side to move puts a man on the board")
            }
            Self::Goals(side, column) => column.feature(side),
            Self::Men(side) => {
                let royal = if rules.has_royal() {
                    ", the royal one included"
                } else {
                    ""
                };
                men(side, "men", &format!("on the board{royal}"))
            }
            Self::OfKind(side, kind) => {
                let which = format!("of the kind {} on the board", name(kind));
                men(side, &letter(kind).to_string(), &which)
            }
            Self::InHand(side, kind) => {
                let which = format!("of the kind {} in hand", name(kind));
                men(side, &format!("hand_{}", letter(kind)), &which)
            }
            Self::Held(side) => men(side, "hand", "in hand"),
            Self::Total(side) => men(side, "total", "on the board and in hand"),
            Self::Royal(column) => column.feature(),
            Self::EnPassant => Feature::flag(
                "en_passant",
                "whether the side to move can take a man in passing",
            ),
            Self::Advance(side) => {
                let kinds: Vec<_> = rules.advancing().map(|kind| &name(kind)[..]).collect();
                let meaning = format!(
                    "ranks that the men {} have come forward from their rank 1, all together, of the kinds {}",
                    of_side(side),
                    kinds.join(", ")
                );
                number(side, "advance", meaning).counts("ranks")
            }
            Self::Dominated(side) => {
                let which = "that can move, but only to squares where they can be captured; royal men and those that promote or win by going forward are not counted, and checks are ignored";
                men(side, "dominated", which)
            }
            Self::Symmetries => Feature::number(
                "symmetries",
                "symmetries of the board that keep the rules and the position, 1 (none but the identity) to 8",
            )
            .counts("symmetries"),
        };
        match self {
            Self::Goals(_, GoalColumn::Distance) | Self::Royal(RoyalColumn::Mate) => feature,
            _ => feature.always(),
        }
    }

    pub(super) fn value(self, game: &Pieces, state: &State) -> FeatureValue {
        let (rules, at) = (game.rules(), &state.at);
        let count = |set: Squares| FeatureValue::count(set.count_ones() as usize);
        match self {
            Self::Dropping => FeatureValue::flag(game.is_dropping(&at.material())),
            Self::Goals(side, column) => column.value(game, at, side),
            Self::Men(side) => count(at.of_side(side)),
            Self::OfKind(side, kind) => count(at.men[side][kind]),
            Self::InHand(side, kind) => FeatureValue::count(at.hands[side][kind].into()),
            Self::Royal(column) => column.value(game, state),
            Self::Held(side) => {
                let held = at.hands[side].iter().map(|&men| usize::from(men));
                FeatureValue::count(held.sum())
            }
            Self::Total(side) => FeatureValue::count(at.men_of_side(side) as usize),
            Self::EnPassant => FeatureValue::flag(at.passing != 0),
            Self::Advance(side) => FeatureValue::count(advance(rules, at, side)),
            Self::Dominated(side) => {
                let placed = game.core.known(at);
                FeatureValue::count(placed.map_or(0, |at| dominated(&game.core, &at, side)))
            }
            Self::Symmetries => FeatureValue::count(game.symmetries_kept(state) as usize),
        }
    }
}

pub(super) fn columns(rules: &Rules) -> Vec<Column> {
    let mut columns = Vec::new();
    if rules.drop_first || decides_by_goals(rules) {
        columns.push(Column::Dropping);
    }
    columns.extend([0, 1].map(Column::Men));
    let alone = rules.has_one_kind();
    for (kind, man) in rules.written_kinds() {
        if !man.royal && !alone {
            columns.extend([0, 1].map(|side| Column::OfKind(side, kind)));
        }
    }
    let without_hands = columns.len();
    for (kind, _) in rules.written_kinds() {
        if rules.can_be_in_hand(kind) && !(alone && rules.all_men().is_some()) {
            columns.extend([0, 1].map(|side| Column::InHand(side, kind)));
        }
    }
    if columns.len() > without_hands {
        columns.extend([0, 1].map(Column::Held));
        columns.extend([0, 1].map(Column::Total));
    }
    if !rules.goals.is_empty() {
        for column in GoalColumn::ALL {
            columns.extend([0, 1].map(|side| Column::Goals(side, column)));
        }
    }
    columns.extend(royal::columns(rules).into_iter().map(Column::Royal));
    if rules.takes_in_passing() {
        columns.push(Column::EnPassant);
    }
    if rules.advancing().next().is_some() {
        columns.extend([0, 1].map(Column::Advance));
    }
    if rules.has_royal() && !rules.takes_royal_men() {
        columns.extend([0, 1].map(Column::Dominated));
    }
    columns.push(Column::Symmetries);
    columns
}

fn advance(rules: &Rules, at: &Position, side: usize) -> usize {
    let men = rules.advancing().flat_map(|kind| bits(at.men[side][kind]));
    men.map(|square| usize::from(rules.rank_seen_by(side, square) - 1))
        .sum()
}

/// The men of a side, of kinds that are neither royal nor advance, all of whose goals are attacked.
fn dominated(core: &Core, at: &Placing, side: usize) -> usize {
    let kinds = core.layer(at).kinds[side].iter().copied();
    let kinds = kinds.filter(|&kind| {
        !core.rules.kinds[kind].royal && core.rules.advancing().all(|other| other != kind)
    });
    let men = kinds.flat_map(|kind| bits(at.men[side][kind]).map(move |from| (kind, from)));
    let is_dominated = |&(kind, from): &(KindNumber, u8)| {
        // What stands behind the man attacks through its square once it has gone.
        let mut gone = *at;
        gone.move_man(side, kind, 1 << from);
        let reach = core.geometry.from(side, kind, from.into());
        let (goes, takes) = reach.targets(gone.all(), gone.taken[1 - side]);
        let mut goals = bits((goes | takes) & core.stands[side][kind]).peekable();
        goals.peek().is_some()
            && goals.all(|to: u8| core.attackers(&gone, 1 - side, to.into()) != 0)
    };
    men.filter(is_dominated).count()
}

#[rustfmt::skip]
const KINDS: [MoveKind; 10] = [
    MoveKind::new("check", true, "attacks the royal man of the other side"),
    MoveKind::new("capture", true, "takes a man"),
    MoveKind::new("drop", false, "brings a man from the hand onto the board"),
    MoveKind::new("promotion", true, "makes a man one of another kind"),
    MoveKind::new("underpromotion", false, "promotes a man, but not to the kind that the rules name first"),
    MoveKind::new("royal", false, "moves the royal man"),
    MoveKind::new("sacrifice", false, "leaves the man that moved, not a royal one, where a man of less worth attacks it, or where it is attacked and not defended; a kind is worth the mean number of squares that its man reaches on an empty board"),
    MoveKind::new("in_passing", false, "takes a man in passing"),
    MoveKind::new("quiet", false, "gives no check, takes nothing, drops nothing and promotes nothing"),
    MoveKind::new("stalemate", false, "leaves the other side without a move, which is a draw"),
];

pub(super) fn kinds(rules: &Rules) -> &'static [MoveKind] {
    if decides_by_goals(rules) {
        &goals::KINDS
    } else {
        &KINDS
    }
}

/// Whether goals win, and nothing else is taken account of in the kinds of moves.
pub(super) fn decides_by_goals(rules: &Rules) -> bool {
    !rules.goals.is_empty() && !rules.has_royal()
}

/// What the kinds of all moves of a position depend on: how many moves of each side complete a
/// goal, the side to move first.
pub(super) fn before(core: &Core, at: &Placing) -> Option<[u32; 2]> {
    let hands = &core.layer(at).material.hands;
    decides_by_goals(&core.rules).then(|| [0, 1].map(|side| core.threats(at, hands, side).0))
}

/// The kinds of a move, a bit set over [`kinds`]; `before` is what [`before`] says of the position,
/// `after` the position after the move, as the side sees it that moved, and `draws` says whether
/// the move ends the game with a draw.
pub(super) fn kinds_of(
    core: &Core,
    before: Option<[u32; 2]>,
    after: &Placing,
    step: Step,
    draws: bool,
) -> u32 {
    if let Some(before) = before {
        return core.goal_kinds(before, after, step);
    }
    let kinds = &core.rules.kinds;
    // A royal man that is taken stays in the position.
    let wins = step.takes.is_some_and(|taken| kinds[taken].royal);
    let royal = core.royals(after, 1);
    let taken = after.all();
    let checks = |kind: KindNumber| {
        let reach = core.geometry.to(0, kind, royal.trailing_zeros() as usize);
        reach.takers(after.men[0][kind], taken) != 0
    };
    let own = core.layer(after).kinds[0].iter().copied();
    let check = !wins && royal != 0 && own.chain([step.becomes]).any(checks);
    let (capture, drop) = (step.takes.is_some(), step.from.is_none());
    let promotion = step.becomes != step.kind;
    let first = kinds[step.kind].promotes_to.first();
    kinds_in([
        check,
        capture,
        drop,
        promotion,
        promotion && first != Some(&step.becomes),
        kinds[step.kind].royal,
        !wins && is_given_up(core, after, step),
        step.in_passing,
        !(check || capture || drop || promotion),
        draws,
    ])
}

/// Whether the side that has just moved gives up the man that moved.
fn is_given_up(core: &Core, after: &Placing, step: Step) -> bool {
    let (kinds, moved) = (&core.rules.kinds, step.becomes);
    let attackers = core.attackers(after, 1, step.to);
    if kinds[moved].royal || attackers == 0 {
        return false;
    }
    if core.attackers(after, 0, step.to) == 0 {
        return true;
    }
    // The man is defended, so a royal man cannot take it without being taken.
    bits(attackers).any(|from| {
        let kind = core.kind_on(after, 1, from.into());
        !kinds[kind].royal && core.worth[kind] < core.worth[moved]
    })
}
