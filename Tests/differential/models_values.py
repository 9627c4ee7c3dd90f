"""One value at a time, and answers."""

from marbles import (
    COMPLETED,
    DONE,
    ERROR,
    FAILED,
    NEXT,
    TEST,
    TOO_FEW,
    WRONG_KIND,
    Error,
    Event,
    below,
    number,
    same,
)
from marbles import events as event_values, key, pairs, truth, truths
from table import (
    count,
    events,
    fails,
    flag,
    limit,
    parameter_value,
    signals,
    value as any_value,
)


def until_failure(source, number_that_fails):
    """The events, with an error in place of the value at which the callback
    fails."""
    for place, (moment, kind, value) in enumerate(source):
        if kind == NEXT and number(value) == number_that_fails:
            return source[:place] + [(moment, ERROR, FAILED)]
    return source


@events(fails)
def map(source, fails_at):
    return [
        (moment, kind, number(value) * 10 if kind == NEXT else value)
        for moment, kind, value in until_failure(source, fails_at)
    ]


@events(fails)
def try_map(source, fails_at):
    return map(source, fails_at)


@events(any_value)
def map_replace(source, parameter):
    replacement = parameter_value(parameter)
    return [(m, kind, replacement if kind == NEXT else v) for m, kind, v in source]


@events(fails, limit)
def filter(source, fails_at, highest):
    return [
        (moment, kind, value)
        for moment, kind, value in until_failure(source, fails_at)
        if kind != NEXT or number(value) > highest
    ]


@events()
def ignore_values(source):
    return [event for event in source if event[1] != NEXT]


@events(any_value)
def ignore(source, parameter):
    ignored = parameter_value(parameter)
    return [e for e in source if e[1] != NEXT or not same(e[2], ignored)]


@events()
def distinct_until_changed(source):
    out = []
    before = []
    for moment, kind, value in source:
        if kind == NEXT:
            if before and same(before[-1], value):
                continue
            before.append(value)
        out.append((moment, kind, value))
    return out


@events(fails)
def distinct_until_changed_by(source, fails_at):
    """By `key`."""
    out = []
    keys = []
    for moment, kind, value in until_failure(source, fails_at):
        if kind == NEXT:
            keys.append(key(value))
            if keys[-2:-1] == keys[-1:]:
                continue
        out.append((moment, kind, value))
    return out


@events(fails, flag)
def distinct(source, fails_at, without_key):
    """By `key`, or by the values themselves."""
    out = []
    for moment, kind, value in source if without_key else until_failure(source, fails_at):
        known = [e[2] for e in out]
        if kind == NEXT and without_key:
            if [v for v in known if same(v, value)]:
                continue
        elif kind == NEXT and key(value) in [key(v) for v in known]:
            continue
        out.append((moment, kind, value))
    return out


def from_one(rng):
    return 1 + below(rng, 4)


@events(from_one, from_one)
def buffer_with_count(source, size, skip):
    """Each tuple with those of the values that it covers."""
    values = [event for event in source if event[1] == NEXT]
    out = []
    for first in range(0, len(values), skip):
        covered = values[first : first + size]
        if len(covered) == size:
            out.append((covered[-1][0], NEXT, tuple([v for _, _, v in covered])))
        elif source[-1][1] == COMPLETED:
            out.append((source[-1][0], NEXT, tuple([v for _, _, v in covered])))
    return out + source[len(values) :]


@events()
def pairwise(source):
    out = []
    before = []
    for moment, kind, value in source:
        if kind != NEXT:
            out.append((moment, kind, value))
            continue
        before.append(value)
        if len(before) > 1:
            out.append((moment, NEXT, (before[-2], value)))
    return out


@events(count)
def element_at(source, index):
    values = [event for event in source if event[1] == NEXT]
    if index < len(values):
        moment, _, value = values[index]
        return [(moment, NEXT, value), (moment, COMPLETED, DONE)]
    ends = [event for event in source if event[1] != NEXT]
    return [(m, ERROR, TOO_FEW if k == COMPLETED else v) for m, k, v in ends]


@events(any_value)
def default_if_empty(source, parameter):
    if source and source[0][1] == COMPLETED:
        return [(source[0][0], NEXT, parameter_value(parameter))] + source
    return source


