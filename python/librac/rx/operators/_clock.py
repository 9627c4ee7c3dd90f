"""By the time at which values come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ... import _librac, cocoa
from ..._librac import Signal
from ..observable import Observable, by, scheduled
from ._making import Operator, at_end, of_signal, seconds_of, timer_of


def timestamp(scheduler: Any = None) -> Operator:
    from .. import Timestamp
    from ..scheduler import Scheduler

    return of_signal(lambda s, given: s.timestamp(scheduler=scheduled(given, scheduler)).map(
        lambda both: Timestamp(both[1], Scheduler.to_datetime(both[0]))))


def time_interval(scheduler: Any = None) -> Operator:
    from .. import TimeInterval
    from ..scheduler import Scheduler

    return of_signal(lambda s, given: s.time_interval(scheduler=scheduled(given, scheduler)).map(
        lambda both: TimeInterval(both[1], Scheduler.to_timedelta(both[0]))))


def to_marbles(timespan: Any = 0.1, scheduler: Any = None) -> Operator:
    """What was heard, as one text: a dash for each timespan, "|" at the end."""
    width = seconds_of(timespan)

    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler) or _librac.Scheduler.background()

        def begin(last: float) -> Any:
            said: list[str] = []

            def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
                nonlocal last
                now = at.now()
                said.append("-" * int((now - last) / width + 0.5))
                last = now
                text = "|" if kind == "completed" else str(value)
                said.append(text if len(text) == 1 else f"({text})")
                if kind != "next":
                    send("".join(said))
                return kind == "error"

            return step

        def subscribe() -> Any:
            begun = at.now()
            return signal | cocoa.step(lambda: begin(begun))

        return _librac.defer(subscribe)

    return of_signal(make)


def take_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return of_signal(lambda s, given: s.take_until(timer_of(duration, scheduler, given)))


def skip_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return of_signal(lambda s, given: s.skip_until(timer_of(duration, scheduler, given)))


def take_until_with_time(end_time: Any, scheduler: Any = None) -> Operator:
    return take_with_time(end_time, scheduler)


def skip_until_with_time(start_time: Any, scheduler: Any = None) -> Operator:
    return skip_with_time(start_time, scheduler)


def _with_ages(
    scheduler: Any, choose: Callable[[list[Any], float], Iterable[Any]]
) -> Operator:
    """At the end, of values with their times."""

    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler) or _librac.Scheduler.background()
        stamped = by(signal.timestamp(scheduler=at))
        made: Observable[Any] = at_end(lambda seen: choose(seen, at.now()))(stamped)
        return made.signal()

    return of_signal(make)


def take_last_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return _with_ages(scheduler, lambda seen, now: [
        value for time, value in seen if now - time <= seconds_of(duration)])


def skip_last_with_time(duration: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler) or _librac.Scheduler.background()

        def begin() -> Any:
            waiting: list[Any] = []

            def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
                now = at.now()
                if kind == "next":
                    waiting.append((now, value))
                if kind != "error":
                    while waiting and now - waiting[0][0] >= seconds_of(duration):
                        send(waiting.pop(0)[1])

            return step

        return signal | cocoa.step(begin)

    return of_signal(make)


__all__ = [
    "skip_last_with_time",
    "skip_until_with_time",
    "skip_with_time",
    "take_last_with_time",
    "take_until_with_time",
    "take_with_time",
    "time_interval",
    "timestamp",
    "to_marbles",
]
