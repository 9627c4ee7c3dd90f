"""The tests that the documents name, as `c.stress` or by their file, are there, and so is
every other file that they name."""

import os
import re
import unittest

from documents import TREE, documents, pages, read, tree

NAME = re.compile(r"`(c|conformance|memory|operators)\.(?!(?:c|h|def|py)`)([a-z]\w*)`")
PATH = re.compile(r"\bTests/[\w/]+\.\w+")
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?<![\w/.*<…-])[\w-][\w./-]*\.(?:swift|c|cpp|h|hpp|in|md|pml|py|pyi|cmake|txt)\b")
OF_THE_SYSTEM = {"sys/inotify.h"}


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

    def test_files(self):
        files = set()
        for path in tree():
            # By its name, and by as much of its path as one likes.
            parts = path.split(os.sep)
            files.update("/".join(parts[i:]) for i in range(len(parts)))
        found = 0
        for page in documents():
            for code in CODE.findall(re.sub(r"^```.*?^```", "", read(page), flags=re.M | re.S)):
                for file in FILE.findall(code):
                    found += 1
                    with self.subTest(page=page, file=file):
                        self.assertIn(file, files | OF_THE_SYSTEM)
        self.assertGreater(found, 300)


if __name__ == "__main__":
    unittest.main()
