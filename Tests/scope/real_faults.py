"""examples-c/faults.c records, and each of its faults is found, with its place.

Usage: real_faults.py PATH_OF_FAULTS
"""

import pathlib
import subprocess
import sys
import tempfile

import scope

#: For each fault the kind, what its sentence says, and the function where it is.
FAULTS = {
    "label": ("twice", "price: it is cold and was subscribed to 2 times", "label"),
    "window": ("never ended", "its source clicks", "window"),
    "backlog": ("backlog", "to worker: up to ", "worker"),
    "drops": ("dropped", "orders → to clerk: ", "worker"),
    "held": ("held", "blocks: senders were held up ", "worker"),
    "error": ("unhandled", "checked: it failed and nobody heard: error shop 2: no pairs", "error"),
    "broken": ("refused", "rac_signal_map: the call answered NULL: ", "broken"),
    "end": ("end waits", "screen: words has ended, but the end still waits", "end"),
    "timer": ("late", "main scheduler: a timer fired 2", "timer"),
    "report": ("long call", "reports: the subscriber of reports (subject) took 2", "report"),
    "leak": ("leak", "subject keys: never released", ""),
}


def main(program):
    package, wrong = scope.load(), []
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, words, function) in FAULTS.items():
            path = pathlib.Path(folder, name + ".rac")
            subprocess.run([program, name], env={"RAC_RECORD": str(path)}, check=True, timeout=60)
            found = package.find(package.read(str(path)))
            told = [each for each in found if each.kind == kind and words in each.sentence]
            if not told:
                wrong.append(f"{name}: {[each.sentence for each in found]}")
            # A release's build has no lines, and functions are in one another.
            elif function and not any(
                each in told[0].place for each in (f"{function}()", f"{name}()", "+0x")
            ):
                wrong.append(f"{name}: at {told[0].place}")
    for each in wrong:
        print(each)
    print(f"{len(FAULTS)} faults, {len(wrong)} not found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
