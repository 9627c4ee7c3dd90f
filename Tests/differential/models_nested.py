"""Signals of signals. Such a source sends, in the models, functions: signals."""

import operator

from marbles import (
    COMPLETED,
    DONE,
    ERROR,
    FAILED,
    NEXT,
    NO_CASE,
    WRONG_KIND,
    Error,
    Group,
    below,
    key,
    number,
    plain,
    same,
    truth,
)
from models_values import take
from table import events, fails, flag, limit, signals

OUTER = 0


def marked(who, source):
    return [(moment, who, kind, value) for moment, kind, value in source]


def with_inner(ahead, who, moment, signal):
    """What is ahead, with a signal that is subscribed to now. What it sends
    meanwhile comes first; where a subject sends to several, whoever subscribed
    first hears it first."""
    inner = marked(who, signal(moment))
    at_once = [event for event in inner if event[0] == moment]
    coming = [event for event in inner if event[0] != moment]
    return at_once + sorted(ahead + coming, key=operator.itemgetter(0))


def choice(value, inner):
    """The signal that the callback `choose` gives for a value; a string none."""
    if type(value) is str:
        return None
    return inner[number(value) % len(inner)]


def flattened(outer, at_a_time):
    """Sends what the signals send that `outer` sends, so many at a time."""
    out = []
    ahead = marked(OUTER, outer)
    waiting = []
    running = 0
    outer_is_done = False
    while ahead:
        moment, who, kind, value = ahead.pop(0)
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT and who != OUTER:
            out.append((moment, NEXT, value))
        elif kind == NEXT and value is None:
            pass
        elif kind == NEXT and not callable(value):
            return out + [(moment, ERROR, WRONG_KIND)]
        elif kind == NEXT:
            waiting.append(value)
        elif who == OUTER:
            outer_is_done = True
        else:
            running -= 1
        if waiting and (at_a_time == 0 or running < at_a_time):
            running += 1
            ahead = with_inner(ahead, "inner", moment, waiting.pop(0))
        if outer_is_done and running == 0:
            return out + [(moment, COMPLETED, DONE)]
    return out


def latest(outer):
    """Sends what the latest of the signals sends that `outer` sends."""
    out = []
    ahead = marked(OUTER, outer)
    chosen = OUTER  # counts the signals
    is_running = outer_is_done = False
    while ahead:
        moment, who, kind, value = ahead.pop(0)
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT and who != OUTER:
            out.append((moment, NEXT, value))
        elif kind == NEXT:
            ahead = [event for event in ahead if event[1] == OUTER]
            is_running = value is not None
            if is_running and not callable(value):
                return out + [(moment, ERROR, WRONG_KIND)]
            if is_running:
                chosen += 1
                ahead = with_inner(ahead, chosen, moment, value)
        elif who == OUTER:
            outer_is_done = True
        else:
            is_running = False
        if outer_is_done and not is_running:
            return out + [(moment, COMPLETED, DONE)]
    return out


def chosen_by(outer, choose):
    """The signal that `choose` gives in place of each value; an error ends it."""
    out = []
    for moment, kind, value in outer:
        if kind == NEXT:
            value = choose(value)
            if type(value) is Error:
                return out + [(moment, ERROR, value)]
        out.append((moment, kind, value))
    return out


def up_to_two(rng):
    return below(rng, 3)


def chosen(at, sources, fails_at):
    def choose(value):
        return FAILED if number(value) == fails_at else choice(value, sources[1:])

    return chosen_by(sources[0](at), choose)


@signals(fails, inputs=(2, 4))
def flatten_map(at, sources, fails_at):
    return flattened(chosen(at, sources, fails_at), 0)


@signals(fails, up_to_two, inputs=(2, 4))
def flatten_map_limited(at, sources, fails_at, at_a_time):
    """The bound has room for all."""
    return flattened(chosen(at, sources, fails_at), at_a_time)


@signals(fails, inputs=(2, 4))
def concat_map(at, sources, fails_at):
    return flattened(chosen(at, sources, fails_at), 1)


@signals(fails, inputs=(2, 4))
def switch_map(at, sources, fails_at):
    return latest(chosen(at, sources, fails_at))


@signals(fails, inputs=(2, 4))
def exhaust_map(at, sources, fails_at):
    """A value counts, and the callback is called for it, while no signal runs."""
    out = []
    ahead = marked(OUTER, sources[0](at))
    is_running = outer_is_done = False
    while ahead:
        moment, who, kind, value = ahead.pop(0)
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT and who != OUTER:
            out.append((moment, NEXT, value))
        elif kind == NEXT and not is_running:
            if number(value) == fails_at:
                return out + [(moment, ERROR, FAILED)]
            signal = choice(value, sources[1:])
            if signal:
                is_running = True
                ahead = with_inner(ahead, "inner", moment, signal)
        elif kind == COMPLETED and who == OUTER:
            outer_is_done = True
        elif kind == COMPLETED:
            is_running = False
        if outer_is_done and not is_running:
            return out + [(moment, COMPLETED, DONE)]
    return out


@signals(fails, inputs=(2, 4))
def delay_when(at, sources, fails_at):
    """As if each value were mapped to a signal of it, which waits for another one."""

    def wait(value):
        if number(value) == fails_at:
            return FAILED
        signal = choice(value, sources[1:])

        def attach(at):
            for moment, kind, error in signal(at) if signal else [(at, COMPLETED, DONE)]:
                if kind == ERROR:
                    return [(moment, ERROR, error)]
                return [(moment, NEXT, value), (moment, COMPLETED, DONE)]
            return []

        return attach

    return flattened(chosen_by(sources[0](at), wait), 0)


