"""Operators as functions: signal | ops.map(f) | ops.take(3), signal.pipe(ops.map(f)).

Each is the method of Signal by the same name, for chains that are made before their
source: long_words = lambda s: s | ops.filter(is_long) | ops.take(3).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._librac import Signal

# Methods of Signal that make no signal of a signal.
_NO_OPERATORS = frozenset(
    """subscribe subscribe_weak subscribe_arrays subscribe_lists subscribe_to to_queue wait values
    iterate pipe marble""".split()
)


class _Operator:
    """A method of Signal with its arguments, waiting for a signal."""

    __slots__ = ("arguments", "keywords", "method")

    def __init__(
        self, method: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        self.method, self.arguments, self.keywords = method, arguments, keywords

    def __call__(self, source: Any) -> Any:
        if not isinstance(source, Signal):
            from .sources import from_

            source = from_(source)
        return self.method(source, *self.arguments, **self.keywords)

    def __repr__(self) -> str:
        shown = [repr(each) for each in self.arguments]
        shown += [f"{name}={each!r}" for name, each in self.keywords.items()]
        name = self.method.__name__  # ReactiveCocoa's own words are parts of Signal
        called = "cocoa." + name[1:] if name.startswith("_") else "ops." + name
        return f"{called}({', '.join(shown)})"


def operator(
    name: str, method: Callable[..., Any], module: str = __name__
) -> Callable[..., _Operator]:
    """A method of Signal as a function that waits for a signal."""

    def operator(*arguments: Any, **keywords: Any) -> _Operator:
        return _Operator(method, arguments, keywords)

    named: Any = operator
    named.__signature__ = _signature(method, is_method=True)
    return _like(operator, name, method, module)


def function(name: str, called: Callable[..., Any], module: str) -> Callable[..., Any]:
    """A function of the extension by another name."""

    def function(*arguments: Any, **keywords: Any) -> Any:
        return called(*arguments, **keywords)

    named: Any = function
    named.__signature__ = _signature(called)
    return _like(function, name, called, module)


def _like(made: Any, name: str, known: Any, module: str) -> Any:
    made.__name__ = made.__qualname__ = name
    made.__doc__, made.__module__ = known.__doc__, module
    return made


def _signature(known: Callable[..., Any], is_method: bool = False) -> inspect.Signature:
    signature = inspect.signature(known)
    parameters = list(signature.parameters.values())
    if is_method and parameters[0].kind != inspect.Parameter.VAR_POSITIONAL:
        del parameters[0]
    return signature.replace(parameters=parameters)


def apply(self: Signal[Any], operator: Any) -> Any:
    """What a function makes of the signal: signal | ops.map(f)."""
    if not callable(operator) or isinstance(operator, type):
        return NotImplemented
    return operator(self)


def pipe(self: Signal[Any], *operators: Callable[[Any], Any]) -> Any:
    """What the functions make of the signal, one after the other: those of ops, or any
    that take a signal."""
    made: Any = self
    for operator in operators:
        if not callable(operator):
            raise TypeError(f"Signal.pipe(): operators must be callable, not {type(operator)}")
        made = operator(made)
    return made


def fill() -> None:
    """The functions of this module, once all methods are there."""
    for name in dir(Signal):
        method = getattr(Signal, name)
        if name.startswith("_") or name in _NO_OPERATORS or not callable(method):
            continue
        globals()[name] = operator(name, method)
        __all__.append(name)


def __dir__() -> list[str]:
    return __all__


__all__: list[str] = []
