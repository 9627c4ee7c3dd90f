"""Values that a policy dropped, and senders that had to wait for room."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count, duration
from ..recording import Bound, Recording, Subscription
from .finding import Finding

# A sender that waits is what the policy is for; one that hardly does anything else is slow.
HELD_SHARE, HELD_LEAST = 0.25, 50_000_000


def find_dropped(recording: Recording) -> Iterator[Finding]:
    told: set[int] = set()
    for bound in recording.bounds.values():
        each = recording.subscriptions.get(bound.below)
        told.update((bound.id, bound.below))
        # With "latest" a value is meant to be out of date when the next one comes.
        if bound.lost and bound.policy != "latest":
            yield _dropped(recording, bound, each)
    for each in recording.subscriptions.values():
        if each.lost and each.id not in told and each.bound not in told:
            yield _dropped(recording, None, each)


def _owner(recording: Recording, bound: Bound | None, each: Subscription | None) -> str:
    if each:
        above = [one for one in recording.inputs().get(each.id, [])]
        return f"{above[0].label} → {each.label}" if len(above) == 1 else each.label
    subject = recording.subjects.get(bound.source) if bound else None
    return subject.label if subject else bound.label if bound else ""


def _dropped(recording: Recording, bound: Bound | None, each: Subscription | None) -> Finding:
    lost = bound.lost if bound else each.lost if each else 0
    came = bound.values if bound else (each.values + each.lost) if each else lost
    policy = bound.policy if bound else ""
    by = f'by the policy "{policy}" of its bound' if policy else "by a bound's policy"
    place = recording.place_of(each) if each else bound.place if bound else ""
    most = bound.most if bound else 0
    return Finding(
        "dropped",
        _owner(recording, bound, each),
        f"{lost:,} of {count(max(came, lost), 'value')} were dropped {by}"
        + (f"; at most {most:,} waited" if most else ""),
        "If each value counts, give the bound more room, let the sender wait "
        "(RAC_BOUND_WAIT), or make what is below faster.",
        place,
        tuple(one.id for one in (each, bound) if one),
        f"{lost:,} lost",
    )


def find_held(recording: Recording) -> Iterator[Finding]:
    for bound in recording.bounds.values():
        least = max(HELD_LEAST, HELD_SHARE * recording.duration)
        if not bound.held or bound.held_time < least:
            continue
        each = recording.subscriptions.get(bound.below)
        share = 100 * bound.held_time / max(1, recording.duration)
        yield Finding(
            "held",
            _owner(recording, bound, each),
            f"senders were held up {count(bound.held, 'time')}, {duration(bound.held_time)} in "
            f"all, {share:.0f} % of the time; the longest wait took "
            f"{duration(bound.longest_held)}",
            "What is below takes values more slowly than they are sent. Make it faster, give the "
            "bound more room, or send less.",
            recording.place_of(each) if each else bound.place,
            tuple(one.id for one in (each, bound) if one),
            f"held {duration(bound.held_time)}",
        )
