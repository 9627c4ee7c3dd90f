"""Waiting for room below before sending: methods of Observer and Subject."""

from __future__ import annotations

import asyncio
from typing import Any

from . import loops, tasks
from ._librac import Observer, Subject


class _Waker:
    """Wakes a task when there is room, and when this is let go of: nobody will call it
    then, and the task asks again."""

    __slots__ = ("future", "loop")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[None] | None
    ) -> None:
        self.loop, self.future = loop, future

    def __call__(self) -> None:
        future, self.future = self.future, None
        if future is not None:
            tasks.in_loop(self.loop, _wake, future)

    def __del__(self) -> None:
        self()


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


async def room(self: Any) -> None:
    """Waits until there is room for a value below, without a thread; returns at once when
    there is, or when nobody listens any more.

    A place that is full is one with a bound of the policy "wait" or "refuse", or a
    deliver_on() or concat_map() without a bound behind which very many wait. A subject
    is asked about its own bound, and about the places below that have the same.
    """
    # Most times there is room, and nothing is made.
    while self._hold(None):
        loop = loops.running()
        loops.serve_running(loop)
        future: asyncio.Future[None] = loop.create_future()
        # The engine alone has the waker. Of one that it does not take the future is done.
        waiting = self._hold(_Waker(loop, future))
        try:
            await future
        finally:
            if waiting is not None:
                waiting.dispose()


async def send_async(self: Any, value: Any) -> None:
    """Waits until there is room for a value, without a thread, and sends it: see room()
    and send(). A place that another thread takes meanwhile is waited for again."""
    while True:
        await self.room()
        if self._try_send(value):
            return
        await loops.turn()


for _class, _methods in {Observer: (room,), Subject: (room, send_async)}.items():
    for _method in _methods:
        setattr(_class, _method.__name__, _method)
