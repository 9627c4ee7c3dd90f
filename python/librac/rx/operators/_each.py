"""One value at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ... import _librac
from ..._librac import Signal
from ._making import NOTHING, Operator, always, forms, identity, of_signal, of_step


def map(mapper: Callable[[Any], Any] | None = None) -> Operator:
    return of_signal(lambda s, _: s.map(mapper or identity))


def map_indexed(mapper_indexed: Callable[[Any, int], Any] | None = None) -> Operator:
    if mapper_indexed is None:
        return map()
    mapper = mapper_indexed

    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def begin() -> Signal[Any]:
            numbers = itertools.count()
            return signal.map(lambda value: mapper(value, next(numbers)))

        return _librac.defer(begin)

    return of_signal(make)


def starmap(mapper: Callable[..., Any] | None = None) -> Operator:
    return of_signal(lambda s, _: s.map(lambda values: mapper(*values) if mapper else tuple(values)))


starmap_indexed = starmap


def pluck(key: Any) -> Operator:
    return map(lambda value: value[key])


def pluck_attr(prop: str) -> Operator:
    return map(lambda value: getattr(value, prop))


def filter(predicate: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, _: s.filter(predicate))


def filter_indexed(predicate_indexed: Callable[[Any, int], Any] | None = None) -> Operator:
    if predicate_indexed is None:
        return filter(always)
    predicate = predicate_indexed

    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def begin() -> Signal[Any]:
            numbers = itertools.count()
            return signal.filter(lambda value: predicate(value, next(numbers)))

        return _librac.defer(begin)

    return of_signal(make)


def distinct_until_changed(
    key_mapper: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Operator:
    key = key_mapper or identity
    same = comparer or (lambda one, other: one == other)

    def make() -> Any:
        last: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind != "next":
                return
            found = key(value)
            if not last or not same(last[0], found):
                last[:] = [found]
                send(value)

        return step

    if key_mapper is None and comparer is None:
        return of_signal(lambda s, _: s.distinct_until_changed())
    return of_step(make)


def distinct(
    key_mapper: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Operator:
    if comparer is None:
        return of_signal(lambda s, _: s.distinct(key_mapper))
    key, same = key_mapper or identity, comparer

    def make() -> Any:
        seen: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind != "next":
                return
            found = key(value)
            if not any(same(each, found) for each in seen):
                seen.append(found)
                send(value)

        return step

    return of_step(make)


def as_observable() -> Operator:
    return of_signal(lambda s, _: s)


def ignore_elements() -> Operator:
    return of_signal(lambda s, _: s.ignore_values())


def materialize() -> Operator:
    def make() -> Any:
        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            from ..notification import OnCompleted, OnError, OnNext

            made: Any = OnCompleted() if kind == "completed" else None
            if made is None:
                made = OnNext(value) if kind == "next" else OnError(value)
            send(made)
            return kind == "error"

        return step

    return of_step(make)


def dematerialize() -> Operator:
    def make() -> Any:
        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            if kind != "next":
                return False
            if value.kind == "E":
                raise value.exception
            if value.kind == "N":
                send(value.value)
            return bool(value.kind == "C")

        return step

    return of_step(make)


def start_with(*values: Any) -> Operator:
    return of_signal(lambda s, _: s.start_with(*values))


def default_if_empty(default_value: Any = None) -> Operator:
    return of_signal(lambda s, _: s.default_if_empty(default_value))


def scan(accumulator: Callable[[Any, Any], Any], seed: Any = NOTHING) -> Operator:
    return of_signal(lambda s, _: forms.scan(s, accumulator, seed))


def pairwise() -> Operator:
    return of_signal(lambda s, _: s.pairwise())


__all__ = [
    "as_observable",
    "default_if_empty",
    "dematerialize",
    "distinct",
    "distinct_until_changed",
    "filter",
    "filter_indexed",
    "ignore_elements",
    "map",
    "map_indexed",
    "materialize",
    "pairwise",
    "pluck",
    "pluck_attr",
    "scan",
    "starmap",
    "starmap_indexed",
    "start_with",
]