@events(fails, limit)
def step(source, fails_at, ends_at):
    """With `steps`: even values twice, as their number and as themselves."""
    out = []
    count = 0
    for moment, kind, value in source:
        if kind == NEXT:
            count += 1
            failed = number(value) == fails_at != ends_at
            if number(value) % 2 == 0:
                out.append((moment, NEXT, count))
                out += [] if failed else [(moment, NEXT, value)]
            if failed:
                return out + [(moment, ERROR, FAILED)]
            if number(value) == ends_at:
                return out + [(moment, COMPLETED, DONE)]
        elif kind == ERROR and number(value) == ends_at:
            out.append((moment, COMPLETED, DONE))
        else:
            out += [(moment, NEXT, count)] if kind == COMPLETED else []
            out.append((moment, kind, value))
    return out


@events(fails, limit)
def scan(source, fails_at, running):
    out = []
    for moment, kind, value in until_failure(source, fails_at):
        if kind == NEXT:
            running = running + number(value)
            value = running
        out.append((moment, kind, value))
    return out


@events(fails)
def scan_without_start(source, fails_at):
    out = []
    for moment, kind, value in source:
        if kind == NEXT and out:
            if number(value) == fails_at:
                return out + [(moment, ERROR, FAILED)]
            value = number(out[-1][2]) + number(value)
        out.append((moment, kind, value))
    return out


@events(fails, limit)
def scan_with_index(source, fails_at, running):
    out = []
    index = 0
    for moment, kind, value in until_failure(source, fails_at):
        if kind == NEXT:
            running = running + number(value) * (index + 1)
            index += 1
            value = running
        out.append((moment, kind, value))
    return out


def last_result(start, scanned):
    """The end of a scan, and before a completion its last result."""
    for moment, kind, value in scanned:
        if kind == NEXT:
            start = value
        elif kind == ERROR:
            return [(moment, ERROR, value)]
        else:
            return [(moment, NEXT, start), (moment, COMPLETED, DONE)]
    return []


@events(fails, limit)
def aggregate(source, fails_at, start):
    return last_result(start, scan(source, fails_at, start))


@events(fails, limit)
def aggregate_with_index(source, fails_at, start):
    return last_result(start, scan_with_index(source, fails_at, start))


@signals(fails, flag)
def aggregate_with_factory(at, sources, fails_at, factory_fails):
    if factory_fails:
        return [(at, ERROR, FAILED)]
    return last_result("7", scan(sources[0](at), fails_at, 7))


@events(fails, any_value)
def combine_previous(source, fails_at, start):
    previous = parameter_value(start)
    out = []
    for moment, kind, value in until_failure(source, fails_at):
        if kind == NEXT:
            out.append((moment, NEXT, (previous, value)))
            previous = value
        else:
            out.append((moment, kind, value))
    return out


@signals(count)
def take(at, sources, wanted):
    if wanted == 0:
        return [(at, COMPLETED, DONE)]
    out = []
    for moment, kind, value in sources[0](at):
        out.append((moment, kind, value))
        if kind == NEXT and len(out) == wanted:
            return out + [(moment, COMPLETED, DONE)]
    return out


@events(count)
def skip(source, unwanted):
    values = [event for event in source if event[1] == NEXT]
    ends = [event for event in source if event[1] != NEXT]
    return values[unwanted:] + ends


@events(count)
def take_last(source, wanted):
    values = [event[2] for event in source if event[1] == NEXT]
    for moment, kind, value in source:
        if kind == COMPLETED:
            last = values[-wanted:] if wanted > 0 else []
            return [(moment, NEXT, v) for v in last] + [(moment, COMPLETED, DONE)]
        if kind == ERROR:
            return [(moment, ERROR, value)]
    return []


@events(fails, limit)
def take_while(source, fails_at, highest):
    out = []
    for moment, kind, value in until_failure(source, fails_at):
        if kind == NEXT and not number(value) > highest:
            return out + [(moment, COMPLETED, DONE)]
        out.append((moment, kind, value))
    return out


@events(fails, limit)
def take_until_predicate(source, fails_at, highest):
    """Its callback says the contrary; so does skip_while's."""
    return take_while(source, fails_at, highest)


