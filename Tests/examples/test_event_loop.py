"""Pipes logs through event_loop and compares its counts with Python's."""

import collections
import os
import re
import subprocess
import sys
import tempfile

from checks import TIMEOUT, Checks, example, run

LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"]


def log_lines(count):
    """A log by a fixed rule: levels in uneven shares, some lines without."""
    lines = []
    for number in range(count):
        stamp = "2026-03-%02d %02d:%02d:%02d" % (
            number // 86400 % 28 + 1, number // 3600 % 24, number // 60 % 60, number % 60
        )
        if number % 13 == 7:
            lines.append(b"    at frame %d of a stack trace" % number)
        elif number % 101 == 50:
            lines.append(b"")
        else:
            level = LEVELS[(number * number + number // 3) % 7 % 4]
            text = "%s %s request %d took %d ms" % (stamp, level, number, number * 37 % 900)
            lines.append(text.encode("ascii"))
    return lines


def level(line):
    for word in re.findall(rb"[A-Z]+", line):
        if word.decode("ascii") in LEVELS:
            return word.decode("ascii")
    return "other"


def expected_counts(data):
    """The total, then the groups in the order of their first lines."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    counts = collections.OrderedDict()
    for line in lines:
        counts[level(line)] = counts.get(level(line), 0) + 1
    groups = ["%s: %d" % group for group in counts.items()]
    return "\n".join(["lines: %d" % len(lines)] + groups) + "\n"


def run_in_chunks(program, data, sizes):
    """Feeds a pipe in pieces whose sizes go round in `sizes`."""
    process = subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    at = turn = 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        os.write(process.stdin.fileno(), data[at:at + size])
        at += size
        turn += 1
    output, errors = process.communicate(timeout=TIMEOUT)
    return subprocess.CompletedProcess([program], process.returncode, output, errors)


def main():
    program = example("event_loop")
    checks = Checks("event_loop")
    log = b"\n".join(log_lines(6000)) + b"\n"

    for sizes in ([4096], [1, 700, 13], [60000, 3]):
        result = run_in_chunks(program, log, sizes)
        checks.program(result, 0, expected_counts(log), "log in chunks of %s" % sizes)

    partial = log[:-1]
    result = run_in_chunks(program, partial, [5000])
    checks.program(result, 0, expected_counts(partial), "last line without a line feed")

    odd = b"INFO \xff\xfe not UTF-8\nERROR with \0 inside\nWARN " + b"long " * 100000 + b"\n"
    odd += b"INFORMATION is no level\n[DEBUG]\nlast WARN"
    checks.program(run([program], input=odd), 0, expected_counts(odd), "odd lines")

    checks.program(run([program], input=b""), 0, "lines: 0\n", "nothing")

    # More than the program takes in at once, from a file that is always ready.
    with tempfile.TemporaryFile() as file:
        file.write(log * 10)
        file.seek(0)
        result = run([program], stdin=file)
    checks.program(result, 0, expected_counts(log * 10), "a regular file")

    # A directory can be opened and polled but not read.
    folder = os.open(".", os.O_RDONLY)
    result = run([program], stdin=folder)
    os.close(folder)
    checks.program(result, 1, "", "input that cannot be read")
    checks.check(b"Is a directory" in result.stderr, "the reason is shown", result.stderr)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
