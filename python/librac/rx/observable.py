"""Observables: signals that know on which scheduler they are subscribed to."""

from __future__ import annotations

import types
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar, overload

from .. import _librac, forms
from .._librac import Signal
from .disposable import Disposable
from .scheduler import Scheduler, engine_of

T = TypeVar("T")

Make = Callable[["Scheduler | None"], Signal[Any]]


class Observable(Generic[T]):
    """What reactivex calls so: a signal, made when somebody subscribes, by the scheduler that
    subscribe() is given."""

    def __init__(self, subscribe: Callable[[Any, Any], Any] | None = None) -> None:
        self._become(_created(subscribe or _never))

    def _become(self, make: Any) -> None:
        self._make: Make = (lambda _: make) if isinstance(make, Signal) else make
        self._made: tuple[Any, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        """The operators as methods."""
        name = {"do": "do_action"}.get(name, name)
        if name.startswith("_") or name not in _operators().__all__:
            raise AttributeError(f"an observable has no {name}()")
        operator = getattr(_operators(), name)
        return lambda *arguments, **named: operator(*arguments, **named)(self)

    def signal(self, scheduler: Scheduler | None = None) -> Signal[T]:
        """The signal of librac. One for each scheduler, so that what is shared stays one."""
        if self._made is None or self._made[0] is not scheduler:
            self._made = scheduler, self._make(scheduler)
        made: Signal[T] = self._made[1]
        return made

    def __librac_signal__(self) -> Signal[T]:
        return self.signal()

    def subscribe(
        self,
        on_next: Any = None,
        on_error: Any = None,
        on_completed: Callable[[], object] | None = None,
        *,
        scheduler: Any = None,
    ) -> Disposable:
        """Subscribes functions, or an object with on_next(), on_error() and on_completed()."""
        if hasattr(on_next, "on_next"):
            on_next, on_error, on_completed = (
                on_next.on_next, on_next.on_error, on_next.on_completed)
        return Disposable.of(
            self.signal(scheduler).subscribe(on_next, on_error, on_completed))

    def __iter__(self) -> Any:
        return iter(self.signal())

    @overload
    def pipe(self, *operators: Callable[[Any], Observable[Any]]) -> Observable[Any]: ...
    @overload
    def pipe(self, *operators: Callable[[Any], Any]) -> Any: ...
    def pipe(self, *operators: Callable[[Any], Any]) -> Any:
        """What the operators make of it, one after the other."""
        made: Any = self
        for operator in operators:
            made = operator(made)
        return made

    def run(self) -> Any:
        """Waits for the end, and gives the last value."""
        from . import SequenceContainsNoElementsError

        try:
            return self.signal().wait()
        except _librac.Empty as error:
            raise SequenceContainsNoElementsError() from error

    def __await__(self) -> Generator[Any, None, T]:
        return self._last().__await__()

    async def _last(self) -> Any:
        try:
            return await self.signal()
        except _librac.Empty as error:
            from . import SequenceContainsNoElementsError

            raise SequenceContainsNoElementsError() from error

    def __aiter__(self) -> Any:
        return self.signal().__aiter__()

    def __add__(self, other: Any) -> Observable[Any]:
        return self.pipe(_operators().concat(other))  # type: ignore[no-any-return]

    def __getitem__(self, key: slice | int) -> Observable[T]:
        ops = _operators()
        if isinstance(key, slice):
            return self.pipe(ops.slice(key.start, key.stop, key.step))  # type: ignore[no-any-return]
        return self.pipe(ops.element_at(key))  # type: ignore[no-any-return]


def _operators() -> Any:
    from . import operators

    return operators


def signal_of(source: Any, scheduler: Scheduler | None = None) -> Signal[Any]:
    """Of an observable, or what librac.from_() takes."""
    if isinstance(source, Observable):
        return source.signal(scheduler)
    from ..sources import from_

    return from_(source)


def by(make: Any) -> Observable[Any]:
    """Of a signal, or of a function that makes one for a scheduler."""
    made: Observable[Any] = Observable.__new__(Observable)
    made._become(make)
    return made


def observable_of(source: Any) -> Observable[Any]:
    return source if isinstance(source, Observable) else by(signal_of(source))


def of_create(subscribe: Callable[[Any, Any], Any]) -> Observable[Any]:
    """rx.create(): the function gets an observer and the scheduler."""
    return by(_created(subscribe))


def _never(observer: Any, scheduler: Any) -> None:
    pass


def _created(subscribe: Callable[[Any, Any], Any]) -> Make:
    def make(scheduler: Scheduler | None) -> Signal[Any]:
        def begin(observer: Any) -> Any:
            made = subscribe(Observer.to(observer), scheduler)
            if made is not None and hasattr(made, "dispose"):
                return made.dispose
            return made

        return forms.create(begin)

    return make


class Observer:
    """Three functions, or what is made of them."""

    __class_getitem__: Any = classmethod(types.GenericAlias)  # Observer[int], in annotations

    def __init__(
        self,
        on_next: Callable[[Any], object] | None = None,
        on_error: Callable[[Exception], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> None:
        self._next, self._error, self._completed = on_next, on_error, on_completed
        self.is_stopped = False

    @classmethod
    def to(cls, observer: Any) -> Observer:
        """One that sends to an observer of librac's."""
        return cls(observer.send, observer.send_error, observer.send_completed)

    def on_next(self, value: Any) -> None:
        if not self.is_stopped and self._next is not None:
            self._next(value)

    def on_error(self, error: Exception) -> None:
        if not self.is_stopped:
            self.is_stopped = True
            if self._error is None:
                raise error
            self._error(error)

    def on_completed(self) -> None:
        if not self.is_stopped:
            self.is_stopped = True
            if self._completed is not None:
                self._completed()

    def dispose(self) -> None:
        self.is_stopped = True


def scheduled(scheduler: Any, given: Any) -> Any:
    """The engine's scheduler of an operator: its own, or that of the subscription."""
    return engine_of(given if given is not None else scheduler)
