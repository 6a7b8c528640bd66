"""Arguments, checked before the native part sees them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from . import _native
from ._errors import ArgumentError


def path_of(path: str | os.PathLike[str]) -> str:
    """A path as a text."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError("path is a text or a Path, not bytes")
    return name


def whole(name: str, number: int, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} is a whole number, not {type(number).__name__}")
    if not least <= number <= most:
        raise ArgumentError(f"{name}: {number} is not from {least} to {most}")
    return number


def text(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    return value


def texts(name: str, values: object) -> list[str]:
    """A list of texts."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is a list of texts, not {type(values).__name__}")
    return [text(name, value) for value in values]


def part(
    layers: Sequence[str] = (),
    classes: Sequence[str] = (),
    sample: int = 1,
    slots: range | None = None,
) -> _native.Part:
    """The part of a table that is looked at."""
    if slots is not None and (not isinstance(slots, range) or slots.step != 1):
        raise TypeError("slots is a range of slots, such as range(0, 1000)")
    return {
        "layers": texts("layers", layers),
        "classes": texts("classes", classes),
        "sample": whole("sample", sample, 1, 2**63),
        "slots": None if slots is None else [(slots.start, max(slots.start, slots.stop))],
    }
