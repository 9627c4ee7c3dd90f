"""What is otherwise in a notebook."""

from __future__ import annotations

import asyncio
import sys

from . import _librac, loops


def prepare() -> None:
    """In a kernel of Jupyter signals have the names of their operators, and its loop runs
    the main scheduler: cells subscribe, and what comes later is heard between cells."""
    if "ipykernel" not in sys.modules:
        return
    _librac.set_names_enabled(True)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    loops.serve_running(loop)
