"""reactivex.subject over librac's subjects."""

from __future__ import annotations

from typing import Any, TypeVar

from .. import _librac
from .observable import Observable

T = TypeVar("T")


class Subject(Observable[T]):
    """An observable that is an observer. As in reactivex, it remembers its end."""

    def __init__(self, subject: Any = None) -> None:
        self._subject: Any = _librac.Subject() if subject is None else subject
        self._end: tuple[Any, ...] | None = None
        self.is_disposed = False
        self._become(lambda _: self._now())

    def signal(self, scheduler: Any = None) -> Any:
        return self._now()

    def _now(self) -> Any:
        return _librac.defer(self._source)

    def _source(self) -> Any:
        if self._end is None:
            return self._subject
        return _librac.throw(self._end[0]) if self._end else _librac.empty()

    @property
    def is_stopped(self) -> bool:
        return self._end is not None

    @property
    def observers(self) -> int:
        return int(self._subject.subscriber_count)

    def on_next(self, value: T) -> None:
        if self._end is None:
            self._sent(value)
            self._subject.send(value)

    def _sent(self, value: T) -> None:
        pass

    def on_error(self, error: Any) -> None:
        if self._end is None:
            self._end = (error if isinstance(error, BaseException) else Exception(error),)
            self._subject.send_error(self._end[0])

    def on_completed(self) -> None:
        if self._end is None:
            self._end = ()
            self._subject.send_completed()

    def dispose(self) -> None:
        self.is_disposed = True
        self.on_completed()

    def as_observer(self) -> Any:
        return self


class BehaviorSubject(Subject[T]):
    """Has a value, which each new subscriber is sent."""

    def __init__(self, value: T) -> None:
        self.value = value
        super().__init__(_librac.BehaviorSubject(value))

    def _sent(self, value: T) -> None:
        self.value = value


class ReplaySubject(Subject[T]):
    """Sends each new subscriber what it has been sent, by count; window has no counterpart."""

    def __init__(self, buffer_size: int | None = None, window: Any = None, scheduler: Any = None) -> None:
        if window is not None:
            raise NotImplementedError("ReplaySubject(window=…): librac.Signal.share_replay has it")
        super().__init__(_librac.ReplaySubject(buffer_size))

    def _source(self) -> Any:
        return self._subject


class AsyncSubject(Subject[T]):
    """Sends its last value when it has completed."""

    def __init__(self) -> None:
        self._last: Any = _librac.ReplaySubject(1)
        super().__init__()

    def on_next(self, value: T) -> None:
        if self._end is None:
            self._last.send(value)

    def on_completed(self) -> None:
        if self._end is None:
            self._end = ()
            self._last.send_completed()

    def on_error(self, error: Any) -> None:
        if self._end is None:
            self._end = (error,)
            self._last.send_error(error)

    def _source(self) -> Any:
        return self._last.take_last(1)


__all__ = ["AsyncSubject", "BehaviorSubject", "ReplaySubject", "Subject"]
