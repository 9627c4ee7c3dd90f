"""The folders of Sources/RAC use only those below them in the picture under
"Layers" of docs/Architecture.md.

Who uses whom is told from names: types and free functions, and what an extension
adds in another folder than that of its type. Two folders of one row do not know
each other, so there are no circles either.
"""

import collections
import os
import re
import tempfile
import unittest

from documents import TREE, read

DECLARATION = re.compile(
    r"\s*((?:@\w+(?:\([^)]*\))?|[a-z]+(?:\(\w+\))?)\s+)*?"
    r"(class|struct|enum|protocol|typealias|func|let|var|case|extension)\s+(\w+)"
)
# What values of Swift's own types have, too.
SWIFTS = {"map", "filter", "reduce"}


def code(text):
    """Swift without its comments and strings."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', '""', text)


def layers(page):
    """The rows of the picture, the lowest first: names, then perhaps what they are."""
    picture = re.search(r"^## Layers\n.*?^```\n(.*?)^```", page, flags=re.M | re.S).group(1)
    row = re.compile(r" *([A-Z]\w*(?: {2,}[A-Z]\w*)*)(?: {2,}[a-z`].*)?")
    rows = (row.fullmatch(line.rstrip()) for line in picture.splitlines())
    return [match.group(1).split() for match in rows if match][::-1]


class Sources:
    def __init__(self, root):
        self.files = {}
        for folder in sorted(os.listdir(root)):
            for name in sorted(os.listdir(os.path.join(root, folder))):
                with open(os.path.join(root, folder, name), encoding="utf-8") as file:
                    self.files[folder, name] = code(file.read())
        # What has a name of its own; members by name, with the type they are added to.
        self.tops = collections.defaultdict(set)
        self.members = collections.defaultdict(set)
        # Who has a name for something of its own, whatever that is.
        self.taken = collections.defaultdict(set)
        for (folder, _), text in self.files.items():
            self.declare(folder, text)

    def declare(self, folder, text):
        depth, owner = 0, None
        for line in text.splitlines():
            match = DECLARATION.match(line)
            if match:
                self.taken[match.group(3)].add(folder)
            is_private = re.search(r"\b(file)?private\b(?!\()", line)
            if match and not is_private:
                kind, name = match.group(2, 3)
                if depth == 0 and kind != "extension":
                    self.tops[name].add(folder)
                elif depth == 1 and not re.search(r"\boverride\b", line):
                    self.members[name].add((owner, folder))
            if match and depth == 0:
                owner = match.group(3)
            depth += line.count("{") - line.count("}")

    def uses(self, text):
        """Names in the text, each with the folder it must be from."""
        free = r"(?<![.\w])(?<!func )(?:[A-Z_]\w*|[a-z]\w*(?=\())"
        for name in set(re.findall(free, text)):
            if len(self.tops[name]) == 1:
                yield name, *self.tops[name]
        for owner, name in set(re.findall(r"\b([A-Z]\w*)?\.([a-z]\w*)", text)):
            members = [(k, f) for k, f in self.members[name] if not owner or k == owner]
            found = {folder for _, folder in members}
            added = {folder for kind, folder in members if self.tops[kind] != {folder}}
            if not owner and (len(self.taken[name]) > 1 or name in SWIFTS):
                continue
            if len(found) == 1 and found <= added:
                yield owner + "." + name, *found

    def arrows(self):
        for (folder, name), text in self.files.items():
            for used, other in sorted(self.uses(text)):
                if other != folder:
                    yield folder, other, "{}/{} uses {} of {}".format(folder, name, used, other)


def faults(root, rows):
    """What a tree of sources does that the rows of the picture forbid."""
    level = {name: number for number, row in enumerate(rows) for name in row}
    folders, drawn = set(os.listdir(root)), [name for row in rows for name in row]
    found = ["drawn twice: " + name for name in level if drawn.count(name) > 1]
    found += ["not drawn: " + name for name in sorted(folders - set(drawn))]
    found += ["drawn, but no folder: " + name for name in sorted(set(drawn) - folders)]
    if found:
        return found
    sources = Sources(root)
    for name, places in sorted(sources.tops.items()):
        if len(places) > 1:
            found.append("{} is of {}".format(name, " and ".join(sorted(places))))
    for user, used, text in sources.arrows():
        if level[used] >= level[user]:
            found.append(text)
    return found


class LayersTest(unittest.TestCase):
    def test_arrows_go_down(self):
        root = os.path.join(TREE, "Sources", "RAC")
        rows = layers(read("docs", "Architecture.md"))
        self.assertGreater(len(rows), 5)
        self.assertGreater(len(set(a[:2] for a in Sources(root).arrows())), 25)
        self.maxDiff = None
        self.assertEqual(faults(root, rows), [])


class PlantedTest(unittest.TestCase):
    """A tree of three folders: what goes up, or aside, is found."""

    PAGE = "## Layers\n\n```\n  Top\n   |\n  Left   Right   side by side\n\n  Low\n```\n"
    GOOD = {
        "Low/Thing.swift": "class Thing {\n  var size: Int { 0 }\n}\nfunc lift() {}\n",
        "Left/Part.swift": "// Whole, Peer\nclass Part: Thing {\n  let s = \"Whole\"\n}\n",
        "Right/Peer.swift": "final class Peer {\n  func f() { lift() }\n}\n",
        "Top/Whole.swift": "struct Whole {\n  let part: Part\n}\n"
        "extension Thing {\n  static var whole: Whole { Whole() }\n}\n",
    }

    def found(self, page=PAGE, **more):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**self.GOOD, **more}.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return faults(root, layers(page))

    def test_none(self):
        self.assertEqual(self.found(), [])

    def test_type(self):
        planted = {"Low/More.swift": "func more(_ peer: Peer) {}\n"}
        self.assertEqual(self.found(**planted), ["Low/More.swift uses Peer of Right"])

    def test_static_member(self):
        planted = {"Low/More.swift": "let it = Thing.whole\n"}
        self.assertEqual(self.found(**planted), ["Low/More.swift uses Thing.whole of Top"])

    def test_member_of_a_value(self):
        planted = {"Low/More.swift": "let it = thing.whole\n"}
        self.assertEqual(self.found(**planted), ["Low/More.swift uses .whole of Top"])

    def test_function(self):
        planted = {"Right/More.swift": "func aside() {}\n", "Left/More.swift": "let x = aside()\n"}
        self.assertEqual(self.found(**planted), ["Left/More.swift uses aside of Right"])

    def test_name_of_two_folders(self):
        planted = {"Left/More.swift": "class Peer {}\n"}
        self.assertEqual(self.found(**planted), ["Peer is of Left and Right"])

    def test_picture(self):
        self.assertEqual(self.found(**{"New/A.swift": ""}), ["not drawn: New"])
        page = self.PAGE.replace("Top\n", "Top   Attic\n")
        self.assertEqual(self.found(page), ["drawn, but no folder: Attic"])


if __name__ == "__main__":
    unittest.main()
