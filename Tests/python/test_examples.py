"""Runs python/ctypes_quickstart.py and python/ctypes_batches.py, and compares what they print."""

import os
import subprocess
import sys
import unittest

import racffi

try:
    import numpy
except ImportError:
    numpy = None

QUICKSTART = """\
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
BATCHES = """\
librac {version}
10000 numbers in one call, 4096 at a time:
  4096 with a sum of 4193280.0
  4096 with a sum of 12581888.0
  1808 with a sum of 8222332.0
  completed
Sent by another thread, gathered until this loop's turn comes:
  10000 numbers
  with a sum of 247500.0
Callbacks still registered: 0
Objects still alive: 0
"""
# The example of arrays refuses what does not lie side by side.
SCATTERED = """
import array, runpy
example = runpy.run_path('ctypes_batches.py')
numpy = example['numpy']
three = array.array('d', [1, 2, 3])
bad = [array.array('f', [1]), memoryview(three)[::2]]
if numpy:
    bad += [numpy.arange(9.0)[::2], numpy.arange(9)]
    bad.append(numpy.ones((3, 3)).T[1:])
for data in bad:
    try:
        example['send_doubles'](None, data)
        print('accepted', data)
    except TypeError:
        pass
"""
# None in sys.modules makes the import fail.
WITHOUT_NUMPY = """
import runpy, sys
sys.modules['numpy'] = None
runpy.run_path('ctypes_batches.py', run_name='__main__')
"""


class ExampleTest(unittest.TestCase):
    def check(self, expected, *arguments):
        run = subprocess.run(
            [sys.executable, *arguments],
            cwd=os.path.join(racffi.TREE, "python"),
            env=dict(os.environ, RAC_LIBRARY=racffi.LIBRARY),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=60,
        )
        version = racffi.rac.rac_version_string().decode()
        self.assertEqual((run.returncode, run.stdout), (0, expected.format(version=version)))

    def test_quickstart(self):
        self.check(QUICKSTART, "ctypes_quickstart.py")

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_arrays_of_numpy(self):
        self.check(BATCHES, "ctypes_batches.py")

    def test_arrays_without_numpy(self):
        self.check(BATCHES, "-c", WITHOUT_NUMPY)

    def test_what_is_scattered_is_refused(self):
        self.check("", "-c", SCATTERED)
