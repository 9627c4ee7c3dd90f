"""The Swift face has every operator that rac.json has, each described with its marbles. That all that is
public is described, Tests/docc sees to."""

import json
import os
import re
import unittest

from documents import TREE, read

FACE = os.path.join(TREE, "Sources", "Reactive")
# What another name, or Swift itself, does.
ELSEWHERE = {
    "rac_signal_try_map": "map, whose closure may throw",
    "rac_signal_flatten": "flatten, with a bound or without one",
    "rac_signal_take_until_predicate": "prefix(while:) with the opposite test",
    "rac_signal_skip_until_predicate": "drop(while:) with the opposite test",
    "rac_signal_deliver_on_main": "deliver(on: .main)",
}


def sources(*folders):
    for folder in folders:
        for top, _, names in os.walk(os.path.join(TREE, "Sources", folder)):
            for name in sorted(names):
                if name.endswith(".swift"):
                    path = os.path.join(top, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, TREE), file.read()


def comment_above(lines, index):
    """The "///" lines above a declaration, and its attributes."""
    found = []
    while index > 0:
        index -= 1
        line = lines[index].strip()
        if line.startswith("///"):
            found.append(line)
        elif not line.startswith("@"):
            break
    return found[::-1]


class FaceTest(unittest.TestCase):
    maxDiff = None

    def test_every_operator(self):
        operators = {
            each["name"]
            for each in json.loads(read("include", "rac.json"))["functions"]
            if each.get("operator") == "signal"
        }
        face = "\n".join(text for _, text in sources("Reactive"))
        called = set(re.findall(r"\brac_\w+", face))
        self.assertEqual(sorted(operators - called - set(ELSEWHERE)), [])
        self.assertEqual(sorted(set(ELSEWHERE) - operators), [], "no such operator")

    def test_operators_have_marbles(self):
        bare = []
        for path, text in sources(os.path.join("Reactive", "Operators")):
            lines = text.splitlines()
            # What changes signals: the functions of an extension of signals, and what has no type.
            for match in re.finditer(r"^  public (?:static )?func \S+", text, flags=re.M):
                number = text.count("\n", 0, match.start())
                comment = comment_above(lines, number)
                drawn = any(re.match(r"///     .*(--|-\||\|$|\bA\b)", line) for line in comment)
                if not drawn and not re.search("send|complete|named|multicast|publish", match.group(0)):
                    bare.append("{}:{}".format(path, number + 1))
        self.assertEqual(bare, [])


if __name__ == "__main__":
    unittest.main()
