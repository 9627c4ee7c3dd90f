"""The command itself: arguments and files that are wrong are refused in a line."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

import programs
import scope
from case import Case


class CommandTest(Case):
    def run_scope(self, *arguments):
        done = subprocess.run(
            [sys.executable, scope.FOLDER, *arguments],
            cwd=self.folder, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def test_a_recording_is_told(self):
        path = self.path(programs.price())
        status, told, complaint = self.run_scope(str(path))
        self.assertEqual([status, complaint], [0, ""])
        self.assertIn("price: it is cold", told)

    def test_a_wrong_file_is_refused_in_a_line(self):
        (self.folder / "empty.rac").write_bytes(b"")
        (self.folder / "text.rac").write_bytes(b"text\n")
        (self.folder / "folder.rac").mkdir()
        for name, words in (
            ("empty.rac", "its program has not begun to record, or was killed before it had"),
            ("text.rac", "this is no recording of librac"),
            ("folder.rac", "Is a directory"),
            ("missing.rac", "No such file or directory"),
            ("missing", "No such file or directory"),
        ):
            with self.subTest(name):
                status, told, complaint = self.run_scope(name)
                self.assertEqual([status, told], [2, ""])
                self.assertEqual(complaint, f"rac-scope: {name}: {words}\n")

    def test_a_damaged_header_is_no_traceback(self):
        header = bytearray(programs.price().pack()[:4096])
        header[24:32] = b"\xff" * 8  # the process
        header[64:128] = b"\xff" * 64  # where everything is
        (self.folder / "damaged.rac").write_bytes(header)
        status, _, complaint = self.run_scope("damaged.rac")
        self.assertEqual([status, complaint], [0, ""])

    def test_words_that_match_nothing_are_named(self):
        path = str(self.path(programs.price()))
        for words, answer in (
            ("price", ""),
            ("no way", "rac-scope: no subscription has 'no way' in its name, place or number\n"),
        ):
            with self.subTest(words):
                status, told, complaint = self.run_scope("--text", "--only", words, path)
                self.assertEqual([status, complaint], [0, answer])
                self.assertIn("price: it is cold", told)

    def test_the_manual_page_has_every_option(self):
        _, told, _ = self.run_scope("--help")
        root = Path(scope.FOLDER).parents[2]
        page = (root / "packaging/debian/rac-scope.1").read_text()
        options = set(re.findall(r"--([a-z-]+)", told)) - {"help"}
        self.assertEqual(options, set(re.findall(r"It Fl -([a-z-]+)", page)))

    def test_a_number_out_of_range_is_refused(self):
        path = str(self.path(programs.price()))
        for option, number in ("--columns", "0"), ("--columns", "-5"), ("--port", "99999"):
            with self.subTest(option + number):
                status, told, complaint = self.run_scope(option, number, path)
                self.assertEqual([status, told], [2, ""])
                self.assertIn(f"{number} is not from", complaint)


if __name__ == "__main__":
    unittest.main()
