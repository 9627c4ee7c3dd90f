"""No operator of the C interface is missing, and the stubs say what is there."""

import ast
import inspect
import json
import pathlib
import re

import pytest

import librac as rac
from librac import _librac, ops

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = pathlib.Path(rac.__file__).parent

# Words of Rx and of Python in place of RAC's; docs/Python.md has the reasons.
NAMES = {
    "aggregate": "reduce",
    "aggregate_with_factory": "reduce_with_factory",
    "aggregate_with_index": "reduce_with_index",
    "and": "and_",
    "finally": "finally_",
    "flatten_map": "flat_map",
    "flatten_map_limited": "flat_map_limited",
    "idle_timeout": "timeout",
    "idle_timeout_to": "timeout_to",
    "if": "if_",
    "not": "not_",
    "or": "or_",
    "reduce_each": "starmap",
    "rolling": "rolling_mean",
    "sample": "sample_repeating",
    "sample_when_new": "sample",
    "throttle": "debounce",
    "throttle_passing_test": "debounce_passing_test",
    "timeout": "complete_within",
    "try": "try_",
}
# Functions of several signals.
FUNCTIONS = {
    "combine_latest_reduce": "combine_latest_reduce",
    "concat_all": "concat",
    "merge_bounded": "merge_bounded",
    "zip_reduce": "zip_reduce",
}
# A sequence goes through Python's own iterators: a generator is an operator of one's own.
NOT_IN_PYTHON = {"rac_sequence_step"}


def operators(of):
    description = json.loads((ROOT / "include" / "rac.json").read_text())
    prefix = f"rac_{of}_"
    return sorted(
        each["name"][len(prefix) :]
        for each in description["functions"]
        if each.get("operator") == of and each["name"].startswith(prefix)
    )


@pytest.mark.parametrize("kind", ["signal", "sequence"])
def test_every_operator_is_there(kind):
    owner = {"signal": rac.Signal, "sequence": rac.Sequence}[kind]
    missing = []
    for name in operators(kind):
        if kind == "signal" and name in FUNCTIONS:
            if not hasattr(rac, FUNCTIONS[name]):
                missing.append(name)
        elif f"rac_{kind}_{name}" in NOT_IN_PYTHON:
            assert not hasattr(owner, name)
        elif not hasattr(owner, NAMES.get(name, name)):
            missing.append(name)
    assert missing == []


def test_every_operator_is_a_function_of_ops():
    for name in operators("signal"):
        if name not in FUNCTIONS:
            assert NAMES.get(name, name) in ops.__all__, name


def classes_of(stub):
    tree = ast.parse((PACKAGE / stub).read_text())
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def methods_of(node):
    return {each.name: each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))}


STUBS = {**classes_of("_librac.pyi"), **classes_of("signal.pyi")}


@pytest.mark.parametrize("name", STUBS)
def test_a_class_has_what_its_stub_says(name):
    there = getattr(_librac, name)
    for method in methods_of(STUBS[name]):
        assert hasattr(there, method), f"{name}.{method} is in the stub alone"


@pytest.mark.parametrize("name", STUBS)
def test_a_stub_says_what_its_class_has(name):
    there = getattr(_librac, name)
    said = {*methods_of(STUBS[name])}
    said |= {
        each.target.id for each in STUBS[name].body if isinstance(each, ast.AnnAssign)
    }
    public = {each for each in vars(there) if not each.startswith("_")}
    assert public - said == set(), f"of {name} the stub does not say"


def test_functions_are_those_of_the_stub():
    tree = ast.parse((PACKAGE / "_librac.pyi").read_text())
    said = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    there = {
        name
        for name in dir(_librac)
        if not name.startswith("_") and inspect.isbuiltin(getattr(_librac, name))
    }
    assert there - said == set() and said - there == set()


def arguments_of(node):
    arguments = node.args
    names = [each.arg for each in arguments.posonlyargs + arguments.args]
    names = [name for name in names if name != "self"]
    if arguments.vararg:
        names.append("*")
    return names, sorted(each.arg for each in arguments.kwonlyargs)


@pytest.mark.parametrize("name", ["Signal", "Sequence", "Property", "Scheduler", "Subject"])
def test_arguments_have_the_names_of_the_stub(name):
    differ = []
    for method, node in methods_of(STUBS[name]).items():
        there = getattr(getattr(_librac, name), method)
        if method.startswith("__") or not callable(there):
            continue
        if any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list):
            continue
        try:
            signature = inspect.signature(there)
        except ValueError:
            differ.append(f"{method}: no signature")
            continue
        names, keywords = [], []
        for each in signature.parameters.values():
            if each.name == "self":
                continue
            if each.kind == each.VAR_POSITIONAL:
                names.append("*")
            elif each.kind == each.KEYWORD_ONLY:
                keywords.append(each.name)
            else:
                names.append(each.name)
        if arguments_of(node) != (names, sorted(keywords)):
            differ.append(f"{method}: {signature}, in the stub {arguments_of(node)}")
    assert differ == []


def test_every_operator_has_a_diagram():
    """help(rac.Signal.map) shows what it does, with a marble diagram."""
    without = []
    for name in ops.__all__:
        text = inspect.getdoc(getattr(rac.Signal, name)) or ""
        if len(text) < 30:
            without.append(name)
        elif not re.search(r"(?m)[-|#](   \S.*)?$", text):
            without.append(name)
    assert sorted(set(without) - WITHOUT_A_DIAGRAM) == []


# What looks on, names or shares changes nothing that a diagram could show.
WITHOUT_A_DIAGRAM = set(
    """bind deliver_on deliver_on_bounded deliver_on_main subscribe_on log_all log_completed
    log_error log_next do_completed do_error do_next do_finally finally_ initially named
    multicast publish replay replay_last replay_lazily share step switch""".split()
)
