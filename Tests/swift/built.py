"""What SwiftPM has built, and a compiler that finds it.

    RAC_SWIFTPM=build/swiftpm/debug python3 -m unittest discover -s Tests/swift
"""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = pathlib.Path(os.environ.get("RAC_SWIFTPM") or ROOT / "build" / "swiftpm" / "debug").resolve()
MODULES = [
    "-I", str(BUILT / "Modules"),
    "-I", str(ROOT / "include"),
    "-I", str(ROOT / "Sources" / "CRACShims" / "include"),
    "-I", str(ROOT / "Sources" / "CReactive" / "include"),
]


def run(*command, timeout=300):
    """Its output, standard error as well, and how it ended."""
    return subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        timeout=timeout,
    )


def objects(*targets):
    """Of what is there: a build that is not new has objects of files that are no more."""
    sources = {path.name for path in (ROOT / "Sources").rglob("*.*")}
    return [
        path
        for target in targets
        for path in sorted((BUILT / (target + ".build")).rglob("*.o"))
        if path.stem in sources
    ]


def compiler(*arguments):
    """In Swift 6 mode, where a warning is an error."""
    return run("swiftc", "-swift-version", "6", "-warnings-as-errors", *MODULES, *arguments)
