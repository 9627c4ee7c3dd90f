"""Queues of asyncio, in and out: from_(queue), and signal.to_queue(queue)."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from . import _librac, tasks
from ._librac import Bound, Disposable, Observer, Signal

T = TypeVar("T")

# Of Python 3.13, where a queue can be shut down.
_ENDS: Any = getattr(asyncio, "QueueShutDown", ())


def of_queue(queue: asyncio.Queue[T]) -> Signal[T]:
    """Takes from it while somebody is subscribed and there is room below."""

    def subscribe(observer: Observer[T]) -> Disposable:
        return tasks.run(_take(queue, observer))

    return _librac._create(subscribe).named("from_")


async def _take(queue: asyncio.Queue[T], observer: Observer[T]) -> None:
    try:
        while observer.is_active:
            await observer.room()
            value = await queue.get()
            tasks.call(observer.send, value)
            queue.task_done()
    except _ENDS:
        tasks.call(observer.send_completed)


async def to_queue(self: Signal[T], queue: asyncio.Queue[T], bound: Bound | None = None) -> None:
    """Puts each value into a queue of asyncio, one after the other, and waits for room in
    it; returns when the signal completes, and raises its error. Cancelling it disposes
    the subscription. The queue stays open.

    bound: how many values wait while the queue is full, as in flat_map(): with the policy
        "wait" an async iterable and another queue above are held. None: any number.
    """
    putting: Any = self
    done = putting.flat_map(queue.put, max_concurrent=1, bound=bound).ignore_values()
    await done.start_with(None)  # for a signal without a value
