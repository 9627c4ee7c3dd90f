"""The functions of several signals and properties are as their generator writes them."""

import sys
import unittest

from built import ROOT, run


class GeneratedTest(unittest.TestCase):
    def test_it_is_not_stale(self):
        checked = run(sys.executable, ROOT / "scripts" / "generate-combining", "--check")
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
