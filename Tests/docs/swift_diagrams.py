"""The marble diagrams in the comments of Reactive, and what the engine is asked for those that
rac.h does not have."""

import os
import re

from diagrams import diagrams
from documents import TREE, read
from same_diagrams import call
from staged import C

COMMENT = re.compile(r"((?:^[ \t]*///.*\n)+)((?:^(?![ \t]*///).*\n)*)", re.M)


class Declared:
    """A diagram, and the functions of rac.h that the declaration below it calls."""

    def __init__(self, path, text, functions):
        self.path, self.text, self.functions = path, text, functions
        self.label = re.split(r"  +", text.split("\n")[-1])[0]


def declared():
    for folder, _, names in sorted(os.walk(os.path.join(TREE, "Sources", "Reactive"))):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                for comment, body in COMMENT.findall(read(path)):
                    functions = re.findall(r"\brac_signal_\w+", body)
                    text = re.sub(r"^[ \t]*/// ?", "", comment, flags=re.M)
                    for each in diagrams(text):
                        if re.search(r"--|\|", each):
                            yield Declared(os.path.relpath(path, TREE), each, functions)


# Their declarations call another function than that which draws them, or none.
DRAWN_AS = {
    "average": "average",
    "withLatest(from:)": "with_latest_from",
    "flatten(maxConcurrent: 1)": "flatten",
    "combineLatest(a, b)": "combine_latest",
    "zip(a, b)": "zip",
    "recover(from: E.self)": "catch",
    "reduce(into: []) { $0.append($1) }": "collect",
}


def pairs(stage):
    return call(stage, "combine_latest_with", stage["source"], stage["other"])


def replace_error(stage):
    return call(stage, "catch", stage["source"], lambda error: call(stage, "return", 7))


def map_error(stage):
    another = Exception("another")
    return call(stage, "catch", stage["source"], lambda error: call(stage, "error", another))


def map_latest(stage):
    """The function takes 2 s."""
    answer = lambda x: stage.pattern("--y|", y="f({})".format(x))
    return call(stage, "switch_map", stage["source"], answer)


def async_map(operator):
    """The function takes 2 s."""
    answer = lambda stage: lambda x: stage.pattern("--(y|)", y="f({})".format(x))
    return lambda stage: call(stage, operator, stage["source"], answer(stage))


def times_ten(stage):
    tens = call(stage, "map", stage["source"], lambda x: x * 10)
    return call(stage, "group_by", tens, lambda x: x // 10 % 2)


def with_latest(stage):
    both = call(stage, "with_latest_from", stage["source"], stage["other"])
    return call(stage, "reduce_each", both, lambda *all: sum(all))


def rolling(kind, count, seconds):
    statistic = getattr(C, "RAC_ROLLING_" + kind.upper())
    most = count or C.RAC_REPLAY_UNLIMITED
    return lambda stage: call(stage, "rolling", stage["source"], statistic, most, seconds)


# By the label of the last line.
OWN = {
    "and": lambda stage: call(stage, "and", pairs(stage)),
    "or": lambda stage: call(stage, "or", pairs(stage)),
    "replaceError(with: 7)": replace_error,
    "mapError(f)": map_error,
    "compactMap(Int.init)": lambda stage: call(
        stage, "filter", stage["source"], lambda x: isinstance(x, int)
    ),
    "mapLatest { await f($0) }": map_latest,
    "asyncMap { await f($0) }": async_map("concat_map"),
    "asyncMap(maxConcurrent: 2) { await f($0) }": async_map("flatten_map"),
    "prepend": lambda stage: call(stage, "concat", stage["other"], stage["source"]),
    "removeDuplicates(by: near)": lambda stage: call(
        stage, "distinct_until_changed_by", stage["source"], lambda x: str(x)[0]
    ),
    "B": times_ten,
    "withLatest { + }": with_latest,
}
for kind in ("mean", "variance", "min", "max"):
    OWN["rolling{}(over: 2)".format(kind.title())] = rolling(kind, 2, float("inf"))
    OWN["rolling{}(for: 8)".format(kind.title())] = rolling(kind, 0, 8)


def own(each):
    """What makes the signal of a diagram that only Reactive has, or None."""
    return OWN.get(each.label)
