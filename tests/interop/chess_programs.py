"""Reads what tesuji writes for chess programs with python-chess, and asks `tesuji engine` through its client.

    python chess_programs.py TESUJI GAME --pgn FILE... --epd FILE... --positions 1000

Every move of every line must be legal, decisive games must end in mate, and the engine must say what
`tesuji probe --batch` says. Exit code 1 if not.
"""

import argparse
import json
import random
import subprocess
import sys

import chess
import chess.engine
import chess.pgn


def read_games(path):
    """The number of games of a file, and of moves in all their lines."""
    games = moves = 0
    with open(path) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games += 1
            assert not game.errors, game.errors
            board = game.board()
            assert board.is_valid(), game.headers["FEN"]
            waiting = [game]
            while waiting:
                node = waiting.pop()
                moves += len(node.variations)
                waiting.extend(node.variations)
            end = game.end().board()
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK, "1/2-1/2": None}[game.headers["Result"]]
            if winner is not None:
                assert end.is_checkmate() and end.turn != winner, game.headers["FEN"]
            else:
                assert not end.is_checkmate(), game.headers["FEN"]
    return games, moves


def read_positions(path):
    """The number of positions."""
    count = 0
    with open(path) as file:
        for line in file:
            board = chess.Board()
            operations = board.set_epd(line)
            assert operations["bm"] and all(move in board.legal_moves for move in operations["bm"]), line
            count += 1
    return count


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


def ask_engine(tesuji, spec, count):
    """The number of positions of which engine and probe say the same."""
    boards = random_boards(spec, count, random.Random(7))
    text = "".join(f"{board.fen()}\n" for board in boards)
    batch = subprocess.run([tesuji, "probe", spec, "--batch"], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in batch.stdout.splitlines()]
    assert len(answers) == len(boards)
    with chess.engine.SimpleEngine.popen_uci([tesuji, "engine", spec]) as engine:
        for board, answer in zip(boards, answers):
            lines = engine.analyse(board, chess.engine.Limit(depth=1), multipv=3)
            assert len(lines) == min(3, board.legal_moves.count()), board.fen()
            for line, move in zip(lines, answer["moves"]):
                plies = move.get("plies") or 0
                mate = {"win": (plies + 1) // 2, "loss": -(plies // 2), "draw": None}[move["outcome"]]
                assert line["score"].relative.mate() == mate, (board.fen(), line, move)
                assert line["pv"][0].uci() == move["move"], (board.fen(), line, move)
                end = board.copy()
                for played in line["pv"]:
                    end.push(played)
                assert end.is_checkmate() == (mate is not None), (board.fen(), line)
            assert engine.play(board, chess.engine.Limit(depth=1)).move in board.legal_moves
    return len(boards)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tesuji")
    parser.add_argument("game")
    parser.add_argument("--pgn", nargs="+", required=True)
    parser.add_argument("--epd", nargs="+", required=True)
    parser.add_argument("--positions", type=int, default=1000)
    args = parser.parse_args()
    games, moves = map(sum, zip(*map(read_games, args.pgn)))
    positions = sum(map(read_positions, args.epd))
    asked = ask_engine(args.tesuji, args.game, args.positions)
    print(f"python-chess {chess.__version__}")
    print(f"  {games} games with {moves} moves, all legal; {positions} positions in EPD")
    print(f"  {asked} positions of {args.game}: the engine says what probe says")


if __name__ == "__main__":
    sys.exit(main())
