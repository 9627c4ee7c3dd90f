"""examples-c/record_dot.c: the graph for Graphviz, with a C compiler alone."""

import re
import shutil
import subprocess
import unittest

import programs
import scope
from case import Case

SOURCE = scope.TREE / "examples-c" / "record_dot.c"


@unittest.skipUnless(shutil.which("cc"), "needs cc")
class RecordDotTest(Case):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "record_dot"
        flags = ["-std=c11", "-Wall", "-Werror", "-g"]
        subprocess.run(["cc", *flags, "-o", self.program, SOURCE], check=True)

    def run_with(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True)

    def test_boxes_and_arrows(self):
        said = self.run_with(self.path(programs.price())).stdout
        arrows = re.findall(r"n(\d+) -> n(\d+)", said)
        self.assertEqual(sorted(arrows), [("2", "1"), ("3", "2"), ("4", "1"), ("5", "4")])
        label = r"price createSignal #3\n1 values, completed\nfaults.c:24 labels()"
        self.assertIn(f'n3 [label="{label}"]', said)

    def test_what_is_wrong_is_red(self):
        said = self.run_with(self.path(programs.orders())).stdout
        self.assertRegex(said, r"n2 .*10 lost.*color=red")
        said = self.run_with(self.path(programs.unheard())).stdout
        self.assertRegex(said, r"n1 .*its error was not heard.*color=red")

    def test_what_is_no_recording_is_refused(self):
        path = self.folder / "a.rac"
        path.write_bytes(b"librac")
        for arguments in ([], [path], [self.folder / "gone"]):
            done = self.run_with(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_a_file_that_was_cut_is_read_as_far_as_it_goes(self):
        data = programs.orders().pack()
        path = self.folder / "cut.rac"
        for size in range(0, len(data), 501):
            path.write_bytes(data[:size])
            self.assertIn(self.run_with(path).returncode, (0, 2), size)


if __name__ == "__main__":
    unittest.main()
