"""Words that are several functions of the engine: flat_map() with a limit and without one,
merge() with a bound, timeout() that goes on with another signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _librac
from ._librac import Bound, Connection, Scheduler, Signal, Subject

# The parts, whose types are those of the words.
_part: Any = Signal
_module: Any = _librac


class _Missing:
    """What an argument is that was not given, where None is a value."""

    def __repr__(self) -> str:
        return "..."


MISSING: Any = _Missing()


def _both(function: str, one: str, other: str) -> TypeError:
    return TypeError(f"{function}(): {one} and {other} do not go together")


# ---- One value at a time -----------------------------------------------------------------


def distinct_until_changed(
    self: Signal[Any],
    key: Callable[[Any], object] | None = None,
    comparer: Callable[[Any, Any], object] | None = None,
) -> Any:
    """Drops each value that is equal to the one before; arrays are compared as arrays.

        source  --1--1--2--1--|
        sent    --1-----2--1--|

    key: what is compared of each value; None: the value itself.
    comparer: gets the value that was sent last and the new one; a true answer drops it.
    """
    if comparer is not None:
        if key is not None:
            raise _both("Signal.distinct_until_changed", "key", "comparer")
        return _part._distinct_until_changed_by(self, _compared(comparer))
    if key is not None:
        return _part._distinct_until_changed_by(self, key)
    return _part._distinct_until_changed(self)


def _compared(comparer: Callable[[Any, Any], object]) -> Callable[[Any], Any]:
    """A key that is equal to another one if the comparer says so."""
    if not callable(comparer):
        raise TypeError("Signal.distinct_until_changed(): comparer must be callable")

    class Compared:
        __slots__ = ("value",)
        __hash__ = None  # type: ignore[assignment]

        def __init__(self, value: Any) -> None:
            self.value = value

        def __eq__(self, other: object) -> bool:
            assert isinstance(other, Compared)
            return bool(comparer(self.value, other.value))

    return Compared


def take_while(
    self: Signal[Any], predicate: Callable[[Any], object], inclusive: bool = False
) -> Any:
    """Passes values for as long as a function answers true for them, then completes.

        source       --1--2--3--1--|
        less than 3  --1--2--|

        source     --1--2--3--1--|
        inclusive  --1--2--(3|)

    predicate: gets the value, returns a truth value; what it raises ends the stream.
    inclusive: whether the value that ends it is sent, too.
    """
    if not inclusive:
        return _part._take_while(self, predicate)
    if not callable(predicate):
        raise TypeError("Signal.take_while(): predicate must be callable")
    return _part._take_until_inclusive(self, lambda value: not predicate(value))


def start_with(self: Signal[Any], *values: Any) -> Any:
    """Sends values of yours first.

        source         --1--2--|
        start_with(0)  0-1--2--|
    """
    made = self
    for value in reversed(values):
        made = _part._start_with(made, value)
    return made


# ---- A value and those before it ---------------------------------------------------------


def scan(self: Signal[Any], accumulator: Callable[[Any, Any], Any], seed: Any = MISSING) -> Any:
    """Sends, for each value, what comes of it and all values before.

        source --1--2--3--|
        sums   --1--3--6--|

    accumulator: gets what came of the values before and the value, returns what is
        sent; what it raises ends the stream.
    seed: what stands before the first value; it is not sent. Left out, the first value
        is sent as it is.
    """
    if seed is MISSING:
        return _part._scan_without_start(self, accumulator)
    return _part._scan(self, accumulator, seed)


def reduce(self: Signal[Any], accumulator: Callable[[Any, Any], Any], seed: Any = MISSING) -> Any:
    """Sends what comes of all values, when the source completes.

        source --1--2--3--|
        sum    -----------(6|)

    accumulator: gets what came of the values before and the value, and returns what
        comes of both; what it raises ends the stream.
    seed: what stands before the first value, and is sent if there was none. Left out,
        it begins with the first value, and without one nothing is sent.
    """
    if seed is MISSING:
        return _part._scan_without_start(self, accumulator).take_last(1)
    return _part._reduce(self, accumulator, seed)


# ---- Many values as one, or as signals ---------------------------------------------------


def buffer(
    self: Signal[Any],
    count: int | None = None,
    seconds: Any = None,
    *,
    skip: int | None = None,
    scheduler: Scheduler | None = None,
) -> Any:
    """Sends values many at a time, as tuples: `count` of them, or what has come within
    `seconds` of the first, or whichever is sooner.

        source             --1--2--3--4--5--|
        buffer(2)          -----a-----b-----(c|)   a: (1,2), b: (3,4), c: (5)
        buffer(2, skip=1)  -----a--d--b--e--(c|)   d: (2,3), e: (4,5)

    count: how many values, 1 or more.
    seconds: how long a value waits at most.
    skip: how many values after the beginning of one tuple the next begins; `count` if it
        is left out. With `count` alone.
    scheduler: where the time passes. None: the one that is current when a value arrives;
        without one, a background scheduler.
    """
    if seconds is None:
        if count is None:
            raise TypeError("Signal.buffer(): give it a count, seconds or both")
        return _part._buffer_with_count(self, count, count if skip is None else skip)
    if skip is not None:
        raise _both("Signal.buffer", "seconds", "skip")
    if count is None:
        return _part._buffer_with_time(self, seconds, scheduler=scheduler)
    return _part._buffer_with_time_or_count(self, seconds, count, scheduler=scheduler)


def window(
    self: Signal[Any],
    boundary: Any = None,
    closing: Callable[[Any], Any] | None = None,
    *,
    count: int | None = None,
    seconds: Any = None,
    skip: int | None = None,
    scheduler: Scheduler | None = None,
) -> Any:
    """Sends the values as signals, one after the other: a new one at each value of a
    boundary, after `count` values, or after `seconds`.

        source     --1--2--3--4--|
        window(2)  --A-----B-----|
        A            1--(2|)
        B                  3--(4|)

    boundary: a signal, whose values begin windows.
    closing: gets a value of the boundary, and returns the signal whose first value
        closes the window that it opened; windows may overlap then.
    count: how many values make a window, 1 or more.
    seconds: how long a window is.
    skip: with `count`, how many values after the beginning of one window the next begins.
    scheduler: where the time passes. None: the one that is current when a subscription
        begins; without one, a background scheduler.
    """
    if sum(each is not None for each in (boundary, count, seconds)) != 1:
        raise TypeError("Signal.window(): give it one of a boundary, a count and seconds")
    if count is not None:
        return _part._window_with_count(self, count, count if skip is None else skip)
    if skip is not None:
        raise TypeError("Signal.window(): skip goes with a count")
    if seconds is not None:
        return _part._window_with_time(self, seconds, scheduler=scheduler)
    if closing is not None:
        return _part._window_toggle(self, boundary, closing)
    return _part._window(self, boundary)


# ---- Several signals ---------------------------------------------------------------------


def merge(*signals: Any, bound: Bound | None = None, delay_error: bool = False) -> Any:
    """Sends what any of the signals sends; completes when all have.

        a      --1-----3--|
        b      ----2--|
        merge  --1-2---3--|

    signals: or what from_() makes one of.
    bound: how many values wait while another is being heard; None: any number.
    delay_error: whether an error waits until the other signals have ended.
    """
    if bound is not None:
        if delay_error:
            raise _both("merge", "bound", "delay_error")
        return _module._merge_bounded(signals, bound)
    return (_module._merge_delay_error if delay_error else _module._merge)(*signals)


def concat(*signals: Any, delay_error: bool = False) -> Any:
    """Sends what the signals send, one after the other.

        a       --1--|
        b            --2--3--|
        concat  --1----2--3--|

    signals: each is subscribed to when the one before has completed.
    delay_error: whether an error waits until the others have had their turn.
    """
    return (_module._concat_delay_error if delay_error else _module._concat)(*signals)


def combine_latest(*signals: Any, delay_error: bool = False) -> Any:
    """Sends the latest values of all signals as a tuple, whenever one of them sends and
    all have. For one value of them: .starmap(function).

        a               --1-----2-----|
        b               ----x------y--|
        combine_latest  ----c---d--e--|   c: (1,x), d: (2,x), e: (2,y)

    signals: or what from_() makes one of.
    delay_error: whether an error waits until the other signals have ended.
    """
    if delay_error:
        return _module._combine_latest_delay_error(*signals)
    return _module._combine_latest(*signals)


# ---- Signals of signals ------------------------------------------------------------------


def flat_map(
    self: Signal[Any],
    transform: Callable[[Any], Any],
    max_concurrent: int | None = None,
    bound: Bound | None = None,
) -> Any:
    """Makes a signal of each value, and sends what all of them send.

        source      --1------2--|
        x -> -x-x|  ---1-1----2-2|

    transform: gets the value, returns a signal, or what from_() makes one of, such as the
        coroutine of an async function; None for nothing. An exception ends the stream.
    max_concurrent: how many signals at once; the others wait for their turn. None: all.
    bound: with `max_concurrent`, how many values wait.
    """
    if max_concurrent is None:
        if bound is not None:
            raise TypeError("Signal.flat_map(): a bound goes with max_concurrent")
        return _part._flat_map(self, transform)
    if not callable(transform) and callable(max_concurrent):
        raise TypeError(
            "Signal.flat_map(): the order of arguments is flat_map(transform, max_concurrent)"
        )
    return _part._flat_map_limited(self, transform, max_concurrent, bound)


def flatten(
    self: Signal[Any], max_concurrent: int | None = None, bound: Bound | None = None
) -> Any:
    """Sends what the signals send that it is sent.

        source                     --a--b--|
        a                            -1--3--|
        b                               --4--5--|
        flatten()                  ---1--34--5--|
        flatten(max_concurrent=1)  ---1--3----4--5--|

    max_concurrent: how many signals at once, the others wait; 1 is one after the other.
        None: all.
    bound: with `max_concurrent`, how many signals wait.
    """
    if bound is None:
        return _part._flatten(self, max_concurrent)
    if max_concurrent is None:
        raise TypeError("Signal.flatten(): a bound goes with max_concurrent")
    return _part._flatten_bounded(self, max_concurrent, bound)


# ---- Errors ------------------------------------------------------------------------------


def catch(self: Signal[Any], handler: Any) -> Any:
    """Goes on with another signal instead of an error.

        source   --1--#
        another       --2--|
        catch    --1----2--|

    handler: a signal, or what from_() makes one of, or a function, which gets the
        exception and returns such a signal, None for an empty one. An exception of its
        own is the error. A function of two arguments gets the value, too, that a
        function of an operator was given when it raised; None where there was none.
    """
    if callable(handler) and not isinstance(handler, Signal):
        if _takes_two(handler):
            return _part._catch(self, _with_value(handler))
        return _part._catch(self, handler)
    return _part._catch_to(self, handler)


def _takes_two(function: Any) -> bool:
    """Whether a function of Python's has to have two arguments."""
    plain = getattr(function, "__func__", function)
    code = getattr(plain, "__code__", None)
    if code is None:
        return False
    bound = plain is not function
    needed = code.co_argcount - len(plain.__defaults__ or ()) - bound
    return bool(needed == 2)


