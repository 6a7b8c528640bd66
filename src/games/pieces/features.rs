//! The columns of a position, and the kinds of moves.

use super::core::Core;
use super::index::Placing;
use super::movegen::Step;
use super::rules::{KindNumber, Position, Rules, Squares, Try};
use super::state::State;
use super::{Pieces, goals, mates};
use crate::base::subsets::bits;
use crate::game::{Feature, FeatureValue, MoveKind, Symmetric, kinds_in};

/// The columns of all games, in the order of [`What`]. Of what stands in braces with a slash
/// between, the first is said of the side to move and the second of the other side.
const COLUMNS: &str = include_str!("columns.txt");

/// What a column tells. Those that come first, up to the total, are the same in all positions with
/// the same men and hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum What {
    /// Whether the sides still put their men on the board.
    Dropping,
    Men,
    OfKind,
    InHand,
    /// All men of a side in hand, and all that it has.
    Held,
    Total,
    Mobility,
    Threats,
    /// Goals that lack this number of men.
    OpenByOne,
    OpenByTwo,
    Distance,
    OnRim,
    InCheck,
    Checkers,
    RoyalDistance,
    /// The rank of a side's royal man, and how far it is from the nearer side of the board.
    RoyalRank,
    RoyalFile,
    CanTakeRoyal,
    Mate,
    EnPassant,
    /// How far the men of a side have come that change or win by going forward.
    Advance,
    /// The men of a side that can move, but only to where they are attacked.
    Dominated,
    Symmetries,
}

impl What {
    /// The column as [`COLUMNS`] has it.
    fn row(self) -> &'static str {
        COLUMNS.lines().nth(self as usize).unwrap_or_default()
    }
}

/// A column: what it tells, of which side, 0 for the side to move, and of which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    what: What,
    side: usize,
    kind: KindNumber,
}

impl Column {
    /// Whether it is the same in all positions with the same men and hands.
    pub(super) fn is_material(self) -> bool {
        self.what <= What::Total
    }

    pub(super) fn feature(self, rules: &Rules) -> Feature {
        let kind = &rules.kinds[self.kind];
        let letter = kind.letter.to_ascii_lowercase().to_string();
        let royal = ["", ", the royal one included"][usize::from(rules.has_royal())];
        let advancing = rules.advancing().map(|kind| &rules.kinds[kind].name[..]);
        let advancing = advancing.collect::<Vec<_>>().join(", ");
        let values = [
            ("{letter}", &letter[..]),
            ("{kind}", &kind.name),
            ("{royal}", royal),
            ("{advancing}", &advancing),
            ("{longest}", &mates::LONGEST.to_string()),
        ];
        let told = |text: String| {
            let text = (values.iter()).fold(text, |text, (name, value)| text.replace(name, value));
            let parts = text.split(['{', '}']).map(|part| {
                let both = part.split_once('/');
                both.map_or(part, |(own, other)| [own, other][self.side])
            });
            parts.collect::<String>()
        };
        let feature = Feature::read(self.what.row(), |_| Vec::new());
        Feature {
            name: told(feature.name),
            meaning: told(feature.meaning),
            ..feature
        }
    }

    pub(super) fn value(self, game: &Pieces, state: &State) -> FeatureValue {
        let (rules, at, side) = (game.rules(), &state.at, self.side);
        let count = |set: Squares| FeatureValue::count(set.count_ones() as usize);
        match self.what {
            What::Dropping => FeatureValue::flag(game.is_dropping(&at.material())),
            What::Men => count(at.of_side(side)),
            What::OfKind => count(at.men[side][self.kind]),
            What::InHand => FeatureValue::count(at.hands[side][self.kind].into()),
            What::Held => {
                let held = at.hands[side].iter().map(|&men| usize::from(men));
                FeatureValue::count(held.sum())
            }
            What::Total => FeatureValue::count(at.men_of_side(side) as usize),
            What::InCheck => FeatureValue::flag(game.in_check(at)),
            What::RoyalDistance => FeatureValue::known(royal_distance(rules, at)),
            What::RoyalRank => {
                let square = royal_square(rules, at, side);
                FeatureValue::known(square.map(|square| rules.rank_seen_by(side, square)))
            }
            What::RoyalFile => {
                let columns = rules.board.size().0;
                let file = royal_square(rules, at, side).map(|square| square % columns);
                FeatureValue::known(file.map(|file| file.min(columns - 1 - file)))
            }
            What::Mate => FeatureValue::known(game.core.mate(state, mates::LONGEST)),
            What::EnPassant => FeatureValue::flag(at.passing != 0),
            What::Advance => FeatureValue::count(advance(rules, at, side)),
            What::Symmetries => FeatureValue::count(game.symmetries_kept(state) as usize),
            _ => (game.core.known(at)).map_or(FeatureValue::NONE, |placing| {
                self.value_of_placing(&game.core, at, &placing)
            }),
        }
    }

