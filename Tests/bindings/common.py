"""Copies a binding into a folder of its own, generates it there, and has its tests and its example run."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What examples/words prints.
EXPECTED = "3\n9\n"
# Of 397 functions; fewer mean that a change of the interface has a shape that the generator does not know.
FEWEST = 315


def copied(language, build):
    place = pathlib.Path(build) / "bindings" / language
    shutil.rmtree(place / "source", ignore_errors=True)
    shutil.copytree(
        str(ROOT / "bindings" / language), str(place / "source"), ignore=shutil.ignore_patterns("target", "generated.*"))
    written = run([sys.executable, "generate.py", str(ROOT / "include" / "rac.json")], place / "source")
    print(written, end="")
    methods = int(written.split(": ")[1].split()[0])
    assert methods >= FEWEST, "{} methods, {} at least".format(methods, FEWEST)
    return place


def run(command, where, environment=None):
    result = subprocess.run(
        command, cwd=str(where), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if result.returncode != 0:
        sys.exit("{} failed\n{}".format(" ".join(command), result.stdout))
    return result.stdout
