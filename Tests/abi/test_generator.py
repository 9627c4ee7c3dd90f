"""scripts/generate-header: what it makes of Swift, and what it refuses."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GENERATOR = ROOT / "scripts" / "generate-header"

HEADING = """// Section: 1 Tests
// Prose of
// the section.

import CRACTypes

"""
FUNCTION = """
/// Does a thing with `source`.
///
/// - Parameter source: borrowed.
/// - Returns: one reference.
/// RAC: -thing:   Since: 0.1
@_cdecl("rac_thing")
public func rac_thing(_ source: CSignal?) -> CSignal? { source }
"""


class Generator(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="rac-generator-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = self.root / "Sources" / "RAC" / "ABI"
        for name in ("Sources/RAC/ABI", "include", "scripts", "cmake"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "include" / "rac_types.h", self.root / "include")
        shutil.copy(ROOT / "scripts" / "rac.h.in", self.root / "scripts")

    def run_generator(self, *options):
        return subprocess.run(
            [sys.executable, str(GENERATOR), "--root", str(self.root), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )

    def generate(self, *functions):
        """The function part of the header, or the complaint."""
        text = HEADING + "".join(functions)
        (self.folder / "Tests.swift").write_text(text, encoding="utf-8")
        result = self.run_generator()
        if result.returncode != 0:
            return result.stdout
        header = (self.root / "include" / "rac.h").read_text(encoding="utf-8")
        return header[header.rindex("/* ======") :]

    def prototype(self, signature):
        """What a Swift signature becomes."""
        text = self.generate(
            '\n/// A thing.\n/// Since: 0.1\n@_cdecl("rac_f")\n'
            "public func rac_f" + signature + " {}\n"
        )
        found = text.find("RAC_API ")
        return " ".join(text[found:].split(";")[0].split()[1:]) if found >= 0 else text

    def test_comment_becomes_doxygen(self):
        self.assertIn(
            "/**\n"
            " * Does a thing with `source`.\n"
            " *\n"
            " * @param source borrowed.\n"
            " * @return one reference.\n"
            " *\n"
            " * RAC: -thing:\n"
            " * @since 0.1\n"
            " */\n"
            "RAC_API rac_signal *rac_thing(rac_signal *source);\n",
            self.generate(FUNCTION),
        )

    def test_section_heading(self):
        self.assertIn(
            "\n * 1. Tests\n *\n * Prose of the section.\n */\n", self.generate(FUNCTION)
        )

    def test_types(self):
        cases = {
            "()": "void rac_f(void)",
            "() -> UInt32": "uint32_t rac_f(void)",
            "() -> CInt": "int rac_f(void)",
            "(_ a: CHandle?) -> CString?": "const char *rac_f(void *a)",
            "(_ a: Int64, _ b: Bool)": "void rac_f(int64_t a, bool b)",
            "(_ a: CSize) -> Int": "ptrdiff_t rac_f(size_t a)",
            "(_ a: rac_value) -> rac_status": "rac_status rac_f(rac_value a)",
            "(_ context: CContext?, _ f: rac_map_fn?)":
                "void rac_f(void *context, rac_map_fn f)",
            "(_ out: UnsafeMutablePointer<CSignal?>?)": "void rac_f(rac_signal **out)",
            "(_ all: UnsafePointer<CSignal?>?)": "void rac_f(rac_signal *const *all)",
            "(_ all: UnsafePointer<rac_value>?)": "void rac_f(const rac_value *all)",
            "(_ o: UnsafeMutablePointer<CString?>?)": "void rac_f(const char **o)",
            "(_ a: UnsafeRawPointer?, _ b: CBuffer?)":
                "void rac_f(const void *a, char *b)",
            "(\n  _ a: Double,\n  _ b: CScheduler?\n) -> CDisposable?":
                "rac_disposable *rac_f(double a, rac_scheduler *b)",
        }
        for signature, expected in cases.items():
            with self.subTest(signature):
                self.assertEqual(self.prototype(signature), expected)

    def test_refusals_name_the_line(self):
        at = "Sources/RAC/ABI/Tests.swift:13: "
        cases = {
            FUNCTION.replace("CSignal?)", "Set<Int>)"): "no C type known for source",
            FUNCTION.replace("-> CSignal?", "-> Set<Int>"): "no C type known for the",
            FUNCTION.replace("source", "template"): "template is a keyword",
            FUNCTION.replace("public ", ""): "rac_thing is not public",
            FUNCTION.replace("Since: 0.1", ""): "the doc comment misses Since:",
            FUNCTION.replace("Parameter source", "Parameter sauce"): "documents sauce",
            FUNCTION.replace("a thing", "a /* thing"): "inside a doc comment",
        }
        for text, complaint in cases.items():
            with self.subTest(complaint):
                output = self.generate(text)
                self.assertIn(complaint, output)
                self.assertIn(at, output)

    def test_refuses_a_function_without_comment(self):
        bare = FUNCTION[FUNCTION.index("@_cdecl") :]
        self.assertIn("rac_thing has no doc comment", self.generate(bare))

    def test_refuses_a_name_twice(self):
        self.assertIn("rac_thing is defined again", self.generate(FUNCTION, FUNCTION))

    def test_check_finds_a_stale_header(self):
        self.generate(FUNCTION)
        self.assertEqual(self.run_generator("--check").returncode, 0)
        source = self.folder / "Tests.swift"
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace("a thing", "another thing"), encoding="utf-8")
        result = self.run_generator("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("rac.h is stale", result.stdout)

    def test_export_list(self):
        self.generate(FUNCTION)
        script = (self.root / "cmake" / "librac.map").read_text(encoding="utf-8")
        self.assertIn("  global:\n    rac_thing;\n  local:\n    *;\n", script)


if __name__ == "__main__":
    unittest.main()
