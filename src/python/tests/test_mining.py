"""Mining, composing and books."""

import pytest

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome


def test_every_find_satisfies_the_condition(small: tesuji.Game) -> None:
    puzzles = small.mine("outcome = 'win' AND plies BETWEEN 5 AND 9 AND n_winning = 1", limit=40)
    assert 0 < len(puzzles) <= 40 <= puzzles.matched
    for row, position in zip(puzzles, puzzles.positions()):
        assert 5 <= row["plies"] <= 9
        winning = [move for move in position.moves if move.value.outcome is Outcome.WIN]
        assert len(winning) == 1 and winning[0].name == row["key"]


def test_filters_by_name_and_from_a_file(small: tesuji.Game, tmp_path) -> None:
    shipped = small.mine(filter="forced-sacrifice", limit=3)
    assert shipped.title and len(shipped) == 3
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ntitle = "My own"\ntext = "Long ones."\npredicate = "plies >= 20"\nlimit = 2\n'
    )
    own = small.mine(filter=path)
    assert own.title == "My own" and len(own) == 2 and set(own["filter"]) == {"mine"}


def test_scope_and_sample(small: tesuji.Game) -> None:
    every = small.mine("plies = 5").matched
    layers = small.statistics()["layers"]
    parts = [small.mine("plies = 5", layers=[layer["layer"]]).matched for layer in layers]
    assert sum(parts) == every and 0 < small.mine("plies = 5", sample=10).matched < every
    with pytest.raises(tesuji.FilterError, match="9-9"):
        small.mine("plies = 5", layers=["9-9"])


def test_composed_positions_fit_the_pattern(small: tesuji.Game) -> None:
    found = small.compose("????/?o??/????/b??w", "plies = 9 AND n_winning = 1", limit=5)
    assert len(found) > 0
    for text in found["position"]:
        rows = "".join(
            "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
            for row in text.split(" ")[0].split("/")
        )
        assert (rows[5], rows[12], rows[15]) == ("o", "b", "w"), text


def test_a_condition_that_is_none_is_refused_with_its_place(small: tesuji.Game) -> None:
    with pytest.raises(tesuji.FilterError) as raised:
        small.mine("plies > 3 AND n_wining = 1")
    error = raised.value
    assert error.text == "plies > 3 AND n_wining = 1" and error.at == 14
    assert "n_winning" in str(error)
    with pytest.raises(tesuji.FilterError, match="unknown filter"):
        small.mine(filter="no-such-filter")
    with pytest.raises(tesuji.ArgumentError, match="either"):
        small.mine()


def test_books(small: tesuji.Game, tmp_path) -> None:
    puzzles = small.mine("plies = 9 AND n_winning = 1", limit=4)
    page = tmp_path / "book.html"
    tesuji.book(puzzles, page, title="Nine & more", author="A. N. Author")
    text = page.read_text()
    assert "Nine &amp; more" in text and "A. N. Author" in text
    booklet = tmp_path / "book.pdf"
    tesuji.book(puzzles, booklet, paper="a5", per_page=4)
    assert booklet.read_bytes().startswith(b"%PDF")
    with pytest.raises(tesuji.FileError):
        tesuji.book(puzzles, page)
    with pytest.raises(tesuji.ArgumentError, match="pdf"):
        tesuji.book(puzzles, tmp_path / "book.txt")
    with pytest.raises(tesuji.ArgumentError):
        tesuji.book(puzzles.pick([]), tmp_path / "empty.html")
    assert not (tmp_path / "empty.html").exists()


def test_puzzles_come_back_from_csv(small: tesuji.Game, tmp_path) -> None:
    puzzles = small.mine("plies = 9 AND n_winning = 1", limit=4)
    path = tmp_path / "puzzles.csv"
    path.write_text(puzzles.to_csv())
    again = tesuji.read_puzzles(path)
    assert list(again) == list(puzzles) and again.game.spec == small.spec
    tesuji.book(again, tmp_path / "book.html")
    path.write_text(puzzles.to_csv().replace(",win,9,8,", ",win,7,6,"))
    with pytest.raises(tesuji.AnswerError, match="puzzle 1"):
        tesuji.book(tesuji.read_puzzles(path), tmp_path / "wrong.html")
    # Columns of one's own stay.
    lines = puzzles.to_csv().splitlines()
    path.write_text("\n".join([f"date,{lines[0]}", *(f"day {at},{line}" for at, line in enumerate(lines[1:]))]))
    own = tesuji.read_puzzles(path).pick([2, 0])
    assert own["date"] == ["day 2", "day 0"]
    assert own.to_csv().splitlines()[0] == f"{lines[0]},date"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(tesuji.FileError, match="puzzles.csv"):
        tesuji.read_puzzles(path)
