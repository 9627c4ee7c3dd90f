"""One value of all."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from .. import _errors as errors
from ..observable import Observable
from ._making import NOTHING, Operator, always, of_step


def _one(
    pick: str, predicate: Callable[[Any], Any] | None, default: Any = NOTHING
) -> Operator:
    """The first, the last or the only value that suits."""

    def make() -> Any:
        found: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            if kind == "next" and (predicate is None or predicate(value)):
                if pick == "single" and found:
                    raise Exception("Sequence contains more than one element")
                found[:] = [value]
                if pick == "first":
                    send(value)
                    return True
            elif kind == "completed":
                if not found and default is NOTHING:
                    raise errors.SequenceContainsNoElementsError()
                send(found[0] if found else default)
            return False

        return step

    return of_step(make)


def first(predicate: Callable[[Any], Any] | None = None) -> Operator:
    return _one("first", predicate)


def first_or_default(
    predicate: Callable[[Any], Any] | None = None, default_value: Any = None
) -> Operator:
    return _one("first", predicate, default_value)


def last(predicate: Callable[[Any], Any] | None = None) -> Operator:
    return _one("last", predicate)


def last_or_default(
    default_value: Any = None, predicate: Callable[[Any], Any] | None = None
) -> Operator:
    return _one("last", predicate, default_value)


def single(predicate: Callable[[Any], Any] | None = None) -> Operator:
    return _one("single", predicate)


def single_or_default(
    predicate: Callable[[Any], Any] | None = None, default_value: Any = None
) -> Operator:
    return _one("single", predicate, default_value)


def single_or_default_async(has_default: bool = False, default_value: Any = None) -> Operator:
    return _one("single", None, default_value if has_default else NOTHING)


def _element(index: int, default: Any = NOTHING) -> Operator:
    if index < 0:
        raise errors.ArgumentOutOfRangeException()

    def make() -> Any:
        left = [index]

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            if kind == "next":
                left[0] -= 1
                if left[0] < 0:
                    send(value)
                    return True
            elif kind == "completed":
                if default is NOTHING:
                    raise errors.ArgumentOutOfRangeException()
                send(default)
            return False

        return step

    return of_step(make)


def element_at(index: int) -> Operator:
    return _element(index)


def element_at_or_default(index: int, default_value: Any = None) -> Operator:
    return _element(index, default_value)


def _find(predicate: Callable[[Any, int, Any], Any], found: Callable[[Any, int], Any],
          otherwise: Any) -> Operator:
    def operator(source: Any) -> Observable[Any]:
        def make() -> Any:
            numbers = itertools.count()

            def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
                if kind == "next":
                    index = next(numbers)
                    if predicate(value, index, source):
                        send(found(value, index))
                        return True
                elif kind == "completed":
                    send(otherwise)
                return False

            return step

        made: Observable[Any] = of_step(make)(source)
        return made

    return operator


def find(predicate: Callable[[Any, int, Any], Any]) -> Operator:
    return _find(predicate, lambda value, _: value, None)


def find_index(predicate: Callable[[Any, int, Any], Any]) -> Operator:
    return _find(predicate, lambda _, index: index, -1)


def some(predicate: Callable[[Any], Any] | None = None) -> Operator:
    suits = predicate or always
    return _find(lambda value, *_: suits(value), lambda *_: True, False)


def all(predicate: Callable[[Any], Any]) -> Operator:
    return _find(lambda value, *_: not predicate(value), lambda *_: False, True)


def is_empty() -> Operator:
    return _find(always, lambda *_: False, True)


def contains(value: Any, comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    same = comparer or (lambda one, other: one == other)
    return some(lambda each: same(each, value))


__all__ = [
    "all",
    "contains",
    "element_at",
    "element_at_or_default",
    "find",
    "find_index",
    "first",
    "first_or_default",
    "is_empty",
    "last",
    "last_or_default",
    "single",
    "single_or_default",
    "single_or_default_async",
    "some",
]
