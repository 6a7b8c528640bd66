"""Games as environments, with PettingZoo and without."""

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_rules import Nim, Noughts

import tesuji_puzzles as tesuji

START = "3/o2/1wb b -"


def play(env: Any, policy: Any, seed: int) -> dict[str, float]:
    """Plays a game to its end, and gives what each agent got."""
    got: dict[str, float] = dict.fromkeys(env.possible_agents, 0)
    env.reset(seed=seed)
    for agent in env.agent_iter(1000):
        seen, reward, terminated, truncated, info = env.last()
        got[agent] += reward
        env.step(None if terminated or truncated else policy(env, seen, info))
    assert not env.agents
    return got


def best(env: Any, seen: Any, info: Any) -> int:
    legal = np.flatnonzero(seen["action_mask"])
    return max(legal, key=lambda action: info["action_values"][action])


def at_random(env: Any, seen: Any, info: Any) -> int:
    return env.action_space(env.agent_selection).sample(seen["action_mask"])


def test_what_an_agent_sees_and_is_told(tiny: tesuji.Game) -> None:
    env = tesuji.env(tiny)
    env.reset(options={"position": START})
    position = tiny.position(START)
    seen, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (0, False, False)
    assert (seen["observation"] == tiny.boards([START])[0]).all()
    legal = {env.actions[action] for action in np.flatnonzero(seen["action_mask"])}
    assert legal == set(position.legal_moves)
    assert info["value"] == position.value and info["moves"] == position.moves
    worth = {"win": 1, "draw": 0, "loss": -1}
    for move in position.moves:
        assert info["action_values"][env.actions.index(move.name)] == worth[move.value.outcome]
    assert env.observe("player_1")["action_mask"].sum() == 0 and env.infos["player_1"] == {}
    after = position.play(env.actions[best(env, seen, info)])
    env.step(best(env, seen, info))
    assert env.agent_selection == "player_1" and env.position == after
    assert env.render() == str(after)
    again = pickle.loads(pickle.dumps(env))
    assert again.position == after and again.suggest() == env.suggest()
    with pytest.raises(tesuji.NotationError, match="legal"):
        env.step(int(np.flatnonzero(env.observe("player_1")["action_mask"] == 0)[0]))


def test_who_plays_a_best_move_gets_what_the_position_is_worth() -> None:
    noughts = tesuji.from_rules(Noughts())
    assert play(tesuji.env(noughts), best, 0) == {"player_0": 0, "player_1": 0}
    # X to move loses to a player who sees two plies ahead.
    lost = noughts.mine("outcome = 'loss' AND plies = 2", limit=5)["position"]
    for seed in range(5):
        assert play(tesuji.env(noughts, opponent=1, start=lost), at_random, seed) == {"player_0": -1}
    # Without boards and sides: a heap of nim, by the numbers of slots.
    nim = tesuji.env(tesuji.from_rules(Nim(1, 2, 3)), opponent=9, seat=1)
    nim.reset()
    assert nim.agents == ["player_1"] and nim.observe("player_1")["observation"].shape == (1,)
    assert {play(nim, best, seed)["player_1"] for seed in range(5)} == {1}


def test_opponents_of_some_depth(small: tesuji.Game) -> None:
    two = small.mine("outcome = 'win' AND plies = 3 AND n_winning = 1", limit=10)["position"]
    env = tesuji.env(small)
    for text in two:
        position = small.position(text)
        env.reset(options={"position": text})
        assert env.suggest() == env.suggest(3) == position.moves[0].name
        # A win in three is not seen by who looks two plies ahead; a loss in two is.
        assert len({env.suggest(2) for _ in range(60)}) > 1
        losing = {move.name for move in position.moves if move.value.outcome == "loss" and move.value.plies == 2}
        assert not losing & {env.suggest(2) for _ in range(60)}


def test_games_end_by_truncation_and_begin_again(tiny: tesuji.Game) -> None:
    env = tesuji.env(tiny, max_plies=1)
    env.reset(seed=3, options={"position": START})
    env.step(best(env, *[env.last()[at] for at in (0, 4)]))
    assert env.truncations == {"player_0": True, "player_1": True} and not any(env.terminations.values())
    same = [play(tesuji.env(tiny, start=[START], max_plies=30), lambda e, s, i: e.actions.index(e.suggest(2)), 7) for _ in range(2)]
    assert same[0] == same[1]


class Twice(Nim):
    """Nim with sides, for a game whose sides do not take turns."""

    sides = ("Left", "Right")

    def initial(self) -> Any:
        return (0, *super().initial())

    def moves(self, state: Any) -> Any:
        return super().moves(state[1:])

    def play(self, state: Any, move: Any) -> Any:
        after = super().play(state[1:], move)
        return after if isinstance(after, tesuji.Outcome) else (1 - state[0], *after)

    def side(self, state: Any) -> int:
        return state[0]

    def key(self, state: Any) -> str:
        return f"{super().key(state[1:])} {state[0]}"


def test_a_side_may_move_twice(monkeypatch: Any) -> None:
    env = tesuji.env(tesuji.from_rules(Twice(2, 2)))
    env.reset()
    play = tesuji.Position.play

    def again(self: tesuji.Position, move: Any) -> Any:
        after = play(self, move)
        assert isinstance(after, tesuji.Position)
        return tesuji.Position(after.game, after.text, self.side)

    monkeypatch.setattr(tesuji.Position, "play", again)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize(
    "wrong",
    [{"opponent": -1}, {"seat": 2, "opponent": 1}, {"seat": 1}, {"actions": ["a1U", "a1U"]}, {"start": []}, {"max_plies": 0}],
)
def test_arguments_that_make_no_sense(tiny: tesuji.Game, wrong: dict[str, Any]) -> None:
    with pytest.raises(tesuji.ArgumentError):
        tesuji.env(tiny, **wrong)


def test_games_of_other_kinds_and_moves_without_a_number(tiny: tesuji.Game) -> None:
    for spec in ("sliding:2x2", "tsuitate", "kings:3x4"):
        with pytest.raises(tesuji.UnsupportedError, match="two players with wins and losses in a table"):
            tesuji.env(tesuji.open(spec))
    with pytest.raises(tesuji.ArgumentError, match="not among them"):
        tesuji.env(tiny, actions=["pass"]).reset()


def test_without_pettingzoo() -> None:
    script = """
        import sys
        sys.modules["pettingzoo"] = sys.modules["gymnasium"] = None
        import tesuji_puzzles as tesuji
        from test_env import at_random, play
        env = tesuji.env(tesuji.open("tictactoe"), opponent=9)
        assert env.num_agents == 0 and env.max_num_agents == 1 and env.unwrapped is env
        assert all(play(env, at_random, seed)["player_0"] <= 0 for seed in range(5))
        print(env.action_space("player_0").n)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    found = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    assert found.stdout == "9\n", found.stderr


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("opponent", [None, 2])
def test_pettingzoo_finds_the_interface_sound(tiny: tesuji.Game, opponent: int | None) -> None:
    test = pytest.importorskip("pettingzoo.test")
    for game in (tiny, tesuji.from_rules(Nim(2, 3))):
        test.api_test(tesuji.env(game, opponent=opponent, max_plies=40), num_cycles=200)
    test.seed_test(lambda: tesuji.env(tiny, opponent=opponent, start=[START, "initial"]), num_cycles=50)
