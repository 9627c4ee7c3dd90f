"""What is otherwise in a notebook."""

from __future__ import annotations

import contextvars
import logging
import sys
from typing import Any

from . import loops, switches


def is_notebook() -> bool:
    """Whether this process is a kernel of Jupyter, whose cells run inside its loop."""
    kernel = sys.modules.get("ipykernel.kernelapp")
    return kernel is not None and bool(kernel.IPKernelApp.initialized())


class _Shown(logging.StreamHandler[Any]):
    """Shows lines of the log below the cell that ran last: the context of a callback says the
    one that began it, which may be long over."""

    def emit(self, record: logging.LogRecord) -> None:
        contextvars.Context().run(super().emit, record)


def prepare() -> None:
    """In a kernel signals have the names of their operators, its loop runs the main
    scheduler, and it shows errors that nobody handles: cells subscribe, and what comes
    later is heard between cells."""
    if is_notebook():
        switches.set_names_enabled(True)
        loops.serve_where_running()
        logging.getLogger("librac").addHandler(_Shown())
