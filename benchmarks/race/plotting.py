"""The plots beside docs/Measurements.md."""

import json
import subprocess
import sys
from pathlib import Path

from . import setup

PLOT = setup.ROOT / "docs" / "growth.svg"


def plot(curves, python):
    """matplotlib draws, in the environment that has it."""
    if python is None or not setup.imports(python, "matplotlib"):
        setup.say("no plots: matplotlib is missing")
        return
    script = Path(__file__).resolve().parent / "plots.py"
    subprocess.run(
        [str(python), str(script), str(PLOT)],
        input=json.dumps(curves),
        universal_newlines=True,
        stdout=sys.stderr,
        check=True,
    )
    setup.say("wrote {}".format(PLOT.relative_to(setup.ROOT)))
