"""Classes of what functions and operators return, and aliases, for annotations."""

from __future__ import annotations

from ._librac import Connection, SequenceIterator, Socket
from .children import ChildEvent
from .diagram import Diagram
from .sources import SignalLike
from .values import Values

__all__ = [
    "ChildEvent",
    "Connection",
    "Diagram",
    "SequenceIterator",
    "SignalLike",
    "Socket",
    "Values",
]


def __dir__() -> list[str]:
    return __all__
