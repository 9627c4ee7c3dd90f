"""operators.def has every operator of rac.h, called as rac.h declares it; and what
an operator is called stands in few places besides."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TREE, "Tests", "fuzz")]

import header  # noqa: E402
import rows  # noqa: E402

SOURCES = "SOURCE FAILING HELD TUPLES EVENTS SIGNALS OTHER ANOTHER SILENT TRIGGER".split()
NUMBERS = "COUNT SIZE STATE SECOND_SIZE PASSING DROPPED".split()
TIMES = "SECONDS FIRST_SECONDS MORE_SECONDS PLAIN".split()
SCHEDULERS = "CLOCK MAYBE_CLOCK STANDING".split()


def declared(kind):
    """The operators of rac.h on signals, or sequences: name -> types of parameters."""
    with open(os.path.join(TREE, "include", "rac.h"), encoding="utf-8") as file:
        functions = header.functions(file.read())
    start = "rac_{}_".format(kind)
    found = {}
    for function in functions:
        types = [parameter.type for parameter in function.parameters]
        applied = types and function.parameters[0].name in ("source", kind + "s")
        made = function.result == "rac_{}*".format(kind)
        if function.name.startswith(start) and applied and made:
            found[function.name[len(start) :]] = types
    return found


def types(kind, argument):
    """Those of the parameters that an argument of the table stands for."""
    name, *more = argument
    handle = "rac_{}*".format(kind)
    listed = handle + "const *"
    if name in SOURCES:
        return [handle]
    if name in NUMBERS:
        return ["size_t"]
    if name == "CHOICE":
        return ["int32_t"]
    if name in SCHEDULERS:
        return ["rac_scheduler*"]
    if name == "ROOM":
        return ["rac_bound*"]
    if name == "VALUE":
        return ["rac_value"]
    if name in TIMES:
        return ["double"]
    if name == "LIST":
        return [listed, "size_t"]
    if name == "CASES":
        return ["const rac_value*", listed, "size_t", handle]
    callbacks = ["rac_{}_fn".format(type) for type in more[::2]]
    return ["void*"] + callbacks + ["rac_destroy_fn"]


class TableTest(unittest.TestCase):
    def check(self, kind, listed):
        named = {
            row.name: sum((types(kind, argument) for argument in row.arguments), [])
            for row in listed
        }
        self.assertEqual(len(named), len(listed), "a row stands there twice")
        operators = declared(kind)
        self.assertGreater(len(operators), 20)
        self.assertEqual(sorted(set(operators) - set(named)), [], "not in the table")
        self.assertEqual(sorted(set(named) - set(operators)), [], "not in rac.h")
        for name, parameters in operators.items():
            with self.subTest(operator=name):
                self.assertEqual(named[name], parameters)

    def test_signals(self):
        self.check("signal", rows.of_signals())

    def test_sequences(self):
        self.check("sequence", rows.of_sequences())


# ---- Where a name stands -------------------------------------------------------

# The engine, its tests and what is written about it. The bindings have tests of their own,
# which ask that each of them knows every operator once: docs.swift_face, and test_names.py of
# the Python package.
SEARCHED = "Sources/RAC Tests benchmarks cmake docs include scripts".split()
# Tests of bindings, what a script writes, lists of what RAC does or of what has changed.
OTHERS = re.compile(
    r"^(Tests/(python|ReactiveTests)/.*"
    r"|include/(rac\.(h|json)|rac_classes\.hpp)|cmake/librac\.map"
    r"|docs/((Operators|Functions|Conformance|PythonNames)\.md|operators/.*)"
    r"|Tests/conformance/.*|.*\.pyc)$"
)
# How many files may know an operator: these, in words, or this would be one more.
MOST = 8
NAMES = ("combine previous", "throttle passing test", "take until replacement")


def files():
    for folder in SEARCHED:
        for path, _, names in os.walk(os.path.join(TREE, folder)):
            for name in names:
                found = os.path.relpath(os.path.join(path, name), TREE)
                if not OTHERS.match(found.replace(os.sep, "/")):
                    yield found


class PlacesTest(unittest.TestCase):
    def test_few_files_know_an_operator(self):
        """Or adding one means to edit as many."""
        places = {name: [] for name in NAMES}
        for path in sorted(files()):
            with open(os.path.join(TREE, path), encoding="utf-8", errors="replace") as file:
                text = file.read()
            for name in places:
                if re.search(name.replace(" ", "_?"), text, re.I):
                    places[name].append(path)
        for name, found in places.items():
            with self.subTest(operator=name):
                self.assertIn("Tests/operators/operators.def", found)
                self.assertLessEqual(len(found), MOST, "\n".join(found))


if __name__ == "__main__":
    unittest.main()
