"""What mypy and pyright infer of the package's types, and what they refuse."""

import concurrent.futures
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
CLAIMS = FOLDER / "typing_claims.py"


def refused_lines():
    lines = CLAIMS.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# refused")}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=300)
    return done.stdout


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *arguments]
    errors = {}
    for line in run(*command).splitlines():
        found = re.match(r"(.*?):(\d+): error: (.*)", line)
        if found:
            errors.setdefault((pathlib.Path(found[1]).name, int(found[2])), found[3])
    return errors


def pyright(*arguments):
    found = json.loads(run(sys.executable, "-m", "pyright", "--outputjson", *arguments))
    return {
        (pathlib.Path(each["file"]).name, each["range"]["start"]["line"] + 1): each["message"]
        for each in found["generalDiagnostics"]
        if each["severity"] == "error"
    }


@pytest.fixture(scope="module")
def checked():
    """What both say, each asked once, at the same time."""
    checkers = {"mypy": mypy, "pyright": pyright}
    asked = {name: check for name, check in checkers.items() if importlib.util.find_spec(name)}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        work = {name: pool.submit(check, str(CLAIMS)) for name, check in asked.items()}
        return {name: each.result() for name, each in work.items()}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_claims(checked, checker):
    if checker not in checked:
        pytest.skip(checker + " is not installed")
    errors = checked[checker]
    others = {place: text for place, text in errors.items() if place[0] != CLAIMS.name}
    assert others == {}
    refused = {line for _, line in errors}
    lines = CLAIMS.read_text().splitlines()
    accepted_wrongly = {n: lines[n - 1] for n in refused_lines() - refused}
    refused_wrongly = {n: errors[(CLAIMS.name, n)] for n in refused - refused_lines()}
    assert accepted_wrongly == {}
    assert refused_wrongly == {}


def test_there_are_thirty_claims_of_each_kind():
    assert CLAIMS.read_text().count("assert_type(") >= 30
    assert len(refused_lines()) >= 30


def test_the_package_is_strict():
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    assert mypy("-p", "librac") == {}
