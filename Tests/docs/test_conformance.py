"""docs/Conformance.md is current, every row is covered, and the script that says
so refuses what it should."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from documents import TREE

SCRIPT = pathlib.Path(TREE) / "scripts" / "conformance-report"
ROWS = "id\tarea\toperation\nsignal-001\tsignal\t+empty\nsignal-002\tsignal\t-map:\n"


def run(*options):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )


class PageTest(unittest.TestCase):
    def test_it_is_current_and_complete(self):
        result = run("--check")
        self.assertEqual(result.returncode, 0, result.stdout)


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/Conformance.md", "")
        self.write("Tests/conformance/rows.tsv", ROWS)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def c_tests(self, text):
        self.write("Tests/conformance/test_signal.c", text)

    def check(self, write=True):
        """Writes the page, unless told otherwise, and checks it."""
        if write:
            run("--root", str(self.root))
        return run("--check", "--root", str(self.root))

    def assert_refused(self, reason):
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(reason, result.stdout)

    def test_what_covers_a_row(self):
        self.c_tests("/* signal-001: nothing\n * at all */\nTEST(nothing) {\n}\n")
        self.write(
            "Tests/RACTests/Signals/MapTests.swift",
            "final class MapTests {\n  /// signal-002: maps\n  func testMap() {}\n}\n",
        )
        self.assertEqual(self.check().returncode, 0, self.check().stdout)
        page = (self.root / "docs" / "Conformance.md").read_text(encoding="utf-8")
        self.assertIn("| signal-001 | `+empty` | `test_signal.c: nothing` |", page)
        self.assertIn("| signal-002 | `-map:` | `MapTests.swift: testMap` |", page)
        self.assertIn("| signal | 2 | 2 | 0 |", page.replace("[signal](#signal)", "signal"))

    def test_ids_alone(self):
        self.c_tests("/* signal-001, signal-002 */\nTEST(both) {\n}\n")
        self.assertEqual(self.check().returncode, 0, self.check().stdout)

    def test_ids_with_words_of_their_own(self):
        self.c_tests("/* signal-001: one;\n * signal-002: two */\nTEST(both) {\n}\n")
        self.assertEqual(self.check().returncode, 0, self.check().stdout)

    def test_several_ids_over_several_lines(self):
        self.c_tests("/* signal-001,\n * signal-002: both */\nTEST(both) {\n}\n")
        self.assertEqual(self.check().returncode, 0, self.check().stdout)

    def test_a_row_that_nothing_covers(self):
        self.c_tests("/* signal-001: one of two */\nTEST(one) {\n}\n")
        self.assert_refused("nothing covers signal-002")
        result = run("--missing", "--root", str(self.root))
        self.assertEqual(result.stdout, "signal-002\n")

    def test_a_row_that_cannot_exist(self):
        self.c_tests("/* signal-001: one of two */\nTEST(one) {\n}\n")
        self.write("Tests/conformance/not_applicable.tsv", "signal-002\tNo maps.\n")
        self.assertEqual(self.check().returncode, 0, self.check().stdout)

    def test_a_row_with_both(self):
        self.c_tests("/* signal-001, signal-002: both */\nTEST(both) {\n}\n")
        self.write("Tests/conformance/not_applicable.tsv", "signal-002\tNo maps.\n")
        self.assert_refused("signal-002 has a test")

    def test_unknown_ids(self):
        self.c_tests("/* signal-001, signal-003: two */\nTEST(two) {\n}\n")
        self.write("Tests/conformance/not_applicable.tsv", "signal-009\tNo maps.\n")
        self.assert_refused("test_signal.c:1: there is no row signal-003")
        self.assert_refused("not_applicable.tsv: there is no row signal-009")

    def test_comments_that_miss_their_test(self):
        self.c_tests("/* signal-001: far away */\n\nTEST(far) {\n}\n")
        self.assert_refused("test_signal.c:1: no test below it")
        self.c_tests("int x;\n/* signal-001 and signal-002: no list */\nTEST(a) {\n}\n")
        self.assert_refused("test_signal.c:2: ids with commas, then a colon, or no more")

    def test_a_stale_page(self):
        self.c_tests("/* signal-001, signal-002: both */\nTEST(both) {\n}\n")
        self.assertEqual(self.check().returncode, 0, self.check().stdout)
        self.c_tests("/* signal-001, signal-002: both */\nTEST(renamed) {\n}\n")
        self.assertIn("stale", self.check(write=False).stdout)


if __name__ == "__main__":
    unittest.main()
