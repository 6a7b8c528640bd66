"""Retrograde analysis in pure steps over shards of a table, for engines that run on many machines.

A shard is a range of slots. Its state is one file for each step that changed it, and a step reads the
files of the steps before it and writes its own whole, so a step that is run again writes the same.
:mod:`tesuji_puzzles.spark` runs the steps; so can a loop or a scheduler:

1. For each group of layers, each shard :meth:`asks <Shards.asks>` the shards of earlier groups for
   values, which :meth:`answer <Shards.answers>`, and :meth:`begins <Shards.begin>` with them.
2. For each number of plies, from 1 on, each shard with values of that many plies
   :meth:`sends <Shards.sends>` them to the shards of their predecessors, which
   :meth:`take <Shards.take>` them.
3. :meth:`table <Shards.table>` makes a table of the states when all groups are done.

This needs NumPy and PyArrow.

Method: K. Thompson, *Retrograde analysis of certain endgames* (1986), with counters; messages and
shards as in J. W. Romein and H. E. Bal, *Solving awari with parallel retrograde analysis* (2003).
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow

from ._errors import ArgumentError, FileError
from ._steps import NO_MOVE, VACANT

if TYPE_CHECKING:
    from ._frame import Frame
    from ._game import Game

Array = np.ndarray[Any, Any]

#: The state of a position. Values are plies to the end, negative for losses; ``only`` is the only best
#: move, or the exclusive or of the open ones; ``open`` counts these while losses matter.
STATE = np.dtype([("best", "i2"), ("second", "i2"), ("only", "u1"), ("flags", "u1"), ("open", "u2")])
HOLDS, BEST, SECOND, SYMMETRIC = 1, 2, 4, 8

#: A value for one move of a position, without a symmetry of its own.
PLAIN = np.dtype([("parent", "<u4"), ("number", "u1")])
#: A value for all moves of a symmetric position to a child; whether it is that of the child's best
#: move (1), of all others (2), or of all (3); and that best move.
FOLDED = np.dtype([("parent", "<u4"), ("child", "<u8"), ("values", "u1"), ("move", "u1")])

#: Positions whose predecessors are asked for together.
TOGETHER = 1 << 17


class Message(NamedTuple):
    """Values for the positions of a shard."""

    #: The shard, among those of its group.
    shard: int
    #: The value for the side that moves: plies to the end, negative for losses.
    value: int
    #: Whether the moves are :data:`FOLDED`; otherwise they are :data:`PLAIN`.
    folded: bool
    #: The moves.
    data: bytes


@dataclass(frozen=True)
class Shards:
    """The shards of a game, and the folder with their states.

    Args:
        game: a game with a table.
        folder: where states are kept, which all machines must see under this name.
        count: the number of shards of a large group; small groups have fewer.
    """

    game: Game
    folder: str
    count: int = 1

    #: Slots of a shard at least, where a group has more than one.
    LEAST = 1 << 12
    #: Slots of a shard at most: messages number them in 32 bits.
    MOST = 1 << 32

    def bounds(self) -> list[Array]:
        """The first slot of each shard and the end of the last, for each group of layers.

        Raises:
            UnsupportedError: the game has no table.
        """
        ends: dict[int, list[int]] = {}
        for layer in self.game.steps.layers():
            ends.setdefault(layer.group, []).extend((layer.first, layer.end))
        bounds = []
        for _, of_group in sorted(ends.items()):
            first, slots = min(of_group), max(of_group) - min(of_group)
            shards = max(1, min(self.count, slots // self.LEAST), -(-slots // self.MOST))
            # In whole numbers: all machines have to agree.
            edges = [first + slots * shard // shards for shard in range(shards + 1)]
            bounds.append(np.array(edges, np.uint64))
        return bounds

    def asks(self, group: int, shard: int) -> Iterator[tuple[int, int, bytes]]:
        """The positions of earlier groups whose values a shard needs: group, shard, slots."""
        bounds = self.bounds()
        wanted = [np.zeros(0, np.uint64)]
        for some in self._slots(bounds, group, shard):
            moves = _columns(self.game.steps.successors(some))
            leaving = ~moves["within"] & (moves["child"] >= 0)
            wanted.append(np.unique(moves["child"][leaving]).astype(np.uint64))
        children = np.unique(np.concatenate(wanted))
        for earlier in range(group):
            edges = np.searchsorted(children, bounds[earlier])
            for number in range(len(edges) - 1):
                for some in _chunks(children[edges[number] : edges[number + 1]]):
                    yield earlier, number, some.tobytes()

    def answers(self, group: int, shard: int, slots: bytes) -> bytes:
        """The best values of slots of a shard that is done."""
        places = np.frombuffer(slots, np.uint64) - self.bounds()[group][shard]
        state = self._load(group, shard, None, mapped=True)[places.astype(np.int64)]
        return _final(state)[0].tobytes()

    def begin(self, group: int, shard: int, answers: Iterable[tuple[bytes, bytes]]) -> list[int]:
        """Writes the first state of a shard, given slots and their values. All steps that change a
        state return the plies of the values that it decides.

        Raises:
            ArgumentError: the answer to a question of :meth:`asks` is missing.
        """
        bounds = self.bounds()
        known = [(np.frombuffer(a, np.uint64), np.frombuffer(b, np.int16)) for a, b in answers]
        # The last one is greater than any slot.
        known.append((np.array([2**64 - 1], np.uint64), np.array([VACANT], np.int16)))
        children, values = (np.concatenate(column) for column in zip(*known, strict=True))
        order = np.argsort(children)
        children, values = children[order], values[order]
        state = np.zeros(int(bounds[group][shard + 1] - bounds[group][shard]), STATE)
        for some in self._slots(bounds, group, shard):
            degrees = _columns(self.game.steps.degrees(some))
            floor = np.full(len(some), NONE)
            ends = degrees["over"] > MISSING
            floor[ends] = _preference(degrees["over"][ends])
            if (degrees["leaving"] > 0).any():
                moves = _columns(self.game.steps.successors(some))
                leaving = ~moves["within"] & (moves["child"] >= 0)
                asked = moves["child"][leaving].astype(np.uint64)
                places = np.searchsorted(children, asked)
                if (missing := asked[children[places] != asked]).size:
                    raise ArgumentError(
                        f"answers: none has the value of slot {missing[0]}; give those to all that asks({group}, {shard}) gives"
                    )
                worth = _preference(_through(values[places].astype(np.int32)))
                np.maximum.at(floor, moves["row"][leaving], worth)
            at = int(some[0] - bounds[group][shard])
            state[at : at + len(some)] = _first(degrees, floor)
        self._store(group, shard, 0, state)
        return _due(state, 0)

    def sends(self, group: int, shard: int, plies: int) -> Iterator[Message]:
        """The values of this many plies of a shard, for the predecessors of its positions."""
        bounds = self.bounds()[group]
        state = self._load(group, shard, plies)
        for value in (plies, -plies):
            best = (state["flags"] & BEST > 0) & (state["best"] == value)
            second = (state["flags"] & SECOND > 0) & (state["second"] == value)
            for places in _chunks(np.flatnonzero(best | second)):
                values = best[places] + 2 * second[places].astype(np.uint8)
                slots = bounds[shard] + places.astype(np.uint64)
                plain, folded = self._moves_to(slots, state[places], values)
                for moves, kind in ((plain, PLAIN), (folded, FOLDED)):
                    moves = moves[np.argsort(moves["parent"], kind="stable")]
                    edges = np.searchsorted(moves["parent"], bounds)
                    for target in np.flatnonzero(np.diff(edges)).tolist():
                        some = moves[edges[target] : edges[target + 1]]
                        some["parent"] -= bounds[target]
                        data = some[list(kind.names or ())].astype(kind).tobytes()
                        yield Message(target, int(_through(value)), kind is FOLDED, data)

    def _moves_to(self, slots: Array, state: Array, values: Array) -> tuple[Array, Array]:
        """The moves that get a value: of plain positions, and of symmetric ones."""
        found = _columns(self.game.steps.predecessors(slots))
        row = found["row"]
        moves = np.empty(len(row), [("parent", "u8"), *FOLDED.descr[1:], ("number", "u1")])
        moves["parent"], moves["number"] = found["parent"], found["number"]
        moves["child"], moves["move"], moves["values"] = slots[row], state["only"][row], values[row]
        folded = found["symmetric"]
        # The best move of a state may be forbidden because it takes back the move that led there.
        gets = _gets(found["undo"], moves)
        plain = moves[gets & ~folded]
        # Un-moves from a symmetric position that are images of one another are one.
        images = state["flags"][row][gets & ~folded] & SYMMETRIC > 0
        if images.any():
            plain = np.concatenate([plain[~images], np.unique(plain[images])])
        folded = moves[folded]
        folded["number"] = 0
        return plain, np.unique(folded)

    def take(self, group: int, shard: int, plies: int, messages: Iterable[Message]) -> list[int]:
        """Writes the state of a shard after it has got all values of this many plies."""
        state = self._load(group, shard, plies)
        start = self.bounds()[group][shard]
        by_value: dict[int, list[Array]] = {}
        for message in messages:
            kind = FOLDED if message.folded else PLAIN
            moves = np.frombuffer(message.data, kind)
            if message.folded:
                moves = self._unfolded(start, moves)
            by_value.setdefault(message.value, []).append(moves)
        # Wins first.
        for value in sorted(by_value, reverse=True):
            moves = np.concatenate(by_value[value])
            moves = moves[np.argsort(moves["parent"], kind="stable")]
            places, first, count = np.unique(moves["parent"], return_index=True, return_counts=True)
            holds = state["flags"][places] & HOLDS > 0
            numbers = np.bitwise_xor.reduceat(moves["number"], first) if len(first) else moves["number"]
            rows = state[places[holds]]
            (_win if value > 0 else _lose)(rows, value, count[holds], numbers[holds])
            state[places[holds]] = rows
        self._store(group, shard, plies, state)
        return _due(state, plies)

    def _unfolded(self, first: Any, folded: Array) -> Array:
        """The moves of symmetric positions that get a value."""
        parents = np.unique(folded["parent"])
        edges = _columns(self.game.steps.successors(first + parents.astype(np.uint64)))
        # Pairs of parent and child as single numbers.
        children = np.unique(folded["child"])
        place = np.searchsorted(children, edges["child"].astype(np.uint64)).clip(max=len(children) - 1)
        inside = edges["within"] & (children[place] == edges["child"].astype(np.uint64))
        edge = edges["row"][inside] * len(children) + place[inside]
        parent = np.searchsorted(parents, folded["parent"])
        pair = parent * len(children) + np.searchsorted(children, folded["child"])
        order = np.argsort(pair)
        at = np.searchsorted(pair[order], edge).clip(max=len(pair) - 1)
        told = pair[order][at] == edge
        message = folded[order][at[told]]
        gets = _gets(edges["undo"][inside][told], message)
        moves = np.empty(int(gets.sum()), PLAIN)
        moves["parent"] = message["parent"][gets]
        moves["number"] = edges["number"][inside][told][gets]
        return moves

    def table(self, path: str | os.PathLike[str], *, force: bool = False) -> str:
        """Writes the table of the states of all groups, and gives its fingerprint."""
        bounds = self.bounds()
        starts = np.concatenate([edges[:-1] for edges in bounds])
        owners = [(group, shard) for group, edges in enumerate(bounds) for shard in range(len(edges) - 1)]

        def records(first: int, end: int) -> tuple[Array, Array, Array]:
            some = int(np.searchsorted(starts, first, "right")) - 1, int(np.searchsorted(starts, end))
            parts = []
            for number in range(*some):
                start = int(starts[number])
                state = self._load(*owners[number], None, mapped=True)
                parts.append(_final(state[max(first - start, 0) : end - start]))
            best, second, only = (np.concatenate(columns) for columns in zip(*parts, strict=True))
            return best, second, only

        return self.game.steps.table_from(path, records, force=force)

    def forget(self, group: int, shard: int, before: int) -> None:
        """Removes states that later steps do not read: those older than the latest one up to
        ``before`` plies."""
        files = self._files(group, shard)
        for plies, file in files:
            if plies < max((other for other, _ in files if other <= before), default=0):
                file.unlink(missing_ok=True)
        # A task that was killed may have left one.
        for partial in self._place(group, shard).glob(".*"):
            partial.unlink(missing_ok=True)

    def _slots(self, bounds: list[Array], group: int, shard: int) -> Iterator[Array]:
        """The slots of a shard, some at a time."""
        first, end = (int(edge) for edge in bounds[group][shard : shard + 2])
        for at in range(first, end, TOGETHER):
            yield np.arange(at, min(at + TOGETHER, end), dtype=np.uint64)

    def _place(self, group: int, shard: int) -> Path:
        return Path(self.folder, f"group-{group:04}", f"shard-{shard:06}")

    def _files(self, group: int, shard: int) -> list[tuple[int, Path]]:
        """The states of a shard by plies, in order."""
        return sorted((int(file.stem), file) for file in self._place(group, shard).glob("*.npy"))

    def _load(self, group: int, shard: int, before: int | None, mapped: bool = False) -> Array:
        """The latest state, or that before a step."""
        files = [file for plies, file in self._files(group, shard) if before is None or plies < before]
        if not files:
            when = "" if before is None else f" from before {before} plies"
            raise FileError(f"{self._place(group, shard)} has no state{when}; run the steps in order")
        state: Array = np.load(files[-1], mmap_mode="r" if mapped else None)
        return state

    def _store(self, group: int, shard: int, plies: int, state: Array) -> None:
        place = self._place(group, shard)
        place.mkdir(parents=True, exist_ok=True)
        write(place / f"{plies:06}.npy", lambda file: np.save(file, state))


def write(path: Path, content: Callable[[BinaryIO], object]) -> None:
    """Writes a file under another name first, so that no half of it is ever read."""
    partial = path.with_name(f".{uuid.uuid4().hex}")
    try:
        with partial.open("wb") as file:
            content(file)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


#: Less than any value.
NONE = -(1 << 17)
#: Missing numbers in columns.
MISSING = -(1 << 16)


def _columns(frame: Frame) -> dict[str, Array]:
    """The columns of a frame; missing numbers are :data:`MISSING`, missing flags false."""
    columns = {}
    for name, column in zip(frame.columns, pyarrow.table(frame).columns, strict=True):
        missing = False if pyarrow.types.is_boolean(column.type) else MISSING
        columns[name] = column.fill_null(missing).to_numpy()
    return columns


def _chunks(values: Array) -> Iterator[Array]:
    return (values[at : at + TOGETHER] for at in range(0, len(values), TOGETHER))


def _through(value: Any) -> Any:
    """Values one move earlier, for the other side."""
    return -value - np.sign(value)


def _preference(value: Array) -> Array:
    """Greater for better values: quick wins, slow wins, draws, slow losses, quick losses. The
    preference of a preference is the value."""
    return np.sign(value) * (1 << 16) - value.astype(np.int64)


def _gets(undo: Array, moves: Array) -> Array:
    """Whether a move gets the value of a child: its best one, unless the best move there takes the
    move back."""
    return np.where(undo == moves["move"], moves["values"] & 2, moves["values"] & 1) > 0


def _first(degrees: dict[str, Array], floor: Array) -> Array:
    """The first state of positions, given the best of the moves that end the game or leave the group."""
    state = np.zeros(len(floor), STATE)
    holds = degrees["open"] >= 0
    state["best"] = state["second"] = np.where(floor == NONE, -1, _preference(floor))
    state["flags"] = HOLDS * holds + SYMMETRIC * degrees["symmetric"]
    losing = holds & (floor < 0)
    state["open"][losing] = degrees["open"][losing]
    state["only"][losing] = degrees["numbers"][losing]
    state["flags"][holds & (floor > 0)] |= BEST | SECOND
    state["flags"][losing & (degrees["open"] == 0)] |= BEST | SECOND
    state["flags"][losing & (degrees["open"] == 1)] |= SECOND
    return state


def _win(rows: Array, value: int, count: Array, number: Array) -> None:
    """Some moves of positions turn out to win in this many plies. ``number`` is the move, if it is
    one."""
    decided = (rows["flags"] & BEST > 0) & (rows["best"] <= value)
    settled = (rows["flags"] & SECOND > 0) & (rows["second"] > 0) & (rows["second"] <= value)
    second = (decided & ~settled) | (~decided & (count > 1))
    alone = ~decided & (count == 1)
    # Its last open move wins: without it, the position is worth what the others are.
    last = alone & (rows["open"] == 1)
    rows["best"][~decided] = value
    rows["only"][alone] = number[alone]
    rows["second"][second] = value
    rows["open"][second] = 0
    rows["open"][alone & (rows["open"] > 0)] -= 1
    rows["flags"] |= BEST
    rows["flags"][second | last] |= SECOND


def _lose(rows: Array, value: int, count: Array, numbers: Array) -> None:
    """Some moves of positions turn out to lose in this many plies."""
    decided = rows["flags"] & BEST > 0
    before = rows["open"].astype(np.int64)
    open_ = np.maximum(before - count, 0)
    matters = before > 0
    rows["open"] = open_
    rows["only"][matters & ~decided & (before > 1)] ^= numbers[matters & ~decided & (before > 1)]
    second = matters & np.where(decided, open_ == 0, (open_ <= 1) & (before > 1))
    best = matters & ~decided & (open_ == 0)
    # The longest loss is the best, and may be by a move that leaves the group.
    rows["second"][second] = np.minimum(rows["second"][second], value)
    rows["best"][best] = np.minimum(rows["best"][best], value)
    rows["flags"][second] |= SECOND
    rows["flags"][best] |= BEST


def _final(state: Array) -> tuple[Array, Array, Array]:
    """Best values, second values and only best moves: what is undecided is a draw."""
    holds = state["flags"] & HOLDS > 0
    best = np.where(state["flags"] & BEST > 0, state["best"], 0)
    second = np.where(state["flags"] & SECOND > 0, state["second"], 0)
    only = np.where(best == second, NO_MOVE, state["only"])
    none = np.int16(VACANT)
    return np.where(holds, best, none), np.where(holds, second, none), np.where(holds, only, NO_MOVE)


def _due(state: Array, after: int) -> list[int]:
    """The plies of decided values, as far as they are more."""
    of_both = (("best", BEST), ("second", SECOND))
    decided = [np.unique(np.abs(state[name][state["flags"] & flag > 0])) for name, flag in of_both]
    return [int(number) for number in np.unique(np.concatenate(decided)) if number > after]
