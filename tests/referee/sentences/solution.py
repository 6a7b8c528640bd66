"""Columns of cost 'lure' and 'solution': players who look ahead, and what all best lines have in common.

The sentences do not say which of several best lines is the main line. So a column about it is compared
where all best lines give the same value, and left out elsewhere. The main line of a draw is not said
at all.
"""

from collections import defaultdict
from functools import lru_cache
from math import inf, log2

from common import before

DEPTHS = (1, 2, 3, 4)
SWINDLES = (1, 2, 3, 4, 5, 6)
UNSAID = object()


class Lookers:
    """Players who look a few plies ahead: which moves they like, and where they can be forced to err."""

    def __init__(self, solved):
        self.solved, self.game = solved, solved.game
        free = {self.game.free(state) for state in solved.moves_of}
        self.seen = [{state: self.game.static(state) for state in free}]
        for _ in SWINDLES[1:]:
            self.seen.append({state: max(self.worth(move, len(self.seen)) for move in solved.moves_of[state])
                              for state in free})
        self.swindles = {depth: self.forced(depth) for depth in SWINDLES}

    def worth(self, move, depth):
        """The worth of a move to who looks so many plies ahead."""
        if move.child is None:
            return move.result * inf if move.result else 0
        return -self.seen[depth - 1][self.game.free(move.child)]

    def likes(self, state, depth):
        worths = [(self.worth(move, depth), move) for move in self.solved.moves_of[state]]
        top = max(worth for worth, _ in worths)
        return [move for worth, move in worths if worth == top]

    def forced(self, depth):
        """The plies of a swindle for all drawn states that have one, told from the last mistake back."""
        draws = {state for state in self.solved.moves_of if self.solved.value(state)[0] == 0}
        lured_from, needed_by, open_moves, wave = defaultdict(set), defaultdict(set), {}, []
        for state in draws:
            for move in self.solved.moves_of[state]:
                if move.child in draws:
                    lured_from[move.child].add(state)
        for state in lured_from:
            left = [move for move in self.likes(state, depth) if self.solved.of_move(move)[0] != -1]
            after = {move.child for move in left}
            open_moves[state] = len(after)
            for child in after:
                needed_by[child].add(state)
            if not after:
                wave.append(state)
        found, plies = {}, 2
        while wave:
            fresh = {state for lured in wave for state in lured_from[lured]} - set(found)
            found |= dict.fromkeys(fresh, plies)
            wave, plies = [], plies + 2
            for state in fresh:
                for lured in needed_by[state]:
                    open_moves[lured] -= 1
                    if open_moves[lured] == 0:
                        wave.append(lured)
        return found

    def profile(self, state):
        """How far one must look ahead: look_ahead, lure_run and solved_at of a state."""
        outcome, shares = self.solved.value(state)[0], []
        for depth in DEPTHS:
            liked = self.likes(state, depth)
            shares.append(sum(self.solved.of_move(move)[0] == outcome for move in liked) / len(liked))
        solved_at = next((d for d in DEPTHS if all(share == 1 for share in shares[d - 1 :])), None)
        return sum(1 - share for share in shares), shares.count(0), solved_at


class Lines:
    """What all best lines from a state have in common."""

    def __init__(self, solved):
        self.solved, self.known = solved, {}

    def common(self, name, state, of_turn, join):
        """The value of a column that is joined from all of the solver's turns, or UNSAID if lines differ."""
        key = name, state
        if key not in self.known:
            found = set()
            for move in self.solved.best(state):
                here = of_turn(state, move)
                ends = {here}
                if move.child is not None:
                    replies = [reply.child for reply in self.solved.best(move.child)]
                    rest = {reply and self.common(name, reply, of_turn, join) for reply in replies}
                    ends = {UNSAID if after is UNSAID else here if after is None else join(here, after)
                            for after in rest}
                found |= ends
            self.known[key] = found.pop() if len(found) == 1 else UNSAID
        return self.known[key]

    def unique(self, state):
        """The numbers of only moves that best lines may begin with."""
        key = "unique", state
        if key not in self.known:
            best, found = self.solved.best(state), {0}
            if len(best) == 1:
                replies = self.solved.best(best[0].child) if best[0].child is not None else []
                found = {1 + n for reply in replies for n in (self.unique(reply.child) if reply.child else {0})} or {1}
            self.known[key] = found
        return self.known[key]

    def dual_free(self, state):
        """Whether the solver has an only move all through the tree of defences that hold out as long."""
        key = "tree", state
        if key not in self.known:
            best = self.solved.best(state)
            free = len(best) == 1
            if free and best[0].child is not None:
                free = all(reply.child is None or self.dual_free(reply.child)
                           for reply in self.solved.best(best[0].child))
            self.known[key] = free
        return self.known[key]


def tools(solved):
    """The players and lines of a solved game, made once."""
    if not hasattr(solved, "lookers"):
        solved.lookers, solved.lines = Lookers(solved), Lines(solved)
    return solved.lookers, solved.lines


def said(columns):
    return {name: value for name, value in columns.items() if value is not UNSAID}


def lure_columns(solved, state):
    lookers, _ = tools(solved)
    return {f"swindle_{depth}": lookers.swindles[depth].get(state) for depth in SWINDLES}


