"""The jobs of speed.cpp cost through rac.hpp hardly more instructions than in C.

    test_speed.py VALGRIND PROGRAM
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

VALGRIND, PROGRAM = sys.argv[1:]
# In C++, of what it is in C.
MOST = {
    "send": 1.15,
    "chain": 1.15,
    "create": 1.1,
    "flatten_map": 1.1,
    "subscribe": 1.1,
    "subscribe_all": 1.1,
    "text": 1.1,
    "text_map": 1.1,
}
TIMES = 1000
# The call of a job in callgrind's file; two lines later there is what it cost.
CALLED = re.compile(r"cfn=.*\bin_(c|cpp)<(?:.*::)?(\w+)>\(int\)(?: \[clone.*)?$")


def counted():
    """job -> language -> instructions each time."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "out")
        subprocess.run(
            [VALGRIND, "--tool=callgrind", "--callgrind-out-file=" + file]
            + ["--compress-strings=no", "--compress-pos=no", PROGRAM],
            check=True,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, LD_BIND_NOW="1"),
        )
        with open(file) as opened:
            lines = opened.read().splitlines()
    for i, line in enumerate(lines):
        called = CALLED.match(line)
        if called:
            language, job = called.groups()
            found.setdefault(job, {})[language] = int(lines[i + 2].split()[-1]) / TIMES
    return found


class SpeedTest(unittest.TestCase):
    def test_each_job(self):
        found = counted()
        self.assertEqual(set(found), set(MOST))
        for job, each in found.items():
            ratio = each["cpp"] / each["c"]
            print("{:14} {:6.0f} in C {:6.0f} in C++  {:.3f}".format(
                job, each["c"], each["cpp"], ratio))
            with self.subTest(job):
                self.assertGreater(each["c"], 10)
                self.assertLessEqual(ratio, MOST[job])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
