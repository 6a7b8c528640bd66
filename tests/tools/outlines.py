"""Writes src/games/tsuitate/outlines.rs: the shapes of the pieces' characters.

    pip install fonttools brotli
    python tests/tools/outlines.py FONT > src/games/tsuitate/outlines.rs

FONT is Shippori Mincho SemiBold, version 3.110 (TrueType or WOFF2; SIL Open Font
License 1.1; github.com/fontdasu/ShipporiMincho). The em box becomes a square of
1000 units with y downwards, and every shape is moved to the middle of its square,
so that it keeps its place when it is turned; points are rounded to whole units.
Other fonts with these characters and TrueType outlines do as well, once the notes
in the head of the file are changed.
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

CHARACTERS = {
    "KING": ("玉", "a king"),
    "ROOK": ("飛", "a rook"),
    "BISHOP": ("角", "a bishop"),
    "GOLD": ("金", "a gold general"),
    "SILVER": ("銀", "a silver general"),
    "KNIGHT": ("桂", "a knight"),
    "LANCE": ("香", "a lance"),
    "PAWN": ("歩", "a pawn"),
    "DRAGON": ("竜", "a promoted rook"),
    "HORSE": ("馬", "a promoted bishop"),
    "PROMOTED_SILVER": ("全", "a promoted silver general"),
    "PROMOTED_KNIGHT": ("圭", "a promoted knight"),
    "PROMOTED_LANCE": ("杏", "a promoted lance"),
    "PROMOTED_PAWN": ("と", "a promoted pawn"),
}

HEAD = """//! The characters on the pieces as outlines: path data in a square of 1000 units,
//! y downwards, each in the middle of its square.
//!
//! Shapes of Shippori Mincho, semi-bold, version 3.110. Copyright 2021 The Shippori
//! Mincho Project Authors (github.com/fontdasu/ShipporiMincho), under the SIL Open
//! Font License, Version 1.1: see OFL.txt. Written by tests/tools/outlines.py; not to
//! be edited by hand.
"""


class Path(BasePen):
    """Collects path data of absolute M, L, Q and Z in whole units."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.data = ""

    def command(self, letter, *points):
        limited = [min(1000, max(0, round(value))) for point in points for value in point]
        self.data += letter + " ".join(map(str, limited))

    def _moveTo(self, point):
        self.command("M", point)

    def _lineTo(self, point):
        self.command("L", point)

    def _qCurveToOne(self, by, to):
        self.command("Q", by, to)

    def _closePath(self):
        self.command("Z")


def outline(font: TTFont, character: str) -> str:
    glyphs = font.getGlyphSet()
    name = font.getBestCmap()[ord(character)]
    scale = 1000 / font["head"].unitsPerEm
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(bounds)
    left, bottom, right, top = (scale * edge for edge in bounds.bounds)
    middle = (500 - (left + right) / 2, 500 + (bottom + top) / 2)
    path = Path(glyphs)
    glyphs[name].draw(TransformPen(path, (scale, 0, 0, -scale, *middle)))
    return path.data


def main() -> None:
    font = TTFont(sys.argv[1])
    print(HEAD, end="")
    for name, (character, meaning) in CHARACTERS.items():
        path = outline(font, character)
        print(f"\n/// {character}, {meaning}.")
        print(f'pub(super) const {name}: &str = "{path}";')


if __name__ == "__main__":
    main()
