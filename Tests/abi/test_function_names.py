"""A failure names the C function that was called: `#function`, which a function
that stands between passes on.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from swift_abi import closing  # noqa: E402

NAMED = re.compile(r"\bfunc (\w+)[^{]*?function: StaticString = #function")
FUNCTION = re.compile(r"^( *)(?:@[\w()]+ +|[a-z]+ +)*func (\w+)", flags=re.M)


class FunctionNames(unittest.TestCase):
    def test_a_helper_passes_the_name_on(self):
        files = {
            path.relative_to(ROOT): path.read_text(encoding="utf-8")
            for path in (ROOT / "Sources" / "RAC").rglob("*.swift")
        }
        border = [text for text in files.values() if re.search(r"(extension|enum) Border", text)]
        shared = {name for text in border for name in NAMED.findall(text)} | {"record"}
        self.assertGreater(len(shared), 20)
        for path, text in files.items():
            own = set(NAMED.findall(text))
            names = shared | own if text in border else own
            called = re.compile(
                r"(?:\b(?:Border|Failure)\.(?:{})|(?<![\w.])(?<!func )(?:{}))\(".format(
                    "|".join(shared), "|".join(names or {"none at all"})
                )
            )
            for match in FUNCTION.finditer(text):
                indent, name = match.groups()
                if name.startswith("rac_"):
                    continue
                end = text.find("\n" + indent + "}", match.end())
                for call in called.finditer(text, match.end(), end):
                    arguments = text[call.end() : closing(text, call.end() - 1)]
                    line = text.count("\n", 0, call.start()) + 1
                    with self.subTest("{}:{}".format(path, line)):
                        self.assertRegex(arguments, r'function|"rac_')


if __name__ == "__main__":
    unittest.main(verbosity=1)
