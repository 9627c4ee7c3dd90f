"""What is wrong with a program, as far as its recording shows it: the gravest first."""

from __future__ import annotations

from ..recording import Recording
from .backlog import find_backlog
from .endings import find_leaks, find_never_ended, find_waiting_end
from .errors import find_refused, find_unhandled
from .finding import Finding
from .losses import find_dropped, find_held
from .timing import find_late, find_long_calls, find_not_run
from .work import find_twice

__all__ = ["FINDERS", "Finding", "find"]

FINDERS = (
    find_unhandled,
    find_refused,
    find_dropped,
    find_not_run,
    find_waiting_end,
    find_backlog,
    find_twice,
    find_held,
    find_late,
    find_long_calls,
    find_never_ended,
    find_leaks,
)
# Findings of nodes alive at the exit: only where nothing graver was told of them.
_REMAINS = ("never ended", "leak")
_MOST_OF_A_KIND = 20


def find(recording: Recording) -> list[Finding]:
    """All findings; of a kind that comes again and again only the first at each place."""
    found: list[Finding] = []
    told: set[int] = set()
    for finder in FINDERS:
        seen: dict[tuple[str, str], int] = {}  # where in `found`
        more: dict[int, int] = {}
        for each in finder(recording):
            key = (each.place, each.subject.rstrip("0123456789"))
            if key in seen:
                more[seen[key]] = more.get(seen[key], 0) + 1
                continue
            if len(seen) >= _MOST_OF_A_KIND:
                continue
            if each.kind in _REMAINS and each.nodes[0] in told:
                continue
            seen[key] = len(found)
            told.update(each.nodes)
            found.append(each)
        for index, number in more.items():
            first = found[index]
            found[index] = first._replace(text=f"{first.text}; and {number:,} more like it")
    return found
