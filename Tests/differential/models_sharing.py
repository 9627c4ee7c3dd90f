"""Sharing one subscription. These models are called once, when the signal is
made: in the first job. A second subscriber always comes later."""

from marbles import COMPLETED, NEXT, ROOT
from table import below, seconds, shared


def remembered(heard, at, capacity):
    """To who subscribes at that moment: the last values of before and the end,
    then what comes."""
    past = [event for event in heard if event[0] <= at]
    values = [event for event in past if event[1] == NEXT]
    ends = [event for event in past if event[1] != NEXT]
    first = values[max(0, len(values) - capacity) :] + ends
    coming = [event for event in heard if event[0] > at]
    return [(at, kind, value) for _, kind, value in first] + coming


ALL = 1000


@shared()
def replay(source):
    heard = source(ROOT)
    return lambda at: remembered(heard, at, ALL)


@shared()
def replay_last(source):
    heard = source(ROOT)
    return lambda at: remembered(heard, at, 1)


@shared()
def replay_lazily(source):
    heard = []

    def attach(at):
        if not heard:
            heard.append(source(at))
        return remembered(heard[0], at, ALL)

    return attach


def in_rounds(source, remembered_at, keeps_completion):
    """A round is over when nothing can come any more; then who comes begins another."""
    rounds = []

    def attach(at):
        heard = rounds[-1] if rounds else []
        ends = [event for event in heard if event[1] != NEXT]
        goes_on = any(event[0] > at for event in heard)
        if rounds and not ends and getattr(source, "stays", False):
            goes_on = True
        if goes_on or (ends and ends[0][1] == COMPLETED and keeps_completion):
            return remembered_at(heard, at)
        rounds.append(source(at))
        return rounds[-1]

    return attach


@shared()
def share(source):
    return in_rounds(source, lambda heard, at: [e for e in heard if e[0] > at], False)


def capacity(rng):
    return below(rng, 4)


@shared(capacity, seconds)
def share_replay(source, most, wait):
    def remembered_at(heard, at):
        young = [e for e in heard if e[1] != NEXT or e[0] > at or at[0] - e[0][0] < wait]
        return remembered(young, at, most)

    return in_rounds(source, remembered_at, True)


# The player connects in a job of its own, scheduled in front of everything but
# the first and the second subscriber's.
connection = [0]  # when


def connected():
    return (connection[0], (), 2)


@shared()
def publish(source):
    heard = source(connected())
    return lambda at: [event for event in heard if event[0] > at]


def subjects(rng):
    """A behavior subject for -1, else a replay subject so large."""
    return below(rng, 4) - 1


@shared(subjects)
def multicast(source, capacity):
    heard = source(connected())
    if capacity >= 0:
        return lambda at: remembered(heard, at, capacity)

    def attach(at):
        ahead = [event for event in heard if event[0] > at]
        values = [9] + [e[2] for e in heard if e[0] <= at and e[1] == NEXT]
        return [(at, NEXT, values[-1])] + ahead

    return attach


@shared()
def autoconnect(source):
    """Of a published signal: the first subscriber connects it."""
    heard = []

    def attach(at):
        if heard:
            return [event for event in heard[0] if event[0] > at]
        heard.append(source(at))
        return heard[0]

    return attach
