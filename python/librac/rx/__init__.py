"""librac by reactivex's names: where `import reactivex as rx` stood, write
`from librac import rx`, and `from librac.rx import operators as ops`.

Names, orders of arguments and the place of schedulers are those of reactivex 6.1; operators run
in librac's engine. docs/ComingFromReactivex.md lists what differs.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .. import _librac, sources
from .. import forms as _forms
from .._librac import Signal
from . import abc, disposable, notification, operators, scheduler, subject
from ._errors import (
    ArgumentOutOfRangeException,
    DisposedException,
    SequenceContainsNoElementsError,
)
from ._marbles import cold, from_marbles, hot
from .notification import Notification
from .observable import Observable, Observer, by, observable_of, of_create, scheduled, signal_of
from .operators._groups import GroupedObservable
from .operators._several import joined_latest
from .operators._sharing import ConnectableObservable
from .subject import AsyncSubject, BehaviorSubject, ReplaySubject, Subject

forms: Any = _forms
_range, _zip, _iter = builtins.range, builtins.zip, builtins.iter


class Timestamp(NamedTuple):
    """A value, and when it came."""

    value: Any
    timestamp: Any


class TimeInterval(NamedTuple):
    """A value, and how long after the one before."""

    value: Any
    interval: Any


def pipe(value: Any, *fns: Callable[[Any], Any]) -> Any:
    """What the functions make of a value, one after the other."""
    for function in fns:
        value = function(value)
    return value


def compose(*operators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The operators as one."""
    return lambda source: pipe(source, *operators)


# ---- Values ------------------------------------------------------------------------------


def create(subscribe: Callable[[Any, Any], Any]) -> Observable[Any]:
    return of_create(subscribe)


def _on(make: Callable[[], Signal[Any]], own: Any) -> Observable[Any]:
    """Sent in a job of a scheduler, where one is given."""

    def made(given: Any) -> Signal[Any]:
        at = scheduled(given, own)
        return make() if at is None else make().subscribe_on(at)

    return by(made)


def return_value(value: Any, scheduler: Any = None) -> Observable[Any]:
    return _on(lambda: _librac.of(value), scheduler)


just = return_value


def of(*args: Any) -> Observable[Any]:
    return from_iterable(args)


def empty(scheduler: Any = None) -> Observable[Any]:
    return _on(_librac.empty, scheduler)


def never() -> Observable[Any]:
    return by(_librac.never())


def throw(exception: Any, scheduler: Any = None) -> Observable[Any]:
    error = exception if isinstance(exception, BaseException) else Exception(exception)
    return _on(lambda: _librac.throw(error), scheduler)


def from_iterable(iterable: Iterable[Any], scheduler: Any = None) -> Observable[Any]:
    return _on(lambda: sources._of_iterable(iterable), scheduler)


from_list = from_iterable


def from_(iterable: Any, scheduler: Any = None) -> Observable[Any]:
    if isinstance(iterable, (str, bytes)) or isinstance(iterable, Mapping):
        return from_iterable(iterable, scheduler)
    return observable_of(iterable) if not isinstance(iterable, Iterable) else from_iterable(
        iterable, scheduler)


def range(
    start: int, stop: int | None = None, step: int | None = None, scheduler: Any = None
) -> Observable[Any]:
    if step is not None and stop is not None:
        return from_iterable(_range(start, stop, step), scheduler)
    return from_iterable(_range(start) if stop is None else _range(start, stop), scheduler)


def repeat_value(value: Any, repeat_count: int | None = None) -> Observable[Any]:
    if repeat_count == -1:
        repeat_count = None
    made: Observable[Any] = operators.repeat(repeat_count)(return_value(value))
    return made


def generate(
    initial_state: Any, condition: Callable[[Any], Any], iterate: Callable[[Any], Any]
) -> Observable[Any]:
    def values() -> Any:
        state = initial_state
        while condition(state):
            yield state
            state = iterate(state)

    return defer(lambda _: _values_of(values))


