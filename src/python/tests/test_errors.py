"""Hostile input: every function answers with an exception of the package or of Python."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import tesuji_puzzles as tesuji

HOSTILE: list[Any] = [
    None,
    "",
    " ",
    "\0",
    "initial\n",
    "b" * 20_000,
    "9" * 5_000,
    "🦀/💥 b -",
    "\ud800",
    "2b1/w1w1/1ob1/2b1 b a1U",
    "../../../etc/passwd",
    "((((((((" * 1000,
    "plies > 99999999999999999999",
    b"2b1",
    -1,
    0,
    2**31,
    2**63,
    2**70,
    1.5,
    float("nan"),
    True,
    [],
    [None],
    ["", "b" * 10_000],
    [2**40],
    {},
    object(),
    lambda *_: 1 / 0,
]

#: What may be raised. ``UnicodeError`` is a ``ValueError``, ``FileNotFoundError`` an ``OSError``.
FINE = (TypeError, ValueError, OSError, KeyError, IndexError, OverflowError)

SPECS = [
    "ostle:99x99",
    "ostle:4x4,pieces=99",
    "ostle:4x4,pieces=3,losses=2,losses=2",
    "kings:0x0",
    "kings:999999999x9",
    "sliding:1x1",
    "graph:/dev/null",
    "graph:/etc",
    "lineup:/dev/zero",
    "ostle:",
    ":",
    "tsuitate:x",
]


def refused(call: Callable[..., object], *args: object, **named: object) -> Exception | None:
    """Calls, and gives the exception, which must be a fine one."""
    try:
        call(*args, **named)
    except FINE as error:
        return error
    return None


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:20])
def test_every_function_and_method_survives_every_value(value: Any, tmp_path) -> None:
    game = tesuji.open("ostle:3x3,pieces=2,losses=2")
    position = game.position("1ww/1o1/bb1 b -")
    puzzles = game.mine("plies >= 3", limit=2)
    picture = position.svg()
    calls = 0
    owners = [game, position, puzzles, picture, position.solution(), game.states(), position.check()]
    for owner in owners:
        for name, method in inspect.getmembers(owner, inspect.ismethod):
            kind = type(owner)
            own = any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("tesuji"))
            private = name.startswith("_") and not name.startswith("_repr_")
            if not own or private or name in ("save", "solve"):
                continue
            parameters = inspect.signature(method).parameters
            for parameter in parameters.values():
                if parameter.kind is parameter.KEYWORD_ONLY and parameter.name != "force":
                    needed = [
                        "initial"
                        for other in parameters.values()
                        if other.default is other.empty and other.kind is not other.KEYWORD_ONLY
                    ]
                    refused(method, *needed, **{parameter.name: value})
                    calls += 1
                elif parameter.kind is not parameter.KEYWORD_ONLY:
                    refused(method, value)
                    calls += 1
    refused(tesuji.open, value)
    refused(tesuji.open, game.spec, table=value)
    refused(tesuji.open, game.spec, repetition=value)
    refused(tesuji.open_table, value)
    refused(tesuji.read_puzzles, value)
    refused(tesuji.from_rules, value)
    for named in ("title", "subtitle", "author", "paper", "per_page", "style"):
        refused(tesuji.book, puzzles, tmp_path / f"{named}.pdf", **{named: value})
    refused(tesuji.book, value, tmp_path / "a.pdf")
    refused(picture.save, tmp_path / "a.png", dpi=value)
    refused(puzzles.__getitem__, value)
    assert calls > 30
    # And the game still answers.
    assert position.play(position.line[0]) is not None and len(puzzles) == 2


@pytest.mark.parametrize("spec", SPECS)
def test_specs_that_are_none(spec: str) -> None:
    error = refused(lambda: tesuji.open(spec).position().value)
    assert isinstance(error, tesuji.PuzzleError), error
    assert str(error).strip()


def test_errors_have_the_place_and_are_built_in_ones_too(small: tesuji.Game) -> None:
    with pytest.raises(tesuji.NotationError) as raised:
        small.position("2b1/w1x1/1ob1/2b1 b -")
    assert raised.value.at == 6 and raised.value.text == "2b1/w1x1/1ob1/2b1 b -"
    assert isinstance(raised.value, ValueError)
    with pytest.raises(tesuji.NotationError, match="position 2") as raised:
        small.evaluate(["initial", "2b1/w1x1/1ob1/2b1 b -"])
    assert raised.value.at == 6
    with pytest.raises(tesuji.NotationError, match="position 3"):
        small.moves(["initial", 4, "x"])
    with pytest.raises(tesuji.NotationError, match="slot"):
        small.evaluate([2**40])
    with pytest.raises(tesuji.NotationError, match="legal"):
        small.position().play("c3U")
    with pytest.raises(OSError, match="no-such-file"):
        tesuji.open_table("no-such-file.tsj")
    with pytest.raises(tesuji.SizeError, match="table="):
        tesuji.open("ostle").position().value
    with pytest.raises(tesuji.GameError):
        tesuji.open("chess")


