"""Runs supervisor: commands that print, fail, are given up, and end with it, willingly or not."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

from checks import TIMEOUT, Checks, example, run


class Supervisor:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [example("supervisor"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def line(self):
        return self.process.stdout.readline().decode().rstrip("\n")

    def end(self, number=signal.SIGTERM):
        """Asks it to end: what it still prints, and its status."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=TIMEOUT)
        return output.decode().splitlines(), self.process.returncode, errors.decode()


def equal(checks, actual, expected, what):
    checks.check(actual == expected, what, "%r, not %r" % (actual, expected))


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # It may be a zombie that nobody has reaped.
    with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
        return file.read().rsplit(")", 1)[1].split()[0] != "Z"


def prints(checks, folder):
    path = os.path.join(folder, "commands")
    with open(path, "w", encoding="utf-8") as file:
        file.write("first  echo one; echo two; printf three\n\nsecond echo four >&2\n")
    result = run([example("supervisor"), path])
    lines = result.stdout.decode().splitlines()
    equal(checks, result.returncode, 0, "all have ended: " + result.stderr.decode())
    first = [line for line in lines if line.startswith("first: ")]
    expected = ["first: one", "first: two", "first: three", "first: [ended with 0]"]
    equal(checks, first, expected, "the first one")
    second = [line for line in lines if line.startswith("second: ")]
    equal(checks, second, ["second: four", "second: [ended with 0]"], "the second one")
    equal(checks, len(lines), 6, "nothing else")


def fails(checks, folder):
    """Fails twice, and then not; fails always; both ever more slowly."""
    tries = os.path.join(folder, "tries")
    twice = 'echo x >>"%s"; [ $(wc -l <"%s") -gt 2 ]' % (tries, tries)
    began = time.monotonic()
    result = run([example("supervisor"), "twice", twice, "never", "kill -9 $$"])
    seconds = time.monotonic() - began
    lines = result.stdout.decode().splitlines()
    equal(checks, result.returncode, 1, "one is given up: " + result.stderr.decode())
    mine = [line for line in lines if line.startswith("twice: ")]
    expected = ["twice: [ended with 1]"] * 2 + ["twice: [ended with 0]"]
    equal(checks, mine, expected, "one that fails twice")
    others = [line for line in lines if line.startswith("never: ")]
    expected = ["never: [ended by signal 9]"] * 6 + ["never: [given up]"]
    equal(checks, others, expected, "one that always fails")
    checks.check(seconds > 0.1 + 0.2 + 0.4 + 0.8 + 1.6 - 0.1, "pauses that grow", str(seconds))


def ends(checks, _):
    """SIGTERM: one ends, one waits to be started again, one has to be killed, and the processes
    that they have started are gone, too."""
    supervisor = Supervisor(
        "willing", "trap 'echo bye; exit 7' TERM; echo up; sleep 600 & wait",
        "waits", "exit 1",
        "stubborn", "trap '' TERM; sleep 600 & echo $!; sleep 601",
    )
    seen = []
    while not {"willing", "stubborn"} <= {line.split(":")[0] for line in seen}:
        seen.append(supervisor.line())
    child = int([line for line in seen if line.startswith("stubborn: ")][0].split()[1])
    checks.check(is_there(child), "a process of a command's")
    began = time.monotonic()
    lines, status, errors = supervisor.end()
    seconds = time.monotonic() - began
    equal(checks, (status, errors), (0, ""), "its end")
    expected = ["willing: bye", "willing: [ended with 7]", "stubborn: [ended by signal 9]"]
    others = [line for line in lines if not line.startswith("waits: ")]
    equal(checks, others, expected, "their ends")
    checks.check(2.9 < seconds, "time to end", str(seconds))
    deadline = time.monotonic() + TIMEOUT
    while is_there(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    checks.check(not is_there(child), "no process is left")


def interrupted(checks, _):
    supervisor = Supervisor("loop", "echo up; sleep 600")
    supervisor.line()
    lines, status, errors = supervisor.end(signal.SIGINT)
    # A shell that waits for a command ends by the signal that has ended that.
    checks.check(lines[0].startswith("loop: [ended "), "SIGINT", repr(lines))
    equal(checks, (len(lines), status, errors), (1, 0, ""), "SIGINT")


def main():
    checks = Checks("supervisor")
    with tempfile.TemporaryDirectory() as folder:
        threads = [  # at once, since most of it is waiting
            threading.Thread(target=part, args=(checks, folder))
            for part in (prints, fails, ends, interrupted)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    equal(checks, run([example("supervisor")]).returncode, 2, "no arguments")
    equal(checks, run([example("supervisor"), "/there/is/no/file"]).returncode, 2, "no file")
    equal(checks, checks.count, 17, "all of it was tried")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
