"""Looking on. A call of a callback is written down like an event, as CALLED."""

from marbles import CALLED, COMPLETED, ERROR, NEXT
from table import calls, events, signals


def called_before(source, is_heard, kinds, with_value):
    """A call before each event of these kinds."""
    out = []
    for moment, kind, value in source:
        if is_heard and kind in kinds:
            out.append((moment, CALLED, value if with_value else None))
        out.append((moment, kind, value))
    return out


@events(calls, speaks=True)
def do_next(source, is_heard):
    return called_before(source, is_heard, [NEXT], True)


@events(calls, speaks=True)
def do_error(source, is_heard):
    return called_before(source, is_heard, [ERROR], True)


@events(calls, speaks=True)
def do_completed(source, is_heard):
    return called_before(source, is_heard, [COMPLETED], False)


@events(calls, speaks=True)
def finally_(source, is_heard):
    return called_before(source, is_heard, [ERROR, COMPLETED], False)


def quiet(rng):
    """Calls at a disposal are no part of a recording: Tests/operators has them."""
    return 0


@events(quiet)
def do_finally(source, _):
    return source


@signals(calls, speaks=True)
def initially(at, sources, is_heard):
    call = [(at, CALLED, None)] if is_heard else []
    return call + sources[0](at)


def logged(source, kinds):
    """The player writes down of each line of the log what kind of event it
    tells of."""
    out = []
    for moment, kind, value in source:
        if kind in kinds:
            out.append((moment, CALLED, kind))
        out.append((moment, kind, value))
    return out


@events(speaks=True, chains=False)
def log_all(source):
    return logged(source, [NEXT, ERROR, COMPLETED])


@events(speaks=True, chains=False)
def log_next(source):
    return logged(source, [NEXT])


@events(speaks=True, chains=False)
def log_error(source):
    return logged(source, [ERROR])


@events(speaks=True, chains=False)
def log_completed(source):
    return logged(source, [COMPLETED])
