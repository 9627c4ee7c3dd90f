"""A send through map, filter and scan costs in C++ at most 1.2 times the instructions
that it costs in C.

    test_speed.py VALGRIND PROGRAM
"""

import re
import subprocess
import sys
import unittest

VALGRIND, PROGRAM = sys.argv[1:]
MOST = 1.2


def instructions(language, sends):
    command = [VALGRIND, "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(
        command + [PROGRAM, language, str(sends)],
        check=True,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def each(language):
    """Of one send: what a thousand more of them cost."""
    return (instructions(language, 2000) - instructions(language, 1000)) / 1000


class SpeedTest(unittest.TestCase):
    def test_a_send(self):
        in_c, in_cpp = each("c"), each("c++")
        print("\ninstructions: {:.0f} in C, {:.0f} in C++".format(in_c, in_cpp))
        self.assertGreater(in_c, 10)
        self.assertLessEqual(in_cpp, MOST * in_c)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
