"""Types of Signal, for mypy, pyright and editors; the reference of its operators."""

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar, overload

from _typeshed import FileDescriptorLike

from ._librac import (
    Bound,
    Connection,
    Event,
    Observer,
    Scheduler,
    SequenceIterator,
    Subject,
    Subscription,
)
from .diagram import Diagram
from .sources import SignalLike
from .values import Values

Seconds: TypeAlias = float | datetime.timedelta
Text: TypeAlias = str | bytes | bytearray | memoryview

T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
T_co = TypeVar("T_co", covariant=True)

Overflow: TypeAlias = Literal["drop_oldest", "drop_newest", "latest", "error", "wait"]
Priority: TypeAlias = Literal["high", "default", "low", "background"]

class Signal(Generic[T_co]):
    """A stream of values over time: values, then perhaps an error or a completion."""

    # ---- Subscribing -----------------------------------------------------------------
    def subscribe(
        self,
        on_next: Callable[[T_co], object] | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> Subscription: ...
    def subscribe_weak(
        self,
        on_next: Callable[[T_co], object] | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> Subscription: ...
    def subscribe_arrays(
        self,
        on_array: Callable[[Any], object],
        count: int = 4096,
        *,
        dtype: Any = "float64",
        seconds: Seconds | None = None,
        scheduler: Scheduler | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> Subscription: ...
    def subscribe_lists(
        self,
        function: Callable[[list[T_co]], object],
        count: int,
        *,
        seconds: Seconds | None = None,
        scheduler: Scheduler | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> Subscription: ...
    def subscribe_to(self, observer: Observer[Any] | Subject[Any]) -> Subscription: ...
    # ---- Waiting ---------------------------------------------------------------------
    @overload
    def wait(self, timeout: Seconds | None = None) -> T_co: ...
    @overload
    def wait(self, timeout: Seconds | None = None, *, default: U) -> T_co | U: ...
    def __iter__(self) -> SequenceIterator[T_co]: ...
    def iterate(
        self, bound: Bound | None = None, timeout: Seconds | None = None
    ) -> SequenceIterator[T_co]: ...
    def __await__(self) -> Generator[Any, Any, T_co]: ...
    def __aiter__(self) -> AsyncIterator[T_co]: ...
    def values(
        self, buffer: int | None = None, overflow: Overflow = "drop_oldest"
    ) -> Values[T_co]: ...
    async def to_queue(
        self: Signal[T], queue: asyncio.Queue[T], bound: Bound | None = None
    ) -> None: ...
    def first(self) -> Signal[T_co]: ...
    # ---- Chaining --------------------------------------------------------------------
    def __or__(self, operator: Callable[[Self], U]) -> U: ...
    @overload
    def pipe(self) -> Self: ...
    @overload
    def pipe(self, a: Callable[[Self], A], /) -> A: ...
    @overload
    def pipe(self, a: Callable[[Self], A], b: Callable[[A], B], /) -> B: ...
    @overload
    def pipe(self, a: Callable[[Self], A], b: Callable[[A], B], c: Callable[[B], C], /) -> C: ...
    @overload
    def pipe(
        self,
        a: Callable[[Self], A],
        b: Callable[[A], B],
        c: Callable[[B], C],
        d: Callable[[C], D],
        /,
    ) -> D: ...
    @overload
    def pipe(
        self,
        a: Callable[[Self], A],
        b: Callable[[A], B],
        c: Callable[[B], C],
        d: Callable[[C], D],
        e: Callable[[D], E],
        /,
        *more: Callable[[Any], Any],
    ) -> Any: ...
    # ---- Names and pictures ----------------------------------------------------------
    @property
    def description(self) -> str: ...
    def named(self, name: str) -> Self: ...
    def marble(
        self, seconds: Seconds = 1.0, *, scheduler: Scheduler | None = None, width: int = 60
    ) -> Diagram: ...
    def _repr_html_(self) -> str: ...
    @property
    def key(self) -> Any: ...
    # ---- One value at a time ---------------------------------------------------------
    def map(self, transform: Callable[[T_co], U]) -> Signal[U]: ...
    def filter(self, predicate: Callable[[T_co], object]) -> Signal[T_co]: ...
    def ignore_values(self) -> Signal[T_co]: ...
    def distinct_until_changed(
        self,
        key: Callable[[T_co], object] | None = None,
        comparer: Callable[[T_co, T_co], object] | None = None,
    ) -> Signal[T_co]: ...
    def distinct(self, key: Callable[[T_co], object] | None = None) -> Signal[T_co]: ...
    def starmap(self: Signal[Iterable[Any]], function: Callable[..., U]) -> Signal[U]: ...
    def materialize(self) -> Signal[Event[T_co]]: ...
    def dematerialize(self: Signal[Event[U]]) -> Signal[U]: ...
    # ---- How many --------------------------------------------------------------------
    def take(self, count: int) -> Signal[T_co]: ...
    def take_last(self, count: int) -> Signal[T_co]: ...
    def take_while(
        self, predicate: Callable[[T_co], object], inclusive: bool = False
    ) -> Signal[T_co]: ...
    def take_until(self, trigger: SignalLike[Any]) -> Signal[T_co]: ...
    def skip(self, count: int) -> Signal[T_co]: ...
    def skip_while(self, predicate: Callable[[T_co], object]) -> Signal[T_co]: ...
    def skip_until(self, trigger: SignalLike[Any]) -> Signal[T_co]: ...
    def element_at(self, index: int) -> Signal[T_co]: ...
    def default_if_empty(self, value: U) -> Signal[T_co | U]: ...
    def switch_if_empty(self, other: SignalLike[U]) -> Signal[T_co | U]: ...
    def start_with(self, *values: U) -> Signal[T_co | U]: ...
    # ---- One value and those before it -----------------------------------------------
    @overload
    def scan(self, accumulator: Callable[[T_co, T_co], T_co]) -> Signal[T_co]: ...
    @overload
    def scan(self, accumulator: Callable[[U, T_co], U], seed: U) -> Signal[U]: ...
    @overload
    def reduce(self, accumulator: Callable[[T_co, T_co], T_co]) -> Signal[T_co]: ...
    @overload
    def reduce(self, accumulator: Callable[[U, T_co], U], seed: U) -> Signal[U]: ...
    def pairwise(self) -> Signal[tuple[T_co, T_co]]: ...
    def collect(self) -> Signal[tuple[T_co, ...]]: ...
    def count(self) -> Signal[int]: ...
    def sum(self) -> Signal[T_co]: ...
    def average(self) -> Signal[float]: ...
    def min(
        self,
        *,
        key: Callable[[T_co], Any] | None = None,
        comparer: Callable[[T_co, T_co], float] | None = None,
    ) -> Signal[T_co]: ...
    def max(
        self,
        *,
        key: Callable[[T_co], Any] | None = None,
        comparer: Callable[[T_co, T_co], float] | None = None,
    ) -> Signal[T_co]: ...
    def rolling_mean(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[float]: ...
    def rolling_variance(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[float]: ...
    def rolling_min(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[float]: ...
    def rolling_max(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[float]: ...
    def buffer(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        skip: int | None = None,
        scheduler: Scheduler | None = None,
    ) -> Signal[tuple[T_co, ...]]: ...
    def any(self, predicate: Callable[[T_co], object] | None = None) -> Signal[bool]: ...
    def all(self, predicate: Callable[[T_co], object]) -> Signal[bool]: ...
    # ---- Several signals -------------------------------------------------------------
    def merge(
        self, *others: SignalLike[U], bound: Bound | None = None, delay_error: bool = False
    ) -> Signal[T_co | U]: ...
    def concat(
        self, *others: SignalLike[U], delay_error: bool = False
    ) -> Signal[T_co | U]: ...
    @overload
    def combine_latest(self, *, delay_error: bool = False) -> Signal[tuple[T_co]]: ...
    @overload
    def combine_latest(
        self, a: SignalLike[A], /, *, delay_error: bool = False
    ) -> Signal[tuple[T_co, A]]: ...
    @overload
    def combine_latest(
        self, a: SignalLike[A], b: SignalLike[B], /, *, delay_error: bool = False
    ) -> Signal[tuple[T_co, A, B]]: ...
    @overload
    def combine_latest(
        self,
        a: SignalLike[A],
        b: SignalLike[B],
        c: SignalLike[C],
        /,
        *,
        delay_error: bool = False,
    ) -> Signal[tuple[T_co, A, B, C]]: ...
    @overload
    def combine_latest(
        self, *others: SignalLike[Any], delay_error: bool = False
    ) -> Signal[tuple[Any, ...]]: ...
    @overload
    def zip(self) -> Signal[tuple[T_co]]: ...
    @overload
    def zip(self, a: SignalLike[A], /) -> Signal[tuple[T_co, A]]: ...
    @overload
    def zip(self, a: SignalLike[A], b: SignalLike[B], /) -> Signal[tuple[T_co, A, B]]: ...
    @overload
    def zip(
        self, a: SignalLike[A], b: SignalLike[B], c: SignalLike[C], /
    ) -> Signal[tuple[T_co, A, B, C]]: ...
    @overload
    def zip(self, *others: SignalLike[Any]) -> Signal[tuple[Any, ...]]: ...
    def with_latest_from(self, other: SignalLike[A]) -> Signal[tuple[T_co, A]]: ...
    def sample(self, sampler: SignalLike[Any]) -> Signal[T_co]: ...
    def pausable(self, running: SignalLike[Any], capacity: int) -> Signal[T_co]: ...
    def race(self, *others: SignalLike[U]) -> Signal[T_co | U]: ...
    # ---- Signals of signals ----------------------------------------------------------
    def flat_map(
        self,
        transform: Callable[[T_co], SignalLike[U] | None],
        max_concurrent: int | None = None,
        bound: Bound | None = None,
    ) -> Signal[U]: ...
    def concat_map(
        self, transform: Callable[[T_co], SignalLike[U] | None]
    ) -> Signal[U]: ...
    def switch_map(
        self, transform: Callable[[T_co], SignalLike[U] | None]
    ) -> Signal[U]: ...
    def exhaust_map(
        self, transform: Callable[[T_co], SignalLike[U] | None]
    ) -> Signal[U]: ...
    def expand(
        self, transform: Callable[[T_co], SignalLike[U] | None]
    ) -> Signal[T_co | U]: ...
    def delay_when(
        self, transform: Callable[[T_co], SignalLike[Any] | None]
    ) -> Signal[T_co]: ...
    def flatten(
        self: Signal[SignalLike[U]],
        max_concurrent: int | None = None,
        bound: Bound | None = None,
    ) -> Signal[U]: ...
    def switch_to_latest(self: Signal[SignalLike[U]]) -> Signal[U]: ...
    @overload
    def group_by(self, key: Callable[[T_co], object]) -> Signal[Signal[T_co]]: ...
    @overload
    def group_by(
        self, key: Callable[[T_co], object], transform: Callable[[T_co], U]
    ) -> Signal[Signal[U]]: ...
    @overload
    def window(self, boundary: SignalLike[Any]) -> Signal[Signal[T_co]]: ...
    @overload
    def window(
        self, boundary: SignalLike[A], closing: Callable[[A], SignalLike[Any] | None]
    ) -> Signal[Signal[T_co]]: ...
    @overload
    def window(self, *, count: int, skip: int | None = None) -> Signal[Signal[T_co]]: ...
    @overload
    def window(
        self, *, seconds: Seconds, scheduler: Scheduler | None = None
    ) -> Signal[Signal[T_co]]: ...
    # ---- Errors and repetition -------------------------------------------------------
    @overload
    def catch(
        self, handler: Callable[[Exception], SignalLike[U] | None]
    ) -> Signal[T_co | U]: ...
    @overload
    def catch(
        self, handler: Callable[[Exception, Any], SignalLike[U] | None]
    ) -> Signal[T_co | U]: ...
    @overload
    def catch(self, handler: SignalLike[U]) -> Signal[T_co | U]: ...
    def retry(self, count: int | None = None) -> Signal[T_co]: ...
    def retry_with_backoff(
        self,
        first: Seconds,
        factor: float = 2.0,
        most: Seconds | None = None,
        jitter: float = 0.0,
        attempts: int | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[T_co]: ...
    def retry_when(
        self, notifier: Callable[[Exception, int], SignalLike[Any] | None]
    ) -> Signal[T_co]: ...
    def repeat(self) -> Signal[T_co]: ...
    def repeat_when(
        self, notifier: Callable[[Any, int], SignalLike[Any] | None]
    ) -> Signal[T_co]: ...
    # ---- Looking on ------------------------------------------------------------------
    def do_next(self, action: Callable[[T_co], object]) -> Signal[T_co]: ...
    def do_error(self, action: Callable[[Exception], object]) -> Signal[T_co]: ...
    def do_completed(self, action: Callable[[], object]) -> Signal[T_co]: ...
    def do_finally(self, action: Callable[[], object]) -> Signal[T_co]: ...
    def log(self) -> Signal[T_co]: ...
    # ---- Time ------------------------------------------------------------------------
    def delay(self, seconds: Seconds, *, scheduler: Scheduler | None = None) -> Signal[T_co]: ...
    def delay_subscription(
        self, when: Seconds | SignalLike[Any], *, scheduler: Scheduler | None = None
    ) -> Signal[T_co]: ...
    def debounce(
        self, seconds: Seconds, *, scheduler: Scheduler | None = None
    ) -> Signal[T_co]: ...
    def throttle(
        self, seconds: Seconds, *, scheduler: Scheduler | None = None
    ) -> Signal[T_co]: ...
    def throttle_latest(
        self, seconds: Seconds, *, scheduler: Scheduler | None = None
    ) -> Signal[T_co]: ...
    def audit(
        self,
        duration: Seconds | Callable[[T_co], SignalLike[Any] | None],
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[T_co]: ...
    def rate_limit(
        self,
        seconds: Seconds,
        burst: int,
        capacity: int,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[T_co]: ...
    def timestamp(
        self, *, scheduler: Scheduler | None = None
    ) -> Signal[tuple[float, T_co]]: ...
    def time_interval(
        self, *, scheduler: Scheduler | None = None
    ) -> Signal[tuple[float, T_co]]: ...
    @overload
    def timeout(
        self, seconds: Seconds, *, scheduler: Scheduler | None = None
    ) -> Signal[T_co]: ...
    @overload
    def timeout(
        self, seconds: Seconds, other: SignalLike[U], *, scheduler: Scheduler | None = None
    ) -> Signal[T_co | U]: ...
    # ---- Threads ---------------------------------------------------------------------
    def deliver_on(
        self, scheduler: Scheduler, bound: Bound | None = None
    ) -> Signal[T_co]: ...
    def subscribe_on(self, scheduler: Scheduler) -> Signal[T_co]: ...
    # ---- Writing and frames ----------------------------------------------------------
    def write(
        self: Signal[Text | tuple[Text, ...]],
        fd: FileDescriptorLike,
        owned: bool = False,
        bound: Bound | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[int]: ...
    def split_by_delimiter(
        self: Signal[Text], delimiter: bytes, longest: int = 0
    ) -> Signal[bytes]: ...
    def split_by_length(
        self: Signal[Text], width: int, little_endian: bool = False, longest: int = 0
    ) -> Signal[bytes]: ...
    def split_by(
        self: Signal[Text], measure: Callable[[bytes], int | None], longest: int = 0
    ) -> Signal[bytes]: ...
    def add_delimiter(
        self: Signal[Text], delimiter: bytes, longest: int = 0
    ) -> Signal[bytes]: ...
    def add_length(
        self: Signal[Text], width: int, little_endian: bool = False, longest: int = 0
    ) -> Signal[bytes]: ...
    # ---- Sharing ---------------------------------------------------------------------
    def publish(self, subject: Subject[T_co] | None = None) -> Connection[T_co]: ...
    def share(self) -> Signal[T_co]: ...
    def share_replay(
        self,
        count: int | None = None,
        seconds: Seconds | None = None,
        *,
        scheduler: Scheduler | None = None,
    ) -> Signal[T_co]: ...
