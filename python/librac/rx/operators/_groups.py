"""Groups by a key, and two parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ... import _librac
from ..._librac import Signal
from ..observable import Observable, signal_of
from ..subject import Subject
from ._each import filter, filter_indexed
from ._making import Operator, ended_by, forms, identity, of_signal
from ._opening import Opened, opening
from ._sharing import share


K = TypeVar("K")
T = TypeVar("T")


class GroupedObservable(Observable[T], Generic[K, T]):
    """The values of one key."""

    def __init__(self, key: K, underlying_observable: Any) -> None:
        self.key = key
        self._become(lambda scheduler: signal_of(underlying_observable, scheduler))


def group_by(
    key_mapper: Callable[[Any], Any],
    element_mapper: Callable[[Any], Any] | None = None,
    subject_mapper: Any = None,
) -> Operator:
    if subject_mapper is not None:
        return group_by_until(
            key_mapper, element_mapper, lambda _: _librac.never(), subject_mapper)

    def grouped(signal: Signal[Any]) -> GroupedObservable[Any, Any]:
        return GroupedObservable(signal.key, signal)

    return of_signal(lambda s, _: (
        s.group_by(key_mapper, element_mapper) if element_mapper else s.group_by(key_mapper)
    ).map(grouped))


def group_by_until(
    key_mapper: Callable[[Any], Any],
    element_mapper: Callable[[Any], Any] | None,
    duration_mapper: Callable[[Any], Any],
    subject_mapper: Callable[[], Any] | None = None,
) -> Operator:
    """A group lasts until the observable that is made of it sends or completes; a value with its
    key begins a new one then."""
    element = element_mapper or identity

    def begin(signal: Signal[Any], scheduler: Any, opened: Opened) -> Any:
        begun: _librac.Subject[Any] = _librac.Subject()

        def last(group: Any) -> Signal[Any]:
            return ended_by(duration_mapper(group), scheduler, _librac.of(("gone", group.key, 0)))

        def heard(event: Any) -> None:
            what, key, value = event
            if what == "gone":
                opened.close(key)
            elif what == "done":
                opened.complete()
            else:
                if key not in opened.subjects:
                    made = opened.add(key, subject_mapper() if subject_mapper else Subject())
                    group: GroupedObservable[Any, Any] = GroupedObservable(key, made)
                    opened.observer.on_next(group)
                    begun.send(group)
                opened.send(key, value)

        values = signal.map(lambda value: ("value", key_mapper(value), element(value)))
        came = values.concat(_librac.of(("done", None, None)))
        return forms.merge(begun.flat_map(last), came), heard

    return opening(begin)


def partition(predicate: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    def operator(source: Any) -> list[Any]:
        shared = share()(source)
        return [filter(predicate)(shared), filter(lambda value: not predicate(value))(shared)]

    return operator


def partition_indexed(predicate_indexed: Callable[[Any, int], Any]) -> Callable[[Any], list[Any]]:
    def operator(source: Any) -> list[Any]:
        shared = share()(source)
        return [
            filter_indexed(predicate_indexed)(shared),
            filter_indexed(lambda value, index: not predicate_indexed(value, index))(shared),
        ]

    return operator


__all__ = [
    "group_by",
    "group_by_until",
    "partition",
    "partition_indexed",
]
