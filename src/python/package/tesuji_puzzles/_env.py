"""A game as an environment with the interface of PettingZoo (AEC)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from ._arguments import library, texts, whole
from ._errors import ArgumentError, UnsupportedError
from ._game import Game
from ._position import Position
from ._values import Move, Outcome, Value

numpy = library("numpy", "environments")

#: What an outcome is worth to the side that it is of.
WORTH = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}


try:
    _Base: Any = import_module("pettingzoo").AECEnv
except ImportError:
    _Base = object


class Discrete:
    """The numbers below ``n``, as ``gymnasium.spaces.Discrete``, where that is not installed."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._chance = random.Random()

    def seed(self, seed: int | None = None) -> None:
        self._chance.seed(seed)

    def contains(self, number: Any) -> bool:
        return bool(0 <= number < self.n)

    def sample(self, mask: Any = None) -> int:
        return self._chance.choice([number for number in range(self.n) if mask is None or mask[number]])


class Env(_Base):  # type: ignore[misc]
    """A game as an environment. :func:`env` makes one."""

    def __init__(
        self,
        game: Game,
        opponent: int | None,
        seat: int,
        start: Sequence[str] | None,
        actions: Sequence[str] | None,
        max_plies: int,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"game is what open() or from_rules() gives, not {type(game).__name__}")
        if game.kind != "game of two players":
            raise UnsupportedError(f"{game.spec} is a {game.kind}; an environment needs a game of two players with wins and losses in a table, such as tictactoe")
        self.metadata = {"name": f"{game.spec}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.game = game
        self.opponent = None if opponent is None else whole("opponent", opponent, 0, 2**16)
        if opponent is None and seat != 0:
            raise ArgumentError("seat: give opponent= too")
        self._seats = (0, 1) if opponent is None else (whole("seat", seat, 0, 1),)
        self._starts = ["initial"] if start is None else texts("start", start)
        self._most = whole("max_plies", max_plies, 1, 2**32)
        #: The names of the moves, by the numbers of actions.
        if actions is None:
            actions = sorted({name for frame in game.states(moves=True) for name in frame["move"]})
        self.actions = texts("actions", actions)
        self._numbers = {name: number for number, name in enumerate(self.actions)}
        if len(self._numbers) < len(self.actions) or not self.actions or not self._starts:
            raise ArgumentError("actions, start: give at least one, and none of the actions twice")
        self._chance = random.Random()
        self.possible_agents = [f"player_{seat}" for seat in self._seats]
        self.agents: list[str] = []
        try:
            self._boards = game.boards(["initial"]).shape[1:]
        except UnsupportedError:
            self._boards = None

    @cached_property
    def _spaces(self) -> tuple[Any, Any]:
        """Of actions, and of observations if gymnasium is there."""
        count = len(self.actions)
        try:
            spaces = import_module("gymnasium").spaces
        except ImportError:
            return Discrete(count), None
        board = spaces.Box(0, 255, self._boards, numpy.uint8) if self._boards else spaces.Box(0, 2**62, (1,), numpy.int64)
        return spaces.Discrete(count), spaces.Dict({"observation": board, "action_mask": spaces.Box(0, 1, (count,), numpy.int8)})

    def action_space(self, agent: str) -> Any:
        """The numbers of the moves; see :attr:`actions`."""
        return self._spaces[0]

    def observation_space(self, agent: str) -> Any:
        """What :meth:`observe` gives, as a space of gymnasium; ``None`` where that is not installed."""
        return self._spaces[1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, from one of the positions of ``start`` or from ``options["position"]``."""
        if seed is not None:
            self._chance.seed(seed)
        text = (options or {}).get("position") or self._chance.choice(self._starts)
        self.position: Position = self.game.position(text)
        self._first, self._mover, self._plies = self.position.side, 0, 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: Any) -> None:
        """Makes a move of the agent whose turn it is; ``None`` once its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ArgumentError(f"action: the game is over; the only action of {agent} is None")
            self.agents.remove(agent)
            for kept in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
                kept.pop(agent)
            self.rewards = dict.fromkeys(self.agents, 0)
            self.agent_selection = self.agents[0] if self.agents else agent
            return
        name = self.actions[whole("action", action, 0, len(self.actions) - 1)]
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._play(name)
        self._go_on()

    def _play(self, name: str) -> None:
        after = self.position.play(name)
        mover, self._plies = self._mover, self._plies + 1
        if isinstance(after, Outcome):
            self._end(self.terminations, {mover: WORTH[after], 1 - mover: -WORTH[after]})
            return
        # Where sides have no names, they take turns.
        self._mover = 1 - mover if self._first == "Next player" else int(after.side != self._first)
        self.position = after
        if self._plies >= self._most:
            self._end(self.truncations, {})

    def _end(self, ended: dict[str, bool], worth: dict[int, int]) -> None:
        for seat, agent in zip(self._seats, self.possible_agents):
            ended[agent] = True
            self.rewards[agent] = worth.get(seat, 0)

    def _go_on(self) -> None:
        """The opponent moves if it is its turn; then the agent whose turn it is gets the truth."""
        while not self._over() and self._mover not in self._seats:
            self._play(self.suggest(self.opponent))
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._over():
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = f"player_{self._mover}"
        moves = self.position.moves
        worth = numpy.zeros(len(self.actions), dtype=numpy.int8)
        for move in moves:
            worth[self._number(move.name)] = WORTH[move.value.outcome]
        self.infos[self.agent_selection] = {
            "position": self.position.text,
            "side": self.position.side,
            "value": self.position.value,
            "moves": moves,
            "action_values": worth,
        }

    def _over(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            raise ArgumentError(f"actions: '{name}', a move in '{self.position.text}', is not among them")
        return self._numbers[name]

    def observe(self, agent: str) -> dict[str, Any]:
        """The board as in :meth:`Game.boards` (of games without one, the number of the slot), and which
        actions are legal: none for the side that is not to move."""
        mask = numpy.zeros(len(self.actions), dtype=numpy.int8)
        if agent == self.agent_selection and not self._over():
            mask[[self._number(name) for name in self.position.legal_moves]] = 1
        return {"observation": self.state(), "action_mask": mask}

    def state(self) -> Any:
        """What both sides see."""
        if self._boards:
            return self.game.boards([self.position])[0]
        return numpy.array(self.game.evaluate([self.position])["slot"], dtype=numpy.int64)

    def suggest(self, depth: int | None = None) -> str:
        """A move of a player who sees the ends of the game that are at most ``depth`` plies away: at
        random one of those that look best. Without a depth it is a best move."""

        def looks(value: Value) -> tuple[int, int]:
            plies = value.plies or 0
            if depth is not None and plies > depth:
                return 0, 0
            return WORTH[value.outcome], -WORTH[value.outcome] * plies

        moves: list[Move] = self.position.moves
        best = max(looks(move.value) for move in moves)
        return self._chance.choice([move.name for move in moves if looks(move.value) == best])

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> Any:
        return self

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def last(self, observe: bool = True) -> tuple[Any, ...]:
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def render(self) -> str:
        """The board in letters."""
        return str(self.position)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""
