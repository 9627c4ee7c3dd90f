"""Random operations: nothing crashes, hangs, is left, or raises what it may not. The same seeds
every time, and one that nobody knows before."""

import os
import pathlib
import random
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
# Of each test: a second's worth every day, a million in a long run.
OPERATIONS = os.environ.get("RAC_OPERATIONS", "3000")
SEEDS = {"the same": 1, "new": random.randrange(2**31)}


def fuzz(*options):
    command = [sys.executable, HERE / "fuzzing.py", "--operations", OPERATIONS, *options]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr[-4000:]}"
    assert "0 failures" in run.stdout


@pytest.mark.parametrize("which", SEEDS)
def test_random_operations(which):
    fuzz("--seed", str(SEEDS[which]))


def test_random_operations_on_three_threads():
    fuzz("--threads", "3")


LOSES = """
import fuzzing, librac as rac
from fuzzing_things import Rude
fuzzing.Round.end = lambda round: kept.append({0})
kept = []
try:
    fuzzing.{1}
except fuzzing.Failed as failure:
    print(failure)
"""


@pytest.mark.parametrize("lost, play, told", [
    ("rac.Subject()", "play(1, [], patience=0)", "of the library are left"),
    ("Rude()", "play(1, [], patience=0)", "['Rude']"),
    pytest.param("str(len(kept) + 10**9)", "STEPS = 0; fuzzing.play_again(1)", "more blocks",
                 marks=pytest.mark.skipif(not sys.getallocatedblocks(),
                                          reason="malloc's blocks are not counted")),
])
def test_what_is_lost_is_seen(lost, play, told):
    command = [sys.executable, "-c", LOSES.format(lost, play)]
    run = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    assert told in run.stdout, run
