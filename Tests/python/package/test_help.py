"""help(): what functions, methods and classes say of themselves."""

import inspect
import re
import types
from typing import get_args

import pytest

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
        r"RAC_(?!DEBUG|RECORD\b|RECORD_IDLE)|\brac_|\bNULL\b|\bnil\b|\*out|borrowed|retained"
    )
    for name, found in documented():
        text = inspect.getdoc(found)
        assert not c.search(text), (name, text)
        assert max(map(len, text.splitlines())) <= 88, (name, text)


def test_diagrams_have_the_name_of_the_operator():
    for owner in (rac.Signal, rac.cocoa):
        for name in ("debounce", "debounce_passing_test", "throttle"):
            text = getattr(getattr(owner, name, None), "__doc__", "") or ""
            other = "throttle" if "debounce" in name else "throttle_first"
            assert f"    {other} " not in text, (name, text)


def test_help_tells_what_times_counts_and_schedulers_are():
    explained = 0
    for name, method in documented():
        if isinstance(method, (types.MethodDescriptorType, types.BuiltinFunctionType)):
            for argument in inspect.signature(method).parameters:
                if argument in ("seconds", "scheduler", "count", "capacity", "interval"):
                    assert f"\n{argument}: " in method.__doc__, (name, argument)
                    explained += 1
    assert explained > 60


POLICIES = get_args(rac.types.Policy)


def test_help_lists_the_policies_where_one_is_taken():
    assert len(POLICIES) == 6
    with_bounds = 0
    for name, found in documented():
        if not callable(found):
            continue
        taken, text = inspect.signature(found).parameters, inspect.getdoc(found)
        if "policy" in taken:
            assert all(f'"{each}": ' in text for each in POLICIES), name
        if "overflow" in taken:
            assert all(f'"{each}"' in text for each in POLICIES if each != "refuse"), name
        if "bound" in taken:
            assert re.search(r"(?m)^bound: ", text), name
            with_bounds += 1
    assert with_bounds >= 8
    assert "bound: " in rac.Property.__doc__ and '"latest": ' in rac.Bound.__doc__


def test_everything_has_a_signature():
    seen = set()
    for name, found in vars(rac).items():
        if name.startswith("_") or not callable(found):
            continue
        assert inspect.signature(found), name
        for inner in dir(found) if isinstance(found, type) else ():
            method = getattr(found, inner)
            if not inner.startswith("_") and not hasattr(Exception, inner) and callable(method):
                assert inspect.signature(method), (name, inner)
                seen.add((name, inner))
    assert len(seen) > 300


@pytest.mark.parametrize(
    "made, signature",
    {
        rac.Subject: "(bound=None)",
        rac.BehaviorSubject: "(value)",
        rac.ReplaySubject: "(capacity=None)",
        rac.Property: "(initial, distinct=False, bound=None)",
        rac.Bound: "(capacity, policy)",
        rac.host.Counter: "(name)",
        rac.Disposable: "(action=None)",
        rac.cocoa.ScopedDisposable: "(disposable)",
        rac.Channel: "()",
        rac.Signal: "()",
        rac.Scheduler: "()",
        rac.errors.TimedOut: "(*args)",
    }.items(),
)
def test_signatures_of_classes(made, signature):
    assert str(inspect.signature(made)) == signature
    assert made.__doc__.endswith(".") and "--" not in made.__doc__

    class Mine(made):
        def __init__(self, mine):
            super().__init__()

    assert str(inspect.signature(Mine)) == "(mine)"


def test_what_is_said_of_an_argument_names_the_function():
    for wrong in ("1s", -1, float("nan")):
        with pytest.raises((TypeError, ValueError), match=r"^timer\(\): seconds|^timer\(\)"):
            rac.timer(wrong)
    with pytest.raises(TypeError, match=r"^timer\(\): scheduler"):
        rac.timer(1, scheduler=2)