    /// The value of a column about where men go.
    fn value_of_placing(self, core: &Core, at: &Position, placing: &Placing) -> FeatureValue {
        let side = self.side;
        let count = |count: u32| FeatureValue::count(count as usize);
        match self.what {
            What::Mobility => count(core.mobility(placing, &at.hands, side)),
            What::Threats => count(core.threats(placing, &at.hands, side).0),
            What::OpenByOne => FeatureValue::count(core.open_goals(placing, side, 1)),
            What::OpenByTwo => FeatureValue::count(core.open_goals(placing, side, 2)),
            What::Distance => {
                let goals = core.free_goals(placing, side);
                let steps = goals.filter_map(|goal| core.steps_to(goal, at, side));
                FeatureValue::known(steps.min())
            }
            What::OnRim => {
                let last_file = core.rules.board.size().0 - 1;
                let files = core.rules.files_of(1 | 1 << last_file);
                count((placing.taken[side] & (core.home | core.far | files)).count_ones())
            }
            What::Checkers => {
                let royal = royal_square(&core.rules, at, 0);
                let attackers = royal.map_or(0, |royal| core.attackers(placing, 1, royal.into()));
                count(attackers.count_ones())
            }
            What::CanTakeRoyal => FeatureValue::flag(core.takes_royal(placing)),
            What::Dominated => FeatureValue::count(dominated(core, placing, side)),
            _ => FeatureValue::NONE,
        }
    }
}

pub(super) fn columns(rules: &Rules) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut add = |fits: bool, what: What, kind: KindNumber| {
        let sides = 1 + usize::from(what.row().starts_with("{own/opp}"));
        let of_side = |side| Column { what, side, kind };
        columns.extend((0..sides).filter(|_| fits).map(of_side));
    };
    let drops = rules.drop_first || decides_by_goals(rules);
    add(drops, What::Dropping, 0);
    add(true, What::Men, 0);
    let alone = rules.has_one_kind();
    for (kind, man) in rules.written_kinds() {
        add(!man.royal && !alone, What::OfKind, kind);
    }
    let told_by_board = alone && rules.all_men().is_some();
    let held = |kind| rules.can_be_in_hand(kind) && !told_by_board;
    for (kind, _) in rules.written_kinds() {
        add(held(kind), What::InHand, kind);
    }
    let has_hands = rules.written_kinds().any(|(kind, _)| held(kind));
    let goals = !rules.goals.is_empty();
    let (royal, taken) = (rules.has_royal(), rules.takes_royal_men());
    let advances = rules.advancing().next().is_some();
    // Elsewhere, symmetries of the board may exchange ranks and files.
    let upright = royal && (advances || rules.try_rule != Try::Never);
    for (fits, what) in [
        (has_hands, What::Held),
        (has_hands, What::Total),
        (goals, What::Mobility),
        (goals, What::Threats),
        (goals, What::OpenByOne),
        (goals, What::OpenByTwo),
        (goals, What::Distance),
        (goals, What::OnRim),
        (royal, What::InCheck),
        (royal, What::Checkers),
        (royal, What::RoyalDistance),
        (upright, What::RoyalRank),
        (upright, What::RoyalFile),
        (taken, What::CanTakeRoyal),
        (taken, What::Mate),
        (rules.takes_in_passing(), What::EnPassant),
        (advances, What::Advance),
        (royal && !taken, What::Dominated),
        (true, What::Symmetries),
    ] {
        add(fits, what, 0);
    }
    columns
}

fn royal_square(rules: &Rules, at: &Position, side: usize) -> Option<u8> {
    bits(at.men[side][rules.royal_kind()?]).next()
}

fn royal_distance(rules: &Rules, at: &Position) -> Option<u8> {
    let (columns, _) = rules.board.size();
    let (own, other) = (royal_square(rules, at, 0)?, royal_square(rules, at, 1)?);
    let right = (own % columns).abs_diff(other % columns);
    Some(right.max((own / columns).abs_diff(other / columns)))
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
static KINDS: [MoveKind; 11] = [
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
    // The last one is for games with castling only.
    MoveKind::new("castling", false, "moves the royal man and a rook together"),
];

pub(super) fn kinds(rules: &Rules) -> &'static [MoveKind] {
    if decides_by_goals(rules) {
        &goals::KINDS
    } else if rules.castling.is_some() {
        &KINDS
    } else {
        &KINDS[..KINDS.len() - 1]
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
    if step.is_pass() {
        return kinds_in(KINDS.map(|kind| kind.name == "quiet"));
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
        core.is_special && core.rules.way_of(&step).is_some(),
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
