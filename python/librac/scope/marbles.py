"""Marbles of a recording: a lane for each subscription, a column for each cascade.

Time is not to scale: microseconds, then 50 ms of nothing, cannot be read. A column is one
synchronous cascade: a value that the program sends, and all that follows from it before the send
returns.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from .findings import Finding
from .recording import DISPOSED, DROP, SUBSCRIBE, Event, Recording, Subscription
from .words import matches


@dataclass(slots=True)
class Lane:
    """Of a subscription, or of a property that nobody listens to."""

    subscription: Subscription
    indent: int
    marks: list[str] = field(default_factory=list)
    cells: dict[int, list[Event]] = field(default_factory=dict)  # by column
    begins_before: bool = False  # it was there before the first column


@dataclass(slots=True)
class Marbles:
    lanes: list[Lane]
    times: list[int]  # of the columns
    left_out_columns: int = 0
    left_out_lanes: int = 0


def arrange(
    recording: Recording,
    findings: Iterable[Finding] = (),
    *,
    columns: int = 60,
    lanes: int = 60,
    words: str = "",
) -> Marbles:
    """The last columns, and the lanes in which something happens in them."""
    nodes = {**_properties(recording), **recording.subscriptions}
    chosen = _choose(recording, nodes, words)
    events = [event for event in _events(recording, nodes) if event.subscription in chosen]
    # Subscribing and a cascade of ten make some events a column: what is far back is not read.
    events = events[-max(2000, columns * lanes * 2) :]
    placed, times = _place(recording, events)
    first = max(0, len(times) - columns)
    cells: dict[int, dict[int, list[Event]]] = {}
    for event, column in placed:
        if column >= first:
            cells.setdefault(event.subscription, {}).setdefault(column - first, []).append(event)
    # A subscription with an end is shown where it is; one that goes on is shown, too.
    start = times[first] if times else 0
    shown = [
        id
        for id in _order(recording, nodes, chosen)
        if id in cells or not nodes[id].is_over
        and nodes[id].made <= (times[-1] if times else 0)
    ]  # fmt: skip
    marks: dict[int, list[str]] = {}
    for finding in findings:
        for node in finding.nodes:
            if finding.mark not in marks.setdefault(node, []):
                marks[node].append(finding.mark)
    if len(shown) > lanes:
        latest = {id: max(cells.get(id, {-1: []})) for id in shown}
        best = sorted(shown, key=lambda id: (id in marks, latest[id], id), reverse=True)
        kept = set(best[:lanes])
        left_out = len(shown) - lanes
        shown = [id for id in shown if id in kept]
    else:
        left_out = 0
    made = []
    for id in shown:
        each = nodes[id]
        indent = sum(1 for _ in recording.below(each))
        lane = Lane(each, indent, marks.get(id, []), cells.get(id, {}))
        lane.begins_before = not any(
            event.kind == SUBSCRIBE for cell in lane.cells.values() for event in cell
        ) and (each.made <= start or not lane.cells)
        made.append(lane)
    return Marbles(made, times[first:], first, left_out)


def _properties(recording: Recording) -> dict[int, Subscription]:
    """Those that nobody listens to, as if somebody did."""
    heard = {each.source for each in recording.subscriptions.values()}
    return {
        each.id: Subscription(
            each.id, each.name, each.place, each.thread, each.made, each.gone,
            operator="property", word="property", how="gone" if each.gone else "", values=each.values,
        )
        for each in recording.subjects.values()
        if each.kind == "property" and each.id not in heard
    }  # fmt: skip


def _events(recording: Recording, nodes: dict[int, Subscription]) -> Iterable[Event]:
    changes = [event for event in recording.changes if event.subscription in nodes]
    if not changes:
        return recording.events
    # Of two at one time the property's first: it is what is listened to.
    return heapq.merge(changes, recording.events, key=lambda event: event.time)


def _choose(recording: Recording, nodes: dict[int, Subscription], words: str) -> set[int]:
    """All, or the chains in which a name or a place has all of the words."""
    if not words:
        return set(nodes)
    chains: dict[int, list[Subscription]] = {}
    for each in nodes.values():
        chains.setdefault(recording.bottom(each).id, []).append(each)
    found: set[int] = set()
    for chain in chains.values():
        text = " ".join(f"{each.title} #{each.id} #{each.source} {each.place}" for each in chain)
        if matches(text, words):
            found.update(each.id for each in chain)
    return found


def _order(
    recording: Recording, nodes: dict[int, Subscription], chosen: set[int]
) -> list[int]:
    """What is above first, then what listens to it, as a chain is read."""
    inputs = recording.inputs()
    found = [id for id in nodes if id in chosen and id not in recording.subscriptions]
    # Depth first with a stack: chains may be thousands long.
    stack = [(each, False) for each in reversed(inputs.get(0, []))]
    seen: set[int] = set()
    while stack:
        each, is_done = stack.pop()
        if is_done:
            if each.id in chosen:
                found.append(each.id)
            continue
        if each.id in seen:
            continue
        seen.add(each.id)
        stack.append((each, True))
        stack += [(above, False) for above in reversed(inputs.get(each.id, []))]
    return found


def _place(
    recording: Recording, events: list[Event]
) -> tuple[list[tuple[Event, int]], list[int]]:
    """Gives each event a column; the times are those of the columns' first events."""
    times: list[int] = []
    placed: list[tuple[Event, int]] = []
    current: dict[int, int] = {}  # of each thread
    roots: dict[int, Event] = {}  # of each thread: the last event that is inside of none
    last: dict[int, tuple[int, str]] = {}  # of each subscription: where, and what
    for event in events:
        column = current.get(event.thread, -1)
        before, kind = last.get(event.subscription, (-1, ""))
        is_new = column < 0
        if event.depth == 0:
            is_new = is_new or not _continues(recording, roots.get(event.thread), event)
            roots[event.thread] = event
        if before > column or before == column and not (kind == SUBSCRIBE or event.kind == DROP):
            is_new = True
        if is_new:
            column = len(times)
            times.append(event.time)
        current[event.thread] = column
        last[event.subscription] = column, event.kind
        placed.append((event, column))
    return placed, times


def _continues(recording: Recording, before: Event | None, event: Event) -> bool:
    """Whether two events that are inside of none are of one cascade: two subscriptions to one
    subject hear the same value, and a chain is subscribed to at once."""
    if before is None:
        return False
    if event.kind == SUBSCRIBE:
        return before.kind == SUBSCRIBE
    one = recording.subscriptions.get(before.subscription)
    two = recording.subscriptions.get(event.subscription)
    if not one or not two or before.kind != event.kind:
        return False
    if event.kind == DISPOSED:
        return recording.bottom(one) is recording.bottom(two)
    return one.source == two.source != 0 and one.id != two.id and before.text == event.text
