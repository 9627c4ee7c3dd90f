"""ReactiveCocoa's own words, for programs that come from there or talk of its model:

    from librac import cocoa

    ready = rac.combine_latest(named, paid) | cocoa.and_()

Operators, as those of librac.ops; what Rx and Python have another word for is a method of
Signal by that. lift() and the start functions make signals.
"""

from __future__ import annotations

from typing import Any

from . import _librac, ops
from ._librac import UNIT, ScopedDisposable, Signal

_OPERATORS = """and_ bind combine_previous complete_within debounce_passing_test finally_ if_
    ignore initially map_replace not_ or_ reduce_with_factory reduce_with_index replay
    replay_last replay_lazily sample_repeating scan_with_index skip_until_predicate step switch
    take_until_predicate take_until_replacement then to_sequence try_"""
_FUNCTIONS = "lift lift_arguments start_eagerly start_lazily"

__all__ = ["UNIT", "ScopedDisposable", *_OPERATORS.split(), *_FUNCTIONS.split()]


def _fill() -> None:
    for word in _OPERATORS.split():
        globals()[word] = ops.operator(word, getattr(Signal, "_" + word), __name__)
    for word in _FUNCTIONS.split():
        globals()[word] = ops.function(word, getattr(_librac, "_" + word), __name__)


def __dir__() -> list[str]:
    return __all__


_fill()
