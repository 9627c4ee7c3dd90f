"""What a signal is called and made of."""

from __future__ import annotations

from typing import Any

from ._librac import Signal
from .spoken import in_python

_description = vars(Signal)["description"]


def description(self: Signal[Any]) -> str:
    """Its name, and the operators that it is made of: see set_names_enabled()."""
    return in_python(_description.__get__(self))


def translate() -> None:
    setattr(Signal, "description", property(description))