def _with_value(handler: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    from .notes import value_of

    return lambda error: handler(error, value_of(error))


def timeout(
    self: Signal[Any], seconds: Any, other: Any = None, *, scheduler: Scheduler | None = None
) -> Any:
    """Fails with TimedOut, or goes on with another signal, when no value has come for
    some time.

        source      --1--2--------3--|
        timeout(5)  --1--2----#

    seconds: how long the first value, and each after another, may take.
    other: the signal that is heard instead, or what from_() makes one of.
    scheduler: where the time passes. None: the one that is current when a value
        arrives; without one, a background scheduler.
    """
    if other is None:
        return _part._timeout(self, seconds, scheduler=scheduler)
    return _part._timeout_to(self, seconds, other, scheduler=scheduler)


# ---- Time and threads --------------------------------------------------------------------


def audit(self: Signal[Any], duration: Any, *, scheduler: Scheduler | None = None) -> Any:
    """A value begins a time, at whose end the latest value is sent.

        source    --1-2-3-----4--|
        audit(5)  -------3-------(4|)

    duration: how long, in seconds; or a function, which gets the value that begins the
        time and returns the signal whose first value, or completion, ends it.
    scheduler: where the seconds pass. None: the one that is current when a value
        arrives; without one, a background scheduler.
    """
    if callable(duration):
        if scheduler is not None:
            raise _both("Signal.audit", "a function", "scheduler")
        return _part._audit_until(self, duration)
    return _part._audit(self, duration, scheduler=scheduler)


def delay_subscription(
    self: Signal[Any], when: Any, *, scheduler: Scheduler | None = None
) -> Any:
    """Subscribes to the source later: after some time, or when another signal sends.

        source                     ----1--2--|
        delay_subscription(4)  --------1--2--|

    when: seconds; or a signal, whose first value or completion begins it.
    scheduler: where the seconds pass. None: the one that is current when a subscription
        begins; without one, a background scheduler.
    """
    if isinstance(when, (int, float)) or hasattr(when, "total_seconds"):
        return _part._delay_subscription(self, when, scheduler=scheduler)
    if scheduler is not None:
        raise _both("Signal.delay_subscription", "a signal", "scheduler")
    return _part._delay_subscription_until(self, when)


def deliver_on(self: Signal[Any], scheduler: Scheduler, bound: Bound | None = None) -> Any:
    """Calls what is below on a scheduler.

    scheduler: a virtual one still ends when nobody holds it: then nothing more is
        delivered, and the subscription ends without an event.
    bound: how many values wait for the scheduler, and what happens to more. None: any
        number; a source that can be held is held at about 1,024.
    """
    if bound is None:
        return _part._deliver_on(self, scheduler)
    return _part._deliver_on_bounded(self, scheduler, bound)


# ---- Sharing -----------------------------------------------------------------------------


def publish(self: Signal[Any], subject: Subject[Any] | None = None) -> Connection[Any]:
    """One subscription for many: what subscribes to the connection's signal hears the
    source from when the connection is connected.

    subject: what passes the values on, such as a ReplaySubject; None: a new Subject.
    """
    made: Connection[Any]
    made = _part._publish(self) if subject is None else _part._multicast(self, subject)
    return made


# ---- Where signals come from -------------------------------------------------------------


def create(subscribe: Callable[[Any], Any], bound: Bound | None = None) -> Any:
    """A signal that calls a function for each subscription, which sends to the observer
    it is given.

        create  (12|)   (the callback sends 1 and 2, and completes)

    subscribe: gets an Observer, which it may keep to send after it has returned. Its
        result, if it is callable or a disposable, is called or disposed when the
        subscription ends.
    bound: how many values wait while another is being heard, and what happens to more.
        None: any number.
    """
    if bound is None:
        return _module._create(subscribe)
    return _module._create_bounded(bound, subscribe)


def interval(seconds: Any, leeway: Any = None, *, scheduler: Scheduler | None = None) -> Any:
    """Sends 0, 1, 2 and so on, for ever, each some time after the one before.

        interval(3)  ---0--1--2--3

    seconds: between two of them, and before the first.
    leeway: how much later one may come, so that timers can run together.
    scheduler: where it sends. None: the one that is current when a subscription begins;
        without one, a background scheduler.
    """
    if leeway is None:
        return _module._interval(seconds, scheduler=scheduler)
    return _module._interval_with_leeway(seconds, leeway, scheduler=scheduler)


METHODS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        audit, buffer, catch, combine_latest, concat, delay_subscription, deliver_on,
        distinct_until_changed, flat_map, flatten, merge, publish, reduce, scan,
        start_with, take_while, timeout, window,
    )
}
