"""A run of trio in the place of a loop of asyncio, for what awaits signals. Programs of anyio
are those of trio or of asyncio. trio is imported by the program alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from typing import Any

_of_run: Any = None  # a RunVar: the loop of each run


def running() -> Any:
    """That of the run of trio that this thread is in; None: it is in none."""
    global _of_run
    trio: Any = sys.modules.get("trio")
    if trio is None:
        return None
    try:
        token = trio.lowlevel.current_trio_token()
    except RuntimeError:
        return None
    if _of_run is None:
        _of_run = trio.lowlevel.RunVar("librac", None)
    loop = _of_run.get()
    if loop is None:
        loop = _Loop(trio, token)
        _of_run.set(loop)
    return loop


class _Future:
    """One task awaits it."""

    def __init__(self, event: Any) -> None:
        self._event = event
        self._value: Any = None
        self._error: BaseException | None = None

    def done(self) -> bool:
        return bool(self._event.is_set())

    def set_result(self, value: Any) -> None:
        self._value = value
        self._event.set()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._event.set()

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from self._event.wait().__await__()
        error, self._error = self._error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback has this frame
        return self._value

    __iter__ = __await__


class _Loop:
    def __init__(self, trio: Any, token: Any) -> None:
        self._trio, self._token = trio, token
        self._watching: Any = None

    def create_future(self) -> _Future:
        return _Future(self._trio.Event())

    def call_soon_threadsafe(self, function: Callable[..., Any], *arguments: Any) -> None:
        try:
            self._token.run_sync_soon(function, *arguments)
        except self._trio.RunFinishedError:
            pass  # nobody waits any more

    def is_closed(self) -> bool:
        return False

    async def turn(self) -> None:
        await self._trio.lowlevel.checkpoint()

    def add_reader(self, descriptor: int, function: Callable[[], Any]) -> None:
        self.remove_reader(descriptor)
        self._watching = scope = self._trio.CancelScope()
        self._trio.lowlevel.spawn_system_task(self._watch, scope, os.dup(descriptor), function)

    def remove_reader(self, descriptor: int) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self, scope: Any, descriptor: int, function: Callable[[], Any]) -> None:
        """With a descriptor of its own: one that is cancelled waits a moment longer."""
        try:
            with scope:
                while True:
                    await self._trio.lowlevel.wait_readable(descriptor)
                    function()
        finally:
            os.close(descriptor)
