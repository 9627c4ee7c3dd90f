"""No operator of the C interface is missing, and the stubs say what is there."""

import ast
import importlib
import inspect
import json
import pathlib
import re
import sys

import pytest

import librac as rac
from librac import _librac, ops

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = pathlib.Path(rac.__file__).parent

sys.path.insert(0, str(ROOT / "python" / "tools"))
names = importlib.import_module("names")
sys.path.pop(0)

# Made by hand, or by another word: names.py says which.
ANOTHER_WAY = {
    "rac_sequence_step": None,
    "rac_signal_combine_latest_reduce": "starmap",
    "rac_signal_combine_latest_with": "combine_latest",
    "rac_signal_deliver_on_main": "deliver_on",
    "rac_signal_log_completed": "log",
    "rac_signal_log_error": "log",
    "rac_signal_log_next": "log",
    "rac_signal_merge_with": "merge",
    "rac_signal_rolling": "rolling_mean",
    "rac_signal_try_map": "map",
    "rac_signal_zip_reduce": "starmap",
    "rac_signal_zip_with": "zip",
}
BY_HAND_IN_COCOA = {"rac_signal_switch"}


def test_the_interface_is_small():
    """One way to say a thing: what is added here has to replace something."""
    assert len(rac.__all__) <= 60
    assert len([name for name in dir(rac.Signal) if not name.startswith("_")]) <= 100


def test_nothing_that_is_not_interface_shows():
    shown = {name for name in dir(rac) if not name.startswith("_")}
    assert shown == {*rac.__all__, "on_unhandled", "range", "zip"}
    modules = {name for name in shown if inspect.ismodule(getattr(rac, name))}
    assert modules == {"cocoa", "errors", "host", "ops", "types"}
    for name in modules:
        module = getattr(rac, name)
        assert set(dir(module)) == set(module.__all__), name
        assert all(hasattr(module, each) for each in module.__all__), name


def operators(of):
    description = json.loads((ROOT / "include" / "rac.json").read_text())
    prefix = f"rac_{of}_"
    return sorted(
        each["name"][len(prefix) :]
        for each in description["functions"]
        if each.get("operator") == of and each["name"].startswith(prefix)
    )


def words_of(function):
    """Where Python has a function of the engine: a name, and what has it."""
    if function in names.COCOA or function in BY_HAND_IN_COCOA:
        return names.COCOA.get(function, function[len("rac_signal_"):]), rac.cocoa
    word = ANOTHER_WAY.get(function) or names.PARTS.get(function, (None, None))[1]
    of = "Sequence" if function.startswith("rac_sequence") else "Signal"
    word = word or names.RENAMED.get(function, function.split("_", 2)[2])
    return word, getattr(rac, of)


@pytest.mark.parametrize("kind", ["signal", "sequence"])
def test_every_operator_is_there(kind):
    missing = []
    for name in operators(kind):
        function = f"rac_{kind}_{name}"
        if ANOTHER_WAY.get(function, "") is not None:
            word, owner = words_of(function)
            if not hasattr(owner, word):
                missing.append(name)
    assert missing == []


def test_every_operator_is_a_function_of_ops():
    for name in operators("signal"):
        word, owner = words_of("rac_signal_" + name)
        assert owner is rac.cocoa or word in ops.__all__, name


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
    """deliver_on subscribe_on log do_completed do_error do_next do_finally named publish
    share""".split()
)
