"""Arguments, checked before the native part sees them."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from . import _native
from ._errors import ArgumentError, UnsupportedError

#: The most of anything that is counted in 32 bits.
MOST = 2**32 - 1


def path_of(path: str | os.PathLike[str]) -> str:
    """A path as a text."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError("path is a text or a Path, not bytes")
    return name


def whole(name: str, number: object, least: int, most: int) -> int:
    """A whole number within bounds, of Python, numpy, pandas or pyarrow."""
    try:
        if isinstance(number, bool):
            raise TypeError
        found = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {type(number).__name__}") from None
    if not least <= found <= most:
        raise ArgumentError(f"{name}: {found} is not from {least} to {most}")
    return found


def library(name: str, what: str) -> Any:
    """A library that the package can do without, but not here."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UnsupportedError(f"{what} need {name}: pip install {name}") from error


def listed(values: Any) -> Any:
    """The values of an array as a list: of one with a method for it, such as those of numpy, pandas,
    polars and pyarrow, of any other through the Arrow interface or the buffer protocol. What is no
    array is given back."""
    for method in ("to_list", "to_pylist", "tolist"):
        if callable(getattr(values, method, None)):
            return getattr(values, method)()
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return library("pyarrow", "Arrow arrays").chunked_array(values).to_pylist()
    try:
        return memoryview(values).tolist()
    except TypeError:
        return values


def text_of(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    return value


def texts(name: str, values: object) -> list[str]:
    """A list of texts."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is a list of texts, not {type(values).__name__}")
    return [text_of(name, value) for value in values]


def wanted(
    condition: str | None, filter: str | os.PathLike[str] | None, limit: int | None
) -> tuple[str | None, str | None, int | None]:
    """What is mined: a condition or a filter, and the most puzzles to keep."""
    if (condition is None) == (filter is None):
        raise ArgumentError("condition: give either a condition or filter=")
    return (
        None if condition is None else text_of("condition", condition),
        None if filter is None else path_of(filter),
        None if limit is None else whole("limit", limit, 1, MOST),
    )


def memory_of(memory: int | None) -> int | None:
    """Bytes that something may take, if there is a bound."""
    return None if memory is None else whole("memory", memory, 0, 2**63)


def part_of(
    layers: Sequence[str] = (), classes: Sequence[str] = (), sample: int = 1, slots: range | None = None
) -> _native.Part:
    """The part of a table that is looked at."""
    if slots is not None and (not isinstance(slots, range) or slots.step != 1):
        raise TypeError("slots is a range of slots, such as range(0, 1000)")
    end = 0 if slots is None else whole("slots", max(slots.stop, 0), 0, 2**63)
    return {
        "layers": texts("layers", layers),
        "classes": texts("classes", classes),
        "sample": whole("sample", sample, 1, 2**63),
        "slots": None if slots is None else [(first := whole("slots", slots.start, 0, 2**63), max(first, end))],
    }
