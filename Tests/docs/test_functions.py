"""docs/Functions.md has every function once, and first sentences. That it is current is
asked with the header."""

import pathlib
import re
import sys
import tempfile
import unittest

from documents import TREE, read
from test_tables import functions

sys.path.insert(0, str(pathlib.Path(TREE) / "scripts" / "lib"))
import functions_page  # noqa: E402

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


class PageTest(unittest.TestCase):
    def test_it_has_every_function_once(self):
        exported, inline = read("docs", "Functions.md").split("\n## inline\n")
        rows = re.findall(r"^\| \[?`(rac_\w+)`", exported, re.M)
        self.assertEqual(sorted(rows), sorted(functions()))
        self.assertIn("| `rac_observer_init` |", inline)
        self.assertIn("| `rac_int64` |", inline)

    def test_every_name_leads_to_a_page(self):
        exported = read("docs", "Functions.md").split("\n## inline\n")[0]
        rows = re.findall(r"^\| `(rac_\w+)`", exported, re.M)
        self.assertEqual(rows, [])


class WritingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()

    def page(self):
        return functions_page.page(self.root, HEADER, "")

    def test_first_sentences(self):
        page = self.page()
        self.assertIn("| `rac_thing_a` | Makes a thing, such as rac_thing_b(). | 7 |", page)
        self.assertIn(
            "| `rac_thing_b` | Breaks a \\| thing at 0.5 s, e.g. this one | 7 |", page
        )

    def test_a_page_that_names_a_part(self):
        (self.root / "docs" / "Threads.md").write_text("`rac_thing_…` any", encoding="utf-8")
        self.assertIn("| [`rac_thing_a`](Threads.md) |", self.page())


if __name__ == "__main__":
    unittest.main()
