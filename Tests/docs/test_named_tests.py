"""The tests that the documents name, as `c.stress` or by their file, are there."""

import os
import re
import unittest

from documents import TREE, pages, read

NAME = re.compile(r"`(c|conformance|memory|operators)\.(?!(?:c|h|def|py)`)([a-z]\w*)`")
PATH = re.compile(r"\bTests/[\w/]+\.\w+")


def file_of(folder, name):
    file = "Tests/{}/test_{}".format(folder, name)
    return file + (".py" if os.path.exists(os.path.join(TREE, file + ".py")) else ".c")


class NamedTest(unittest.TestCase):
    def test_names_and_paths(self):
        found = 0
        for page in pages() + [os.path.join(TREE, "CONTRIBUTING.md")]:
            text = read(page)
            files = [file_of(*name) for name in NAME.findall(text)]
            for file in files + PATH.findall(text):
                found += 1
                with self.subTest(page=os.path.basename(page), file=file):
                    self.assertTrue(os.path.exists(os.path.join(TREE, file)))
        self.assertGreater(found, 20)


if __name__ == "__main__":
    unittest.main()
