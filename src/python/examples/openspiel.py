"""Games of OpenSpiel, solved by tesuji: a bridge, and three games whose values are known.

pip install open_spiel, then python openspiel.py
"""

import pyspiel

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome


class OpenSpiel:
    """A game of two players who move in turn and see everything, without chance."""

    def __init__(self, name: str) -> None:
        self.game = pyspiel.load_game(name)
        kind = self.game.get_type()
        for fits, what in [
            (self.game.num_players() == 2, "two players"),
            (kind.dynamics == kind.Dynamics.SEQUENTIAL, "players who move in turn"),
            (kind.chance_mode == kind.ChanceMode.DETERMINISTIC, "no chance"),
            (kind.information == kind.Information.PERFECT_INFORMATION, "nothing hidden"),
        ]:
            if not fits:
                raise tesuji.RulesError(f"{name} cannot be solved: a game must have {what}")

    def initial(self) -> pyspiel.State:
        return self.game.new_initial_state()

    def moves(self, state: pyspiel.State) -> list[int]:
        return state.legal_actions()

    def name(self, state: pyspiel.State, action: int) -> str:
        return state.action_to_string(action)

    def side(self, state: pyspiel.State) -> int:
        return state.current_player()

    def play(self, state: pyspiel.State, action: int) -> pyspiel.State | Outcome:
        after = state.child(action)
        if not after.is_terminal():
            return after
        result = after.returns()[state.current_player()]
        return Outcome.WIN if result > 0 else Outcome.LOSS if result < 0 else Outcome.DRAW

    def key(self, state: pyspiel.State) -> str:
        return f"{'/'.join(str(state).split())} {state.current_player()}"


if __name__ == "__main__":
    for name in ["tic_tac_toe", "connect_four(rows=4,columns=4)", "nim(pile_sizes=1;3;5;7)"]:
        game = tesuji.from_rules(OpenSpiel(name), name.split("(")[0])
        print(f"{name}: {len(game):,} positions, {game.position().value}")
