"""What is shown of a case that failed: a smaller one that fails as well, and the
recordings in words."""

import copy

from marbles import HORIZON, take
from text import listed


def readable(numbers):
    """A recording: what each line, that is each subscriber, heard."""
    lines = {}
    numbers = iter(numbers)
    for time in numbers:
        line, kind = divmod(next(numbers), 10)
        lines.setdefault(line, []).append((time, kind, take(numbers)))
    heard = [
        ("line {}: ".format(line) if line else "") + listed(events)
        for line, events in sorted(lines.items())
    ]
    return "; ".join(heard) or "nothing"


def nodes_of(node):
    found = [node]
    for each in node.nodes:
        found += nodes_of(each)
    return found


def smaller(case):
    """Cases with one thing less."""
    simple = {"dispose_at": HORIZON, "dispose_after": -1, "second_at": -1}
    for name, value in simple.items():
        if getattr(case, name) != value:
            other = copy.deepcopy(case)
            setattr(other, name, value)
            yield other
    for place, node in enumerate(nodes_of(case.node)):
        for event in range(len(node.events or [])):
            other = copy.deepcopy(case)
            del nodes_of(other.node)[place].events[event]
            yield other
    if len(case.node.nodes) == 1:
        other = copy.deepcopy(case)
        other.node = other.node.nodes[0]
        yield other


def is_possible(case):
    """What repeats for ever keeps its value, and the take below it."""
    if case.dispose_at < case.second_at or case.node.name == "signals":
        return False
    for node in nodes_of(case.node):
        if node.name == "error" and not node.events:
            return False
        if node.name in ("repeat", "retry"):
            events = node.nodes[0].events
            if node is case.node or not events or events[0][:2] != (-1, 1):
                return False
    return True


def shrunk(case, is_wrong):
    """The case without whatever it fails without."""
    while True:
        for other in smaller(case):
            if is_possible(other) and is_wrong(other):
                case = other
                break
        else:
            return case
