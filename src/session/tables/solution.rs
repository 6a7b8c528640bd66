//! Solutions and verdicts by a table, and solutions as trees to draw and as games in PGN.

use std::collections::HashMap;

use crate::analysis::{
    Fault, Folded, Grade, Length, Looker, Quality, Rated, SetPlay, Solution, Stipulation, Story,
    Then, Try, Turn, check, difficulty, faults, profile_of_line, solving, spell_in, states_after,
    themes, write_defences, write_solution,
};
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::draw::{Role, SolutionTree, TreeNode};
use crate::export::{Mark, PgnGame, PgnMove};
use crate::game::{Drawable, Game, Moves, Oracle, Ranked, Retrograde};
use crate::mine::PuzzleRow;
use crate::session::erased::{AnyMove, AnyState, ErasedGame};
use crate::session::tables::TableSession;
use crate::session::tables::problem::{add_claims, check_task, expect_outcome, expect_side};
use crate::session::{
    CheckReport, Checked, CheckedTable, Checking, DrawnSolution, PlyMove, Result, SessionError,
    SolutionOptions, SolutionReport, Solutions, TableSolution,
};
use crate::table::{Table, TableOracle};

impl TableSession {
    fn solve(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<Solution<ErasedGame>> {
        options.search.refuse(&self.game.spec())?;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let solution = Solution::new(&self.game, &oracle, &state, options.nodes.max(1))?;
        table.expect_unchanged()?;
        Ok(solution)
    }

    /// A stipulation that this game can have, for the side to move.
    fn asked_of(&self, text: &str, state: &AnyState) -> Result<Stipulation> {
        let asked = Stipulation::parse(text)?.in_game(&self.game)?;
        Stipulation::expect_side(text, self.game.side_to_move(state))?;
        Ok(asked)
    }

    /// The stipulation that is asked for, or that of the position's value.
    pub(super) fn stipulation(
        &self,
        table: &Table,
        state: &AnyState,
        asked: Option<&str>,
    ) -> Result<Stipulation> {
        if let Some(asked) = asked {
            return self.asked_of(asked, state);
        }
        let value = TableOracle::of(table, None).value_at(self.game.slot(state))?;
        Ok(Stipulation::of(&self.game, value))
    }
}

impl Solutions for TableSession {
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<SolutionReport> {
        let found = self.solve(position, options, progress)?;
        Ok(SolutionReport::Table(Box::new(data(&self.game, &found))))
    }

    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution> {
        self.game.check_picture()?;
        let found = self.solve(position, options, progress)?;
        Ok(DrawnSolution {
            tree: drawn_tree(&self.game, &found, options),
            words: write_solution(&self.game, &found, options.length).to_string(),
        })
    }

