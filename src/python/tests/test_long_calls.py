"""Long calls: other threads run, progress is reported, Ctrl-C stops them."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import tesuji_puzzles as tesuji

#: Solved in some seconds.
LONG = "ostle:5x5,pieces=3,losses=2"


def test_other_threads_run_meanwhile() -> None:
    game = tesuji.open(LONG)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    game.prepare()
    took = time.monotonic() - begun
    done.set()
    thread.join()
    during = [at for at in ticks if begun <= at <= begun + took]
    # Were the lock held, there would be a gap as long as the call.
    gaps = [b - a for a, b in zip(during, during[1:])]
    assert took > 0.3, "the game is too small for this test"
    assert len(during) > 10 and max(gaps) < took / 2


def test_threads_share_a_game() -> None:
    game = tesuji.open("ostle:4x4,pieces=3,losses=2")
    text = "4/2b1/obwb/w2w b -"
    found: list[object] = []

    def ask() -> None:
        position = game.position(text)
        found.append((position.value, len(game.mine("plies = 9", limit=5)), tuple(position.line)))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(found)) == 1


def test_progress_is_told_and_may_stop_the_call() -> None:
    told: list[tuple[str, int, int]] = []
    tesuji.show_progress(lambda *report: told.append(report))
    try:
        tesuji.open(LONG).prepare()
        assert told and told[-1] == ("", 0, 0)
        assert any(stage and done for stage, done, _ in told)

        def stop(*_: object) -> None:
            raise LookupError("enough")

        tesuji.show_progress(stop)
        game = tesuji.open(LONG)
        with pytest.raises(LookupError, match="enough"):
            game.prepare()
        tesuji.show_progress(False)
        game.prepare()
    finally:
        tesuji.show_progress(None)
    with pytest.raises(TypeError):
        tesuji.show_progress("loud")  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
def test_ctrl_c_stops_a_call_and_leaves_nothing_behind(tmp_path) -> None:
    script = textwrap.dedent(
        f"""
        import os, threading
        import tesuji_puzzles as tesuji
        game = tesuji.open("{LONG}")
        print("begun", flush=True)
        try:
            game.mine("plies > 3 AND score > 50", limit=100000)
        except KeyboardInterrupt:
            threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
            print("stopped", threading.active_count(), len(os.listdir(".")), flush=True)
        print(game.position().legal_moves[0], flush=True)
        """
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.5)
        sent = time.monotonic()
        os.kill(child.pid, signal.SIGINT)
        rest, _ = child.communicate(timeout=60)
        assert time.monotonic() - sent < 10
    assert child.returncode == 0 and rest.startswith("stopped 1 0\n"), rest


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("read", ["pyarrow.table(states)", "[frame for frame in states]", "polars.DataFrame(states)"])
def test_ctrl_c_stops_a_library_that_reads_a_stream(read: str) -> None:
    program = textwrap.dedent(f"""
        import time, polars, pyarrow, tesuji_puzzles as tesuji
        game = tesuji.open("ostle:4x4,pieces=3,losses=2")
        game.prepare()
        states = game.states(["score", "variations"])
        print("begun", flush=True)
        try:
            try:
                {read}
            except Exception:
                for _ in range(600):  # Python's own error follows the library's.
                    time.sleep(0.1)
        except KeyboardInterrupt:
            print("stopped")
        """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(1)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == "stopped\n" and time.monotonic() - begun < 20
