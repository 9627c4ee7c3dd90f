"""Builds the programs and the Python environment that the race needs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "race"
ENVIRONMENT = ROOT / "build" / "race-python"
PACKAGES = ["reactivex>=4,<7", "psygnal", "eventkit", "blinker"]
PACKAGES += ["numpy", "matplotlib"]


def say(text):
    print(text, file=sys.stderr, flush=True)


class Missing(Exception):
    """Something without which there is no race."""


def _quietly(command, **options):
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        **options,
    )
    if done.returncode != 0:
        say(done.stdout[-4000:])
        raise Missing("{} failed".format(" ".join(map(str, command[:3]))))
    return done.stdout


def build(folder=BUILD):
    """Builds librac and the programs; says which peers are missing."""
    for tool, package in (("cmake", "cmake"), ("ninja", "ninja-build")):
        if shutil.which(tool) is None:
            raise Missing("install {} (Debian: {})".format(tool, package))
    say("building in {}".format(os.path.relpath(folder)))
    configured = _quietly(
        ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
        + ["-DRAC_BENCHMARKS=ON", "-DRAC_BUILD_TESTS=OFF", "-DRAC_BUILD_EXAMPLES=OFF"]
        + ["-DRAC_SANITIZE=", "-DCMAKE_BUILD_TYPE=Release"]
    )
    for line in configured.splitlines():
        if "benchmark peer" in line and "missing" in line:
            say(line.lstrip("- ") + "; its cells stay empty")
    _quietly(["cmake", "--build", folder])
    return folder


def environment(wanted=True):
    """The interpreter of an environment with the peers and matplotlib, or None."""
    python = ENVIRONMENT / "bin" / "python"
    check = "import reactivex, psygnal, eventkit, blinker, numpy, matplotlib"
    if python.exists() and _works(python, check):
        return python
    if not wanted:
        return None
    say("preparing {}".format(os.path.relpath(ENVIRONMENT)))
    try:
        if not python.exists():
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            _quietly([sys.executable, "-m", "venv", ENVIRONMENT])
        _quietly([python, "-m", "pip", "install", "--quiet"] + PACKAGES)
    except Missing as missing:
        say("{}: no peers in Python and no plots (Debian: python3-venv)".format(missing))
        return None
    return python


def _works(python, code):
    done = subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0
