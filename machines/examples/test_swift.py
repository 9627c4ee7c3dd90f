"""Builds swift/main.swift as its first lines say, and runs it with a broker.

    test_swift.py SWIFTC BUILD REDIS-SERVER
"""

import pathlib
import subprocess
import sys
import tempfile

SWIFTC, BUILD, SERVER = sys.argv[1:]
HERE = pathlib.Path(__file__).resolve().parent


def main(folder):
    program = folder / "readings"
    command = [SWIFTC, "-swift-version", "6", "-I", HERE.parents[1] / "include", "-I", HERE / "swift"]
    command += [HERE / "swift" / "main.swift", "-L", BUILD, "-lrac-redis", "-lrac"]
    command += ["-module-cache-path", folder / "modules"]
    command += ["-Xlinker", "-rpath", "-Xlinker", BUILD, "-o", program]
    subprocess.run(list(map(str, command)), check=True)
    runner = HERE.parent / "shared" / "tests" / "with_broker.py"
    command = [sys.executable, runner, "redis", SERVER, program]
    out = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
    lines = out.stdout.splitlines()
    sums = [n * (n + 1) // 2 for n in range(1, 1001)]
    expected = [f"sum {each}" for each in sums if each % 100 == 0]
    assert lines == [*expected, "stored 1001 read 1000"], lines


with tempfile.TemporaryDirectory() as place:
    main(pathlib.Path(place))
