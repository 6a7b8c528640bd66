"""Pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from . import _native
from ._arguments import MOST, path_of, whole
from ._errors import ArgumentError


class Picture(str):
    """An SVG document. Notebooks show it.

    >>> import tesuji_puzzles as tesuji
    >>> picture = tesuji.open("ostle:3x3,pieces=2,losses=2").position().svg()
    >>> picture.startswith("<svg")
    True
    """

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Picture of {len(self):,} letters>"

    def save(self, path: str | os.PathLike[str], *, dpi: int = 300, force: bool = False) -> None:
        """Writes the picture.

        Args:
            path: the name ends in ``.svg`` or ``.png``.
            dpi: dots per inch of a PNG, 20 to 2400.
            force: replace a file with other content.

        Raises:
            ArgumentError: the name has another end, or there are too many dots.
            FileError: the file cannot be written, or has other content.
        """
        name = path_of(path)
        end = Path(name).suffix.lower()
        if end not in (".svg", ".png"):
            raise ArgumentError(f"path: the name of a picture ends in .svg or .png, not '{end}'")
        dots = None if end == ".svg" else whole("dpi", dpi, 20, 2400)
        _native.write_picture(str(self), name, dots, force)


def look(
    *,
    style: str | os.PathLike[str] = "print",
    number: int | None = None,
    stipulation: str | None = None,
    captions: str | Sequence[str] = (),
) -> _native.Look:
    """How a picture looks."""
    return {
        "style": path_of(style),
        "number": None if number is None else whole("number", number, 0, MOST),
        "stipulation": stipulation,
        "captions": [captions] if isinstance(captions, str) else list(captions),
    }
