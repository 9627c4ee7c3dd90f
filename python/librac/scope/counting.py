"""The counters of a recording, those of one source together: "redis orders: lag" and "redis
orders: doubles" are two of "redis orders"."""

from __future__ import annotations

from .recording import Counter, Recording
from .words import matches


def by_source(recording: Recording, words: str = "") -> dict[str, list[tuple[str, Counter]]]:
    """Of each source the counters, by what the source calls them; those of no source are under
    "". Of a name whose counters are all gone it is the last one."""
    found: dict[str, list[tuple[str, Counter]]] = {}
    for each in _shown(recording):
        if words and not matches(f"{each.name} #{each.id}", words):
            continue
        source, colon, what = each.name.rpartition(": ")
        found.setdefault(source, []).append((what if colon else each.name, each))
    return dict(sorted(found.items()))


def _shown(recording: Recording) -> list[Counter]:
    last = {each.name: each for each in recording.counters.values() if each.gone is not None}
    alive = {each.name for each in recording.counters.values() if each.gone is None}
    return [
        each
        for each in recording.counters.values()
        if each.gone is None or (each.name not in alive and last[each.name] is each)
    ]