    fn pgn(
        &self,
        row: &PuzzleRow,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<PgnGame> {
        let found = self.solve(&row.position, options, progress)?;
        pgn(&self.game, row, &found, options.length)
    }
}

impl Checking for TableSession {
    fn check(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<CheckReport> {
        let game = &self.game;
        let state = self.read(position)?;
        // Read first: a slip in it should not cost a solve.
        stipulation
            .map(|asked| self.asked_of(asked, &state))
            .transpose()?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        let verdict = check(game, &table, &state, stipulation)?;
        let oracle = TableOracle::new(&table, game)?;
        let story = Story::new(game, &oracle, &verdict.solution)?;
        table.expect_unchanged()?;
        let mut looker = Looker::new(game);
        let profile = profile_of_line(&mut looker, &oracle, &verdict.solution.steps)?;
        let difficulty = difficulty(game, &verdict.solution.steps);
        let look_ahead = profile.map(|profile| profile.hundredths());
        let moves = u32::try_from(game.moves(&state).len()).unwrap_or(u32::MAX);
        let stars = Grade::new(difficulty, look_ahead, moves).stars();
        let solving = verdict.solving.iter();
        let solving = solving.map(|rated| PlyMove::new(game, rated));
        Ok(CheckReport {
            stipulation: stipulation.to_string(),
            sound: verdict.faults.is_empty(),
            faults: verdict.faults.iter().map(|fault| fault.name()).collect(),
            solving: solving.collect(),
            found: Checked::Table(Box::new(CheckedTable {
                themes: themes(&story).map(|theme| theme.name).collect(),
                score: Quality::new(&verdict.solution, &story),
                difficulty,
                stars,
                depth_profile: profile,
                solution: data(game, &verdict.solution),
                purposes: verdict.purposes,
                mendings: verdict.mendings,
            })),
        })
    }

    fn faults(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<Vec<Fault>> {
        let game = &self.game;
        let state = self.read(&row.position)?;
        expect_side(row, game.side_to_move(&state))?;
        let lures = self.lures_of_row(row, progress)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, game)?;
        let value = oracle.value(game, &state)?;
        expect_outcome(row, value)?;
        let (mut found, solving) = if let Some(lures) = lures {
            let mut looker = Looker::new(game);
            match lures.solution(game, &oracle, &mut looker, &state)? {
                None => (vec![Fault::Outcome], Vec::new()),
                Some(solution) => {
                    let mut found = Vec::new();
                    found.extend(check_task(row, &solution).err().map(|_| Fault::Distance));
                    found.extend((solution.keys.len() > 1).then_some(Fault::Cooked));
                    (found, solution.keys)
                }
            }
        } else {
            let asked = self.stipulation(&table, &state, row.asked())?;
            let solving = solving(game, &oracle, &state, asked)?;
            let found = faults(game, &state, asked, value, solving.len());
            (found, solving.iter().map(|rated| rated.mv).collect())
        };
        table.expect_unchanged()?;
        if row.outcome.is_empty() {
            return Ok(found);
        }
        let mut keys = solving.iter().map(|&mv| game.format_move(mv));
        add_claims(row, value, keys.any(|key| key == row.key), &mut found);
        Ok(found)
    }
}

fn data(game: &ErasedGame, found: &Solution<ErasedGame>) -> TableSolution {
    let name = |mv: &AnyMove| game.format_move(*mv);
    let names = |moves: &[AnyMove]| moves.iter().map(name).collect::<Vec<_>>();
    let slower = found.slower.iter().map(|rated| Rated {
        mv: name(&rated.mv),
        value: rated.value,
    });
    let tries = found.tries.iter().map(|this| Try {
        mv: name(&this.mv),
        value: this.value,
        refutation: name(&this.refutation),
    });
    TableSolution {
        game: game.spec(),
        position: game.format_state(&found.state),
        side: game.side_to_move(&found.state).to_owned(),
        value: found.value,
        soundness: found.soundness(),
        only_key: found.only_key(),
        key: found.keys.first().map(name),
        cooks: names(found.keys.get(1..).unwrap_or_default()),
        slower: slower.collect(),
        failing: found.failing,
        tries: tries.collect(),
        set_play: found.set_play.as_ref().map(|play| SetPlay {
            state: game.format_state(&play.state),
            value: play.value,
            line: names(&play.line),
        }),
        line: names(&found.line),
        tree: found.tree.named(|mv| game.format_move(mv)),
        texts: [Length::Main, Length::Short, Length::Full]
            .map(|length| write_solution(game, found, length).to_string()),
    }
}

/// Plies of set play that are drawn.
const SET_PLAY: usize = 6;

/// Duals that are named beside a move; more are counted.
const DUALS: usize = 4;

/// Turns of the attacker in a short tree.
const SHORT: usize = 24;

/// What marks the end of a line that goes on.
const CUT: &str = " \u{2026}";

/// The solution as inert data: the main line, variations, other solutions, tries and
/// set play; with small boards, if wanted, where variations end.
pub(crate) fn drawn_tree(
    game: &ErasedGame,
    solution: &Solution<ErasedGame>,
    options: &SolutionOptions,
) -> SolutionTree {
    let side = game.side_to_move(&solution.state);
    let stipulation = format!("{side} to move: {}", game.spell_value(solution.value));
    let root = game.diagram(&solution.state).stipulation(stipulation);
    let folded = Folded::new(&solution.tree);
    let mut grower = Grower {
        game,
        solution,
        folded: &folded,
        options,
        tree: SolutionTree::new(root),
        tags: tags(&folded),
        seen: vec![false; folded.turns.len()],
        cut: false,
        counted: false,
    };
    if let Some(root) = folded.root {
        grower.variations(root);
    } else {
        grower.line(&solution.state, &solution.line, Role::Main, None);
    }
    if options.length != Length::Main {
        grower.others();
        grower.set_play();
    }
    let drawn = |test: fn(&TreeNode) -> bool| grower.tree.nodes().iter().any(test);
    let duals = drawn(|node| noted(node, '('));
    let any = drawn(|node| node.label == "~");
    let refers = !grower.tags.is_empty() && drawn(|node| noted(node, '='));
    let (counted, cut) = (grower.counted, grower.cut);
    let remarks = [
        (duals, "(\u{2026}): duals, other moves that win as fast."),
        (any, "~: every reply that holds out as long."),
        (counted, "+2: two more defences with the same answer."),
        (refers, "=[1]: goes on as after the move marked [1]."),
        (cut, "\u{2026}: play goes on."),
    ];
    let remarks = remarks.into_iter().filter(|(holds, _)| *holds);
    remarks.fold(grower.tree, |tree, (_, remark)| tree.remark(remark))
}

fn noted(node: &TreeNode, mark: char) -> bool {
    node.note.as_deref().is_some_and(|note| note.contains(mark))
}

/// Numbers for the turns that several variations share.
fn tags(folded: &Folded<AnyMove>) -> HashMap<usize, usize> {
    let turns = &folded.turns;
    let mut reached = vec![0_usize; turns.len()];
    for defence in turns.iter().flat_map(|turn| &turn.defences) {
        if let Then::Turn(next) = defence.then {
            reached[next] += 1;
        }
    }
    // A turn without replies is as short as a reference to it.
    let shared =
        (0..turns.len()).filter(|&turn| reached[turn] > 1 && !turns[turn].defences.is_empty());
    // What is folded first is drawn last.
    shared.rev().zip(1..).collect()
}

struct Grower<'a> {
    game: &'a ErasedGame,
    solution: &'a Solution<ErasedGame>,
    folded: &'a Folded<AnyMove>,
    options: &'a SolutionOptions,
    tree: SolutionTree,
    tags: HashMap<usize, usize>,
    seen: Vec<bool>,
    cut: bool,
    /// Whether defences were counted, not named.
    counted: bool,
}

/// A turn of the attacker that is to be drawn.
struct Waiting {
    turn: usize,
    /// The drawn reply before it.
    after: Option<usize>,
    /// Its number, from 1.
    number: usize,
    role: Role,
    /// The positions before it, after the replies that lead to it; none if they are too many.
    states: Vec<AnyState>,
}

impl Grower<'_> {
    /// The name of a first move.
    fn name(&self, mv: AnyMove) -> String {
        self.game.spell_move(&self.solution.state, mv)
    }

