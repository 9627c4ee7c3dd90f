"""The programs that race, and how they are told what to do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from . import setup

HERE = Path(__file__).resolve().parent.parent


# Contestants of one script, from PyPI.
# Peers in C++ of the folder that --peers names: signals with slots, and observables.
HEADERS = ("sigslot", "nod", "nano-signal-slot", "KDBindings")
STREAMS = ("RxCpp", "ReactivePlusPlus")
PYTHON_SIGNALS = ("psygnal", "eventkit", "blinker")


class Failure(Exception):
    """A contestant that ended, or that answered with something else."""


class Contestant:
    """One name in the table. Its program runs while a workload is open."""

    def __init__(
        self, name, command, loading, environment=None, native=True, last_words=()
    ):
        self.name = name
        self.native = native
        self.command = command
        # What scripts that are several contestants are told which one by.
        self.last_words = list(last_words)
        self.loading = loading
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None

    # ---- One-off figures, each in a process of its own ------------------------

    def load_time(self):
        """Nanoseconds that loading the library takes."""
        command = self.loading if self.native else self.command + self.loading
        return int(self._output(command + self.last_words))

    def first_event_time(self):
        """Nanoseconds from here until an event has arrived there."""
        now = str(time.monotonic_ns())
        words = ["--first-event", self.name, now] + self.last_words
        return int(self._output(self.command + words))

    def _output(self, command):
        done = subprocess.run(
            command, env=self.environment, stdout=subprocess.PIPE, check=False
        )
        if done.returncode != 0:
            raise Failure("{} ended with {}".format(command, done.returncode))
        return done.stdout.decode()

    # ---- Workloads -----------------------------------------------------------

    def open(self, workload):
        """False when it cannot do this workload."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command + ["--serve", self.name] + self.last_words,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                universal_newlines=True,
            )
        answer = self._ask("open {} {}".format(workload.name, workload.argument))
        return answer is not None

    def run(self, events):
        return self._ask("run {}".format(events))

    def close(self):
        self._ask("close")

    def leave(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def _ask(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise Failure("{} ended at: {}".format(self.name, command))
        return None if answer.startswith("-") else json.loads(answer)


def all_of(build, python):
    """Those whose programs were built. `python`: with the peers from PyPI, or None."""
    programs = build / "benchmarks"
    load = str(programs / "load")
    librac = build / "librac.so"

    def native(name, program, library):
        loading = [load, str(library)] if library else None
        return Contestant(name, [str(programs / program)], loading)

    found = [
        native("floor", "floor_loop", programs / "libnothing.so"),
        native("same job", "job_peer", programs / "libfloor_job.so"),
        native("librac", "librac_peer", librac),
    ]
    peers = [
        ("slot list", "slots_peer", None),
        ("GObject", "gobject_peer", "libgobject-2.0.so.0"),
        ("sigc++", "sigc_peer", "libsigc-2.0.so.0"),
        ("Boost.Signals2", "boost_peer", None),
        ("sigslot", "sigslot_peer", None),
        ("nod", "nod_peer", None),
        ("nano-signal-slot", "nano_peer", None),
        ("KDBindings", "kdbindings_peer", None),
        ("RxCpp", "rxcpp_peer", None),
        ("ReactivePlusPlus", "rpp_peer", None),
    ]
    found += [native(*peer) for peer in peers if (programs / peer[1]).exists()]
    scripts = [("ctypes", "ctypes_peer.py", [])]
    peers = [("reactivex", "reactivex_peer.py", [])]
    peers += [(name, "signals_peer.py", [name]) for name in PYTHON_SIGNALS]
    if python:
        scripts += [peer for peer in peers if setup.imports(python, peer[0])]
    for name, script, words in scripts:
        command = [str(python or sys.executable), str(HERE / "peers" / script)]
        environment = {"RAC_LIBRARY": str(librac), "PYTHONDONTWRITEBYTECODE": "1"}
        found.append(
            Contestant(name, command, ["--load"], environment, False, words)
        )
    return found
