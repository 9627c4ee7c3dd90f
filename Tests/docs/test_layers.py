"""The folders of Sources/RAC use only those below them in the picture under
"Layers" of docs/Architecture.md, and not their neighbours in the same row.

The compiler says so: it checks the types of each folder's files and is given,
beside them, those of the rows below and no others. So a name from above, or from
beside, is not found.
"""

import os
import re
import subprocess
import tempfile
import unittest

from documents import TREE, read

SOURCES = os.path.join(TREE, "Sources", "RAC")
# As in cmake/Engine.cmake.
FLAGS = ["-enable-experimental-feature", "Embedded", "-parse-as-library", "-module-name", "RAC"]
FLAGS += ["-swift-version", "6", "-I", os.path.join(TREE, "include")]
FLAGS += ["-I", os.path.join(TREE, "Sources", "CRACShims", "include")]


def layers(page):
    """The rows of the picture, the lowest first: names, then perhaps what they are."""
    picture = re.search(r"^## Layers\n.*?^```\n(.*?)^```", page, flags=re.M | re.S).group(1)
    row = re.compile(r" *([A-Z]\w*(?: {2,}[A-Z]\w*)*)(?: {2,}[a-z`].*)?")
    rows = (row.fullmatch(line.rstrip()) for line in picture.splitlines())
    return [match.group(1).split() for match in rows if match][::-1]


def folders(root):
    """The Swift files of each folder that has some, by the folder's name."""
    found = {}
    for path, _, names in os.walk(root):
        files = [os.path.join(path, name) for name in sorted(names) if name.endswith(".swift")]
        if files:
            name = os.path.basename(path)
            assert name not in found, "two folders: " + name
            found[name] = files
    return found


def errors(files, below, modules):
    """The errors of the compiler, each once: what is below is read, but not checked."""
    command = [os.environ.get("RAC_SWIFTC", "swiftc"), "-frontend", "-typecheck", *FLAGS]
    command += ["-module-cache-path", modules]
    for path in files:
        command += ["-primary-file", path]
    result = subprocess.run(command + below, capture_output=True, text=True)
    found = re.findall(r"^(?:.*/)?(\w+/\w+\.swift):\d+:\d+: error: (.*)$", result.stderr, flags=re.M)
    if result.returncode != 0 and not found:
        found = [("", result.stderr)]
    return sorted(set("{}: {}".format(*each) for each in found))


def faults(files, rows, only=None):
    """What folders of files do that the rows of the picture forbid; `only` one folder."""
    drawn = [name for row in rows for name in row]
    found = ["drawn twice: " + name for name in sorted(set(drawn)) if drawn.count(name) > 1]
    found += ["not drawn: " + name for name in sorted(set(files) - set(drawn))]
    found += ["drawn, but no folder: " + name for name in sorted(set(drawn) - set(files))]
    if found:
        return found
    below = []
    with tempfile.TemporaryDirectory() as modules:
        for row in rows:
            for name in row:
                if only in (None, name):
                    found += errors(files[name], below, modules)
            below = below + [path for name in row for path in files[name]]
    return found


class LayersTest(unittest.TestCase):
    rows = layers(read("docs", "Architecture.md"))

    def test_arrows_go_down(self):
        self.assertGreater(len(self.rows), 5)
        self.maxDiff = None
        self.assertEqual(faults(folders(SOURCES), self.rows), [])

    def test_a_member_from_above_is_found(self):
        """Two operators, called in the folder of signals."""
        files = folders(SOURCES)
        with tempfile.TemporaryDirectory() as root:
            planted = os.path.join(root, "Signals", "Planted.swift")
            os.mkdir(os.path.dirname(planted))
            with open(planted, "w", encoding="utf-8") as file:
                file.write(PLANTED)
            files["Signals"].append(planted)
            self.assertEqual(
                faults(files, self.rows, only="Signals"),
                ["Signals/Planted.swift: cannot find 'map' in scope"],
            )


PLANTED = """import CRACTypes

extension Signal {
  func firstMapped(_ context: Context, _ transform: @escaping rac_map_fn) -> Signal {
    map(context, transform).take(1)
  }
}
"""


class PlantedTest(unittest.TestCase):
    """A tree of four folders: what goes up, or aside, is found."""

    PAGE = "## Layers\n\n```\n  Top\n   |\n  Left   Right   side by side\n\n  Low\n```\n"
    GOOD = {
        "Low/Thing.swift": "class Thing {\n  var size: Int { 0 }\n}\nfunc lift() {}\n",
        "rooms/Left/Part.swift": "// Whole, Peer\nclass Part: Thing {\n  let whole = 1\n}\n",
        "rooms/Right/Peer.swift": "final class Peer {\n  func f() { lift() }\n}\n",
        "Top/Whole.swift": "struct Whole {\n  let part: Part\n}\n"
        "extension Thing {\n  static var whole: Int { 1 }\n}\n",
    }

    def found(self, page=PAGE, **more):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**self.GOOD, **more}.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return faults(folders(root), layers(page))

    def test_none(self):
        self.assertEqual(self.found(), [])

    def test_up_and_aside(self):
        found = self.found(**{
            "Low/More.swift": "func more(_ peer: Peer) -> Int { Thing.whole }\n",
            "rooms/Left/More.swift": "func more() { aside() }\n",
            "rooms/Right/More.swift": "func aside() {}\n",
        })
        self.assertEqual(found, [
            "Low/More.swift: cannot find type 'Peer' in scope",
            "Low/More.swift: type 'Thing' has no member 'whole'",
            "Left/More.swift: cannot find 'aside' in scope",
        ])

    def test_picture(self):
        self.assertEqual(self.found(**{"New/A.swift": ""}), ["not drawn: New"])
        page = self.PAGE.replace("Top\n", "Top   Attic\n")
        self.assertEqual(self.found(page), ["drawn, but no folder: Attic"])


if __name__ == "__main__":
    unittest.main()