    /// The tree of the defences that hold out longest, the main line first.
    fn variations(&mut self, root: usize) {
        let mut left = match self.options.length {
            Length::Full => usize::MAX,
            Length::Short | Length::Main => SHORT,
        };
        let mut stack = vec![Waiting {
            turn: root,
            after: None,
            number: 1,
            role: Role::Main,
            states: vec![self.solution.state.clone()],
        }];
        while let Some(at) = stack.pop() {
            if left == 0 && at.role != Role::Main {
                self.cut = true;
                self.tree.add(at.after, TreeNode::new(at.role, CUT.trim()));
                continue;
            }
            left = left.saturating_sub(1);
            let turn = &self.folded.turns[at.turn];
            let again = std::mem::replace(&mut self.seen[at.turn], true);
            let node = self.attack(turn, &at, again);
            let drawn = self.tree.add(at.after, node);
            if again {
                continue;
            }
            let states = states_after(self.game, &at.states, &[turn.mv]);
            let main_only = self.options.length == Length::Main;
            let wanted = if main_only { 1 } else { usize::MAX };
            let mut next = Vec::new();
            for (place, defence) in turn.defences.iter().take(wanted).enumerate() {
                let main = at.role == Role::Main && place == 0;
                let role = if main { Role::Main } else { Role::Variation };
                let replies = &defence.replies[..if main_only { 1 } else { defence.replies.len() }];
                let (names, counted) = if main_only {
                    (spell_in(self.game, &states, replies[0]), false)
                } else {
                    write_defences(self.game, &states, defence)
                };
                self.counted |= counted;
                let cut = defence.then == Then::Cut;
                self.cut |= cut;
                let label = format!("{names}{}", if cut { CUT } else { "" });
                let drawn = self.tree.add(Some(drawn), TreeNode::new(role, label));
                if let Then::Turn(turn) = defence.then {
                    next.push(Waiting {
                        turn,
                        after: Some(drawn),
                        number: at.number + 1,
                        role,
                        states: states_after(self.game, &states, replies),
                    });
                }
            }
            stack.extend(next.into_iter().rev());
        }
    }

