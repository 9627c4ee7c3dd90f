"""Operators that open observables of their own, and close them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..disposable import CompositeDisposable, RefCountDisposable
from ..observable import Observable, Observer, observable_of, of_create
from ._making import Operator


class Opened:
    """What an operator has open, by a key."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.source = CompositeDisposable()
        self.counted = RefCountDisposable(self.source)
        self.subjects: dict[Any, Any] = {}

    def add(self, key: Any, subject: Any) -> Observable[Any]:
        """An observable of a subject; while it is heard so is the source."""
        self.subjects[key] = subject

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            return CompositeDisposable(subject.subscribe(observer), self.counted.disposable)

        return of_create(subscribe)

    def send(self, key: Any, value: Any) -> None:
        self.subjects[key].on_next(value)

    def close(self, key: Any) -> None:
        subject = self.subjects.pop(key, None)
        if subject is not None:
            subject.on_completed()

    def fail(self, error: Exception) -> None:
        """All that is open, and the operator, end with the error."""
        subjects, self.subjects = self.subjects, {}
        for subject in subjects.values():
            subject.on_error(error)
        self.observer.on_error(error)

    def complete(self) -> None:
        subjects, self.subjects = self.subjects, {}
        for subject in subjects.values():
            subject.on_completed()
        self.observer.on_completed()


def opening(begin: Callable[[Any, Any, Opened], tuple[Any, Callable[[Any], None]]]) -> Operator:
    """An operator of a function that gets the source's signal, the scheduler and what is open,
    and returns a signal of events and what hears them. An exception of that ends everything."""

    def operator(source: Any) -> Observable[Any]:
        source = observable_of(source)

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            opened = Opened(observer)
            events, heard = begin(source.signal(scheduler), scheduler, opened)

            def on_next(event: Any) -> None:
                try:
                    heard(event)
                except Exception as error:
                    opened.fail(error)

            opened.source.add(events.subscribe(on_next, opened.fail))
            return opened.counted

        return of_create(subscribe)

    return operator
