#!/usr/bin/env python3
"""Races librac's Python package against its peers: reactivex, psygnal, eventkit, blinker.

    pip install . reactivex psygnal eventkit blinker && python benchmarks/python/race.py

All contestants of a workload run once in each round, so that a slow moment of the machine
falls on all of them; the table shows medians. What is not installed is left out. With
--check it fails when librac is not as much faster than reactivex as it is to be, or is
behind another one with a send.
"""

import argparse
import gc
import importlib.metadata
import json
import statistics
import sys
import time

import workloads


def contestants():
    found = []
    for each in workloads.CONTESTANTS:
        try:
            found.append(each())
        except ImportError as error:
            print("left out: {} ({})".format(each.name, error), file=sys.stderr)
    return found


def version(name):
    """What the package says of itself; empty for what is none."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def taken(run, n):
    """Of this thread's processor time, in which everything happens: what else the machine
    does is left out."""
    start = time.thread_time()
    run(n)
    return time.thread_time() - start


def enough(run, seconds):
    """How many events fill that time."""
    n = 4096
    while True:
        spent = taken(run, n)
        if spent > seconds / 4:
            return max(n, int(n * seconds / spent) // 4096 * 4096)
        n *= 4


def race(runs, rounds, seconds):
    """Nanoseconds an event, the median of all rounds, by contestant."""
    sizes = {name: enough(run, seconds) for name, run in runs.items()}
    times = {name: [] for name in runs}
    order = list(runs)
    for number in range(rounds):
        for name in order[number % len(order):] + order[:number % len(order)]:
            spent = taken(runs[name], sizes[name])
            times[name].append(spent / sizes[name] * 1e9)
    return {name: statistics.median(each) for name, each in times.items()}


def missed(results):
    """What librac is to reach and does not."""
    for name, _, aim in workloads.WORKLOADS:
        times = results.get(name, {})
        ours = times.get("librac")
        if ours is None:
            continue
        if aim and "reactivex" in times and times["reactivex"] < aim * ours:
            yield "{}: {:.1f} times reactivex, not {}".format(
                name, times["reactivex"] / ours, aim)
        for other in ("psygnal", "eventkit"):
            if name == "send" and times.get(other, ours) < ours:
                yield "send: behind {}".format(other)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.01, help="of one run")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true", help="instead of the table")
    parser.add_argument("--only", help="contestants, with commas between")
    parser.add_argument("names", nargs="*", help="workloads; all")
    options = parser.parse_args()
    racing = contestants()
    if options.only:
        racing = [each for each in racing if each.name in options.only.split(",")]
    table = sys.stderr if options.json else sys.stdout
    head = "{:<42}".format("nanoseconds of processor time an event")
    print(head + "".join("{:>13}".format(each.name) for each in racing), file=table)
    gc.disable()
    results = {}
    for name, told, _ in workloads.WORKLOADS:
        if options.names and name not in options.names:
            continue
        runs = {each.name: getattr(each, name)() for each in racing if hasattr(each, name)}
        results[name] = times = race(runs, options.rounds, options.seconds)
        cells = ("{:>13,.0f}".format(times[each.name]) if each.name in times else " " * 13
                 for each in racing)
        print("{:<42}".format(told) + "".join(cells), file=table, flush=True)
    if options.json:
        versions = {each.name: version(each.name) for each in racing}
        titles = {name: told for name, told, _ in workloads.WORKLOADS}
        json.dump({"results": results, "versions": versions, "titles": titles}, sys.stdout)
        return 0
    faults = list(missed(results))
    print("\n".join(faults))
    return 1 if options.check and faults else 0


if __name__ == "__main__":
    sys.exit(main())
