"""Every marble diagram that the Python package writes by hand is what the engine sends: it has
the lines of one in rac.h, or is played. The other texts of help() are those of rac.h."""

import ast
import glob
import os
import re
import unittest

import played
from diagrams import diagrams
from documents import TREE, read
from same_diagrams import are_some_of, call, differences, lines

LITERALS = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
SYSTEM = ("spawn",)
NOTATION = ("marbles.py",)
PIPES = ("cocoa.py",)  # whose | is Python's
OWN = {
    "first": lambda stage: call(stage, "take", stage["source"], 1),
    "last": lambda stage: call(stage, "take_last", stage["source"], 1),
    "heard": lambda stage: call(stage, "start_with", stage["set"], 1),
    "from_(coroutine)": lambda stage: [
        call(stage, "from_values", [1, 2, 3]),
        call(stage, "delay", call(stage, "return", "a"), 4.0),
    ],
}


def texts():
    """(file, text) of each docstring, in Python or C."""
    for path in sorted(glob.glob(os.path.join(TREE, "python", "src", "*.c"))):
        for each in LITERALS.findall(read(path)):
            joined = "".join(LITERAL.findall(each))
            yield os.path.basename(path), joined.replace("\\n", "\n").split("\n--\n\n")[-1]
    for path in sorted(glob.glob(os.path.join(TREE, "python", "librac", "*.py"))):
        for node in ast.walk(ast.parse(read(path))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                yield os.path.basename(path), ast.get_docstring(node) or ""


class PythonDiagramsTest(unittest.TestCase):
    def test_every_diagram_is_of_a_run(self):
        known = [lines(text) for each in played.texts().items() for text in of_signals(*each)]
        count = 0
        for file, text in texts():
            for each in diagrams(text):
                label = re.split(r"  +| (?=[-\d(])", each.split("\n")[-1])[0]
                if file in NOTATION + PIPES or label in SYSTEM or not re.search(r"--|\|", each):
                    continue
                with self.subTest(file=file, label=label):
                    count += 1
                    if label in OWN:
                        self.assertEqual(differences(each, OWN[label]), [])
                    else:
                        self.assertTrue(any(are_some_of(lines(each), one) for one in known), each)
        self.assertGreater(count, 10)


def of_signals(name, texts):
    return [] if name.startswith("rac_sequence_") else texts


if __name__ == "__main__":
    unittest.main()
