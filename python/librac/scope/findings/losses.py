"""Values that a policy dropped, and senders that had to wait for room."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count, duration
from ..recording import Bound, Recording, Subscription
from .finding import Finding

# A sender that waits is what the policy is for; one that hardly does anything else is slow.
HELD_SHARE, HELD_LEAST = 0.25, 50_000_000


def find_dropped(recording: Recording) -> Iterator[Finding]:
    for each in recording.subscriptions.values():
        # With "latest" a value is meant to be out of date when the next one comes, and who pulls
        # takes what there is time for.
        is_pulled = each.source and not each.below and not each.has_queue
        if not each.lost or each.policy == "latest" or is_pulled:
            continue
        below = recording.subscriptions.get(each.below)
        if below and (below.lost, below.policy) == (each.lost, each.policy):
            continue  # one loss, told of a flatten and of the step inside it
        came = each.values + each.lost + each.waiting
        policy = recording.in_words(each.policy, each.policy.replace(" ", "_"))
        by = f'the policy "{policy}" of its bound' if policy else "a bound's policy"
        waits = recording.in_words("RAC_BOUND_WAIT", 'the policy "wait"')
        yield Finding(
            "dropped",
            _way(recording, each),
            f"{each.lost:,} of {count(came, 'value')} were dropped by {by}",
            "If each value counts, give the bound more room, let the sender wait "
            f"({waits}), or make what is below faster.",
            recording.place_of(each),
            (each.id,),
            f"{each.lost:,} lost",
        )


def _way(recording: Recording, each: Subscription) -> str:
    """What sends to it, and it: "orders → to clerk"."""
    above = recording.inputs().get(each.id, [])
    return f"{above[0].label} → {each.label}" if len(above) == 1 else each.label


def _owner(recording: Recording, bound: Bound) -> tuple[str, str]:
    """What a bound belongs to, and where."""
    each = recording.subscriptions.get(bound.below)
    if each:
        return _way(recording, each), recording.place_of(each)
    subject = recording.subjects.get(bound.source)
    return (subject.label, subject.place) if subject else (bound.label, bound.place)


def find_held(recording: Recording) -> Iterator[Finding]:
    for bound in recording.bounds.values():
        least = max(HELD_LEAST, HELD_SHARE * recording.duration)
        if not bound.held or bound.held_time < least:
            continue
        owner, place = _owner(recording, bound)
        share = 100 * bound.held_time / max(1, recording.duration)
        yield Finding(
            "held",
            owner,
            f"senders were held up {count(bound.held, 'time')}, {duration(bound.held_time)} in "
            f"all, {share:.0f} % of the time; the longest wait took "
            f"{duration(bound.longest_held)}",
            "What is below takes values more slowly than they are sent. Make it faster, give the "
            "bound more room, or send less.",
            place,
            tuple(id for id in (bound.below, bound.source, bound.id) if id),
            f"held {duration(bound.held_time)}",
        )
