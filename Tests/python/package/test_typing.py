"""What mypy and pyright infer of the package's types, and what they refuse; the examples, in which
they find nothing."""

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
EXAMPLES = sorted((FOLDER.parents[2] / "examples-python").glob("*.py"))


def refused_lines():
    lines = CLAIMS.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# refused")}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=300)
    return done.stdout + done.stderr


def mypy(*arguments):
    cache = str(pathlib.Path(sys.prefix) / "mypy_cache")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *arguments]
    said = run(*command)
    assert "Found " in said or "Success" in said, said
    found = re.findall(r"^(.*?):(\d+): error: (.*)$", said, re.M)
    return {(pathlib.Path(path).name, int(line)): text for path, line, text in found}


def pyright(*arguments):
    here = ["--pythonpath", sys.executable]
    said = run(sys.executable, "-m", "pyright", "--outputjson", *here, *arguments)
    assert "{" in said, said
    found = json.loads(said[said.index("{") :])
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
        work = {name: pool.submit(check, str(CLAIMS), *map(str, EXAMPLES)) for name, check in asked.items()}
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
