"""Prints the shapes of the pieces' characters, as arms of `character` in
src/games/tsuitate/picture.rs.

    pip install fonttools brotli
    python tests/tools/outlines.py FONT

FONT is Shippori Mincho SemiBold, version 3.110 (TrueType or WOFF2; SIL Open Font
License 1.1; github.com/fontdasu/ShipporiMincho). The em box becomes a square of
1000 units with y downwards, and every shape is moved to the middle of its square,
so that it keeps its place when it is turned; points are rounded to whole units.
Other fonts with these characters and TrueType outlines do as well, once the notes
before `character` are changed.
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

CHARACTERS = {
    "King": "玉",
    "Gold": "金",
    "Rook": "飛",
    "Bishop": "角",
    "Silver": "銀",
    "Knight": "桂",
    "Lance": "香",
    "Pawn": "歩",
    "ProRook": "竜",
    "ProBishop": "馬",
    "ProSilver": "全",
    "ProKnight": "圭",
    "ProLance": "杏",
    "ProPawn": "と",
}


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
    for kind, character in CHARACTERS.items():
        path = outline(font, character)
        print(f'        PieceKind::{kind} => ("{character}", "{path}"),')


if __name__ == "__main__":
    main()
