"""Each name that docs/Glossary.md gives exists: in the header, or as a Swift type."""

import os
import re
import unittest

from documents import TREE, read

SWIFT = re.compile(r"^\s*(?:\w+ )*(?:class|struct|enum|typealias) (\w+)", re.M)


def swift_types():
    found = set()
    for folder, _, names in os.walk(os.path.join(TREE, "Sources", "RAC")):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found.update(SWIFT.findall(file.read()))
    return found


def c_names():
    """Outside comments: a name that is only talked about is not there."""
    text = read("include", "rac.h") + read("include", "rac_types.h")
    code = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return set(re.findall(r"\b(?:rac|RAC)_\w+", code))


def rows():
    """The word, the names in C and the names in Swift of each row."""
    header = []
    for line in read("docs", "Glossary.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or set(line) <= set("|-"):
            continue
        if cells[0] == "word":
            header = cells
            continue
        row = dict(zip(header, cells))
        assert len(cells) == len(header), line
        names = {key: re.findall(r"`([^`]+)`", row.get(key, "")) for key in ("in C", "in Swift")}
        yield row["word"], row["meaning"], names["in C"], names["in Swift"]


class GlossaryTest(unittest.TestCase):
    def test_names_exist(self):
        c, swift = c_names(), swift_types()
        for word, _, c_column, swift_column in rows():
            with self.subTest(word=word):
                self.assertEqual(set(c_column) - c, set())
                self.assertEqual(set(swift_column) - swift, set())

    def test_every_type_of_a_handle_is_in_it(self):
        types = set(re.findall(r"typedef struct (rac_\w+) \1;", read("include", "rac_types.h")))
        self.assertGreater(len(types), 10)
        page = read("docs", "Glossary.md")
        self.assertEqual({name for name in types if "`{}`".format(name) not in page}, set())

    def test_one_row_a_word_with_a_meaning(self):
        words = [word for word, _, _, _ in rows()]
        self.assertGreater(len(words), 80)
        self.assertEqual(sorted(set(words)), sorted(words))
        self.assertEqual([word for word, meaning, _, _ in rows() if not meaning], [])


if __name__ == "__main__":
    unittest.main()
