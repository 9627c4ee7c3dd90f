"""Types of the functions that are several of the engine's; the methods are in signal.pyi."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, overload

from ._librac import Bound, Observer, Release, Scheduler
from .signal import Seconds, Signal
from .sources import SignalLike

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")

MISSING: Final[Any]
METHODS: dict[str, Callable[..., Any]]

def create(
    subscribe: Callable[[Observer[T]], Release], bound: Bound | None = None
) -> Signal[T]: ...
def interval(
    seconds: Seconds, leeway: Seconds | None = None, *, scheduler: Scheduler | None = None
) -> Signal[int]: ...
def merge(
    *signals: SignalLike[T], bound: Bound | None = None, delay_error: bool = False
) -> Signal[T]: ...
def concat(*signals: SignalLike[T], delay_error: bool = False) -> Signal[T]: ...
@overload
def combine_latest(a: SignalLike[A], /, *, delay_error: bool = False) -> Signal[tuple[A]]: ...
@overload
def combine_latest(
    a: SignalLike[A], b: SignalLike[B], /, *, delay_error: bool = False
) -> Signal[tuple[A, B]]: ...
@overload
def combine_latest(
    a: SignalLike[A], b: SignalLike[B], c: SignalLike[C], /, *, delay_error: bool = False
) -> Signal[tuple[A, B, C]]: ...
@overload
def combine_latest(
    a: SignalLike[A],
    b: SignalLike[B],
    c: SignalLike[C],
    d: SignalLike[D],
    /,
    *,
    delay_error: bool = False,
) -> Signal[tuple[A, B, C, D]]: ...
@overload
def combine_latest(
    *signals: SignalLike[Any], delay_error: bool = False
) -> Signal[tuple[Any, ...]]: ...
