"""Reads what tesuji writes for chess programs with python-chess.

    python chess_programs.py --pgn FILE... --epd FILE...

Every move of every line must be legal, and decisive games must end in mate. Exit code 1 if not.
"""

import argparse
import sys

import chess
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn", nargs="+", required=True)
    parser.add_argument("--epd", nargs="+", required=True)
    args = parser.parse_args()
    games, moves = map(sum, zip(*map(read_games, args.pgn)))
    positions = sum(map(read_positions, args.epd))
    print(f"python-chess {chess.__version__}")
    print(f"  {games} games with {moves} moves, all legal; {positions} positions in EPD")


if __name__ == "__main__":
    sys.exit(main())
