"""What a program does with the library as a whole: its loop, its end, what it counts, logs
and records."""

from __future__ import annotations

from ._librac import (
    Counter,
    close,
    in_callback,
    is_main_thread,
    live_objects,
    main_drain,
    main_drain_for,
    main_fd,
    main_run,
    main_run_for,
    main_stop,
    queued_values,
    record_note,
    record_stop,
    reinitialize,
    report_live,
    settle,
    version,
)
from .loops import attach, attach_qt, attach_tkinter
from .switches import (
    record_start,
    set_log,
    set_names_enabled,
    set_origins,
    set_settle_at_exit,
    set_trace,
)

__all__ = [
    "Counter",
    "attach",
    "attach_qt",
    "attach_tkinter",
    "close",
    "in_callback",
    "is_main_thread",
    "live_objects",
    "main_drain",
    "main_drain_for",
    "main_fd",
    "main_run",
    "main_run_for",
    "main_stop",
    "queued_values",
    "record_note",
    "record_start",
    "record_stop",
    "reinitialize",
    "report_live",
    "set_log",
    "set_names_enabled",
    "set_origins",
    "set_settle_at_exit",
    "set_trace",
    "settle",
    "version",
]


def __dir__() -> list[str]:
    return __all__
