"""The page as readers use it. What is expected comes from the CSV and from
`tesuji solution`, not from the data in the page."""

import functools
import html
import http.server
import math
import os
import pathlib
import re
import threading

import pytest

from conftest import go, page_of, tesuji, until

DIRECTIONS = {"U": (0, 1), "D": (0, -1), "L": (-1, 0), "R": (1, 0)}


def squares(move):
    """The squares that a move such as c2U leads from and to."""
    file, rank, direction = move
    right, up = DIRECTIONS[direction]
    return file + rank, chr(ord(file) + right) + str(int(rank) + up)


def cell(page, square):
    return page.locator(f'.cell[aria-label^="{square} "]')


def play(page, move):
    start, goal = squares(move)
    cell(page, start).click()
    target = cell(page, goal)
    (target if target.count() else page.locator(".cell.ring.goal")).click()


def said(page, text):
    until(page, "text => document.getElementById('message').textContent.includes(text)", arg=text)
    return page.locator("#message").inner_text()


def made(page):
    return re.sub(r"\d+\.", " ", page.locator("#line").inner_text()).split()


def at(pages, row=None):
    return f"{pages.url}#{(row or pages.row)['puzzle_id']}"


def test_gallery_shows_and_filters(pages, visit, shot):
    page = visit(pages.url)
    assert page.title() == "Forced sacrifice"
    assert page.locator(".card").count() == len(pages.rows)
    assert page.locator(".card .task").all_inner_texts() == [row["stipulation"] for row in pages.rows]
    shot(page, "gallery")
    with_theme = [row for row in pages.rows if "ban-win" in row["themes"].split()]
    assert 0 < len(with_theme) < len(pages.rows)
    page.select_option("#theme", "ban win")
    assert page.locator(".card .task").all_inner_texts() == [row["stipulation"] for row in with_theme]
    page.select_option("#theme", "")
    page.select_option("#length", f"{pages.row['plies']} plies")
    assert page.locator(".card").count() == sum(row["plies"] == pages.row["plies"] for row in pages.rows)
    page.select_option("#length", "")
    wasted = lambda row: int(row["line_look_ahead"] or 0) / 100
    effort = lambda row: int(row["difficulty"]) + wasted(row) * math.log2(int(row["n_moves"]))
    stars = lambda row: 1 + sum(effort(row) >= least for least in (8, 16, 28, 48))
    page.select_option("#grade", str(stars(pages.row)))
    assert page.locator(".card").count() == sum(stars(row) == stars(pages.row) for row in pages.rows)
    page.select_option("#grade", "")
    page.select_option("#order", "easy")
    order = sorted(pages.rows, key=lambda row: (stars(row), int(row["difficulty"])))
    assert page.locator(".card .task").all_inner_texts() == [row["stipulation"] for row in order]


def test_boards_of_a_row_line_up_whatever_their_titles(pages, visit, shot):
    titles = ["", "Short", "A title of so many words that it fills three lines of a card or more"]
    source = pages.edited("titles.csv", lambda place, row: row | {"title": titles[place % 3]})
    url = pages.make(source, "titles.html")
    for width in (1200, 390):
        page = visit(url, viewport={"width": width, "height": 850})
        shot(page, f"titles-{width}")
        rows = {}
        for card in page.locator(".card").all():
            rows.setdefault(card.bounding_box()["y"], []).append(card.locator("svg").bounding_box()["y"])
        assert max(map(len, rows.values())) > 1
        assert all(max(tops) - min(tops) < 1 for tops in rows.values()), rows
        # A title is read before its task.
        assert page.locator(".card").nth(1).inner_text().index("Short") < page.locator(".card").nth(1).inner_text().index("to move")


def test_rules_have_the_colours_of_the_page(pages, promotions, visit, shot):
    # Of each shape, what it has of its own and what is shown.
    colours = """() => [...document.querySelectorAll('.rules svg *')].flatMap((shape) => ['fill', 'stroke'].map((name) =>
      [shape.getAttribute(name), getComputedStyle(shape)[name]]).filter(([own]) => own && own !== 'none'))"""
    for url in (pages.url, promotions[0]):
        shown = {}
        for scheme in ("light", "dark"):
            page = visit(url, color_scheme=scheme)
            page.click("#rules summary")
            shot(page, f"rules-{scheme}")
            shown[scheme] = page.evaluate(colours)
            if scheme == "dark":
                paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert paper in {colour for _, colour in shown["dark"]}
        # Nothing stays as it was drawn when the page turns dark, but what is light in both.
        same = {own for (own, light), (_, dark) in zip(shown["light"], shown["dark"]) if light == dark}
        assert len(shown["light"]) > 50 and same == set()


