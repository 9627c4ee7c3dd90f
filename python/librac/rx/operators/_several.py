"""Several observables as one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from ... import _librac
from ..._librac import Signal
from ..observable import Observable, Observer, observable_of, of_create, signal_of
from ._making import Operator, forms, identity, inner, of_signal, of_step


def merge(*sources: Any, max_concurrent: int | None = None) -> Operator:
    if max_concurrent is not None:
        return of_signal(lambda s, scheduler: forms.flat_map(
            s, inner(identity, scheduler), max_concurrent))
    return of_signal(lambda s, scheduler: s.merge(*(signal_of(each, scheduler) for each in sources)))


def concat(*sources: Any) -> Operator:
    return of_signal(lambda s, scheduler: s.concat(*(signal_of(each, scheduler) for each in sources)))


def zip(*args: Any) -> Operator:
    return of_signal(lambda s, scheduler: s.zip(*(signal_of(each, scheduler) for each in args)))


def zip_with_iterable(second: Iterable[Any]) -> Operator:
    def make() -> Any:
        iterator = iter(second)

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            if kind != "next":
                return False
            try:
                other = next(iterator)
            except StopIteration:
                return True
            send((value, other))
            return False

        return step

    return of_step(make)


zip_with_list = zip_with_iterable


def combine_latest(*others: Any) -> Operator:
    return of_signal(lambda s, scheduler: s.combine_latest(
        *(signal_of(each, scheduler) for each in others)))


def with_latest_from(*sources: Any) -> Operator:
    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        if not sources:
            return signal.map(lambda value: (value,))
        latest: Signal[Any] = forms.combine_latest(
            *(signal_of(each, scheduler) for each in sources))
        return signal.with_latest_from(latest).map(lambda both: (both[0], *both[1]))

    return of_signal(make)


def fork_join(*others: Any) -> Operator:
    def operator(source: Any) -> Any:
        from .. import fork_join as joined

        return joined(source, *others)

    return operator


def joined_latest(sources: tuple[Any, ...]) -> Observable[Any]:
    """zip_latest() of them."""
    if not sources:
        raise ValueError("zip_latest() of nothing")

    def subscribe(observer: Observer, scheduler: Any) -> Any:
        latest: dict[int, Any] = {}
        has_ended = set[int]()

        def heard(event: tuple[int, bool, Any]) -> None:
            index, is_end, value = event
            if is_end:
                has_ended.add(index)
            else:
                latest[index] = value
            if len(latest) == len(sources):
                together = tuple(latest[each] for each in range(len(sources)))
                latest.clear()
                observer.on_next(together)
            if any(each not in latest for each in has_ended):
                observer.on_completed()

        def events(index: int, source: Any) -> Any:
            values = signal_of(source, scheduler).map(lambda value: (index, False, value))
            return values.concat(_librac.of((index, True, None)))

        merged = forms.merge(*(events(*each) for each in enumerate(sources)))
        return merged.subscribe(heard, observer.on_error)

    return of_create(subscribe)


def zip_latest(*others: Any) -> Operator:
    return lambda source: joined_latest((source, *others))


def amb(right_source: Any) -> Operator:
    return of_signal(lambda s, scheduler: s.race(signal_of(right_source, scheduler)))


def sequence_equal(second: Any, comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    same = comparer or (lambda one, other: one == other)

    def operator(source: Any) -> Observable[Any]:
        def subscribe(observer: Observer, scheduler: Any) -> Any:
            from ..disposable import CompositeDisposable

            waiting: tuple[list[Any], list[Any]] = ([], [])
            done = [False, False]

            def decide(answer: bool) -> None:
                observer.on_next(answer)
                observer.on_completed()

            def heard(side: int, value: Any) -> None:
                other = waiting[1 - side]
                if other:
                    try:
                        equal = same(other.pop(0), value)
                    except Exception as error:
                        return observer.on_error(error)
                    if not equal:
                        decide(False)
                elif done[1 - side]:
                    decide(False)
                else:
                    waiting[side].append(value)

            def completed(side: int) -> None:
                done[side] = True
                if waiting[1 - side] and not waiting[side]:
                    decide(False)
                elif done[1 - side] and not waiting[side]:
                    decide(not waiting[1 - side])

            made = CompositeDisposable()
            for side, each in enumerate((source, observable_of(second))):
                made.add(each.subscribe(
                    functools.partial(heard, side), observer.on_error,
                    functools.partial(completed, side), scheduler=scheduler))
            return made

        return of_create(subscribe)

    return operator


__all__ = [
    "amb",
    "combine_latest",
    "concat",
    "fork_join",
    "merge",
    "sequence_equal",
    "with_latest_from",
    "zip",
    "zip_latest",
    "zip_with_iterable",
    "zip_with_list",
]
