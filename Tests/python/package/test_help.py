"""help(): what functions, methods and classes say of themselves."""

import inspect
import re
import types

import librac as rac


def test_every_operator_has_a_docstring_and_a_signature():
    for name, method in vars(rac.Signal).items():
        if callable(method) and not name.startswith("_"):
            assert method.__doc__, name
            assert inspect.signature(method), name


def documented():
    """Every function and method, and every class, whoever wrote its docstring."""
    listed = {n: x for n, x in vars(rac).items() if not inspect.ismodule(x)}
    for name, found in listed.items():
        if name.startswith("_") or not (callable(found) and found.__doc__):
            continue
        yield name, found
        if isinstance(found, type):
            for inner, method in vars(found).items():
                if not inner.startswith("_") and getattr(method, "__doc__", None):
                    yield f"{name}.{inner}", method


def test_help_is_in_words_of_python_and_in_lines_of_a_terminal():
    c = re.compile(
        r"RAC_(?!DEBUG)|\brac_(?!sequence|values)|\bNULL\b|\bnil\b|\*out|borrowed|retained"
    )
    for name, found in documented():
        text = inspect.getdoc(found)
        assert not c.search(text), (name, text)
        assert max(map(len, text.splitlines())) <= 88, (name, text)


def test_help_tells_what_times_counts_and_schedulers_are():
    explained = 0
    for name, method in documented():
        if isinstance(method, (types.MethodDescriptorType, types.BuiltinFunctionType)):
            for argument in inspect.signature(method).parameters:
                if argument in ("seconds", "scheduler", "count", "capacity", "interval"):
                    assert f"\n{argument}: " in method.__doc__, (name, argument)
                    explained += 1
    assert explained > 60