@events(fails, limit)
def take_until_inclusive(source, fails_at, highest):
    out = []
    for moment, kind, value in until_failure(source, fails_at):
        out.append((moment, kind, value))
        if kind == NEXT and not number(value) > highest:
            return out + [(moment, COMPLETED, DONE)]
    return out


@events(fails, limit)
def skip_until_predicate(source, fails_at, highest):
    for place, (moment, kind, value) in enumerate(source):
        if kind == NEXT and number(value) == fails_at:
            return [(moment, ERROR, FAILED)]
        if kind != NEXT or number(value) > highest:
            return source[place:]
    return []


@events(fails, limit)
def skip_while(source, fails_at, highest):
    return skip_until_predicate(source, fails_at, highest)


@signals(any_value)
def start_with(at, sources, parameter):
    return [(at, NEXT, parameter_value(parameter))] + sources[0](at)


@events()
def collect(source):
    values = [event[2] for event in source if event[1] == NEXT]
    for moment, kind, value in source:
        if kind == COMPLETED:
            return [(moment, NEXT, tuple(values)), (moment, COMPLETED, DONE)]
        if kind == ERROR:
            return [(moment, ERROR, value)]
    return []


@events(fails, value=pairs)
def reduce_each(source, fails_at):
    out = []
    for moment, kind, value in source:
        if kind == NEXT and type(value) is not tuple:
            return out + [(moment, ERROR, WRONG_KIND)]
        if kind == NEXT and number(value) == fails_at:
            return out + [(moment, ERROR, FAILED)]
        out.append((moment, kind, number(value) if kind == NEXT else value))
    return out


@events()
def materialize(source):
    out = []
    for moment, kind, value in source:
        out.append((moment, NEXT, Event(kind, value)))
        if kind != NEXT:
            out.append((moment, COMPLETED, DONE))
    return out


@events(value=event_values)
def dematerialize(source):
    out = []
    for moment, kind, value in source:
        if kind != NEXT:
            return out + [(moment, kind, value)]
        if type(value) is not Event:
            return out + [(moment, ERROR, WRONG_KIND)]
        out.append((moment, value.kind, value.value))
        if value.kind != NEXT:
            return out
    return out


@events(fails)
def try_(source, fails_at):
    out = []
    for moment, kind, value in source:
        if kind == NEXT and number(value) == fails_at:
            return out + [(moment, ERROR, Error(TEST, fails_at))]
        out.append((moment, kind, value))
    return out


# ---- Answers -------------------------------------------------------------------


def answer(moment, verdict):
    return [(moment, NEXT, verdict), (moment, COMPLETED, DONE)]


@events(fails, limit, flag)
def any(source, fails_at, highest, without_predicate):
    for moment, kind, value in source:
        if kind != NEXT:
            return answer(moment, False)
        if without_predicate:
            return answer(moment, True)
        if number(value) == fails_at:
            return [(moment, ERROR, FAILED)]
        if not number(value) > highest:
            return answer(moment, True)
    return []


@events(fails, limit)
def all(source, fails_at, highest):
    for moment, kind, value in source:
        if kind != NEXT:
            return answer(moment, kind == COMPLETED)
        if number(value) == fails_at:
            return [(moment, ERROR, FAILED)]
        if not number(value) > highest:
            return answer(moment, False)
    return []


def is_truth(value):
    return type(value) in (bool, int, float)


@events(value=truth)
def not_(source):
    out = []
    for moment, kind, value in source:
        if kind == NEXT and not is_truth(value):
            return out + [(moment, ERROR, WRONG_KIND)]
        out.append((moment, kind, not value if kind == NEXT else value))
    return out


def truth_of_tuples(source, verdict):
    out = []
    for moment, kind, value in source:
        if kind == NEXT:
            if type(value) is not tuple or len(value) == 0:
                return out + [(moment, ERROR, WRONG_KIND)]
            if [element for element in value if not is_truth(element)]:
                return out + [(moment, ERROR, WRONG_KIND)]
            value = verdict([element != 0 for element in value])
        out.append((moment, kind, value))
    return out


@events(value=truths)
def and_(source):
    return truth_of_tuples(source, lambda elements: False not in elements)


@events(value=truths)
def or_(source):
    return truth_of_tuples(source, lambda elements: True in elements)
