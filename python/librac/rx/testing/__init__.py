"""reactivex.testing: a virtual clock, observables that play what they are told, and an observer
that writes down what it hears and when."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from ..disposable import Disposable
from ..notification import Notification, OnCompleted, OnError, OnNext
from ..observable import Observable, Observer, of_create
from ..scheduler import VirtualTimeScheduler


class Recorded(NamedTuple):
    """An event, and when it was."""

    time: float
    value: Notification

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recorded):
            return NotImplemented
        return self.time == other.time and bool(self.value == other.value)

    def equals(self, other: object) -> bool:
        return self == other


class OnNextPredicate:
    def __init__(self, predicate: Callable[[Any], bool]) -> None:
        self.predicate = predicate

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notification) and other.kind == "N" and bool(
            self.predicate(other.value))


class OnErrorPredicate:
    def __init__(self, predicate: Callable[[Any], bool]) -> None:
        self.predicate = predicate

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Notification) and other.kind == "E"
            and self.predicate(other.exception))


class Subscription:
    """From when to when somebody was subscribed."""

    def __init__(self, start: float, end: float | None = None) -> None:
        self.subscribe: float = start
        self.unsubscribe: float = float("inf") if end is None else end

    def equals(self, other: object) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Subscription) and self.subscribe == other.subscribe
            and self.unsubscribe == other.unsubscribe)

    def __hash__(self) -> int:
        return hash((self.subscribe, self.unsubscribe))

    def __repr__(self) -> str:
        return f"({self.subscribe}, {self.unsubscribe})"


class ReactiveTest:
    """When a test makes, subscribes to and disposes what it tests; and events for it."""

    created, subscribed, disposed = 100, 200, 1000

    @staticmethod
    def on_next(ticks: float, value: Any) -> Recorded:
        is_function = isinstance(value, types.FunctionType)
        made: Any = OnNextPredicate(value) if is_function else OnNext(value)
        return Recorded(ticks, made)

    @staticmethod
    def on_error(ticks: float, error: Any) -> Recorded:
        is_function = isinstance(error, types.FunctionType)
        made: Any = OnErrorPredicate(error) if is_function else OnError(error)
        return Recorded(ticks, made)

    @staticmethod
    def on_completed(ticks: float) -> Recorded:
        return Recorded(ticks, OnCompleted())

    @staticmethod
    def subscribe(start: float, end: float) -> Subscription:
        return Subscription(start, end)


class MockObserver(Observer):
    """Writes down what it hears."""

    def __init__(self, scheduler: TestScheduler) -> None:
        self.scheduler = scheduler
        self.messages: list[Recorded] = []
        super().__init__()

    def on_next(self, value: Any) -> None:
        self.messages.append(Recorded(self.scheduler.clock, OnNext(value)))

    def on_error(self, error: Any) -> None:
        self.messages.append(Recorded(self.scheduler.clock, OnError(error)))

    def on_completed(self) -> None:
        self.messages.append(Recorded(self.scheduler.clock, OnCompleted()))


class MockDisposable(Disposable):
    """Writes down when it was made and disposed."""

    def __init__(self, scheduler: TestScheduler) -> None:
        super().__init__()
        self.scheduler = scheduler
        self.disposes: list[float] = [scheduler.clock]

    def dispose(self) -> None:
        self.disposes.append(self.scheduler.clock)


class _Played(Observable[Any]):
    """Writes down who was subscribed, and when."""

    def __init__(self, scheduler: TestScheduler) -> None:
        self.scheduler = scheduler
        self.subscriptions: list[Subscription] = []
        self.heard_by: dict[int, Observer] = {}
        made = of_create(self._begin)
        self._become(made._make)

    def _begin(self, observer: Observer, _: Any) -> Any:
        index = len(self.subscriptions)
        self.subscriptions.append(Subscription(self.scheduler.clock))
        end = self._play(observer)
        self.heard_by[index] = observer  # an observer that nobody keeps hears no end

        def leave() -> None:
            self.heard_by.pop(index, None)
            begun = self.subscriptions[index].subscribe
            self.subscriptions[index] = Subscription(begun, self.scheduler.clock)
            end()

        return leave

    def _play(self, observer: Observer) -> Callable[[], Any]:
        raise NotImplementedError


class ColdObservable(_Played):
    """Plays to each subscriber anew."""

    def __init__(self, scheduler: TestScheduler, messages: list[Recorded]) -> None:
        self.messages = messages
        super().__init__(scheduler)

    def _play(self, observer: Observer) -> Callable[[], Any]:
        jobs = [
            self.scheduler.schedule_relative(
                each.time, lambda *_, event=each.value: event.accept(observer))
            for each in self.messages
        ]

        def leave() -> None:
            for job in jobs:
                job.dispose()

        return leave


class HotObservable(_Played):
    """Plays once, to those that are subscribed."""

    def __init__(self, scheduler: TestScheduler, messages: list[Recorded]) -> None:
        self.messages = messages
        self.observers: list[Observer] = []
        super().__init__(scheduler)
        for each in messages:
            scheduler.schedule_absolute(
                each.time, lambda *_, event=each.value: self._send(event))

    def _send(self, event: Notification) -> None:
        for observer in list(self.observers):
            event.accept(observer)

    def _play(self, observer: Observer) -> Callable[[], Any]:
        self.observers.append(observer)
        return lambda: self.observers.remove(observer)


class TestScheduler(VirtualTimeScheduler):
    """A virtual clock, in ticks of a second."""

    __test__ = False

    def start(
        self,
        create: Callable[[], Any] | None = None,
        created: float | None = None,
        subscribed: float | None = None,
        disposed: float | None = None,
    ) -> Any:
        if create is None and created is subscribed is disposed is None:
            return super().start()
        observer = self.create_observer()
        state: dict[str, Any] = {}

        def begin(*_: Any) -> None:
            state["source"] = create() if create is not None else None

        def subscribe(*_: Any) -> None:
            if state.get("source") is not None:
                state["heard"] = state["source"].subscribe(observer, scheduler=self)

        def dispose(*_: Any) -> None:
            if "heard" in state:
                state["heard"].dispose()

        self.schedule_absolute(created or ReactiveTest.created, begin)
        self.schedule_absolute(subscribed or ReactiveTest.subscribed, subscribe)
        self.schedule_absolute(disposed or ReactiveTest.disposed, dispose)
        super().start()
        return observer

    def create_hot_observable(self, *messages: Any) -> HotObservable:
        return HotObservable(self, _listed(messages))

    def create_cold_observable(self, *messages: Any) -> ColdObservable:
        return ColdObservable(self, _listed(messages))

    def create_observer(self) -> MockObserver:
        return MockObserver(self)


def _listed(messages: tuple[Any, ...]) -> list[Recorded]:
    return list(messages[0]) if messages and not isinstance(messages[0], Recorded) else list(
        messages)


def is_prime(number: int) -> bool:
    return number > 1 and all(number % each for each in range(2, int(number**0.5) + 1))


__all__ = [
    "ColdObservable", "HotObservable", "MockDisposable", "MockObserver", "OnErrorPredicate",
    "OnNextPredicate", "ReactiveTest", "Recorded", "Subscription", "TestScheduler", "is_prime",
]
