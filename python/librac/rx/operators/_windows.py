"""Windows, and buffers, which are windows as lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _librac
from ..._librac import Signal
from ..observable import by, scheduled, signal_of
from ..subject import Subject
from ._inner import flat_map
from ._making import Operator, forms, inner, of_signal, seconds_of, timer_of
from ._opening import Opened, opening
from ._total import to_list


def windows(signal: Signal[Any]) -> Signal[Any]:
    return signal.map(by)


def lists(windows: Any) -> Any:
    return flat_map(lambda window: to_list()(window))(windows)


def buffer_with_count(count: int, skip: int | None = None) -> Operator:
    return of_signal(lambda s, _: forms.buffer(s, count, skip=skip).map(list))


def window_with_count(count: int, skip: int | None = None) -> Operator:
    return of_signal(lambda s, _: windows(forms.window(s, count=count, skip=skip)))


def buffer(boundaries: Any) -> Operator:
    return lambda source: lists(window(boundaries)(source))


def window(boundaries: Any) -> Operator:
    return of_signal(lambda s, scheduler: windows(forms.window(s, signal_of(boundaries, scheduler))))


def window_toggle(openings: Any, closing_mapper: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, scheduler: windows(forms.window(
        s, signal_of(openings, scheduler), inner(closing_mapper, scheduler))))


def buffer_toggle(openings: Any, closing_mapper: Callable[[Any], Any]) -> Operator:
    return lambda source: lists(window_toggle(openings, closing_mapper)(source))


def window_when(closing_mapper: Callable[[], Any]) -> Operator:
    """Each window lasts until the observable that the function makes sends or completes."""

    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        closing = _librac.defer(lambda: signal_of(closing_mapper(), scheduler).take(1))
        boundary: Signal[Any] = closing.ignore_values().concat(_librac.of(0)).repeat()
        return windows(forms.window(signal, boundary))

    return of_signal(make)


def buffer_when(closing_mapper: Callable[[], Any]) -> Operator:
    return lambda source: lists(window_when(closing_mapper)(source))


def window_with_time(timespan: Any, timeshift: Any = None, scheduler: Any = None) -> Operator:
    if timeshift is not None and seconds_of(timeshift) != seconds_of(timespan):
        from .. import timer

        return window_toggle(
            timer(0, timeshift, scheduler), lambda _: timer(timespan, scheduler=scheduler))
    return of_signal(lambda s, given: windows(forms.window(
        s, seconds=timespan, scheduler=scheduled(given, scheduler))))


def buffer_with_time(
    timespan: Any, timeshift: Any = None, scheduler: Any = None
) -> Operator:
    return lambda source: lists(
        window_with_time(timespan, timeshift, scheduler)(source))


def window_with_time_or_count(timespan: Any, count: int, scheduler: Any = None) -> Operator:
    """A window lasts for a time, or until so many values have come."""

    def begin(signal: Signal[Any], given: Any, opened: Opened) -> Any:
        clocks = _librac.BehaviorSubject(0)
        number, values = 0, 0

        def roll() -> None:
            nonlocal number, values
            opened.close(number)
            number, values = number + 1, 0
            opened.observer.on_next(opened.add(number, Subject()))
            clocks.send(number)

        def heard(event: Any) -> None:
            nonlocal values
            what, value = event
            if what == "value":
                opened.send(number, value)
                values += 1
            if what == "done":
                opened.complete()
            elif values == count or (what == "late" and value == number):
                roll()

        def late(clock: int) -> Signal[Any]:
            return timer_of(timespan, scheduler, given).map(lambda _: ("late", clock))

        roll()
        came = signal.map(lambda value: ("value", value)).concat(_librac.of(("done", None)))
        return forms.merge(clocks.switch_map(late), came), heard

    return opening(begin)


def buffer_with_time_or_count(timespan: Any, count: int, scheduler: Any = None) -> Operator:
    return lambda source: lists(window_with_time_or_count(timespan, count, scheduler)(source))


__all__ = [
    "buffer",
    "buffer_toggle",
    "buffer_when",
    "buffer_with_count",
    "buffer_with_time",
    "buffer_with_time_or_count",
    "window",
    "window_toggle",
    "window_when",
    "window_with_count",
    "window_with_time",
    "window_with_time_or_count",
]
