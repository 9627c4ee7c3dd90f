"""Streams and schedules for hypothesis, which has to be installed:

    from hypothesis import given
    from librac import strategies

    @given(strategies.streams())
    def test_debounce_sends_no_more_than_it_hears(stream):
        clock, signal = stream.play()
        heard = []
        signal.debounce(2, scheduler=clock).subscribe(heard.append, lambda error: None)
        clock.step_all()
        assert len(heard) <= len(stream.values)

A failing stream is made shorter, and earlier, and is printed as a marble diagram.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from hypothesis import strategies as st  # type: ignore[import-not-found,unused-ignore]

from ._librac import Scheduler, Signal, Subject

__all__ = ["Failed", "Stream", "streams", "schedules"]


class Failed(Exception):
    """The error of a stream that ends with one."""


class Stream(NamedTuple):
    """Events in virtual time: (second, value) of each, and the end, if there is one."""

    events: tuple[tuple[int, Any], ...]
    end: tuple[int, str] | None

    @property
    def values(self) -> list[Any]:
        return [value for _, value in self.events]

    def play(self, clock: Scheduler | None = None) -> tuple[Scheduler, Signal[Any]]:
        """A clock, which has to be stepped, and a signal that plays on it, from its 0 on."""
        clock = clock or Scheduler.virtual()
        subject: Subject[Any] = Subject()
        for second, value in self.events:
            clock.schedule_after(second, functools.partial(subject.send, value))
        if self.end is not None:
            second, kind = self.end
            end = subject.send_completed if kind == "|" else lambda: subject.send_error(Failed())
            clock.schedule_after(second, end)
        return clock, subject

    def __repr__(self) -> str:
        """A marble diagram, a character for a second; values beside it."""
        last = max([second for second, _ in self.events] + [self.end[0] if self.end else 0])
        marks: list[str] = []
        for second in range(last + 1):
            here = [value for at, value in self.events if at == second]
            text = "".join(map(str, here)) if all(len(str(v)) == 1 for v in here) else "x" * len(here)
            if self.end is not None and self.end[0] == second:
                text += self.end[1]
            marks.append("-" if not text else text if len(text) == 1 else f"({text})")
        return f"Stream({''.join(marks)}, values={self.values!r})"


def schedules(most: int = 8, seconds: int = 12) -> st.SearchStrategy[list[int]]:
    """At which seconds things happen, in order; several may at once."""
    return st.lists(st.integers(0, seconds), max_size=most).map(sorted)


@st.composite  # type: ignore[misc,untyped-decorator,unused-ignore]
def streams(
    draw: st.DrawFn,
    values: st.SearchStrategy[Any] | None = None,
    *,
    most: int = 8,
    seconds: int = 12,
    ends: str = "|#.",
) -> Stream:
    """Streams: at most `most` values within so many seconds, and an end.

    values: strategy of values; None: the numbers 0 to 9.
    ends: of which kinds: "|" completes, "#" fails, "." goes on.
    """
    times = draw(schedules(most, seconds))
    events = tuple((time, draw(st.integers(0, 9) if values is None else values)) for time in times)
    kind = draw(st.sampled_from(ends))
    if kind == ".":
        return Stream(events, None)
    last = times[-1] if times else 0
    return Stream(events, (draw(st.integers(last, last + seconds)), kind))
