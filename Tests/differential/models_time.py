"""Time. See marbles.py for which of two events at the same time comes first."""

from marbles import COMPLETED, DONE, ERROR, FAILED, NEXT, TIMED_OUT
from marbles import later, number, soon
from table import events, fails, limit, seconds, signals


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


@events(seconds)
def debounce(source, wait):
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


@events(seconds)
def buffer_with_time(source, wait):
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
        elif kind == COMPLETED:
            if gathered:
                out.append((moment, NEXT, tuple(gathered)))
            return out + [(moment, COMPLETED, DONE)]
        else:
            return out + [(moment, ERROR, value)]
    if gathered:
        out.append((due, NEXT, tuple(gathered)))
    return out


@signals(seconds)
def timeout(at, sources, wait):
    due = later(at, wait)  # started before the source is subscribed to
    source = sources[0](at)
    in_time = [event for event in source if event[0] < due]
    if in_time and in_time[-1][1] != NEXT:
        return in_time
    return in_time + [(due, ERROR, TIMED_OUT)]


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
def deliver_on_main(source):
    """The test is played on the main thread: at once."""
    return source


@signals()
def subscribe_on(at, sources):
    return sources[0](soon(at))
