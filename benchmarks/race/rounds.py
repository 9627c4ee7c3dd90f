"""The race itself: every contestant runs once in every round, so that a slow
moment of the machine falls on all of them; the median of the rounds counts."""

import statistics

from .contestants import STREAMS, Failure

# Runs of things that are done once in a process.
ALONE_ROUNDS = 7
# Nanoseconds that a contestant has for a workload; it has so many rounds at least.
TIME, LEAST = 1.5e9, 3
# Subscriptions to one subject of STREAMS, which copy the list of its subscribers for
# each that comes: more would take minutes.
MOST = 4000


# Of an outcome, in what is shown; the rest is as it is.
SCALES = {
    "cpu_ms": ("cpu_ns", 1e6),
    "late_ms": ("late_ns", 1e6),
    "late_median_ms": ("late_median_ns", 1e6),
    "late_p99_ms": ("late_p99_ns", 1e6),
}
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6}


def figures_of(workload, outcome):
    """The figures of one run, as the table shows them; without those that this
    contestant does not measure."""
    found = {}
    for figure in workload.figures:
        if figure.key in TIMES:
            found[figure.key] = outcome["ns"] / outcome["n"] / TIMES[figure.key]
            continue
        name, scale = SCALES.get(figure.key, (figure.key, 1))
        if name in outcome:
            found[figure.key] = outcome[name] / scale
    return found


class Entry:
    """A contestant in one workload."""

    def __init__(self, contestant, workload):
        self.contestant = contestant
        self.workload = workload
        self.runs = []
        self.spent = 0
        self.events = 1

    def run(self):
        outcome = self.contestant.run(self.events)
        expected = self.workload.expected(outcome["n"])
        if outcome["sum"] != expected:
            raise Failure(
                "{}, {}: the callbacks of {} events added up to {}, not {}".format(
                    self.contestant.name,
                    self.workload.title,
                    outcome["n"],
                    outcome["sum"],
                    expected,
                )
            )
        return outcome

    def calibrate(self, target):
        """Finds how many events fill `target` nanoseconds."""
        fixed = self.workload.events
        if fixed and not self.contestant.native:
            fixed = self.workload.python_events
        if fixed:
            copies = self.contestant.name in STREAMS
            self.events = min(fixed, MOST) if copies else fixed
            return
        while self.events < 1 << 26:
            # The shorter of three: one may have been interrupted.
            outcomes = [self.run()]
            if outcomes[0]["ns"] < 10 * target:
                outcomes += [self.run() for _ in range(2)]
            if min(outcome["ns"] for outcome in outcomes) >= target / 2:
                break
            self.events = max(self.events * 2, outcomes[0]["n"])

    def race(self):
        outcome = self.run()
        self.spent += outcome["ns"]
        self.runs.append(figures_of(self.workload, outcome))

    def has_time(self):
        return len(self.runs) < LEAST or self.spent < TIME

    def cell(self):
        """What goes into the results."""
        gathered = {"events": self.events, "rounds": len(self.runs)}
        for figure in self.workload.figures:
            if figure.key not in self.runs[0]:
                continue
            values = sorted(run[figure.key] for run in self.runs)
            # An overlap is one too many, in whichever round it comes.
            middle = max if figure.key == "overlaps" else statistics.median
            gathered[figure.key] = middle(values)
            gathered[figure.key + "_range"] = [values[0], values[-1]]
        return gathered


def _alone(workload, contestants, rounds):
    """Each run in a fresh process."""
    entries = [Entry(contestant, workload) for contestant in contestants]
    for _ in range(min(rounds, ALONE_ROUNDS if workload.events is None else 1)):
        for entry in entries:
            who = entry.contestant
            if workload.name == "dlopen":
                if who.loading:
                    entry.runs.append({"ms": who.load_time() / 1e6})
            elif workload.name == "first-event":
                entry.runs.append({"ms": who.first_event_time() / 1e6})
            else:
                who.leave()
                if who.open(workload):
                    entry.calibrate(0)
                    entry.runs.append(figures_of(workload, entry.run()))
                who.leave()
    return entries


def _together(workload, contestants, rounds, target, tell):
    entries = []
    for contestant in contestants:
        if workload.python_events == 0 and not contestant.native:
            continue
        if contestant.name in STREAMS and workload.argument > MOST:
            continue
        tell(": {} prepares".format(contestant.name))
        if contestant.open(workload):
            entries.append(Entry(contestant, workload))
            entries[-1].calibrate(target)
    if not entries:
        return entries
    rounds = min(rounds, workload.rounds)
    for number in range(rounds):
        tell(": round {} of {}".format(number + 1, rounds))
        first = number % len(entries)
        for entry in entries[first:] + entries[:first]:
            if entry.has_time():
                entry.race()
    for entry in entries:
        entry.contestant.close()
    return entries


def run(workload, contestants, rounds, target, tell):
    """name -> cell, of those contestants that can do the workload. `tell` gets a
    few words about how far it is."""
    if workload.alone:
        entries = _alone(workload, contestants, rounds)
    else:
        entries = _together(workload, contestants, rounds, target, tell)
    return {entry.contestant.name: entry.cell() for entry in entries if entry.runs}
