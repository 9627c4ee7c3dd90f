"""include/rac.json says what the library does: what may be NULL, what is whose."""

import ctypes
import os
import re
import unittest

import racffi
from example import TREE, Example, rows
from racffi import C, DESCRIPTION, FUNCTIONS, rac


def operators():
    """(kind, row, its function) of all in the table."""
    for kind, listed in (("signal", rows.of_signals()), ("sequence", rows.of_sequences())):
        for row in listed:
            yield kind, row, FUNCTIONS["rac_{}_{}".format(kind, row.name)]


class DescriptionTest(unittest.TestCase):
    def test_it_has_what_the_library_exports(self):
        with open(os.path.join(TREE, "cmake", "librac.map"), encoding="utf-8") as file:
            exported = re.findall(r"^    (rac_\w+);", file.read(), flags=re.M)
        self.assertEqual(sorted(FUNCTIONS), exported)

    def test_operators_are_those_of_the_table(self):
        table = {function["name"]: kind for kind, row, function in operators()}
        described = {
            name: function["operator"]
            for name, function in FUNCTIONS.items()
            if "operator" in function
        }
        self.assertEqual(described, table)

    def test_layout_of_structures(self):
        """As the C compiler's rules, which ctypes follows, have it."""
        self.assertGreater(len(DESCRIPTION["structs"]), 4)
        for struct in DESCRIPTION["structs"]:
            ours = getattr(C, struct["name"])
            self.assertEqual(ctypes.sizeof(ours), struct["size"])
            for field in struct["fields"]:
                with self.subTest(struct=struct["name"], field=field["name"]):
                    offset = getattr(ours, field["name"]).offset
                    self.assertEqual(offset, field["offset"])

    def test_what_a_parameter_refers_to_is_there(self):
        enums = {each["name"] for each in DESCRIPTION["enums"]}
        for name, function in FUNCTIONS.items():
            names = {each["name"] for each in function["parameters"]}
            for each in function["parameters"] + [function["returns"]]:
                with self.subTest(function=name, parameter=each.get("name")):
                    for key in ("count", "length", "capacity"):
                        self.assertIn(each.get(key), names | {None})
                    self.assertIn(each.get("enum"), enums | {None})
            for context in function.get("contexts", []):
                listed = [context["context"], context["destroy"]] + context["callbacks"]
                self.assertLessEqual(set(listed) - {None}, names)


class NullTest(unittest.TestCase):
    """Every pointer of every operator as NULL, one at a time."""

    def answers(self, kind, row, function, position):
        """What it makes of its example with NULL at that place."""
        example = Example(kind)
        flat = sum((example.argument(*each) for each in row.arguments), [])
        of_type = getattr(rac, function["name"]).argtypes[position]
        is_callback = function["parameters"][position].get("role") == "callback"
        flat[position] = of_type() if is_callback else None
        # NULL is no array of several: where it is allowed, it is one of none.
        count = function["parameters"][position].get("count")
        if count and function["parameters"][position]["nullable"]:
            names = [each["name"] for each in function["parameters"]]
            flat[names.index(count)] = 0
        rac.rac_clear_last_error()
        made = getattr(rac, function["name"])(*flat)
        status = rac.rac_last_error_code()
        if made:
            example.own(made)
        example.release()
        return bool(made), status

    def test_what_may_be_null(self):
        live, checked = rac.rac_live_objects(), 0
        for kind, row, function in operators():
            for position, each in enumerate(function["parameters"]):
                if "nullable" not in each or each.get("role") in ("context", "destroy"):
                    continue
                with self.subTest(function=function["name"], parameter=each["name"]):
                    made, status = self.answers(kind, row, function, position)
                    expected = (True, 0) if each["nullable"] else (False, C.RAC_ENULL)
                    self.assertEqual((made, status), expected)
                    checked += 1
        self.assertGreater(checked, 150)
        rac.rac_main_drain(0)
        self.assertEqual(rac.rac_live_objects(), live)
        self.assertEqual(racffi.Contexts.escaped, [])
