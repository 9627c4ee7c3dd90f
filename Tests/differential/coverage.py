"""Whether every operator of rac.h has a model, or a reason for having none."""

import os
import re

from table import OPERATORS

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

BLOCKS = "waits for a thread, not for virtual time; see Tests/c/test_blocking.c"
OUTSIDE = "what happens outside the program; see Tests/c/test_source_*.c"
OF_BYTES = "its values are bytes; see Tests/operators/test_split.c"
WITHOUT = {
    "first": BLOCKS,
    "first_or_default": BLOCKS,
    "to_array": BLOCKS,
    "wait_until_completed": BLOCKS,
    "asynchronous_first_or_default": BLOCKS,
    "asynchronously_wait_until_completed": BLOCKS,
    "create_bounded": "a create; Tests/c/test_bounded_entries.c has what is its own",
    "readable": OUTSIDE,
    "writable": OUTSIDE,
    "chunks": OUTSIDE,
    "lines": OUTSIDE,
    "posix_signal": OUTSIDE,
    "child_exit": OUTSIDE,
    "at_time": OUTSIDE,
    "at_times": OUTSIDE,
    "file_changes": OUTSIDE,
    "tail": OUTSIDE,
    "write": OUTSIDE,
    "connect": OUTSIDE,
    "listen": OUTSIDE,
    "datagrams": OUTSIDE,
    "split_by_delimiter": OF_BYTES,
    "split_by_length": OF_BYTES,
    "split_by": OF_BYTES,
    "add_delimiter": OF_BYTES,
    "add_length": OF_BYTES,
    "spawn": OUTSIDE,
    "set_name": "no operator: it sends nothing",
    "describe": "no operator: it sends nothing",
    "get_key": "no operator; what it answers is part of group_by's recording",
}
# Sources and sharing that have no function of that name.
EXTRA = {"hot", "autoconnect"}


def functions():
    path = os.path.join(os.environ.get("RAC_INCLUDE", os.path.join(TREE, "include")))
    with open(os.path.join(path, "rac.h"), encoding="utf-8") as header:
        text = re.sub(r"/\*.*?\*/", " ", header.read(), flags=re.S)
    return set(re.findall(r"\brac_signal_(\w+)\s*\(", text))


def check():
    operators = functions()
    modelled = set(OPERATORS) - EXTRA
    problems = {
        "of rac.h, neither modelled nor excused": operators - modelled - set(WITHOUT),
        "modelled or excused, but not in rac.h": (modelled | set(WITHOUT)) - operators,
        "both modelled and excused": modelled & set(WITHOUT),
    }
    for problem, names in problems.items():
        for name in sorted(names):
            print("rac_signal_{}: {}".format(name, problem))
    print("{} modelled, {} excused".format(len(modelled), len(WITHOUT)))
    return 1 if any(problems.values()) else 0
