"""Cold work that is done twice for one result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from ..drawing import count
from ..recording import Recording, Subject, Subscription
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


#: Of a signal that is subscribed to again and again the latest subscriptions tell enough.
_MOST = 48
_FARTHEST = 1000

Node = Union[Subscription, Subject]


def find_twice(recording: Recording) -> Iterator[Finding]:
    alike: dict[tuple[object, ...], list[Subscription]] = {}
    inputs = recording.inputs()
    for each in recording.subscriptions.values():
        # A source that nobody named may be the program's.
        is_source = not each.operator and not each.source and each.id not in inputs
        if not each.identity or not (is_source or _plain(each.operator) in _COLD):
            continue
        alike.setdefault((each.operator, each.name, each.identity), []).append(each)
    graph = _Graph(recording)
    for group in alike.values():
        together = _together(graph, group[-_MOST:]) if len(group) > 1 else []
        if together:
            yield _twice(recording, together)


class _Graph:
    """What follows from what: below a chain comes what listens to the subject or property that
    it ends in, and what is derived from that."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.followers: dict[int, list[Node]] = {}
        for each in recording.subscriptions.values():
            if each.source:
                self.followers.setdefault(each.source, []).append(each)
        for subject in recording.subjects.values():
            for part in subject.parts:
                self.followers.setdefault(part, []).append(subject)

    def ways(self, each: Subscription) -> dict[int, Node]:
        """All that its values may come to, the nearest first."""
        found: dict[int, Node] = {}
        line: list[Node] = [each]
        for node in line:
            for after in self._after(node):
                if after.id not in found and len(found) < _FARTHEST:
                    found[after.id] = after
                    line.append(after)
        return found

    def _after(self, node: Node) -> list[Node]:
        if isinstance(node, Subject):
            return self.followers.get(node.id, [])
        below = self.recording.subscriptions.get(node.below)
        target = self.recording.subjects.get(node.target)
        return [each for each in (below, target) if each]


def _together(graph: _Graph, group: list[Subscription]) -> list[Subscription]:
    """Those whose ways meet where inputs are combined."""
    ways = [graph.ways(each) for each in group]
    found: list[Subscription] = []
    for index, each in enumerate(group):
        for other in range(index):
            met = next((node for id, node in ways[index].items() if id in ways[other]), None)
            if met and _combines(met):
                found += [one for one in (group[other], each) if one not in found]
    return found


def _combines(node: Node) -> bool:
    if isinstance(node, Subject):
        return len(node.parts) > 1
    return _plain(node.operator).startswith(_COMBINING)


def _twice(recording: Recording, group: list[Subscription]) -> Finding:
    first = group[0]
    places = {recording.place_of(each) for each in group}
    by = []
    for each in group:
        below = recording.subscriptions.get(each.below)
        name = below.label if below else ""
        if len(places) > 1:
            name = f"{name} at {recording.place_of(each)}".strip()
        if name and name not in by:
            by.append(name)
    numbers = ", ".join(f"#{each.id}" for each in group[:5]) + (", …" if len(group) > 5 else "")
    by_whom = f", by {' and '.join(by[:3])}" if by else ""
    return Finding(
        "twice",
        first.label,
        f"it is cold and was subscribed to {count(len(group), 'time')} ({numbers}) for one "
        f"result{by_whom}: its work is done each time",
        recording.in_words(
            "Share it: rac_signal_replay_last or a connection.",
            "Share it: share(), or share_replay(1) for those that come later.",
        ),
        recording.place_of(first),
        tuple(each.id for each in group),
        f"works {len(group)}×",
    )
