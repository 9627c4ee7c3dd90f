"""Findings and the busiest signals as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from . import drawing as d
from .counting import by_source
from .findings import Finding
from .recording import Recording
from .words import matches

_MOST_ROWS = 25


def findings(found: Sequence[Finding]) -> str:
    if not found:
        return "<p>Nothing found.</p>"
    items = []
    for each in found:
        place = f'<br><span class="place">{d.escape(each.place)}</span>' if each.place else ""
        node = each.nodes[0] if each.nodes else 0
        items.append(
            f'<li><a href="#n{node}" data-words="#{node}">{d.escape(each.subject)}</a>: '
            f"{d.escape(each.text)}.{place}<br>"
            f'<span class="advice">{d.escape(each.advice)}</span></li>'
        )
    return f"<ol>{''.join(items)}</ol>"


def busiest(recording: Recording, words: str = "") -> str:
    """The subscriptions through which most values went."""
    chosen = [
        each
        for each in recording.subscriptions.values()
        if not words or matches(f"{each.title} #{each.id} {recording.place_of(each)}", words)
    ]
    chosen.sort(key=lambda each: -each.values)
    rows = [
        "<tr><th scope=col>signal</th><th scope=col>values</th><th scope=col>per second</th>"
        "<th scope=col>waiting</th><th scope=col>longest call</th><th scope=col>where</th></tr>"
    ]
    for each in chosen[:_MOST_ROWS]:
        end = each.end if each.end else recording.duration
        seconds = (end - each.made) / 1e9
        rate = ""
        if seconds > 0 and each.values > 9:
            rate = d.per_second(each.values / seconds)
        longest = d.duration(each.longest) if each.longest else ""
        waiting = f"{each.waiting:,}" if each.waiting else ""
        cells = [f"{each.values:,}", rate, waiting, longest]
        rows.append(
            f"<tr><th scope=row>#{each.id} {d.escape(each.title)}</th>"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + f'<td class="place">{d.escape(recording.place_of(each))}</td></tr>'
        )
    left = len(chosen) - _MOST_ROWS
    more = f"<p>{left:,} more</p>" if left > 0 else ""
    return f"<table>{''.join(rows)}</table>{more}"


def counters(recording: Recording, words: str = "") -> str:
    """A row for each source, with what it counts."""
    rows = []
    sources = by_source(recording, words)
    for source, counted in list(sources.items())[:_MOST_ROWS]:
        texts = [f"{d.escape(what)} <b>{each.value:,}</b>" for what, each in counted]
        rows.append(f"<tr><th scope=row>{d.escape(source)}</th><td>{', '.join(texts)}</td></tr>")
    left = len(sources) - _MOST_ROWS
    more = f"<p>{left:,} more</p>" if left > 0 else ""
    return f"<table>{''.join(rows)}</table>{more}" if rows else "<p>There are none.</p>"
