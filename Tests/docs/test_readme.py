"""Compiles and runs the snippets of README.md and docs, and compares what they
print with the "Output:" block below them."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import unittest

from documents import TREE, blocks, pages, read

LIBRARY = os.environ.get("RAC_LIBRARY")
INCLUDE = os.environ.get("RAC_INCLUDE") or os.path.join(TREE, "include")
if not LIBRARY:
    raise SystemExit("RAC_LIBRARY must name librac.so")
CC = shlex.split(os.environ.get("CC") or "cc")
CXX = shlex.split(os.environ.get("CXX") or "c++")


def snippets(language):
    """What claims an output. A block without one is only shown."""
    for path in pages():
        for block in blocks(path):
            if block.language == language and block.output is not None:
                yield block


class SnippetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # The names a reader's program loads and links, whatever this build's file
        # is called.
        for name in ("librac.so", "librac.so.0.1"):
            os.symlink(os.path.abspath(LIBRARY), os.path.join(self.folder, name))

    def run_program(self, *command):
        environment = dict(os.environ, LD_LIBRARY_PATH=self.folder)
        run = subprocess.run(
            command,
            env=environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=60,
        )
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_c(self):
        found = list(snippets("c"))
        self.assertTrue(found)
        for number, block in enumerate(found):
            with self.subTest(block=str(block)):
                source = self.write("x{}.c".format(number), block.code)
                program = os.path.join(self.folder, "x{}".format(number))
                flags = "-std=c11 -Wall -Wextra -Wpedantic -Werror".split()
                self.run_program(
                    *CC, *flags, source, "-o", program, "-I" + INCLUDE,
                    "-L" + self.folder, "-lrac"
                )
                self.assertEqual(self.run_program(program), block.output)

    def test_own_operators_are_short(self):
        for block in blocks("docs/YourOwnOperator.md"):
            if block.language != "c" or block.output is None:
                continue
            operator = block.code[block.code.index("\nstruct "):block.code.index("static void print")]
            lines = [line for line in operator.splitlines() if line.strip()]
            with self.subTest(block=str(block)):
                self.assertLess(len(lines), 25)

    def test_readme_has_a_few_lines_of_each_language(self):
        shown = [block for block in blocks(os.path.join(TREE, "README.md")) if block.output]
        self.assertEqual([block.language for block in shown], ["c", "cpp", "python", "swift"])
        for block in shown:
            with self.subTest(block=str(block)):
                self.assertLess(len(block.code.splitlines()), 25)

    def test_cpp(self):
        found = list(snippets("cpp"))
        self.assertTrue(found)
        for number, block in enumerate(found):
            with self.subTest(block=str(block)):
                source = self.write("y{}.cpp".format(number), block.code)
                program = os.path.join(self.folder, "y{}".format(number))
                flags = "-std=c++17 -Wall -Wextra -Wpedantic -Werror".split()
                self.run_program(
                    *CXX, *flags, source, "-o", program, "-I" + INCLUDE,
                    "-L" + self.folder, "-lrac"
                )
                self.assertEqual(self.run_program(program), block.output)

    def test_python(self):
        # Those of the package run where it is installed: Tests/python/package.
        package = re.compile(r"^(import|from) librac\b", re.M)
        found = [b for b in snippets("python") if not package.search(b.code)]
        self.assertTrue(found)
        for block in found:
            with self.subTest(block=str(block)):
                source = self.write("snippet.py", block.code)
                self.assertEqual(
                    self.run_program(sys.executable, source), block.output
                )


class SameTextTest(unittest.TestCase):
    def test_swift_snippet_is_the_tested_one(self):
        # XCTest runs the copy of docs/Linking.md's in LinkingSnippetTests.swift.
        # Tests/swift runs what imports the typed face.
        found = [block for block in snippets("swift") if "import Reactive" not in block.code]
        self.assertEqual(len(found), 1)
        test = read("Tests", "RACTests", "LinkingSnippetTests.swift")
        body = test.split("// Linking.md\n")[1].rsplit("// end\n", 1)[0]
        self.assertEqual(textwrap.dedent(body).strip(), found[0].code.strip())
        expected = found[0].output.replace("\n", "\\n")
        self.assertIn('XCTAssertEqual(output, "{}")'.format(expected), test)

    def test_adding_an_operator_shows_real_code(self):
        source = read("Sources", "RAC", "reactive", "Operators", "DistinctUntilChanged.swift")
        page = os.path.join(TREE, "docs", "AddingAnOperator.md")
        found = [block for block in blocks(page) if block.language == "swift"]
        self.assertEqual("\n".join(block.code for block in found), source)
        models = read("Tests", "differential", "models_values.py")
        found = [block for block in blocks(page) if block.language == "python"]
        self.assertEqual(len(found), 1)
        self.assertIn(found[0].code, models)


if __name__ == "__main__":
    unittest.main()