def test_solve_with_the_mouse(pages, visit, shot):
    page = visit(pages.url, reduced_motion="no-preference")
    page.locator(".card", has_text=pages.row["stipulation"]).click()
    line = pages.row["solution"].split()
    for ply in range(0, len(line), 2):
        play(page, line[ply])
        if ply + 1 < len(line):
            said(page, f"answers {line[ply + 1]}")
            assert made(page) == line[: ply + 2]
    assert said(page, "Solved.").startswith("Solved. Black wins.")
    assert page.locator("#mark").inner_text() == "✓ solved at the first try"
    assert page.locator("#themes").is_visible()
    shot(page, "solved")
    page.reload()
    assert page.locator("#mark").inner_text() == "✓ solved at the first try"
    page.click("#all")
    # The list comes with the next event of the page.
    page.locator("#count", has_text="1 solved").wait_for()
    page.select_option("#state", "done")
    assert page.locator(".card").count() == 1


def test_a_wrong_move_is_refuted(pages, visit, shot):
    refuted = pages.solution(pages.row)["tries"]
    assert refuted
    page = visit(at(pages))
    for this in refuted:
        play(page, this["move"])
        text = said(page, "Take it back")
        assert made(page) == [this["move"], this["refutation"]]
        assert this["refutation"] in text
        if this["value"]["outcome"] == "loss":
            # The move and its refutation are played already.
            assert f"White wins in {this['value']['plies'] - 2} plies" in text
        assert page.locator(".cell.can").count() == 0
        shot(page, "failed")
        page.click("#undo")
        assert page.locator(".cell.can").count() > 0
        assert made(page) == []
    assert page.locator("#mark").inner_text() == ""
    # The first answer counts.
    line = pages.row["solution"].split()
    for ply in range(0, len(line), 2):
        play(page, line[ply])
        said(page, f"answers {line[ply + 1]}" if ply + 1 < len(line) else "Solved.")
    assert page.locator("#mark").inner_text() == "✓ solved after a mistake"
    # Success leads on.
    page.locator(".onward").click()
    until(page, "id => location.hash !== '#' + id", arg=pages.row["puzzle_id"])


def test_a_slow_win_is_told_from_a_wrong_move(pages, visit):
    row = pages.rows[0]
    slower = pages.solution(row)["slower"]
    assert slower
    page = visit(at(pages, row))
    play(page, slower[0]["move"])
    text = said(page, "wins too")
    assert f"It takes {slower[0]['value']['plies']} plies; {row['plies']} plies are enough." in text


def test_another_shortest_win_is_accepted(pages, visit):
    duals = [(row, node) for row in pages.rows
             for node in pages.solution(row)["tree"]["nodes"] if node["duals"]]
    assert duals
    # A dual in the main line, found by playing it.
    for row in pages.rows:
        tree = pages.solution(row)["tree"]["nodes"]
        node, line = tree[0], row["solution"].split()
        for ply in range(0, len(line), 2):
            if node["duals"]:
                page = visit(at(pages, row))
                for before in line[:ply:2]:
                    play(page, before)
                    said(page, f"{before}.")
                play(page, node["duals"][0])
                said(page, node["duals"][0])
                assert "good" in page.locator("#message").get_attribute("class")
                return
            if ply + 1 < len(line):
                reply = next(reply for reply in node["replies"] if reply["move"] == line[ply + 1])
                node = tree[reply["node"]]
    raise AssertionError("no puzzle has a dual in its main line")


