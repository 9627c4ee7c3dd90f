"""The Swift package beside the C names: benchmarks/swift/run, over librac.so and with
the engine linked in."""

import json
import shutil
import subprocess

from . import setup
from .table import DASH, aligned, markdown, number

SCRIPT = setup.ROOT / "benchmarks" / "swift" / "run"
# What a program of the package is called, and what it is linked with.
LINKED = {"shared": "over librac.so", "static": "with the engine linked in"}


def build():
    """Says what is missing, and returns whether it is all there."""
    if shutil.which("swift") is None:
        setup.say("skipped: the Swift package needs swift")
        return False
    setup.say("building the Swift package, twice")
    setup.quietly([str(SCRIPT), "--build"])
    return True


def run(options):
    """{"shared": [row…], "static": [row…]}; None without Swift."""
    if not build():
        return None
    words = ["--quick"] if options.quick else []
    done = subprocess.run(
        [str(SCRIPT), "--json"] + words,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        check=False,
    )
    if done.returncode != 0:
        raise setup.Missing("{} ended with {}".format(SCRIPT, done.returncode))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        linked: [row for row in rows if row["linked"] == linked] for linked in LINKED
    }


def _rows(rows):
    yield ["ns of processor time", "C names, or Swift's own", "Reactive", "ratio"]
    for row in rows:
        ratio = number(row["face"] / row["names"]) if row["names"] else DASH
        yield [row["name"], number(row["names"]), number(row["face"]), ratio]


def as_text(found):
    lines = []
    for linked, told in LINKED.items():
        lines += ["Reactive " + told, *aligned(list(_rows(found[linked]))), ""]
    return "\n".join(lines)


def as_markdown(found):
    tables = []
    for linked, told in LINKED.items():
        tables.append(told[0].upper() + told[1:] + ":\n")
        tables += [*markdown(list(_rows(found[linked]))), ""]
    return "\n".join(tables).rstrip()
