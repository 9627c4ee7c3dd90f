"""The examples of the manual and the programs of examples-python do what they say."""

import os
import pathlib
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "Python.md").read_text()
README = (ROOT / "README.md").read_text()
# Others are a server, which test_broadcast.py starts, what fails on purpose, and what has a window.
PROGRAMS = ROOT / "examples-python"
EXAMPLES = [PROGRAMS / f"{name}.py" for name in (
    "collector", "form", "log_rates", "sensor", "task_service")]
EXPECTED = pathlib.Path(__file__).with_name("expected")

# A block of Python, and what it prints if the page says so.
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\nOutput:\n\n```\n(.*?)^```\n)?", re.M | re.S)
BLOCKS = BLOCK.findall(PAGE)
BLOCKS += BLOCK.findall((ROOT / "docs" / "ComingFromReactivex.md").read_text())
PACKAGE_BLOCKS = [block for block in BLOCK.findall(README) if "import librac" in block[0]]


def output(*arguments):
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


@pytest.mark.parametrize("code, expected", BLOCKS + PACKAGE_BLOCKS)
def test_block(code, expected):
    for name in ("numpy", "trio"):
        if f"import {name}" in code:
            pytest.importorskip(name)
    assert output("-c", code) == expected


def test_there_are_blocks():
    assert len(BLOCKS) > 9 and len(PACKAGE_BLOCKS) >= 1


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_example(program):
    if "numpy" in program.read_text():
        pytest.importorskip("numpy")
    expected = EXPECTED / (program.stem + ".txt")
    printed = output(str(program))
    if os.environ.get("RAC_WRITE_EXPECTED"):
        expected.write_text(printed)
    if "asyncio.sleep(60" in program.read_text():
        # It keeps real time: on a busy machine neighbours may change places, and what was
        # to be in time may be late, but not each time.
        wanted = sorted(expected.read_text().splitlines())
        tries = 5
        while sorted(printed.splitlines()) != wanted and tries > 0:
            printed, tries = output(str(program)), tries - 1
        assert sorted(printed.splitlines()) == wanted
    else:
        assert printed.splitlines() == expected.read_text().splitlines()


def test_the_example_of_tests():
    pytest.importorskip("hypothesis")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rac-left=fail"]
    plugin = [] if entry_points(group="pytest11", name="librac") else ["-plibrac.pytest_plugin"]
    done = subprocess.run(
        [*command, *plugin, "--rootdir", str(PROGRAMS), str(PROGRAMS / "test_search.py")],
        capture_output=True, text=True, timeout=120, cwd=PROGRAMS)
    assert "3 passed" in done.stdout, done.stdout


def test_each_example_is_run_by_a_test():
    """The others by tests of their own."""
    others = {"broadcast", "faults", "search", "test_search"}
    assert {path.stem for path in PROGRAMS.glob("*.py")} == others | {p.stem for p in EXAMPLES}
