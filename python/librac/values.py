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
        # The reader that sleeps. One value takes it and wakes it; those that follow until it
        # sleeps again wait in the deque, without a word to the loop.
        self.reader: asyncio.Future[None] | None = None
        self.is_read = False

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
        if self.reader is not None:
            self.wake()

    def next_of_any_number(self, value: Any) -> None:
        """next() where nothing is dropped: a deque needs no lock."""
        self.waiting.append(value)
        if self.reader is not None:
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
        """Has the reader look again, from any thread. Two threads that take the same reader
        both tell it, which does no harm."""
        reader, self.reader = self.reader, None
        loop = self.loop
        if reader is None or loop is None or loop.is_closed():
            return
        if threading.get_ident() == self.thread:
            tell(reader)
        else:
            try:
                loop.call_soon_threadsafe(tell, reader)
            except RuntimeError:
                if not loop.is_closed():
                    raise

    def take(self) -> Any:
        """The next value, which makes room for a sender; IndexError when none is there."""
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


def tell(reader: asyncio.Future[None]) -> None:
    if not reader.done():
        reader.set_result(None)


class Values(Generic[T]):
    """The values of a signal for `async for`, made by signal.values().

    It subscribes when the loop begins, or with `async with`; leaving the loop, an
    error, and cancelling the task dispose the subscription.
    """

    _subscription: Any = None  # also when the arguments were refused

    def __init__(self, signal: Signal[T], buffer: int | None, overflow: str) -> None:
        self._signal: Signal[T] | None = signal
        self._buffer = _Buffer(buffer, overflow)
        waits = overflow == "wait"
        self._take = self._buffer.take if waits else self._buffer.waiting.popleft

    @property
    def dropped(self) -> int:
        """How many values were dropped because there was no room."""
        return self._buffer.dropped

    def _begin(self) -> None:
        if self._signal is None:
            return
        loop = loops.running()
        loops.serve_running(loop)
        buffer = self._buffer
        buffer.loop, buffer.thread = loop, threading.get_ident()
        if buffer.overflow == "wait":
            _with_senders.add(buffer)
        signal, self._signal = self._signal, None
        any_number = buffer.capacity is None and buffer.overflow != "latest"
        self._subscription = signal.subscribe(
            buffer.next_of_any_number if any_number else buffer.next,
            buffer.failed,
            buffer.completed,
        )

    def __aiter__(self) -> Values[T]:
        self._begin()
        return self

    async def __anext__(self) -> T:
        if self._signal is not None:
            self._begin()
        while True:
            try:
                value: T = self._take()
                return value
            except IndexError:
                pass
            await self._sleep()

    async def _sleep(self) -> None:
        """Until there is a value, or an end, which is raised."""
        buffer = self._buffer
        if buffer.is_over and not buffer.waiting:
            self._dispose()
            if buffer.error is not None:
                error, buffer.error = buffer.error, None
                raise error
            raise StopAsyncIteration
        if buffer.is_read:
            raise RuntimeError("values(): two tasks read the same values at once")
        assert buffer.loop is not None
        buffer.is_read = True
        try:
            buffer.reader = reader = buffer.loop.create_future()
            # A value that came from another thread just before has seen no reader.
            if not buffer.waiting and not buffer.is_over:
                await reader
        except BaseException:  # cancelled, in the words of either
            self._dispose()
            raise
        finally:
            buffer.reader, buffer.is_read = None, False

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
