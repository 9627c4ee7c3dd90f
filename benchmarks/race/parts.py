"""The parts of the race. What each has found is kept in the build's folder, so that
they may run at different times and be written into one page."""

import json
from collections import namedtuple

from . import in_python, in_swift, instructions, plotting, setup, size, table

NAMES = ("instructions", "size", "python", "swift", "race", "growth")
KEPT = setup.BUILD / "results"

# `found` is the part's own; `load` of the machine at its end; `state`: of the sources.
Part = namedtuple("Part", "found load seconds state")
# What a part is told.
How = namedtuple("How", "options folder python race workloads")


def run(name, how):
    return RUN[name](how)


def _race(how):
    results = how.race.run(how.workloads)
    return {"rounds": how.race.rounds, "names": how.race.names, "results": results}


def _growth(how):
    curves = how.race.curves()
    plotting.plot(curves, how.python)
    return curves


def _instructions(how):
    if not instructions.available():
        return None
    chosen = {workload.key for workload in how.workloads}
    # Of librac and of the same job in C: those that the page shows.
    racing = [c for c in how.race.racing if c.name in ("librac", "same job")]
    return instructions.main(racing, lambda w: w.key in chosen, False, False)


RUN = {
    "race": _race,
    "growth": _growth,
    "instructions": _instructions,
    "size": lambda how: size.run(),
    "python": lambda how: in_python.run(how.python, how.options),
    "swift": lambda how: in_swift.run(how.options),
}


def build(names):
    """What is not in the build's folder: the others are built by then."""
    if "swift" in names:
        in_swift.build()
    return 0


def keep(name, part):
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / (name + ".json")
    path.write_text(json.dumps(part._asdict(), indent=1) + "\n", encoding="utf-8")


def kept():
    """The parts that were measured, by name."""
    found = {}
    for name in NAMES:
        path = KEPT / (name + ".json")
        if path.exists():
            found[name] = Part(**json.loads(path.read_text(encoding="utf-8")))
    return found


def as_text(name, part):
    if name == "race":
        results, names = part.found["results"], part.found["names"]
        lines = [table.as_text(results, names)]
        behind = [line.text for line in table.behind(results, names)]
        if behind:
            lines += ["", "behind the best peer:"] + ["  " + text for text in behind]
        return "\n".join(lines) + "\n"
    if name == "python":
        return in_python.as_text(part.found)
    if name == "size":
        return size.as_text(part.found)
    if name == "swift":
        return in_swift.as_text(part.found)
    return ""
