"""reactivex.abc: the names for annotations, of the classes that there are."""

from __future__ import annotations

from .disposable import Disposable as DisposableBase
from .observable import Observable as ObservableBase
from .observable import Observer as ObserverBase
from .scheduler import Scheduler as SchedulerBase
from .subject import Subject as SubjectBase

__all__ = ["DisposableBase", "ObservableBase", "ObserverBase", "SchedulerBase", "SubjectBase"]
