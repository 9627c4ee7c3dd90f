"""docs/Concurrency.md and the tree: its map names what there is, and no use of an atomic
order is without its reason."""

import glob
import os
import re
import unittest

from documents import TREE, read

PAGE = read("docs", "Concurrency.md")
ORDER = re.compile(r"[oO]rdering: *\.|\bmemory_order_|\b__ATOMIC_")
# Each has a row in the map.
PROTOCOLS = """Gate ReplayCore Scope DynamicCore JobQueue TimerThread DeliveryLine Once
    SeqlockValue Tie""".split()


def sources():
    for folder, _, names in os.walk(os.path.join(TREE, "Sources")):
        for name in names:
            yield os.path.join(folder, name)


def the_map():
    """The rows of the table: what, code, argument, model, stress."""
    section = PAGE.split("## The map")[1].split("\n## ")[0]
    rows = re.findall(r"^\|(.+)\|$", section, flags=re.M)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def code_in(text):
    return re.findall(r"`([^`]+)`", text)


def named_files(text):
    """Names of Swift files without folders and suffix, of others with the suffix."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    words = {re.split(r"[/ ]", code)[-1] for code in code_in(text)}
    return words | {word.split(".")[0] for word in words if word[:1].isupper()}


def is_test(name):
    if name.endswith("Tests"):
        pattern = os.path.join(TREE, "Tests", "RACTests", "**", name + ".swift")
        return bool(glob.glob(pattern, recursive=True))
    family, _, test = name.partition(".")
    return os.path.exists(os.path.join(TREE, "Tests", family, f"test_{test}.c"))


class ConcurrencyTests(unittest.TestCase):
    def test_every_file_with_an_order_is_named(self):
        named = named_files(PAGE)
        with_order = set()
        for path in sources():
            with open(path, encoding="utf-8") as file:
                if ORDER.search(file.read()):
                    name = os.path.basename(path)
                    with_order.add(name[:-6] if name.endswith(".swift") else name)
        self.assertGreater(len(with_order), 40)
        self.assertEqual(sorted(with_order - named), [])

    def test_every_protocol_has_its_row(self):
        rows = the_map()
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                self.assertEqual(
                    1, sum(protocol in named_files(row[1]) for row in rows))
        for row in rows:
            with self.subTest(row[0]):
                self.assertEqual(len(row), 5)
                self.assertTrue(row[2])
                self.assertTrue(code_in(row[4]))

    def test_what_the_map_names_is_there(self):
        files = {os.path.basename(path).replace(".swift", "") for path in sources()}
        for row in the_map():
            code = named_files(row[1]) - {"RAC", "CRACShims"}
            self.assertEqual(sorted(code - files), [], row[0])
            tests = code_in(row[4]) + re.findall(r"\w+Tests\b", row[4])
            self.assertEqual([name for name in tests if not is_test(name)], [], row[0])

    def test_every_model_is_in_the_map(self):
        models = glob.glob(os.path.join(TREE, "Tests", "model", "*.pml"))
        there = sorted(os.path.basename(path)[:-4] for path in models)
        mapped = sorted(name for row in the_map() for name in code_in(row[3]))
        self.assertEqual(mapped, there)

    def test_every_model_says_what_it_is_of(self):
        lines = read("Tests", "model", "sources").splitlines()
        said = [line.split() for line in lines if line and not line.startswith("#")]
        models = glob.glob(os.path.join(TREE, "Tests", "model", "*.pml"))
        self.assertEqual({model for model, _ in said},
                         {os.path.basename(path)[:-4] for path in models})
        for _, path in said:
            self.assertTrue(os.path.exists(os.path.join(TREE, path)), path)


if __name__ == "__main__":
    unittest.main()
