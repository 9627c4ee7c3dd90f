"""A part of the values: so many, as long as, until."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ... import _librac
from ..._librac import Signal
from .. import _errors as errors
from ..observable import observable_of, signal_of
from ._each import filter_indexed
from ._making import Operator, at_end, forms, of_signal, of_step


def _not_negative(count: int) -> None:
    if count < 0:
        raise errors.ArgumentOutOfRangeException()


def take(count: int) -> Operator:
    _not_negative(count)
    return of_signal(lambda s, _: s.take(count) if count else _librac.empty())


def skip(count: int) -> Operator:
    _not_negative(count)
    return of_signal(lambda s, _: s.skip(count))


def take_last(count: int) -> Operator:
    return of_signal(lambda s, _: s.take_last(count))


def take_last_buffer(count: int) -> Operator:
    return at_end(lambda seen: [seen[-count:] if count else []])


def skip_last(count: int) -> Operator:
    def make() -> Any:
        waiting: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind == "next":
                waiting.append(value)
                if len(waiting) > count:
                    send(waiting.pop(0))

        return step

    return of_step(make)


def take_while(predicate: Callable[[Any], Any], inclusive: bool = False) -> Operator:
    return of_signal(lambda s, _: forms.take_while(s, predicate, inclusive))


def take_while_indexed(predicate: Callable[[Any, int], Any], inclusive: bool = False) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Any:
        def begin() -> Any:
            numbers = itertools.count()
            return forms.take_while(
                signal, lambda value: predicate(value, next(numbers)), inclusive)

        return _librac.defer(begin)

    return of_signal(make)


def skip_while(predicate: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, _: s.skip_while(predicate))


def skip_while_indexed(predicate: Callable[[Any, int], Any]) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Any:
        def begin() -> Any:
            numbers = itertools.count()
            return signal.skip_while(lambda value: predicate(value, next(numbers)))

        return _librac.defer(begin)

    return of_signal(make)


def take_until(other: Any) -> Operator:
    """Unlike librac's, the completion of the other one is no sign."""
    return of_signal(lambda s, scheduler: s.take_until(
        signal_of(other, scheduler).concat(_librac.never())))


def skip_until(other: Any) -> Operator:
    return of_signal(lambda s, scheduler: s.skip_until(
        signal_of(other, scheduler).concat(_librac.never())))


def slice(start: int | None = None, stop: int | None = None, step: int | None = None) -> Operator:
    def operator(source: Any) -> Any:
        made = source
        if start is not None and start < 0:
            made = take_last(-start)(made)
        elif start:
            made = skip(start)(made)
        if stop is not None and stop > 0:
            made = take(stop - (start or 0) if (start or 0) >= 0 else stop)(made)
        elif stop == 0:
            made = take(0)(made)
        elif stop is not None:
            made = skip_last(-stop)(made)
        if step is not None and step > 1:
            made = filter_indexed(lambda _, index: index % step == 0)(made)
        elif step is not None and step < 0:
            raise TypeError("Negative step not supported.")
        return observable_of(made)

    return operator


__all__ = [
    "skip",
    "skip_last",
    "skip_until",
    "skip_while",
    "skip_while_indexed",
    "slice",
    "take",
    "take_last",
    "take_last_buffer",
    "take_until",
    "take_while",
    "take_while_indexed",
]
