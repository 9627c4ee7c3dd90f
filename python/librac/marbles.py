"""Marble diagrams for tests, on virtual time.

    def test_debounce(marbles):
        source = marbles.hot("ab---c--|")
        marbles.expect(source.debounce(2), "---b---c|")

In a diagram each character is a unit of time, a second unless said otherwise:

    -        nothing happens
    1        a digit is that integer
    a        a letter is the value that `values` has for it, else its text
    |        the completion
    # #3     an error: of any kind; of the code 3, which takes the time of "#"
    (ab|)    all at once, at the time of the parenthesis; time goes on as the text does
    ^        where the time is 0; what a hot signal sends before is left out
    !        where one unsubscribes, in a diagram of a subscription

Blanks count for nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import _librac
from ._librac import Scheduler, Signal, Subject

__all__ = ["MarbleError", "Marbles"]


class MarbleError(Exception):
    """The error that # stands for; `code` is the number behind it, or None."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__("#" if code is None else f"#{code}")
        self.code = code


class Marble(NamedTuple):
    """An event, in a diagram or heard."""

    time: float
    kind: str  # "next", "error" or "completed"
    value: Any


class Line(NamedTuple):
    """A diagram that was read."""

    events: list[Marble]
    length: float
    zero: float
    end: float | None  # of a subscription


def read(text: str, values: Mapping[str, Any], *, is_subscription: bool = False) -> Line:
    """The events of a diagram; ValueError shows the place where it is wrong."""
    events: list[Marble] = []
    now, zero, end, group, place = 0, None, None, None, 0
    group_place = 0

    def wrong(what: str) -> ValueError:
        return ValueError(f"a diagram is wrong: {what}\n  {text}\n  {' ' * place}^")

    while place < len(text):
        sign = text[place]
        if sign == " ":
            place += 1
            continue
        if sign in "-^" and group is not None:
            raise wrong("time inside a group")
        if sign == "(":
            if group is not None:
                raise wrong("a group in a group")
            group, group_place = now, place
        elif sign == ")":
            if group is None:
                raise wrong("no group is open")
            group = None
        elif sign == "^":
            if zero is not None:
                raise wrong("a second ^")
            zero = now
        elif sign == "!" and is_subscription:
            if end is not None:
                raise wrong("a second !")
            end = now
        elif sign != "-":
            if is_subscription:
                raise wrong("only - ^ ! stand here")
            if events and events[-1].kind != "next":
                raise wrong("an event after the end")
            at = now if group is None else group
            if sign == "|":
                events.append(Marble(at, "completed", None))
            elif sign == "#":
                code, place = _code(text, place)
                events.append(Marble(at, "error", code))
            elif sign in values:
                events.append(Marble(at, "next", values[sign]))
            elif sign in "0123456789":
                events.append(Marble(at, "next", int(sign)))
            elif sign.isalpha():
                events.append(Marble(at, "next", sign))
            else:
                raise wrong("this stands for nothing here")
        now, place = now + 1, place + 1
    if group is not None:
        place = group_place
        raise wrong("a group without its )")
    zero = zero or 0
    moved = [event._replace(time=event.time - zero) for event in events]
    return Line(moved, now - zero, zero, None if end is None else end - zero)


def _code(text: str, place: int) -> tuple[int | None, int]:
    """The number behind a #, and where it ends."""
    end = place + 1
    if text[end : end + 1] == "-" and text[end + 1 : end + 2].isdigit():
        end += 1
    while end < len(text) and text[end] in "0123456789":
        end += 1
    return (int(text[place + 1 : end]), end - 1) if end > place + 1 else (None, place)


