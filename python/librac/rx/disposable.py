"""reactivex.disposable over librac's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .. import _librac


class Disposable:
    """Calls an action once it is disposed."""

    def __init__(self, action: Callable[[], object] | None = None) -> None:
        self._disposable: Any = _librac.Disposable(action)

    @classmethod
    def of(cls, disposable: Any) -> Disposable:
        """Of one of librac's."""
        made = cls.__new__(cls)
        made._disposable = disposable
        return made

    def dispose(self) -> None:
        self._disposable.dispose()

    @property
    def is_disposed(self) -> bool:
        return bool(self._disposable.is_disposed)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()


class BooleanDisposable(Disposable):
    def __init__(self) -> None:
        super().__init__()


class CompositeDisposable(Disposable):
    """Disposes all that was added."""

    def __init__(self, *disposables: Any) -> None:
        if len(disposables) == 1 and isinstance(disposables[0], list):
            disposables = tuple(disposables[0])
        self.disposable: list[Any] = list(disposables)
        super().__init__(self.clear)

    def add(self, item: Any) -> None:
        if self.is_disposed:
            item.dispose()
        else:
            self.disposable.append(item)

    def remove(self, item: Any) -> bool:
        if self.is_disposed or item not in self.disposable:
            return False
        self.disposable.remove(item)
        item.dispose()
        return True

    def clear(self) -> None:
        left, self.disposable = self.disposable, []
        for each in left:
            each.dispose()

    def contains(self, item: Any) -> bool:
        return item in self.disposable

    def to_list(self) -> list[Any]:
        return list(self.disposable)

    @property
    def length(self) -> int:
        return len(self.disposable)

    def __len__(self) -> int:
        return self.length


class SerialDisposable(Disposable):
    """Holds one; a new one disposes the one before."""

    def __init__(self) -> None:
        self.current: Any = None
        super().__init__(self._drop)

    def _drop(self) -> None:
        old, self.current = self.current, None
        if old is not None:
            old.dispose()

    @property
    def disposable(self) -> Any:
        return self.current

    @disposable.setter
    def disposable(self, value: Any) -> None:
        if self.is_disposed:
            if value is not None:
                value.dispose()
            return
        self._drop()
        self.current = value


class RefCountDisposable(Disposable):
    """Disposes another one when it is disposed itself, and all that it has handed out."""

    def __init__(self, disposable: Any) -> None:
        self.underlying_disposable = disposable
        self._left = 1
        self._lock = threading.Lock()
        super().__init__(self._leave)

    def _leave(self) -> None:
        with self._lock:
            self._left -= 1
            last = self._left == 0
        if last:
            self.underlying_disposable.dispose()

    @property
    def disposable(self) -> Disposable:
        with self._lock:
            if self._left == 0:
                return Disposable()
            self._left += 1
        return Disposable(self._leave)


class MultipleAssignmentDisposable(SerialDisposable):
    """Holds one; a new one takes its place, and the one before stays as it is."""

    @property
    def disposable(self) -> Any:
        return self.current

    @disposable.setter
    def disposable(self, value: Any) -> None:
        if not self.is_disposed:
            self.current = value
        elif value is not None:
            value.dispose()


class SingleAssignmentDisposable(SerialDisposable):
    """Holds one, which is given once."""

    @property
    def disposable(self) -> Any:
        return self.current

    @disposable.setter
    def disposable(self, value: Any) -> None:
        if self.current is not None:
            raise Exception("Disposable has already been assigned")
        if self.is_disposed:
            if value is not None:
                value.dispose()
        else:
            self.current = value


class ScheduledDisposable(Disposable):
    """Disposes another one in a job of a scheduler."""

    def __init__(self, scheduler: Any, disposable: Any) -> None:
        self.scheduler, self.disposable = scheduler, disposable
        super().__init__(lambda: scheduler.schedule(lambda *_: disposable.dispose()))


__all__ = [
    "BooleanDisposable",
    "CompositeDisposable",
    "Disposable",
    "MultipleAssignmentDisposable",
    "RefCountDisposable",
    "ScheduledDisposable",
    "SerialDisposable",
    "SingleAssignmentDisposable",
]
