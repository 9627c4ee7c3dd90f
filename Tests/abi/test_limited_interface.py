"""The extension keeps to Python's limited interface, so that one wheel serves
3.12 and all later versions. A build with 3.11 does not notice when it does not:
the macros that look inside an object are missing only there, and so are C's
headers, which Python.h includes otherwise.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "python" / "src"
#: Functions of C, by the header that has them.
NEEDED = {
    "stdio.h": r"\b(?:v?snprintf|f?printf|fputs|fopen)\(",
    "string.h": r"\b(?:mem(?:cpy|move|set|cmp|chr)|str(?:len|n?cmp|r?chr|str))\(",
    "stdlib.h": r"\b(?:malloc|calloc|realloc|free|abort|qsort)\(",
    "errno.h": r"\berrno\b",
}
INSIDE = re.compile(r"\bPy(?:Byte|Dict|Float|List|Long|Set|Tuple|Unicode)s?_[A-Z]{2}[A-Z_]*")


def included(path):
    """The headers of a file, and of those of them that are the package's own."""
    found = set()
    for name in re.findall(r'^#include ["<]([^">]+)', path.read_text(encoding="utf-8"), re.M):
        found.add(name)
        for folder in (SOURCES, ROOT / "include"):
            if (folder / name).exists():
                found |= included(folder / name)
    return found


class LimitedInterface(unittest.TestCase):
    def test_no_macro_looks_inside_an_object(self):
        files = sorted(SOURCES.glob("*.[ch]"))
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(INSIDE.findall(path.read_text(encoding="utf-8")), [])

    def test_what_is_called_is_included(self):
        for path in sorted(SOURCES.glob("*.c")):
            text = re.sub(r"/\*.*?\*/|//.*", "", path.read_text(encoding="utf-8"), flags=re.S)
            headers = included(path)
            for header, calls in NEEDED.items():
                if re.search(calls, text):
                    self.assertIn(header, headers, path.name)


if __name__ == "__main__":
    unittest.main()
