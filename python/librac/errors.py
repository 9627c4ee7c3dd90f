"""The errors that librac raises itself, all of them a librac.Error.

Several are one of Python's own, too: TimedOut is a TimeoutError, Empty a LookupError,
WouldBlock a BlockingIOError, Closed, Deadlock and Busy are RuntimeErrors.
"""

from __future__ import annotations

from ._librac import (
    Busy,
    Closed,
    CommandError,
    CommandNotEnabled,
    Deadlock,
    Empty,
    Error,
    Forked,
    NoMatchingCase,
    Overflow,
    Stale,
    StreamError,
    TimedOut,
    TooDeep,
    WouldBlock,
)
from .replaying import CannotReplay

__all__ = [
    "Busy",
    "CannotReplay",
    "Closed",
    "CommandError",
    "CommandNotEnabled",
    "Deadlock",
    "Empty",
    "Error",
    "Forked",
    "NoMatchingCase",
    "Overflow",
    "Stale",
    "StreamError",
    "TimedOut",
    "TooDeep",
    "WouldBlock",
]


def __dir__() -> list[str]:
    return __all__
