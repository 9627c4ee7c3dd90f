"""Children: programs that the library starts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from . import _librac
from ._librac import Scheduler, Signal
from .sources import SignalLike

__all__ = ["ChildEvent", "spawn"]

_KINDS = {1: "started", 2: "output", 3: "errors", 4: "ended"}


class ChildEvent(NamedTuple):
    """An event of a child.

    started: the number of the process.
    output, errors: a line, a str, or bytes if it is not UTF-8 or bytes were wanted.
    ended: its exit status, -N if signal N ended it, as subprocess has it.
    """

    kind: Literal["started", "output", "errors", "ended"]
    value: Any


def spawn(
    arguments: Sequence[str | os.PathLike[str]],
    *,
    input: SignalLike[str | bytes] | None = None,
    output: bool = False,
    errors: bool = False,
    as_bytes: bool = False,
    group: bool = False,
    environment: Mapping[str, str] | None = None,
    directory: str | os.PathLike[str] | None = None,
    grace: float = 5.0,
    scheduler: Scheduler | None = None,
) -> Signal[ChildEvent]:
    """A signal of a child process: its output, and how it ends.

        the child prints --a--b--exits
        spawn            s-a--b--e|

    Each subscriber starts the program, and hears of it until it has ended and its outputs
    are closed. An exit status that is not 0 is no error. Disposed before, or at an error,
    the child gets SIGTERM, and SIGKILL when it has not ended in time.

    arguments: the first is the program, which is looked for in PATH. No shell sees them.
    input: a signal of texts and bytes for its standard input, which is closed at the end
        of the signal; None: its input is empty.
    output, errors: whether its standard output and error come as events; otherwise they
        are those of this process.
    as_bytes: they come as bytes, as they are read, and not as lines.
    group: it has a process group of its own, of which nothing is left.
    environment: None: that of this process.
    directory: where it works; None: where this process does.
    grace: seconds from SIGTERM to SIGKILL; 0: SIGKILL at once.
    """
    options = 1 * bool(output) + 2 * bool(errors) + 4 * bool(as_bytes) + 8 * bool(group)
    variables = None
    if environment is not None:
        variables = [f"{name}={value}" for name, value in environment.items()]
    texts = None if input is None else _librac._texts(input)
    events = _librac._spawn(
        arguments, variables, directory, texts, options, grace, scheduler=scheduler
    )
    return events.map(_event)


def _event(event: tuple[int, Any]) -> ChildEvent:
    number, value = event
    kind: Any = _KINDS[number]
    return ChildEvent(kind, os.waitstatus_to_exitcode(value) if number == 4 else value)
