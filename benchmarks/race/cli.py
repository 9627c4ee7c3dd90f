"""The command line of benchmarks/run."""

import argparse
import json
import sys

from . import aims, contestants, instructions, machine, report, rounds, setup, table
from .workloads import CURVES, WORKLOADS

DESCRIPTION = "The race of librac against plain C and its peers."


def arguments():
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=DESCRIPTION)
    parser.add_argument(
        "names", nargs="*", help="only workloads with one of these in their name"
    )
    parser.add_argument("--rounds", type=int, help="how many (default: 9)")
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
        help="also rewrite docs/Measurements.md with the results",
    )
    parser.add_argument(
        "--instructions",
        action="store_true",
        help="count instructions an event with callgrind instead of taking times",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="compare instruction counts with the recorded ones",
    )
    parser.add_argument(
        "--record", action="store_true", help="record instruction counts"
    )
    return parser.parse_args()


def wanted(workload, names):
    return not names or any(
        name in workload.key or name in workload.title for name in names
    )


class Progress:
    """One line that says where the race is."""

    def __init__(self, total):
        self.total, self.done = total, 0
        self.tty = sys.stderr.isatty()

    def show(self, text):
        self.done += 1
        line = "[{}/{}] {}".format(self.done, self.total, text)
        print("\r\033[K" + line if self.tty else line, end="" if self.tty else "\n")
        sys.stdout.flush()

    def end(self):
        if self.tty:
            print("\r\033[K", end="", flush=True)


def race(chosen, racing, how_many, target):
    """The results of some workloads, in the form that --json writes."""
    progress = Progress(len(chosen))
    results = []
    with_errors = False
    for workload in chosen:
        progress.show(workload.title)
        try:
            cells = rounds.run(workload, racing, how_many, target)
        except contestants.Failure as failure:
            setup.say("\n{}".format(failure))
            with_errors, cells = True, {}
            for contestant in racing:
                contestant.leave()
        results.append(
            {
                "key": workload.key,
                "workload": workload.name,
                "argument": workload.argument,
                "title": workload.title,
                "figures": [list(figure) for figure in workload.figures],
                "cells": cells,
            }
        )
    progress.end()
    return results, with_errors


def main():
    options = arguments()
    chosen = [w for w in WORKLOADS if wanted(w, options.names)]
    if options.list:
        for workload in chosen:
            print("{:24} {}".format(workload.key, workload.title))
        return 0
    try:
        folder = setup.build()
    except setup.Missing as missing:
        setup.say(str(missing))
        return 1
    if options.instructions or options.compare or options.record:
        return instructions.main(folder, options)
    python = setup.environment()
    racing = contestants.all_of(folder, python)
    if options.only:
        racing = [c for c in racing if c.name in options.only.split(",")]
    how_many = options.rounds or (3 if options.quick else 9)
    target = 1e6 if options.quick else 2e7

    results, failed = race(chosen, racing, how_many, target)
    names = [contestant.name for contestant in racing]
    found = {"machine": machine.describe(), "rounds": how_many, "names": names}
    found["results"] = results
    if not options.names:
        found["aims"] = aims.check(results)
    print(table.as_text(results, names))
    if "aims" in found:
        print("\n" + aims.as_text(found["aims"]))
    if options.plot or (options.write and not options.quick):
        found["curves"] = {}
        natives = [c for c in racing if c.native]
        for name, points in CURVES.items():
            found["curves"][name], wrong = race(points, natives, min(how_many, 5), target)
            failed = failed or wrong
        report.plot(found, python)
    for contestant in racing:
        contestant.leave()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
    if options.write:
        report.write(found)
    return 1 if failed else 0
