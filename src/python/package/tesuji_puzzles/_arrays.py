"""Rules that expand arrays, as the native part asks them: arrays go there and back as bytes."""

from __future__ import annotations

from typing import Any

from ._arguments import library
from ._errors import RulesError
from ._rules import Told


numpy = library("numpy", "rules that expand arrays")


class Arrays:
    """Rules with ``expand``."""

    def __init__(self, rules: Any) -> None:
        self._rules = Told(rules)
        self.has = self._rules.has
        if self.has("key") and not self.has("parse"):
            raise RulesError("the rules have key() but no parse(text), which gives the state of a key")

    def initial(self) -> bytes:
        states = self._whole("initial", self._rules.initial(), numpy.uint64, one=True)
        if len(states) == 0:
            raise RulesError("initial() gives no state")
        states = self.canonical(states)
        self.written(int(states[0]))
        return bytes(states.tobytes())

    def moves(self, states: Any) -> tuple[Any, Any, Any, Any]:
        """What ``expand`` gives, as arrays; the last one may be ``None``."""
        found = self._rules.expand(states)
        if not isinstance(found, tuple) or len(found) not in (3, 4):
            raise RulesError("expand() gives three arrays, place, child and over, or four, with move")
        place = self._whole("expand: place", found[0], numpy.int64)
        over = self._whole("expand: over", found[2], numpy.int8, len(place))
        child = self._whole("expand: child", found[1], numpy.uint64, len(place), wanted=over == 0)
        if self.has("canonical"):
            on = over == 0
            child = child.copy()
            child[on] = self.canonical(child[on])
        move = self._whole("expand: move", found[3], numpy.uint64, len(place)) if len(found) == 4 else None
        return place, child, over, move

    def expand(self, raw: bytes) -> tuple[bytes | None, ...]:
        return tuple(None if some is None else some.tobytes() for some in self.moves(_states(raw)))

    def stage(self, raw: bytes) -> bytes:
        return self._of_states("stage", raw, numpy.uint32)

    def side(self, raw: bytes) -> bytes:
        sides = self._of_states("side", raw, numpy.uint8)
        if sides.strip(b"\0\1"):
            raise RulesError("side() gives numbers that are neither 0 nor 1")
        return sides

    def features(self, raw: bytes) -> list[tuple[str, bool, bytes]]:
        states = _states(raw)
        found = self._rules.features(states)
        if not isinstance(found, dict):
            raise RulesError("features() gives no dict of arrays")
        columns = []
        for name, values in found.items():
            whole = self._whole(f"features()['{name}']", values, numpy.int32, len(states))
            if (whole == numpy.iinfo(numpy.int32).min).any():
                raise RulesError(f"features()['{name}'] has a number that is out of range")
            columns.append((str(name), bool(numpy.asarray(values).dtype == bool), whole.tobytes()))
        return columns

    def key(self, state: int) -> str:
        if not self.has("key"):
            return str(state)
        text = self._rules.key(state)
        if not isinstance(text, str):
            raise RulesError(f"key() gives no str for {state}")
        if text.strip() in ("", "initial"):
            raise RulesError(f"key() gives {text!r} for {state}, which stands for the first position; write it otherwise")
        return text

    def written(self, state: int) -> str:
        """The key of a state, from which the rules find the state again."""
        text = self.key(state)
        if self.has("key") and self.parse(text) != state:
            raise RulesError(f"parse({text!r}) gives {self.parse(text)}, not {state}, which key() writes so")
        return text

    def parse(self, text: str) -> int:
        state = self._rules.parse(text) if self.has("parse") else int(text)
        states = self._whole("parse", state, numpy.uint64, 1, one=True)
        return int(self.canonical(states)[0])

    def name(self, move: int) -> str:
        return str(self._rules.name(move))

    def canonical(self, states: Any) -> Any:
        if not self.has("canonical"):
            return states
        return self._whole("canonical", self._rules.canonical(states), numpy.uint64, len(states))

    def _of_states(self, method: str, raw: bytes, dtype: Any) -> bytes:
        states = _states(raw)
        found = self._whole(method, getattr(self._rules, method)(states), dtype, len(states))
        return bytes(found.tobytes())

    def _whole(
        self, name: str, values: Any, dtype: Any, count: int | None = None, *, one: bool = False, wanted: Any = None
    ) -> Any:
        """An array of whole numbers, which numpy, pyarrow, polars or a list may hold, or one number; 0
        where they are not wanted."""
        try:
            array = numpy.atleast_1d(values) if one else numpy.asarray(values)
        except Exception as error:
            raise RulesError(f"{name} is no array of whole numbers: {error!r:.200}") from error
        if array.size == 0 and array.ndim == 1:
            array = array.astype(dtype)
        if array.ndim != 1 or array.dtype.kind not in "iub":
            raise RulesError(f"{name} is no array of whole numbers but of {array.dtype} in {array.ndim} dimensions")
        if count is not None and len(array) != count:
            raise RulesError(f"{name} has {len(array)} numbers instead of {count}")
        if wanted is not None:
            array = numpy.where(wanted, array, array.dtype.type(0))
        bounds = numpy.iinfo(dtype)
        if array.dtype != dtype and array.size and (int(array.min()) < bounds.min or int(array.max()) > bounds.max):
            raise RulesError(f"{name} has a number that is not from {bounds.min} to {bounds.max}")
        return numpy.ascontiguousarray(array, dtype=dtype)


def _states(raw: bytes) -> Any:
    return numpy.frombuffer(raw, dtype=numpy.uint64)
