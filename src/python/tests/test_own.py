"""Games of one's own: their tables, their names, their pickles, and a look at their rules."""

import importlib
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from test_arrays import Heaps
from test_rules import Nim, Noughts

import tesuji_puzzles as tesuji


class Misere(Nim):
    def play(self, heaps: Any, move: Any) -> Any:
        after = super().play(heaps, move)
        return tesuji.Outcome.LOSS if after is tesuji.Outcome.WIN else after


@pytest.mark.parametrize("rules", [Nim(3, 5, 7), Heaps(3, 4, 5), Noughts()])
def test_a_table_of_ones_own_game_opens_again(rules: Any, tmp_path: Any) -> None:
    path = tmp_path / "own.tsj"
    solved = tesuji.from_rules(rules, "mine")
    solved.solve(path)
    opened = tesuji.from_rules(rules, "mine", table=path)
    slots = range(len(solved))
    assert opened.evaluate(slots).to_dict() == solved.evaluate(slots).to_dict()


def test_a_table_of_other_rules_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "own.tsj"
    tesuji.from_rules(Nim(3, 5, 7), "mine").solve(path)
    # As many positions, and other values.
    with pytest.raises(tesuji.TableError, match="of other rules: its value of '"):
        tesuji.from_rules(Misere(3, 5, 7), "mine", table=path)
    with pytest.raises(tesuji.TableError, match="of other rules that are also called mine"):
        tesuji.from_rules(Nim(3, 5), "mine", table=path)
    with pytest.raises(tesuji.TableError, match="nim"):
        tesuji.from_rules(Nim(3, 5, 7), table=path)


def test_positions_of_different_games_with_one_name_differ() -> None:
    nim, again = tesuji.from_rules(Nim(1, 2), "mine"), tesuji.from_rules(Nim(1, 2), "mine")
    misere = tesuji.from_rules(Misere(1, 2), "mine")
    assert nim.position() == again.position() and hash(nim.position()) == hash(again.position())
    assert nim.position() != misere.position()


