"""docs/Measurements.md and the plots beside it, written from the results."""

import json
import subprocess
import sys
from pathlib import Path

from . import aims, instructions, setup, table
from .workloads import WORKLOADS

DOCS = setup.ROOT / "docs"
PLOT = DOCS / "growth.svg"

TEMPLATE = """# Measurements

Written by `benchmarks/run --write`; see [benchmarks](../benchmarks/README.md) for
what is measured and how. Do not edit.

{machine}

Medians of {rounds} interleaved rounds, of fewer where one takes long. Compare ratios, and only within one run.
`ctypes` is librac from Python, held against Python's own libraries; librac itself is
held against those in C and C++.

## The race

{race}

{gaps}

Behind the best peer, or from Python behind the best of Python's own:

{behind}

## Aims

{aims}

## How cost grows

![Cost as a function of subscribers, stages, timers and replay length](growth.svg)

## Instructions

An event of librac, counted by callgrind, which the load of the machine does not
change. `benchmarks/run --compare` compares a build with these. *The same job in C* is
what is left of an aim for everything else that librac does: see `floor/job/job.h`.

{instructions}
"""


def _machine(found):
    m = found["machine"]
    return (
        "{date}, {processor}, {cores} cores (load {load} at the end of the race), "
        "{system}, Linux {kernel}, {compiler}, {swift}, Python {python}. Everything "
        "is compiled with `-O2`, librac as Embedded Swift with `-O`."
    ).format(**m)


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


def write(found):
    names, results = found["names"], found["results"]
    text = TEMPLATE.format(
        machine=_machine(found),
        rounds=found["rounds"],
        race=table.as_markdown(results, names),
        gaps="\n".join("- " + line for line in table.empty_cells(results, names)),
        behind="\n".join("- " + line for line in table.behind(results, names))
        or "- nowhere",
        aims=aims.as_markdown(found["aims"]),
        instructions=_instructions(),
    )
    path = DOCS / "Measurements.md"
    path.write_text(text, encoding="utf-8")
    setup.say("wrote {}".format(path.relative_to(setup.ROOT)))


def plot(curves, python):
    """matplotlib draws, in the environment that has it."""
    if python is None:
        setup.say("no plots: matplotlib is missing")
        return
    script = Path(__file__).resolve().parent / "plots.py"
    subprocess.run(
        [str(python), str(script), str(PLOT)],
        input=json.dumps(curves),
        universal_newlines=True,
        stdout=sys.stderr,
        check=True,
    )
    setup.say("wrote {}".format(PLOT.relative_to(setup.ROOT)))
