"""One subscription for many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..observable import Observable, Observer, of_create
from ._making import Operator, of_signal


class ConnectableObservable(Observable[Any]):
    """Hears its source from connect() on."""

    def __init__(self, source: Any, subject: Any) -> None:
        self._source, self.subject = source, subject
        self._connection: Any = None
        self._become(lambda scheduler: subject.signal(scheduler))

    def connect(self, scheduler: Any = None) -> Any:
        from ..disposable import Disposable

        if self._connection is None:
            subscription = self._source.subscribe(self.subject, scheduler=scheduler)

            def disconnect() -> None:
                self._connection = None
                subscription.dispose()

            self._connection = Disposable(disconnect)
        return self._connection

    def auto_connect(self, subscriber_count: int = 1) -> Observable[Any]:
        heard = [0]

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            subscription = self.subscribe(observer, scheduler=scheduler)
            heard[0] += 1
            if heard[0] == subscriber_count:
                self.connect(scheduler)
            return subscription

        if subscriber_count == 0:
            self.connect()
        return of_create(subscribe)


def multicast(
    subject: Any = None, *, subject_factory: Any = None, mapper: Any = None
) -> Operator:
    def operator(source: Any) -> Any:
        if subject_factory is None:
            return ConnectableObservable(source, subject)

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            from ..disposable import CompositeDisposable

            connectable = ConnectableObservable(source, subject_factory(scheduler))
            heard = mapper(connectable).subscribe(observer, scheduler=scheduler)
            return CompositeDisposable(heard, connectable.connect(scheduler))

        return of_create(subscribe)

    return operator


def publish(mapper: Callable[[Any], Any] | None = None) -> Operator:
    from ..subject import Subject

    if mapper is not None:
        return multicast(subject_factory=lambda _: Subject(), mapper=mapper)
    return lambda source: ConnectableObservable(source, Subject())


def publish_value(initial_value: Any, mapper: Callable[[Any], Any] | None = None) -> Operator:
    from ..subject import BehaviorSubject

    if mapper is not None:
        return multicast(
            subject_factory=lambda _: BehaviorSubject(initial_value), mapper=mapper)
    return lambda source: ConnectableObservable(source, BehaviorSubject(initial_value))


def replay(
    buffer_size: int | None = None,
    window: Any = None,
    *,
    mapper: Callable[[Any], Any] | None = None,
    scheduler: Any = None,
) -> Operator:
    from ..subject import ReplaySubject

    if mapper is not None:
        return multicast(
            subject_factory=lambda at: ReplaySubject(buffer_size, window, scheduler or at),
            mapper=mapper)
    return lambda source: ConnectableObservable(
        source, ReplaySubject(buffer_size, window, scheduler))


def ref_count() -> Operator:
    def operator(source: Any) -> Observable[Any]:
        state: dict[str, Any] = {"count": 0, "connection": None}

        def subscribe(observer: Observer, scheduler: Any) -> Any:
            state["count"] += 1
            heard = source.subscribe(observer, scheduler=scheduler)
            if state["count"] == 1:
                state["connection"] = source.connect(scheduler)

            def leave() -> None:
                heard.dispose()
                state["count"] -= 1
                if state["count"] == 0:
                    connection, state["connection"] = state["connection"], None
                    if connection is not None:
                        connection.dispose()

            return leave

        return of_create(subscribe)

    return operator


def share() -> Operator:
    return of_signal(lambda s, _: s.share())


__all__ = [
    "multicast",
    "publish",
    "publish_value",
    "ref_count",
    "replay",
    "share",
]
