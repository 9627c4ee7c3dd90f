"""A recording as text, for terminals and the logs of tests."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from . import drawing as d
from .counting import by_source
from .findings import Finding
from .marbles import Lane, Marbles, arrange
from .recording import COMPLETED, DISPOSED, DROP, ERROR, NEXT, SUBSCRIBE, Event, Recording

_MOST_TEXT = 12
_SIGNS = {COMPLETED: "|", ERROR: "#", DISPOSED: "!", SUBSCRIBE: "^", DROP: "*"}
LEGEND = "^ subscribed  | completed  # error  ! disposed  * a value was dropped; not to scale"


def report(
    recording: Recording,
    found: Sequence[Finding],
    width: int = 100,
    *,
    columns: int = 60,
    words: str = "",
) -> str:
    """All of it: what it is, what was found, what was counted, and marbles."""
    arranged = arrange(recording, found, columns=columns, words=words)
    counted = counters(recording, width, words)
    parts = [summary(recording), findings(found, width), *counted, marbles(arranged, width)]
    return "\n".join(parts)


def counters(recording: Recording, width: int = 100, words: str = "") -> list[str]:
    """A line for each source: "redis orders: lag 12, reconnects 0"."""
    lines: list[str] = []
    for source, counted in by_source(recording, words).items():
        texts = [f"{d.printable(what)} {each.value:,}" for what, each in counted]
        lead = f"{d.printable(source)}: " if source else ""
        lines += _wrap(lead + ", ".join(texts), width, "  ")
    return lines


def summary(recording: Recording) -> str:
    """In one line: the program, its state, how much there is."""
    alive = sum(1 for each in recording.subscriptions.values() if not each.is_over)
    state = {
        "running": "runs",
        "killed": "is gone without an exit",
        "stopped": "has stopped recording",
        "exited": "has exited",
    }[recording.state]
    total = len(recording.subscriptions)
    parts = [
        f"{recording.title}, process {recording.pid}, {state} after "
        f"{d.duration(recording.duration)}",
        f"{d.count(total, 'subscription')}, {alive:,} alive",
    ]
    if recording.missed:
        parts.append(f"{d.count(recording.missed, 'older event')} written over")
    if recording.missed_nodes:
        parts.append(f"no room for {d.count(recording.missed_nodes, 'node')}")
    return "; ".join(parts)


def findings(found: Sequence[Finding], width: int = 100) -> str:
    """A paragraph each: what is wrong, where, and what to do."""
    if not found:
        return "Nothing found."
    paragraphs = []
    for number, each in enumerate(found, 1):
        lines = _wrap(f"{number}. {each.sentence}.", width, "   ")
        if each.place:
            lines.append(f"   at {each.place}")
        lines += _wrap(f"   {each.advice}", width, "   ")
        paragraphs.append("\n".join(lines))
    return "\n".join(paragraphs)


def _wrap(text: str, width: int, indent: str) -> list[str]:
    lines: list[str] = []
    line = ""
    lead = text[: len(text) - len(text.lstrip())]
    for word in text.split():
        if not line:
            line = (lead if not lines else indent) + word
        elif len(line) + 1 + len(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line += " " + word
    return [*lines, line]


def marbles(arranged: Marbles, width: int = 100) -> str:
    """In blocks of the given width, a line for each subscription."""
    if not arranged.times:
        return "Nothing has happened."
    names = [_name(lane) for lane in arranged.lanes]
    left = min(max(map(_cells, names)), max(16, width // 3))
    labels = [_fit(name, left) for name in names]
    cells = [
        [_cell(lane, column) for column in range(len(arranged.times))] for lane in arranged.lanes
    ]
    sizes = [max(1, *(_cells(row[c]) for row in cells)) for c in range(len(arranged.times))]
    blocks = []
    start = 0
    while start < len(sizes):
        end, room = start, width - left - 1
        while end < len(sizes) and (end == start or room >= sizes[end] + 1):
            room -= sizes[end] + 1
            end += 1
        blocks.append(_block(arranged, labels, cells, sizes, start, end, left))
        start = end
    if arranged.left_out_columns:
        blocks.insert(0, f"({d.count(arranged.left_out_columns, 'earlier column')} not shown)")
    if arranged.left_out_lanes:
        blocks.append(f"({d.count(arranged.left_out_lanes, 'more lane')} not shown)")
    return "\n".join([*blocks, LEGEND])


def _block(
    arranged: Marbles,
    labels: list[str],
    cells: list[list[str]],
    sizes: list[int],
    start: int,
    end: int,
    left: int,
) -> str:
    lines = [f"{'ms':>{left}} " + _ruler(arranged.times[start:end], sizes[start:end])]
    for lane, label, row in zip(arranged.lanes, labels, cells):
        line = ""
        for column in range(start, end):
            is_on = _is_on(lane, column, arranged.times)
            text = row[column]
            fill = "-" if is_on and not _ends_in(lane, column) else " "
            lead = "-" if is_on and not _begins_in(lane, column) else " "
            line += lead + text + fill * (sizes[column] - _cells(text))
        if line.strip():
            lines.append(f"{label} {line}".rstrip())
    return "\n".join(lines)


def _ruler(times: list[int], sizes: list[int]) -> str:
    """The times of the columns, where there is room for them."""
    line = ""
    at = 0
    shown = ""
    for time, size in zip(times, sizes):
        text = f"{time / 1e6:.0f}" if time >= 1e7 else f"{time / 1e6:.1f}"
        if text != shown and len(line) <= at:
            line = line.ljust(at + 1) + text
            shown = text
        at += size + 1
    return line


def _name(lane: Lane) -> str:
    """With "!" before it if it is part of a finding."""
    each = lane.subscription
    return f"{'!' if lane.marks else ' '}{'  ' * min(lane.indent, 6)}#{each.id} {each.title}"


def _cell(lane: Lane, column: int) -> str:
    return "".join(_sign(event) for event in lane.cells.get(column, ()))


def _sign(event: Event) -> str:
    if event.kind == NEXT:
        return d.printable(d.shorten(event.text, _MOST_TEXT)) or "''"
    return _SIGNS[event.kind]


def _is_on(lane: Lane, column: int, times: list[int]) -> bool:
    """Whether the lane goes through, begins or ends in the column."""
    cells = lane.cells
    first = -1 if lane.begins_before else min(cells, default=len(times))
    ends = [
        c
        for c, events in cells.items()
        if any(e.kind in (COMPLETED, ERROR, DISPOSED) for e in events)
    ]
    last = min(ends) if ends else len(times)
    return first <= column <= last


def _ends_in(lane: Lane, column: int) -> bool:
    return any(e.kind in (COMPLETED, ERROR, DISPOSED) for e in lane.cells.get(column, ()))


def _begins_in(lane: Lane, column: int) -> bool:
    return not lane.begins_before and column == min(lane.cells, default=-1)


def _cells(text: str) -> int:
    """How wide it is in a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _fit(text: str, width: int) -> str:
    text = d.printable(text)
    if _cells(text) > width:
        text = d.shorten(text, width)
    return text + " " * (width - _cells(text))
