"""What all games of this referee share: a solver, the columns that every game has, a comparison.

A game is an object with these parts. A *state* is anything that can be a key of a dictionary; states
that are images of each other under a symmetry are one.

    spec                  the text that names the game
    kinds, tempting       the kinds of moves, and those of them that tempt
    restricted            whether states with a forbidden move are asked for
    stuck                 the outcome for a side that is to move and cannot; None where no rule says it
    read(row)             the state that a row of the export names
    listed()              all states that the export ought to have
    moves(state)          a list of Move
    free(state)           the state with nothing forbidden
    passed(state)         the state if the side to move passed; a Value if that ends the game; None if it cannot
    place(state)          the position without what is forbidden
    static(state)         what a player sees who looks no ply ahead
    board(state, solved)  the columns that this game alone has, by name

A game in which moves are forbidden also has `named(row, move)`, the name of a move on the board of a row,
and `choice(state, move)`, by which moves count as one. A *value* is an outcome, 1, 0 or -1 for the side
to move, and the plies to the end of the game, or None for a draw.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

WORDS = {1: "win", 0: "draw", -1: "loss"}
DRAW = (0, None)


def turns_of(columns, rows):
    """The symmetries of a board, each of which takes squares (file, rank) to squares."""
    f, r = columns - 1, rows - 1
    ways = [lambda a, b: (a, b), lambda a, b: (f - a, b), lambda a, b: (a, r - b), lambda a, b: (f - a, r - b)]
    if f == r:
        ways += [lambda a, b, way=way: way(b, a) for way in ways[:]]
    return ways


class Move(NamedTuple):
    """A move: its name, and either the state it leads to or the outcome with which it ends the game."""

    name: str
    child: object
    result: int | None
    kinds: frozenset


def rank(value):
    """A key by which better values are greater: short wins first, long losses last but best of losses."""
    outcome, plies = value
    return (outcome, -plies if outcome == 1 else plies if outcome == -1 else 0)


def before(value):
    """The value of a move that leads to a state of this value, for the side that makes it."""
    outcome, plies = value
    return DRAW if outcome == 0 else (-outcome, plies + 1)


class Value(tuple):
    """A value that `passed` gives where a pass ends the game."""


class Solved:
    """The values of all states that can be met from some of them, and which of these some move leads to."""

    def __init__(self, game, states):
        self.game, self.moves_of, self.value_of = game, {}, {}
        self._explore(states)
        self._solve()
        self.best = cache(self.best)
        self.entered = {move.child for state in states for move in self.moves_of[state]} - {None}
        self.bans = defaultdict(set)
        for state in self.entered:
            if game.free(state) != state:
                self.bans[game.free(state)].add(state)

    def _explore(self, states):
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state in self.moves_of:
                continue
            moves = self.moves_of[state] = self.game.moves(state)
            waiting.extend(move.child for move in moves if move.child is not None)
            passed = self.game.passed(state)
            waiting.append(self.game.free(state))
            if passed is not None and not isinstance(passed, Value):
                waiting.append(passed)

    def _solve(self):
        """Tells each value to the states before, in the order of plies; what is never told is a draw."""
        parents, open_moves, wave = defaultdict(list), {}, []
        for state, moves in self.moves_of.items():
            open_moves[state] = sum(move.result != -1 for move in moves)
            for move in moves:
                if move.child is not None:
                    parents[move.child].append(state)
            if any(move.result == 1 for move in moves):
                self.value_of[state] = (1, 1)
                wave.append(state)
            elif open_moves[state] == 0:
                self.value_of[state] = (-1, 1)
                wave.append(state)
        while wave:
            following = []
            for state in wave:
                outcome, plies = self.value_of[state]
                for parent in parents[state]:
                    if parent in self.value_of:
                        continue
                    open_moves[parent] -= outcome == 1
                    if outcome == -1 or open_moves[parent] == 0:
                        self.value_of[parent] = (-outcome, plies + 1)
                        following.append(parent)
            wave = following

    def value(self, state):
        """The value of a state for the side to move."""
        return self.value_of.get(state, DRAW)

    def of_move(self, move):
        """The value of a move for the side that makes it, the move counted."""
        if move.child is None:
            return (move.result, 1 if move.result else None)
        return before(self.value(move.child))

    def best(self, state):
        """The moves with the best value."""
        top = rank(self.value(state))
        return [move for move in self.moves_of[state] if rank(self.of_move(move)) == top]

    def after_pass(self, state):
        """The value for the side to move if it passed, the pass counted; None if it cannot."""
        passed = self.game.passed(state)
        if passed is None or isinstance(passed, Value):
            return passed
        return before(self.value(passed))


def record_columns(solved, state):
    """Columns of cost 'record': what the table says of a state. Moves that remove nothing can be forbidden."""
    game, value = solved.game, solved.value(state)
    restricted = game.free(state) != state
    columns = {
        "outcome": WORDS[value[0]],
        "plies": value[1],
        "plies_to_checkmate": None if value[1] is None else value[1] - 1,
        "restricted": restricted,
    }
    if not game.restricted:
        return columns
    best = solved.best(state)
    chosen = {game.choice(state, move) for move in best}
    bannable = len(chosen) == 1 and not restricted and not best[0].kinds & {"capture", "sacrifice"}
    columns["bannable_best"] = bannable
    rest = [solved.of_move(move) for move in solved.moves_of[state] if game.choice(state, move) not in chosen]
    if bannable and not rest:
        # No sentence says how many plies there are to the end if no move is left.
        if game.stuck is not None:
            columns["banned_outcome"] = WORDS[game.stuck]
    else:
        banned = max(rest, key=rank) if bannable else value
        columns["banned_outcome"], columns["banned_plies"] = WORDS[banned[0]], banned[1]
    if bannable:
        columns["bannable_move"] = best[0]
    return columns


def pass_columns(solved, state):
    """Columns of cost 'pass': what would be if the side to move could pass."""
    value, after = solved.value(state), solved.after_pass(state)
    if after is None:
        return dict.fromkeys(("passed_outcome", "passed_plies", "zugzwang", "mutual_zugzwang"))
    return {
        "passed_outcome": WORDS[after[0]],
        "passed_plies": after[1],
        "zugzwang": rank(after) > rank(value),
        "mutual_zugzwang": value[0] < after[0],
    }


def ban_columns(solved, state):
    """Columns of cost 'ban': the moves that may have led to a state."""
    game = solved.game
    free, value = game.free(state), solved.value(state)
    unbanned = solved.value(free)
    return {
        "arises": state in solved.entered,
        "n_bans": len(solved.bans[free]),
        "ban_decides": any(solved.value(banned)[0] != unbanned[0] for banned in solved.bans[free]),
        "free_outcome": WORDS[unbanned[0]],
        "free_plies": unbanned[1],
        "ban_hurts": state != free and value[0] < unbanned[0],
    }


def kind_columns(solved, state):
    """Columns of cost 'kind': moves of one kind by what they are worth."""
    columns, best = {}, solved.best(state)
    for kind in solved.game.kinds:
        moves = [move for move in solved.moves_of[state] if kind in move.kinds]
        columns[f"n_{kind}"] = len(moves)
        columns[f"best_{kind}"] = sum(kind in move.kinds for move in best)
        for word, outcome in (("winning", 1), ("drawing", 0), ("losing", -1)):
            columns[f"{word}_{kind}"] = sum(solved.of_move(move)[0] == outcome for move in moves)
    return columns


def play_columns(solved, state):
    """Columns of cost 'play': the values of all moves."""
    game, value, moves = solved.game, solved.value(state), solved.moves_of[state]
    values = {move: solved.of_move(move) for move in moves}
    by_outcome = {outcome: [move for move in moves if values[move][0] == outcome] for outcome in WORDS}
    wins = sorted(values[move][1] for move in by_outcome[1])
    tempting = [move for move in moves if move.kinds & game.tempting]
    worst = min((values[move] for move in tempting), key=rank, default=None)
    best, ordered = solved.best(state), sorted(values.values(), key=rank, reverse=True)
    second = ordered[1] if len(moves) > 1 else (None, None)
    columns = {
        "only_move": len(best) == 1,
        "best_move": best[0] if len(best) == 1 else None,
        "second_outcome": WORDS.get(second[0]),
        "second_plies": second[1],
        "second_margin": abs(second[1] - value[1]) if second[0] == value[0] != 0 else None,
        "n_moves": len(moves),
        "n_winning": len(by_outcome[1]),
        "n_drawing": len(by_outcome[0]),
        "n_losing": len(by_outcome[-1]),
        "n_best": len(best),
        "win_margin": wins[1] - wins[0] if len(wins) > 1 else None,
        "n_failing": sum(values[move][0] < value[0] for move in moves),
        "n_tempting": len(tempting),
        "failing_tempting": sum(values[move][0] < value[0] for move in tempting),
        "worst_tempting": WORDS[worst[0]] if worst else None,
        "worst_tempting_plies": worst[1] if worst else None,
        "tempting_refused": bool(tempting) and not any(move in best for move in tempting),
        "fastest_loss": min((values[move][1] for move in by_outcome[-1]), default=None),
        "winning_by_ban": 0,
        "saving_by_ban": 0,
    }
    for word, outcome in (("winning", 1), ("drawing", 0), ("losing", -1)):
        places = {None if move.child is None else game.place(move.child) for move in by_outcome[outcome]}
        columns[f"{word}_positions"] = len(places)
    for move in moves:
        if move.child is not None:
            unbanned = before(solved.value(game.free(move.child)))[0]
            columns["winning_by_ban"] += values[move][0] == 1 and unbanned != 1
            columns["saving_by_ban"] += values[move][0] != -1 and unbanned == -1
    return columns


def ask(command):
    """What a command prints; ends with exit code 2 if it could not be done."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(cannot(command, error))
    if done.returncode:
        sys.exit(cannot(command, done.stderr))
    return done.stdout


