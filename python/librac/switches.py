"""Switches of the whole library. They are remembered, so that a test can be followed by others
as if it had switched nothing: pytest_plugin.py."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from . import _librac
from .unhandled import log_unhandled

F = TypeVar("F", bound=Callable[..., Any])

# By the name of a function of librac.host: what brings about what it did last.
_latest: dict[str, Callable[[], object]] = {}


def _switch(setter: F, *first: Any) -> F:
    """The same function, which is remembered."""
    name = setter.__name__

    @functools.wraps(setter)
    def switch(*arguments: Any, **named: Any) -> Any:
        result = setter(*arguments, **named)
        _latest[name] = functools.partial(setter, *arguments, **named)
        return result

    _latest[name] = functools.partial(setter, *first)
    return cast(F, switch)


set_log = _switch(_librac.set_log, None)
set_names_enabled = _switch(_librac.set_names_enabled, "RAC_DEBUG_SIGNAL_NAMES" in os.environ)
set_origins = _switch(_librac.set_origins, False)
set_settle_at_exit = _switch(_librac.set_settle_at_exit, 0)
set_trace = _switch(_librac.set_trace, None)


@functools.wraps(_librac.record_start)
def record_start(path: str, counters: bool = False) -> None:
    """A recording can be ended, and not be gone on with."""
    _librac.record_start(path, counters)
    _latest["record_start"] = functools.partial(_librac.record_stop)


_latest["record_start"] = _librac.record_stop


@dataclasses.dataclass(frozen=True)
class State:
    """All of them at one time."""

    by_name: dict[str, Callable[[], object]]
    on_unhandled: Any

    def restore(self) -> None:
        """Brings back what has been switched since."""
        import librac

        librac.on_unhandled = self.on_unhandled
        for name, bring_back in self.by_name.items():
            if bring_back is not _latest[name]:
                bring_back()
                _latest[name] = bring_back


def state() -> State:
    import librac

    return State({**_latest}, librac.on_unhandled)


AT_FIRST = State({**_latest}, log_unhandled)
