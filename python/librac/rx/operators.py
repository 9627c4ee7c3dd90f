"""reactivex.operators: functions from an observable to another.

Most are an operator of the engine. Those that reactivex alone has are made of it here: of
step(), which has each event and sends what it likes.
"""

from __future__ import annotations

import builtins
import datetime
import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from .. import _librac, cocoa
from .. import forms as _forms
from .._librac import Signal
from . import _errors as errors
from .observable import Observable, Observer, by, observable_of, of_create, scheduled, signal_of

Operator = Callable[[Any], Any]
forms: Any = _forms
_NOTHING: Any = forms.MISSING
_any, _all, _map, _max, _min, _sum, _filter, _zip = (
    builtins.any, builtins.all, builtins.map, builtins.max, builtins.min, builtins.sum,
    builtins.filter, builtins.zip)
_slice = builtins.slice


def _of(change: Callable[[Signal[Any], Any], Any]) -> Operator:
    """An operator: what makes a signal of the source's signal and the scheduler."""

    def operator(source: Any) -> Observable[Any]:
        source = observable_of(source)
        return by(lambda scheduler: change(source.signal(scheduler), scheduler))

    return operator


def _step(make: Callable[[], Callable[[str, Any, Callable[[Any], None]], Any]]) -> Operator:
    return _of(lambda signal, _: signal | cocoa.step(make))


def _at_end(finish: Callable[[list[Any]], Iterable[Any]]) -> Operator:
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

    return _step(make)


def _inner(function: Callable[..., Any], scheduler: Any) -> Callable[..., Any]:
    """A function whose observables are made for the scheduler of the subscription."""
    return lambda *values: signal_of(function(*values), scheduler)


def _identity(value: Any) -> Any:
    return value


def _true(*values: Any) -> bool:
    return True


# ---- One value at a time -----------------------------------------------------------------


def map(mapper: Callable[[Any], Any] | None = None) -> Operator:
    return _of(lambda s, _: s.map(mapper or _identity))


def map_indexed(mapper_indexed: Callable[[Any, int], Any] | None = None) -> Operator:
    if mapper_indexed is None:
        return map()
    mapper = mapper_indexed

    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def begin() -> Signal[Any]:
            numbers = itertools.count()
            return signal.map(lambda value: mapper(value, next(numbers)))

        return _librac.defer(begin)

    return _of(make)


def starmap(mapper: Callable[..., Any] | None = None) -> Operator:
    return _of(lambda s, _: s.map(lambda values: mapper(*values) if mapper else tuple(values)))


starmap_indexed = starmap


def pluck(key: Any) -> Operator:
    return map(lambda value: value[key])


def pluck_attr(prop: str) -> Operator:
    return map(lambda value: getattr(value, prop))


def filter(predicate: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, _: s.filter(predicate))


def filter_indexed(predicate_indexed: Callable[[Any, int], Any] | None = None) -> Operator:
    if predicate_indexed is None:
        return filter(_true)
    predicate = predicate_indexed

    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def begin() -> Signal[Any]:
            numbers = itertools.count()
            return signal.filter(lambda value: predicate(value, next(numbers)))

        return _librac.defer(begin)

    return _of(make)