def cannot(command, why):
    print(f"could not be done: {' '.join(command)}\n{why}", file=sys.stderr)
    return 2


def export(program, spec, columns, restricted, folder):
    """The rows of an export as dictionaries, each with its position."""
    columns = dict.fromkeys([*columns, "position"])
    command = [program, "export", spec, "--columns", ",".join(columns), "--format", "jsonl"]
    command += ["--output", str(folder)] + ["--restricted"] * restricted
    ask(command)
    for file in sorted(Path(folder, "data").rglob("*.jsonl")):
        with open(file) as lines:
            yield from map(json.loads, lines)


class Tally:
    """How often a column was compared and differed, with the first examples."""

    def __init__(self):
        self.compared, self.differing, self.examples = 0, 0, []

    def add(self, position, program, words):
        self.compared += 1
        if not same(program, words):
            self.differing += 1
            if len(self.examples) < 3:
                self.examples.append((position, program, words))


def same(program, words):
    """Whether two cells are equal; true is not 1, and decimal numbers may differ by their last digits."""
    if isinstance(program, float) or isinstance(words, float):
        return None not in (program, words) and abs(program - words) < 1e-4
    return program == words and isinstance(program, bool) == isinstance(words, bool)


def meanings(program, spec):
    """The sentence of each column, as the program lists them."""
    return {column["name"]: column["meaning"] for column in json.loads(ask([program, "features", spec, "--json"]))}


def referee(program, game, makers):
    """Compares all rows of a game: gives how many there are, a Tally for each column, and the sentences."""
    sentences = meanings(program, game.spec)
    with tempfile.TemporaryDirectory() as folder:
        columns = list(sentences) + ["best_move", "bannable_move"] * hasattr(game, "named")
        rows = list(export(program, game.spec, columns, game.restricted, Path(folder, "states")))
    states = [game.read(row) for row in rows]
    listed = set(game.listed())
    solved = Solved(game, listed.union(states))
    tallies, found = defaultdict(Tally), set()
    for row, state in zip(rows, states):
        position = row["position"]
        tallies["(states)"].add(position, "listed twice" if state in found else "listed",
                              "listed" if state in listed else "not a state")
        found.add(state)
        columns = dict(game.board(state, solved))
        for make in makers:
            columns |= make(solved, state)
        for name, words in columns.items():
            if name in ("best_move", "bannable_move") and words and name in row:
                words = game.named(row, words)
            if name in row:
                tallies[name].add(position, row[name], words)
    for state in listed - found:
        tallies["(states)"].add(str(state), "not listed", "listed")
    return len(rows), tallies, sentences
