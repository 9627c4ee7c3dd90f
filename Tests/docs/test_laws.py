"""Every law of docs/Contracts.md is cited by a test, and none is cited that is not
one. A test cites in the comment right above it: "Law 7: …", "Laws 3 and 4: …"."""

import glob
import os
import re
import unittest

from documents import TREE, read

HEADING = re.compile(r"(?m)^## (\d+)\. ")
CITED = re.compile(r"\b[Ll]aws? (\d+(?:(?:, and |, | and )\d+)*)")
COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/(\n[A-Z_]+\()?", flags=re.S)


def numbers(text):
    return {
        int(number)
        for cited in CITED.findall(re.sub(r"\s+\*?\s*", " ", text))
        for number in re.findall(r"\d+", cited)
    }


def comments(text):
    """Each comment of a C file, and whether a test stands below it."""
    for match in COMMENT.finditer(text):
        yield match.group(), bool(match.group(1))


class LawTest(unittest.TestCase):
    def setUp(self):
        self.laws = {int(law) for law in HEADING.findall(read("docs", "Contracts.md"))}
        self.assertEqual(self.laws, set(range(1, len(self.laws) + 1)))

    def test_each_is_cited_by_a_test(self):
        cited = set()
        for path in glob.glob(os.path.join(TREE, "Tests", "*", "test_*.c")):
            for comment, is_of_test in comments(read(path)):
                cited |= numbers(comment) if is_of_test else set()
        self.assertEqual(self.laws - cited, set())

    def test_what_is_cited_is_a_law(self):
        for folder, _, names in os.walk(os.path.join(TREE, "Tests")):
            for name in names:
                if not name.endswith((".c", ".h", ".swift")):
                    continue
                text = read(folder, name)
                with self.subTest(file=name):
                    self.assertEqual(numbers(text) - self.laws, set())


class ReadingTest(unittest.TestCase):
    def test_ways_to_cite(self):
        self.assertEqual(numbers("/* Law 3: one line. */"), {3})
        self.assertEqual(numbers("/* Laws 1, 7 and 15. */"), {1, 7, 15})
        self.assertEqual(numbers("/* By laws 2,\n * and 24. */"), {2, 24})
        self.assertEqual(numbers("/* An outlaw 9; law of 4. */"), set())

    def test_whose_comment_it_is(self):
        text = "/* Law 1. */\n\nTEST(a) {\n}\n/* Law 2. */\nTEST(b) {\n}\n/* Law 3. */\nint x;"
        self.assertEqual(
            [numbers(comment) for comment, is_of_test in comments(text) if is_of_test],
            [{2}],
        )


if __name__ == "__main__":
    unittest.main()
