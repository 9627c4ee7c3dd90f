"""Operators as functions: signal | ops.map(f) | ops.take(3), signal.pipe(ops.map(f)).

Each is the method of Signal by the same name, for chains that are made before their
source: long_words = lambda s: s | ops.filter(is_long) | ops.take(3). The names `and_`,
`or_`, `not_`, `if_`, `try_` and `finally_` are those of the methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._librac import Signal

# Methods of Signal that make no signal of a signal.
_NO_OPERATORS = frozenset(
    """subscribe subscribe_weak subscribe_arrays subscribe_lists subscribe_to wait to_list
    values pipe marble blocking_first blocking_list wait_until_completed iterate
    to_sequence""".split()
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
        return f"ops.{self.method.__name__}({', '.join(shown)})"


def _operator(name: str, method: Callable[..., Any]) -> Callable[..., _Operator]:
    def operator(*arguments: Any, **keywords: Any) -> _Operator:
        return _Operator(method, arguments, keywords)

    operator.__name__ = operator.__qualname__ = name
    operator.__doc__ = method.__doc__
    return operator


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
        globals()[name] = _operator(name, method)
        __all__.append(name)


__all__: list[str] = []
