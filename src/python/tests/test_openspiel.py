"""The bridge to OpenSpiel, with games whose values are known."""

import importlib.util
from pathlib import Path

import pytest

import tesuji_puzzles as tesuji

pyspiel = pytest.importorskip("pyspiel")

BRIDGE = Path(__file__).parent.parent / "examples" / "openspiel.py"


def bridge():
    spec = importlib.util.spec_from_file_location("openspiel", BRIDGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.OpenSpiel


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("tic_tac_toe", "draw"),
        # J. Tromp, "John's Connect Four Playground": 4x4 is a draw.
        ("connect_four(rows=4,columns=4)", "draw"),
        # The heaps cancel (Bouton 1901), also where who takes the last one loses.
        ("nim(pile_sizes=1;3;5;7)", "loss"),
        ("nim(pile_sizes=1;3;5;6)", "win"),
        # Who begins wins Hex (Nash).
        ("hex(board_size=3)", "win"),
    ],
)
def test_values_are_the_known_ones(name: str, outcome: str) -> None:
    game = tesuji.from_rules(bridge()(name), "openspiel")
    assert game.position().value.outcome == outcome


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("kuhn_poker", "no chance"),
        ("backgammon", "no chance"),
        ("dark_hex", "nothing hidden"),
        ("matrix_rps", "in turn"),
        ("solitaire", "two players"),
    ],
)
def test_other_kinds_of_games_are_refused(name: str, what: str) -> None:
    with pytest.raises(tesuji.RulesError, match=f"{name} cannot be solved.*{what}"):
        bridge()(name)


def test_the_bridge_is_short() -> None:
    text = BRIDGE.read_text()
    start = text.index("class OpenSpiel")
    assert text[start : text.index('if __name__')].strip().count("\n") + 1 <= 40
