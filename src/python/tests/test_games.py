"""Opening games, and asking about positions."""

import xml.dom.minidom
from functools import lru_cache

import pytest

import tesuji_puzzles as tesuji
from tesuji_puzzles import Outcome

KEY = "4/2b1/obwb/w2w b -"


def after(outcome: Outcome) -> Outcome:
    """The same end of the game for the other side."""
    return {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}.get(outcome, outcome)


def solved(game: tesuji.Game) -> dict[str, tuple[Outcome, int]]:
    """Every position of a game that always ends, by a search that knows no table: who wins, and in
    how many plies (of a draw, how many are left)."""

    @lru_cache(maxsize=None)
    def value(text: str) -> tuple[Outcome, int]:
        best = None
        for name in game.position(text).legal_moves:
            next = game.position(text).play(name)
            if isinstance(next, Outcome):
                found = (next, 1)
            else:
                outcome, plies = value(next.text)
                found = (after(outcome), plies + 1)
            values[(text, name)] = found
            if best is None or rank(found) > rank(best):
                best = found
        assert best is not None
        return best

    def rank(found: tuple[Outcome, int]) -> tuple[int, int]:
        outcome, plies = found
        return {Outcome.WIN: (2, -plies), Outcome.DRAW: (1, 0), Outcome.LOSS: (0, plies)}[outcome]

    values: dict[tuple[str, str], tuple[Outcome, int]] = {}
    value(game.position().text)
    best: dict[str, tuple[Outcome, int]] = {}
    for (text, _), found in values.items():
        if text not in best or rank(found) > rank(best[text]):
            best[text] = found
    return best


def test_values_are_those_of_a_search_in_python() -> None:
    game = tesuji.open("tictactoe")
    expected = solved(game)
    # Tic-tac-toe has 5,478 positions, of which 958 are finished.
    assert len(expected) == 4520
    texts = list(expected)
    frame = game.evaluate(texts)
    for text, outcome, plies in zip(texts, frame["outcome"], frame["plies"]):
        wanted, length = expected[text]
        assert outcome == wanted.value, text
        assert plies == (None if wanted is Outcome.DRAW else length), text
    assert game.position().value == tesuji.Value(Outcome.DRAW)


def test_moves_are_best_first_and_the_line_is_played_to_its_end(small: tesuji.Game) -> None:
    position = small.position(KEY)
    moves = position.moves
    assert {move.name for move in moves} == set(position.legal_moves)
    wins = [move.value.plies for move in moves if move.value.outcome is Outcome.WIN]
    assert wins == sorted(wins) and moves[0].value == position.value
    at: tesuji.Position | Outcome = position
    for name in position.line:
        assert isinstance(at, tesuji.Position)
        at = at.play(name)
    assert at is Outcome.WIN
    assert len(position.line) == position.value.plies


def test_solution_and_verdict_agree_with_the_value(small: tesuji.Game) -> None:
    position = small.position(KEY)
    solution = position.solution()
    assert solution.line == position.line and solution.key == position.line[0]
    assert solution.key in str(solution) and solution.value == position.value
    verdict = position.check()
    assert verdict.sound and verdict.stipulation == str(position.value)
    wrong = position.check("win in 3")
    assert not wrong.sound and wrong.faults == ["distance mismatch"]
    assert "distance mismatch" in str(wrong)
    hidden = tesuji.open("tsuitate").position().check("win in 9 with 1 foul allowed")
    assert hidden.sound and hidden.score is None and hidden.themes == []
    assert str(hidden) == "win in 9 with 1 foul allowed: sound"


