"""Signals of what Python has already: iterables, awaitables, async iterables."""

from __future__ import annotations

import asyncio
import builtins
import concurrent.futures
import inspect
from collections.abc import AsyncIterable, Awaitable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar, Union, overload

from . import _librac, queues, tasks
from ._librac import Observer, Property, Scheduler, Sequence, Signal

__all__ = ["SignalLike", "from_", "range", "timer"]

T = TypeVar("T")

# The types that are taken wherever a signal is wanted, as from_() takes them.
SignalLike: TypeAlias = Union[
    Signal[T],
    Property[T],
    Awaitable[T],
    AsyncIterable[T],
    Iterable[T],
    concurrent.futures.Future[T],
    asyncio.Queue[T],
]


# Iterable, but one value.
_ONE_VALUE = (str, bytes, bytearray, memoryview, Mapping)


def from_(source: SignalLike[T], scheduler: Scheduler | None = None) -> Signal[T]:
    """The signal of what `source` is: an iterable, an async iterable, a coroutine, a
    future, a property, a queue of asyncio; a signal is itself.

    An iterable is gone through anew for each subscriber, on its thread and at once; an
    iterator goes on where it stands. With a scheduler each value has a job of its own
    there, and none is taken while a place below is full. A coroutine runs once, as a
    task, from the first subscription on; whoever comes later gets its result, and it is
    cancelled when all have gone before it is done. Each subscription to an async iterable
    is a task, which waits before each value while a place below is full: Observer.room().
    So it is with a queue, of which each value goes to one of the subscriptions; it ends
    when the queue has been shut down, which Python 3.13 can.
    Tasks run in the loop that is running where one subscribes, and where there is none in
    a loop of the library's on a thread of its own.

        from_([1, 2, 3])    (123|)
        from_(coroutine)    ----(a|)
    """
    signal: Any = _convert(source) if scheduler is None else _pulled(source, scheduler)
    if signal is NotImplemented:
        raise TypeError("from_(): " + _complaint(source))
    made: Signal[T] = signal
    return made


def _convert(source: Any, is_wanted: bool = False) -> Any:
    """What from_() makes of it, or NotImplemented. The extension asks this wherever a signal is
    wanted and something else comes: nobody has forgotten a coroutine then that never begins."""
    if isinstance(source, Signal):
        return source
    if isinstance(source, Property):
        return source.signal
    if hasattr(source, "__librac_signal__"):  # an observable of librac.rx
        return source.__librac_signal__()
    if isinstance(source, _ONE_VALUE):
        return NotImplemented
    if isinstance(source, concurrent.futures.Future):
        return _of_executor(source)
    if isinstance(source, Awaitable):
        return tasks.of_awaitable(source, is_wanted)
    if isinstance(source, asyncio.Queue):
        return queues.of_queue(source)
    if isinstance(source, AsyncIterable):
        return tasks.of_async_iterable(source)
    if isinstance(source, tuple):
        return _librac.of(*source)
    if isinstance(source, Iterable):
        return _of_iterable(source)
    return NotImplemented


def _complaint(source: Any) -> str:
    kind = type(source).__name__
    if isinstance(source, _ONE_VALUE):
        return f"a {kind} is one value here: of(x) sends it, from_(iter(x)) its parts"
    if inspect.iscoroutinefunction(source) or callable(source):
        return f"{source!r} is a function: defer(f) calls it for each subscriber"
    return f"no signal can be made of {source!r}, a {kind}"


def _of_iterable(source: Iterable[T]) -> Signal[T]:
    def subscribe(observer: Observer[T]) -> None:
        for value in source:
            try:
                observer.send(value)
            except Exception as error:  # of a handler, which ends nothing
                _librac.keep_exception(error, value)
            if not observer.is_active:
                return
        observer.send_completed()

    return _librac._create(subscribe).named("from_")


def _pulled(source: Any, scheduler: Scheduler) -> Any:
    if not isinstance(source, Iterable) or isinstance(source, (Signal, *_ONE_VALUE)):
        raise TypeError(f"from_(): with a scheduler source must be an iterable, not {source!r}")
    iterable: Iterable[Any] = source

    def begin() -> Signal[Any]:
        return Sequence.generate(iter(iterable), _step).to_signal(scheduler)

    return _librac.defer(begin).named("from_")


def _step(iterator: Iterator[T]) -> tuple[T, Iterator[T]] | None:
    for value in iterator:
        return value, iterator
    return None


def _of_executor(future: concurrent.futures.Future[T]) -> Signal[T]:
    """A future of concurrent.futures: heard on the thread that finishes it."""

    def subscribe(observer: Observer[T]) -> None:
        def done(future: concurrent.futures.Future[T]) -> None:
            if not observer.is_active:
                return
            try:
                result = future.result()
            except BaseException as error:
                observer.send_error(error)
            else:
                tasks.call(observer.send, result)
                tasks.call(observer.send_completed)

        future.add_done_callback(done)

    return _librac._create(subscribe).named("from_")


def range(*arguments: int) -> Signal[int]:
    """The integers of Python's range(), to each subscriber at once.

    range(3)    (012|)
    """
    return _of_iterable(builtins.range(*arguments)).named("range")


@overload
def timer(seconds: float, *, scheduler: Scheduler | None = None) -> Signal[int]: ...
@overload
def timer(seconds: float, value: T, *, scheduler: Scheduler | None = None) -> Signal[T]: ...
def timer(seconds: float, value: Any = 0, *, scheduler: Scheduler | None = None) -> Signal[Any]:
    """Sends `value` some time after the subscription, and completes.

    timer(3)    ---(0|)
    """
    try:
        return _librac.of(value).delay(seconds, scheduler=scheduler).named("timer")
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("Signal.delay", "timer")) from None


_librac.set_signal_converter(lambda source: _convert(source, True))
