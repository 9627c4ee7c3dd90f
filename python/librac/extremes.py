"""min() and max(): in Python's order, or by a key or a comparer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._librac import Signal

# By a comparer, or without one in Python's order.
_least: Any = getattr(Signal, "_min")
_greatest: Any = getattr(Signal, "_max")


class _Keyed:
    """A value with its key, which is asked for once."""

    __slots__ = ("key", "value")

    def __init__(self, key: Any, value: Any) -> None:
        self.key, self.value = key, value


def _by_key(one: _Keyed, other: _Keyed) -> int:
    if one.key < other.key:
        return -1
    return 1 if other.key < one.key else 0


def _extreme(
    function: str,
    source: Signal[Any],
    compared: Callable[..., Signal[Any]],
    key: Callable[[Any], Any] | None,
    comparer: Callable[[Any, Any], Any] | None,
) -> Signal[Any]:
    if key is not None and comparer is not None:
        raise TypeError(f"{function}(): a key or a comparer, not both")
    for name, given in ("key", key), ("comparer", comparer):
        if not (given is None or callable(given)):
            raise TypeError(f"{function}(): {name} must be callable, not {type(given)!r}")
    if key is None:
        return compared(source, comparer)
    keyed = source.map(lambda value: _Keyed(key(value), value))
    return compared(keyed, _by_key).map(lambda least: least.value)


def least(
    self: Signal[Any],
    *,
    key: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Signal[Any]:
    """Sends the least value when the source completes; nothing if there were none.

        source        --x--y--z--|   x: ccc, y: a, z: bb
        min, key=len  -----------(y|)

    The order is Python's own, but a NaN among floats is the least. With a key it is the
    value whose key is the least; a comparer is called with two values and says with a
    number below 0, 0 or one above it how the first compares to the second. Of equal ones
    it is the first. Their exceptions end the stream.

    Rx: min, min with a comparer
    """
    return _extreme("Signal.min", self, _least, key, comparer)


def greatest(
    self: Signal[Any],
    *,
    key: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Signal[Any]:
    """Sends the greatest value when the source completes; nothing if there were none.

        source        --x--y--z--|   x: a, y: ccc, z: bb
        max, key=len  -----------(y|)

    The order, a key and a comparer are as for `min()`, but a NaN among floats is the
    greatest; of equal ones it is the first here, too.

    Rx: max, max with a comparer
    """
    return _extreme("Signal.max", self, _greatest, key, comparer)