def generate_with_relative_time(
    initial_state: Any,
    condition: Callable[[Any], Any],
    iterate: Callable[[Any], Any],
    time_mapper: Callable[[Any], Any],
) -> Observable[Any]:
    """Each state after the time that the function gives for it."""

    def later(state: Any) -> Observable[Any]:
        if not condition(state):
            return empty()
        made: Observable[Any] = operators.map(lambda _: state)(timer(time_mapper(state)))
        return made

    made: Observable[Any] = operators.expand(lambda state: later(iterate(state)))(
        defer(lambda _: later(initial_state)))
    return made


def _values_of(generator: Callable[[], Iterable[Any]]) -> Observable[Any]:
    """Of a generator, whose exception is the error."""

    def subscribe(observer: Observer, _: Any) -> None:
        try:
            for value in generator():
                observer.on_next(value)
        except Exception as error:
            observer.on_error(error)
        else:
            observer.on_completed()

    return of_create(subscribe)


# ---- Functions, futures, callbacks -------------------------------------------------------


def defer(factory: Callable[[Any], Any]) -> Observable[Any]:
    return by(lambda given: _librac.defer(lambda: signal_of(factory(given), given)))


def if_then(
    condition: Callable[[], bool], then_source: Any, else_source: Any = None
) -> Observable[Any]:
    return defer(
        lambda _: then_source if condition() else empty() if else_source is None else else_source)


def case(mapper: Callable[[], Any], sources: Mapping[Any, Any], default_source: Any = None) -> Any:
    def choose(_: Any) -> Any:
        try:
            return sources[mapper()]
        except KeyError:
            return empty() if default_source is None else default_source

    return defer(choose)


def using(resource_factory: Callable[[], Any], observable_factory: Any) -> Observable[Any]:
    def release(resource: Any) -> None:
        if resource is not None:
            resource.dispose()

    return by(lambda given: _librac.using(
        resource_factory, lambda resource: signal_of(observable_factory(resource), given), release))


def from_callable(supplier: Callable[[], Any], scheduler: Any = None) -> Observable[Any]:
    return _on(lambda: _librac.from_callable(supplier), scheduler)


def from_future(future: Any) -> Observable[Any]:
    return observable_of(sources.from_(future))


def from_callback(
    func: Callable[..., Any], mapper: Callable[[Any], Any] | None = None
) -> Callable[..., Observable[Any]]:
    def function(*arguments: Any) -> Observable[Any]:
        def subscribe(observer: Observer, _: Any) -> None:
            def handler(*results: Any) -> None:
                try:
                    value = mapper(results) if mapper else (
                        results[0] if len(results) == 1 else list(results))
                except Exception as error:
                    return observer.on_error(error)
                observer.on_next(value)
                observer.on_completed()

            func(*arguments, handler)

        return of_create(subscribe)

    return function


def start(func: Callable[[], Any], scheduler: Any = None) -> Observable[Any]:
    return to_async(func, scheduler)()


def to_async(func: Callable[..., Any], scheduler: Any = None) -> Callable[..., Observable[Any]]:
    def function(*arguments: Any) -> Observable[Any]:
        result = AsyncSubject[Any]()

        def run(*_: Any) -> None:
            try:
                value = func(*arguments)
            except Exception as error:
                return result.on_error(error)
            result.on_next(value)
            result.on_completed()

        at = scheduled(None, scheduler) or _librac.Scheduler.background()
        at.schedule(run)
        return result

    return function


def start_async(function_async: Callable[[], Any]) -> Observable[Any]:
    try:
        return from_future(function_async())
    except Exception as error:
        return throw(error)


# ---- Time --------------------------------------------------------------------------------


def interval(period: Any, scheduler: Any = None) -> Observable[Any]:
    return by(lambda given: forms.interval(period, scheduler=scheduled(given, scheduler)))