def write(events: list[Marble], length: float, values: Mapping[str, Any]) -> str:
    """A diagram of events; where none can be drawn, the list of them with their times."""
    line, column = "", 0
    times = sorted({event.time for event in events})
    for time in times:
        signs = [_sign(event, values) for event in events if event.time == time]
        if time != int(time) or time < column or "?" in signs:
            return " ".join(_told(event, values, "@") for event in events)
        line += "-" * (int(time) - column)
        # A group takes the time of its characters, as it is read; a code takes none.
        line += signs[0] if len(signs) == 1 else f"({''.join(signs)})"
        column = int(time) + (1 if len(signs) == 1 else len(signs) + 2)
    if not events or events[-1].kind == "next":
        line += "-" * (int(length) - column)
    return line


def _sign(event: Marble, values: Mapping[str, Any]) -> str:
    if event.kind == "completed":
        return "|"
    if event.kind == "error":
        code = getattr(event.value, "code", event.value)
        return f"#{code}" if isinstance(code, int) else "#"
    for sign, value in values.items():
        if _are_equal(value, event.value):
            return sign
    text = str(event.value) if isinstance(event.value, (int, str)) else "?"
    return text if len(text) == 1 and text.isalnum() else "?"


def _are_equal(a: Any, b: Any) -> bool:
    try:
        return bool(a is b or a == b)
    except Exception:
        return False  # numpy arrays, for one, are not simply equal


class Marbles:
    """Signals that play diagrams, and what is to come of them, on virtual time.

    `clock` is the scheduler, for operators that are to be given one; those of time take
    it by themselves. `unit` is how many seconds a character is.
    """

    def __init__(self, unit: float = 1.0, values: Mapping[str, Any] | None = None) -> None:
        self.clock = Scheduler.virtual()
        self.unit = unit
        self.values = dict(values or {})
        self._hot: list[_Hot] = []
        self._longest = 0.0

    def hot(
        self,
        diagram: str,
        values: Mapping[str, Any] | None = None,
        *,
        error: BaseException | None = None,
    ) -> Signal[Any]:
        """A signal that plays a diagram to whoever is subscribed at the time. Each
        expect() plays it from its beginning."""
        source = _Hot(self, self._read(diagram, values), error)
        self._hot.append(source)
        return _librac.defer(lambda: source.subject).named(f"hot {diagram}")

    def cold(
        self,
        diagram: str,
        values: Mapping[str, Any] | None = None,
        *,
        error: BaseException | None = None,
    ) -> Signal[Any]:
        """A signal that plays a diagram to each subscriber anew."""
        line = self._read(diagram, values)

        def subscribe(observer: Any) -> Any:
            return self._play(line, observer, error)

        return _librac._create(subscribe).named(f"cold {diagram}")

    def turns(self, *signals: Any) -> Signal[Any]:
        """A signal that is another one for each subscriber, and the last one for all that
        come later. It stands for a connection that is tried again:

            connection = marbles.turns(marbles.cold("--#"), marbles.cold("-c"))
        """
        if not signals:
            raise TypeError("turns() of no signals")
        left = list(signals)
        return _librac.defer(lambda: left.pop(0) if len(left) > 1 else left[0]).named("turns")

    def expect(
        self,
        signal: Any,
        diagram: str,
        values: Mapping[str, Any] | None = None,
        *,
        error: Any = None,
        subscription: str = "^",
    ) -> None:
        """Plays all, and raises AssertionError when something else than the diagram is
        heard. `error` is the exception, or its class, that # stands for; in a
        `subscription`, such as "--^---!", one subscribes at ^ and disposes at !."""
        __tracebackhide__ = True
        expected = self._read(diagram, values)
        heard = self._hear(signal, subscription)
        known = {**self.values, **(values or {})}
        difference = _difference(expected.events, heard, known, error)
        if difference:
            length = expected.length
            raise AssertionError(
                f"{getattr(signal, 'description', '') or 'the signal'}\n"
                f"  expected  {diagram}\n"
                f"  heard     {write(heard, length, known)}\n"
                f"  first difference: {difference}"
            )

    def diagram(self, signal: Any, length: float = 0, *, subscription: str = "^") -> str:
        """What is heard of a signal when all is played, as a diagram."""
        self._longest = max(self._longest, length)
        return write(self._hear(signal, subscription), length, self.values)

    def _read(self, diagram: str, values: Mapping[str, Any] | None) -> Line:
        line = read(diagram, {**self.values, **(values or {})})
        self._longest = max(self._longest, line.length)
        return line

    def _hear(self, signal: Any, subscription: str) -> list[Marble]:
        from .sources import from_

        signal = from_(signal)
        span = read(subscription, {}, is_subscription=True)
        begin = self.clock.now()
        heard: list[Marble] = []
        subscribed: list[Any] = []

        def note(kind: str, value: Any = None) -> None:
            heard.append(Marble(round((self.clock.now() - begin) / self.unit, 6), kind, value))

        def subscribe() -> None:
            subscribed.append(
                signal.subscribe(
                    lambda value: note("next", value),
                    lambda error: note("error", error),
                    lambda: note("completed"),
                )
            )

        jobs = [self.clock.schedule_after(span.zero * self.unit, subscribe)]
        jobs += [source.begin() for source in self._hot]
        if span.end is not None:
            end = (span.zero + span.end) * self.unit
            jobs.append(self.clock.schedule_after(end, lambda: subscribed[0].dispose()))
        self.clock.advance_by((self._longest + 1) * self.unit)
        for job in jobs + subscribed:
            job.dispose()
        return heard

    def _play(self, line: Line, target: Any, error: BaseException | None) -> Any:
        """Schedules the events of a diagram; what disposes those to come."""
        times: dict[float, list[Marble]] = {}
        for event in line.events:
            if event.time >= 0:
                times.setdefault(event.time, []).append(event)

        def send(at: float) -> None:
            for event in times[at]:
                if event.kind == "next":
                    target.send(event.value)
                elif event.kind == "error":
                    target.send_error(MarbleError(event.value) if error is None else error)
                else:
                    target.send_completed()

        jobs = _librac.CompoundDisposable()
        for at in times:
            jobs.add(self.clock.schedule_after(at * self.unit, functools.partial(send, at)))
        return jobs


