"""reactivex.notification: events as values, which materialize() sends."""

from __future__ import annotations

import types
from typing import Any


class Notification:
    """An event: a value, an error or a completion."""

    __class_getitem__: Any = classmethod(types.GenericAlias)  # Notification[int], in annotations

    kind = ""
    has_value = False
    value: Any = None
    exception: Any = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Notification)
            and self.kind == other.kind
            and self.value == other.value
            and str(self.exception) == str(other.exception)
        )

    def equals(self, other: object) -> bool:
        return self == other

    def to_observable(self, scheduler: Any = None) -> Any:
        """An observable that sends it, and completes after a value."""
        from . import empty, return_value, throw

        if self.kind == "N":
            return return_value(self.value, scheduler)
        return throw(self.exception, scheduler) if self.kind == "E" else empty(scheduler)

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:
        return hash(self.kind)

    def accept(
        self, on_next: Any, on_error: Any = None, on_completed: Any = None
    ) -> Any:
        """Calls the function of its kind, or the method of an observer."""
        if hasattr(on_next, "on_next"):
            on_next, on_error, on_completed = (
                on_next.on_next, on_next.on_error, on_next.on_completed)
        if self.kind == "N":
            return on_next(self.value)
        if self.kind == "E":
            return on_error(self.exception) if on_error else None
        return on_completed() if on_completed else None


class OnNext(Notification):
    kind, has_value = "N", True

    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        return f"OnNext({self.value})"


class OnError(Notification):
    kind = "E"

    def __init__(self, error: Any) -> None:
        self.exception = error if isinstance(error, BaseException) else Exception(error)

    def __str__(self) -> str:
        return f"OnError({self.exception})"


class OnCompleted(Notification):
    kind = "C"

    def __str__(self) -> str:
        return "OnCompleted()"


__all__ = ["Notification", "OnCompleted", "OnError", "OnNext"]
