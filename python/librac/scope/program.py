"""Runs a program so that it records, and finds the files of what it starts."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence


@contextlib.contextmanager
def file_for(path: str | None) -> Iterator[str]:
    """The file to record into: one that stays, or one that goes afterwards."""
    if path:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="rac-scope-") as folder:
        yield os.path.join(folder, "recording.rac")


def start(command: Sequence[str], path: str) -> subprocess.Popen[bytes]:
    """Starts it. Names are recorded, too."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    environment = dict(os.environ, RAC_RECORD=os.path.abspath(path))
    return subprocess.Popen(command, env=environment)


def wait(child: subprocess.Popen[bytes]) -> int:
    """Until it ends; ctrl-C is for it, and it decides."""
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def pass_on(child: subprocess.Popen[bytes]) -> None:
    """SIGTERM goes to the program."""
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())


def on_user_signal(dump: Callable[[], None]) -> None:
    """`kill -USR1` of rac-scope tells what is known by then."""
    signal.signal(signal.SIGUSR1, lambda *_: dump())


def exit_status(status: int) -> int:
    """As a shell tells it."""
    return 128 - status if status < 0 else status


def files_of(path: str) -> list[str]:
    """The program's own file, and those of the children it forked."""
    found = [path] if os.path.exists(path) else []
    return found + sorted(glob.glob(glob.escape(path) + ".[0-9]*"))
