#!/usr/bin/env python3
"""Writes a program in C++ that calls every operator of operators.def by its method, and
compares what is heard of each with the result of its row.

    every_operator.py OUT.cpp
"""

import os
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TREE, "Tests", "operators"), os.path.join(TREE, "scripts", "lib")]

import cpp_classes  # noqa: E402
import rows  # noqa: E402

MADE = {
    "SOURCE": "values({0, 2, 2, -3})",
    "OTHER": "values({0, 5})",
    "ANOTHER": "values({7})",
    "FAILING": "failing()",
    "HELD": "held()",
    "TUPLES": "tuples()",
    "EVENTS": "failing().materialize()",
    "SIGNALS": "nested()",
    "SILENT": "signal::never()",
    "TRIGGER": "values({0, 5})",
    "LIST": "std::vector<T>{values({0, 2, 2, -3}), values({0, 5})}",
    "CASES": "std::vector<value>{2}, std::vector<T>{values({0, 5})}, values({7})",
    "ROOM": "a_room()",
    "CLOCK": "a_clock()",
    "MAYBE_CLOCK": "a_clock()",
    "STANDING": "scheduler::virtual_()",
}


def argument(name, *more):
    if name in MADE:
        return MADE[name]
    if name in ("FUNCTION", "OPTIONAL", "FUNCTIONS", "FUNCTION_AND_OPTIONAL"):
        return ", ".join(each + "()" for each in more[1::2] if each != "cleared")
    return more[0]


def call(kind, row):
    arguments = [argument(*each) for each in row.arguments]
    name = cpp_classes.method_name("rac_{}_{}".format(kind, row.name), kind)
    if row.arguments[0][0] == "LIST":
        return "{}::{}({})".format(kind, name, ", ".join(arguments))
    return "{}.{}({})".format(arguments[0], name, ", ".join(arguments[1:]))


def program():
    out = ['#include "every_operator.hpp"', ""]
    for kind, listed in (("signal", rows.of_signals()), ("sequence", rows.of_sequences())):
        out.append("void all_of_{0}() {{\n  using namespace of_{0};".format(kind))
        for row in listed:
            made, result = call(kind, row), row.result
            if result.endswith(" ..."):  # it goes on for ever
                made += ".take({})".format(len(result.split()) - 1)
                result = result.replace("...", "|")
            if kind == "sequence":
                result = result.replace("|", "").strip()
            out.append('  check("{}", "{}", [] {{ return {}; }});'.format(
                row.name, result, made))
        out.append("}\n")
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(program())