    /// A turn of the attacker; one that was drawn before refers to itself.
    fn attack(&self, turn: &Turn<AnyMove>, at: &Waiting, again: bool) -> TreeNode {
        let root = Some(at.turn) == self.folded.root;
        let key = if root { "!" } else { "" };
        let name = spell_in(self.game, &at.states, turn.mv);
        let label = format!("{}.{name}{key}", at.number);
        let mut notes = Vec::new();
        if let Some(tag) = self.tags.get(&at.turn) {
            notes.push(format!("{}[{tag}]", if again { "=" } else { "" }));
        }
        // Other keys are cooks, with a row of their own.
        if !root && !turn.duals.is_empty() {
            let named = turn.duals.iter().take(DUALS);
            let named = named.map(|&mv| spell_in(self.game, &at.states, mv));
            let mut named: Vec<_> = named.collect();
            if turn.duals.len() > DUALS {
                named.push(format!("+{}", turn.duals.len() - DUALS));
            }
            notes.push(format!("({})", named.join(", ")));
        }
        let mut node = TreeNode::new(at.role, label);
        node.note = (!notes.is_empty()).then(|| notes.join(" "));
        let last = turn.defences.is_empty();
        if let (true, true, Some(state)) = (self.options.boards, last, at.states.first()) {
            let board = self.game.diagram(state);
            node.board = Some(self.game.with_move(board, state, turn.mv));
        }
        node
    }

    /// Moves in a row from a position on, and what is noted below the first. The side that is to
    /// solve the problem replies in set play.
    fn line(&mut self, state: &AnyState, moves: &[AnyMove], role: Role, note: Option<&str>) {
        let (first, shown) = match role {
            Role::SetPlay => (1, moves.len().min(SET_PLAY)),
            _ => (0, moves.len()),
        };
        let (mut last, mut at) = (None, Some(state.clone()));
        for (place, &mv) in moves.iter().take(shown).enumerate() {
            let ply = place + first;
            let name = spell_in(self.game, at.as_slice(), mv);
            at = at.and_then(|at| self.game.play(&at, mv).state());
            let mut label = match (ply % 2, place) {
                (0, _) => format!("{}.{name}", ply / 2 + 1),
                (_, 0) => format!("{}\u{2026}{name}", ply / 2 + 1),
                _ => name,
            };
            if place + 1 == shown && shown < moves.len() {
                label += CUT;
                self.cut = true;
            }
            let mut node = TreeNode::new(role, label);
            node.note = note.filter(|_| place == 0).map(str::to_owned);
            last = Some(self.tree.add(last, node));
        }
    }

