"""Programs in other dialects of Swift than ours: with the main actor as everything's, and in language mode 5. And a
package that depends on a tag of a repository."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from built import HERE, MODULES, ROOT, objects, run

DIALECTS = {
    "main_actor": ["-swift-version", "6", "-default-isolation", "MainActor", "-warnings-as-errors"],
    "mode5": ["-swift-version", "5", "-warnings-as-errors"],
}
TAG = "0.1.0"
# What Package.swift names.
PARTS = [
    "Sources", "include", "examples-c", "examples-swift", "Tests/RACTests", "Tests/ReactiveTests", "Tests/main_actor",
]


class DialectsTest(unittest.TestCase):
    def test_programs(self):
        parts = objects("Reactive", "CReactive", "RAC", "CRACShims")
        for name, flags in DIALECTS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "main.swift"
                source.write_text((HERE / "dialects" / (name + ".swift")).read_text(encoding="utf-8"))
                program = pathlib.Path(folder) / name
                compiled = run("swiftc", *flags, *MODULES, source, *parts, "-o", program)
                self.assertEqual(compiled.returncode, 0, compiled.stdout)
                self.assertEqual(run(program).stdout, 'Ada 1 6 ["ONE", "TWO"]\n')

    def test_a_tag_of_a_repository(self):
        """SwiftPM takes the package by its version: no unsafe flags, and nothing outside of the repository."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            library = folder / "librac.git"
            for each in PARTS:
                shutil.copytree(ROOT / each, library / each)
            shutil.copy(ROOT / "Package.swift", library)
            git(library, "init", "-q")
            git(library, "add", ".")
            git(library, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "A version")
            git(library, "tag", TAG)
            app = folder / "app"
            (app / "Sources" / "app").mkdir(parents=True)
            (app / "Sources" / "app" / "main.swift").write_text("import Reactive\n")
            (app / "Package.swift").write_text(
                "// swift-tools-version: 6.1\nimport PackageDescription\n"
                'let package = Package(name: "app", dependencies: [\n'
                '.package(url: "file://{}", from: "{}", traits: ["SharedLibrary"])], targets: [\n'
                '.executableTarget(name: "app", dependencies: ['
                '.product(name: "Reactive", package: "librac")])])\n'.format(library, TAG)
            )
            shown = subprocess.run(
                ["swift", "package", "show-dependencies", "--cache-path", folder / "cache"], cwd=app,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=120,
            )
            self.assertEqual(shown.returncode, 0, shown.stdout)
            self.assertIn("@" + TAG, shown.stdout)


def git(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)


if __name__ == "__main__":
    unittest.main()
