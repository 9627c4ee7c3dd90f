"""Signals over Redis Streams: docs/Machines.md.

    from librac.redis import Redis

    redis = Redis(host="broker.example.org")
    await redis.publish(readings, "orders")
    async for order in redis.read("orders", from_="0"):
        print(order)

Values that travel are None, booleans, integers of 64 bits, floats, texts, bytes, and
tuples and lists of those, which arrive as tuples. Others are refused, one by one.

This module needs hiredis when the package is built: the wheels of a release are without it,
and `pip install --no-binary librac librac` beside libhiredis-dev makes one with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Never, NamedTuple, TypeVar

from ._librac import Bound, Error, Property, Scheduler, Signal
from .machines import Seconds
from .sources import SignalLike

try:
    from . import _redis
except ImportError as error:
    raise ImportError(f"this librac was built without hiredis: {error}") from error

__all__ = [
    "NOT_DURABLE",
    "NO_MEMORY",
    "NO_VALUE",
    "REFUSED",
    "Redis",
    "SENDER_TAKEN",
    "Stats",
    "UNREACHABLE",
    "UNREADABLE",
]

T = TypeVar("T")

# The codes of a StreamError whose domain is "rac.redis".
REFUSED: Final = 1
UNREACHABLE: Final = 2
SENDER_TAKEN: Final = 3
UNREADABLE: Final = 4
NO_VALUE: Final = 5
NO_MEMORY: Final = 6
NOT_DURABLE: Final = 7


class Stats(NamedTuple):
    """Counts over all signals of a Redis, and why the latest connection was lost."""

    sent: int
    resent: int
    acknowledged: int
    refused: int
    forgotten: int
    received: int
    doubles: int
    gaps: int
    unreadable: int
    handled: int
    failed: int
    dead: int
    connections: int
    losses: int
    undurable: int
    trouble: str


class Redis:
    """A broker, and who asks. Opens nothing: each subscription to a signal of it has a
    connection of its own, which is opened anew when it is lost.

    `tls` encrypts; `authorities` is a file of certificates to trust in place of the system's,
    `certificate` and `key` are the client's own. `sender` is the name of this producer. After
    `patience` seconds without an expected answer a connection counts as lost; after
    `give_up_after` seconds without one a signal fails, and with 0 it goes on trying. Callbacks
    run on `scheduler`, which is a background one when it is left out.
    """

    def __init__(
        self,
        *,
        host: str | None = None,
        socket: str | None = None,
        user: str | None = None,
        password: str | None = None,
        sender: str | None = None,
        port: int = 0,
        database: int = 0,
        authorities: str | None = None,
        certificate: str | None = None,
        key: str | None = None,
        tls: bool = False,
        patience: Seconds = 0,
        give_up_after: Seconds = 0,
        scheduler: Scheduler | None = None,
    ) -> None:
        self._handle = _redis.create(locals())

    def publish(
        self,
        source: SignalLike[Any],
        stream: str,
        *,
        window: int = 0,
        bound: Bound | None = None,
        keep: int = 0,
        unique: bool = False,
        ends: bool = False,
        durable: bool = False,
    ) -> Signal[Error]:
        """Stores what `source` sends as entries of a stream, in order, and completes when all
        of it is stored.

        At most `window` values, 256 by default, are on their way; the next wait by `bound`.
        With `unique` no entry is stored twice. The stream keeps about `keep` entries, or all.
        With `ends` the end is an entry, too. With `durable` it fails unless the broker syncs
        each write before it acknowledges it. It sends an error for each value that cannot
        travel.
        """
        signal: Signal[Error] = _redis.publish(self._handle, source, stream, locals())
        return signal

    def last_number(self, stream: str) -> Signal[int]:
        """The number of the last entry that `sender` has stored with `unique`, 0 for none."""
        signal: Signal[int] = _redis.last_number(self._handle, stream)
        return signal

    def read(
        self,
        stream: str,
        *,
        from_: str = "$",
        batch: int = 0,
        positions: bool = False,
        ends: bool = False,
    ) -> Signal[Any]:
        """The values of a stream: from "0" all, from "$" what comes, from "last" the last one
        and what comes, or those behind a position.

        With `positions` each comes in a tuple with its position. It asks for at most `batch`
        entries, 256 by default, when all were taken and there is room below. With `ends` the
        entry of an end ends the signal.
        """
        signal: Signal[Any] = _redis.read(self._handle, stream, locals())
        return signal

    def work(
        self,
        stream: str,
        group: str,
        handle: Callable[[Any], SignalLike[T] | None],
        *,
        consumer: str | None = None,
        from_: str = "0",
        dead: str | None = None,
        in_flight: int = 0,
        claim_after: Seconds = 0,
        attempts: int = 0,
    ) -> Signal[T]:
        """A share of a stream among the workers of a group, and what their work sends.

        `handle` makes a signal of each value, or what from_() makes one of, such as a
        coroutine. When that completes the value is acknowledged. When it fails it is tried
        again after `claim_after` seconds, 30 by default, and after `attempts`, 5, it goes to
        the stream `dead`. At most `in_flight` values, 32, are worked on.
        """
        signal: Signal[T] = _redis.work(self._handle, stream, group, handle, locals())
        return signal

    def bind(self, property: Property[Any], key: str) -> Signal[Never]:
        """Keeps a property equal to a key, both ways, while it is subscribed to."""
        signal: Signal[Never] = _redis.bind(self._handle, property, key)
        return signal

    @property
    def stats(self) -> Stats:
        """What was counted so far."""
        return Stats(**_redis.stats(self._handle))
