"""In which functions the instructions of an event are spent, by callgrind."""

import re
import shutil
import subprocess
import tempfile

from .instructions import callgrind
from .table import number

EVENTS = 100000
# A function with a smaller part of the whole gets no line.
PART = 0.01


def readable(names):
    """Swift's mangled names as one reads them, in order."""
    if shutil.which("swift") is None or not names:
        return names
    done = subprocess.run(
        ["swift", "demangle", "--compact", "--simplified"],
        input="\n".join(names),
        stdout=subprocess.PIPE,
        universal_newlines=True,
        check=False,
    )
    found = done.stdout.splitlines()
    return found if len(found) == len(names) else names


def functions(contestant, workload):
    """[(instructions an event, function)], the most first; None if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = callgrind(contestant, workload, [EVENTS], folder)
        if outcomes is None:
            return None
        text = subprocess.run(
            ["callgrind_annotate", "--auto=no", "--threshold=99", folder + "/out"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
            check=True,
        ).stdout
    row = re.compile(r"^ *([\d,]+) +\( *[\d.]+%\) +\S*?:(\S.*?)(?: \[.*\])?$", re.M)
    rows = [(int(m.replace(",", "")), name) for m, name in row.findall(text)]
    total = sum(instructions for instructions, _ in rows)
    rows = [(i, name) for i, name in rows if i >= PART * total]
    names = readable([name for _, name in rows])
    return [(i / outcomes[0]["n"], name) for (i, _), name in zip(rows, names)]


def main(contestant, chosen):
    for workload in chosen:
        found = functions(contestant, workload)
        if found is None:
            continue
        print("{} of {}, an event:".format(workload.title, contestant.name))
        for instructions, name in found:
            print("{:>8}  {}".format(number(instructions), name))
        print()
