"""The command line of benchmarks/run."""

import argparse
import json
import sys

from . import aims, contestants, instructions, machine, profile, report, rounds
from . import setup, table
from .workloads import CURVES, WORKLOADS

DESCRIPTION = "The race of librac against plain C and its peers."


def arguments():
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=DESCRIPTION)
    parser.add_argument(
        "names", nargs="*", help="only workloads with one of these in their name"
    )
    parser.add_argument("--rounds", type=int, help="how many (default: 21)")
    parser.add_argument("--quick", action="store_true", help="3 short rounds")
    parser.add_argument("--json", metavar="FILE", help="also write the results there")
    parser.add_argument("--list", action="store_true", help="list the workloads")
    parser.add_argument(
        "--only", metavar="NAMES", help="contestants, with commas between"
    )
    parser.add_argument(
        "--plot", action="store_true", help="also draw how cost grows, into docs/"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="also plot, record instruction counts, and rewrite docs/Measurements.md",
    )
    parser.add_argument(
        "--instructions",
        action="store_true",
        help="count instructions an event with callgrind instead of taking times",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="count librac's instructions by function, for the workloads named",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="compare instruction counts with the recorded ones",
    )
    parser.add_argument(
        "--record", action="store_true", help="record instruction counts"
    )
    options = parser.parse_args()
    if options.write and (options.names or options.only):
        parser.error("--write needs the whole race")
    if options.profile and not options.names:
        parser.error("--profile needs names of workloads")
    return options


def wanted(workload, names):
    return not names or any(n in workload.key or n in workload.title for n in names)


class Progress:
    """One line that says where the race is; a line each where there is no terminal."""

    def __init__(self, total):
        self.total, self.done = total, 0
        self.tty = sys.stderr.isatty()

    def show(self, text):
        self.done += 1
        line = "[{}/{}] {}".format(self.done, self.total, text)
        if self.tty:
            self.line = line
            self.detail("")
        else:
            print(line, file=sys.stderr, flush=True)

    def detail(self, text):
        """What is going on inside the workload; only for who watches."""
        if self.tty:
            line = "\r\033[K" + self.line + text
            print(line, end="", file=sys.stderr, flush=True)

    def end(self):
        if self.tty:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Race:
    """Runs workloads, and remembers whether something went wrong."""

    def __init__(self, racing, options):
        self.racing = racing
        # Many short runs: a busy machine leaves some of them alone.
        self.rounds = options.rounds or (3 if options.quick else 21)
        self.target = 1e6 if options.quick else 3e6
        self.failed = False

    def run(self, chosen, racing=None, how_many=None):
        """Results in the form that --json writes."""
        progress = Progress(len(chosen))
        results = []
        for workload in chosen:
            progress.show(workload.title)
            results.append(
                {
                    "key": workload.key,
                    "workload": workload.name,
                    "argument": workload.argument,
                    "x": workload.argument or workload.events,
                    "title": workload.title,
                    "figures": [list(figure) for figure in workload.figures],
                    "cells": self._cells(
                        workload,
                        racing or self.racing,
                        how_many or self.rounds,
                        progress.detail,
                    ),
                }
            )
        progress.end()
        return results

    def _cells(self, workload, racing, how_many, tell):
        try:
            return rounds.run(workload, racing, how_many, self.target, tell)
        except contestants.Failure as failure:
            setup.say("\nWRONG: {}".format(failure))
            self.failed = True
            self.leave()
            return {}

    def curves(self):
        """How cost grows; among those in C and C++, as Python pays the same for
        each event."""
        natives = [c for c in self.racing if c.native]
        drawn = {}
        for name, points in CURVES.items():
            drawn[name] = []
            for point in points:
                # A run of few events is over before the clock has said much.
                few = point.events is not None and point.events <= 10000
                how_many = 25 if few else min(self.rounds, 9)
                drawn[name] += self.run([point], natives, how_many)
        return drawn

    def leave(self):
        for contestant in self.racing:
            contestant.leave()


def write_json(path, found):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


def main():
    options = arguments()

    def chosen(workload):
        return wanted(workload, options.names)

    workloads = [w for w in WORKLOADS if chosen(w)]
    if options.list:
        for workload in workloads:
            print("{:24} {}".format(workload.key, workload.title))
        return 0
    try:
        folder = setup.build()
    except setup.Missing as missing:
        setup.say(str(missing))
        return 1
    counting = (
        options.instructions or options.compare or options.record or options.profile
    )
    python = None if counting else setup.environment()
    racing = contestants.all_of(folder, python)
    if options.only:
        racing = [c for c in racing if c.name in options.only.split(",")]
    if not racing or not workloads:
        setup.say("nothing to race; --list lists the workloads")
        return 2
    if counting:
        if not instructions.available():
            return 1
        if options.profile:
            librac = next(c for c in racing if c.name == "librac")
            profile.main(librac, workloads)
            return 0
        counts = instructions.main(racing, chosen, options.compare, options.record)
        write_json(options.json, {"machine": machine.describe(), "counts": counts})
        return 0

    race = Race(racing, options)
    results = race.run(workloads)
    if options.write and instructions.available():
        instructions.main(racing, chosen, False, True)
    found = {
        "machine": machine.describe(),
        "rounds": race.rounds,
        "names": [contestant.name for contestant in racing],
        "results": results,
        "aims": aims.check(results, instructions.recorded()["counts"]),
    }
    print(table.as_text(results, found["names"]))
    behind = list(table.behind(results, found["names"]))
    if set(found["names"]) - {"floor", "librac", "ctypes"}:
        print("\nbehind the best peer: " + ("\n  ".join([""] + behind) or "nowhere"))
    if not options.names:
        print("\n" + aims.as_text(found["aims"]))
    if options.plot or options.write:
        found["curves"] = race.curves()
        report.plot(found["curves"], python)
    race.leave()
    write_json(options.json, found)
    if options.write:
        report.write(found)
    return 1 if race.failed else 0
