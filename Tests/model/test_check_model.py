"""scripts/check-model: what it notes as proven, and which names it knows; over a model whose checker is made up."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROOF = "#!/bin/sh\n{}\necho 'errors: 0'\n"


class CheckModel(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="rac-check-model-"))
        self.addCleanup(shutil.rmtree, str(self.root))
        for folder in ("scripts", "Tests/model", "bin"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(str(ROOT / "scripts" / "check-model"), str(self.root / "scripts"))
        self.write("code", "as it is\n")
        self.write("Tests/model/sources", "thing  code\n")
        self.write("Tests/model/thing.pml", "")
        self.write("Tests/model/thing.runs", "# Those.\nthing-two  ok     THREADS=2\nthing-odd  ok     THREADS=3\n")
        self.write("Tests/model/proven", "")
        self.program("bin/spin", "#!/bin/sh\n")
        self.program("bin/gcc", '#!/bin/sh\ncp "{}" pan\n'.format(self.root / "bin" / "pan"))
        self.program("bin/pan", PROOF.format(""))

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def program(self, name, text):
        self.write(name, text)
        (self.root / name).chmod(0o755)

    def check(self, *arguments):
        done = subprocess.run(
            [str(self.root / "scripts" / "check-model"), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            env=dict(os.environ, PATH="{}:{}".format(self.root / "bin", os.environ["PATH"])),
        )
        return done.returncode, done.stdout

    def test_what_came_out_right_is_noted(self):
        status, said = self.check()
        self.assertEqual((status, said.count("ok    thing-")), (0, 2), said)
        self.assertIn("nothing has changed", self.check("--changed")[1])
        self.write("code", "changed\n")
        status, said = self.check("--changed")
        self.assertEqual((status, said.count("ok    thing-")), (0, 2), said)

    def test_what_changes_meanwhile_is_not_proven(self):
        self.program("bin/pan", PROOF.format('echo changed >"{}"'.format(self.root / "code")))
        status, said = self.check()
        self.assertEqual(status, 0, said)
        self.assertIn("ok    thing-two", self.check("--changed")[1])
        # Now it was changed before.
        self.assertIn("nothing has changed", self.check("--changed")[1])

    def test_a_run_that_is_not_there_is_an_error(self):
        for arguments in (["thing-tow"], ["thing-two", "thing"], ["--changed", "thing-tow"], ["--change"]):
            status, said = self.check(*arguments)
            self.assertEqual(status, 2, said)
            self.assertIn("there is no run " + arguments[-1], said)
            self.assertIn("thing-two thing-odd", said)
        status, said = self.check("thing-odd")
        self.assertEqual((status, said.count("ok    thing-")), (0, 1), said)


if __name__ == "__main__":
    unittest.main()
