"""Instructions an event, counted by callgrind: the same on a busy machine.

A workload runs twice in one process, with a few and with more events; what the
longer run took more, divided by its further events, is the cost of one. What
other threads do meanwhile is not counted.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import machine, setup
from .contestants import Failure
from .workloads import WORKLOADS

RECORDED = Path(__file__).resolve().parent.parent / "instructions.json"
FEW, MORE = 4000, 24000
# Changes below this part are not worth a line.
NOTICEABLE = 0.005

COUNTED = [
    "send:1",
    "send:10",
    "send:1000",
    "string",
    "string-copied",
    "text-map",
    "map-filter-scan",
    "running-sum:0",
    "running-sum:1",
    "running-sum:2",
    "maps:1",
    "maps:10",
    "create:1000",
    "create:1",
    "batch:10",
    "batch:1000",
    "gather:1000",
    "create-batch:1000",
    "subscribe:0",
    "subscribe:1000",
    "subscribe-maps:1",
    "subscribe-maps:10",
    "flatten-map",
    "flatten-map-create",
    "flatten-map-inside",
    "flatten-map-mapped",
    "flatten-map-empty",
    "flatten-map-hot",
    "alone-mapped",
    "alone-empty",
    "alone-hot",
    "alone-inside",
    "combine-latest:2",
    "combine-latest-kept:2",
    "zip:2",
    "zip-kept:2",
    "merge:10",
    "replay:0",
    "replay:100",
    "share:1",
    "share:10",
    "distinct",
    "debounce",
    "job",
    "property-unheard:0",
    "property-batch:100",
    "property-set:0",
    "property-set:1",
    "property-get:0",
    "derived-map:1",
    "derived-diamonds:1",
    "derived-diamonds:5",
    "derived-wide:1000",
    "derived-chain:10000",
    "derived-cut-off:999",
    "timer-schedule",
    "hop-dispose:0",
    "hop-release:0",
    "hop-create:0",
]

# Where a run does more than is timed, all of it is counted.
TITLES = {
    "replay:0": "a value sent, replayed and dropped",
    "replay:100": "a send into a replay subject of 100",
    "hop-dispose:0": "a subject made, fed elsewhere, disposed",
    "hop-release:0": "a subject made, fed elsewhere, released",
    "hop-create:0": "a create made, fed elsewhere, disposed",
    "timer-schedule": "schedule + cancel one of {:,} timers".format(MORE),
}


def title(workload):
    return TITLES.get(workload.key, workload.title)


# What the thread that runs the workload does meanwhile.
MEASURED = ("--collect-atstart=no", "--toggle-collect=worker_measured")


def callgrind(contestant, workload, runs, folder, *options, of=MEASURED):
    """The outcomes of some runs, with the counts in folder/out; None when the
    contestant cannot do the workload. `of` nothing: all that the process does."""
    done = subprocess.run(
        [
            "valgrind",
            "--tool=callgrind",
            *of,
            "--callgrind-out-file=" + folder + "/out",
            *options,
            *contestant.command,
            "--count",
            contestant.name,
            workload.name,
            str(workload.argument),
            *map(str, runs),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        check=False,
    )
    if done.returncode == 2:
        return None
    if done.returncode != 0:
        raise Failure(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def count(contestant, workload):
    """Instructions an event, or None when the contestant cannot do it."""
    runs = [FEW, FEW, MORE]  # the first warms up
    each = "--dump-after=worker_measured"
    with tempfile.TemporaryDirectory() as folder:
        outcomes = callgrind(contestant, workload, runs, folder, each)
        if outcomes is None:
            return None
        totals = []
        for number in range(1, len(runs) + 1):
            dump = Path(folder, "out.{}".format(number)).read_text()
            totals.append(int(re.search(r"^totals: (\d+)", dump, re.M).group(1)))
    more = outcomes[2]["n"] - outcomes[1]["n"]
    return round((totals[2] - totals[1]) / more, 1)


def count_all(chosen, racing):
    """key -> contestant -> instructions."""
    jobs = [(workload, contestant) for workload in chosen for contestant in racing]
    # As many at a time as there are processors: it is no time that is measured.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda job: count(job[1], job[0]), jobs)
        counts = {workload.key: {} for workload in chosen}
        for (workload, contestant), each in zip(jobs, found):
            if each is not None:
                counts[workload.key][contestant.name] = each
            if contestant is racing[-1]:
                setup.say("counted: {}".format(title(workload)))
    return counts


def as_text(chosen, counts, names):
    heading = "{:42}".format("instructions an event")
    lines = [heading + "".join("%16s" % name for name in names)]
    for workload in chosen:
        cells = [counts[workload.key].get(name) for name in names]
        lines.append(
            "{:42}".format(title(workload))
            + "".join("%16s" % ("–" if c is None else "%.1f" % c) for c in cells)
        )
    return "\n".join(lines)


def record(counts):
    made_by = machine.describe()
    before = recorded() if RECORDED.exists() else {}

    def kept(field, name):
        now = {key: cells[name] for key, cells in counts.items() if name in cells}
        return dict(before.get(field, {}), **now)

    text = {
        "architecture": platform.machine(),
        "compiler": made_by["compiler"],
        "swift": made_by["swift"],
        "counts": kept("counts", "librac"),
        "same job": kept("same job", "same job"),
    }
    RECORDED.write_text(json.dumps(text, indent=2) + "\n", encoding="utf-8")


def recorded():
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def changes(counts):
    """Lines that say what costs more and what less than what was recorded."""
    before = recorded()["counts"]
    for key, cells in counts.items():
        now, then = cells.get("librac"), before.get(key)
        if now is None:
            continue
        if then is None:
            yield "{:24} {:>9} → {:9.1f}   new".format(key, "–", now)
        elif abs(now - then) > NOTICEABLE * then:
            change = 100 * (now - then) / then
            yield "{:24} {:9.1f} → {:9.1f}   {:+.1f} %".format(key, then, now, change)


def available():
    if shutil.which("valgrind") is None:
        setup.say("no instruction counts: install valgrind")
        return False
    return True


def counted(wanted):
    return [w for w in WORKLOADS if w.key in COUNTED and wanted(w)]


def main(racing, wanted, compare, keep):
    """Counts, prints, and returns the counts. `compare` with what is recorded; `keep`: record."""
    racing = [c for c in racing if c.native]
    if compare or keep:
        wanted_names = ("librac", "same job") if keep else ("librac",)
        racing = [c for c in racing if c.name in wanted_names]
    chosen = counted(wanted)
    counts = count_all(chosen, racing)
    print(as_text(chosen, counts, [c.name for c in racing]))
    if compare:
        found = list(changes(counts))
        print("\nagainst {}:".format(RECORDED.name))
        print("\n".join(found) if found else "nothing changed")
    if keep:
        record(counts)
        print("\nrecorded in {}".format(RECORDED.name))
    return counts
