"""Fills in glib_form, and the one by hand, as somebody does who reads what it shows."""

import subprocess
import sys

from checks import TIMEOUT, Checks, example, with_by_hand

SESSION = [
    ("", "can sign up: no"),
    ("go", "not now"),
    # Two names at once: one question, and one answer.
    ("email ann@home.net\nname taken\nname ann", "can sign up: yes"),
    ("name taken", "can sign up: no"),
    ("go", "not now"),
    ("name late", "can sign up: yes"),
    ("go", "can sign up: no\nsorry, it is full\ncan sign up: yes"),
    ("email ann", "can sign up: no"),
    ("email ann@home.net", "can sign up: yes"),
    ("name bob", "can sign up: no\ncan sign up: yes"),
    ("go", "can sign up: no\nwelcome, bob\ncan sign up: yes"),
]


def try_program(checks, name):
    process = subprocess.Popen(
        [example(name)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for entered, shown in SESSION:
        if entered:
            process.stdin.write(entered.encode() + b"\n")
            process.stdin.flush()
        for line in shown.split("\n"):
            found = process.stdout.readline().decode()
            what = "%s: %r is shown after %r" % (name, line, entered)
            checks.check(found == line + "\n", what, repr(found))
    output, errors = process.communicate(timeout=TIMEOUT)
    checks.check(output == b"" and errors == b"", name + ": no more", repr((output, errors)))
    checks.check(process.returncode == 0, name + ": a clean end")


def main():
    checks = Checks("glib_form")
    for name in with_by_hand("glib_form"):
        try_program(checks, name)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
