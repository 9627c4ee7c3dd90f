"""Values later, fewer, or until a time."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable
from typing import Any

from ... import _librac, cocoa
from ..._librac import Signal
from ..observable import Observable, scheduled, signal_of
from ._making import Operator, ended_by, forms, inner, of_signal, seconds_of


def _until(duetime: Any, at: Any) -> Any:
    """Seconds, also of a date."""
    if not isinstance(duetime, datetime.datetime):
        return duetime
    return max(0.0, seconds_of(duetime) - (at or _librac.Scheduler.background()).now())


def delay(duetime: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler)
        return signal.delay(_until(duetime, at), scheduler=at)

    return of_signal(make)


def delay_subscription(duetime: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(given, scheduler)
        return forms.delay_subscription(signal, _until(duetime, at), scheduler=at)

    return of_signal(make)


def delay_with_mapper(
    subscription_delay: Any = None, delay_duration_mapper: Callable[[Any], Any] | None = None
) -> Operator:
    mapper = delay_duration_mapper
    if isinstance(subscription_delay, Observable):
        until: Any = subscription_delay
    else:
        until, mapper = None, mapper or subscription_delay
    made: Any = mapper

    def make(signal: Signal[Any], scheduler: Any) -> Any:
        signal = signal.delay_when(inner(made, scheduler))
        if until is None:
            return signal
        return forms.delay_subscription(signal, signal_of(until, scheduler))

    return of_signal(make)


def debounce(duetime: Any, scheduler: Any = None) -> Operator:
    return of_signal(lambda s, given: s.debounce(duetime, scheduler=scheduled(given, scheduler)))


throttle_with_timeout = debounce


def throttle_with_mapper(throttle_duration_mapper: Callable[[Any], Any]) -> Operator:
    """A value is sent when the observable that it makes has sent, and no other came."""

    def one(value: Any, scheduler: Any) -> Signal[Any]:
        return ended_by(throttle_duration_mapper(value), scheduler, _librac.of(value))

    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        return signal.switch_map(lambda value: one(value, scheduler))

    return of_signal(make)


def throttle_first(window_duration: Any, scheduler: Any = None) -> Operator:
    return of_signal(lambda s, given: s.throttle(
        window_duration, scheduler=scheduled(given, scheduler)))


def sample(sampler: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        from .. import interval

        if not isinstance(sampler, Observable):
            return signal.sample(interval(sampler, scheduler=scheduler).signal(given))
        return signal.sample(sampler.signal(given))

    return of_signal(make)


def timeout(duetime: Any, other: Any = None, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(given, scheduler)
        instead = _librac.throw(Exception("Timeout")) if other is None else signal_of(other, given)
        if isinstance(duetime, datetime.datetime):  # the end of all, and not between values
            in_time: Signal[Any] = signal | cocoa.complete_within(_until(duetime, at), scheduler=at)
            return forms.catch(in_time, lambda error: instead if isinstance(
                error, _librac.TimedOut) else _librac.throw(error))
        return forms.timeout(signal, duetime, instead, scheduler=at)

    return of_signal(make)


class _TooLate(Exception):
    pass


def timeout_with_mapper(
    first_timeout: Any = None,
    timeout_duration_mapper: Callable[[Any], Any] | None = None,
    other: Any = None,
) -> Operator:
    """Goes on with another observable when that of the mapper, for the last value, has sent or
    completed before the next one came."""

    def begin(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        clocks = _librac.BehaviorSubject((0, first_timeout))
        numbers = itertools.count(1)

        def late(clock: Any) -> Signal[Any]:
            number, duration = clock
            if duration is None:
                return _librac.never()
            return ended_by(duration, scheduler, _librac.of(("late", number)))

        def make() -> Any:
            current = [0]

            def step(kind: str, event: Any, send: Callable[[Any], None]) -> bool:
                if kind != "next":
                    return False
                what, value = event
                if what == "late":
                    if value == current[0]:
                        raise _TooLate()
                elif what == "value":
                    current[0] = next(numbers)
                    send(value)
                    mapper = timeout_duration_mapper
                    clocks.send((current[0], mapper(value) if mapper else None))
                return bool(what == "done")

            return step

        values = signal.map(lambda value: ("value", value)).concat(_librac.of(("done", None)))
        events: Signal[Any] = forms.merge(clocks.switch_map(late), values)
        made: Signal[Any] = events | cocoa.step(make)
        return made

    def make(signal: Signal[Any], scheduler: Any) -> Any:
        instead = _librac.throw(Exception("Timeout")) if other is None else signal_of(
            other, scheduler)
        return forms.catch(
            _librac.defer(lambda: begin(signal, scheduler)),
            lambda error: instead if isinstance(error, _TooLate) else _librac.throw(error))

    return of_signal(make)


def observe_on(scheduler: Any) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(None, scheduler)
        return signal if at is None else forms.deliver_on(signal, at)

    return of_signal(make)


def subscribe_on(scheduler: Any) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(None, scheduler)
        return signal if at is None else signal.subscribe_on(at)

    return of_signal(make)


__all__ = [
    "debounce",
    "delay",
    "delay_subscription",
    "delay_with_mapper",
    "observe_on",
    "sample",
    "subscribe_on",
    "throttle_first",
    "throttle_with_mapper",
    "throttle_with_timeout",
    "timeout",
    "timeout_with_mapper",
]
