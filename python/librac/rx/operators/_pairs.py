"""Values of two observables that overlap in time."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ... import _librac, cocoa
from ..._librac import Signal
from ..observable import signal_of
from ..subject import Subject
from ._making import Operator, ended_by, forms, of_signal
from ._opening import Opened, opening

_LEFT, _RIGHT = 0, 1
_LAST = object()


def _lives(side: int, source: Signal[Any], mapper: Callable[[Any], Any], scheduler: Any) -> Any:
    """Of each value that it came, and is gone when the observable of the mapper sends or
    completes; that the source is done; and, when no value is left, too, that all is over."""
    numbers = itertools.count()

    def life(value: Any) -> Signal[Any]:
        if value is _LAST:
            return _librac.of((side, "done", 0, None))
        number = next(numbers)
        gone = ended_by(mapper(value), scheduler, _librac.of((side, "gone", number, value)))
        return _librac.of((side, "came", number, value)).concat(gone)

    lives: Signal[Any] = source.concat(_librac.of(_LAST)).flat_map(life)
    return lives.concat(_librac.of((side, "over", 0, None)))


def _both(left: Signal[Any], right: Any, mappers: tuple[Any, Any], scheduler: Any) -> Signal[Any]:
    made: Signal[Any] = forms.merge(
        _lives(_LEFT, left, mappers[_LEFT], scheduler),
        _lives(_RIGHT, signal_of(right, scheduler), mappers[_RIGHT], scheduler))
    return made


def join(
    right: Any,
    left_duration_mapper: Callable[[Any], Any],
    right_duration_mapper: Callable[[Any], Any],
) -> Operator:
    """Pairs of values. One lasts until the observable of its mapper sends or completes."""
    mappers = left_duration_mapper, right_duration_mapper

    def make() -> Any:
        alive: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        done = [False, False]

        def step(kind: str, event: Any, send: Callable[[Any], None]) -> bool:
            if kind != "next":
                return False
            side, what, number, value = event
            if what == "came":
                alive[side][number] = value
                for other in alive[1 - side].values():
                    send((value, other) if side == _LEFT else (other, value))
            elif what == "gone":
                del alive[side][number]
            else:
                done[side] = True
            return what == "over" or all(done)

        return step

    return of_signal(
        lambda left, scheduler: _both(left, right, mappers, scheduler) | cocoa.step(make))


def group_join(
    right: Any,
    left_duration_mapper: Callable[[Any], Any],
    right_duration_mapper: Callable[[Any], Any],
) -> Operator:
    """Each value of the left with an observable of those of the right that it meets."""
    mappers = left_duration_mapper, right_duration_mapper

    def begin(left: Signal[Any], scheduler: Any, opened: Opened) -> Any:
        alive: dict[int, Any] = {}

        def heard(event: Any) -> None:
            side, what, number, value = event
            if side == _LEFT and what == "came":
                window = opened.add(number, Subject())
                opened.observer.on_next((value, window))
                for each in alive.values():
                    opened.send(number, each)
            elif side == _LEFT and what == "gone":
                opened.close(number)
            elif side == _LEFT and what == "done":
                opened.observer.on_completed()
            elif what == "came":
                alive[number] = value
                for each in list(opened.subjects):
                    opened.send(each, value)
            elif what == "gone":
                del alive[number]

        return _both(left, right, mappers, scheduler), heard

    return opening(begin)


__all__ = ["group_join", "join"]
