"""Threads that go on as the process ends."""

from __future__ import annotations

import atexit
import sys
import threading
from typing import Any

from . import _librac


def _silence() -> None:
    """Only daemon threads are left. The library closes next, and who sends is told: that is
    their end, and nothing that anybody wants to read."""
    threading.excepthook = _without_closed(threading.excepthook)
    sys.unraisablehook = _without_closed(sys.unraisablehook)


def _without_closed(hook: Any) -> Any:
    def tell(args: Any) -> None:
        if not isinstance(args.exc_value, _librac.Closed):
            hook(args)

    return tell


atexit.register(_silence)