@signals(fails, inputs=(2, 4))
def audit_until(at, sources, fails_at):
    """A value that finds none waiting is given a signal, whose first sign sends the
    latest."""
    out = []
    ahead = marked(OUTER, sources[0](at))
    held = []  # at most one
    while ahead:
        moment, who, kind, value = ahead.pop(0)
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if who != OUTER:
            ahead = [event for event in ahead if event[1] == OUTER]
            out.append((moment, NEXT, held.pop()))
        elif kind == COMPLETED:
            out += [(moment, NEXT, v) for v in held]
            return out + [(moment, COMPLETED, DONE)]
        elif held:
            held = [value]
        elif number(value) == fails_at:
            return out + [(moment, ERROR, FAILED)]
        elif signal := choice(value, sources[1:]):
            held = [value]
            ahead = with_inner(ahead, "sign", moment, signal)
        else:
            out.append((moment, NEXT, value))
    return out


@signals(fails, inputs=(2, 4))
def expand(at, sources, fails_at):
    """By `one_less`: of 1 to 4 two values that are one less. One signal is subscribed
    to after the other, each when what the one before sent at once has been heard."""
    out = []
    ahead = marked(OUTER, sources[0](at))
    at_once, starts = [], []
    running = 1
    while ahead or at_once or starts:
        if starts and not at_once:
            inner = marked("inner", starts.pop(0)(moment))
            at_once = [event for event in inner if event[0] == moment]
            coming = [event for event in inner if event[0] != moment]
            ahead = sorted(ahead + coming, key=operator.itemgetter(0))
            continue
        moment, _, kind, value = (at_once or ahead).pop(0)
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT:
            out.append((moment, NEXT, value))
            if number(value) == fails_at:
                return out + [(moment, ERROR, FAILED)]
            running += 1
            starts.append(one_less(value, sources[1:]))
        else:
            running -= 1
            if running == 0:
                return out + [(moment, COMPLETED, DONE)]
    return out


def one_less(value, inner):
    signal = choice(value, inner) if 1 <= number(value) <= 4 else None
    return two_of(signal, number(value) - 1) if signal else nothing


def nothing(at):
    return [(at, COMPLETED, DONE)]


def two_of(signal, replacement):
    def attach(at):
        return [
            (moment, kind, replacement if kind == NEXT else value)
            for moment, kind, value in take(at, [signal], 2)
        ]

    return attach


@signals(fails, limit, inputs=(2, 4))
def bind(at, sources, fails_at, stops_at):
    outer = []
    for moment, kind, value in sources[0](at):
        if kind != NEXT:
            outer.append((moment, kind, value))
        elif number(value) == fails_at:
            outer.append((moment, ERROR, FAILED))
            break
        else:
            signal = choice(value, sources[1:])
            outer.append((moment, NEXT, signal))
            if signal is None or number(value) == stops_at:
                outer.append((moment, COMPLETED, DONE))
                break
    return flattened(outer, 0)


def signals_below(rng, node, source):
    """A source of signals: other signals in place of what a source sends."""
    others = [source(rng) for _ in range(1 + below(rng, 3))]
    return [node("signals", [], [source(rng)] + others)]


def as_signal(value, inner):
    """nil and strings stay what they are."""
    if value is None or type(value) is str:
        return value
    return choice(value, inner)


def source_of_signals(sources):
    def attach(at):
        return chosen_by(sources[0](at), lambda v: as_signal(v, sources[1:]))

    return attach


@signals(up_to_two, make=signals_below, chains=False)
def flatten(at, sources, at_a_time):
    return flattened(sources[0](at), at_a_time)


@signals(up_to_two, make=signals_below, chains=False)
def flatten_bounded(at, sources, at_a_time):
    """There is room for all."""
    return flatten(at, sources, at_a_time)


@signals(make=signals_below, chains=False)
def switch_to_latest(at, sources):
    return latest(sources[0](at))


@signals(inputs=3, value=truth)
def if_(at, sources):
    source, yes, no = sources

    def choose(value):
        if type(value) not in (bool, int, float):
            return WRONG_KIND
        return yes if value else no

    return latest(chosen_by(source(at), choose))


def key_of_a_case(rng):
    return below(rng, 5)


@signals(up_to_two, key_of_a_case, key_of_a_case, inputs=(3, 4), value=plain)
def switch(at, sources, case_count, *keys):
    cases = sources[1 : 1 + case_count]
    fallback = sources[1 + case_count] if len(sources) > 1 + case_count else NO_CASE

    def choose(value):
        for place in range(case_count):
            if same(value, keys[place]):
                return cases[place]
        return fallback

    return latest(chosen_by(sources[0](at), choose))


@events(fails, flag, speaks=True, chains=False)
def group_by(source, fails_at, is_plain):
    """Each group has a line of its own: 10 * line is added to its events' kind."""
    out = []
    keys = []

    def end(moment, kind, value):
        lines = range(len(keys) + 1)
        return [(moment, kind + 10 * line, value) for line in lines]

    for moment, kind, value in source:
        if kind != NEXT:
            return out + end(moment, kind, value)
        if number(value) == fails_at:
            return out + end(moment, ERROR, FAILED)
        if key(value) not in keys:
            keys.append(key(value))
            out.append((moment, NEXT, Group(key(value))))
        sent = value if is_plain else number(value) * 10
        out.append((moment, NEXT + 10 * (keys.index(key(value)) + 1), sent))
    return out
