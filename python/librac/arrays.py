"""Arrays out of signals: numpy's, where numpy is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _librac
from ._librac import Scheduler, Signal, Subscription

_FORMATS = {"float64": "d", "d": "d", "int64": "q", "q": "q"}
_subscribe: Any = Signal.subscribe_arrays


def subscribe_arrays(
    self: Signal[Any],
    on_array: Callable[[Any], object],
    count: int = 4096,
    *,
    dtype: Any = "float64",
    seconds: float | None = None,
    scheduler: Scheduler | None = None,
    on_error: Callable[[Exception], object] | None = None,
    on_completed: Callable[[], object] | None = None,
) -> Subscription:
    """Takes the values as arrays: `count` at a time, or what has come `seconds` after
    the first of them, or at the end. `dtype` is "float64" or "int64"; a value that is
    none ends the stream with a TypeError.

    With numpy installed they are numpy arrays, yours to keep. Without it they are
    memoryviews, which are lent and gone when `on_array` returns.
    """
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    name = {"float": "float64", "int": "int64"}.get(name, name)
    if name not in _FORMATS:
        raise ValueError(f"subscribe_arrays(): dtype is float64 or int64, not {dtype!r}")
    subscription: Subscription = _subscribe(
        self,
        _in_numpy(on_array),
        count,
        dtype=_FORMATS[name],
        seconds=seconds,
        scheduler=scheduler,
        on_error=on_error,
        on_completed=on_completed,
    )
    return subscription


def _in_numpy(on_array: Callable[[Any], object]) -> Callable[[memoryview], object]:
    if not callable(on_array):
        raise TypeError(f"subscribe_arrays(): on_array has to be callable, not {on_array!r}")
    try:
        import numpy
    except ImportError:
        return on_array

    def on_memory(memory: memoryview) -> None:
        # One copy for thousands of values: an array of lent memory that somebody keeps
        # would show what comes to lie there later.
        on_array(numpy.array(memory))

    return on_memory
