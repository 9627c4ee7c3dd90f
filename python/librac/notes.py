"""Notes on exceptions of operators' functions: the operator, its chain, the value."""

from __future__ import annotations

import reprlib
from typing import Any

from . import _librac, spoken

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = 120

# The operators that min() and max() are made of (extremes.py).
_CALLED = {"_min": "min", "_max": "max"}

# One exception may be raised over and over, by retry() and its like.
_MOST = 8


def add(error: BaseException, operator: str | None, chain: str | None, *value: Any) -> None:
    """What add_note() is given. Without an operator the chain is where a subscription was made;
    without a value none is known."""
    if operator is None:
        return _add(error, f"librac: subscribed at {chain}")
    # Frames of the traceback hold the value already. What has none, as the library's own errors,
    # could come to be held by what it holds.
    if value and error.__traceback__ is not None:
        _keep(error, value[0])
    words = [f"librac: in {_CALLED.get(operator, operator)}()"]
    if chain:
        words.append(f"of {spoken.in_python(chain)}")
    words += [f"at {_shown.repr(each)}" for each in value]
    _add(error, ", ".join(words))


def _add(error: BaseException, note: str) -> None:
    """Nothing is said twice."""
    notes: list[str] = getattr(error, "__notes__", [])
    if note not in notes and len(notes) < _MOST:
        error.add_note(note)


def _keep(error: BaseException, value: Any) -> None:
    try:
        error.__dict__["_librac_value"] = value
    except AttributeError:
        pass


def value_of(error: BaseException) -> Any:
    """What a function of an operator was given when it raised this; None: not known."""
    return getattr(error, "_librac_value", None)


_librac.set_note_hook(add)
