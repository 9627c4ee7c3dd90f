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
DEPENDENT = """// swift-tools-version: 6.2
import PackageDescription

let reactive = Target.Dependency.product(name: "Reactive", package: "librac")

let package = Package(
  name: "app",
  dependencies: [.package(url: "file://{}", from: "{}", traits: ["SharedLibrary"])],
  targets: [
    .executableTarget(
      name: "main_actor", dependencies: [reactive], swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(name: "mode5", dependencies: [reactive], swiftSettings: [.swiftLanguageMode(.v5)]),
  ])
"""
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
        """SwiftPM takes the package by its version, no unsafe flags in it and nothing outside of the repository, with
        the trait SharedLibrary; and compiles targets of either dialect, by SwiftPM's settings for it."""
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
            for name in DIALECTS:
                (app / "Sources" / name).mkdir(parents=True)
                shutil.copy(HERE / "dialects" / (name + ".swift"), app / "Sources" / name / "main.swift")
            (app / "Package.swift").write_text(DEPENDENT.format(library, TAG), encoding="utf-8")
            for name in DIALECTS:
                # Not linked: there may be no librac.so yet. In one go, without what debuggers need, it takes half
                # the time.
                built = subprocess.run(
                    ["swift", "build", "--target", name, "--cache-path", folder / "cache", "--disable-index-store",
                     "-debug-info-format", "none", "-Xswiftc", "-whole-module-optimization"],
                    cwd=app, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=600,
                )
                self.assertEqual(built.returncode, 0, built.stdout)
            self.assertIn(TAG, (app / "Package.resolved").read_text(encoding="utf-8"))


def git(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)


if __name__ == "__main__":
    unittest.main()
