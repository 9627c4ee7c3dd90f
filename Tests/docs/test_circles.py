"""The files of Sources/RAC/parts/Bindings use each other in small circles only, so that
one can be read without most of the others.

Which file uses which is told from names: types and free functions, and what an
extension adds, where one file alone of the whole engine declares that name.
"""

import collections
import os
import re
import unittest

from documents import TREE

DECLARATION = re.compile(
    r"\s*(?:(?:@\w+(?:\([^)]*\))?|[a-z]+(?:\(\w+\))?)\s+)*?"
    r"(class|struct|enum|protocol|typealias|func|let|var|case|extension)\s+(\w+)"
)
LARGEST = 5


def code(text):
    """Swift without its comments and strings."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', '""', text)


def declarations(text):
    """Names that are declared, each with whether another file may mean this one by it."""
    depth, is_extension = 0, False
    for line in text.splitlines():
        match = DECLARATION.match(line)
        if match:
            is_own = re.search(r"\b(file)?private\b(?!\()", line)
            is_added = depth == 1 and is_extension
            if match.group(1) != "extension":
                yield match.group(2), not is_own and (depth == 0 or is_added)
            if depth == 0:
                is_extension = match.group(1) == "extension"
        depth += line.count("{") - line.count("}")


def uses(files, others=()):
    """Files by name with their text, and texts of others; each file with those that it uses."""
    declared, named = collections.defaultdict(set), set()
    for name, text in [*files.items(), *enumerate(others)]:
        for declaration, is_named in declarations(text):
            declared[declaration].add(name)
            if is_named:
                named.add(declaration)
    arrows = {}
    for name, text in files.items():
        words = named & set(re.findall(r"\b[A-Za-z_]\w*\b", text))
        arrows[name] = {other for w in words if len(declared[w]) == 1 for other in declared[w]}
        arrows[name] -= {name, *range(len(others))}
    return arrows


def circles(arrows):
    """Sets of files each of which leads to all others of its set, the largest first."""

    def reached(start):
        found, waiting = set(), [start]
        while waiting:
            for other in arrows[waiting.pop()] - found:
                found.add(other)
                waiting.append(other)
        return found

    leads = {name: reached(name) for name in arrows}
    found = {frozenset(o for o in leads[n] if n in leads[o]) for n in arrows if n in leads[n]}
    return sorted(map(sorted, found), key=len, reverse=True)


class CirclesTest(unittest.TestCase):
    def test_bindings(self):
        files, others = {}, []
        for folder, _, names in os.walk(os.path.join(TREE, "Sources", "RAC")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = code(file.read())
                if os.path.basename(folder) == "Bindings":
                    files[name] = text
                else:
                    others.append(text)
        arrows = uses(files, others)
        self.assertGreater(sum(map(len, arrows.values())), 60)
        self.assertEqual([circle for circle in circles(arrows) if len(circle) > LARGEST], [])

    def test_planted(self):
        """A type, and a member that an extension adds elsewhere, close a circle."""
        files = {
            "A.swift": "class A {\n  func f() { g() }\n}\n",
            "B.swift": "extension A {\n  func g() { _ = C() }\n}\n",
            "C.swift": "struct C {\n  let a: A? // D\n}\n",
            "D.swift": "struct D {\n  let a: A\n}\n",
        }
        files = {name: code(text) for name, text in files.items()}
        self.assertEqual(circles(uses(files)), [["A.swift", "B.swift", "C.swift"]])


if __name__ == "__main__":
    unittest.main()
