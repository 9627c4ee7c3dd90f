"""Who listens to whom: what a recording has as a graph of few boxes.

Subscriptions that were made at the same place for the same purpose are one box, however many
there were. The subscription of an operator to a subject is no box but the arrow from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from .drawing import count, per_second
from .findings import Finding
from .layout import connected
from .recording import Recording, Subject, Subscription
from .words import matches

Key = tuple[object, ...]
MOST_BOXES = 120


@dataclass(slots=True)
class Box:
    key: Key
    title: str
    number: str  # "#3", or "×12"
    lines: list[str]
    marks: list[str] = field(default_factory=list)
    kind: str = "operator"  # or "source" or "place"
    is_over: bool = False
    ids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Arrow:
    source: Key
    target: Key
    values: int = 0
    seconds: float = 0.0  # during which they came
    lost: int = 0
    is_over: bool = True

    @property
    def label(self) -> str:
        if not self.values:
            return ""
        if self.values < 10 or self.seconds <= 0:
            return f"{self.values:,}"
        return f"{self.values:,} ({per_second(self.values / self.seconds)}/s)"

    @property
    def width(self) -> float:
        return 1.2 + min(3.3, math.log10(max(1, self.values)))


@dataclass(slots=True)
class Graph:
    boxes: dict[Key, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)
    left_out: int = 0


def build(recording: Recording, findings: Iterable[Finding] = (), *, words: str = "") -> Graph:
    """The whole graph, or the parts in which a name or place contains all words."""
    builder = _Builder(recording)
    graph = builder.build()
    for finding in findings:
        for node in finding.nodes:
            box = graph.boxes.get(builder.key_of(node))
            if box and finding.mark not in box.marks:
                box.marks.append(finding.mark)
    if words:
        _keep_parts(graph, words)
    _limit(graph)
    return graph


class _Builder:
    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._keys: dict[int, Key] = {}
        self._groups: dict[Key, list[Subscription]] = {}
        self._arrows: dict[tuple[Key, Key], Arrow] = {}

    def build(self) -> Graph:
        recording, graph = self.recording, Graph()
        for each in recording.subscriptions.values():
            key = self._group(each)
            self._groups.setdefault(key, []).append(each)
        for key, group in self._groups.items():
            if not self._is_arrow(group[0]):
                graph.boxes[key] = _subscription_box(key, group)
        linked = self._link(graph)
        for subject in recording.subjects.values():
            subject_key: Key = ("subject", subject.id)
            is_set = subject.kind == "property" and subject.values > 0
            if subject_key in linked or is_set:
                graph.boxes[subject_key] = _subject_box(subject_key, subject)
        graph.arrows = list(self._arrows.values())
        return graph

    def key_of(self, node: int) -> Key:
        each = self.recording.subscriptions.get(node)
        if each is None:
            return ("subject", node)
        return ("subject", each.source) if self._is_arrow(each) else self._group(each)

    def _is_arrow(self, each: Subscription) -> bool:
        return each.source in self.recording.subjects

    def _group(self, each: Subscription) -> Key:
        """The same for all with the same purpose: the same chain below, the same place."""
        chain = []
        for one in (each, *self.recording.below(each)):
            known = self._keys.get(one.id)
            if known:
                break
            chain.append(one)
        key: Key = known or ()
        for one in reversed(chain):
            same = (one.operator, one.name, one.place, one.source, one.target)
            key = ("subscription", hash((key, same)), *same)
            self._keys[one.id] = key
        return key

    def _link(self, graph: Graph) -> set[Key]:
        """Makes the arrows; answers the keys of subjects with one."""
        linked: set[Key] = set()
        for key, group in self._groups.items():
            first = group[0]
            source: Key = key
            if self._is_arrow(first):
                source = ("subject", first.source)
                linked.add(source)
            target = self._target(graph, first, key)
            if target[0] == "subject":
                linked.add(target)
            self._add_arrow(source, target, group)
        for each in self.recording.subscriptions.values():
            if each.lost:
                into = [a for a in self._arrows.values() if a.target == self._group(each)]
                if len(into) == 1:
                    into[0].lost += each.lost
        for subject in self.recording.subjects.values():
            for part in subject.parts:
                ends: tuple[Key, Key] = ("subject", part), ("subject", subject.id)
                linked.update(ends)
                self._arrows.setdefault(ends, Arrow(*ends)).is_over = False
        return linked

    def _target(self, graph: Graph, first: Subscription, key: Key) -> Key:
        below = self.recording.subscriptions.get(first.below)
        if below:
            return self._group(below)
        if first.target in self.recording.subjects:
            return ("subject", first.target)
        # Where its values end: a place without a frame.
        place: Key = ("place", key)
        graph.boxes[place] = Box(place, first.place or "the program", "", [], kind="place")
        return place

    def _add_arrow(self, source: Key, target: Key, group: list[Subscription]) -> None:
        arrow = self._arrows.setdefault((source, target), Arrow(source, target))
        arrow.values += sum(each.values for each in group)
        begin = min(each.made for each in group)
        ends = [each.end if each.is_over and each.end else None for each in group]
        end = max(self.recording.duration if e is None else e for e in ends)
        arrow.seconds = max(arrow.seconds, (end - begin) / 1e9)
        arrow.is_over = arrow.is_over and all(each.is_over for each in group)


def _subscription_box(key: Key, group: list[Subscription]) -> Box:
    first = group[0]
    total = sum(each.values for each in group)
    alive = sum(1 for each in group if not each.is_over)
    if len(group) == 1:
        state = first.how or ("gone" if first.gone is not None else "alive")
        number = f"#{first.id}"
    else:
        state = f"{alive:,} alive, {len(group) - alive:,} over"
        number = f"×{len(group):,}"
    lines = [f"{count(total, 'value')}, {state}"]
    waiting = sum(each.waiting for each in group)
    if waiting:
        lines.append(f"{waiting:,} wait")
    ids = [each.id for each in group[:50]]
    return Box(key, first.title, number, lines, is_over=not alive, ids=ids)


def _subject_box(key: Key, subject: Subject) -> Box:
    title = f"{subject.name} ({subject.kind})" if subject.name else subject.kind
    state = "alive" if subject.gone is None else "gone"
    things = {"command": "execution", "property": "change"}
    changes = count(subject.values, things.get(subject.kind, "value"))
    lines = [f"{changes}, {state}"]
    is_over = subject.gone is not None
    return Box(
        key, title, f"#{subject.id}", lines, kind="source", is_over=is_over, ids=[subject.id]
    )


def _parts(graph: Graph) -> list[set[Key]]:
    return connected(graph.boxes, ((arrow.source, arrow.target) for arrow in graph.arrows))


def _keep_parts(graph: Graph, words: str) -> None:
    kept: set[Key] = set()
    for part in _parts(graph):
        boxes = [graph.boxes[key] for key in part]
        numbers = " ".join(f"#{id}" for box in boxes for id in box.ids)
        if matches(" ".join([numbers, *(box.title for box in boxes)]), words):
            kept |= part
    _cut(graph, kept)


def _limit(graph: Graph) -> None:
    """Leaves out parts that are over and have no finding, oldest first, then alive ones."""
    if len(graph.boxes) <= MOST_BOXES:
        return

    def rank(part: set[Key]) -> tuple[bool, bool, int]:
        boxes = [graph.boxes[key] for key in part]
        newest = max((id for box in boxes for id in box.ids), default=0)
        return any(box.marks for box in boxes), any(not box.is_over for box in boxes), newest

    kept: set[Key] = set()
    for part in sorted(_parts(graph), key=rank, reverse=True):
        room = MOST_BOXES - len(kept)
        if len(part) <= room:
            kept |= part
        elif not kept:
            # One part is too large by itself: its marked and latest boxes.
            best = sorted(
                part,
                key=lambda key: (bool(graph.boxes[key].marks), max(graph.boxes[key].ids or [0])),
            )
            kept |= set(best[-room:])
    graph.left_out = len(graph.boxes) - len(kept)
    _cut(graph, kept)


def _cut(graph: Graph, kept: set[Key]) -> None:
    graph.boxes = {key: box for key, box in graph.boxes.items() if key in kept}
    graph.arrows = [a for a in graph.arrows if a.source in kept and a.target in kept]
