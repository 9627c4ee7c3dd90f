"""The main scheduler in the loops of tkinter and Qt."""

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest

TKINTER = """
import threading, tkinter
import librac as rac

class Form:
    name = rac.observable("")

root = tkinter.Tk()
scheduler = rac.Scheduler.for_tkinter(root)
form, heard, me = Form(), [], threading.get_ident()
variable = tkinter.StringVar(root)
variable.trace_add("write", lambda *_: setattr(form, "name", variable.get()))

def hear(value):
    assert threading.get_ident() == me
    heard.append(value)
    if value == "abc":
        root.after(1, lambda: variable.set("done"))
    if value == "done":
        root.after(1, end)

def end():
    if len(heard) < 4:  # a machine that is busy
        root.after(10, end)
    else:
        root.destroy()

def type_in():
    variable.set("ab")
    variable.set("abc")

Form.name.of(form).signal.skip(1).debounce(0.02).subscribe(hear)
rac.of(1).deliver_on(rac.Scheduler.background()).deliver_on(scheduler).subscribe(hear)
rac.on_unhandled = lambda error, chain, value: heard.append(type(error).__name__)
rac.timer(0.01).subscribe(lambda value: 1 / 0)
root.after(50, type_in)
root.after(30000, root.destroy)
root.mainloop()
assert sorted(map(str, heard)) == ["1", "ZeroDivisionError", "abc", "done"], heard
"""

QT = """
import threading
from {binding} import QtCore
import librac as rac

application = QtCore.QCoreApplication([])
scheduler = rac.Scheduler.for_qt(application)
heard, me = [], threading.get_ident()

def hear(value):
    assert threading.get_ident() == me
    heard.append(value)
    if len(heard) == 3:
        application.quit()

rac.of("other").deliver_on(rac.Scheduler.background()).deliver_on(scheduler).subscribe(hear)
rac.interval(0.01).take(2).subscribe(hear)
QtCore.QTimer.singleShot(30000, application.quit)
application.exec()
assert sorted(map(str, heard)) == ["0", "1", "other"], heard
detach = rac.host.attach_qt()
detach.dispose()
"""


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def display():
    """What DISPLAY says: of this machine, or of an Xvfb."""
    pytest.importorskip("tkinter")
    if os.environ.get("DISPLAY"):
        yield os.environ["DISPLAY"]
        return
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no display, and no Xvfb to make one")
    # The server chooses a display and writes its number.
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x8", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as numbers:
            yield ":" + numbers.readline().strip()
    finally:
        server.terminate()
        server.wait()


def test_tkinter(display):
    run(TKINTER, DISPLAY=display)


def test_search_in_a_window(display):
    program = pathlib.Path(__file__).resolve().parents[3] / "examples-python" / "search.py"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program), "--typed"], capture_output=True, text=True,
        timeout=60, env=dict(os.environ, DISPLAY=display))
    assert (done.stdout, done.returncode) == ("Moby Dick\n", 0), done.stderr


def test_qt():
    for binding in ["PySide6", "PyQt6", "PySide2", "PyQt5"]:
        try:
            __import__(binding + ".QtCore")
        except ImportError:
            continue
        run(QT.replace("{binding}", binding), QT_QPA_PLATFORM="offscreen")
        return
    pytest.skip("no binding of Qt is installed")
