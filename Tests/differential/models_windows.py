"""Windows. Each has a line of its own, as group_by's groups have: 10 * line is added
to its events' kind."""

from marbles import COMPLETED, DONE, ERROR, FAILED, NEXT, Group, in_order, number
from models_nested import choice, marked, with_inner
from models_sources import interval
from models_values import from_one
from table import UNIT, below, events, fails, signals

WINDOW = Group(None)


def closed(moment, lines, kind=COMPLETED, value=DONE):
    return [(moment, kind + 10 * line, value) for line in lines]


@events(from_one, from_one, speaks=True, chains=False)
def window_with_count(source, size, skip):
    out = []
    sizes = []  # of the windows so far
    seen = 0
    for moment, kind, value in source:
        lines = [1 + i for i, had in enumerate(sizes) if had < size]
        if kind != NEXT:
            return out + closed(moment, lines + [0], kind, value)
        if seen % skip == 0:
            sizes.append(0)
            lines.append(len(sizes))
            out.append((moment, NEXT, WINDOW))
        seen += 1
        for line in lines:
            sizes[line - 1] += 1
            out.append((moment, NEXT + 10 * line, value))
        out += closed(moment, [line for line in lines if sizes[line - 1] == size])
    return out


@signals(inputs=2, speaks=True)
def window(at, sources):
    out = [(at, NEXT, WINDOW)]
    line = 1
    for moment, place, kind, value in in_order(*[source(at) for source in sources]):
        if kind == ERROR or (kind == COMPLETED and place == 0):
            return out + closed(moment, [line, 0], kind, value)
        if kind == NEXT and place == 0:
            out.append((moment, NEXT + 10 * line, value))
        elif kind == NEXT:
            out += closed(moment, [line]) + [(moment, NEXT, WINDOW)]
            line += 1
    return out


def some_windows(rng):
    """Not more than the player has lines for."""
    return (1 + below(rng, 5)) * UNIT


@signals(some_windows, speaks=True, chains=False)
def window_with_time(at, sources, seconds):
    return window(at, [sources[0], interval([], seconds)])


@signals(fails, inputs=(3, 5), speaks=True)
def window_toggle(at, sources, fails_at):
    openings, source = "openings", "source"
    ahead = marked(openings, sources[1](at))
    is_subscribed = False  # to the source: when what opens at once has opened
    out = []
    lines = []  # that are open
    latest = 0
    while ahead or not is_subscribed:
        if not is_subscribed and not (ahead and ahead[0][0] == at):
            is_subscribed = True
            ahead = with_inner(ahead, source, at, sources[0])
            continue
        moment, who, kind, value = ahead.pop(0)
        if kind == NEXT and who == openings and number(value) == fails_at:
            kind, value = ERROR, FAILED
        if kind == ERROR or (kind == COMPLETED and who == source):
            return out + closed(moment, lines + [0], kind, value)
        if kind == NEXT and who == source:
            out += [(moment, NEXT + 10 * line, value) for line in lines]
        elif kind == NEXT and who == openings:
            latest += 1
            lines.append(latest)
            out.append((moment, NEXT, WINDOW))
            closing = choice(value, sources[1:]) or (lambda m: [(m, COMPLETED, DONE)])
            ahead = with_inner(ahead, latest, moment, closing)
        elif who in lines:
            lines.remove(who)
            ahead = [event for event in ahead if event[1] != who]
            out += closed(moment, [who])
    return out
