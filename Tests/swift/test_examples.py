"""The programs of examples-swift print what Tests/examples/expected says."""

import unittest

from built import BUILT, ROOT, run


class ExamplesTest(unittest.TestCase):
    def test_output(self):
        names = sorted(folder.name for folder in (ROOT / "examples-swift").iterdir())
        self.assertGreater(len(names), 1)
        for name in names:
            with self.subTest(name):
                expected = ROOT / "Tests" / "examples" / "expected" / (name + ".txt")
                program = run(BUILT / name)
                self.assertEqual(
                    (program.returncode, program.stdout), (0, expected.read_text(encoding="utf-8"))
                )


if __name__ == "__main__":
    unittest.main()
