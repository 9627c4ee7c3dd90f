"""Plants defects in the engine, one after the other, and has a fuzzer find each.

    test_plants.py BUILD            builds the engine with each defect in BUILD, and plays
    test_plants.py BUILD --only NAME …
    test_plants.py --check          whether what they change is in the sources still

A fuzzer that finds nothing is either right or blind: this tells which. Each defect has a
time within which it has to be found; what it took is printed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

from plants import PLANTS

TREE = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["CMakeLists.txt", "Package.swift", "README.md", "Sources", "Tests", "cmake", "include",
         "python", "scripts", "examples-c", "benchmarks", "docs"]


def planted(plant):
    """The file with the defect in it."""
    text = (TREE / plant.file).read_text(encoding="utf-8")
    count = text.count(plant.before)
    if count != 1:
        sys.exit(
            "plant %r: what it changes is %d times in %s, and should be there once. "
            "Write it anew in Tests/values/plants.py:\n%s"
            % (plant.name, count, plant.file, plant.before)
        )
    return text.replace(plant.before, plant.after)


def run(arguments, log):
    with open(log, "wb") as file:
        if subprocess.call(arguments, stdout=file, stderr=subprocess.STDOUT) != 0:
            sys.exit("%s failed: see %s" % (arguments[0], log))


def prepare(build):
    """A copy of the tree, configured."""
    tree = build / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for part in PARTS:
        source = TREE / part
        if source.is_dir():
            shutil.copytree(source, tree / part, symlinks=True)
        elif source.exists():
            shutil.copy2(source, tree / part)
    run(["cmake", "-S", str(tree), "-B", str(build / "build"), "-G", "Ninja"],
        build / "configure.log")
    return tree


def play(build, plant):
    """The seconds until it was found, or None."""
    program = str(build / "build" / "tests" / plant.program)
    log = build / (plant.name + ".log")
    start = time.monotonic()
    with open(log, "wb") as file:
        status = subprocess.call(
            [program, "--seconds", str(plant.seconds), "--patience", "5"],
            stdout=file, stderr=subprocess.STDOUT)
    return time.monotonic() - start if status != 0 else None


def find(build, tree, plant):
    target = tree / plant.file
    target.write_text(planted(plant), encoding="utf-8")
    run(["ninja", "-C", str(build / "build"), "rac", plant.program], build / "build.log")
    seconds = play(build, plant)
    shutil.copy(TREE / plant.file, target)
    # A copy keeps the time of the original, which is older than what was built.
    os.utime(target)
    if seconds is None:
        print("plants: %s was NOT FOUND in %d s" % (plant.name, plant.seconds))
    else:
        print("plants: %s was found in %.1f of %d s" % (plant.name, seconds, plant.seconds))
    sys.stdout.flush()
    return seconds is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    for plant in PLANTS:
        planted(plant)
    if asked.check:
        print("plants: %d, and what they change is there" % len(PLANTS))
        return 0
    if asked.build is None:
        parser.error("where to build?")
    build = pathlib.Path(asked.build).resolve()
    tree = prepare(build)
    chosen = [plant for plant in PLANTS if not asked.only or plant.name in asked.only]
    found = [find(build, tree, plant) for plant in chosen]
    print("plants: %d of %d found" % (sum(found), len(found)))
    return 0 if all(found) and found else 1


if __name__ == "__main__":
    sys.exit(main())
