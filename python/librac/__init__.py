"""librac: signals, operators, properties and commands of ReactiveCocoa's model.

    import librac as rac

    words = rac.Subject()
    words.map(str.strip).filter(bool).debounce(0.3).subscribe(print)
    words.send(" hello ")

A signal sends values, then at most one end: an error or a completion. Operators are its
methods, or functions of librac.ops for `signal | ops.map(f)`. help(rac.Signal) lists
them, each with a marble diagram; docs/Python.md is the way in.

What a handler raises comes out of the call that sent the value. Where nobody called, as
when a timer does, it goes to librac.on_unhandled(error, chain, value), which may be set:
help(rac.on_unhandled).

librac.errors    what librac raises itself
librac.host      the loop, the end, counts, logs and records of the whole library
librac.types     classes of results, for annotations
librac.cocoa     ReactiveCocoa's own words
librac.marbles   marble diagrams in tests, which pytest finds by itself
librac.scope     what a program did, drawn
"""

from collections.abc import Callable as _Callable
from typing import Any as _Any

from . import cocoa, errors, host, notebooks, ops, types
from . import exiting as exiting
from ._librac import (
    BehaviorSubject,
    Bound,
    Channel,
    CompoundDisposable,
    Disposable,
    Error,
    Event,
    Observer,
    Property,
    ReplaySubject,
    Scheduler,
    Sequence,
    SerialDisposable,
    Subject,
    Subscription,
    at_time,
    at_times,
    child_exit,
    chunks,
    connect,
    datagrams,
    defer,
    empty,
    file_changes,
    from_callable,
    lines,
    listen,
    never,
    of,
    posix_signal,
    race,
    readable,
    tail,
    throw,
    using,
    version,
    writable,
)
from ._librac import zip as zip  # not in __all__: `import *` leaves Python's own alone
from .attributes import observable
from .batches import batch
from .children import spawn
from .command import Command
from .forms import combine_latest, concat, create, interval, merge
from .replaying import replay
from .signal import Signal
from .sources import from_, timer
from .sources import range as range
from .unhandled import log_unhandled as log_unhandled

on_unhandled: _Callable[[Exception, str, _Any], object] | None = log_unhandled

__version__ = version()
notebooks.prepare()
__all__ = [
    "BehaviorSubject",
    "Bound",
    "Channel",
    "Command",
    "CompoundDisposable",
    "Disposable",
    "Error",
    "Event",
    "Observer",
    "Property",
    "ReplaySubject",
    "Scheduler",
    "Sequence",
    "SerialDisposable",
    "Signal",
    "Subject",
    "Subscription",
    "at_time",
    "at_times",
    "batch",
    "child_exit",
    "chunks",
    "cocoa",
    "combine_latest",
    "concat",
    "connect",
    "create",
    "datagrams",
    "defer",
    "empty",
    "errors",
    "file_changes",
    "from_",
    "from_callable",
    "host",
    "interval",
    "lines",
    "listen",
    "merge",
    "never",
    "observable",
    "of",
    "ops",
    "posix_signal",
    "race",
    "readable",
    "replay",
    "spawn",
    "tail",
    "throw",
    "timer",
    "types",
    "using",
    "writable",
]


def __dir__() -> list[str]:
    """The interface: what is imported here besides belongs to the package."""
    return [*__all__, "__doc__", "__version__", "on_unhandled", "range", "zip"]
