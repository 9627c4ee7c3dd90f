"""The documentation of the Swift modules: everything public is described, DocC has no complaint, and what its pages
show compiles."""

import json
import pathlib
import re
import tempfile
import unittest

from built import MODULES, ROOT, compiler, objects, run

CATALOGUE = ROOT / "Sources" / "Reactive" / "Reactive.docc"
SNIPPET = re.compile(r"^```swift\n(.*?)^```$", flags=re.M | re.S)


def symbol_graph(module, folder):
    target = json.loads(run("swiftc", "-print-target-info").stdout)["target"]["unversionedTriple"]
    extracted = run(
        "swift-symbolgraph-extract", "-module-name", module, *MODULES, "-target", target,
        "-output-dir", folder, "-minimum-access-level", "public", "-skip-synthesized-members",
    )
    if extracted.returncode != 0:
        raise AssertionError(extracted.stdout)
    return json.loads((pathlib.Path(folder) / (module + ".symbols.json")).read_text())


class DocumentationTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_what_is_public_is_described(self):
        for module in ("Reactive", "ReactiveTesting"):
            with self.subTest(module):
                symbols = symbol_graph(module, self.folder)["symbols"]
                self.assertGreater(len(symbols), 10)
                bare = [s["pathComponents"] for s in symbols if "docComment" not in s]
                self.assertEqual([".".join(path) for path in bare], [])

    def test_docc(self):
        symbol_graph("Reactive", self.folder)
        converted = run(
            "docc", "convert", CATALOGUE, "--additional-symbol-graph-dir", self.folder,
            "--fallback-display-name", "Reactive", "--fallback-bundle-identifier", "librac.reactive",
            "--output-path", self.folder / "archive",
        )
        self.assertEqual(converted.returncode, 0, converted.stdout)
        self.assertNotIn("warning:", converted.stdout, converted.stdout)
        pages = self.folder / "archive" / "data" / "documentation" / "reactive"
        for page in CATALOGUE.glob("*.md"):
            if page.stem != "Reactive":
                self.assertTrue((pages / (page.stem.lower() + ".json")).exists(), page.stem)

    def test_snippets(self):
        pages = sorted(CATALOGUE.glob("*.md"))
        snippets = [
            (page, code)
            for page in pages
            for code in SNIPPET.findall(page.read_text(encoding="utf-8"))
        ]
        self.assertGreater(len(snippets), 10)
        for number, (page, code) in enumerate(snippets):
            with self.subTest(page.name, code=code):
                source = self.folder / str(number) / "main.swift"
                source.parent.mkdir()
                source.write_text(code)
                compiled = compiler("-typecheck", source)
                self.assertEqual(compiled.returncode, 0, compiled.stdout)

    def test_readme(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        shown = re.search(
            r"^```swift\n(import Reactive\n.*?)^```\n\nOutput:\n\n```\n(.*?)^```", text, flags=re.M | re.S
        )
        source = self.folder / "main.swift"
        source.write_text(shown.group(1))
        parts = objects("Reactive", "CReactive", "RAC", "CRACShims")
        compiled = compiler(source, *parts, "-o", self.folder / "readme")
        self.assertEqual(compiled.returncode, 0, compiled.stdout)
        self.assertEqual(run(self.folder / "readme").stdout, shown.group(2))


if __name__ == "__main__":
    unittest.main()
