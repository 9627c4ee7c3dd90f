"""scripts/generate-header: what it makes of Swift, and what it refuses."""

import ctypes
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GENERATOR = ROOT / "scripts" / "generate-header"

HEADING = """import CRACTypes

"""
CHAPTERS = """Said to whoever edits the list.

# A part

## Tests

Prose of
the chapter.

"""
FUNCTION = """
/// Does a thing with `source`.
///
/// - Parameter source: borrowed.
/// - Returns: one reference.
/// RAC: -thing:   Since: 0.1
@c public func rac_thing(_ source: CSignal?) -> CSignal? { source }
"""


class Generator(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="rac-generator-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("Sources/RAC/ABI", "include", "scripts", "cmake", "docs", "python"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "include" / "rac_types.h", self.root / "include")
        shutil.copy(ROOT / "scripts" / "rac.h.in", self.root / "scripts")
        self.write("scripts/Operators.md.in", "# Page\n\n@CHAPTER@ Tests\n")

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def run_generator(self, *options):
        return subprocess.run(
            [sys.executable, str(GENERATOR), "--root", str(self.root), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )

    def generate(self, *functions, chapters=None):
        """The function part of the header, or the complaint. Without a list of chapters all
        functions stand in one."""
        text = HEADING + "".join(functions)
        self.write("Sources/RAC/ABI/Tests.swift", text)
        if chapters is None:
            names = dict.fromkeys(re.findall(r"@c public func (\w+)", text))
            chapters = CHAPTERS + "".join("    {}\n".format(name) for name in names)
        self.write("scripts/chapters.md", chapters)
        result = self.run_generator()
        if result.returncode != 0:
            return result.stdout
        header = self.read("include/rac.h")
        return header[header.index("/* ======") :]

    def prototype(self, signature):
        """What a Swift signature becomes."""
        comments = "".join(
            "/// - Parameter {}: borrowed; one reference.\n".format(name)
            for name in re.findall(r"_ (\w+):", signature)
        )
        text = self.generate(
            "\n/// A thing.\n///\n" + comments + "/// - Returns: one reference.\n"
            '/// Since: 0.1\n@c public func rac_f' + signature + " {}\n"
        )
        found = text.find("RAC_API ")
        words = text[found:].split(";")[0].split()[1:]
        return " ".join(words).replace("RAC_NODISCARD ", "") if found >= 0 else text

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
            "RAC_API RAC_NODISCARD rac_signal *rac_thing(rac_signal *source);\n",
            self.generate(FUNCTION),
        )

    def test_chapter_heading(self):
        self.assertIn(
            "\n * 1. Tests\n *\n * Prose of the chapter.\n */\n", self.generate(FUNCTION)
        )

    def test_order_is_the_lists(self):
        """Not the one of the sources: other files, folders and places in a file."""
        other = FUNCTION.replace("rac_thing", "rac_another")
        third = FUNCTION.replace("rac_thing", "rac_third")
        (self.root / "Sources" / "RAC" / "Operators").mkdir()
        self.write("Sources/RAC/Operators/Third.swift", third)
        chapters = CHAPTERS + "    rac_third\n    rac_thing\n\n## More\n\n    rac_another\n"
        text = self.generate(other, FUNCTION, chapters=chapters)
        names = re.findall(r"^ \* (\d\..*)|RAC_API RAC_NODISCARD rac_signal \*(\w+)", text, flags=re.M)
        self.assertEqual(
            ["".join(name) for name in names],
            ["1. Tests", "rac_third", "rac_thing", "2. More", "rac_another"],
        )
        contents = " *   A part\n *      1  Tests\n *      2  More\n */"
        self.assertIn(contents, self.read("include/rac.h"))

    def test_every_function_stands_once_in_the_list(self):
        other = FUNCTION.replace("rac_thing", "rac_another")
        one = CHAPTERS + "    rac_thing\n"
        source = "Sources/RAC/ABI/Tests.swift:9: "
        listed = "scripts/chapters.md:"
        cases = {
            "rac_another has no place in scripts/chapters.md": (
                one, (FUNCTION, other), "Sources/RAC/ABI/Tests.swift:16: "),
            "rac_thing stands here twice; first in line 10": (
                one + "    rac_thing\n", (FUNCTION,), listed + "11: "),
            "no function is called rac_thang": (
                one + "    rac_thang\n", (FUNCTION,), listed + "11: "),
            "rac_thing is not public": (
                one, (FUNCTION.replace("public ", ""),), source),
            "a chapter without functions: More": (
                one + "\n## More\n", (FUNCTION,), listed + "12: "),
            "two chapters are called Tests": (
                one + "\n## Tests\n\n    rac_another\n", (FUNCTION, other), listed + "12: "),
            "prose behind the functions": (one + "More.\n", (FUNCTION,), listed + "11: "),
            "a function before the first chapter": (
                "# A part\n    rac_thing\n", (FUNCTION,), listed + "2: "),
            "a chapter before the first part": ("## Tests\n", (FUNCTION,), listed + "1: "),
        }
        for complaint, (chapters, functions, place) in cases.items():
            with self.subTest(complaint):
                output = self.generate(*functions, chapters=chapters)
                self.assertIn(complaint, output)
                self.assertTrue(output.startswith(place), output)

    def test_what_the_shims_call_is_in_no_chapter(self):
        hidden = '\n@c(rac_engine_thing) func engineThing(_ any: Set<Int>) {}\n'
        text = self.generate(FUNCTION, hidden, chapters=CHAPTERS + "    rac_thing\n")
        self.assertIn("rac_thing(", text)
        self.assertNotIn("rac_engine_thing", text + self.read("cmake/librac.map"))

    def test_page_of_operators(self):
        function = FUNCTION.replace(
            "/// Does a thing with `source`.\n",
            "/// Does a thing | two, as\n/// rac_other() does. Says more.\n///\n///     --1--|\n",
        ).replace("RAC: -thing:  ", "RAC: -thing, -thing: (of old). Rx: doThing, thing. ")
        self.generate(function)
        self.assertEqual(
            self.read("docs/Operators.md"),
            "# Page\n\n## Tests\n\nProse of\nthe chapter.\n\n"
            "| C | does | RAC 2.5 | Rx |\n|---|---|---|---|\n"
            "| `rac_thing` | Does a thing \\| two, as `rac_other` does "
            "| `-thing`, `-thing:` (of old) | `doThing`, `thing` |\n",
        )
        self.assertIn(
            " * RAC: -thing, -thing: (of old)\n * Rx: doThing, thing\n * @since 0.1\n",
            self.read("include/rac.h"),
        )

    def test_page_shows_the_pictures_that_are_there(self):
        (self.root / "docs" / "operators").mkdir()
        for name in ("thing.svg", "thing_2.svg", "other.svg"):
            self.write("docs/operators/" + name, "<svg/>")
        self.generate(FUNCTION)
        page = self.read("docs/Operators.md")
        self.assertIn("| [`rac_thing`](#rac_thing) | Does a thing", page)
        self.assertTrue(
            page.endswith(
                "\n\n### rac_thing\n\n![Does a thing with source](operators/thing.svg)\n\n"
                "![Does a thing with source](operators/thing_2.svg)\n"
            ),
            page,
        )

    def test_page_names_chapters_that_are_there(self):
        self.write("scripts/Operators.md.in", "# Page\n@CHAPTER@ Toasts\n")
        self.assertIn(
            "scripts/Operators.md.in:2: no chapter left is called Toasts",
            self.generate(FUNCTION),
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

    def described(self, function):
        """Its entry in the description, without what the comments say."""
        self.generate(function)
        entry = json.loads(self.read("include/rac.json"))["functions"][-1]
        for each in entry["parameters"] + [entry["returns"]]:
            each.pop("doc", None)
        return entry

    def test_description(self):
        entry = self.described(
            "\n/// Does.\n///\n"
            "/// - Parameter signal: borrowed.\n"
            "/// - Parameter values: borrowed; NULL is allowed with count 0.\n"
            "/// - Parameter count: how many.\n"
            "/// - Parameter context: passed to the callback.\n"
            "/// - Parameter f: writes a value; NULL there counts as nil.\n"
            "/// - Parameter destroy: may be NULL.\n"
            "/// - Parameter out: gets the first, owned. May be NULL.\n"
            "/// - Returns: one reference; NULL with RAC_ENULL. Any thread.\n"
            "/// RAC: -thing:. Since: 0.1\n"
            "@c public func rac_signal_thing("
            "_ signal: CSignal?, _ values: UnsafePointer<rac_value>?, _ count: CSize,"
            "_ context: CContext?, _ f: rac_map_fn?, _ destroy: rac_destroy_fn?,"
            "_ out: UnsafeMutablePointer<rac_value>?) -> CSignal? { signal }\n"
        )
        lent = {"direction": "in", "ownership": "lent"}
        self.assertEqual(entry, {
            "name": "rac_signal_thing",
            "chapter": 1,
            "parameters": [
                dict(lent, name="signal", type="rac_signal *", handle="signal", nullable=False),
                dict(lent, name="values", type="const rac_value *", nullable=True,
                    count="count"),
                {"name": "count", "type": "size_t", "role": "size"},
                {"name": "context", "type": "void *", "role": "context", "nullable": True},
                {"name": "f", "type": "rac_map_fn", "role": "callback", "nullable": False},
                {"name": "destroy", "type": "rac_destroy_fn", "role": "destroy",
                    "nullable": True},
                {"name": "out", "type": "rac_value *", "direction": "out",
                    "ownership": "owned", "nullable": True},
            ],
            "contexts": [{"context": "context", "callbacks": ["f"], "destroy": "destroy",
                "overlap": True}],
            "returns": {"type": "rac_signal *", "handle": "signal", "ownership": "owned",
                "nullable": True},
            "doc": "Does.",
            "statuses": ["RAC_ENULL"],
            "thread": "Any thread.",
            "rac": "-thing:",
            "since": "0.1",
        })

    def test_what_a_context_and_a_status_are(self):
        swift = (
            "\n/// Does.\n///\n"
            "/// - Parameter context: passed to the callback{}.\n"
            "/// - Parameter f: does it.\n"
            "/// - Parameter destroy: may be NULL.\n"
            "/// - Returns: RAC_QUEUED, RAC_OK{}. Since: 0.1\n"
            "@c public func rac_{}("
            "_ context: CContext?, _ f: rac_action_fn?, _ destroy: rac_destroy_fn?"
            ") -> rac_status {{ 0 }}\n"
        )
        one = swift.format("", "; RAC_EUSER. May\n///   block", "one")
        other = swift.format(", one at a time", "; as rac_one()", "other")
        self.generate(one + other)
        one, other = json.loads(self.read("include/rac.json"))["functions"]
        self.assertTrue(one["contexts"][0]["overlap"])
        self.assertFalse(other["contexts"][0]["overlap"])
        self.assertEqual(one["statuses"], ["RAC_OK", "RAC_QUEUED", "RAC_EUSER"])
        self.assertEqual(other["statuses"], one["statuses"])
        self.assertTrue(one["blocks"])
        self.assertNotIn("blocks", other)

    def test_kinds_inlines_and_how_values_travel(self):
        self.generate(FUNCTION)
        data = json.loads(self.read("include/rac.json"))
        kinds = {each["name"]: each["is"] for each in data["handles"] if each["is"]}
        self.assertEqual(kinds, {"subject": ["signal", "subscriber"], "property": ["signal"]})
        (value,) = [each for each in data["structs"] if "passing" in each]
        self.assertEqual((value["name"], value["size"]), ("rac_value", 16))
        self.assertEqual(
            value["passing"], {"by": "value", "registers": ["integer", "integer"]})
        inlines = {each["name"]: each for each in data["inlines"]}
        self.assertEqual(inlines["rac_int64"]["parameters"], [
            {"type": "int64_t", "name": "number"}])
        self.assertIn("RAC_INT64", inlines["rac_int64"]["body"])
        self.assertEqual(inlines["rac_raise_error"]["returns"], {"type": "rac_status"})
        self.assertNotIn("rac_auto_release", inlines)
        fields = [f for s in data["structs"] for f in s["fields"] if f.get("role") == "context"]
        self.assertEqual([field["overlap"] for field in fields], [False, False])

    def test_module_for_ctypes(self):
        self.generate(FUNCTION)
        scope = {}
        exec(self.read("python/rac_abi.py"), scope)
        self.assertEqual(
            scope["FUNCTIONS"], {"rac_thing": (ctypes.c_void_p, [ctypes.c_void_p])})

    def test_types_that_cannot_be_read_are_refused(self):
        types = self.read("include/rac_types.h")
        strange = {
            "union rac_thing { int one; };": "cannot read: union rac_thing",
            "enum RAC_NAMED(rac_thing) { RAC_A, RAC_B };": "cannot read what is in rac_thing",
            "typedef struct rac_thing {\n  struct rac_value *a[3];\n} rac_thing;":
                "cannot read what is in rac_thing",
        }
        for text, complaint in strange.items():
            with self.subTest(complaint):
                place = "typedef int32_t rac_status;"
                self.write("include/rac_types.h", types.replace(place, text + "\n" + place))
                output = self.generate(FUNCTION)
                self.assertIn(complaint, output)
                self.assertTrue(output.startswith("include/rac_types.h:"), output)

    def test_refusals_name_the_line(self):
        at = "Sources/RAC/ABI/Tests.swift:9: "
        cases = {
            FUNCTION.replace("CSignal?)", "Set<Int>)"): "no C type known for source",
            FUNCTION.replace("-> CSignal?", "-> Set<Int>"): "no C type known for the",
            FUNCTION.replace("source", "template"): "template is a keyword",
            FUNCTION.replace("Since: 0.1", ""): "the doc comment misses Since:",
            FUNCTION.replace("Parameter source", "Parameter sauce"): "documents sauce",
            FUNCTION.replace("a thing", "a /* thing"): "inside a doc comment",
            FUNCTION.replace("borrowed.", "a signal."): "whether source is borrowed or",
            FUNCTION.replace("one reference.", "a signal."): "does not say who owns the result",
        }
        for text, complaint in cases.items():
            with self.subTest(complaint):
                output = self.generate(text)
                self.assertIn(complaint, output)
                self.assertIn(at, output)

    def test_refuses_a_function_without_comment(self):
        bare = FUNCTION[FUNCTION.index("@c ") :]
        self.assertIn("rac_thing has no doc comment", self.generate(bare))

    def test_refuses_a_name_twice(self):
        self.assertIn("rac_thing is defined again", self.generate(FUNCTION, FUNCTION))

    def test_check_finds_a_stale_header(self):
        self.generate(FUNCTION)
        self.assertEqual(self.run_generator("--check").returncode, 0)
        source = "Sources/RAC/ABI/Tests.swift"
        self.write(source, self.read(source).replace("a thing", "another thing"))
        result = self.run_generator("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("rac.h is stale", result.stdout)
        self.assertIn("Operators.md is stale", result.stdout)
        self.assertIn("Functions.md is stale", result.stdout)

    def test_export_list(self):
        self.generate(FUNCTION)
        script = self.read("cmake/librac.map")
        self.assertIn("  global:\n    rac_thing;\n  local:\n    *;\n", script)


if __name__ == "__main__":
    unittest.main()
