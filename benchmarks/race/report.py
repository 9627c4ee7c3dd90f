"""docs/Measurements.md, written from what the parts have measured."""

from . import aims, in_python, in_swift, instructions, machine, reasons, setup, table
from .workloads import WORKLOADS

PAGE = setup.ROOT / "docs" / "Measurements.md"

TEMPLATE = """# Measurements

Written by `benchmarks/run --write`; see [benchmarks](../benchmarks/README.md) for
what is measured and how. Do not edit.

{machine}

{loads}

## What is not reached

{unreached}

## Where a peer is ahead

{behind}

## Aims

Ratios within one run, or instructions.

{aims}

## The race

Medians of {rounds} interleaved rounds, of fewer where one takes long. Compare ratios, and only within one run;
those above 1 are bold. `ctypes` is librac from Python without the package, held against Python's own
libraries; librac itself is held against those in C and C++.

{race}

{gaps}

## Python

Nanoseconds of processor time. The package `librac` beside its peers, in one process; `bare Python` calls the function itself,
`partial` is `functools.partial`: the least that a function in C costs that calls one of Python's.

{python}

## Swift

`Reactive` beside the C names in the same program; `values()` and an actor beside what Swift itself has.

{swift}

## How cost grows

![Cost as a function of subscribers, stages, timers and replay length](growth.svg)

## Instructions

An event of librac, counted by callgrind, which the load of the machine does not
change. `benchmarks/run --compare` compares a build with these. *The same job in C* is
what is left of an aim for everything else that librac does: see `floor/job/job.h`.

{instructions}
"""

NOT_MEASURED = "Not measured."
NO_REASON = "**No reason is known.**"
# A peer that is ahead by less than rounds differ.
LEVEL = 1.05


def _machine():
    return (
        "{date}, {processor}, {cores} cores, {system}, Linux {kernel}, {compiler}, "
        "{swift}, Python {python}. Everything is compiled with `-O2`, librac as "
        "Embedded Swift with `-O`."
    ).format_map(machine.describe())


def _loads(parts):
    """How busy the machine was, and what was measured before the last changes."""
    now, lines = setup.state(), []
    busy = ["{} {}".format(name, part.load) for name, part in parts.items()]
    lines.append("Load of the machine at the end of each part: {}.".format(", ".join(busy)))
    old = [name for name, part in parts.items() if part.state != now]
    if old:
        lines.append(
            "**Of an earlier state of the sources: {}.**".format(", ".join(old))
        )
    return "\n".join(lines)


def _by_reason(told):
    """Lines of a list, of (key, text): what has one reason stands in one line."""
    lines = {}
    for reason, text in told:
        lines.setdefault(reason, []).append(text)
    for reason, texts in lines.items():
        yield "- {}. {}".format("; ".join(texts), reason)


def unreached(checked, why):
    told = []
    for heading, each in checked.items():
        for one in each:
            if one.reached is False:
                text = "**{}: {}** {}, measured {}".format(
                    heading, one.aim.text, aims.limit(one.aim), aims.measured(one)
                )
                told.append((why.get(one.aim.key, NO_REASON), text))
    yield from _by_reason(told)
    missing = [one.aim.text for each in checked.values() for one in each if one.value is None]
    if missing:
        yield "- Not measured: {}.".format("; ".join(missing))


def _all_behind(parts):
    if "race" in parts:
        found = parts["race"].found
        yield from table.behind(found["results"], found["names"])
    if "python" in parts:
        yield from (table.Behind(*each) for each in in_python.behind(parts["python"].found))


def behind(parts, why):
    """Rows with their reasons; those that are level have none."""
    level, told = [], []
    for each in _all_behind(parts):
        text = "{} ({} ×)".format(each.text, table.number(each.ratio))
        if each.ratio <= LEVEL:
            level.append(text)
        else:
            told.append((why.get(each.row, NO_REASON), text))
    yield from _by_reason(told)
    if level:
        yield "- {}. Level, within 5 %.".format("; ".join(level))


def _instructions():
    if not instructions.RECORDED.exists():
        return "None recorded."
    found = instructions.recorded()
    counts, same_job = found["counts"], found.get("same job", {})
    lines = ["| | librac | the same job in C |", "|---|---:|---:|"]
    for workload in WORKLOADS:
        if workload.key in counts:
            title = instructions.title(workload)
            beside = same_job.get(workload.key)
            beside = "" if beside is None else "{:,.1f}".format(beside)
            row = "| {} | {:,.1f} | {} |".format(title, counts[workload.key], beside)
            lines.append(row)
    return "\n".join(lines)


def _of(parts, name, tell):
    return tell(parts[name].found) if name in parts else NOT_MEASURED


def text(parts, checked):
    why = reasons.read()
    race = parts["race"].found if "race" in parts else {}
    results, names = race.get("results", []), race.get("names", [])
    return TEMPLATE.format(
        machine=_machine(),
        loads=_loads(parts),
        unreached="\n".join(unreached(checked, why)) or "Nothing.",
        behind="\n".join(behind(parts, why)) or "Nowhere.",
        aims=aims.as_markdown(checked),
        rounds=race.get("rounds", "no"),
        race=table.as_markdown(results, names) if results else NOT_MEASURED,
        gaps="\n".join("- " + line for line in table.empty_cells(results, names)),
        python=_of(parts, "python", in_python.as_markdown),
        swift=_of(parts, "swift", in_swift.as_markdown),
        instructions=_instructions(),
    )


def write(parts, checked):
    if "instructions" in parts:
        instructions.record(parts["instructions"].found)
    page = text(parts, checked)
    PAGE.write_text(page, encoding="utf-8")
    setup.say("wrote {}".format(PAGE.relative_to(setup.ROOT)))
    if NO_REASON in page:
        setup.say("some of it has no reason in {}".format(reasons.FILE.relative_to(setup.ROOT)))
