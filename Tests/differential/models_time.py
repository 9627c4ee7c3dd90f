"""Time. See marbles.py for which of two events at the same time comes first."""

import math
from fractions import Fraction

from marbles import COMPLETED, DONE, ERROR, FAILED, NEXT, TIMED_OUT
from marbles import later, number, soon
from models_values import from_one
from table import UNIT, below, count, events, fails, limit, seconds, signals


@events(seconds)
def delay(source, wait):
    out = []
    for moment, kind, value in source:
        if kind == ERROR:
            # At once: what is still on its way is dropped.
            return [e for e in out if e[0] < moment] + [(moment, ERROR, value)]
        out.append((later(moment, wait), kind, value))
    return out


def throttled(source, wait, fails_at, is_held):
    out = []
    held = []  # at most one: when it is sent, and the value
    for moment, kind, value in source:
        if held and held[0][0] < moment:
            out.append((held[0][0], NEXT, held[0][1]))
            held = []
        if kind == NEXT:
            held = []
            if number(value) == fails_at:
                return out + [(moment, ERROR, FAILED)]
            if is_held(value):
                held = [(later(moment, wait), value)]
            else:
                out.append((moment, NEXT, value))
        elif kind == COMPLETED:
            out += [(moment, NEXT, value) for _, value in held]
            return out + [(moment, COMPLETED, DONE)]
        else:
            return out + [(moment, ERROR, value)]
    return out + [(due, NEXT, value) for due, value in held]


@events(seconds)
def throttle(source, wait):
    return throttled(source, wait, None, lambda value: True)


@events(fails, limit, seconds)
def throttle_passing_test(source, fails_at, highest, wait):
    return throttled(source, wait, fails_at, lambda value: number(value) > highest)


@events(seconds)
def throttle_first(source, wait):
    out = []
    opens = 0
    for moment, kind, value in source:
        if kind == NEXT:
            if moment[0] < opens:
                continue
            opens = moment[0] + wait
        out.append((moment, kind, value))
    return out


@events(seconds)
def throttle_latest(source, wait):
    out = []
    latest = []  # at most one that waits
    opens = None  # when it is sent; while there is none, values pass
    for moment, kind, value in source:
        while opens and opens < moment:
            out += [(opens, NEXT, v) for v in latest]
            opens = later(opens, wait) if latest else None
            latest = []
        if kind == NEXT and opens:
            latest = [value]
        elif kind == NEXT:
            out.append((moment, NEXT, value))
            opens = later(moment, wait)
        elif kind == COMPLETED:
            out += [(moment, NEXT, v) for v in latest]
            return out + [(moment, COMPLETED, DONE)]
        else:
            return out + [(moment, ERROR, value)]
    return out + [(opens, NEXT, v) for v in latest]


@events(seconds)
def audit(source, wait):
    out = []
    latest = []  # at most one that waits
    due = None  # when it is sent
    for moment, kind, value in source:
        if latest and due < moment:
            out += [(due, NEXT, v) for v in latest]
            latest = []
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == COMPLETED:
            out += [(moment, NEXT, v) for v in latest]
            return out + [(moment, COMPLETED, DONE)]
        if not latest:
            due = later(moment, wait)
        latest = [value]
    return out + [(due, NEXT, v) for v in latest]


def a_pause(rng):
    """Parts of a unit, too."""
    return (1 + below(rng, 12)) * UNIT // 6


@events(from_one, count, a_pause)
def rate_limit(source, burst, room, pause):
    """By how full the bucket is, at which time."""
    tokens, since = Fraction(burst), 0
    out, waiting = [], []
    due = None

    def fill(time):
        nonlocal tokens, since
        tokens, since = min(Fraction(burst), tokens + Fraction(time - since, pause)), time

    def missing():
        return int((1 - tokens) * pause)

    for moment, kind, value in source + [((math.inf,), None, None)]:
        while waiting and due < moment:
            fill(due[0])
            out.append((due, *waiting.pop(0)))
            tokens -= 1
            if waiting and waiting[0][0] == COMPLETED:
                return out + [(due, *waiting[0])]
            if waiting:
                due = later(due, missing())
        if kind == ERROR:
            return out + [(moment, kind, value)]
        if kind == COMPLETED and waiting:
            waiting.append((kind, value))
        elif kind == COMPLETED:
            return out + [(moment, kind, value)]
        elif kind == NEXT:
            fill(moment[0])
            if not waiting and tokens >= 1:
                tokens -= 1
                out.append((moment, kind, value))
            elif len(waiting) < room:
                waiting.append((kind, value))
                due = due if len(waiting) > 1 else later(moment, missing())
    return out


