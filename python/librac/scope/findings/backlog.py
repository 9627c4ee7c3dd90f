"""A queue that grows, because what is below it is slow."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count, duration
from ..recording import Recording, Subscription
from .finding import Finding

LEAST = 50  # values that wait
SLOWEST = 0.5e6  # nanoseconds for a value below; a queue in front of less is a burst


def find_backlog(recording: Recording) -> Iterator[Finding]:
    for each in recording.subscriptions.values():
        if each.most < LEAST:
            continue
        slow, mean = _slowest(recording, each)
        remained = each.waiting >= each.most // 2
        if mean < SLOWEST and not remained:
            continue
        text = f"up to {count(each.most, 'value')} waited"
        if each.waiting:
            text += f", {each.waiting:,} still do"
        if mean:
            text += f"; each takes {duration(mean)} below"
        bound = recording.in_words("deliver_on_bounded", "deliver_on(scheduler, bound)")
        advice = f"Bound the queue ({bound}), send less often, or take several at once."
        if slow:
            advice = f"{_who(recording, slow)} is slow. " + advice
        yield Finding(
            "backlog",
            each.label,
            text,
            advice,
            recording.place_of(each),
            (each.id,),
            f"backlog {max(each.waiting, each.most):,}",
        )


def _slowest(recording: Recording, each: Subscription) -> tuple[Subscription | None, float]:
    """The last one below that takes the time, and how much of it for a value.

    A long call contains those below it, so the lowest of those that take as long is the cause.
    """
    found, mean = None, 0.0
    for one in (each, *recording.below(each)):
        # Calls of less than a millisecond are not told one by one; of counters alone the longest
        # call is known.
        took = one.long_time / max(1, one.seen) if recording.has_events else float(one.longest)
        if took < SLOWEST:
            continue
        if took >= 0.7 * mean:
            found, mean = one, took
    return found, mean


def _who(recording: Recording, slow: Subscription) -> str:
    if slow.below:
        below = recording.subscriptions.get(slow.below)
        return f"What {below.label if below else slow.label} does"
    place = recording.place_of(slow)
    return f"The subscriber at {place}" if place else f"The subscriber of {slow.label}"
