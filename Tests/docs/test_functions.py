"""docs/Functions.md is current and has every function once; its script sees a stale
one, and finds first sentences."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from documents import TREE, read
from test_tables import functions

SCRIPT = pathlib.Path(TREE) / "scripts" / "function-index"
HEADER = """\
/* ====
 * 7. Things
 *
 * Prose.
 */

/**
 * Makes a thing, such
 * as rac_thing_b(). Then
 * rests.
 *
 * @since 0.1
 */
RAC_API rac_thing *rac_thing_a(void);

/** No sentence of its own. */
/**
 * Breaks a | thing at 0.5 s, e.g. this one
 */
/* A group. */
RAC_API void rac_thing_b(rac_thing *thing);
"""


def run(*options):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )


class PageTest(unittest.TestCase):
    def test_it_is_current(self):
        result = run("--check")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_it_has_every_function_once(self):
        rows = re.findall(r"^\| \[?`(rac_\w+)`", read("docs", "Functions.md"), re.M)
        self.assertEqual(sorted(rows), sorted(functions()))

    def test_every_name_leads_to_a_page(self):
        rows = re.findall(r"^\| `(rac_\w+)`", read("docs", "Functions.md"), re.M)
        self.assertEqual(rows, [])


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "include").mkdir()
        (self.root / "docs").mkdir()
        (self.root / "include" / "rac.h").write_text(HEADER, encoding="utf-8")

    def page(self):
        result = run("--root", str(self.root))
        self.assertEqual(result.returncode, 0, result.stdout)
        return (self.root / "docs" / "Functions.md").read_text(encoding="utf-8")

    def test_first_sentences(self):
        page = self.page()
        self.assertIn("| `rac_thing_a` | Makes a thing, such as rac_thing_b(). | 7 |", page)
        self.assertIn(
            "| `rac_thing_b` | Breaks a \\| thing at 0.5 s, e.g. this one | 7 |", page
        )

    def test_a_page_that_names_a_part(self):
        (self.root / "docs" / "Threads.md").write_text("`rac_thing_…` any", encoding="utf-8")
        self.assertIn("| [`rac_thing_a`](Threads.md) |", self.page())

    def test_a_stale_page(self):
        self.page()
        self.assertEqual(run("--check", "--root", str(self.root)).returncode, 0)
        changed = HEADER.replace("Then", "Next").replace("Makes", "Creates")
        (self.root / "include" / "rac.h").write_text(changed, encoding="utf-8")
        result = run("--check", "--root", str(self.root))
        self.assertEqual(result.returncode, 1)
        self.assertIn("stale", result.stdout)


if __name__ == "__main__":
    unittest.main()
