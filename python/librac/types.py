"""Classes of what functions and operators return, and aliases, for annotations."""

from __future__ import annotations

from typing import Literal

from ._librac import Connection, SequenceIterator, Socket
from .children import ChildEvent
from .diagram import Diagram
from .sources import SignalLike
from .values import Values

# Of a Bound, whose help says what each does.
Policy = Literal["drop_oldest", "drop_newest", "latest", "error", "wait", "refuse"]

__all__ = [
    "ChildEvent",
    "Connection",
    "Diagram",
    "Policy",
    "SequenceIterator",
    "SignalLike",
    "Socket",
    "Values",
]


def __dir__() -> list[str]:
    return __all__
