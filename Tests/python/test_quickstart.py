"""Runs python/ctypes_quickstart.py and compares what it prints."""

import os
import subprocess
import sys
import unittest

import racffi

EXPECTED = """\
librac {version}
A cold signal does its work for each subscriber:
  working
  first got 1
  first got 2
  first completed
  working
  second got 1
  second got 2
  second completed
A subject is hot: the late one misses what was sent before it came:
  early got 1
  early got 2
  late got 2
  early completed
  late completed
What a callback raises becomes the stream's error:
  quotient got 3
  quotient failed: ValueError: cannot divide by 0
Sent by another thread, received in this program's own loop:
  loop got 1
  loop got 4
  loop got 9
  loop completed
Callbacks still registered: 0
Objects still alive: 0
"""


class QuickstartTest(unittest.TestCase):
    def test_output(self):
        script = os.path.join(racffi.TREE, "python", "ctypes_quickstart.py")
        environment = dict(os.environ, RAC_LIBRARY=racffi.LIBRARY)
        run = subprocess.run(
            [sys.executable, script],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )
        version = racffi.rac.rac_version_string().decode()
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.stdout, EXPECTED.format(version=version))
        self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