def distinct_until_changed(
    key_mapper: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Operator:
    key = key_mapper or _identity
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
        return _of(lambda s, _: s.distinct_until_changed())
    return _step(make)


def distinct(
    key_mapper: Callable[[Any], Any] | None = None,
    comparer: Callable[[Any, Any], Any] | None = None,
) -> Operator:
    if comparer is None:
        return _of(lambda s, _: s.distinct(key_mapper))
    key, same = key_mapper or _identity, comparer

    def make() -> Any:
        seen: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind != "next":
                return
            found = key(value)
            if not _any(same(each, found) for each in seen):
                seen.append(found)
                send(value)

        return step

    return _step(make)


def as_observable() -> Operator:
    return _of(lambda s, _: s)


def ignore_elements() -> Operator:
    return _of(lambda s, _: s.ignore_values())


def materialize() -> Operator:
    def make() -> Any:
        def step(kind: str, value: Any, send: Callable[[Any], None]) -> bool:
            from .notification import OnCompleted, OnError, OnNext

            made: Any = OnCompleted() if kind == "completed" else None
            if made is None:
                made = OnNext(value) if kind == "next" else OnError(value)
            send(made)
            return kind == "error"

        return step

    return _step(make)


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

    return _step(make)


# ---- How many ----------------------------------------------------------------------------


def _not_negative(count: int) -> None:
    if count < 0:
        raise errors.ArgumentOutOfRangeException()


def take(count: int) -> Operator:
    _not_negative(count)
    return _of(lambda s, _: s.take(count) if count else _librac.empty())


def skip(count: int) -> Operator:
    _not_negative(count)
    return _of(lambda s, _: s.skip(count))


def take_last(count: int) -> Operator:
    return _of(lambda s, _: s.take_last(count))


def take_last_buffer(count: int) -> Operator:
    return _at_end(lambda seen: [seen[-count:] if count else []])


def skip_last(count: int) -> Operator:
    def make() -> Any:
        waiting: list[Any] = []

        def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
            if kind == "next":
                waiting.append(value)
                if len(waiting) > count:
                    send(waiting.pop(0))

        return step

    return _step(make)


def take_while(predicate: Callable[[Any], Any], inclusive: bool = False) -> Operator:
    return _of(lambda s, _: forms.take_while(s, predicate, inclusive))


def take_while_indexed(predicate: Callable[[Any, int], Any], inclusive: bool = False) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Any:
        def begin() -> Any:
            numbers = itertools.count()
            return forms.take_while(
                signal, lambda value: predicate(value, next(numbers)), inclusive)

        return _librac.defer(begin)

    return _of(make)


def skip_while(predicate: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, _: s.skip_while(predicate))


def skip_while_indexed(predicate: Callable[[Any, int], Any]) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Any:
        def begin() -> Any:
            numbers = itertools.count()
            return signal.skip_while(lambda value: predicate(value, next(numbers)))

        return _librac.defer(begin)

    return _of(make)


def take_until(other: Any) -> Operator:
    """Unlike librac's, the completion of the other one is no sign."""
    return _of(lambda s, scheduler: s.take_until(
        signal_of(other, scheduler).concat(_librac.never())))


def skip_until(other: Any) -> Operator:
    return _of(lambda s, scheduler: s.skip_until(
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
        elif stop is not None and stop < 0:
            made = skip_last(-stop)(made)
        if step is not None and step > 1:
            made = filter_indexed(lambda _, index: index % step == 0)(made)
        elif step is not None and step < 0:
            raise TypeError("Negative step not supported.")
        return observable_of(made)

    return operator


def _one(
    pick: str, predicate: Callable[[Any], Any] | None, default: Any = _NOTHING
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
                if not found and default is _NOTHING:
                    raise errors.SequenceContainsNoElementsError()
                send(found[0] if found else default)
            return False

        return step

    return _step(make)


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


single_or_default_async = single_or_default


def _element(index: int, default: Any = _NOTHING) -> Operator:
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
                if default is _NOTHING:
                    raise errors.ArgumentOutOfRangeException()
                send(default)
            return False

        return step

    return _step(make)


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

        made: Observable[Any] = _step(make)(source)
        return made

    return operator


def find(predicate: Callable[[Any, int, Any], Any]) -> Operator:
    return _find(predicate, lambda value, _: value, None)


def find_index(predicate: Callable[[Any, int, Any], Any]) -> Operator:
    return _find(predicate, lambda _, index: index, -1)


def default_if_empty(default_value: Any = None) -> Operator:
    return _of(lambda s, _: s.default_if_empty(default_value))


def start_with(*values: Any) -> Operator:
    return _of(lambda s, _: s.start_with(*values))


# ---- All values --------------------------------------------------------------------------


def scan(accumulator: Callable[[Any, Any], Any], seed: Any = _NOTHING) -> Operator:
    return _of(lambda s, _: forms.scan(s, accumulator, seed))


def reduce(accumulator: Callable[[Any, Any], Any], seed: Any = _NOTHING) -> Operator:
    def operator(source: Any) -> Any:
        made = scan(accumulator, seed)(source)
        return (last() if seed is _NOTHING else last_or_default(seed))(made)

    return operator


def pairwise() -> Operator:
    return _of(lambda s, _: s.pairwise())


def to_list() -> Operator:
    return _at_end(lambda seen: [list(seen)])


to_iterable = to_list


def to_set() -> Operator:
    return _at_end(lambda seen: [set(seen)])


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

    return _step(make)


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
            lambda value: values.__setitem__(_slice(None), [value]), finish, finish)
        future.add_done_callback(lambda _: subscription.dispose())
        return future

    return make


def count(predicate: Callable[[Any], Any] | None = None) -> Operator:
    return _of(lambda s, _: (s.filter(predicate) if predicate else s).count())


def sum(key_mapper: Callable[[Any], Any] | None = None) -> Operator:
    return _of(lambda s, _: (s.map(key_mapper) if key_mapper else s).sum())


def average(key_mapper: Callable[[Any], Any] | None = None) -> Operator:
    def operator(source: Any) -> Any:
        made = map(key_mapper)(source) if key_mapper else source

        def mean(seen: list[Any]) -> list[Any]:
            if not seen:
                raise errors.SequenceContainsNoElementsError()
            return [_sum(seen) / float(len(seen))]

        return _at_end(mean)(made)

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

    return _step(make)


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
    return lambda source: map(_only)(max_by(_identity, comparer)(source))


def min(comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    return lambda source: map(_only)(min_by(_identity, comparer)(source))


def some(predicate: Callable[[Any], Any] | None = None) -> Operator:
    suits = predicate or _true
    return _find(lambda value, *_: suits(value), lambda *_: True, False)


def all(predicate: Callable[[Any], Any]) -> Operator:
    return _find(lambda value, *_: not predicate(value), lambda *_: False, True)


def is_empty() -> Operator:
    return _find(_true, lambda *_: False, True)


def contains(value: Any, comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    same = comparer or (lambda one, other: one == other)
    return some(lambda each: same(each, value))


def sequence_equal(second: Any, comparer: Callable[[Any, Any], Any] | None = None) -> Operator:
    same = comparer or (lambda one, other: one == other)

    def operator(source: Any) -> Observable[Any]:
        def subscribe(observer: Observer, scheduler: Any) -> Any:
            from .disposable import CompositeDisposable

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


# ---- Observables of observables ----------------------------------------------------------


def _lists(windows: Any) -> Any:
    return flat_map(lambda window: to_list()(window))(windows)


def flat_map(mapper: Any = None) -> Operator:
    function = mapper if callable(mapper) else _identity if mapper is None else lambda _: mapper
    return _of(lambda s, scheduler: s.flat_map(_inner(function, scheduler)))


def flat_map_indexed(mapper_indexed: Any = None) -> Operator:
    if not callable(mapper_indexed):
        return flat_map(mapper_indexed)
    return lambda source: flat_map()(map_indexed(mapper_indexed)(source))


def flat_map_latest(mapper: Any = None) -> Operator:
    return _of(lambda s, scheduler: s.switch_map(_inner(mapper or _identity, scheduler)))


switch_map = flat_map_latest


def switch_map_indexed(project: Callable[[Any, int], Any] | None = None) -> Operator:
    return lambda source: switch_map()(map_indexed(project)(source))


def concat_map(project: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, scheduler: s.concat_map(_inner(project, scheduler)))


def switch_latest() -> Operator:
    return switch_map()


def exclusive() -> Operator:
    return _of(lambda s, scheduler: s.exhaust_map(_inner(_identity, scheduler)))


def expand(mapper: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, scheduler: s.expand(_inner(mapper, scheduler)))


def merge(*sources: Any, max_concurrent: int | None = None) -> Operator:
    if max_concurrent is not None:
        return _of(lambda s, scheduler: forms.flat_map(
            s, _inner(_identity, scheduler), max_concurrent))
    return _of(lambda s, scheduler: s.merge(*(signal_of(each, scheduler) for each in sources)))


def merge_all() -> Operator:
    return flat_map()


def concat(*sources: Any) -> Operator:
    return _of(lambda s, scheduler: s.concat(*(signal_of(each, scheduler) for each in sources)))


def zip(*args: Any) -> Operator:
    return _of(lambda s, scheduler: s.zip(*(signal_of(each, scheduler) for each in args)))


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

    return _step(make)


zip_with_list = zip_with_iterable


def combine_latest(*others: Any) -> Operator:
    return _of(lambda s, scheduler: s.combine_latest(
        *(signal_of(each, scheduler) for each in others)))


def with_latest_from(*sources: Any) -> Operator:
    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        if not sources:
            return signal.map(lambda value: (value,))
        latest: Signal[Any] = forms.combine_latest(
            *(signal_of(each, scheduler) for each in sources))
        return signal.with_latest_from(latest).map(lambda both: (both[0], *both[1]))

    return _of(make)


def fork_join(*others: Any) -> Operator:
    def operator(source: Any) -> Any:
        from . import fork_join as joined

        return joined(source, *others)

    return operator


def amb(right_source: Any) -> Operator:
    return _of(lambda s, scheduler: s.race(signal_of(right_source, scheduler)))


def group_by(
    key_mapper: Callable[[Any], Any],
    element_mapper: Callable[[Any], Any] | None = None,
    subject_mapper: Any = None,
) -> Operator:
    if subject_mapper is not None:
        raise NotImplementedError("group_by(): subject_mapper has no counterpart in librac")

    def grouped(signal: Signal[Any]) -> Observable[Any]:
        made: Any = by(signal)
        made.key = signal.key
        return made  # type: ignore[no-any-return]

    return _of(lambda s, _: (
        s.group_by(key_mapper, element_mapper) if element_mapper else s.group_by(key_mapper)
    ).map(grouped))


def partition(predicate: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    def operator(source: Any) -> list[Any]:
        shared = share()(source)
        return [filter(predicate)(shared), filter(lambda value: not predicate(value))(shared)]

    return operator


def partition_indexed(predicate: Callable[[Any, int], Any]) -> Callable[[Any], list[Any]]:
    def operator(source: Any) -> list[Any]:
        shared = share()(source)
        return [
            filter_indexed(predicate)(shared),
            filter_indexed(lambda value, index: not predicate(value, index))(shared),
        ]

    return operator


# ---- Windows and buffers -----------------------------------------------------------------


def _windows(signal: Signal[Any]) -> Signal[Any]:
    return signal.map(by)


def buffer_with_count(count: int, skip: int | None = None) -> Operator:
    return _of(lambda s, _: forms.buffer(s, count, skip=skip).map(list))


def window_with_count(count: int, skip: int | None = None) -> Operator:
    return _of(lambda s, _: _windows(forms.window(s, count=count, skip=skip)))


def buffer(boundaries: Any) -> Operator:
    return lambda source: _lists(window(boundaries)(source))


def window(boundaries: Any) -> Operator:
    return _of(lambda s, scheduler: _windows(forms.window(s, signal_of(boundaries, scheduler))))


def window_toggle(openings: Any, closing_mapper: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, scheduler: _windows(forms.window(
        s, signal_of(openings, scheduler), _inner(closing_mapper, scheduler))))


def buffer_toggle(openings: Any, closing_mapper: Callable[[Any], Any]) -> Operator:
    return lambda source: _lists(window_toggle(openings, closing_mapper)(source))


# ---- Errors and repetition ---------------------------------------------------------------


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
    return _of(lambda s, scheduler: forms.catch(s, _librac.empty()).concat(
        signal_of(second, scheduler)))


def retry(retry_count: int | None = None) -> Operator:
    """So many attempts in all."""
    if retry_count is None:
        return _of(lambda s, _: s.retry())
    attempts = retry_count
    return _of(lambda s, _: s.retry(attempts - 1) if attempts > 1 else s)


def repeat(repeat_count: int | None = None) -> Operator:
    if repeat_count is None:
        return _of(lambda s, _: s.repeat())
    return _of(lambda s, _: forms.concat(*[s] * repeat_count) if repeat_count else _librac.empty())


def while_do(condition: Callable[[Any], Any]) -> Operator:
    def make(signal: Signal[Any], _: Any) -> Signal[Any]:
        def again(completed: Any, number: int) -> Any:
            return _librac.of(0) if condition(None) else None

        return _librac.defer(
            lambda: signal.repeat_when(again) if condition(None) else _librac.empty())

    return _of(make)


def do_while(condition: Callable[[Any], Any]) -> Operator:
    return _of(lambda s, _: s.repeat_when(
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

    return _of(make)


def do(observer: Any) -> Operator:
    return do_action(observer.on_next, observer.on_error, observer.on_completed)


tap = do_action


def finally_action(action: Callable[[], Any]) -> Operator:
    return _of(lambda s, _: s.do_finally(action))


# ---- Time --------------------------------------------------------------------------------


def _until(duetime: Any, at: Any) -> Any:
    """Seconds, also of a date."""
    if not isinstance(duetime, datetime.datetime):
        return duetime
    return builtins.max(0.0, _seconds(duetime) - (at or _librac.Scheduler.background()).now())


def _timer(duetime: Any, own: Any, scheduler: Any) -> Signal[Any]:
    from . import timer

    return timer(duetime, scheduler=own).signal(scheduler)


def delay(duetime: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler)
        return signal.delay(_until(duetime, at), scheduler=at)

    return _of(make)


def delay_subscription(duetime: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(given, scheduler)
        return forms.delay_subscription(signal, _until(duetime, at), scheduler=at)

    return _of(make)


def delay_with_mapper(
    subscription_delay: Any = None, delay_duration_mapper: Callable[[Any], Any] | None = None
) -> Operator:
    mapper = delay_duration_mapper
    if isinstance(subscription_delay, Observable):
        until: Any = subscription_delay
    else:
        until, mapper = None, mapper or subscription_delay
    made: Any = mapper

    def make(signal: Signal[Any], scheduler: Any) -> Any:
        signal = signal.delay_when(_inner(made, scheduler))
        if until is None:
            return signal
        return forms.delay_subscription(signal, signal_of(until, scheduler))

    return _of(make)


def debounce(duetime: Any, scheduler: Any = None) -> Operator:
    return _of(lambda s, given: s.debounce(duetime, scheduler=scheduled(given, scheduler)))


throttle_with_timeout = debounce


def throttle_with_mapper(throttle_duration_mapper: Callable[[Any], Any]) -> Operator:
    """A value is sent when the observable that it makes has sent, and no other came."""

    def one(value: Any, scheduler: Any) -> Signal[Any]:
        duration = signal_of(throttle_duration_mapper(value), scheduler)
        return duration.take(1).ignore_values().concat(_librac.of(value))

    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        return signal.switch_map(lambda value: one(value, scheduler))

    return _of(make)


def window_when(closing_mapper: Callable[[], Any]) -> Operator:
    """Each window lasts until the observable that the function makes sends or completes."""

    def make(signal: Signal[Any], scheduler: Any) -> Signal[Any]:
        closing = _librac.defer(lambda: signal_of(closing_mapper(), scheduler).take(1))
        boundary: Signal[Any] = closing.ignore_values().concat(_librac.of(0)).repeat()
        return _windows(forms.window(signal, boundary))

    return _of(make)


def buffer_when(closing_mapper: Callable[[], Any]) -> Operator:
    return lambda source: _lists(window_when(closing_mapper)(source))


def throttle_first(window_duration: Any, scheduler: Any = None) -> Operator:
    return _of(lambda s, given: s.throttle(
        window_duration, scheduler=scheduled(given, scheduler)))


def sample(sampler: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        from . import interval

        if not isinstance(sampler, Observable):
            return signal.sample(interval(sampler, scheduler=scheduler).signal(given))
        return signal.sample(sampler.signal(given))

    return _of(make)


def timeout(duetime: Any, other: Any = None, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(given, scheduler)
        instead = _librac.throw(Exception("Timeout")) if other is None else signal_of(other, given)
        return forms.timeout(signal, _until(duetime, at), instead, scheduler=at)

    return _of(make)


def timestamp(scheduler: Any = None) -> Operator:
    from . import Timestamp
    from .scheduler import Scheduler

    return _of(lambda s, given: s.timestamp(scheduler=scheduled(given, scheduler)).map(
        lambda both: Timestamp(both[1], Scheduler.to_datetime(both[0]))))


def time_interval(scheduler: Any = None) -> Operator:
    from . import TimeInterval
    from .scheduler import Scheduler

    return _of(lambda s, given: s.time_interval(scheduler=scheduled(given, scheduler)).map(
        lambda both: TimeInterval(both[1], Scheduler.to_timedelta(both[0]))))


def take_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return _of(lambda s, given: s.take_until(_timer(duration, scheduler, given)))


def skip_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return _of(lambda s, given: s.skip_until(_timer(duration, scheduler, given)))


take_until_with_time = take_with_time
skip_until_with_time = skip_with_time


def _with_ages(
    scheduler: Any, choose: Callable[[list[Any], float], Iterable[Any]]
) -> Operator:
    """At the end, of values with their times."""

    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler) or _librac.Scheduler.background()
        stamped = by(signal.timestamp(scheduler=at))
        made: Observable[Any] = _at_end(lambda seen: choose(seen, at.now()))(stamped)
        return made.signal()

    return _of(make)


def _seconds(duration: Any) -> float:
    from .scheduler import Scheduler

    return Scheduler.to_seconds(duration)


def take_last_with_time(duration: Any, scheduler: Any = None) -> Operator:
    return _with_ages(scheduler, lambda seen, now: [
        value for time, value in seen if now - time <= _seconds(duration)])


def skip_last_with_time(duration: Any, scheduler: Any = None) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler) or _librac.Scheduler.background()

        def begin() -> Any:
            waiting: list[Any] = []

            def step(kind: str, value: Any, send: Callable[[Any], None]) -> None:
                now = at.now()
                if kind == "next":
                    waiting.append((now, value))
                if kind != "error":
                    while waiting and now - waiting[0][0] >= _seconds(duration):
                        send(waiting.pop(0)[1])

            return step

        return signal | cocoa.step(begin)

    return _of(make)


def buffer_with_time(
    timespan: Any, timeshift: Any = None, scheduler: Any = None
) -> Operator:
    return lambda source: _lists(
        window_with_time(timespan, timeshift, scheduler)(source))


def window_with_time(timespan: Any, timeshift: Any = None, scheduler: Any = None) -> Operator:
    if timeshift is not None and _seconds(timeshift) != _seconds(timespan):
        raise NotImplementedError("windows of time do not overlap in librac")
    return _of(lambda s, given: _windows(forms.window(
        s, seconds=timespan, scheduler=scheduled(given, scheduler))))


def buffer_with_time_or_count(timespan: Any, count: int, scheduler: Any = None) -> Operator:
    return _of(lambda s, given: forms.buffer(
        s, count, timespan, scheduler=scheduled(given, scheduler)).map(list))


def observe_on(scheduler: Any) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(None, scheduler)
        return signal if at is None else forms.deliver_on(signal, at)

    return _of(make)


def subscribe_on(scheduler: Any) -> Operator:
    def make(signal: Signal[Any], given: Any) -> Any:
        at = scheduled(None, scheduler)
        return signal if at is None else signal.subscribe_on(at)

    return _of(make)


# ---- Sharing -----------------------------------------------------------------------------


class ConnectableObservable(Observable[Any]):
    """Hears its source from connect() on."""

    def __init__(self, source: Any, subject: Any) -> None:
        self._source, self.subject = source, subject
        self._connection: Any = None
        self._become(lambda scheduler: subject.signal(scheduler))

    def connect(self, scheduler: Any = None) -> Any:
        from .disposable import Disposable

        if self._connection is None:
            subscription = self._source.subscribe(self.subject, scheduler=scheduler)

            def disconnect() -> None:
                self._connection = None
                subscription.dispose()

            self._connection = Disposable(disconnect)
        return self._connection

    def auto_connect(self, subscriber_count: int = 1) -> Observable[Any]:
        heard = [0]

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            subscription = self.subscribe(observer, scheduler=scheduler)
            heard[0] += 1
            if heard[0] == subscriber_count:
                self.connect(scheduler)
            return subscription

        if subscriber_count == 0:
            self.connect()
        return of_create(subscribe)


def multicast(
    subject: Any = None, *, subject_factory: Any = None, mapper: Any = None
) -> Operator:
    def operator(source: Any) -> Any:
        if subject_factory is None:
            return ConnectableObservable(source, subject)

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            from .disposable import CompositeDisposable

            connectable = ConnectableObservable(source, subject_factory(scheduler))
            heard = mapper(connectable).subscribe(observer, scheduler=scheduler)
            return CompositeDisposable(heard, connectable.connect(scheduler))

        return of_create(subscribe)

    return operator


def publish(mapper: Callable[[Any], Any] | None = None) -> Operator:
    from .subject import Subject

    if mapper is not None:
        return multicast(subject_factory=lambda _: Subject(), mapper=mapper)
    return lambda source: ConnectableObservable(source, Subject())


def publish_value(initial_value: Any, mapper: Callable[[Any], Any] | None = None) -> Operator:
    from .subject import BehaviorSubject

    if mapper is not None:
        return multicast(
            subject_factory=lambda _: BehaviorSubject(initial_value), mapper=mapper)
    return lambda source: ConnectableObservable(source, BehaviorSubject(initial_value))


def replay(
    buffer_size: int | None = None,
    window: Any = None,
    *,
    mapper: Callable[[Any], Any] | None = None,
    scheduler: Any = None,
) -> Operator:
    from .subject import ReplaySubject

    if mapper is not None:
        return multicast(
            subject_factory=lambda _: ReplaySubject(buffer_size, window), mapper=mapper)
    return lambda source: ConnectableObservable(source, ReplaySubject(buffer_size, window))


def ref_count() -> Operator:
    def operator(source: Any) -> Observable[Any]:
        state: dict[str, Any] = {"count": 0, "connection": None}

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            state["count"] += 1
            heard = source.subscribe(observer, scheduler=scheduler)
            if state["count"] == 1:
                state["connection"] = source.connect(scheduler)

            def leave() -> None:
                heard.dispose()
                state["count"] -= 1
                if state["count"] == 0:
                    connection, state["connection"] = state["connection"], None
                    if connection is not None:
                        connection.dispose()

            return leave

        return of_create(subscribe)

    return operator


def share() -> Operator:
    return _of(lambda s, _: s.share())


__all__ = sorted(
    name for name, found in globals().items()
    if not name.startswith("_") and callable(found)
    and getattr(found, "__module__", None) == __name__)
