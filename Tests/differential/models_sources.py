"""Where signals come from. These models are called when the signal is made, with
the source's events as (time, kind, value) and the parameters; they return a
signal."""

from marbles import (
    COMPLETED,
    DONE,
    ERROR,
    FAILED,
    HORIZON,
    LAST,
    NEXT,
    ROOT,
    below,
    failure,
    later,
    UNIT,
    marble,
    soon,
    until_end,
)
from models_sharing import replay, replay_lazily
from table import OPERATORS, Operator, fails, flag, parameter_value, value


def source(*arguments, inputs=0, marble=None, shares=False):
    def add(model):
        name = model.__name__.rstrip("_")
        OPERATORS[name] = Operator(
            name,
            None,
            model,
            arguments,
            inputs,
            family="sources",
            shares=shares,
            marble=marble,
        )
        return model

    return add


def at_once(rng, value):
    return [(-1, NEXT, value(rng)) for _ in range(below(rng, 6))]


@source(marble=marble)
def create(events):
    def attach(at):
        # It schedules what comes later, then it sends what comes at once.
        coming = [(later(at, t), kind, v) for t, kind, v in events if t >= 0]
        return until_end([(at, kind, v) for t, kind, v in events if t < 0] + coming)

    return attach


@source(marble=lambda rng, value: marble(rng, value, later_only=True))
def hot(events):
    """A subject: who subscribes hears what comes after that."""
    coming = [(later(ROOT, time), kind, value) for time, kind, value in events]

    def attach(at):
        return until_end([event for event in coming if event[0] > at])

    attach.stays = True  # also when nothing is to come
    return attach


@source(marble=at_once)
def from_values(events):
    values = [value for _, _, value in events]
    return lambda at: [(at, NEXT, value) for value in values] + [(at, COMPLETED, DONE)]


@source()
def empty(events):
    return lambda at: [(at, COMPLETED, DONE)]


@source()
def never(events):
    return lambda at: []


@source(value)
def return_(events, parameter):
    sent = parameter_value(parameter)
    return lambda at: [(at, NEXT, sent), (at, COMPLETED, DONE)]


@source(marble=lambda rng, value: [(-1, ERROR, failure(rng))])
def error(events):
    return lambda at: [(at, ERROR, events[0][2])]


@source(fails, flag)
def from_factory(events, _, factory_fails):
    if factory_fails:
        return lambda at: [(at, ERROR, FAILED)]
    return lambda at: [(at, NEXT, "7"), (at, COMPLETED, DONE)]


def some_seconds(rng):
    return (1 + below(rng, 6)) * UNIT


@source(some_seconds)
def interval(events, seconds):
    def attach(at):
        out = []
        moment = later(at, seconds)
        while moment[0] <= HORIZON:
            out.append((moment, NEXT, len(out)))
            # It is scheduled again when the value has been delivered.
            moment = later(moment, seconds, LAST)
        return out

    return attach


@source(some_seconds, flag)
def interval_with_leeway(events, seconds, _):
    return interval(events, seconds)


@source(marble=marble, shares=True)
def start_eagerly(events):
    """Runs on the scheduler now, and is listened to there."""
    replayed = replay(lambda at: create(events)(soon(at)))
    return lambda at: replayed(soon(at))


@source(marble=marble, shares=True)
def start_lazily(events):
    replayed = replay_lazily(lambda at: create(events)(soon(at)))
    return lambda at: replayed(soon(at))
