"""reactivex.subject over librac's subjects."""

from __future__ import annotations

from typing import Any, TypeVar

from .. import _librac
from ._errors import DisposedException
from .observable import Observable
from .scheduler import Scheduler, engine_of

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
        self._check()
        return _librac.defer(self._source)

    def _check(self) -> None:
        if self.is_disposed:
            raise DisposedException()

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
        self._check()
        if self._end is None:
            self._sent(value)
            self._subject.send(value)

    def _sent(self, value: T) -> None:
        pass

    def on_error(self, error: Any) -> None:
        self._check()
        if self._end is None:
            self._end = (error if isinstance(error, BaseException) else Exception(error),)
            self._subject.send_error(self._end[0])

    def on_completed(self) -> None:
        self._check()
        if self._end is None:
            self._end = ()
            self._subject.send_completed()

    def dispose(self) -> None:
        """Lets go of all subscribers, without an event. Later calls raise."""
        self.is_disposed = True
        self._let_go()

    def _let_go(self) -> None:
        # One that nobody can send to any more.
        self._subject = _librac.Subject()

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
    """Sends each new subscriber what it has been sent: the latest `buffer_size` values, none
    older than `window` by the clock of `scheduler`."""

    def __init__(
        self, buffer_size: int | None = None, window: Any = None, scheduler: Any = None
    ) -> None:
        self._young: Any = None
        self._hearing = 0
        super().__init__(
            _librac.ReplaySubject(buffer_size) if window is None else _librac.Subject())
        if window is not None:
            seconds = Scheduler.to_seconds(window)
            young = self._subject.share_replay(
                buffer_size, seconds, scheduler=engine_of(scheduler))
            self._young = young.concat(_librac.defer(self._ending))
            # Without a subscriber what is shared would forget.
            self._keeps: Any = young.subscribe()

    def _let_go(self) -> None:
        super()._let_go()
        self._young = self._keeps = None

    def on_error(self, error: Any) -> None:
        self._check()
        if self._young is None:
            super().on_error(error)
        elif self._end is None:
            # A shared signal keeps a completion alone.
            self._end = (error if isinstance(error, BaseException) else Exception(error),)
            self._subject.send_completed()

    def _ending(self) -> Any:
        return _librac.throw(self._end[0]) if self._end else _librac.empty()

    def _source(self) -> Any:
        if self._young is None:
            return self._subject
        self._hearing += 1
        return self._young.do_finally(self._leave)

    def _leave(self) -> None:
        self._hearing -= 1

    @property
    def observers(self) -> int:
        return super().observers if self._young is None else self._hearing


class AsyncSubject(Subject[T]):
    """Sends its last value when it has completed."""

    def __init__(self) -> None:
        super().__init__(_librac.ReplaySubject(1))

    def _source(self) -> Any:
        return self._subject.take_last(1)


__all__ = ["AsyncSubject", "BehaviorSubject", "ReplaySubject", "Subject"]
