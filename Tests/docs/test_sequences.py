"""The Swift type that docs/Sequences.md shows is the one that XCTest uses."""

import os
import textwrap
import unittest

from documents import TREE, blocks, read


class SameTextTest(unittest.TestCase):
    def test_swift_type_is_the_tested_one(self):
        page = os.path.join(TREE, "docs", "Sequences.md")
        found = [block for block in blocks(page) if block.language == "swift"]
        self.assertEqual(len(found), 1)
        test = read("Tests", "RACTests", "SequenceTests.swift")
        body = test.split("// docs/Sequences.md\n")[1].rsplit("// end\n", 1)[0]
        self.assertEqual(textwrap.dedent(body).strip(), found[0].code.strip())


if __name__ == "__main__":
    unittest.main()