def test_pictures_are_svg_and_show_what_is_asked(small: tesuji.Game, tmp_path) -> None:
    position = small.position(KEY)
    plain = position.svg()
    xml.dom.minidom.parseString(plain)
    marked = position.svg(arrows=[position.line[0]], highlight=["a1"], stipulation="White & Black?")
    xml.dom.minidom.parseString(marked)
    assert marked != plain and "White &amp; Black?" in marked
    assert position._repr_svg_() == plain and plain._repr_svg_() == plain
    strip = position.strip(columns=2)
    assert strip.count("<svg") >= 1 and strip != position.strip(columns=4)
    assert "@keyframes" in position.strip(animated=True)
    tree = position.solution().svg(boards=True)
    xml.dom.minidom.parseString(tree)
    html = position.solution()._repr_html_()
    assert "<svg" in html and "<pre>" in html
    plain.save(tmp_path / "p.svg")
    plain.save(tmp_path / "p.png", dpi=72)
    assert (tmp_path / "p.svg").read_text() == plain
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(tesuji.FileError):
        marked.save(tmp_path / "p.svg")
    marked.save(tmp_path / "p.svg", force=True)
    assert (tmp_path / "p.svg").read_text() == marked


def test_games_of_every_kind_answer_or_say_what_they_can() -> None:
    kings = tesuji.open("kings:3x4").position()
    # A position is lost for the side to move if and only if its nimber is 0.
    for move in kings.moves:
        assert (move.value.nimber == 0) == (move.value.outcome is Outcome.WIN)
    assert (kings.value.nimber == 0) == (kings.value.outcome is Outcome.LOSS)
    hidden = tesuji.open("tsuitate")
    with pytest.raises(tesuji.UnsupportedError, match="two players"):
        hidden.evaluate([hidden.position()])
    found = hidden.position("5S2k/9/8P/9/9/9/9/9/9 b BS 1")
    assert found.evaluation["solved"] is True
    assert found.solution().key is None and found.solution().text
    with pytest.raises(tesuji.UnsupportedError, match="hidden information"):
        found.value
    puzzle = tesuji.open("sliding:2x2").position()
    assert puzzle.value.outcome is Outcome.WIN
    with pytest.raises(tesuji.UnsupportedError, match="has no"):
        puzzle.game.mine("plies > 1")


def test_tables_are_written_and_opened(tiny: tesuji.Game, tmp_path) -> None:
    path = tmp_path / "tiny.tsj"
    fingerprint = tiny.solve(path)
    again = tesuji.open_table(path)
    assert again.spec == tiny.spec
    assert again.position("1ww/1o1/bb1 b -").evaluation["fingerprint"] == fingerprint
    with pytest.raises(tesuji.FileError):
        tiny.solve(path)
    with pytest.raises(tesuji.TableError):
        tesuji.open("ostle:4x4,pieces=3,losses=2", table=path).prepare()
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(tesuji.TableError):
        tesuji.open_table(path).prepare()


def test_both_readings_of_rule_8(tiny: tesuji.Game) -> None:
    other = tesuji.open(tiny.spec, repetition="up-to-symmetry")
    assert other.spec != tiny.spec
    with pytest.raises(tesuji.ArgumentError, match="exact"):
        tesuji.open(tiny.spec, repetition="loose")


def test_positions_compare_by_game_and_text(small: tesuji.Game, tiny: tesuji.Game) -> None:
    assert small.position() == small.position("initial")
    assert small.position() != tiny.position()
    assert len({small.position(), small.position()}) == 1


def test_questions_for_programs_that_play() -> None:
    """The programs of the article "Formulas that play" for the 3-puzzle are right everywhere."""
    questions = tesuji.open("sliding:2x2").questions()
    assert len(questions) == 12

    def article(n: int) -> int:
        return 2 * (2945 * (n + 1) >> 13 & 1) + (33 * (n + 1) >> 7 & 1)

    assert all(article(question.number) in question.best for question in questions)
    assert not all(article(question.number + 1) in question.best for question in questions)
    questions = tesuji.open("tictactoe").questions()
    assert all(set(question.best) <= set(question.legal) for question in questions)
    assert len({question.number for question in questions}) == 4520
    with pytest.raises(tesuji.UnsupportedError, match="formula"):
        tesuji.open("kings:3x3").questions()