    /// Cooks, slower wins, and tries with their refutations.
    fn others(&mut self) {
        let (game, solution) = (self.game, self.solution);
        let cooks = solution.keys.iter().skip(1);
        let cooks = cooks.map(|&mv| (mv, "cook".to_owned()));
        let slower = solution.slower.iter();
        let slower = slower.map(|rated| (rated.mv, game.spell_value(rated.value)));
        for (mv, note) in cooks.chain(slower) {
            let node = TreeNode::new(Role::Other, format!("1.{}", self.name(mv)));
            self.tree.add(None, node.note(note));
        }
        for this in &solution.tries {
            let node = TreeNode::new(Role::Try, format!("1.{}?", self.name(this.mv)));
            let drawn = self.tree.add(None, node);
            let states = states_after(game, std::slice::from_ref(&solution.state), &[this.mv]);
            let refutation = spell_in(game, &states, this.refutation);
            let node = TreeNode::new(Role::Try, format!("{refutation}!"));
            let note = game.spell_value(this.value);
            self.tree.add(Some(drawn), node.note(note));
        }
    }

    /// What would happen if the other side were to move.
    fn set_play(&mut self) {
        let Some(play) = &self.solution.set_play else {
            return;
        };
        let value = self.game.spell_value(play.value);
        self.line(&play.state, &play.line, Role::SetPlay, Some(&value));
    }
}

/// The most variations of a short solution.
const VARIATIONS: usize = 24;

/// A puzzle with its solution.
///
/// # Errors
/// [`SessionError::NoChess`] if moves have no standard algebraic notation.
fn pgn(
    game: &ErasedGame,
    row: &PuzzleRow,
    found: &Solution<ErasedGame>,
    length: Length,
) -> Result<PgnGame> {
    let san = |mv: &AnyMove| game.san(&found.state, *mv);
    let best: Option<Vec<_>> = found.keys.iter().map(san).collect();
    let best = best.ok_or_else(|| SessionError::NoChess(game.spec()))?;
    let mut writer = Writer {
        game,
        found,
        written: vec![false; found.tree.nodes.len()],
        left: match length {
            Length::Main => 0,
            Length::Short => VARIATIONS,
            Length::Full => usize::MAX,
        },
        cut: length == Length::Full && !found.tree.complete,
    };
    let tries = writer.tries();
    let mut moves = if found.tree.nodes.is_empty() {
        writer.plain(&found.state, &found.line)
    } else {
        writer.line(0, &found.state)
    };
    if let Some(key) = moves.first_mut() {
        key.mark = Some(Mark::Good);
        key.instead.extend(tries);
    }
    let white = game.side_to_move(&found.state) == "White";
    let result = match (found.value.outcome(), white) {
        (Outcome::Draw, _) => "1/2-1/2",
        (Outcome::Win, true) | (Outcome::Loss, false) => "1-0",
        _ => "0-1",
    };
    let wins = found.value.outcome() == Outcome::Win;
    let or = |text: &str, other: &str| {
        let text = if text.is_empty() { other } else { text };
        text.to_owned()
    };
    let is_cut = writer.cut && length != Length::Main;
    let shown = if is_cut { "not all" } else { "" };
    let more = [
        ("Stipulation", row.stipulation.as_str()),
        ("Themes", &row.themes),
        ("Variations", shown),
    ];
    let more = more.into_iter().filter(|(_, text)| !text.is_empty());
    let plies = found.value.plies().filter(|_| wins);
    // No move was made since the last capture, and the first one is to come.
    let fen = |state: &AnyState| format!("{} 0 1", game.format_state(state));
    let before = game.predecessors(&found.state).into_iter().next();
    Ok(PgnGame {
        event: or(row.own("title"), &or(&row.filter, "?")),
        site: or(row.own("source"), "?"),
        author: or(row.own("author"), "?"),
        id: row.puzzle_id.clone(),
        tags: more.map(|(name, text)| (name, text.to_owned())).collect(),
        fen: fen(&found.state),
        before: before.map(|(state, mv)| (fen(&state), game.format_move(mv))),
        line: found.line.iter().map(|&mv| game.format_move(mv)).collect(),
        themes: row.themes.split_whitespace().map(str::to_owned).collect(),
        result,
        moves,
        best,
        mate: plies.map(|plies| plies.div_ceil(2)),
    })
}

struct Writer<'a> {
    game: &'a ErasedGame,
    found: &'a Solution<ErasedGame>,
    /// Whether each turn of the tree is written already.
    written: Vec<bool>,
    /// Variations that may still be added.
    left: usize,
    /// Whether any is left out.
    cut: bool,
}

