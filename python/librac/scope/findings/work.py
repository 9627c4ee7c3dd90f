"""Cold work that is done twice for one result."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count
from ..recording import Recording, Subscription
from .finding import Finding

#: Operators that begin work of the program's for each subscription.
_COLD = (
    "createsignal", "create", "defer", "try", "fromfactory", "using", "from", "spawn", "connect",
    "startlazily", "httpget",
)  # fmt: skip
#: Operators that subscribe to all of their inputs for one result.
_COMBINING = ("combinelatest", "zip", "merge", "withlatest", "sample", "and", "or", "amb", "race")


def _plain(operator: str) -> str:
    return operator.split(":")[0].replace("_", "").lower()


def find_twice(recording: Recording) -> Iterator[Finding]:
    alike: dict[tuple[object, ...], list[Subscription]] = {}
    inputs = recording.inputs()
    for each in recording.subscriptions.values():
        # A source that nobody named may be the program's.
        is_source = not each.operator and not each.source and each.id not in inputs
        if not each.identity or not (is_source or _plain(each.operator) in _COLD):
            continue
        bottom = recording.bottom(each)
        alike.setdefault((bottom.id, each.operator, each.name, each.identity), []).append(each)
    for group in alike.values():
        together = _together(recording, group)
        if len(together) > 1:
            yield _twice(recording, together)


def _together(recording: Recording, group: list[Subscription]) -> list[Subscription]:
    """Those whose ways meet in an operator that combines its inputs."""
    found: list[Subscription] = []
    for index, each in enumerate(group):
        for other in group[:index]:
            met = _meeting(recording, each, other)
            if met and _plain(met.operator).startswith(_COMBINING):
                found += [one for one in (other, each) if one not in found]
    return found


def _meeting(recording: Recording, one: Subscription, two: Subscription) -> Subscription | None:
    ids = {each.id for each in recording.below(one)}
    return next((each for each in recording.below(two) if each.id in ids), None)


def _twice(recording: Recording, group: list[Subscription]) -> Finding:
    first = group[0]
    by = []
    for each in group:
        below = recording.subscriptions.get(each.below)
        if below and below.label not in by:
            by.append(below.label)
    numbers = ", ".join(f"#{each.id}" for each in group[:5]) + (", …" if len(group) > 5 else "")
    return Finding(
        "twice",
        first.label,
        f"it is cold and was subscribed to {count(len(group), 'time')} ({numbers}) for one "
        f"result, by {' and '.join(by[:3])}: its work is done each time",
        recording.in_words(
            "Share it: rac_signal_replay_last or a connection.",
            "Share it: share(), or share_replay(1) for those that come later.",
        ),
        recording.place_of(first),
        tuple(each.id for each in group),
        f"works {len(group)}×",
    )
