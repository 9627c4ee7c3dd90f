"""What comes of all values."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from .. import _errors as errors
from ._each import map, scan
from ._making import NOTHING, Operator, at_end, identity, of_signal, of_step, seconds_of
from ._one import last, last_or_default


def reduce(accumulator: Callable[[Any, Any], Any], seed: Any = NOTHING) -> Operator:
    def operator(source: Any) -> Any:
        made = scan(accumulator, seed)(source)
        return (last() if seed is NOTHING else last_or_default(seed))(made)

    return operator


def to_list() -> Operator:
    return at_end(lambda seen: [list(seen)])


to_iterable = to_list


def to_set() -> Operator:
    return at_end(lambda seen: [set(seen)])


def to_dict(
    key_mapper: Callable[[Any], Any], element_mapper: Callable[[Any], Any] | None = None
) -> Operator:
    def make() -> Any:
        made: dict[Any, Any] = {}

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind == "next":
                made[key_mapper(value)] = element_mapper(value) if element_mapper else value
            elif kind == "completed":
                send(made)

        return step

    return of_step(make)


def to_future(future_ctor: Any = None) -> Callable[[Any], Any]:
    def make(source: Any) -> Any:
        import asyncio

        future = future_ctor() if future_ctor else asyncio.get_running_loop().create_future()
        values: list[Any] = []

        def finish(error: BaseException | None = None) -> None:
            if future.done():
                return
            if error is None and not values:
                error = errors.SequenceContainsNoElementsError()
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(values[-1])

        subscription = source.subscribe(
            lambda value: values.__setitem__(slice(None), [value]), finish, finish)
        future.add_done_callback(lambda _: subscription.dispose())
        return future

    return make


def count(predicate: Callable[[Any], Any] | None = None) -> Operator:
    return of_signal(lambda s, _: (s.filter(predicate) if predicate else s).count())


def sum(key_mapper: Callable[[Any], Any] | None = None) -> Operator:
    return of_signal(lambda s, _: (s.map(key_mapper) if key_mapper else s).sum())


def average(key_mapper: Callable[[Any], Any] | None = None) -> Operator:
    def operator(source: Any) -> Any:
        made = map(key_mapper)(source) if key_mapper else source

        def mean(seen: list[Any]) -> list[Any]:
            if not seen:
                raise errors.SequenceContainsNoElementsError()
            return [builtins.sum(seen) / float(len(seen))]

        return at_end(mean)(made)

    return operator


def _compare(one: Any, other: Any) -> Any:
    return (one > other) - (one < other)


def _extremes(
    key_mapper: Callable[[Any], Any], comparer: Callable[[Any, Any], Any] | None, sign: int
) -> Operator:
    """All that are greatest, or least, as a list."""
    same = comparer or _compare

    def make() -> Any:
        best: list[Any] = []
        keys: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind == "next":
                key = key_mapper(value)
                how = same(key, keys[0]) * sign if keys else 1
                if how > 0:
                    keys[:], best[:] = [key], [value]
                elif how == 0:
                    best.append(value)
            elif kind == "completed":
                send(list(best))

        return step

    return of_step(make)


def max_by(
    key_mapper: Callable[[Any], Any], comparer: Callable[[Any, Any], Any] | None = None
) -> Operator:
    return _extremes(key_mapper, comparer, 1)


def min_by(
    key_mapper: Callable[[Any], Any], comparer: Callable[[Any, Any], Any] | None = None
) -> Operator:
    return _extremes(key_mapper, comparer, -1)


def _only(values: list[Any]) -> Any:
    if not values:
        raise errors.SequenceContainsNoElementsError()
    return values[0]


def max(comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    return lambda source: map(_only)(max_by(identity, comparer)(source))


def min(comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    return lambda source: map(_only)(min_by(identity, comparer)(source))


__all__ = [
    "average",
    "count",
    "max",
    "max_by",
    "min",
    "min_by",
    "reduce",
    "sum",
    "to_dict",
    "to_future",
    "to_iterable",
    "to_list",
    "to_set",
]