@signals(seconds)
def delay_subscription(at, sources, wait):
    return sources[0](later(at, wait))


@signals(inputs=2)
def delay_subscription_until(at, sources):
    for moment, kind, value in sources[1](at):
        return [(moment, ERROR, value)] if kind == ERROR else sources[0](moment)
    return []


def with_time(source, before):
    out = []
    for moment, kind, value in source:
        if kind == NEXT:
            value = (float(moment[0] - before(moment[0])), value)
        out.append((moment, kind, value))
    return out


@events()
def timestamp(source):
    return with_time(source, lambda time: 0)


@signals()
def time_interval(at, sources):
    times = [at[0]]

    def before(time):
        times.append(time)
        return times[-2]

    return with_time(sources[0](at), before)


def buffered(source, wait, most):
    out = []
    gathered = []
    due = None  # when what has gathered is sent
    for moment, kind, value in source:
        if gathered and due < moment:
            out.append((due, NEXT, tuple(gathered)))
            gathered = []
        if kind == NEXT:
            if not gathered:
                due = later(moment, wait)
            gathered.append(value)
            if len(gathered) == most:
                out.append((moment, NEXT, tuple(gathered)))
                gathered = []
        elif kind == COMPLETED:
            if gathered:
                out.append((moment, NEXT, tuple(gathered)))
            return out + [(moment, COMPLETED, DONE)]
        else:
            return out + [(moment, ERROR, value)]
    if gathered:
        out.append((due, NEXT, tuple(gathered)))
    return out


@events(seconds)
def buffer_with_time(source, wait):
    return buffered(source, wait, None)


@events(from_one, seconds)
def buffer_with_time_or_count(source, most, wait):
    return buffered(source, wait, most)


@signals(seconds)
def timeout(at, sources, wait):
    due = later(at, wait)  # started before the source is subscribed to
    source = sources[0](at)
    in_time = [event for event in source if event[0] < due]
    if in_time and in_time[-1][1] != NEXT:
        return in_time
    return in_time + [(due, ERROR, TIMED_OUT)]


def in_time(at, source, wait):
    """What comes before it is silent for too long, and when that is, if ever. A
    timer that comes too early waits for the rest."""
    out = []
    due = later(at, wait)
    last = at[0]
    for event in source(at) + [((math.inf,), NEXT, None)]:
        while due < event[0]:
            if last + wait <= due[0]:
                return out, due
            due = later(due, last + wait - due[0])
        out.append(event)
        if event[1] != NEXT:
            return out, None
        last = event[0][0]


@signals(seconds)
def idle_timeout(at, sources, wait):
    heard, due = in_time(at, sources[0], wait)
    return heard + [(due, ERROR, TIMED_OUT)] if due else heard


@signals(seconds, inputs=2)
def idle_timeout_to(at, sources, wait):
    heard, due = in_time(at, sources[0], wait)
    return heard + sources[1](due) if due else heard


@events()
def deliver_on(source):
    out = []
    turn = None  # the job that delivers what has gathered until it runs
    for moment, kind, value in source:
        if turn is None or turn < moment:
            turn = soon(moment)
        out.append((turn, kind, value))
    return out


@events()
def deliver_on_bounded(source):
    """There is room for all."""
    return deliver_on(source)


@events()
def deliver_on_main(source):
    """The test is played on the main thread: at once."""
    return source


@signals()
def subscribe_on(at, sources):
    return sources[0](soon(at))
