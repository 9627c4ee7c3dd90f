"""Signals of coroutines, futures and async iterables: tasks behind subscriptions."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import threading
from collections.abc import AsyncIterable, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from . import _librac, loops
from ._librac import Disposable, Observer, Signal

T = TypeVar("T")

_own: asyncio.AbstractEventLoop | None = None
_own_lock = threading.Lock()


def loop_of_subscriber() -> asyncio.AbstractEventLoop:
    """The loop that is running in this thread; where none is, one of the library's."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return _own_loop()
    loops.serve_running(loop)
    return loop


def _own_loop() -> asyncio.AbstractEventLoop:
    """The library's own loop, on a daemon thread, made when it is first needed."""
    global _own
    with _own_lock:
        if _own is None or _own.is_closed():
            _own = asyncio.new_event_loop()
            threading.Thread(target=_run, args=(_own,), name="librac-asyncio", daemon=True).start()
        return _own


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()


def _forget_own_loop() -> None:
    """A forked child has not got the thread."""
    global _own, _own_lock
    _own, _own_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_own_loop)


def in_loop(loop: asyncio.AbstractEventLoop, function: Callable[..., Any], *arguments: Any) -> None:
    """Calls a function in the loop's thread: now, if that is this one. A loop that is
    closed calls nothing any more."""
    if loops.running_or_none() is loop:
        function(*arguments)
    elif not loop.is_closed():
        try:
            loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            if not loop.is_closed():
                raise


class _Shared:
    """One task for all who subscribe to the signal of a coroutine or another awaitable."""

    def __init__(self, source: Awaitable[Any], is_wanted: bool) -> None:
        self.source: Awaitable[Any] | None = source
        self.is_wanted = is_wanted
        self.is_ours = not isinstance(source, asyncio.Future)
        self.future: asyncio.Future[Any] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.listeners = 0
        self.lock = threading.Lock()

    def subscribe(self, observer: Any) -> Disposable:
        with self.lock:
            if self.loop is None:
                if isinstance(self.source, asyncio.Future):
                    self.loop = self.source.get_loop()
                else:
                    self.loop = loop_of_subscriber()
            self.listeners += 1
        listener = _Listener(self, observer)
        in_loop(self.loop, listener.begin)
        return Disposable(listener.end)

    def __del__(self) -> None:
        """As of an async function whose turn had not come when flat_map() ended: without the
        warning of a coroutine that was never awaited."""
        if self.is_wanted and inspect.iscoroutine(self.source):
            self.source.close()

    def start(self) -> asyncio.Future[Any]:
        """In the loop. The task, which begins with the first subscriber."""
        if self.future is None:
            assert self.source is not None
            if isinstance(self.source, asyncio.Future):
                self.future = self.source
            elif inspect.iscoroutine(self.source):
                self.future = asyncio.ensure_future(self.source)
            else:
                self.future = asyncio.ensure_future(_wait_for(self.source))
            self.source = None  # the task has it: the last to go may let it go
        return self.future

    def leave(self) -> None:
        """In the loop. Nobody waits any more: a task of ours is cancelled."""
        with self.lock:
            self.listeners -= 1
            is_last = self.listeners == 0
        if is_last and self.is_ours and self.future is not None:
            self.future.cancel()


async def _wait_for(source: Awaitable[Any]) -> Any:
    return await source


class _Listener:
    """One subscription to a shared task."""

    def __init__(self, shared: _Shared, observer: Any) -> None:
        self.shared, self.observer = shared, observer
        self.is_over = False

    def begin(self) -> None:
        if not self.is_over:
            future = self.shared.start()
            if future.done():
                self.done(future)
            else:
                future.add_done_callback(self.done)

    def done(self, future: asyncio.Future[Any]) -> None:
        if self.is_over:
            return
        if future.cancelled():
            # Of a task that was cancelled, as by the end of asyncio.run(), those are told
            # who ask; asyncio itself says nothing about it, either.
            with contextlib.suppress(asyncio.CancelledError):
                self.observer.send_error(asyncio.CancelledError())
        elif future.exception() is not None:
            self.observer.send_error(future.exception())
        else:
            call(self.observer.send, future.result())
            call(self.observer.send_completed)

    def end(self) -> None:
        """Disposed, or the end has been heard."""
        assert self.shared.loop is not None
        in_loop(self.shared.loop, self.finish)

    def finish(self) -> None:
        if self.is_over:
            return
        self.is_over = True
        if self.shared.future is not None:
            self.shared.future.remove_done_callback(self.done)
        self.shared.leave()


def of_awaitable(source: Awaitable[T], is_wanted: bool = False) -> Signal[T]:
    return _librac._create(_Shared(source, is_wanted).subscribe).named("from_")


def of_async_iterable(source: AsyncIterable[T]) -> Signal[T]:
    """Goes through it in a task for each subscription, which is cancelled with it."""

    def subscribe(observer: Observer[T]) -> Disposable:
        return run(_play(source, observer))

    return _librac._create(subscribe).named("from_")


async def _play(source: AsyncIterable[T], observer: Observer[T]) -> None:
    iterator = aiter(source)
    try:
        async for value in iterator:
            await observer.room()
            call(observer.send, value)
            if not observer.is_active:
                return
    except Exception as error:
        call(observer.send_error, error)
    else:
        call(observer.send_completed)
    finally:
        close = getattr(iterator, "aclose", None)
        if close is not None:
            await close()


def call(send: Callable[..., Any], *value: Any) -> None:
    """What a handler raises ends nothing."""
    try:
        send(*value)
    except Exception as error:
        _librac.keep_exception(error, *value)


def run(work: Coroutine[Any, Any, None]) -> Disposable:
    """Runs a coroutine as a task in the subscriber's loop; disposing cancels it."""
    loop = loop_of_subscriber()
    task: asyncio.Task[None] | None = None
    is_over = False

    def begin() -> None:
        nonlocal task
        if is_over:
            work.close()
        else:
            task = loop.create_task(work)

    def cancel() -> None:
        nonlocal is_over
        is_over = True
        if task is not None and task is not _current_task():
            task.cancel()

    in_loop(loop, begin)
    return Disposable(lambda: in_loop(loop, cancel))


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
