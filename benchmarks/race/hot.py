"""Which functions events pass: those that the compiler leaves as they are, while it keeps all
others short. See cmake/Engine.cmake."""

import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

from . import setup
from .instructions import COUNTED, MEASURED, callgrind
from .profile import readable
from .workloads import WORKLOADS

LISTED = setup.ROOT / "cmake" / "hot_functions.txt"
HEADING = """\
# The engine's functions that take a part worth naming of any workload whose instructions are
# counted, or that crosses threads. Written by benchmarks/run --hot; do not edit.
"""
EVENTS = 4000
# Beside those whose instructions are counted: what all threads of the process do.
THREADED = ["deliver-on", "ping-pong", "ping-pong-threads:1"]
# A function with a smaller part of every workload is none of them.
PART = 0.003
# Of the engine, and compiled from Swift.
OURS = re.compile(r"\$e\S+|rac_(?!shim_|slab_)\w+")
# What the compiler has made of several functions is named after any of them, with this at its end.
MERGED = "Tm"


def self_costs(text):
    """name -> instructions, of what callgrind has written."""
    names, costs = {}, {}
    current, is_of_call = None, False
    for line in text.splitlines():
        named = re.match(r"(c?)fn=(\(\d+\))(?: (.+))?$", line)
        if named:
            called, number, name = named.groups()
            if name:
                names[number] = name.split("'")[0]
            if not called:
                current = names[number]
        elif line.startswith("calls="):
            # The next line has what the called one took.
            is_of_call = True
        elif re.match(r"[-+*\d]", line):
            if not is_of_call:
                costs[current] = costs.get(current, 0) + int(line.split()[-1])
            is_of_call = False
    return costs


def _of_workload(contestant, workload):
    with tempfile.TemporaryDirectory() as folder:
        part = () if workload.key in THREADED else MEASURED
        if callgrind(contestant, workload, [EVENTS], folder, of=part) is None:
            return set()
        costs = self_costs(Path(folder, "out").read_text(encoding="utf-8"))
    least = PART * sum(costs.values())
    return {name for name, cost in costs.items() if cost >= least}


def _compiled():
    done = subprocess.run(
        ["nm", "--defined-only", "--format=posix", str(setup.BUILD / "engine.o")],
        stdout=subprocess.PIPE,
        universal_newlines=True,
        check=True,
    )
    return {line.split()[0] for line in done.stdout.splitlines()}


def find(contestant):
    """The names of the functions, in order."""
    chosen = [workload for workload in WORKLOADS if workload.key in COUNTED + THREADED]
    with ThreadPoolExecutor(cpu_count()) as pool:
        found = set().union(*pool.map(lambda w: _of_workload(contestant, w), chosen))
    alone = {name for name in found & _compiled() if not name.endswith(MERGED)}
    return sorted(name for name in alone if OURS.fullmatch(name))


def write(names):
    described = zip(names, readable(names))
    rows = [name if name == text else "{}  # {}".format(name, text) for name, text in described]
    LISTED.write_text(HEADING + "\n".join(rows) + "\n", encoding="utf-8")
