"""Several signals. They are subscribed to in the order in which they are given,
unless the model says otherwise."""

import operator

from marbles import COMPLETED, DONE, ERROR, NEXT, WRONG_KIND, in_order, truth
from models_values import reduce_each
from table import count, fails, signals

SOME = (0, 4)


def subscribed(at, sources):
    return in_order(*[source(at) for source in sources])


@signals(inputs=SOME)
def merge(at, sources):
    out = []
    running = len(sources)
    for moment, _, kind, value in subscribed(at, sources):
        if kind == COMPLETED:
            running -= 1
            if running > 0:
                continue
        out.append((moment, kind, value))
        if kind == ERROR:
            return out
    return out if sources else [(at, COMPLETED, DONE)]


@signals(inputs=SOME)
def merge_bounded(at, sources):
    """There is room for all."""
    return merge(at, sources)


@signals(inputs=2)
def merge_with(at, sources):
    return merge(at, sources)


def without_errors(signal, errors):
    """Completes instead of failing, and writes the errors down with their moments."""

    def attach(at):
        heard = signal(at)
        errors.extend([(moment, v) for moment, kind, v in heard if kind == ERROR])
        return [(m, COMPLETED if k == ERROR else k, DONE if k == ERROR else v) for m, k, v in heard]

    return attach


def delaying(model, at, sources):
    errors = []
    heard = model(at, [without_errors(source, errors) for source in sources])
    if errors and heard and heard[-1][1] == COMPLETED:
        first = min(errors, key=operator.itemgetter(0))
        return heard[:-1] + [(heard[-1][0], ERROR, first[1])]
    return heard


@signals(inputs=SOME)
def merge_delay_error(at, sources):
    return delaying(merge, at, sources)


@signals(inputs=SOME)
def combine_latest_delay_error(at, sources):
    return delaying(combine_latest, at, sources)


@signals(inputs=SOME)
def zip(at, sources):
    if not sources:
        return [(at, COMPLETED, DONE)]
    out = []
    waiting = [[] for _ in sources]
    is_done = [False for _ in sources]
    for moment, place, kind, value in subscribed(at, sources):
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT:
            waiting[place].append(value)
            if [] not in waiting:
                out.append((moment, NEXT, tuple([line.pop(0) for line in waiting])))
        else:
            is_done[place] = True
        for place in range(len(sources)):
            if is_done[place] and not waiting[place]:
                return out + [(moment, COMPLETED, DONE)]
    return out


@signals(inputs=2)
def zip_with(at, sources):
    return zip(at, sources)


@signals(fails, inputs=SOME)
def zip_reduce(at, sources, fails_at):
    return reduce_each(zip(at, sources), fails_at)


@signals(inputs=SOME)
def combine_latest(at, sources):
    if not sources:
        return [(at, COMPLETED, DONE)]
    out = []
    latest = {}
    running = len(sources)
    for moment, place, kind, value in subscribed(at, sources):
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if kind == NEXT:
            latest[place] = value
            if len(latest) == len(sources):
                row = tuple([latest[i] for i in range(len(sources))])
                out.append((moment, NEXT, row))
        else:
            running -= 1
            if running == 0:
                return out + [(moment, COMPLETED, DONE)]
    return out


@signals(inputs=2)
def combine_latest_with(at, sources):
    return combine_latest(at, sources)


@signals(fails, inputs=SOME)
def combine_latest_reduce(at, sources, fails_at):
    return reduce_each(combine_latest(at, sources), fails_at)


@signals(inputs=2)
def take_until(at, sources):
    source, trigger = sources
    out = []
    for moment, place, kind, value in subscribed(at, [trigger, source]):
        if place == 1:
            out.append((moment, kind, value))
            if kind != NEXT:
                return out
        elif kind != ERROR:
            return out + [(moment, COMPLETED, DONE)]
    return out


@signals(inputs=2)
def take_until_replacement(at, sources):
    source, replacement = sources
    out = []
    is_replaced = False
    for moment, place, kind, value in subscribed(at, [replacement, source]):
        if place == 0:
            is_replaced = True
            out.append((moment, kind, value))
            if kind != NEXT:
                return out
        elif not is_replaced and kind != COMPLETED:
            out.append((moment, kind, value))
            if kind == ERROR:
                return out
    return out


@signals(inputs=2)
def skip_until(at, sources):
    source, trigger = sources
    out = []
    passes = False
    for moment, place, kind, value in subscribed(at, [trigger, source]):
        if place == 0:
            if kind == ERROR and not passes:
                return out + [(moment, ERROR, value)]
            passes = passes or kind == NEXT
        elif kind != NEXT:
            return out + [(moment, kind, value)]
        elif passes:
            out.append((moment, NEXT, value))
    return out


@signals(inputs=SOME)
def race(at, sources):
    if not sources:
        return [(at, COMPLETED, DONE)]
    heard = subscribed(at, sources)
    return [(m, kind, v) for m, place, kind, v in heard if place == heard[0][1]]


def sampled(at, sources, repeats):
    out = []
    latest = []
    for moment, place, kind, value in subscribed(at, sources):
        if kind != NEXT:
            return out + [(moment, kind, value)]
        if place == 0:
            latest = [value]
        elif latest:
            out.append((moment, NEXT, latest[0]))
            latest = latest if repeats else []
    return out


@signals(inputs=2)
def sample(at, sources):
    return sampled(at, sources, True)


@signals(inputs=2)
def sample_when_new(at, sources):
    return sampled(at, sources, False)


def with_truth(rng, node, source):
    return [source(rng), source(rng, truth)]


@signals(count, make=with_truth)
def pausable(at, sources, room):
    source, running = sources
    out, waiting = [], []
    runs = source_is_done = False
    for moment, place, kind, value in subscribed(at, [running, source]):
        if kind == ERROR:
            return out + [(moment, ERROR, value)]
        if place == 0 and kind == COMPLETED and not runs:
            return out + [(moment, COMPLETED, DONE)]
        if place == 0 and kind == NEXT:
            if type(value) not in (bool, int, float):
                return out + [(moment, ERROR, WRONG_KIND)]
            runs = bool(value)
            if runs:
                out += [(moment, NEXT, v) for v in waiting]
                waiting = []
        elif place == 1 and kind == NEXT and runs:
            out.append((moment, NEXT, value))
        elif place == 1 and kind == NEXT:
            waiting = (waiting + [value])[-room:] if room else []
        elif place == 1:
            source_is_done = True
        if source_is_done and not waiting:
            return out + [(moment, COMPLETED, DONE)]
    return out


@signals(inputs=2)
def with_latest_from(at, sources):
    source, other = sources
    out = []
    latest = []
    for moment, place, kind, value in subscribed(at, [other, source]):
        if place == 0 and kind == NEXT:
            latest = [value]
        elif place == 0 and kind == ERROR:
            return out + [(moment, ERROR, value)]
        elif place == 1 and kind == NEXT and latest:
            out.append((moment, NEXT, (value, latest[0])))
        elif place == 1 and kind != NEXT:
            return out + [(moment, kind, value)]
    return out