def test_rules_of_installed_packages_are_opened_by_name(tmp_path: Any, monkeypatch: Any) -> None:
    info = tmp_path / "heaps-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heaps\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tesuji.games]\nthree-heaps = three_heaps:rules\nnoughts = test_rules:Noughts\n")
    (tmp_path / "three_heaps.py").write_text("from test_rules import Nim\nrules = Nim(1, 2, 3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    game = tesuji.open("three-heaps")
    assert game.spec == "three-heaps" and str(game.position().value).startswith("loss")
    assert tesuji.open("noughts").position().value.outcome == "draw"
    with pytest.raises(tesuji.GameError):
        tesuji.open("four-heaps")


def outcome_of(position: tesuji.Position) -> str:
    return position.value.outcome.value


def plies_of(asked: tuple[tesuji.Game, str]) -> Any:
    game, text = asked
    return game.evaluate([text])


def test_games_positions_and_frames_go_to_other_processes(tiny: tesuji.Game, tmp_path: Any) -> None:
    heaps, nim = tesuji.from_rules(Heaps(2, 3)), tesuji.from_rules(Nim(2, 3))
    tiny.solve(tmp_path / "tiny.tsj")
    with_table = tesuji.open_table(tmp_path / "tiny.tsj")
    positions = [game.position() for game in (heaps, nim, tiny, with_table)]
    positions += [heaps.position("2-2"), nim.position("2-2")]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(outcome_of, positions) == [outcome_of(position) for position in positions]
        asked = [(position.game, position.text) for position in positions]
        for ours, theirs in zip(map(plies_of, asked), pool.map(plies_of, asked), strict=True):
            assert ours.to_dict() == theirs.to_dict() and ours.schema == theirs.schema
    assert [pickle.loads(pickle.dumps(position)) for position in positions] == positions
    puzzles = tiny.mine("plies > 3", limit=4)
    again = pickle.loads(pickle.dumps(puzzles))
    assert again.to_dict() == puzzles.to_dict() and again.matched == puzzles.matched
    assert again.game is pickle.loads(pickle.dumps(tiny)), "one game a process"
    states = tiny.states(["plies"], sample=3, restricted=True, position=True)
    assert pa.table(pickle.loads(pickle.dumps(states))) == pa.table(states)
    some = tiny.states(slots=range(7, 90))
    assert pa.table(pickle.loads(pickle.dumps(some))) == pa.table(some)
    moves = tiny.states(moves=True)
    assert pa.table(pickle.loads(pickle.dumps(moves))) == pa.table(moves)
    tesuji.open("hexapawn").solve(tmp_path / "tiny.tsj", force=True)
    assert pickle.loads(pickle.dumps(tesuji.open_table(tmp_path / "tiny.tsj"))).spec == "hexapawn"


def test_joblib_shares_games_with_its_processes(tiny: tesuji.Game) -> None:
    joblib = pytest.importorskip("joblib")
    nim = tesuji.from_rules(Nim(2, 3))
    positions = [tiny.position(), *(nim.position(text) for text in nim.evaluate(range(6))["position"])]
    with joblib.parallel_config(backend="loky", n_jobs=2):
        found = joblib.Parallel()(joblib.delayed(outcome_of)(position) for position in positions)
        # Rules that exist in this function only, as in a notebook.
        local = tesuji.from_rules(type("Local", (Nim,), {})(1, 2))
        frames = joblib.Parallel()(joblib.delayed(local.evaluate)([slot]) for slot in range(3))
    assert found == [outcome_of(position) for position in positions]
    assert [frame[0] for frame in frames] == list(local.evaluate(range(3)))


def broken(base: type = Nim, **methods: Any) -> Any:
    return type("Broken", (base,), methods)(3, 2)


FIRST = {"n": 0}


def restless(self: Any, heaps: Any) -> Any:
    FIRST["n"] += 1
    return [(i, n) for i, heap in enumerate(heaps) for n in range(1, heap + 1)][:: 1 if FIRST["n"] % 2 else -1]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (broken(key=lambda self, s: str(sum(s))), r"the key '\d' stands for two positions, \(.*only one of them leads to"),
        (broken(play=lambda self, s, m: True), "play\\(\\) gives True in '2-3', move"),
        (broken(play=lambda self, s, m: None), "play\\(\\) gives None"),
        (broken(key=lambda self, s: 5), "gives 5, no str"),
        (broken(moves=restless), "when asked again"),
        (broken(moves=lambda self, s: []), "no moves in '2-3'"),
        (broken(name=lambda self, s, m: "x"), "two moves have one name in '2-3', move 'x'"),
        (broken(side=lambda self, s: 0), "let the other side pass"),
        (broken(side=lambda self, s: True), "side\\(\\) gives True|let the other"),
        (broken(stage=lambda self, s: sum(s)), "no move may lead to a smaller stage"),
        (broken(Heaps, key=lambda self, s: "x", parse=lambda self, t: 0x23), "stands for two states"),
        (broken(Heaps, canonical=lambda self, s: s + 1), "canonical|parse"),
        (broken(Heaps, side=lambda self, s: s * 0), "let the other side pass"),
    ],
)
def test_a_look_at_rules_tells_contradictions_with_examples(rules: Any, message: str) -> None:
    with pytest.raises(tesuji.RulesError, match=message):
        tesuji.check_rules(rules)


def test_a_look_at_arrays_that_depend_on_their_neighbours() -> None:
    def expand(self: Any, states: Any) -> Any:
        place, child, over, move = Heaps.expand(self, states)
        return place, child, over, move + 16 * (states[0] == max(states))

    with pytest.raises(tesuji.RulesError, match="other moves when other states stand beside it"):
        tesuji.check_rules(broken(Heaps, expand=expand))


class Whole(Nim):
    """Nim whose stages are whole numbers of numpy."""

    def stage(self, heaps: Any) -> Any:
        return np.int64(15 - sum(heaps))


@pytest.mark.parametrize("rules", [Nim(3, 5, 7), Heaps(3, 4, 5), Noughts(), Whole(3, 5, 7)])
def test_a_look_at_sound_rules_says_nothing(rules: Any) -> None:
    tesuji.check_rules(rules)


class Endless:
    """Every game is another position."""

    deepest = 0

    def initial(self) -> Any:
        return (0,)

    def moves(self, path: Any) -> Any:
        return (1, 2)

    def play(self, path: Any, move: int) -> Any:
        self.deepest = max(self.deepest, len(path))
        return (*path, move)

    def key(self, path: Any) -> str:
        return "".join(map(str, path))


class EndlessArrays:
    deepest = 0

    def initial(self) -> int:
        return 1

    def expand(self, states: Any) -> Any:
        self.deepest = max(self.deepest, int(states.max()).bit_length())
        child = states.repeat(2) * 2 + np.tile(np.array([0, 1], dtype=np.uint64), len(states))
        return np.arange(len(child)) // 2, child, child * 0


@pytest.mark.parametrize("rules", [Endless(), EndlessArrays()])
def test_a_look_at_rules_without_end_goes_deep_and_ends(rules: Any) -> None:
    tesuji.check_rules(rules, positions=300)
    assert 30 < rules.deepest < 60
