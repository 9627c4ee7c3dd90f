"""Runs log_watcher: a log that comes late and is rotated, a child that ends, and the
signals of a daemon."""

import os
import signal
import subprocess
import sys
import tempfile
import time

from checks import TIMEOUT, Checks, example


class Watcher:
    def __init__(self, log, *command):
        self.process = subprocess.Popen(
            [example("log_watcher"), log, "error", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def line(self):
        return self.process.stdout.readline().decode().rstrip("\n")

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def end(self):
        """Asks it to end; what it still prints, and what it ends with."""
        self.process.send_signal(signal.SIGTERM)
        output, errors = self.process.communicate(timeout=TIMEOUT)
        return output.decode(), self.process.returncode, errors.decode()


def equal(checks, actual, expected, what):
    checks.check(actual == expected, what, "%r, not %r" % (actual, expected))


def add(log, text):
    with open(log, "a", encoding="utf-8") as file:
        file.write(text)


def rotated(checks, folder):
    log = os.path.join(folder, "app.log")
    watcher = Watcher(log, "sleep", "600")
    # It is not there yet.
    time.sleep(0.1)
    add(log, "start\nerror 1\n")
    equal(checks, watcher.line(), "error 1", "a log that comes late")
    add(log, "all is well\nerror 2\n")
    equal(checks, watcher.line(), "error 2", "a line that is added")
    before = watcher.descriptors()
    for number in range(3, 8):
        os.rename(log, log + ".1")
        add(log + ".1", "error at the end of %d\n" % number)
        add(log, "error %d\n" % number)
        # Written to the old one after it was renamed.
        equal(checks, watcher.line(), "error at the end of %d" % number, "rotated")
        equal(checks, watcher.line(), "error %d" % number, "rotated")
    # While it reads it has one more.
    deadline = time.monotonic() + 5
    while watcher.descriptors() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    checks.check(watcher.descriptors() <= before, "no descriptor is left of them")
    output, code, errors = watcher.end()
    equal(checks, code, 0, "the exit status: " + errors)
    checks.check(
        output.startswith("the command was ended by signal 15\n"), "the child: " + output
    )


def child_ends(checks, folder):
    log = os.path.join(folder, "child.log")
    writes = 'for i in 1 2 3; do echo "error $i" >>"$0"; done; exit 3'
    watcher = Watcher(log, "sh", "-c", writes, log)
    heard = sorted(watcher.line() for _ in range(4))
    equal(checks, 
        heard, ["error 1", "error 2", "error 3", "the command ended with 3"], "a child"
    )
    watcher.process.send_signal(signal.SIGHUP)
    equal(checks, watcher.line(), "3 of 3 lines", "SIGHUP")
    output, code, errors = watcher.end()
    equal(checks, (output, code), ("3 of 3 lines\n", 0), "the end: " + errors)


def half_written(checks, folder):
    """A line that comes in parts is one line all the same; what a rotated log ends with is one."""
    log = os.path.join(folder, "half.log")
    add(log, "error 1\nan er")
    watcher = Watcher(log, "sleep", "600")
    equal(checks, watcher.line(), "error 1", "a whole line")
    for part in "r", "o", "r":
        add(log, part)
        time.sleep(0.02)
    add(log, " 2\nerror")
    equal(checks, watcher.line(), "an error 2", "a line in five parts")
    add(log, " 3\nerror at the")
    equal(checks, watcher.line(), "error 3", "another line")
    add(log, " end")
    os.rename(log, log + ".1")
    add(log, "error 4\n")
    equal(checks, watcher.line(), "error at the end", "what a rotated log ends with")
    equal(checks, watcher.line(), "error 4", "rotated")
    output, code, errors = watcher.end()
    equal(checks, code, 0, "the exit status: " + errors)
    equal(checks, output.splitlines()[-1], "5 of 5 lines", "lines in all")


def many(checks, folder):
    """As many lines as it can: none is lost."""
    log = os.path.join(folder, "many.log")
    writes = 'i=0; while [ $i -lt 200 ]; do seq 1 500 >>"$0"; i=$((i+1)); done; echo error >>"$0"'
    watcher = Watcher(log, "sh", "-c", writes, log)
    heard = {watcher.line(), watcher.line()}
    equal(checks, heard, {"error", "the command ended with 0"}, "many lines")
    output, code, errors = watcher.end()
    equal(checks, (output, code), ("1 of 100001 lines\n", 0), "all of them: " + errors)


def main():
    checks = Checks("log_watcher")
    with tempfile.TemporaryDirectory() as folder:
        rotated(checks, folder)
        child_ends(checks, folder)
        half_written(checks, folder)
        many(checks, folder)
    result = subprocess.run([example("log_watcher")], capture_output=True, timeout=TIMEOUT)
    equal(checks, result.returncode, 2, "no arguments")
    # ThreadSanitizer makes vfork() a fork(), and the child's errno stays in the child.
    if "RAC_WITHOUT_VFORK" not in os.environ:
        command = [example("log_watcher"), "/dev/null", "error", "/there/is/no/program"]
        result = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
        equal(checks, result.returncode, 1, "no program")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
