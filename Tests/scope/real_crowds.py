"""Files of many threads, and of processes that were killed, are read.

Usage: real_crowds.py PATH_OF_CROWD
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

import scope

THREADS, KILLS = 1000, 100


def read_whole(package, path):
    """All that a reader does with a file."""
    recording = package.read(str(path))
    assert recording.text(), path
    return recording


def check_threads(package, program, path):
    subprocess.run(
        [program, str(THREADS)], env={"RAC_RECORD": str(path)}, check=True, timeout=120
    )
    recording = read_whole(package, path)
    assert recording.state == "exited", recording.state
    names = {each.name for each in recording.subjects.values() if each.kind == "subject"}
    assert names >= {f"keys {number}" for number in range(THREADS)}, len(names)
    # A ring is a thread's, and there are fewer than threads: the other events are counted.
    seen = sum(1 for each in recording.sends if each.kind == "next")
    assert seen == 10 * (seen // 10) and seen > 0, seen
    print(f"{THREADS} threads: {seen} of {10 * THREADS} values seen, {recording.missed} missed")
    assert (seen < 10 * THREADS) == (recording.missed > 0), recording.missed


def check_kills(package, program, path):
    not_ready = 0
    for _ in range(KILLS):
        path.unlink(missing_ok=True)
        with subprocess.Popen([program, "0"], env={"RAC_RECORD": str(path)}) as process:
            while not path.exists():
                time.sleep(0.001)
            time.sleep(random.choice([0.002, 0.02, 0.2]) * random.random())
            process.kill()
        try:
            recording = read_whole(package, path)
        except ValueError as refused:
            assert "was killed before it had" in str(refused), refused
            not_ready += 1
            continue
        assert recording.state == "killed", recording.state
    print(f"{KILLS} kills, {not_ready} of them before the file had a beginning")
    assert not_ready < KILLS


def main(program):
    package = scope.load()
    with tempfile.TemporaryDirectory() as folder:
        check_threads(package, program, pathlib.Path(folder, "threads.rac"))
        check_kills(package, program, pathlib.Path(folder, "killed.rac"))


if __name__ == "__main__":
    main(sys.argv[1])
