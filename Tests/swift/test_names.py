"""The C names in Swift 6 mode, imported as RAC and as CRAC: a program that must run, and some that must not
compile, each line of which that is wrong says why in a comment, "// refused: …"."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from built import HERE, ROOT, compiler, objects

# As the module of the engine, and as the header.
MODULES = {"RAC": [], "CRAC": ["-DIMPORTED"]}
REFUSED = re.compile(r"// refused: (.*)$", flags=re.M)


def expected(path):
    """Where something is refused, and as what."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = {}
    for number, line in enumerate(lines, 1):
        match = REFUSED.search(line)
        if match:
            found[number] = match.group(1)
    return found


class NamesTest(unittest.TestCase):
    def test_what_must_run(self):
        output = (HERE / "callbacks.txt").read_text(encoding="utf-8")
        for module, flags in MODULES.items():
            with self.subTest(module), tempfile.TemporaryDirectory() as folder:
                program = pathlib.Path(folder) / "callbacks"
                # main.swift alone has top-level code.
                source = pathlib.Path(folder) / "main.swift"
                source.write_text((HERE / "callbacks.swift").read_text(encoding="utf-8"))
                compiled = compiler(*flags, source, *objects("RAC", "CRACShims"), "-o", program)
                self.assertEqual(compiled.returncode, 0, compiled.stdout)
                run = subprocess.run(
                    [str(program)], stdout=subprocess.PIPE, universal_newlines=True, timeout=60
                )
                self.assertEqual((run.returncode, run.stdout), (0, output))

    def test_what_must_not_compile(self):
        files = sorted((HERE / "refused").glob("*.swift"))
        self.assertGreater(len(files), 0)
        for path in files:
            for module, flags in MODULES.items():
                with self.subTest(path.name, module=module):
                    wanted = expected(path)
                    self.assertGreater(len(wanted), 0)
                    run = compiler(*flags, "-typecheck", path)
                    self.assertNotEqual(run.returncode, 0)
                    found = {}
                    for line, message in re.findall(
                        r"%s:(\d+):\d+: error: (.*)" % re.escape(path.name), run.stdout
                    ):
                        found[int(line)] = message
                    self.assertEqual(sorted(found), sorted(wanted), run.stdout)
                    for line, words in wanted.items():
                        self.assertIn(words, found[line])


class PackageTest(unittest.TestCase):
    def test_names_differ_by_more_than_case(self):
        run = subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT, stdout=subprocess.PIPE, timeout=120
        )
        products = [product["name"].lower() for product in json.loads(run.stdout)["products"]]
        self.assertEqual(len(set(products)), len(products), products)

    def test_a_checkout_in_a_folder_of_another_name(self):
        page = (ROOT / "docs" / "Linking.md").read_text(encoding="utf-8")
        package = re.search(r"^\.package\(name: [^)]*\)", page, flags=re.M).group(0)
        product = re.search(r'`(\.product\(name: "RAC", .*?\))`', page).group(1)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "rac").symlink_to(ROOT)
            sources = folder / "app" / "Sources" / "app"
            sources.mkdir(parents=True)
            (sources / "main.swift").write_text("import RAC\n")
            (folder / "app" / "Package.swift").write_text(
                "// swift-tools-version: 6.1\nimport PackageDescription\n"
                'let package = Package(name: "app", dependencies: [{}], targets: [\n'
                '.executableTarget(name: "app", dependencies: [{}])])\n'.format(
                    package.replace("../librac", "../rac"), product
                )
            )
            run = subprocess.run(
                ["swift", "package", "show-dependencies"],
                cwd=folder / "app",
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=120,
            )
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertNotIn("error", run.stdout)


if __name__ == "__main__":
    unittest.main()
