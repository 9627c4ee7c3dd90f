"""reactivex.testing.marbles: tests in diagrams.

    with marbles_testing() as (start, cold, hot, exp):
        source = hot("-a-a--b--|")
        assert start(source.pipe(ops.distinct())) == exp("-a----b--|")

A test subscribes at 200, so the first character of a hot diagram is not heard.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from .. import _marbles
from ..observable import Observable
from . import ReactiveTest, Recorded, TestScheduler


class MarblesContext(NamedTuple):
    """Plays an observable, or a function's; makes a cold or a hot one, and what is expected."""

    start: Callable[[Any], list[Recorded]]
    cold: Callable[..., Observable[Any]]
    hot: Callable[..., Observable[Any]]
    exp: Callable[..., list[Recorded]]


def messages_to_records(messages: list[_marbles.Message]) -> list[Recorded]:
    return [Recorded(int(time), event) for time, event in messages]


@contextmanager
def marbles_testing(timespan: Any = 1.0) -> Iterator[MarblesContext]:
    """What a test in diagrams needs, on a virtual clock; a character in `timespan`."""
    scheduler, over = TestScheduler(), ""

    def check() -> None:
        if over:
            warnings.warn(over, UserWarning, stacklevel=3)

    def start(create: Any) -> list[Recorded]:
        nonlocal over
        check()
        heard = scheduler.start(create if callable(create) else lambda: create)
        over = "start() should only be called one time inside a with statement."
        messages: list[Recorded] = heard.messages
        return messages

    def expected(
        string: str, lookup: Mapping[Any, Any] | None = None, error: Any = None
    ) -> list[Recorded]:
        return messages_to_records(
            _marbles.parse(string, timespan, ReactiveTest.subscribed, lookup, error))

    def cold(
        string: str, lookup: Mapping[Any, Any] | None = None, error: Any = None
    ) -> Observable[Any]:
        check()
        return _marbles.from_marbles(string, timespan, None, lookup, error)

    def hot(
        string: str, lookup: Mapping[Any, Any] | None = None, error: Any = None
    ) -> Observable[Any]:
        check()
        return _marbles.hot(
            string, timespan, ReactiveTest.subscribed, scheduler, lookup, error)

    try:
        yield MarblesContext(start, cold, hot, expected)
    finally:
        over = "context functions should not be called outside of with statement."


__all__ = ["MarblesContext", "marbles_testing", "messages_to_records"]
