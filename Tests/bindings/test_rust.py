"""Rust's binding: test_rust.py CARGO CMAKE BUILD."""

import os
import sys

from common import EXPECTED, copied, run

CARGO, _, BUILD = sys.argv[1:]
place = copied("rust", BUILD)
environment = dict(os.environ, RAC_LIB_DIR=BUILD, CARGO_TARGET_DIR=str(place / "target"))
print(run([CARGO, "test", "--quiet", "--offline", "--tests"], place / "source", environment))
output = run([CARGO, "run", "--quiet", "--offline", "--example", "words"], place / "source", environment)
assert output.endswith(EXPECTED), output
