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
                wanted = (0, expected.read_text(encoding="utf-8"))
                # They keep real time: on a busy machine it may pass between two keys, but
                # not each time.
                for _ in range(5):
                    program = run(BUILT / name)
                    if (program.returncode, program.stdout) == wanted:
                        break
                self.assertEqual((program.returncode, program.stdout), wanted)


if __name__ == "__main__":
    unittest.main()
