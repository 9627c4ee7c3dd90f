"""What the engine and the models both speak: values, events, moments, and random
sources.

A signal, for a model, is a function: given the moment at which somebody
subscribes, it returns the list of the events that the subscriber hears, each a
tuple (moment, kind, value), in order. After an end there is nothing.

Values are nil (None), truth values, integers, times (float), strings that spell a number, tuples
of values, and Error, Event, Group.

Moments: which event comes first
--------------------------------

Everything happens inside jobs of one virtual scheduler, and what happens in the
same job has the same moment: there the order in the list is the order in time. A
job's moment is (time, the moment in which it was scheduled, a number that grows
with each scheduling). Moments compare as tuples, which says the whole rule: the
earlier time first; at the same time, what was scheduled in an earlier job first;
within one job, what was scheduled first.

Jobs that are scheduled without a delay run as soon as the present job is over, in
the order in which they were scheduled, before all that have a time: `soon`.
"""

import itertools
import operator
import struct
from typing import Any, NamedTuple

NEXT, ERROR, COMPLETED, CALLED = 1, 2, 3, 4
DONE = None  # the value of a completion

# Times, in seconds, are multiples of it, but for those in chains and trees.
UNIT = 100000000
# When a case is disposed at the latest: models need not look further.
HORIZON = 40 * UNIT


class Error(NamedTuple):
    domain: int
    code: int


class Event(NamedTuple):
    kind: int
    value: Any


class Group(NamedTuple):
    key: Any


# Domains, as in values.c.
TEST, CALLBACK, RAC, SIGNAL = range(4)
FAILED = Error(CALLBACK, -50)  # a callback that fails
WRONG_KIND = Error(RAC, -5004)  # an operator that cannot use a value
TOO_FEW = Error(RAC, -5011)  # no value with that index
TIMED_OUT = Error(SIGNAL, 1)
NO_CASE = Error(SIGNAL, 2)
NEVER = -(1 << 40)  # no value has this number: the callback that never fails


def key(value):
    """What callbacks group by: the remainder of 3, which in C has the number's sign."""
    if value is None:
        return None
    remainder = abs(number(value)) % 3
    return remainder if number(value) >= 0 else -remainder


def number(value):
    """What callbacks count with, whatever the value is: number_of in values.c."""
    kind = type(value)
    if kind is int:
        return value
    if value is None:
        return 0
    if kind is tuple:
        return sum(map(number, value))
    if kind is Error:
        return value.code
    if kind is Event:
        return number(value.value)
    return 0 if kind is float else int(value)


def same(a, b):
    """rac_value_equal: as in Python True is 1."""
    numbers = (bool, int, float)
    if type(a) is not type(b) and not (type(a) in numbers and type(b) in numbers):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


# ---- Moments -------------------------------------------------------------------

ROOT = (0, (), 0)  # the first job: building and subscribing
LAST = float("inf")  # scheduled behind everything else of its moment
scheduled = itertools.count(1)


def later(moment, seconds, place=None):
    """The moment of a job that is scheduled now for so much later."""
    return (
        moment[0] + seconds,
        moment,
        next(scheduled) if place is None else place,
    )


def soon(moment):
    """The moment of a job that is scheduled now, without a delay."""
    generation, path = moment[3:] or (0, ())
    return moment[:3] + (generation + 1, path + (next(scheduled),))


def in_order(*lists):
    """The events of several inputs, subscribed to in this order, as one list of
    (moment, input, kind, value)."""
    marked = [
        (moment, place, kind, value)
        for place, events in enumerate(lists)
        for moment, kind, value in events
    ]
    return sorted(marked, key=operator.itemgetter(0))


def until_end(events):
    """Without what follows the first end."""
    for place, event in enumerate(events):
        if event[1] in (ERROR, COMPLETED):
            return events[: place + 1]
    return events


# ---- Random sources ------------------------------------------------------------


def below(rng, limit):
    """Like rng.randrange(limit), and faster."""
    return int(rng.random() * limit)


def plain(rng):
    """Small integers, so that they repeat; now and then nil or a string."""
    kind = below(rng, 10)
    if kind == 0:
        return None
    return str(below(rng, 4)) if kind == 1 else below(rng, 6)


def numbers(rng):
    """Integers, truth values, and halves, which doubles add exactly."""
    kind = below(rng, 40)
    if kind == 0:
        return plain(rng)
    if kind < 4:
        return kind == 2
    return below(rng, 6) if kind < 20 else below(rng, 20) / 2 - 4


def truth(rng):
    kind = below(rng, 10)
    return plain(rng) if kind == 0 else kind < 5 if kind < 9 else below(rng, 2)


def pairs(rng):
    if below(rng, 10) == 0:
        return plain(rng)
    return tuple(plain(rng) for _ in range(below(rng, 4)))


def truths(rng):
    if below(rng, 10) == 0:
        return pairs(rng)
    return tuple(truth(rng) for _ in range(1 + below(rng, 3)))


def events(rng):
    kind = below(rng, 12)
    if kind == 0:
        return plain(rng)
    if kind == 1:
        return Event(COMPLETED, None)
    return Event(ERROR, failure(rng)) if kind == 2 else Event(NEXT, plain(rng))


def failure(rng):
    code = below(rng, 6)
    return None if code == 5 else Error(TEST, code)


def some_time(rng, later_only):
    time = below(rng, 14) - 2
    return -1 if time < 0 and not later_only else max(time, 0) * UNIT


def marble(rng, value=plain, later_only=False):
    """A source's events: a list of (time, kind, value), where the time -1 stands
    for during the subscription. Sources may go on after their end."""
    times = sorted([some_time(rng, later_only) for _ in range(below(rng, 7))])
    found = [(time, NEXT, value(rng)) for time in times]
    end = below(rng, 10)
    if end < 8:
        time = max(times[-1:] + [some_time(rng, later_only)])
        if end < 6:
            found.append((time, COMPLETED, DONE))
        else:
            found.append((time, ERROR, failure(rng)))
        if below(rng, 16) == 0:
            found.append((time, NEXT, value(rng)))
            found.append((max(time, 0) + UNIT, COMPLETED, DONE))
    return found


# ---- Values as numbers, as in values.c -----------------------------------------


def put(value, out):
    kind = type(value)
    if kind is int:
        out += (2, value)
    elif value is None:
        out.append(0)
    elif kind is bool:
        out += (1, int(value))
    elif kind is float:
        out += (3, *struct.unpack("q", struct.pack("d", value)))
    elif kind is str:
        out += (4, int(value))
    elif kind is Error:
        out += (9, value.domain, value.code)
    elif kind is Event:
        out += (11, value.kind)
        put(value.value, out)
    elif kind is Group:
        out.append(10)
        put(value.key, out)
    else:
        out += (8, len(value))
        for element in value:
            put(element, out)


def take(numbers):
    """The other way round, from an iterator: what failures are shown with."""
    kind = next(numbers)
    if kind == 0:
        return None
    if kind == 1:
        return bool(next(numbers))
    if kind == 3:
        return struct.unpack("d", struct.pack("q", next(numbers)))[0]
    if kind == 4:
        return str(next(numbers))
    if kind == 8:
        return tuple([take(numbers) for _ in range(next(numbers))])
    if kind == 9:
        return Error(next(numbers), next(numbers))
    if kind == 10:
        return Group(take(numbers))
    if kind == 11:
        return Event(next(numbers), take(numbers))
    return next(numbers)