def fails(solved, state):
    """The moves with a worse outcome than the best, and those of them with one reply that refutes them."""
    outcome = solved.value(state)[0]
    failing = [move for move in solved.moves_of[state] if solved.of_move(move)[0] < outcome]
    tries = [move for move in failing if move.child is not None
             and sum(solved.of_move(reply)[0] > -outcome for reply in solved.moves_of[move.child]) == 1]
    return failing, tries


@lru_cache(maxsize=1)  # Themes ask for the same state next.
def solution_columns(solved, state):
    """Columns about the first move and the position, which need no main line, and then the others."""
    lookers, lines = tools(solved)
    outcome, plies = solved.value(state)
    best, kinds = solved.best(state), solved.game.kinds
    failing, tries = fails(solved, state)
    wasted, run, solved_at = lookers.profile(state)
    columns = {
        "n_tries": len(tries),
        "score_temptation": min(15, 3 * len(tries) + len(failing) - len(tries)),
        "look_ahead": int(100 * wasted + 1e-9),
        "lure_run": run,
        "solved_at": solved_at,
    }
    for kind in kinds:
        columns[f"key_{kind}"] = agreed({kind in move.kinds for move in best})
    if "hole" in kinds:
        columns["theme_hole_key"] = columns["key_hole"]
    if "shatter" in kinds:
        columns["theme_shattering_key"] = columns["key_shatter"]
    if outcome != 1:
        columns["variations"] = 0
    if outcome:
        columns |= line_columns(solved, state)
    if outcome == 1:
        columns |= win_columns(solved, state)
    if outcome == -1:
        columns |= dict.fromkeys(("line_look_ahead", "line_lure_run", "line_solved_at"))
    return said(columns)


def theme_columns(solved, state):
    """Themes that the position, the first move or the counts of the main line decide."""
    game, columns = solved.game, solution_columns(solved, state)
    outcome, plies = solved.value(state)
    kinds_of = {kind for move in solved.moves_of[state] for kind in move.kinds}
    best_kinds = {kind for move in solved.best(state) for kind in move.kinds}
    themes = {"theme_symmetry": game.board(state, solved)["symmetries"] > 1}
    for theme, kind in (("theme_capture_refused", "capture"), ("theme_mirror_trap", "mirror")):
        if kind in game.kinds:
            themes[theme] = kind in kinds_of and kind not in best_kinds
    if outcome and "quiet" in game.kinds:
        key = columns.get("key_quiet", UNSAID)
        themes["theme_quiet_key"] = key if key is UNSAID or plies > 4 else False
    if "line_sacrifice" in columns:
        themes["theme_sacrifice"] = columns["line_sacrifice"] == 1
        themes["theme_double_sacrifice"] = columns["line_sacrifice"] > 1
    if outcome == 1:
        themes["theme_ban_win"] = tools(solved)[1].common("ban", state, lambda _, move: by_ban(solved, move), max)
    return said(themes)


def by_ban(solved, move):
    """Whether a move wins only because the reply that takes it back is forbidden."""
    return move.child is not None and before(solved.value(solved.game.free(move.child)))[0] != 1


def agreed(values):
    return values.pop() if len(values) == 1 else UNSAID


def line_columns(solved, state):
    """Columns about the main line of a state that is won or lost."""
    _, lines = tools(solved)
    plies = solved.value(state)[1]
    turns = (plies + 1) // 2
    unique = agreed(set(lines.unique(state)))
    bits = lines.common("bits", state, lambda at, _: log2(len(solved.moves_of[at]) / len(solved.best(at))), add)
    columns = {
        "solver_moves": turns,
        "unique_moves": unique,
        "dual_free": UNSAID if unique is UNSAID else unique == turns,
        "difficulty": UNSAID if bits is UNSAID else round(bits),
    }
    for kind in solved.game.kinds:
        columns[f"line_{kind}"] = lines.common(kind, state, lambda _, move, kind=kind: int(kind in move.kinds), add)
    return columns


def win_columns(solved, state):
    """Columns about the solution of a state that is won."""
    lookers, lines = tools(solved)
    game, best = solved.game, solved.best(state)
    wins = sum(solved.of_move(move)[0] == 1 for move in solved.moves_of[state])
    soundness = UNSAID
    if len(best) > 1:
        soundness = "cooked"
    elif lines.dual_free(state):
        soundness = "dualFreeTree"
    elif max(lines.unique(state)) < (solved.value(state)[1] + 1) // 2:
        soundness = "uniqueShortestKey"
    points = {"cooked": 0, "uniqueShortestKey": 10, "dualFreeTree": 30}.get(soundness, UNSAID)
    ahead = lines.common("ahead", state, lambda at, _: lookers.profile(at)[0], max)
    run = lines.common("run", state, lambda at, _: lookers.profile(at)[1], max)
    at = lines.common("at", state, lambda at, _: lookers.profile(at)[2] or 5, max)
    return {
        "soundness": soundness,
        "score_soundness": UNSAID if points is UNSAID else points + 5 * (wins == 1),
        "line_look_ahead": UNSAID if ahead is UNSAID else int(100 * ahead + 1e-9),
        "line_lure_run": run,
        "line_solved_at": None if at == 5 else at,
        "theme_zugzwang": agreed({saved_by_passing(solved, move) for move in best}),
        "theme_underdog": game.static(state) < 0 if "hole" in game.kinds else UNSAID,
    }


def saved_by_passing(solved, move):
    """Whether the defender would not lose after this move if it could pass."""
    after = None if move.child is None else solved.after_pass(move.child)
    return after is not None and after[0] != -1


def add(one, other):
    return round(one + other, 9)
