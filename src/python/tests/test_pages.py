"""The Python of the tutorials, with the files that their commands write."""

import re
from pathlib import Path

import duckdb
import pytest

import tesuji_puzzles as tesuji

PAGES = Path(__file__).parents[3] / "notebooks"


def run(page: str) -> None:
    text = (PAGES / page / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    exec("".join(blocks), {})


def test_the_tutorial_for_researchers(
    small: tesuji.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("output").mkdir()
    small.solve("output/ostle-4x4-pieces-3-losses-2.tsj")
    Path("states/data").mkdir(parents=True)
    states = small.states(["outcome", "plies", "bannable_best", "banned_outcome"])
    duckdb.sql("SELECT * FROM states").write_parquet("states/data/part.parquet")
    run("researcher")
    assert " 489 " in capsys.readouterr().out


def test_the_tutorial_for_developers(capsys: pytest.CaptureFixture[str]) -> None:
    run("developer")
    # What is printed stands behind it.
    page = (PAGES / "developer/README.md").read_text(encoding="utf-8")
    promised = re.findall(r"^print\(.*\) +# (.*)$", page, re.MULTILINE)
    assert promised and capsys.readouterr().out.splitlines() == promised
