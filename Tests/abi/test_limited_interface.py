"""The extension keeps to Python's limited interface, so that one wheel serves
3.12 and all later versions. A build with 3.11 does not notice when it does not:
the macros that look inside an object are missing only there.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INSIDE = re.compile(r"\bPy(?:Byte|Dict|Float|List|Long|Set|Tuple|Unicode)s?_[A-Z]{2}[A-Z_]*")


class LimitedInterface(unittest.TestCase):
    def test_no_macro_looks_inside_an_object(self):
        files = sorted((ROOT / "python" / "src").glob("*.[ch]"))
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(INSIDE.findall(path.read_text(encoding="utf-8")), [])


if __name__ == "__main__":
    unittest.main()
