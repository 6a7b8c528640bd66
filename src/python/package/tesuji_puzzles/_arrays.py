"""Rules that expand arrays, as the native part asks them: arrays go there and back as bytes."""

from __future__ import annotations

from typing import Any

from ._arguments import library
from ._errors import RulesError


class Arrays:
    """Rules with ``expand``."""

    def __init__(self, rules: Any) -> None:
        self._numpy = library("numpy", "rules that expand arrays")
        self._rules = rules
        if self.has("key") and not self.has("parse"):
            raise RulesError("the rules have key() but no parse(text), which gives the state of a key")

    def has(self, method: str) -> bool:
        return callable(getattr(self._rules, method, None))

    def initial(self) -> bytes:
        found = self._numpy.atleast_1d(self._call("initial"))
        states = self._whole("initial", found, self._numpy.uint64)
        if len(states) == 0:
            raise RulesError("initial() gives no state")
        states = self._canonical(states)
        if self.has("key"):
            state = int(states[0])
            text = self.key(state)
            if self.parse(text) != state:
                raise RulesError(f"parse({text!r}) gives {self.parse(text)}, not {state}, which key() writes so")
        return bytes(states.tobytes())

    def expand(self, raw: bytes) -> tuple[bytes, bytes, bytes, bytes | None]:
        numpy = self._numpy
        found = self._call("expand", numpy.frombuffer(raw, dtype=numpy.uint64))
        if not isinstance(found, tuple) or len(found) not in (3, 4):
            raise RulesError("expand() gives three arrays, place, child and over, or four, with move")
        place = self._whole("expand: place", found[0], numpy.int64)
        over = self._whole("expand: over", found[2], numpy.int8, len(place))
        child = self._whole("expand: child", found[1], numpy.uint64, len(place))
        if self.has("canonical"):
            on = over == 0
            child = child.copy()
            child[on] = self._canonical(child[on])
        moves = None
        if len(found) == 4:
            moves = self._whole("expand: move", found[3], numpy.uint64, len(place)).tobytes()
        return place.tobytes(), child.tobytes(), over.tobytes(), moves

    def stage(self, raw: bytes) -> bytes:
        return self._of_states("stage", raw, self._numpy.uint32)

    def side(self, raw: bytes) -> bytes:
        sides = self._of_states("side", raw, self._numpy.uint8)
        if sides.strip(b"\0\1"):
            raise RulesError("side() gives numbers that are neither 0 nor 1")
        return sides

    def features(self, raw: bytes) -> list[tuple[str, bool, bytes]]:
        numpy = self._numpy
        states = numpy.frombuffer(raw, dtype=numpy.uint64)
        found = self._call("features", states)
        if not isinstance(found, dict):
            raise RulesError("features() gives no dict of arrays")
        columns = []
        for name, values in found.items():
            values = numpy.asarray(values)
            flags = values.dtype == bool
            whole = values.astype(numpy.int32) if flags else values
            whole = self._whole(f"features()['{name}']", whole, numpy.int32, len(states))
            if not flags and (whole == numpy.iinfo(numpy.int32).min).any():
                raise RulesError(f"features()['{name}'] has a number that is out of range")
            columns.append((str(name), bool(flags), whole.tobytes()))
        return columns

    def key(self, state: int) -> str:
        if not self.has("key"):
            return str(state)
        text = self._call("key", state)
        if not isinstance(text, str):
            raise RulesError(f"key() gives no str for {state}")
        return text

    def parse(self, text: str) -> int:
        state = self._call("parse", text) if self.has("parse") else int(text)
        states = self._whole("parse", self._numpy.atleast_1d(state), self._numpy.uint64, 1)
        return int(self._canonical(states)[0])

    def name(self, move: int) -> str:
        return str(self._call("name", move)) if self.has("name") else str(move)

    def _canonical(self, states: Any) -> Any:
        if not self.has("canonical"):
            return states
        found = self._call("canonical", states)
        return self._whole("canonical", found, self._numpy.uint64, len(states))

    def _of_states(self, method: str, raw: bytes, dtype: Any) -> bytes:
        states = self._numpy.frombuffer(raw, dtype=self._numpy.uint64)
        found = self._whole(method, self._call(method, states), dtype, len(states))
        return bytes(found.tobytes())

    def _call(self, method: str, *arguments: Any) -> Any:
        """Calls a method of the rules. What it raises is the cause of the error."""
        try:
            return getattr(self._rules, method)(*arguments)
        except RulesError:
            raise
        except Exception as error:
            raise RulesError(f"{method}() raised {error!r:.200}") from error

    def _whole(self, name: str, values: Any, dtype: Any, count: int | None = None) -> Any:
        """An array of whole numbers, which numpy, pyarrow, polars or a list may hold."""
        numpy = self._numpy
        array = numpy.asarray(values)
        if array.size == 0 and array.ndim == 1:
            array = array.astype(dtype)
        if array.ndim != 1 or array.dtype.kind not in "iub":
            raise RulesError(f"{name} is no array of whole numbers but of {array.dtype} in {array.ndim} dimensions")
        if count is not None and len(array) != count:
            raise RulesError(f"{name} has {len(array)} numbers instead of {count}")
        bounds = numpy.iinfo(dtype)
        if array.dtype.kind != "b" and array.dtype != dtype and array.size and (int(array.min()) < bounds.min or int(array.max()) > bounds.max):
            raise RulesError(f"{name} has a number that is not from {bounds.min} to {bounds.max}")
        return numpy.ascontiguousarray(array, dtype=dtype)
