"""What operators are made of: an operator of the engine, or step(), which has each event and
sends what it likes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ... import cocoa
from ... import forms as _forms
from ..._librac import Signal
from ..observable import Observable, by, observable_of, signal_of
from ..scheduler import Scheduler

Operator = Callable[[Any], Observable[Any]]
forms: Any = _forms
NOTHING: Any = forms.MISSING


def of_signal(change: Callable[[Signal[Any], Any], Any]) -> Operator:
    """An operator: what makes a signal of the source's signal and the scheduler."""

    def operator(source: Any) -> Observable[Any]:
        source = observable_of(source)
        return by(lambda scheduler: change(source.signal(scheduler), scheduler))

    return operator


def of_step(make: Callable[[], Callable[[str, Any, Callable[[Any], None]], Any]]) -> Operator:
    return of_signal(lambda signal, _: signal | cocoa.step(make))


def at_end(finish: Callable[[list[Any]], Iterable[Any]]) -> Operator:
    """Sends what becomes of all values, when they have come."""

    def make() -> Any:
        seen: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind == "next":
                seen.append(value)
            elif kind == "completed":
                for each in finish(seen):
                    send(each)

        return step

    return of_step(make)


def inner(function: Callable[..., Any], scheduler: Any) -> Callable[..., Any]:
    """A function whose observables are made for the scheduler of the subscription."""
    return lambda *values: signal_of(function(*values), scheduler)


def identity(value: Any) -> Any:
    return value


def always(*values: Any) -> bool:
    return True


def seconds_of(duration: Any) -> float:
    return Scheduler.to_seconds(duration)


def timer_of(duetime: Any, own: Any, scheduler: Any) -> Signal[Any]:
    """Sends once, on an operator's own scheduler or that of the subscription."""
    from .. import timer

    return timer(duetime, scheduler=own).signal(scheduler)


def ended_by(duration: Any, scheduler: Any, sign: Signal[Any]) -> Signal[Any]:
    """Sends a sign when an observable has sent a value or completed."""
    return signal_of(duration, scheduler).take(1).ignore_values().concat(sign)
