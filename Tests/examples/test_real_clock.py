"""Runs scenarios on the real clock: the same lines in the same order as on the
virtual one, none of them early.
"""

import pathlib
import re
import subprocess
import sys
import time

from checks import TIMEOUT, Checks, example

SCENARIOS = ["scenario1_cold", "scenario2_connection", "scenario3_replay"]
TIME = re.compile(r"^\[([0-9.]+) s\] ", re.MULTILINE)


def times(text):
    return [float(match) for match in TIME.findall(text)]


def main():
    folder = pathlib.Path(__file__).resolve().parent / "expected"
    checks = Checks("real clock")
    begin = time.monotonic()
    running = []
    for name in SCENARIOS:  # side by side: each takes seconds
        process = subprocess.Popen(
            [example(name), "--real"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        running.append((name, process))

    for name, process in running:
        output, errors = process.communicate(timeout=TIMEOUT)
        actual = output.decode("utf-8")
        expected = (folder / (name + ".txt")).read_text(encoding="utf-8")
        checks.check(
            process.returncode == 0,
            name + ": exit status %d" % process.returncode,
            errors.decode("utf-8", "replace"),
        )
        checks.same_text(TIME.sub("", actual), TIME.sub("", expected), name + ": order of lines")
        early = [(is_at, due) for is_at, due in zip(times(actual), times(expected)) if is_at < due]
        checks.check(not early, name + ": lines before their time", str(early))
        needed = max(times(expected))
        elapsed = time.monotonic() - begin
        checks.check(elapsed >= needed, name + ": over after %.2f s" % elapsed)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
