"""Solves games on Apache Spark and demands the table of the solver, byte for byte, and the same finds.

    python cluster.py                         # small games, in threads of one process
    python cluster.py --executors 2 --kill    # two processes, one of which is killed in each game
    python cluster.py --executors 2 --games neutreeko --csv figures.csv

Needs Java 17 or later. Exit code 1 if anything differs.
"""

import argparse
import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

import tesuji_puzzles as tesuji
import tesuji_puzzles.spark
from tesuji_puzzles.shards import FOLDED, PLAIN, Shards

sys.path.insert(0, str(Path(__file__).parents[2] / "src/python/tests"))
from alone import here, solved  # noqa: E402

SMALL = {
    "tictactoe": "n_best = 1",
    "ostle:3x3,pieces=2,losses=2": "outcome = 'win' AND n_winning = 1",
}
LARGE = {
    "neutreeko": "outcome = 'win' AND plies >= 15 AND n_best = 1",
    "ostle:4x4,pieces=3,losses=2": "outcome = 'win' AND plies >= 9 AND n_winning = 1",
    "chess:KQ-KR": "outcome = 'win' AND plies >= 45 AND n_best = 1",
}


def opened(master):
    """A session of Spark on this machine."""
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master(master)
        .appName("tesuji-cluster")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # One thread of rules for each core of Spark.
        .config("spark.executorEnv.RAYON_NUM_THREADS", "1")
        .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session


def executors():
    """The executors that this process began, and nobody else's."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    parents = {int(process): int(parent) for process, parent, *_ in rows}

    def ours(process):
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    found = (int(row[0]) for row in rows if "CoarseGrainedExecutorBackend" in row[-1])
    return [process for process in found if ours(process)]


def killed_after(files, folder):
    """Kills an executor once a folder has this number of states; gives what was killed."""
    killed = []

    def watch():
        while not killed:
            written = sum(1 for _ in Path(folder).glob("group-*/shard-*/*.npy"))
            if written >= files and (alive := executors()):
                with suppress(ProcessLookupError):
                    os.kill(alive[0], signal.SIGKILL)
                    killed.append(alive[0])
            time.sleep(0.01)

    threading.Thread(target=watch, daemon=True).start()
    return killed


def shuffled(session):
    """The bytes that all executors have written for shuffles."""
    found = session.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(found.apply(place).totalShuffleWrite() for place in range(found.size()))


def measured(plan):
    """Counts what is sent, in a run of all steps in this process: messages, their bytes, passes, and
    the seconds of the largest pass with its messages."""
    passes = {}

    def call(plan, step, group, shard, *rest):
        begun = time.process_time()
        found = here(plan, step, group, shard, *rest)
        if step in ("sends", "take"):
            counts = passes.setdefault((group, rest[0]), [0, 0, 0.0])
            for message in found if step == "sends" else ():
                counts[0] += len(message.data) // (FOLDED if message.folded else PLAIN).itemsize
                counts[1] += len(message.data)
            counts[2] += time.process_time() - begun
        return found

    solved(plan, call)
    messages, size, _ = (sum(column) for column in zip(*passes.values(), strict=True))
    largest = max(passes.values())
    return messages, size, len(passes), (largest[0], largest[2])


def run_page(path):
    """Runs the Python of a page, with a temporary folder for /shared."""
    blocks = re.findall(r"^```python\n(.*?)^```", Path(path).read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as work:
        exec("".join(blocks).replace("/shared", work), {})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--executors", type=int, default=0, help="executors in processes of their own")
    parser.add_argument("--kill", action="store_true", help="kill an executor in each game")
    parser.add_argument("--games", nargs="*", help="specs of games")
    parser.add_argument("--csv", help="where figures go")
    parser.add_argument("--page", help="run the Python of a page instead")
    options = parser.parse_args()
    if options.page:
        return run_page(options.page)
    conditions = SMALL | LARGE if options.executors else SMALL
    if options.games:
        conditions = {game: (SMALL | LARGE)[game] for game in options.games}
    session = opened(f"local-cluster[{options.executors},1,1024]" if options.executors else "local[2]")
    figures, wrong = [], 0
    with tempfile.TemporaryDirectory() as work:
        for number, (spec, condition) in enumerate(conditions.items()):
            game = tesuji.open(spec)
            folder = Path(work, str(number))
            whole = folder.with_suffix(".tsj")
            fingerprint = game.solve(whole)
            killed = killed_after(3, folder) if options.kill else []
            before, begun = shuffled(session), time.perf_counter()
            found = tesuji.spark.solve(game, session, folder)
            seconds, carried = time.perf_counter() - begun, shuffled(session) - before
            table = folder / "table.tsj"
            same = found == fingerprint and table.read_bytes() == whole.read_bytes()
            here = tesuji.open(spec, table=whole).mine(condition, limit=20)
            there = tesuji.spark.mine(table, session, condition, limit=20)
            equal = list(here) == list(there) and here.matched == there.matched
            wrong += not (same and equal and len(here) and (killed or not options.kill))
            print(
                f"{spec}: {seconds:.1f} s, table {'the same' if same else 'DIFFERS'}, "
                f"{len(there)} finds of {there.matched} {'the same' if equal else 'DIFFER'}"
                + (f", executor {killed[0]} killed" if killed else "")
            )
            if options.csv:
                counted = measured(Shards(game, f"{folder}-alone", 8))
                size = game.steps.layers()[-1].end
                figures.append((spec, size, round(seconds, 1), carried, *counted[:3], *counted[3]))
    session.stop()
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(
                "game slots spark_seconds shuffled_bytes messages bytes passes largest_pass its_cpu_seconds".split()
            )
            rows.writerows(figures)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
