"""No finder speaks on an example: all are played, each with a recording of its own.

The examples folder is the first argument. The tests of Tests/examples play theirs; each program is
a script that has the real one record. Usage: no_findings.py EXAMPLES_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import scope

TESTS = scope.TREE / "Tests" / "examples"
#: Programs with faults on purpose, without librac, or that need a server.
LEFT_OUT = {"faults", "gateway", "record_dot", "redis_lines"}
#: Findings that are right: fetch_once shows what it costs not to share a request.
MEANT = {("fetch_once", "twice")}
#: Run without arguments; the others have a test that knows how.
ALONE = "quickstart pull pull_consumer thermometer fetch_once".split()


def make_scripts(examples, scripts, records):
    made = []
    for program in sorted(examples.iterdir()):
        if program.is_file() and os.access(program, os.X_OK) and program.name not in LEFT_OUT:
            script = scripts / program.name
            record = f"{records}/{program.name}.$$"
            script.write_text(f'#!/bin/sh\nRAC_RECORD="{record}" exec "{program}" "$@"\n')
            script.chmod(0o755)
            made.append(program.name)
    return made


def play(names, scripts):
    """Runs all; a test that fails here failed by itself, or does not bear being recorded."""
    failed = []
    environment = dict(os.environ, RAC_EXAMPLES=str(scripts))
    for name in names:
        test = TESTS / f"test_{name}.py"
        if test.exists():
            command = [sys.executable, str(test)]
        elif name in ALONE or name.startswith("scenario"):
            command = [str(scripts / name)]
        else:
            failed.append(f"{name}: nothing plays it")
            continue
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=240,
        )  # fmt: skip
        if done.returncode not in (0, 77) and name != "fetch_once":
            failed.append(f"{name}: {done.stdout[-800:]}{done.stderr[-800:]}")
    return failed


def main(examples):
    package = scope.load()
    wrong, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        scripts, records = pathlib.Path(folder, "bin"), pathlib.Path(folder, "records")
        scripts.mkdir()
        records.mkdir()
        names = make_scripts(pathlib.Path(examples).resolve(), scripts, records)
        wrong += play(names, scripts)
        for path in sorted(records.iterdir()):
            try:
                recording = package.read(str(path))
            except ValueError:
                continue  # it ended before it had begun to record
            seen.add(path.name.split(".")[0])
            for each in package.find(recording):
                if (path.name.split(".")[0], each.kind) in MEANT:
                    continue
                wrong.append(f"{path.name}: {each.kind}: {each.sentence} ({each.place})")
    wrong += [f"{name}: nothing was recorded" for name in names if name not in seen]
    for each in wrong:
        print(each)
    print(f"{len(names)} examples, {len(wrong)} findings and failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
