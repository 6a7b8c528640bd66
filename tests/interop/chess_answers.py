"""Asks all that answer about chess positions, the same random ones, and compares what they say.

    python chess_answers.py TESUJI GAME --ask engine http python --positions 1000

`tesuji engine`, the HTTP API of `tesuji explore` and the Python package, where it is installed, must say what
`tesuji probe --batch` says: outcome and plies, and of all moves, in the same order, name, outcome and plies.
Exit code 1 if not.
"""

import argparse
import http.client
import json
import random
import signal
import subprocess
import sys
import urllib.parse

import chess
import chess.engine


def random_boards(spec, count, chance):
    """Positions of the material of a spec such as chess:KQ-KR, not yet over."""
    white, black = spec.split(":")[1].split("-")
    men = [chess.Piece.from_symbol(letter) for letter in white + black.lower()]
    found = []
    while len(found) < count:
        board = chess.Board(None)
        board.set_piece_map(dict(zip(chance.sample(chess.SQUARES, len(men)), men)))
        board.turn = chance.random() < 0.5
        if board.is_valid() and not board.is_game_over(claim_draw=False):
            found.append(board)
    return found


def compared(answer):
    """What is compared of an answer in JSON."""
    moves = [(move["move"], move["outcome"], move["plies"]) for move in answer["moves"]]
    return answer["outcome"], answer["plies"], moves


def ask_probe(tesuji, spec, boards):
    text = "".join(f"{board.fen()}\n" for board in boards)
    batch = subprocess.run([tesuji, "probe", spec, "--batch"], input=text, capture_output=True, text=True, check=True)
    return [compared(json.loads(line)) for line in batch.stdout.splitlines()]


def ask_engine(tesuji, spec, boards):
    """UCI has values of moves only: that of the first is the position's. Lines must lead to the mate that the score
    says, and to none if it says none."""
    answers = []
    with chess.engine.SimpleEngine.popen_uci([tesuji, "engine", spec]) as engine:
        for board in boards:
            moves = []
            for line in engine.analyse(board, chess.engine.Limit(depth=1), multipv=board.legal_moves.count()):
                end = board.copy()
                for played in line["pv"]:
                    end.push(played)
                mate = line["score"].relative.mate()
                value = ("draw", None) if mate is None else ("win", 2 * mate - 1) if mate > 0 else ("loss", -2 * mate)
                assert end.is_checkmate() == (mate is not None), (board.fen(), line)
                assert value[1] in (None, len(line["pv"])), (board.fen(), line)
                moves.append((line["pv"][0].uci(), *value))
            answers.append((*moves[0][1:], moves))
            assert engine.play(board, chess.engine.Limit(depth=1)).move in board.legal_moves
    return answers


def ask_http(tesuji, spec, boards):
    """A request for each position."""
    answers = []
    with subprocess.Popen([tesuji, "explore", spec], stdout=subprocess.PIPE, text=True) as server:
        try:
            url = urllib.parse.urlsplit(next(line.strip() for line in server.stdout if "http://" in line))
            connection = http.client.HTTPConnection(url.netloc, timeout=60)
            for board in boards:
                question = json.dumps({"position": board.fen()})
                connection.request("POST", f"{url.path}api/evaluate", question, {"Content-Type": "application/json"})
                response = connection.getresponse()
                text = response.read().decode()
                assert response.status == 200, (board.fen(), text)
                answers.append(compared(json.loads(text)))
        finally:
            # As Ctrl-C does.
            server.send_signal(signal.SIGINT)
    return answers


def ask_python(_, spec, boards):
    import tesuji_puzzles

    answers = []
    game = tesuji_puzzles.open(spec)
    for board in boards:
        position = game.position(board.fen())
        moves = [(move.name, move.value.outcome.value, move.value.plies) for move in position.moves]
        answers.append((position.value.outcome.value, position.value.plies, moves))
    return answers


ASK = {"engine": ask_engine, "http": ask_http, "python": ask_python}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tesuji")
    parser.add_argument("game")
    parser.add_argument("--ask", nargs="+", choices=ASK, default=list(ASK))
    parser.add_argument("--positions", type=int, default=1000)
    args = parser.parse_args()
    boards = random_boards(args.game, args.positions, random.Random(7))
    expected = ask_probe(args.tesuji, args.game, boards)
    count = sum(len(moves) for _, _, moves in expected)
    for name in args.ask:
        said = ASK[name](args.tesuji, args.game, boards)
        for board, probe, answer in zip(boards, expected, said, strict=True):
            assert answer == probe, f"{board.fen()}\n  {name}: {answer}\n  probe: {probe}"
        print(f"{len(boards)} positions of {args.game} with {count} moves: {name} says what probe says")


if __name__ == "__main__":
    sys.exit(main())
