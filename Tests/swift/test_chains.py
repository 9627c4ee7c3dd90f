"""Chains of operators type-check, and where a closure of one has a fault, the compiler names it. The budget is what
2 s of an ordinary processor are in steps of the type checker: a busy machine counts the same."""

import re
import unittest

from built import HERE, compiler

CHAINS = HERE / "chains"
# Of a chain. The compiler's own limit is a million, after five seconds.
BUDGET = ["-Xfrontend", "-solver-scope-threshold=250000"]
REFUSED = re.compile(r"// refused: (.*)$")
BEYOND = "unable to type-check"


class ChainsTest(unittest.TestCase):
    maxDiff = None

    def test_what_type_checks(self):
        source = CHAINS / "valid.swift"
        self.assertEqual(chains(source), 24)
        compiled = compiler("-typecheck", *BUDGET, source)
        self.assertEqual(compiled.returncode, 0, compiled.stdout)

    def test_a_fault_is_named(self):
        source = CHAINS / "typos.swift"
        self.assertEqual(chains(source), 34)
        self.assert_refused(source, 34)

    def test_a_name_of_another_library_is_answered(self):
        self.assert_refused(CHAINS / "renamed.swift", 51)

    def assert_refused(self, source, count):
        lines = source.read_text(encoding="utf-8").splitlines()
        wanted = {n: REFUSED.search(line).group(1) for n, line in enumerate(lines, 1) if REFUSED.search(line)}
        self.assertEqual(len(wanted), count)
        compiled = compiler("-typecheck", *BUDGET, source)
        self.assertNotIn(BEYOND, compiled.stdout)
        said = re.findall(r"\w+\.swift:(\d+):\d+: error: (.*)", compiled.stdout)
        for number, words in wanted.items():
            with self.subTest(lines[number - 1].strip()):
                self.assertTrue(
                    any(int(line) == number and words in text for line, text in said), compiled.stdout
                )


def chains(source):
    """How many functions have one."""
    return len(re.findall(r"^func \w+\(.*?\) -> (?:Signal|Disposable).*\{$", source.read_text(), flags=re.M))


if __name__ == "__main__":
    unittest.main()