def test_keyboard_only(pages, visit):
    page = visit(pages.url)

    def tab_to(selector):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab never comes to {selector}")

    place = [row["puzzle_id"] for row in pages.rows].index(pages.row["puzzle_id"])
    for _ in range(place + 1):
        tab_to(".card")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cell.can")
    tab_to(".cell")

    line = pages.row["solution"].split()
    for ply in range(0, len(line), 2):
        start, goal = squares(line[ply])
        go(page, start)
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
        if goal[0] in "abcd" and goal[1] in "1234":
            go(page, goal)
        else:
            page.keyboard.press({"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}[line[ply][2]])
        page.keyboard.press("Enter")
        said(page, f"answers {line[ply + 1]}" if ply + 1 < len(line) else "Solved.")
    assert page.locator("#message").get_attribute("aria-live") == "polite"


def test_touch_on_a_phone(pages, visit, shot):
    page = visit(pages.url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True,
                 device_scale_factor=2, color_scheme="dark")
    fits = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(fits)
    shot(page, "phone-gallery")
    page.evaluate("document.querySelectorAll('.about details').forEach((one) => { one.open = true; })")
    assert page.evaluate(fits)
    shot(page, "phone-rules")
    page.evaluate("document.querySelectorAll('.about details').forEach((one) => { one.open = false; })")
    page.locator(".card", has_text=pages.row["stipulation"]).tap()
    assert page.evaluate(fits)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    line = pages.row["solution"].split()
    start, goal = squares(line[0])
    cell(page, start).tap()
    cell(page, goal).tap()
    said(page, f"answers {line[1]}")
    shot(page, "phone")
    # The next move by dragging a finger.
    touch = page.context.new_cdp_session(page)
    start, goal = (cell(page, square).bounding_box() for square in squares(line[2]))
    middle = lambda box: {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle(start)]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [middle(goal)]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    said(page, f"answers {line[3]}")
    assert page.evaluate(fits)
    light = visit(pages.url, color_scheme="light")
    assert light.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_drag_with_the_mouse(pages, visit):
    page = visit(at(pages))
    line = pages.row["solution"].split()
    start, goal = (cell(page, square).bounding_box() for square in squares(line[0]))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 30, goal["y"] + 30, steps=4)
    page.mouse.up()
    said(page, f"answers {line[1]}")


def test_hints_solution_and_copy(pages, visit, shot):
    page = visit(at(pages), permissions=["clipboard-read", "clipboard-write"])
    page.click("#copy")
    said(page, pages.row["position"])
    assert page.evaluate("navigator.clipboard.readText()") == pages.row["position"]
    themes = pages.row["themes"].replace("-", " ").split()
    for hint in ["Theme", "begins.", f"The first move is {pages.row['solution'].split()[0]}."]:
        page.click("#hint")
        assert hint in page.locator("#hints li").last.inner_text()
    assert all(theme in page.locator("#hints li").first.inner_text() for theme in themes)
    page.click("#show")
    line = pages.row["solution"].split()
    assert page.locator("#mainline button").all_inner_texts() == line
    page.click("#forward")
    page.click("#forward")
    assert page.locator("#mainline [aria-current]").inner_text() == line[1]
    page.click("#last")
    assert page.locator("#forward").is_disabled()
    assert re.search("Lost so far: a (black|white) piece", said(page, "The end."))
    page.click("#whole")
    for this in pages.solution(pages.row)["tries"]:
        assert f"1.{this['move']}? {this['refutation']}!" in page.locator("#tree").inner_text()
    shot(page, "solution")
    # Whoever has seen the solution has not solved it alone.
    page.click("#restart")
    for ply in range(0, len(line), 2):
        play(page, line[ply])
        said(page, f"answers {line[ply + 1]}" if ply + 1 < len(line) else "Solved.")
    assert page.locator("#mark").inner_text() == "✓ solved with help"


def test_a_number_stays_with_its_move(pages, visit):
    for width in range(300, 420, 15):
        page = visit(at(pages), viewport={"width": width, "height": 700})
        page.click("#show")
        page.click("#whole")
        numbered = page.locator("#mainline .whole, #tree .whole").evaluate_all(
            "all => all.filter((one) => /^\\d/.test(one.textContent)).map((one) => one.getClientRects().length)")
        assert len(numbered) > 4 and set(numbered) == {1}


def shown(page):
    """The pieces on the board, by square, as screen readers are told."""
    labels = page.locator(".cell:not(.ring)").evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    words = dict(label.split(",")[0].split(" ", 1) for label in labels)
    return {square: word for square, word in words.items() if word != "empty"}


def standing(position):
    """The pieces of a position in notation."""
    words = {"b": "black piece", "w": "white piece", "o": "hole"}
    found = {}
    for rank, row in enumerate(reversed(position.split()[0].split("/")), 1):
        file = 0
        for letter in row:
            if letter in words:
                found["abcd"[file] + str(rank)] = words[letter]
            file += 1 if letter in words else int(letter)
    return found


def push(board, move):
    """A move by the rules: what stands in the way is pushed, off the board or into the hole."""
    start, (right, up) = move[:2], DIRECTIONS[move[2]]
    line = [start]
    while (last := chr(ord(line[-1][0]) + right) + str(int(line[-1][1]) + up)) in board and board[last] != "hole":
        line.append(last)
    gone = last[0] not in "abcd" or last[1:] not in ("1", "2", "3", "4") or last in board
    pieces = [board.pop(square) for square in line]
    for square, piece in zip([*line[1:], *([] if gone else [last])], pieces):
        board[square] = piece


def test_variations_are_seen_on_the_board(pages, visit, shot):
    page = visit(at(pages))
    page.click("#show")
    page.click("#whole")
    tree = page.locator("#tree button")
    solution = pages.solution(pages.row)
    assert page.locator("#tree").inner_text().startswith(f"1.{solution['key']}!")
    refuted = [f"{this['move']} {this['refutation']}" for this in solution["tries"]]
    lines = set()
    for place in range(tree.count()):
        name = tree.nth(place).inner_text()
        tree.nth(place).click()
        said(page, "A variation.")
        line = page.locator("#mainline button").all_inner_texts()
        now = page.locator("#mainline [aria-current]").inner_text()
        assert name in (now, "~") and now in line
        marks = page.locator("#mainline button").evaluate_all("all => all.map((one) => one.hasAttribute('aria-current'))")
        made = line[:marks.index(True) + 1]
        lines.add(" ".join(made))
        board = standing(pages.row["position"])
        for move in made:
            push(board, move)
        assert shown(page) == board
    assert pages.row["solution"] in lines
    assert lines.issuperset(refuted) and refuted
    # The arrow keys step through the variation, and the main line is one button away.
    page.keyboard.press("ArrowLeft")
    assert page.locator("#mainline [aria-current]").inner_text() == line[len(made) - 2]
    shot(page, "variation")
    page.click("text=Main line")
    assert focus(page) == "forward"
    assert page.locator("#mainline button").all_inner_texts() == pages.row["solution"].split()
    assert page.locator("#tree [aria-current]").count() == 0


def focus(page):
    return page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")


def test_focus_is_never_lost(pages, visit):
    page = visit(at(pages))
    page.locator("#hint").focus()
    page.keyboard.press("Enter")
    assert focus(page) != "BODY"
    # A wrong move by keyboard, also one that leads beyond the edge.
    wrong = [this["move"] for row in pages.rows for this in pages.solution(row)["tries"]]
    assert wrong
    for row in pages.rows:
        for this in pages.solution(row)["tries"][:3]:
            page = visit(at(pages, row))
            start, goal = squares(this["move"])
            cell(page, start).focus()
            page.keyboard.press("Enter")
            page.keyboard.press({"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}[this["move"][2]])
            page.keyboard.press("Enter")
            said(page, "Take it back")
            assert focus(page) == "undo"
            page.keyboard.press("Enter")
            assert focus(page) != "BODY"
        break


def test_arrow_keys_step_through_a_solution(pages, visit):
    page = visit(at(pages))
    line = pages.row["solution"].split()
    page.click("#show")
    assert "Black to move." in page.locator("#message").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#mainline [aria-current]").inner_text() == line[0]
    assert "White to move." in page.locator("#message").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#mainline [aria-current]").inner_text() == line[0]


def test_fast_steps_end_where_the_list_says(pages, visit):
    page = visit(at(pages), reduced_motion="no-preference")
    line = pages.row["solution"].split()
    page.click("#show")
    for keys in ("R", "RL", "RRL", "RRR", "RRRLLR"):
        page.locator("#first").evaluate("button => button.click()")
        for key in keys:
            page.keyboard.press({"R": "ArrowRight", "L": "ArrowLeft"}[key])
            page.wait_for_timeout(60)
        page.wait_for_timeout(500)
        board = standing(pages.row["position"])
        for move in line[:keys.count("R") - keys.count("L")]:
            push(board, move)
        assert shown(page) == board, keys


def test_a_move_on_its_way_is_dropped(pages, visit):
    page = visit(at(pages, pages.rows[0]), reduced_motion="no-preference")
    for button in ("restart", "show", "next"):
        play(page, pages.rows[0]["key"])
        page.click(f"#{button}")
        page.wait_for_timeout(800)
        assert shown(page) == standing(pages.rows[button == "next"]["position"]), button
        assert (page.locator(".cell.can").count() > 0) == (button != "show")
        if button == "show":
            page.click("#restart")


def test_to_skip_leads_to_the_problem(pages, visit):
    page = visit(at(pages))
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'main'")
    assert page.locator("#puzzle").is_visible()
    assert page.url == at(pages)


def test_choices_outlast_a_reload(pages, visit):
    page = visit(pages.url)
    page.select_option("#order", "hard")
    before = page.locator(".card .task").all_inner_texts()
    page.reload()
    assert page.locator("#order").input_value() == "hard"
    assert page.locator(".card .task").all_inner_texts() == before


def solve(page, line):
    for ply in range(0, len(line), 2):
        play(page, line[ply])
        said(page, f"answers {line[ply + 1]}" if ply + 1 < len(line) else "Solved.")


def test_tabs_and_books_share_what_is_solved(pages, visit):
    """Files have one storage, and books of one title are not one book."""
    page = visit(at(pages, pages.rows[0]))
    other = page.context.new_page()
    other.goto(at(pages, pages.rows[1]))
    for tab, row in zip((page, other), pages.rows):
        solve(tab, row["solution"].split())
    page.goto(pages.url)
    page.locator("#count", has_text="2 solved").wait_for()
    page.select_option("#state", "done")
    # Another book has one of the two, and forgets no more than that.
    other.goto(pages.make(pages.csv, "shared.html", "--limit", 1))
    other.locator("#count", has_text="1 of 1 shown, 1 solved").wait_for()
    assert other.locator("#state").input_value() == ""
    other.on("dialog", lambda dialog: dialog.accept())
    other.click("#forget")
    other.locator("#count", has_text="0 solved").wait_for()
    page.reload()
    page.locator("#count", has_text="1 solved").wait_for()
    assert page.locator("#state").input_value() == "done"


def test_nothing_is_too_small_or_too_wide(pages, visit):
    small = """[...document.querySelectorAll('a, button, select, summary')]
        .filter((one) => one.checkVisibility() && !one.matches('.skip') && one.getBoundingClientRect().top >= 0)
        .filter((one) => one.id !== 'title' || innerHeight > innerWidth)
        .filter((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 43.5)
        .map((one) => one.id || one.textContent)"""
    # Screens that are zoomed are small and broad.
    for width, height in ((512, 384), (480, 320), (600, 425), (320, 256)):
        page = visit(at(pages), viewport={"width": width, "height": height})
        page.click("#show")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert all(button.bounding_box()["x"] + button.bounding_box()["width"] <= width
                   for button in page.locator("#player button").all())
    for width, height in ((360, 740), (740, 360)):
        page = visit(at(pages), viewport={"width": width, "height": height}, has_touch=True)
        page.click("#show")
        assert page.evaluate(small) == []
        page.click("#restart")
        # A goal beyond the edge stays on the page.
        for start in page.locator(".cell.can").all():
            start.click()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            for goal in page.locator(".cell.ring.goal").all():
                box = goal.bounding_box()
                assert min(box["width"], box["height"]) > 40 or height < 400
                assert box["x"] >= 0 and box["x"] + box["width"] <= width
    rows = page.locator("[role=row]:visible")
    assert all(rows.nth(n).locator("[role=gridcell]:visible").count() for n in range(rows.count()))


def test_accessible_to_axe(pages, kings, on_a_graph, visit):
    axe = os.environ.get("AXE")
    if not axe:
        pytest.skip("axe-core is not installed: tests/browser/run.sh installs it with npm")
    script = pathlib.Path(axe).read_text()
    for url in (pages.url, at(pages), kings[0], on_a_graph[0]):
        for scheme in ("light", "dark"):
            page = visit(url, color_scheme=scheme, bypass_csp=True)
            if "#" in url:
                page.click("#show")
            page.evaluate(script)
            found = page.evaluate("axe.run()")["violations"]
            assert [(one["id"], one["impact"]) for one in found] == []


def test_one_puzzle_in_another_page(pages, visit, shot):
    page = visit(at(pages), permissions=["clipboard-read", "clipboard-write"])
    page.click("#embed")
    snippet = page.evaluate("navigator.clipboard.readText()")
    source = re.search(r'<iframe [^>]*src="([^"]*)"', snippet)[1]
    assert html.unescape(source) == f"{at(pages)}&embed" and pages.row["stipulation"] in snippet
    page = visit(html.unescape(source), viewport={"width": 400, "height": 720})
    shot(page, "embedded")
    for id in ("all", "kicker", "colophon", "embed"):
        assert not page.locator(f"#{id}").is_visible()
    play(page, pages.row["key"])
    said(page, "answers")
    page.wait_for_timeout(400)
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= 720, f"{height} pixels"
    assert page.locator("#from").get_attribute("href") == f"#{pages.row['puzzle_id']}"
    # As it stands in another page, wide or narrow, nothing is cut off.
    host = pages.folder / "host.html"
    host.write_text(f'<meta charset="utf-8"><body>{snippet}</body>')
    for width in (320, 390, 1200):
        around = visit(host.as_uri(), viewport={"width": width, "height": 850})
        inner = around.frames[1]
        inner.wait_for_selector("#stage svg")
        shot(around, f"embedded-{width}")
        assert inner.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert around.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Nothing leads on to the whole page.
    page.click("#restart")
    solve(page, pages.row["solution"].split())
    assert not page.locator(".onward").is_visible()


@pytest.mark.parametrize("width, scheme", [(390, "dark"), (1280, "light")])
def test_the_page_of_a_puzzle_shows_all_of_it(pages, browser, tmp_path, width, scheme):
    source = pages.edited("titled.csv", lambda place, row: row | {"title": "A long way " * 12})
    tesuji("book", source, "--table", pages.table, "--limit", 2, "--output", f"{tmp_path}/")
    name = pages.rows[0]["puzzle_id"]
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        faults = []
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"http://127.0.0.1:{server.server_port}/{name}.html")
        frame = page.frame_locator("iframe")
        inner = page.frames[1]
        fits = "() => document.documentElement.scrollHeight === innerHeight && document.body.offsetHeight > innerHeight - 40"
        for button in [None, "#hint", "#show", "#whole", "#restart"]:
            if button:
                frame.locator(button).click()
            until(inner, fits)
        # The title stands once, in the frame.
        assert "A long way" not in page.locator("body").inner_text()
        assert frame.locator("body").inner_text().count("A long way " * 11) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # The page and what is in its frame are dark or light together.
        paper = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(paper) == inner.evaluate(paper)
        context.close()
        server.shutdown()
    assert faults == []



def test_choices_are_folded_on_a_phone(pages, visit, shot):
    page = visit(pages.url, viewport={"width": 390, "height": 780})
    shot(page, "phone-gallery")
    assert not page.locator("#theme").is_visible()
    assert page.locator(".card").first.bounding_box()["y"] < 400
    page.click("#choose summary")
    page.select_option("#theme", "ban win")
    assert 0 < page.locator(".card").count() < len(pages.rows)


def test_works_without_storage(pages, visit):
    deny = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
    page = visit(at(pages), init=deny)
    play(page, pages.row["key"])
    said(page, "answers")


def test_prints_boards_and_no_tools(pages, visit):
    page = visit(pages.url)
    page.emulate_media(media="print")
    assert page.locator(".card").first.is_visible()
    assert not page.locator("#filters").is_visible()


def test_no_text_of_a_puzzle_is_markup(pages, visit):
    evil = "</script><script>window.hit=1</script><img src=x onerror=window.hit=1>\"'{{data}}"

    def change(place, row):
        row["stipulation"] = evil
        row["themes"] = "<b>x</b> javascript:window.hit=1 __proto__"
        row["puzzle_id"] = f"{place}\"><svg/onload=window.hit=1>#%"
        row["filter"] = evil
        return row

    source = pages.edited("evil.csv", change)
    url = pages.make(source, "evil.html", "--author", evil, "--subtitle", evil, "--title", evil)
    page = visit(url, expect="Content Security Policy")
    assert page.locator("#title").inner_text() == evil
    assert page.title() == evil
    assert page.locator(".card .task").first.inner_text() == evil
    page.locator(".card").first.click()
    # The problem comes with the next event of the page.
    page.locator("#task:not(:empty)").wait_for()
    assert page.locator("#task").inner_text() == evil
    page.click("#hint")
    page.click("#show")
    assert page.evaluate("window.hit") is None
    assert page.locator("img, script:not([type])").count() == 1
    # Even a script that were let in would not run.
    blocked = page.evaluate("""() => new Promise(done => {
        addEventListener('securitypolicyviolation', event => done(event.violatedDirective));
        const script = document.createElement('script');
        script.textContent = 'window.hit = 1';
        document.body.append(script);
    })""")
    assert "script-src" in blocked
    assert page.evaluate("window.hit") is None


def test_a_graph_is_played_on_its_vertices(on_a_graph, visit, shot):
    url, rows = on_a_graph
    row = next(row for row in rows if int(row["n_moves"]) == 11 and int(row["plies"]) >= 3)
    line = row["solution"].split()
    page = visit(f"{url}#{row['puzzle_id']}")
    shot(page, "graph")
    # The vertices are all that there is, each with its name, and twelve and two edges.
    assert page.locator(".cell:not([hidden])").count() == 11
    assert sorted(page.locator("#stage .name").all_text_contents()) == list("abcdefghxyz")
    assert page.locator("#stage .edge").count() == 14
    # The arrow keys come to every vertex, though none is beside the next.
    seen, left = {"a"}, ["a"]
    while left:
        vertex = left.pop()
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            cell(page, vertex).focus()
            page.keyboard.press(key)
            found = page.evaluate("document.activeElement.getAttribute('aria-label').split(' ')[0]")
            if found not in seen:
                seen.add(found)
                left.append(found)
    assert len(seen) == 11
    cell(page, line[0]).click()
    said(page, "Go on.")
    assert cell(page, line[0]).get_attribute("aria-label").startswith(f"{line[0]} stone")
    near = "no free square"
    assert page.locator(f".cell[aria-label*='{near}']").count() >= 2
    cell(page, line[2]).focus()
    page.keyboard.press("Enter")
    said(page, "Go on." if len(line) > 3 else "Solved.")


def test_a_placement_game_is_played_by_pointing(kings, visit, shot):
    url, rows = kings
    row = max(rows, key=lambda row: int(row["plies"]))
    line = row["solution"].split()
    page = visit(f"{url}#{row['puzzle_id']}")
    free = page.locator(".cell.can")
    assert free.count() == int(row["n_moves"])
    wrong = next(name for name in (label.split()[0] for label in free.evaluate_all(
        "cells => cells.map((cell) => cell.getAttribute('aria-label'))")) if name != line[0])
    cell(page, wrong).click()
    assert "refuted" in said(page, wrong) or "loses" in said(page, wrong)
    # A king stands on the square now.
    assert cell(page, wrong).get_attribute("aria-label").split(",")[0] == f"{wrong} king"
    # The other player's king stands there too, and what they attack is hatched.
    assert page.locator(".cell[aria-label*=' king']").count() >= 1
    shot(page, "kings")
    page.click("#undo")
    cell(page, line[0]).focus()
    page.keyboard.press("Enter")
    said(page, "Go on.")
    assert made(page)[0] == line[0]


def test_a_promotion_is_chosen(promotions, visit, shot):
    url, rows = promotions
    row = rows[0]
    page = visit(f"{url}#{row['puzzle_id']}")
    start, goal = row["key"][:2], row["key"][2:4]
    for kind, text in [("Q", "only draws"), (row["key"][4].upper(), ". ")]:
        cell(page, start).click()
        cell(page, goal).click()
        said(page, "Which move?")
        buttons = page.locator("#message button")
        assert [name.split("=")[1][0] for name in buttons.all_inner_texts()] == ["B", "N", "Q", "R"]
        shot(page, f"promotion-{kind}")
        buttons.filter(has_text=f"={kind}").click()
        said(page, text)
        if kind == "Q":
            page.locator("#undo").click()
    assert "draw" not in page.locator("#message").inner_text()
    # By keyboard: the focus comes back to the board.
    page = visit(f"{url}#{row['puzzle_id']}")
    for square in (start, goal):
        cell(page, square).focus()
        page.keyboard.press("Enter")
    assert focus(page) == "BUTTON"
    while row["key"][4].upper() not in page.evaluate("document.activeElement.textContent").split("=")[1]:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    said(page, ". ")
    assert focus(page).startswith("cell")
    # Lengths count moves, and none is there twice.
    page = visit(url)
    lengths = page.locator("#length").inner_text()
    assert " moves (" in lengths and "plies" not in lengths
    listed = [option.split(" (")[0] for option in page.locator("#length option").all_inner_texts()]
    assert len(listed) == len(set(listed))
    page.select_option("#length", index=1)
    assert page.locator(".card").count() == int(re.search(r"\((\d+)\)", lengths)[1])


def test_a_hand_beside_the_board_is_told(tmp_path, visit):
    url, rows = page_of(tmp_path, "dobutsu:pieces=lion+chick", "tsume")
    page = visit(f"{url}#{rows[0]['puzzle_id']}")
    labels = page.locator(".cell:not([hidden])").evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    # Twelve squares and a hand on each side; the gaps are no cells.
    held = [label for label in labels if " in hand" in label]
    assert len(labels) == 14 and len(held) == 2
    assert sorted(label[0] for label in held) == ["1", "4"]
    # The arrow keys come to both hands, over the gaps.
    for square, key, rank in (("a1", "ArrowLeft", "1"), ("c4", "ArrowRight", "4")):
        cell(page, square).focus()
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") in [one for one in held if one[0] == rank]


def test_a_page_has_several_games(mixed, visit, shot):
    url, rows = mixed
    assert {row["game"] for row in rows} == {"ostle:4x4,pieces=3,losses=2", "neutreeko", "kings:4x5"}
    page = visit(url)
    assert page.locator(".card").count() == len(rows)
    shot(page, "mixed")
    squares = {"ostle": 16, "neutreeko": 25, "kings": 20}
    # There and back, so that each board comes after one of another game.
    for row in [rows[0], rows[-1], rows[2], rows[1]]:
        page = visit(f"{url}#{row['puzzle_id']}")
        many = squares[row["game"].split(":")[0]]
        assert page.locator(".cell:not(.ring)").count() == many
        key = row["key"]
        if row["game"].startswith("ostle"):
            play(page, key)
        else:
            for square in (key[:2], key[2:4]):
                if square:
                    cell(page, square).click()
        until(page, "document.getElementById('line').textContent !== ''")
        assert made(page)[0] == key
        assert "only" not in page.locator("#message").inner_text()
    # From one to the next without loading the page again.
    page = visit(f"{url}#{rows[1]['puzzle_id']}")
    page.locator("#next").click()
    until(page, "document.querySelectorAll('.cell:not(.ring)').length === 25")
    shot(page, "mixed-neutreeko")


def test_lengths_say_what_they_count(pages, promotions, visit):
    url, chess = promotions
    sources = [pages.csv, pathlib.Path(url.removeprefix("file://")).parent / "underpromotion" / "puzzles.csv"]
    page = visit(pages.make(sources[0], "units.html", sources[1], "--limit", 3))
    listed = page.locator("#length option").all_inner_texts()[1:]
    expected = [int(row["plies"]) for row in pages.rows[:3]], [int(row["plies"]) // 2 + 1 for row in chess[:3]]
    words = [f"{many} {unit}" for many, unit in
             [(many, "moves") for many in sorted(set(expected[1]))] + [(many, "plies") for many in sorted(set(expected[0]))]]
    assert [text.split(" (")[0] for text in listed] == words
    page.select_option("#length", words[0])
    assert page.locator(".card").count() == expected[1].count(min(expected[1]))
    assert all("mate in" in task for task in page.locator(".card .task").all_inner_texts())
    # A wrong move is judged in the unit of its problem.
    page = visit(f"{page.url}#{pages.rows[0]['puzzle_id']}")
    slower = pages.solution(pages.rows[0])["slower"]
    play(page, slower[0]["move"])
    assert f"{pages.rows[0]['plies']} plies are enough." in said(page, "wins too")


def test_a_page_is_in_the_language_of_its_template(pages, visit, shot):
    page = visit(pages.make(pages.csv, "german.html", "--template", "german"))
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator("#order option").first.inner_text() == "wie im Buch"
    count = len(pages.rows)
    assert page.locator("#count").inner_text() == f"{count} von {count} gezeigt, 0 gelöst"
    page.locator(".card").first.click()
    assert page.locator("#number").inner_text() == f"Aufgabe 1 von {count}"
    assert page.locator("#message").inner_text() == "Schwarz ist am Zug."
    for _ in range(3):
        page.locator("#hint").click()
    page.locator("#show").click()
    assert page.locator("#message").inner_text() == "Die Lösung. Schwarz ist am Zug."
    # Nothing that the program says stays English.
    text = page.locator("body").inner_text()
    english = [word for word in ("Black", "White", "problem", "Theme:", "The ", "move", "Solution", "wins") if word in text]
    assert not english, text
    shot(page, "german")
