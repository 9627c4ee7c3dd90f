"""Commands of Python functions, async ones as well."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, overload

from . import _librac, loops, sources
from ._librac import Scheduler, Signal
from .sources import SignalLike

__all__ = ["Command"]

T = TypeVar("T")


class Command(_librac.Command[Any, T]):
    """Something that can be done, and whether it can be done now: what a button does.

        save = Command(send_to_server, enabled=form_is_valid)
        save.execute(form)              # a signal of what comes of it, begun already
        await save.execute(form)
        save.executing, save.enabled, save.errors       # for the spinner, the button, …

    The function takes one argument, or none. Its result is the one value of the
    execution, its exception the error; an async function runs as a task; a signal
    is what the execution sends. `enabled` is a signal, or a property, of truth values.
    Executions begin in a turn of `scheduler`: the main one if none is given.
    """

    @overload
    def __init__(
        self: Command[T],
        function: Callable[..., Coroutine[Any, Any, T]],
        enabled: SignalLike[Any] | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: Command[T],
        function: Callable[..., Signal[T]],
        enabled: SignalLike[Any] | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: Command[T],
        function: Callable[..., T],
        enabled: SignalLike[Any] | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> None: ...
    def __init__(
        self,
        function: Callable[..., Any],
        enabled: SignalLike[Any] | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"Command(): function has to be callable, not {function!r}")
        super().__init__(_execution(function), enabled, scheduler)

    @property
    def allows_concurrent_execution(self) -> bool:
        """Whether an execution may begin while another one is going on."""
        return super().allows_concurrent_execution

    @allows_concurrent_execution.setter
    def allows_concurrent_execution(self, allowed: bool) -> None:
        self.set_allows_concurrent_execution(allowed)

    def execute(self, input: Any = None) -> Signal[T]:
        """Begins, or refuses if it is disabled or executing. Its events are replayed
        to each subscriber, and need none."""
        loops.serve_where_running()
        return super().execute(input)

    def __call__(self, input: Any = None) -> Signal[T]:
        """execute(), for whatever wants a function."""
        return self.execute(input)


def _execution(function: Callable[..., Any]) -> Callable[[Any], Signal[Any]]:
    takes_input = _takes_an_argument(function)

    def execute(input: Any) -> Signal[Any]:
        result = function(input) if takes_input else function()
        if isinstance(result, Signal):
            return result
        if inspect.isawaitable(result) or hasattr(result, "__aiter__"):
            return sources.from_(result)
        return _librac.of(result)

    return execute


def _takes_an_argument(function: Callable[..., Any]) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(None)
    except TypeError:
        try:
            signature.bind()
        except TypeError:
            raise TypeError(
                f"Command(): {function!r} needs more arguments than the input"
            ) from None
        return False
    return True
