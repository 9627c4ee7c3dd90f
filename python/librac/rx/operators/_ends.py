"""Errors, repetition, and what happens on the side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _librac
from ..._librac import Signal
from ..observable import Observable, by, observable_of, signal_of
from ._making import Operator, forms, of_signal


def catch(handler: Any) -> Operator:
    """The function gets the exception and the source."""

    def operator(source: Any) -> Observable[Any]:
        source = observable_of(source)
        if not callable(handler):
            return by(lambda scheduler: forms.catch(
                source.signal(scheduler), signal_of(handler, scheduler)))
        return by(lambda scheduler: forms.catch(
            source.signal(scheduler),
            lambda error: signal_of(handler(error, source), scheduler)))

    return operator


def on_error_resume_next(second: Any) -> Operator:
    return of_signal(lambda s, scheduler: forms.catch(s, _librac.empty()).concat(
        forms.catch(signal_of(second, scheduler), _librac.empty())))


def retry(retry_count: int | None = None) -> Operator:
    """So many attempts in all."""
    if retry_count is None:
        return of_signal(lambda s, _: s.retry())
    attempts = retry_count
    return of_signal(lambda s, _: s.retry(attempts - 1) if attempts > 1 else s)


def repeat(repeat_count: int | None = None) -> Operator:
    if repeat_count is None:
        return of_signal(lambda s, _: s.repeat())
    return of_signal(lambda s, _: forms.concat(*[s] * repeat_count) if repeat_count else _librac.empty())


def while_do(condition: Callable[[Any], Any]) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def again(completed: Any, number: int) -> Any:
            return _librac.of(0) if condition(None) else None

        return _librac.defer(
            lambda: signal.repeat_when(again) if condition(None) else _librac.empty())

    return of_signal(make)


def do_while(condition: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, _: s.repeat_when(
        lambda completed, number: _librac.of(0) if condition(None) else None))


def do_action(
    on_next: Callable[[Any], Any] | None = None,
    on_error: Any = None,
    on_completed: Callable[[], Any] | None = None,
) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        if on_next is not None:
            signal = signal.do_next(on_next)
        if on_error is not None:
            signal = signal.do_error(on_error)
        return signal if on_completed is None else signal.do_completed(on_completed)

    return of_signal(make)


def do(observer: Any) -> Operator:
    return do_action(observer.on_next, observer.on_error, observer.on_completed)


tap = do_action


def finally_action(action: Callable[[], Any]) -> Operator:
    return of_signal(lambda s, _: s.do_finally(action))


__all__ = [
    "catch",
    "do",
    "do_action",
    "do_while",
    "finally_action",
    "on_error_resume_next",
    "repeat",
    "retry",
    "tap",
    "while_do",
]
