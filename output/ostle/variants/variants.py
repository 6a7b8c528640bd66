"""Compares variants of Ostle as designs: one row of variants.csv for each, by the program.

    python output/ostle/variants/variants.py                       # all that are missing
    python output/ostle/variants/variants.py ostle:4x4,pieces=3,losses=2    # one row

A row that is there is kept, so a run that was stopped goes on. `--tesuji` names the program.
"""

import argparse
import csv
import json
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
CSV = HERE / "variants.csv"
COLUMNS = [
    "game", "files", "ranks", "pieces", "losses", "repetition", "hole", "states", "initial", "initial_plies",
    "won", "drawn", "lost", "longest_win", "branching", "forced_sacrifices", "unique_wins", "seconds",
]
READINGS = ["exact", "up-to-symmetry", "all-images"]


def all_specs():
    """Boards by files and ranks; three or more pieces on 5x5 take minutes and gigabytes."""
    for files, ranks, most in [(3, 3, 3), (4, 4, 4), (5, 5, 3), (3, 4, 3), (3, 5, 3), (4, 5, 3)]:
        board = f"{files}x{files}" if files == ranks else f"rows={ranks},columns={files}"
        for pieces in range(2, most + 1):
            for losses in range(1, min(pieces, 3) + 1):
                spec = f"ostle:{board},pieces={pieces},losses={losses}"
                for reading in READINGS:
                    yield spec + ("" if reading == "exact" else f",repetition={reading}")
                yield spec + ",hole=fixed"


def row(tesuji, spec, folder):
    """What the program says of a variant."""

    def ask(*args):
        return subprocess.run([tesuji, *args], check=True, capture_output=True, text=True).stdout

    begun = time.monotonic()
    table = Path(folder) / "table.tsj"
    ask("solve", spec, "--output", str(table), "--force")
    stats = json.loads(ask("stats", spec, "--table", str(table), "--json"))
    first = json.loads(ask("probe", spec, "--table", str(table), "--json"))
    counts = {"win": 0, "draw": 0, "loss": 0}
    longest = 0
    for line in stats["histogram"]:
        counts[line["outcome"]] += line["states"]
        if line["outcome"] == "win":
            # Plies to the end of the game, one more than to the checkmate position.
            longest = max(longest, line["plies_to_checkmate"] + 1)
    # Sequences of four moves; the fourth root is the mean number of moves.
    sequences = int(ask("perft", spec, "initial", "4").split()[-1].replace(",", ""))
    finds = {}
    for name in ["forced-sacrifice", str(HERE / "unique-win.toml")]:
        text = ask("mine", spec, "--table", str(table), "--filter", name, "--progressive=never",
                   "--output", str(Path(folder) / "finds"), "--force")
        line = next(line for line in text.splitlines() if line.startswith(Path(name).stem))
        finds[Path(name).stem] = int(line.split()[1].replace(",", ""))
    parts = spec.split(":")[1].split(",")
    settings = dict(part.split("=") for part in parts if "=" in part)
    files, ranks = parts[0].split("x") if "x" in parts[0] else (settings["columns"], settings["rows"])
    return dict(zip(COLUMNS, [
        spec, files, ranks, settings["pieces"], settings["losses"], settings.get("repetition", "exact"),
        settings.get("hole", "mobile"), stats["states"], first["outcome"], first["plies"], counts["win"], counts["draw"], counts["loss"],
        longest, f"{sequences ** 0.25:.1f}", finds["forced-sacrifice"], finds["unique-win"],
        f"{time.monotonic() - begun:.1f}",
    ]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("specs", nargs="*")
    parser.add_argument("--tesuji", default="target/release/tesuji")
    options = parser.parse_args()
    done = []
    if CSV.exists():
        with CSV.open(newline="") as file:
            done = list(csv.DictReader(file))
    for line in done:
        # Rows that were made before there was a choice.
        line.setdefault("hole", "mobile")
    known = {line["game"] for line in done}
    for spec in options.specs or all_specs():
        if spec in known:
            continue
        with tempfile.TemporaryDirectory() as folder:
            done.append(row(options.tesuji, spec, folder))
        with CSV.with_suffix(".new").open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(done)
        CSV.with_suffix(".new").replace(CSV)
        print(spec, flush=True)


if __name__ == "__main__":
    main()
