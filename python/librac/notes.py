"""Notes on exceptions of operators' functions: the operator, its chain, the value."""

from __future__ import annotations

import reprlib
from typing import Any

from . import _librac, names

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = 120

# The operators that min() and max() are made of (extremes.py).
_CALLED = {"_min": "min", "_max": "max"}

# One exception may be raised over and over, by retry() and its like.
_MOST = 8


def add(error: BaseException, operator: str, chain: str | None, *value: Any) -> None:
    """What add_note() is given; nothing is said twice. Without a value none is known."""
    words = [f"librac: in {_CALLED.get(operator, operator)}()"]
    if chain:
        words.append(f"of {names.in_python(chain)}")
    words += [f"at {_shown.repr(each)}" for each in value]
    note = ", ".join(words)
    notes: list[str] = getattr(error, "__notes__", [])
    if note not in notes and len(notes) < _MOST:
        error.add_note(note)


_librac.set_note_hook(add)
