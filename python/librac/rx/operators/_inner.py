"""Observables that values become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._each import map_indexed
from ._making import Operator, identity, inner, of_signal


def flat_map(mapper: Any = None) -> Operator:
    function = mapper if callable(mapper) else identity if mapper is None else lambda _: mapper
    return of_signal(lambda s, scheduler: s.flat_map(inner(function, scheduler)))


def flat_map_indexed(mapper_indexed: Any = None) -> Operator:
    if not callable(mapper_indexed):
        return flat_map(mapper_indexed)
    return lambda source: flat_map()(map_indexed(mapper_indexed)(source))


def flat_map_latest(mapper: Any = None) -> Operator:
    return of_signal(lambda s, scheduler: s.switch_map(inner(mapper or identity, scheduler)))


def switch_map(project: Any = None) -> Operator:
    return flat_map_latest(project)


def switch_map_indexed(project: Callable[[Any, int], Any] | None = None) -> Operator:
    return lambda source: switch_map()(map_indexed(project)(source))


def concat_map(project: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, scheduler: s.concat_map(inner(project, scheduler)))


def switch_latest() -> Operator:
    return switch_map()


def exclusive() -> Operator:
    return of_signal(lambda s, scheduler: s.exhaust_map(inner(identity, scheduler)))


def expand(mapper: Callable[[Any], Any]) -> Operator:
    return of_signal(lambda s, scheduler: s.expand(inner(mapper, scheduler)))


def concat_all() -> Operator:
    """The observables that come, one after the other."""
    return concat_map(identity)


def merge_all() -> Operator:
    return flat_map()


__all__ = [
    "concat_all",
    "concat_map",
    "exclusive",
    "expand",
    "flat_map",
    "flat_map_indexed",
    "flat_map_latest",
    "merge_all",
    "switch_latest",
    "switch_map",
    "switch_map_indexed",
]
