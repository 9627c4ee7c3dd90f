"""reactivex.scheduler over librac's: where and when work runs."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from .. import _librac
from .disposable import Disposable

_EPOCH = datetime.datetime.fromtimestamp(0, tz=datetime.timezone.utc)


class Scheduler:
    """A scheduler of librac by reactivex's functions: action(scheduler, state)."""

    def __init__(self, engine: _librac.Scheduler | None = None) -> None:
        self.engine = engine

    @classmethod
    def singleton(cls) -> Any:
        """The one of its class."""
        if "_singleton" not in vars(cls):
            setattr(cls, "_singleton", cls())
        return vars(cls)["_singleton"]

    @property
    def now(self) -> datetime.datetime:
        return self.to_datetime(self._engine().now())

    def _engine(self) -> _librac.Scheduler:
        return self.engine if self.engine is not None else _librac.Scheduler.immediate()

    def schedule(self, action: Callable[[Any, Any], Any], state: Any = None) -> Disposable:
        return Disposable.of(self._engine().schedule(lambda: _run(action, self, state)))

    def schedule_relative(
        self, duetime: Any, action: Callable[[Any, Any], Any], state: Any = None
    ) -> Disposable:
        seconds = max(0.0, self.to_seconds(duetime))
        work = lambda: _run(action, self, state)  # noqa: E731
        return Disposable.of(self._engine().schedule_after(seconds, work))

    def schedule_absolute(
        self, duetime: Any, action: Callable[[Any, Any], Any], state: Any = None
    ) -> Disposable:
        seconds = self.to_seconds(duetime) - self._engine().now()
        return self.schedule_relative(seconds, action, state)

    @classmethod
    def to_seconds(cls, value: Any) -> float:
        if isinstance(value, datetime.datetime):
            return (value - _EPOCH).total_seconds()
        if isinstance(value, datetime.timedelta):
            return value.total_seconds()
        return float(value)

    @classmethod
    def to_datetime(cls, value: Any) -> datetime.datetime:
        if isinstance(value, datetime.datetime):
            return value
        return _EPOCH + datetime.timedelta(seconds=cls.to_seconds(value))

    @classmethod
    def to_timedelta(cls, value: Any) -> datetime.timedelta:
        return datetime.timedelta(seconds=cls.to_seconds(value))


def _run(action: Callable[[Any, Any], Any], scheduler: Any, state: Any) -> None:
    action(scheduler, state)


def engine_of(scheduler: Any) -> _librac.Scheduler | None:
    """librac's own; None: the one that is current, or one in the background."""
    if scheduler is None or isinstance(scheduler, _librac.Scheduler):
        return scheduler
    engine: _librac.Scheduler | None = scheduler.engine
    return engine


class ImmediateScheduler(Scheduler):
    def __init__(self) -> None:
        super().__init__(None)


class CurrentThreadScheduler(ImmediateScheduler):
    """Work that is scheduled inside of work runs after it."""


TrampolineScheduler = CurrentThreadScheduler


class _Background(Scheduler):
    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(_librac.Scheduler.background())


class TimeoutScheduler(_Background):
    """Timers on a thread of the library."""


class NewThreadScheduler(_Background):
    """A thread of the library: which one does not matter, and none is begun for it."""


class ThreadPoolScheduler(_Background):
    """The library's threads. Values of one subscription never overlap."""


class EventLoopScheduler(_Background):
    """One job after another."""


class MainScheduler(Scheduler):
    """librac's main scheduler, which waiting, and loops of hosts, run."""

    def __init__(self) -> None:
        super().__init__(_librac.Scheduler.main())


class AsyncIOScheduler(Scheduler):
    def __init__(self, loop: Any = None) -> None:
        for_loop: Any = _librac.Scheduler.for_loop
        super().__init__(for_loop(loop))


AsyncIOThreadSafeScheduler = AsyncIOScheduler


class VirtualTimeScheduler(Scheduler):
    """Time that passes when it is told to."""

    def __init__(self, initial_clock: Any = 0) -> None:
        super().__init__(_librac.Scheduler.virtual())
        seconds = self.to_seconds(initial_clock)
        if seconds > 0:
            self._engine().advance_to(seconds)
        self._stopped = False

    @property
    def clock(self) -> float:
        return round(self._engine().now(), 9)  # in whole nanoseconds, as the engine has it

    def start(self) -> None:
        self._stopped = False
        while not self._stopped and self._engine().next_deadline() != float("inf"):
            if self._engine().next_deadline() < 0:
                break
            self._engine().step()

    def stop(self) -> None:
        self._stopped = True

    def advance_to(self, time: Any) -> None:
        self._engine().advance_to(self.to_seconds(time))

    def advance_by(self, time: Any) -> None:
        self._engine().advance_by(self.to_seconds(time))

    sleep = advance_by


class HistoricalScheduler(VirtualTimeScheduler):
    """Virtual time by dates."""


__all__ = [
    "AsyncIOScheduler",
    "AsyncIOThreadSafeScheduler",
    "CurrentThreadScheduler",
    "EventLoopScheduler",
    "HistoricalScheduler",
    "ImmediateScheduler",
    "MainScheduler",
    "NewThreadScheduler",
    "Scheduler",
    "ThreadPoolScheduler",
    "TimeoutScheduler",
    "TrampolineScheduler",
    "VirtualTimeScheduler",
]