def timer(duetime: Any, period: Any = None, scheduler: Any = None) -> Observable[Any]:
    import datetime

    from .scheduler import Scheduler

    def make(given: Any) -> Signal[Any]:
        at = scheduled(given, scheduler)
        seconds = Scheduler.to_seconds(duetime)
        if isinstance(duetime, datetime.datetime):
            now = (at or _librac.Scheduler.background()).now()
            seconds = seconds - now
        first = sources.timer(builtins.max(0.0, seconds), scheduler=at)
        if period is None:
            return first
        later = forms.interval(period, scheduler=at).map(lambda number: number + 1)
        return first.concat(later)

    return by(make)


# ---- Several -----------------------------------------------------------------------------


def _all_of(given: tuple[Any, ...]) -> list[Any]:
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        return list(given[0])
    return list(given)


def _joined(combine: Callable[..., Any]) -> Callable[..., Observable[Any]]:
    def function(*args: Any) -> Observable[Any]:
        return by(lambda given: combine(*(signal_of(each, given) for each in _all_of(args))))

    return function


merge = _joined(forms.merge)
concat = _joined(forms.concat)
zip = _joined(_librac.zip)
combine_latest = _joined(forms.combine_latest)
amb = _joined(_librac.race)
fork_join = _joined(lambda *signals: _librac.zip(*(signal.take_last(1) for signal in signals)))


def concat_with_iterable(sources: Iterable[Any]) -> Observable[Any]:
    return by(lambda given: forms.flat_map(
        _values_of(lambda: sources).signal(given), lambda each: signal_of(each, given), 1))


def for_in(values: Iterable[Any], mapper: Callable[[Any], Any]) -> Observable[Any]:
    return concat_with_iterable(mapper(value) for value in values)


def with_latest_from(*sources: Any) -> Observable[Any]:
    made: Observable[Any] = operators.with_latest_from(*sources[1:])(sources[0])
    return made


def zip_latest(*sources: Any) -> Observable[Any]:
    """A tuple when all have sent a new value; of those that sent several, the last."""
    return joined_latest(sources)


def catch(*sources: Any) -> Observable[Any]:
    return catch_with_iterable(sources)


def catch_with_iterable(sources: Iterable[Any]) -> Observable[Any]:
    def attempt(iterator: Any, given: Any, error: Any) -> Signal[Any]:
        try:
            source = next(iterator)
        except StopIteration:
            return _librac.empty() if error is None else _librac.throw(error)
        made: Any = forms.catch(
            signal_of(source, given), lambda failed: attempt(iterator, given, failed))
        return made  # type: ignore[no-any-return]

    return by(lambda given: _librac.defer(
        lambda: attempt(_iter(sources), given, None)))


def on_error_resume_next(*sources: Any) -> Observable[Any]:
    return by(lambda given: forms.concat(*(
        forms.catch(signal_of(each, given), _librac.empty()) for each in sources)))


def run(source: Observable[Any]) -> Any:
    return source.run()


__all__ = [
    "ArgumentOutOfRangeException", "AsyncSubject", "BehaviorSubject", "ConnectableObservable",
    "DisposedException", "GroupedObservable", "Notification", "Observable", "Observer", "ReplaySubject",
    "SequenceContainsNoElementsError", "Subject", "TimeInterval", "Timestamp", "abc", "amb", "case",
    "catch", "catch_with_iterable", "cold", "combine_latest", "compose", "concat", "concat_with_iterable",
    "create", "defer", "disposable", "empty", "for_in", "fork_join", "from_", "from_callable",
    "from_callback", "from_future", "from_iterable", "from_list", "from_marbles", "generate",
    "generate_with_relative_time", "hot", "if_then",
    "interval", "just", "merge", "never", "notification", "of", "on_error_resume_next",
    "operators", "pipe", "range", "repeat_value", "return_value", "run", "scheduler", "start",
    "start_async", "subject", "throw", "timer", "to_async", "using", "with_latest_from", "zip", "zip_latest",
]
