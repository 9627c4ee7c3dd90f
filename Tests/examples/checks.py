"""What the example tests share: find an example, run it, count checks.

The folder of the built examples is the first argument of each test or, without
one, the environment variable RAC_EXAMPLES.
"""

import difflib
import os
import pathlib
import subprocess
import sys

TIMEOUT = 120  # seconds; long, since sanitizers and valgrind are slow


def example(name):
    """The path of a built example; without the folder, how to name it."""
    folder = sys.argv[1] if len(sys.argv) == 2 else os.environ.get("RAC_EXAMPLES")
    if folder is None:
        sys.exit("usage: %s EXAMPLES_FOLDER (or set RAC_EXAMPLES)" % sys.argv[0])
    return str(pathlib.Path(folder, name).resolve())


def with_by_hand(name):
    """The example and, where it is built, the same without librac."""
    by_hand = "by_hand/" + name
    return [name, by_hand] if pathlib.Path(example(by_hand)).exists() else [name]


def run(command, **options):
    """Runs a program to its end and returns it with its output as bytes."""
    return subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT,
        **options
    )


class Checks:
    """Counts checks, prints the failed ones, and says so in one line."""

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.failures = 0

    def check(self, holds, what, detail=""):
        self.count += 1
        if not holds:
            self.failures += 1
            print("FAILED: %s\n%s" % (what, detail), file=sys.stderr)

    def same_text(self, actual, expected, what):
        """Compares two texts line by line and shows the difference."""
        lines = difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm=""
        )
        self.check(actual == expected, what, "\n".join(lines))

    def program(self, result, status, expected, what):
        """Checks a finished program's exit status and standard output."""
        errors = result.stderr.decode("utf-8", "replace")
        detail = "exit status %d, expected %d\n%s" % (result.returncode, status, errors)
        self.check(result.returncode == status, what + ": exit status", detail)
        self.same_text(result.stdout.decode("utf-8", "replace"), expected, what + ": output")

    def finish(self):
        """Prints the summary line and returns the exit code."""
        verdict = "all passed" if self.failures == 0 else "%d FAILED" % self.failures
        print("%s: %d checks, %s" % (self.name, self.count, verdict))
        return 0 if self.failures == 0 else 1