class _Hot:
    """A hot signal: a subject for each time that it is played."""

    def __init__(self, marbles: Marbles, line: Line, error: BaseException | None) -> None:
        self.marbles, self.line, self.error = marbles, line, error
        self.subject: Subject[Any] = Subject()

    def begin(self) -> Any:
        self.subject = Subject()
        return self.marbles._play(self.line, self.subject, self.error)


def _difference(
    expected: list[Marble], heard: list[Marble], values: Mapping[str, Any], error: Any
) -> str:
    """What differs first, or nothing."""
    for index in range(max(len(expected), len(heard))):
        wanted = expected[index] if index < len(expected) else None
        came = heard[index] if index < len(heard) else None
        if wanted is None:
            return f"nothing more expected, {_told(came, values)} came"
        if came is None:
            return f"{_told(wanted, values)} expected, nothing more came"
        if not _match(wanted, came, error):
            return f"{_told(wanted, values)} expected, {_told(came, values)} came"
    return ""


def _match(wanted: Marble, came: Marble, error: Any) -> bool:
    if wanted.kind != came.kind or abs(wanted.time - came.time) > 1e-6:
        return False
    if wanted.kind == "next":
        return _are_equal(wanted.value, came.value)
    if wanted.kind == "error":
        if isinstance(error, type):
            return isinstance(came.value, error)
        if error is not None:
            return _are_equal(error, came.value)
        return wanted.value is None or getattr(came.value, "code", None) == wanted.value
    return True


def _told(event: Marble | None, values: Mapping[str, Any], at: str = " at ") -> str:
    assert event is not None
    if event.kind == "next":
        shown = repr(event.value)
    elif event.kind == "error":
        shown = _sign(event, values) if not isinstance(event.value, Exception) else repr(event.value)
    else:
        shown = "|"
    return f"{shown}{at}{event.time:g}"
