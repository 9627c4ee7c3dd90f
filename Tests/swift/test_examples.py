"""The programs of examples-swift print what Tests/examples/expected says."""

import os
import pathlib
import tempfile
import unittest

from built import BUILT, ROOT, run


class ExamplesTest(unittest.TestCase):
    def test_output(self):
        folders = (ROOT / "examples-swift").iterdir()
        names = sorted(folder.name for folder in folders if (folder / "main.swift").exists())
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

    @unittest.skipUnless("NIO" in os.environ, "NIO is no folder with a clone of swift-nio")
    def test_over_nio(self):
        package = ["--package-path", ROOT / "examples-swift" / "nio"]
        with tempfile.TemporaryDirectory() as folder:
            built = run("swift", "build", *package, "--scratch-path", folder, timeout=1800)
            self.assertEqual(built.returncode, 0, built.stdout)
            program = run(pathlib.Path(folder) / "debug" / "word_server")
        self.assertEqual(program.stdout, "6 words\n4 words\n10 in all\n")


if __name__ == "__main__":
    unittest.main()
