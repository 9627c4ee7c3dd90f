"""What librac aims at, and whether the race reached it."""

from collections import namedtuple

from . import aims_of_core, aims_of_packages, aims_of_threads
from .table import number

Checked = namedtuple("Checked", "aim value reached")

# Under which heading they stand.
GROUPS = (
    ("The core", aims_of_core.AIMS),
    ("Threads, timers, memory", aims_of_threads.AIMS),
    ("Python", aims_of_packages.PYTHON),
    ("Swift", aims_of_packages.SWIFT),
)
VERDICTS = {True: "reached", False: "NOT reached", None: "not measured"}


def all_aims():
    return [aim for _, aims in GROUPS for aim in aims]


def check(figures):
    """heading -> what came of its aims."""
    return {heading: [_one(aim, figures) for aim in aims] for heading, aims in GROUPS}


def _one(aim, figures):
    try:
        value = aim.value(figures)
    except KeyError:
        return Checked(aim, None, None)
    reached = value >= aim.limit if aim.at_least else value <= aim.limit
    return Checked(aim, value, reached)


def limit(aim):
    sign = "≥" if aim.at_least else "≤"
    return "{} {} {}".format(sign, number(aim.limit), aim.unit).strip()


def measured(checked):
    return "–" if checked.value is None else number(checked.value)


def as_text(found):
    lines = []
    for heading, each in found.items():
        lines.append(heading)
        for checked in each:
            columns = checked.aim.text, limit(checked.aim), measured(checked)
            line = "  {:52} {:>28} {:>9}  ".format(*columns)
            lines.append(line + VERDICTS[checked.reached])
    return "\n".join(lines)


def as_markdown(found):
    rows = ["| aim | demanded | measured | |", "|---|---|---:|---|"]
    for heading, each in found.items():
        rows.append("| *{}* | | | |".format(heading))
        for checked in each:
            columns = checked.aim.text, limit(checked.aim), measured(checked)
            rows.append("| {} | {} | {} | {} |".format(*columns, VERDICTS[checked.reached]))
    return "\n".join(rows)
