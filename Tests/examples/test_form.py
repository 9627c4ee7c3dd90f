"""Drives form through a pseudo-terminal, as a person would: types, looks at the
screen, and waits for what is to appear there. Nothing here waits for a time to pass."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

from checks import TIMEOUT, Checks, example

ROWS, COLUMNS = 24, 80
UP, DOWN, BACKTAB = "\033[A", "\033[B", "\033[Z"
TAB, ENTER, BACKSPACE, ESCAPE = "\t", "\r", "\177", "\033"
CONTROL_C = "\003"
# Where a frame begins and where it ends.
BEGIN, END = "\033[H\033[J", "\033[?25h"
NEEDS_NAME = "A name is needed."
NEEDS_EMAIL = "The e-mail address is not complete."
NEEDS_LENGTH = "The password needs 8 characters or more."
DIFFERENT = "The passwords differ."


class Closed(Exception):
    """The program has let go of the terminal."""


class Screen:
    """What a frame puts on a terminal of 24 times 80."""

    def __init__(self, frame):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.strays = []  # what would have scrolled or wrapped
        for part in re.findall(r"\033\[[\d;?]*[A-Za-z]|[^\033]", frame):
            if not part.startswith("\033"):
                self.put(part)
            elif part.endswith("H") and part != "\033[H":
                row, column = part[2:-1].split(";")
                self.row, self.column = int(row) - 1, int(column) - 1
        self.lines = ["".join(cells).rstrip() for cells in self.cells]
        self.text = "\n".join(self.lines)

    def put(self, character):
        wide = 2 if ord(character) >= 0x2E80 else 1
        if character < " " or not self.row < ROWS or self.column + wide > COLUMNS:
            self.strays.append(character)
            return
        self.cells[self.row][self.column] = character
        self.column += wide

    def field(self, label):
        """What stands to the right of a label."""
        for line in self.lines:
            if line.strip().startswith(label):
                return line.split(label, 1)[1].strip()
        return None

    @property
    def can_sign_up(self):
        return "[ Sign up ]" in self.text


class Form:
    """The program on its terminal."""

    def __init__(self):
        program = example("form")
        started, start = os.pipe()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.read(started, 1)
            os.execv(program, [program])
        self.before = self.mode()
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)
        os.write(start, b"!")
        os.close(start)
        os.close(started)
        self.output = ""
        self.passed = 0  # how much of it passing() does not look at any more
        self.undecoded = b""
        self.status = None

    def type(self, text):
        self.passed = len(self.output)
        os.write(self.terminal, text.encode())

    def read(self):
        """Takes in what the program writes next."""
        ready, _, _ = select.select([self.terminal], [], [], TIMEOUT)
        if not ready:
            raise TimeoutError("nothing came; the screen is\n" + self.screen.text)
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # EIO: how Linux says that the other end is closed
            data = b""
        if not data:
            raise Closed
        data = self.undecoded + data
        text = data.decode("utf-8", "ignore")
        self.undecoded = data[len(text.encode()) :]
        self.output += text

    @property
    def screen(self):
        """The last frame that is whole."""
        end = self.output.rfind(END)
        begin = self.output.rfind(BEGIN, 0, max(end, 0))
        return Screen(self.output[begin + len(BEGIN) : end] if begin >= 0 else "")

    def wait(self, holds, what):
        """Reads until the screen is as it should be, and returns it."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            screen = self.screen
            if holds(screen):
                return screen
            if time.monotonic() > deadline:
                raise TimeoutError(what + "; the screen is\n" + screen.text)
            self.read()

    def passing(self, holds, what):
        """The same of what is shown for a moment, which may be over when it is read."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            begin = self.output.find(BEGIN, self.passed)
            end = self.output.find(END, begin) if begin >= 0 else -1
            if end >= 0:
                screen = Screen(self.output[begin + len(BEGIN) : end])
                if holds(screen):
                    return screen
                self.passed = end
            elif time.monotonic() > deadline:
                raise TimeoutError(what + "; the screen is\n" + self.screen.text)
            else:
                self.read()

    def until(self, text):
        return self.wait(lambda screen: text in screen.text, text)

    def until_field(self, label, text):
        return self.wait(
            lambda screen: screen.field(label) == text, "%s: %s" % (label, text)
        )

    def mode(self):
        return termios.tcgetattr(self.terminal)

    def end(self):
        """Reads to the end and returns the exit status."""
        try:
            while True:
                self.read()
        except Closed:
            pass
        _, self.status = os.waitpid(self.pid, 0)
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.terminal)


def fill_in(form, name="Ada", email="ada@example.org", password="correct horse"):
    """From the first field, with every way to go on to the next one."""
    form.until(NEEDS_NAME)
    form.type(name + TAB + email + DOWN + password + ENTER + password + TAB)


def check_validity(checks, form):
    """Field by field; the button waits for the last of them."""
    screen = form.until(NEEDS_NAME)
    checks.check(not screen.can_sign_up, "an empty form cannot be sent")
    form.type("Ada")
    form.until(NEEDS_EMAIL)
    form.type(TAB + "ada@example")
    form.until_field("E-mail", "ada@example")
    form.type(".org" + DOWN)
    form.until(NEEDS_LENGTH)
    form.type("secret7")
    screen = form.until_field("Password", "*******")
    checks.check(NEEDS_LENGTH in screen.text, "seven characters are too few")
    form.type("8" + ENTER)
    screen = form.until(DIFFERENT)
    checks.check(not screen.can_sign_up, "one password is not enough")
    form.type("secret79")
    screen = form.until_field("Repeat it", "********")
    checks.check(DIFFERENT in screen.text, "another password is not the same")
    form.type(TAB + ENTER)
    form.type(UP + BACKSPACE)
    form.until_field("Repeat it", "*******")
    form.type("8")
    screen = form.wait(lambda screen: screen.can_sign_up, "a form to be sent")
    checks.check("Signing up" not in form.output, "an invalid form was not sent")
    checks.check("secret" not in form.output, "passwords are not shown")
    checks.check(DIFFERENT not in screen.text, "nothing is wrong any more")
    form.type(BACKSPACE)
    form.wait(lambda screen: not screen.can_sign_up, "no form to be sent")


def check_typing(checks, form):
    """UTF-8, Backspace by character, and texts longer than the screen."""
    form.until(NEEDS_NAME)
    form.type("Zoë 漢字")
    form.until_field("Name", "Zoë 漢 字")  # the second column of each is empty
    form.type(BACKSPACE + BACKSPACE + BACKSPACE + BACKSPACE + "é")
    form.until_field("Name", "Zoé")
    # Broken UTF-8, a lone continuation, controls, keys that mean nothing.
    os.write(form.terminal, b"\xc3!\x80\xf5\xed\xa0\x80\x01\x1b[3~\x1bOP\x1b[C")
    form.type("x")
    form.until_field("Name", "Zoé!x")
    form.type("y" * 500)
    screen = form.wait(lambda screen: "y" * 58 in screen.text, "a long name")
    checks.check(screen.strays == [], "a long text stays on its line", screen.text)
    form.type(BACKSPACE * 250)
    form.until_field("Name", "")
    form.type(BACKSPACE + BACKTAB)
    form.type(TAB + "Ada" + UP + UP + UP + "p" + UP + UP + "M")
    form.until_field("Name", "AdaM")
    form.until_field("Password", "*")


def check_channel(checks, form):
    """What is typed, and what it means: each follows the other."""
    form.until(NEEDS_NAME)
    form.type(TAB + "  Ada@Example.ORG ")
    screen = form.until("Mail: ada@example.org")
    checks.check(
        screen.field("E-mail") == "Ada@Example.ORG", "what is typed stays", screen.text
    )
    form.type(TAB)
    form.until_field("E-mail", "ada@example.org")


def check_signing_up(checks, form):
    """A name that is taken, then one that is free."""
    fill_in(form, name="taken")
    form.wait(lambda screen: screen.can_sign_up, "a form to be sent")
    form.type(ENTER)
    form.passing(lambda screen: "Signing up ..." in screen.text, "Signing up ...")
    form.passing(lambda screen: not screen.can_sign_up, "a busy form")
    screen = form.until("That name is taken.")
    checks.check(screen.field("Name") == "taken", "a failure clears nothing")
    screen = form.wait(lambda screen: screen.can_sign_up, "another try")
    form.type(TAB + BACKSPACE * 5 + "Grace")
    form.until_field("Name", "Grace")
    form.type(BACKTAB + ENTER + ENTER)
    form.passing(lambda screen: "Signing up ..." in screen.text, "Signing up ...")
    screen = form.until("Welcome! Mail goes to ada@example.org.")
    screen = form.until(NEEDS_NAME)
    checks.check(not screen.can_sign_up, "an empty form again")
    for label in ("Name", "E-mail", "Password", "Repeat it"):
        form.until_field(label, "")
    answers = re.findall("Welcome!", form.output)
    checks.check(len(answers) >= 1, "one answer")
    form.type("A")
    form.until_field("Name", "A")


def check_leaving(checks, key, what):
    """The keys and signals that end it leave the terminal as it was."""
    form = Form()
    try:
        before = form.before
        fill_in(form)
        form.wait(lambda screen: screen.can_sign_up, "a form to be sent")
        checks.check(form.mode() != before, what + ": raw mode meanwhile")
        if isinstance(key, str):
            form.type(key)
        else:
            os.kill(form.pid, key)
        status = form.end()
        if isinstance(key, str):
            checks.check(status == 0, what + ": exit status", "status %d" % status)
        else:
            died = os.WIFSIGNALED(status) and os.WTERMSIG(status) == key
            checks.check(died, what + ": dies of the signal", "status %d" % status)
        tail = form.output[form.output.rfind(END + "\033[?1049l") :]
        checks.check(tail == END + "\033[?1049l", what + ": the screen is put back")
        checks.check(form.mode() == before, what + ": the mode is put back")
    finally:
        form.close()


def check_stopping(checks, form):
    """Ctrl-Z from elsewhere: the terminal is put back, and taken again."""
    before = form.before
    form.until(NEEDS_NAME)
    os.kill(form.pid, signal.SIGTSTP)
    _, status = os.waitpid(form.pid, os.WUNTRACED)
    checks.check(os.WIFSTOPPED(status), "it stops")
    checks.check(form.mode() == before, "stopped: the mode is put back")
    os.kill(form.pid, signal.SIGCONT)
    form.type("B")
    form.until_field("Name", "B")
    checks.check(form.mode() != before, "raw mode again")


def check_without_terminal(checks):
    import subprocess

    result = subprocess.run(
        [example("form")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT,
    )
    checks.check(result.returncode == 1, "without a terminal: exit status")
    checks.check(b"no terminal" in result.stderr, "without a terminal: it says so")


def main():
    checks = Checks("form")
    for test in (
        check_validity,
        check_typing,
        check_channel,
        check_signing_up,
        check_stopping,
    ):
        form = Form()
        try:
            test(checks, form)
            form.type(ESCAPE)
            status = form.end()
            checks.check(status == 0, test.__name__ + ": exit status", str(status))
        except (Closed, TimeoutError) as problem:
            checks.check(False, test.__name__, str(problem))
        finally:
            form.close()
    check_leaving(checks, ESCAPE, "Esc")
    check_leaving(checks, CONTROL_C, "Ctrl-C")
    check_leaving(checks, signal.SIGTERM, "SIGTERM")
    check_leaving(checks, signal.SIGINT, "SIGINT")
    check_without_terminal(checks)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