impl Writer<'_> {
    fn named(&self, state: &AnyState, mv: AnyMove) -> PgnMove {
        PgnMove::new(self.game.san(state, mv).unwrap_or_default())
    }

    /// Moves one after the other.
    fn plain(&self, state: &AnyState, moves: &[AnyMove]) -> Vec<PgnMove> {
        let mut line = Vec::new();
        let mut at = Some(state.clone());
        for &mv in moves {
            let Some(state) = at else { break };
            line.push(self.named(&state, mv));
            at = self.game.play(&state, mv).state();
        }
        line
    }

    fn may_add(&mut self) -> bool {
        let may = self.left > 0;
        self.cut |= !may;
        self.left = self.left.saturating_sub(1);
        may
    }

    /// The line that begins with a turn of the attacker, with its variations.
    fn line(&mut self, node: usize, state: &AnyState) -> Vec<PgnMove> {
        let nodes = &self.found.tree.nodes;
        // The line itself first, so that variations that lead into it end there.
        let (mut path, mut at) = (Vec::new(), Some((node, state.clone())));
        while let Some((node, state)) = at.take() {
            let turn = &nodes[node];
            let again = std::mem::replace(&mut self.written[node], true);
            if !again
                && let Some(reply) = turn.replies.first()
                && let Some(defence) = self.game.play(&state, turn.mv).state()
            {
                at = reply.then.zip(self.game.play(&defence, reply.mv).state());
            }
            path.push((node, state, again));
        }
        // Its duals next: variations may use up what is left.
        let (mut line, mut replies) = (Vec::new(), Vec::new());
        for (node, state, again) in path {
            let turn = &nodes[node];
            let mut attack = self.named(&state, turn.mv);
            for &dual in if again { &[] } else { &turn.duals[..] } {
                if self.may_add() {
                    attack.instead.push(vec![self.named(&state, dual)]);
                }
            }
            line.push(attack);
            let defence = self.game.play(&state, turn.mv).state().filter(|_| !again);
            let Some((defence, (first, others))) = defence.zip(turn.replies.split_first()) else {
                continue;
            };
            let reply = self.named(&defence, first.mv);
            replies.push((line.len(), defence, others));
            line.push(reply);
        }
        for (place, defence, others) in replies {
            for other in others {
                if !self.may_add() {
                    return line;
                }
                let mut variation = vec![self.named(&defence, other.mv)];
                let next = self.game.play(&defence, other.mv).state();
                if let Some((node, state)) = other.then.zip(next) {
                    variation.extend(self.line(node, &state));
                }
                line[place].instead.push(variation);
            }
        }
        line
    }

    /// Moves that fail to one reply, each with it.
    fn tries(&mut self) -> Vec<Vec<PgnMove>> {
        let state = &self.found.state;
        let mut tries = Vec::new();
        for this in &self.found.tries {
            if !self.may_add() {
                break;
            }
            let mut tried = self.plain(state, &[this.mv, this.refutation]);
            for (mv, mark) in tried.iter_mut().zip([Mark::Mistake, Mark::Good]) {
                mv.mark = Some(mark);
            }
            tries.push(tried);
        }
        tries
    }
}
