"""scripts/compare-interface finds what breaks compiled programs, and nothing else."""

import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("compare_interface", str(ROOT / "scripts/compare-interface"))
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_interface", loader))
loader.exec_module(script)


class BreaksTest(unittest.TestCase):
    def setUp(self):
        self.old = json.loads((ROOT / "include" / "rac.json").read_text(encoding="utf-8"))
        self.new = copy.deepcopy(self.old)

    def find(self, kind, name):
        return next(entry for entry in self.new[kind] if entry["name"] == name)

    def assertBreaks(self, *beginnings):
        lines = script.breaks(self.old, self.new)
        self.assertEqual(len(lines), len(beginnings), lines)
        for line, beginning in zip(lines, beginnings):
            self.assertTrue(line.startswith(beginning), line)

    def test_the_same_breaks_nothing(self):
        self.assertBreaks()

    def test_a_function_that_went(self):
        self.new["functions"].remove(self.find("functions", "rac_signal_map"))
        self.assertBreaks("function rac_signal_map is gone")

    def test_another_parameter(self):
        self.find("functions", "rac_signal_take")["parameters"][1]["type"] = "int32_t"
        self.assertBreaks("function rac_signal_take was ")

    def test_another_owner(self):
        self.find("functions", "rac_subject_as_signal")["returns"]["ownership"] = "owned"
        self.assertBreaks("function rac_subject_as_signal was ")

    def test_another_callback(self):
        self.find("callbacks", "rac_map_fn")["parameters"].pop()
        self.assertBreaks("callback rac_map_fn was ")

    def test_a_field_that_moved(self):
        self.find("structs", "rac_value")["fields"][4]["offset"] = 12
        self.assertBreaks("struct rac_value was ")

    def test_another_number(self):
        members = self.find("enums", "rac_status_code")["members"]
        next(member for member in members if member["name"] == "RAC_EINVAL")["value"] -= 1
        self.assertBreaks("constant RAC_EINVAL was ")

    def test_words_and_what_came(self):
        function = self.find("functions", "rac_signal_map")
        self.new["functions"].append(dict(function, name="rac_signal_new"))
        function["doc"] = "Other words."
        function["parameters"][1]["name"] = "mine"
        self.assertBreaks()

    def test_a_structure_with_its_size_may_grow(self):
        size = {"name": "size", "offset": 0, "type": "size_t"}
        more = {"name": "more", "offset": 8, "type": "int64_t"}
        self.old["structs"].append({"name": "rac_x", "size": 8, "fields": [size]})
        self.new["structs"].append({"name": "rac_x", "size": 16, "fields": [size, more]})
        self.assertBreaks()

    def test_versions_that_may_break(self):
        for old, new, may in (("0.1.0", "0.1.1", False), ("0.1.0", "0.2.0", True),
                              ("1.1.0", "1.2.0", False), ("1.1.0", "2.0.0", True)):
            with self.subTest(old=old, new=new):
                self.assertEqual(script.may_break(old, new), may)


if __name__ == "__main__":
    unittest.main()
