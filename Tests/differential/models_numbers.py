"""Sums and statistics, at the end and as they go."""

import builtins
import math

from marbles import (
    COMPLETED,
    DONE,
    ERROR,
    NEXT,
    TOO_FEW,
    UNIT,
    WRONG_KIND,
    Error,
    below,
    key,
    numbers,
    truth,
)
from models_sources import some_seconds
from models_values import from_one, is_truth, until_failure
from table import events, fails


@events()
def count_(source):
    """At the completion, how many there were."""
    values = [event for event in source if event[1] == NEXT]
    ends = [event for event in source if event[1] != NEXT]
    return [(m, NEXT, len(values)) for m, kind, _ in ends if kind == COMPLETED] + ends


def at_the_end(source, result):
    """What `result` makes of all values before a completion: a list of values, or an
    error."""
    values = [event for event in source if event[1] == NEXT]
    for moment, kind, value in source[len(values) :]:
        if kind == ERROR:
            return [(moment, ERROR, value)]
        made = result([v for _, _, v in values])
        if type(made) is Error:
            return [(moment, ERROR, made)]
        return [(moment, NEXT, v) for v in made] + [(moment, COMPLETED, DONE)]
    return []


def until_no_number(source):
    for place, (moment, kind, value) in enumerate(source):
        if kind == NEXT and not is_truth(value):
            return source[:place] + [(moment, ERROR, WRONG_KIND)]
    return source


least, greatest = builtins.min, builtins.max


def fits(number):
    return -(2**63) <= number < 2**63


def total(values):
    if [v for v in values if type(v) is float]:
        return math.fsum(values)
    return sum([int(v) for v in values])


@events(value=numbers)
def sum_(source):
    def result(values):
        sum = total(values)
        return [sum] if type(sum) is float or fits(sum) else TOO_FEW

    return at_the_end(until_no_number(source), result)


@events(value=numbers)
def average(source):
    def result(values):
        return [float(total(values)) / len(values)] if values else []

    return at_the_end(until_no_number(source), result)


@events(value=numbers)
def min(source):
    return at_the_end(until_no_number(source), lambda v: [least(v)] if v else [])


@events(value=numbers)
def max(source):
    return at_the_end(until_no_number(source), lambda v: [greatest(v)] if v else [])


def by_rank(source, fails_at, pick):
    """The first value is compared with nothing."""
    return at_the_end(source[:1] + until_failure(source[1:], fails_at), pick)


def rank(value):
    """What `order` goes by."""
    return -math.inf if value is None else key(value)


@events(fails)
def min_with_comparer(source, fails_at):
    return by_rank(source, fails_at, lambda v: [least(v, key=rank)] if v else [])


@events(fails)
def max_with_comparer(source, fails_at):
    return by_rank(source, fails_at, lambda v: [greatest(v, key=rank)] if v else [])


def window(source, size, result):
    """What `result` makes of the last values, for each."""
    out = []
    values = []
    for moment, kind, value in until_no_number(source):
        if kind == NEXT:
            values = (values + [float(value)])[-size:]
            value = result(values)
        out.append((moment, kind, value))
    return out


@events(from_one, value=numbers)
def rolling_mean(source, size):
    return window(source, size, lambda v: math.fsum(v) / len(v))


def one_or_two(rng):
    return 1 + below(rng, 2)


@events(one_or_two, value=truth, chains=False)
def rolling_variance(source, size):
    """Of so few and so small ones that doubles are exact. Not in chains: what the player's callbacks make of NaN
    is no operator's matter."""

    def result(values):
        return (values[1] - values[0]) ** 2 / 2 if len(values) > 1 else math.nan

    return window(source, size, result)


@events(from_one, value=numbers)
def rolling_min(source, size):
    return window(source, size, least)


@events(from_one, value=numbers)
def rolling_max(source, size):
    return window(source, size, greatest)


def recent(source, span, result):
    """What `result` makes of the values of the last seconds, for each."""
    out = []
    came = []
    for moment, kind, value in until_no_number(source):
        if kind == NEXT:
            came.append((moment[0], float(value)))
            value = result([v for time, v in came if moment[0] - time < span])
        out.append((moment, kind, value))
    return out


@events(some_seconds, value=numbers)
def rolling_mean_with_time(source, span):
    return recent(source, span, lambda v: math.fsum(v) / len(v))


@events(some_seconds, value=numbers)
def rolling_min_with_time(source, span):
    return recent(source, span, least)


@events(some_seconds, value=numbers)
def rolling_max_with_time(source, span):
    return recent(source, span, greatest)


def one_at_a_time(rng, node, source):
    """No two values at once, so that two units never hold more than two."""
    times = sorted({below(rng, 14) for _ in range(below(rng, 9))})
    found = [(time * UNIT, NEXT, numbers(rng)) for time in times]
    end = [(14 * UNIT, COMPLETED, DONE)] * below(rng, 2)
    return [node("create", [], [], found + end)]


def one_or_two_units(rng):
    return (1 + below(rng, 2)) * UNIT


@events(one_or_two_units, make=one_at_a_time, chains=False)
def rolling_variance_with_time(source, span):
    def result(values):
        return (values[1] - values[0]) ** 2 / 2 if len(values) > 1 else math.nan

    return recent(source, span, result)
