"""The places of docs/Release.md that have the version have the same one, and the
commands it names exist."""

import os
import re
import unittest

from documents import TREE, read


def version():
    """Major, minor and patch, as text."""
    header = read("include", "rac_types.h")
    return re.findall(r"#define RAC_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)


class VersionTest(unittest.TestCase):
    def test_the_changelog_begins_with_it(self):
        newest = re.search(r"^## (\S+) — (\S+)$", read("CHANGELOG.md"), re.M)
        self.assertEqual(newest.group(1), ".".join(version()))
        self.assertRegex(newest.group(2), r"unreleased|20\d\d-\d\d-\d\d")

    def test_packages_ask_for_it(self):
        minor = ".".join(version()[:2])
        for path in (("docs", "Linking.md"), ("Tests", "abi", "stranger", "CMakeLists.txt")):
            with self.subTest(file=path[-1]):
                asked = re.findall(r"find_package\(rac ([\d.]+)", read(*path))
                self.assertEqual(asked, [minor])

    def test_nothing_is_newer_than_it(self):
        ours = [int(number) for number in version()[:2]]
        for since in re.findall(r"@since (\d+)\.(\d+)", read("include", "rac.h")):
            self.assertLessEqual([int(number) for number in since], ours)


class StepsTest(unittest.TestCase):
    def test_commands_exist(self):
        page = read("docs", "Release.md")
        commands = re.findall(r"(?<!/)\b((?:scripts|benchmarks)/[\w-]+)", page)
        self.assertGreater(len(set(commands)), 5)
        for command in set(commands):
            with self.subTest(command=command):
                self.assertTrue(os.access(os.path.join(TREE, command), os.X_OK))

    def test_options_exist(self):
        cli = read("benchmarks", "race", "cli.py")
        options = re.findall(r"benchmarks/run (--[\w-]+)", read("docs", "Release.md"))
        self.assertEqual([name for name in options if '"{}"'.format(name) not in cli], [])

    def test_what_an_operator_may_take_is_what_is_checked(self):
        limit = re.search(r"SIZE_OF_AN_OPERATOR = (\d+)", read("Tests", "abi", "check_library.py"))
        kept = "{:,} bytes for each operator".format(int(limit.group(1)))
        self.assertIn(kept, " ".join(read("docs", "Release.md").split()))


if __name__ == "__main__":
    unittest.main()
