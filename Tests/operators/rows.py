"""The rows of operators.def, for the tests in Python."""

import collections
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

# `arguments` is a list of tuples, such as ("SOURCE",), ("VALUE", "1") and
# ("FUNCTION", "map", "times_ten").
Row = collections.namedtuple("Row", "name result arguments of_signals of_sequences")

ROW = re.compile(
    r"""^(|SIGNAL_|ERROR_|SHARING_|SEQUENCE_)OPERATOR   # no macro: those are indented
        \((\w+),\s*"([^"]*)",\s*((?:[^()]|\([^()]*\))*)\)""",
    re.M | re.X,
)
ARGUMENT = re.compile(r"(\w+)(?:\(([^()]*)\))?")


def arguments(text):
    found = []
    for name, inside in ARGUMENT.findall(text):
        found.append((name, *[part.strip() for part in inside.split(",") if part]))
    return found


def rows():
    with open(os.path.join(HERE, "operators.def"), encoding="utf-8") as file:
        text = file.read()
    found = []
    for kind, name, result, inside in ROW.findall(text):
        of_both = kind == ""
        found.append(
            Row(
                name,
                " ".join(result.split()),
                arguments(inside),
                of_signals=of_both or kind != "SEQUENCE_",
                of_sequences=of_both or kind == "SEQUENCE_",
            )
        )
    return found


def of_signals():
    return [row for row in rows() if row.of_signals]


def of_sequences():
    return [row for row in rows() if row.of_sequences]
