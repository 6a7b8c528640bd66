//! Relatives of a game that ships: settings in its spec that leave out kinds or change a rule.

use super::rules::{Kind, KindNumber, Rules, Squares, Try};
use crate::base::subsets::bits;
use crate::game::{Board, NotationError};
use crate::games::settings::{self, Setting};

impl Rules {
    /// Changes the rules by the settings of a spec, which follow the name of the game and a colon:
    /// `pieces=lion+chick` (each side begins with men of these kinds only), `drops=no` (taken men
    /// leave the game), `try=held`, `diagonals=none` (rows on diagonals do not win). Returns the spec with the settings in order.
    pub(super) fn set(&mut self, spec: &str, name: &str) -> Result<String, NotationError> {
        let mut written: [Option<String>; 4] = Default::default();
        let example = format!("{name}:pieces=king+pawn");
        for setting in settings::read(spec, name, &example)? {
            match (setting.key, setting.value) {
                ("pieces", Some(names)) => {
                    let wrong = |(at, message): (usize, String)| setting.wrong_value(at, message);
                    written[0] = self.keep(names).map_err(wrong)?;
                }
                ("drops", Some(_)) => {
                    let otherwise = "taken men are dropped again";
                    let unfit = "no taken man is dropped in this game; leave it out";
                    written[1] = Some(setting.only("no", otherwise, self.to_hand, unfit)?);
                    self.to_hand = false;
                }
                ("try", Some(_)) => {
                    let otherwise = "the rules stay as they are";
                    let fits = !self.check && matches!(self.try_rule, Try::Any | Try::Safe);
                    let unfit = "this game has no try that can be held; leave it out";
                    written[2] = Some(setting.only("held", otherwise, fits, unfit)?);
                    self.try_rule = Try::Held;
                }
                ("diagonals", Some(_)) => {
                    let otherwise = "rows on diagonals win";
                    let board = self.board;
                    let fits = self.goals.iter().any(|&goal| is_diagonal(board, goal));
                    let unfit = "no row on a diagonal wins in this game; leave it out";
                    written[3] = Some(setting.only("none", otherwise, fits, unfit)?);
                    self.goals.retain(|&goal| !is_diagonal(board, goal));
                }
                _ => {
                    let known =
                        "unknown setting; known are pieces=, drops=no, try=held and diagonals=none";
                    return Err(setting.fault(known));
                }
            }
        }
        let written: Vec<_> = written.into_iter().flatten().collect();
        Ok(settings::spec(name, &written))
    }

    /// Leaves only some kinds on the board, given by their names with `+` between them, and those
    /// that they become. Returns the setting in the order of the kinds, or nothing if all stay. An
    /// error has its place.
    fn keep(&mut self, names: &str) -> Result<Option<String>, (usize, String)> {
        let Some(start) = self.start else {
            // Of endings, the spec names the men.
            return Ok(None);
        };
        let begins = |kind: KindNumber| {
            (0..2).any(|side| start.men[side][kind] != 0 || start.hands[side][kind] != 0)
        };
        let kinds = self.written_kinds().filter(|&(kind, _)| begins(kind));
        let begin: Vec<(KindNumber, &Kind)> = kinds.collect();
        let (mut kept, mut at) = (vec![], 0);
        for name in names.split('+') {
            let found = begin.iter().find(|(_, kind)| kind.name == name);
            let Some(&(number, _)) = found else {
                let known: Vec<_> = begin.iter().map(|(_, kind)| &kind.name[..]).collect();
                let known = known.join(", ");
                return Err((at, format!("men are {known}, with + between them")));
            };
            if kept.contains(&number) {
                return Err((at, format!("the {name} is given twice; leave one out")));
            }
            kept.push(number);
            at += name.chars().count() + 1;
        }
        if let Some((_, royal)) = begin
            .iter()
            .find(|(kind, of)| of.royal && !kept.contains(kind))
        {
            let name = &royal.name;
            return Err((0, format!("each side has a {name}; begin with {name}")));
        }
        let names = begin.iter().filter(|(kind, _)| kept.contains(kind));
        let names: Vec<_> = names.map(|(_, kind)| &kind.name[..]).collect();
        let setting = (names.len() < begin.len()).then(|| format!("pieces={}", names.join("+")));
        self.leave_only(&kept);
        Ok(setting)
    }

    /// Leaves out the men of all kinds but these, and the kinds that none of them become.
    fn leave_only(&mut self, begin: &[KindNumber]) {
        let mut kept = self.becoming(begin.iter().copied());
        kept.sort_unstable();
        let number = |kind: KindNumber| kept.get_index_of(&kind).unwrap_or(kind);
        let kinds = kept.iter().map(|&kind| {
            let of = self.kinds[kind].clone();
            Kind {
                promotes_to: of.promotes_to.iter().map(|&kind| number(kind)).collect(),
                in_hand: number(of.in_hand),
                passing: of.passing.map(number),
                passing_of: of.passing_of.map(number),
                ..of
            }
        });
        self.kinds = kinds.collect();
        // No game that ships both castles and has a start.
        self.castling = None;
        if let Some(start) = &mut self.start {
            let all = std::mem::take(start);
            let begins = |(_, kind): &(usize, &KindNumber)| begin.contains(kind);
            for (number, &kind) in kept.iter().enumerate().filter(begins) {
                for side in 0..2 {
                    start.men[side][number] = all.men[side][kind];
                    start.hands[side][number] = all.hands[side][kind];
                }
            }
        }
    }
}

impl Setting<'_> {
    /// The setting, which has only this value; it must fit the game.
    fn only(
        &self,
        value: &str,
        otherwise: &str,
        fits: bool,
        unfit: &str,
    ) -> Result<String, NotationError> {
        let expected = format!("expected '{value}'; without this setting, {otherwise}");
        self.named(&[(value, ())], &expected)?;
        fits.then(|| self.text.to_owned())
            .ok_or_else(|| self.fault(unfit))
    }
}

fn is_diagonal(board: Board, set: Squares) -> bool {
    let (columns, _) = board.size();
    let squares: Vec<_> = bits(set).collect();
    squares.array_windows().all(|&[one, next]| {
        let sideways = (one % columns).abs_diff(next % columns);
        sideways == 1 && next / columns == one / columns + 1
    })
}
