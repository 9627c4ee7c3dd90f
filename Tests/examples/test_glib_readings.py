"""Feeds readings to glib_readings: at once, slowly, and wrong ones."""

import subprocess
import sys
import time

from checks import TIMEOUT, Checks, example, run


def slowly(program, pieces):
    """Feeds a pipe in pieces that lie half a line and a window apart.

    Behind the first a window was shown: on a busy machine the program may still be starting
    when all of them are there.
    """
    process = subprocess.Popen(
        [program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    shown = b""
    for piece in pieces:
        process.stdin.write(piece)
        if not shown:
            shown = process.stderr.readline()
        time.sleep(0.15)
    output, errors = process.communicate(timeout=TIMEOUT)
    return subprocess.CompletedProcess([program], process.returncode, output, shown + errors)


def main():
    program = example("glib_readings")
    checks = Checks("glib_readings")

    numbers = b"".join(b"%d\n" % number for number in range(1, 20001))
    result = run([program], input=numbers)
    checks.program(result, 0, "20000 readings, mean 10000.500\n", "many at once")

    result = slowly(program, [b"1\n2", b"0\n", b"-1.5e1 \n"])
    checks.program(result, 0, "3 readings, mean 2.000\n", "slowly")
    windows = result.stderr.count(b"readings, mean")
    checks.check(windows > 1, "several windows", result.stderr.decode())

    checks.program(run([program], input=b""), 0, "0 readings\n", "nothing")
    checks.program(run([program], input=b"7"), 0, "1 readings, mean 7.000\n", "no feed")

    for wrong in (b"1\nx\n", b"1 2\n", b"\n"):
        result = run([program], input=wrong)
        checks.program(result, 1, "", "a wrong line: %r" % wrong)
        checks.check(b"a line is no number" in result.stderr, "the reason is shown")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
