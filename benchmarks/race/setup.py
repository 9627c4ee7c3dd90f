"""Builds the programs and the Python environment that the race needs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "race"
ENVIRONMENT = ROOT / "build" / "race-python"
PEERS = {"reactivex": "reactivex>=4,<7"}
PEERS.update({name: name for name in ("psygnal", "eventkit", "blinker")})
# Also what is not a peer.
PACKAGES = dict(PEERS, numpy="numpy", matplotlib="matplotlib")
# The last one before its operators were written anew, in a folder of its own.
OLDER = ENVIRONMENT / "reactivex-4"
OLDER_PACKAGE = "reactivex>=4,<5"
# What the figures of the packages are about.
MEASURED = ("Sources", "include", "python", "cmake")


def say(text):
    print(text, file=sys.stderr, flush=True)


class Missing(Exception):
    """Something without which there is no race."""


def quietly(command, **options):
    """What the command writes; it is shown when it fails."""
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


def state():
    """What the sources are, as git knows them; empty where there is no git."""
    trees = ["HEAD:" + folder for folder in MEASURED]
    done = subprocess.run(
        ["git", "rev-parse"] + trees,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        universal_newlines=True,
        check=False,
    )
    return done.stdout.split() if done.returncode == 0 else []


def build(python=None, folder=BUILD, peers=None):
    """Builds librac and the programs; says which peers are missing. `python`: also
    the Python package, for that one. `peers`: a folder with the sources of more."""
    for tool, package in (("cmake", "cmake"), ("ninja", "ninja-build")):
        if shutil.which(tool) is None:
            raise Missing("install {} (Debian: {})".format(tool, package))
    say("building in {}".format(os.path.relpath(folder)))
    options = ["-DRAC_BENCHMARKS=ON", "-DRAC_BUILD_TESTS=OFF", "-DRAC_BUILD_EXAMPLES=OFF"]
    options += ["-DRAC_SANITIZE=", "-DCMAKE_BUILD_TYPE=Release"]
    if peers:
        options.append("-DRAC_PEERS={}".format(Path(peers).resolve()))
    if python and has_headers(python):
        options += ["-DRAC_PYTHON=ON", "-DPython_EXECUTABLE={}".format(python)]
    else:
        options.append("-DRAC_PYTHON=OFF")
        if python:
            say("skipped: the Python package needs Python 3.11 and its headers")
    configured = quietly(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"] + options)
    for line in configured.splitlines():
        if "benchmark peer" in line and "missing" in line:
            say("skipped: " + line.lstrip("- "))
    quietly(["cmake", "--build", folder])
    return folder


def has_headers(python):
    """Whether the package can be built for it."""
    code = "import pathlib, sys, sysconfig; folder = sysconfig.get_path('include')\n"
    code += "sys.exit(sys.version_info < (3, 11) or not pathlib.Path(folder, 'Python.h').exists())"
    return works(python, code)


def environment():
    """The interpreter of an environment with what there is of the peers, or None."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        say("preparing {}".format(os.path.relpath(ENVIRONMENT)))
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        try:
            quietly([sys.executable, "-m", "venv", ENVIRONMENT])
        except Missing as missing:
            say("skipped: peers in Python and plots: {} (Debian: python3-venv)".format(missing))
            return None
    absent = [name for name in PACKAGES if not imports(python, name)]
    if absent:
        # One that cannot be had does not keep the others away.
        for name in absent:
            install(python, PACKAGES[name])
    if not OLDER.exists():
        install(python, OLDER_PACKAGE, "--target", OLDER)
    for name in PACKAGES:
        if not imports(python, name):
            say("skipped: {} is not installed".format(name))
    return python


def install(python, package, *options):
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        quietly(command + list(options) + [package])
    except Missing:
        say("{} is not to be had".format(package))


def imports(python, name):
    return works(python, "import " + name)


def works(python, code):
    done = subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0
