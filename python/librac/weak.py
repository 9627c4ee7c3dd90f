"""Subscriptions that do not keep the object whose methods they call."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ._librac import SerialDisposable, Signal, Subscription


def subscribe_weak(
    self: Signal[Any],
    on_next: Callable[[Any], object] | None = None,
    on_error: Callable[[Exception], object] | None = None,
    on_completed: Callable[[], object] | None = None,
) -> Subscription:
    """subscribe() with bound methods that do not keep their object: when it is gone the
    subscription is disposed. For a signal that lives longer than who listens.
    """
    given = {"on_next": on_next, "on_error": on_error, "on_completed": on_completed}
    # Disposed by the first object that goes, perhaps before subscribe() has returned.
    slot = SerialDisposable()
    callbacks = {
        name: _weak(name, method, slot) for name, method in given.items() if method is not None
    }
    if not callbacks:
        raise TypeError("subscribe_weak(): give it a bound method")
    subscription = self.subscribe(**callbacks)
    slot.set(subscription)
    return subscription


def _weak(name: str, method: Any, slot: SerialDisposable) -> Callable[..., object]:
    if getattr(method, "__self__", None) is None:
        raise TypeError(f"subscribe_weak(): {name} has to be a bound method, not {method!r}")
    try:
        reference = weakref.WeakMethod(method, lambda _: slot.dispose())
    except TypeError:
        raise TypeError(
            f"subscribe_weak(): there are no weak references to {method.__self__!r}"
        ) from None

    def callback(*arguments: Any) -> None:
        alive = reference()
        if alive is not None:
            alive(*arguments)

    return callback
