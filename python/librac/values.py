"""`async for value in signal`, with a bound for what waits."""

from __future__ import annotations

import asyncio
import atexit
import threading
import weakref
from collections import deque
from types import TracebackType
from typing import Any, Generic, TypeVar

from . import _librac, loops
from ._librac import Signal

T = TypeVar("T")

_POLICIES = ("drop_oldest", "drop_newest", "latest", "error", "wait")


# Senders that wait for room are let go before the interpreter ends.
_with_senders: weakref.WeakSet[_Buffer] = weakref.WeakSet()


@atexit.register
def _let_senders_go() -> None:
    for buffer in list(_with_senders):
        buffer.close()


class _Buffer:
    """What waits for the reader. Callbacks of any thread put in, the loop takes out."""

    def __init__(self, capacity: int | None, overflow: str) -> None:
        self.capacity, self.overflow = capacity, overflow
        self.waiting: deque[Any] = deque()
        self.dropped = 0
        self.is_over = False
        self.error: BaseException | None = None
        self.lock = threading.Lock()
        self.room = threading.Condition(self.lock)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = 0
        self.reader: asyncio.Future[None] | None = None

    # ---- Callbacks of the subscription -------------------------------------------------

    def next(self, value: Any) -> None:
        with self.lock:
            if self.is_over:
                return
            if self.overflow == "latest":
                self.dropped += len(self.waiting)
                self.waiting.clear()
            elif self.capacity is not None and len(self.waiting) >= self.capacity:
                if not self.make_room():
                    return
            self.waiting.append(value)
            reader = self.reader
        if reader is not None:
            self.wake()

    def make_room(self) -> bool:
        """Locked. Whether the value that comes has a place."""
        if self.overflow == "wait":
            if threading.get_ident() == self.thread:
                raise _librac.Deadlock(
                    "values(overflow='wait'): there is no room, and the sender runs in the "
                    "loop that would make some"
                )
            assert self.capacity is not None
            while len(self.waiting) >= self.capacity and not self.is_over:
                self.room.wait()
            return not self.is_over
        self.dropped += 1
        if self.overflow == "drop_oldest":
            self.waiting.popleft()
            return True
        if self.overflow == "error":
            self.is_over = True
            self.error = _librac.Overflow(
                f"values(): more than {self.capacity} values wait for the reader"
            )
            self.wake()
        return False

    def failed(self, error: BaseException) -> None:
        with self.lock:
            if self.is_over:
                return
            self.error = error
        self.completed()

    def completed(self) -> None:
        with self.lock:
            self.is_over = True
            self.room.notify_all()
        self.wake()

    # ---- The loop ----------------------------------------------------------------------

    def wake(self) -> None:
        """Has the reader look again, from any thread."""
        loop = self.loop
        if loop is None or loop.is_closed():
            return
        if threading.get_ident() == self.thread:
            self.tell_reader()
        else:
            try:
                loop.call_soon_threadsafe(self.tell_reader)
            except RuntimeError:
                if not loop.is_closed():
                    raise

    def tell_reader(self) -> None:
        reader = self.reader
        if reader is not None and not reader.done():
            reader.set_result(None)

    def take(self) -> Any:
        """The next value; IndexError when none is there."""
        if self.overflow != "wait":
            return self.waiting.popleft()
        with self.lock:
            value = self.waiting.popleft()
            self.room.notify()
        return value

    def close(self) -> None:
        with self.lock:
            self.is_over = True
            self.waiting.clear()
            self.room.notify_all()
        self.wake()


class Values(Generic[T]):
    """The values of a signal for `async for`, made by signal.values().

    It subscribes when the loop begins, or with `async with`; leaving the loop, an
    error, and cancelling the task dispose the subscription.
    """

    _subscription: Any = None  # also when the arguments were refused

    def __init__(self, signal: Signal[T], buffer: int | None, overflow: str) -> None:
        self._signal: Signal[T] | None = signal
        self._buffer = _Buffer(buffer, overflow)

    @property
    def dropped(self) -> int:
        """How many values were dropped because there was no room."""
        return self._buffer.dropped

    def _begin(self) -> None:
        if self._signal is None:
            return
        loop = asyncio.get_running_loop()
        loops.serve_running(loop)
        buffer = self._buffer
        buffer.loop, buffer.thread = loop, threading.get_ident()
        if buffer.overflow == "wait":
            _with_senders.add(buffer)
        signal, self._signal = self._signal, None
        self._subscription = signal.subscribe(buffer.next, buffer.failed, buffer.completed)

    def __aiter__(self) -> Values[T]:
        self._begin()
        return self

    async def __anext__(self) -> T:
        self._begin()
        buffer = self._buffer
        while True:
            try:
                value: T = buffer.take()
                return value
            except IndexError:
                pass
            if buffer.is_over:
                self._dispose()
                if buffer.error is not None:
                    error, buffer.error = buffer.error, None
                    raise error
                raise StopAsyncIteration
            if buffer.reader is not None:
                raise RuntimeError("values(): two tasks read the same values at once")
            assert buffer.loop is not None
            buffer.reader = buffer.loop.create_future()
            # A value that came from another thread just before has seen no reader.
            if buffer.waiting or buffer.is_over:
                buffer.reader = None
                continue
            try:
                await buffer.reader
            except asyncio.CancelledError:
                self._dispose()
                raise
            finally:
                buffer.reader = None

    async def aclose(self) -> None:
        """Disposes the subscription; what waits is dropped."""
        self._dispose()

    async def __aenter__(self) -> Values[T]:
        self._begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._dispose()

    def _dispose(self) -> None:
        self._signal = None
        self._buffer.close()
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.dispose()

    def __del__(self) -> None:
        if self._subscription is not None:
            self._dispose()


def values(self: Signal[T], buffer: int | None = None, overflow: str = "drop_oldest") -> Values[T]:
    """What `async for` goes through. At most `buffer` values wait for the reader, or as
    many as memory holds; `overflow` says what happens to the next one: "drop_oldest",
    "drop_newest", "latest" (only the latest waits), "error" (Overflow is raised once
    what waits has been read), "wait" (the sender waits; Deadlock is raised in one that
    runs in the loop itself)."""
    if overflow not in _POLICIES:
        raise ValueError(f"values(): overflow is one of {', '.join(_POLICIES)}, not {overflow!r}")
    if buffer is not None and (not isinstance(buffer, int) or buffer < 1):
        raise ValueError(f"values(): buffer is 1 or more, or None, not {buffer!r}")
    return Values(self, buffer, overflow)


def iterate(self: Signal[T]) -> Values[T]:
    """All values, however many wait for the reader: see values()."""
    return Values(self, None, "drop_oldest").__aiter__()
