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
)
from models_sources import some_seconds
from models_values import from_one, is_truth, until_failure
from table import events, fails, flag


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


def rank(value):
    """What `order` goes by."""
    return -math.inf if value is None else key(value)


def extreme(source, fails_at, without_comparer, pick):
    if without_comparer:
        return at_the_end(until_no_number(source), lambda v: [pick(v)] if v else [])
    # The first value is compared with nothing.
    compared = source[:1] + until_failure(source[1:], fails_at)
    return at_the_end(compared, lambda v: [pick(v, key=rank)] if v else [])


@events(fails, flag, value=numbers)
def min(source, fails_at, without_comparer):
    return extreme(source, fails_at, without_comparer, least)


@events(fails, flag, value=numbers)
def max(source, fails_at, without_comparer):
    return extreme(source, fails_at, without_comparer, greatest)


def mean_least_or_greatest(rng):
    """RAC_ROLLING_MEAN, _MIN or _MAX. Not the variance: of more than two numbers doubles are
    not exact. Tests/operators/test_rolling.c reckons it anew."""
    return (1, 3, 4)[below(rng, 3)]


STATISTICS = {1: lambda v: math.fsum(v) / len(v), 3: least, 4: greatest}


@events(from_one, mean_least_or_greatest, some_seconds, value=numbers)
def rolling(source, size, statistic, span):
    out = []
    came = []
    for moment, kind, value in until_no_number(source):
        if kind == NEXT:
            came.append((moment[0], float(value)))
            window = [v for time, v in came[-size:] if moment[0] - time < span]
            value = STATISTICS[statistic](window)
        out.append((moment, kind, value))
    return out
