"""`await signal` and signal.wait(): the last value, in asyncio and without it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any, TypeVar

from . import _librac, loops, tasks
from ._librac import Empty, Signal
from .forms import MISSING

T = TypeVar("T")

_NOTHING = object()


class _LastValue:
    """What a subscription leaves in a future of the loop that waits."""

    __slots__ = ("future", "loop", "value")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.value: Any = _NOTHING

    def next(self, value: Any) -> None:
        self.value = value

    def error(self, error: BaseException) -> None:
        tasks.in_loop(self.loop, self.fail, error)

    def completed(self) -> None:
        if self.value is _NOTHING:
            self.error(Empty("the signal completed without a value"))
        else:
            tasks.in_loop(self.loop, self.succeed)

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            if isinstance(error, StopIteration):  # no future takes it
                reason = error
                error = RuntimeError("a signal failed with StopIteration")
                error.__cause__ = reason
            self.future.set_exception(error)

    def succeed(self) -> None:
        if not self.future.done():
            self.future.set_result(self.value)


def last_value(self: Signal[T]) -> Generator[Any, Any, T]:
    """The last value, when the signal completes. An error is raised, the same object as
    where it came from; without a value it is Empty. Cancelling the task disposes the
    subscription."""
    loop = loops.running()
    loops.serve_running(loop)
    last = _LastValue(loop)
    subscription = self.subscribe(last.next, last.error, last.completed)
    try:
        value: T = yield from last.future
        return value
    finally:
        subscription.dispose()
        # The traceback of an error has this frame, and a signal may keep the error.
        del self, last, subscription


def wait(self: Signal[T], timeout: Any = None, default: Any = MISSING) -> T:
    """Blocks until the signal completes, and gives its last value; first().wait() does
    not wait for more than the first, collect().wait() gives all. An error is raised, and
    TimedOut, a TimeoutError, when the time has passed.

    On the main thread the main scheduler goes on meanwhile; Ctrl-C works everywhere. In
    a coroutine it is `await signal` instead.

    timeout: how many seconds at most; None: for ever.
    default: what a signal without a value gives; left out, Empty is raised.
    """
    source = self if default is MISSING else self.default_if_empty(default)
    try:
        value: T = _librac.wait_for(source, timeout)
        return value
    finally:
        del self, source  # see last_value()


def first(self: Signal[T]) -> Signal[T]:
    """The first value, and then the end: what is awaited or waited for, mostly.

        source   --1--2--3--|
        first    --(1|)
    """
    return self.take(1)
