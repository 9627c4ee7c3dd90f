"""Runs workloads, one after the other, and says how far it is."""

import sys
import time

from . import contestants, rounds, setup
from .workloads import CURVES


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
    """Remembers whether something went wrong."""

    def __init__(self, racing, options):
        self.racing = racing
        # Many short runs: a busy machine leaves some of them alone.
        self.rounds = options.rounds or (3 if options.quick else 21)
        self.target = 1e6 if options.quick else 3e6
        self.failed = False

    @property
    def names(self):
        return [contestant.name for contestant in self.racing]

    def run(self, chosen, racing=None, how_many=None):
        """Results in the form that --json writes."""
        progress = Progress(len(chosen))
        results = []
        for workload in chosen:
            progress.show(workload.title)
            started = time.monotonic()
            cells = self._cells(
                workload,
                racing or self.racing,
                how_many or self.rounds,
                progress.detail,
            )
            results.append(
                {
                    "key": workload.key,
                    "workload": workload.name,
                    "argument": workload.argument,
                    "x": workload.argument or workload.events,
                    "title": workload.title,
                    "figures": [list(figure) for figure in workload.figures],
                    "seconds": round(time.monotonic() - started, 1),
                    "cells": cells,
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
