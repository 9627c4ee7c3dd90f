"""Events as text, as docs/Testing.md has it: 1@0.1 2@0.2 #3@0.3. An event without a
time belongs to the subscription."""

from marbles import CALLED, COMPLETED, ERROR, TEST, Error, Event, Group

SECOND = 1e9
DOMAINS = ["test", "callback", "rac", "rac.signal"]


def error(value):
    """The domain is named where it is not the usual one."""
    if value is None:
        return "#nil"
    if value.domain == TEST:
        return "#{}".format(value.code)
    return "#{}[{}]".format(value.code, DOMAINS[value.domain])


def text(value):
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"{}"'.format(value)
    if isinstance(value, Error):
        return error(value)
    if isinstance(value, Event):
        return "<{}>".format(event(value.kind, value.value))
    if isinstance(value, Group):
        return "?[{}]".format(text(value.key))
    if isinstance(value, tuple):
        return "({})".format(",".join(map(text, value)))
    return str(value)


def event(kind, value):
    if kind == COMPLETED:
        return "|"
    if kind == ERROR:
        return error(value)
    return "called[{}]".format(text(value)) if kind == CALLED else text(value)


def listed(events):
    """(nanoseconds, kind, value) and so on; -1 is during the subscription."""
    return " ".join(
        event(kind, value) + ("@{:g}".format(time / SECOND) if time >= 0 else "")
        for time, kind, value in events
    )
