"""Runs an example and compares what it prints with a file.

usage: compare_output.py PROGRAM EXPECTED [ARGUMENT...]
"""

import pathlib
import sys

from checks import Checks, run


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    program, expected = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    checks = Checks(program.name)
    result = run([program.resolve()] + sys.argv[3:])
    checks.program(result, 0, expected.read_text(encoding="utf-8"), program.name)
    checks.check(result.stderr == b"", "nothing on stderr", result.stderr.decode("utf-8", "replace"))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
