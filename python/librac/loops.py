"""The main scheduler in the loop of a host: asyncio, trio, tkinter, Qt.

The main scheduler has a descriptor that is readable as long as it has something to
do. A host's loop that watches it runs what is due, in its own thread, and sleeps
otherwise.
"""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from . import _librac, trio_loop
from ._librac import Disposable, Scheduler

__all__ = ["attach", "attach_qt", "attach_tkinter"]

# The loop that serves the main scheduler, if it is asyncio's; weak, for a loop that
# was closed and forgotten serves nothing.
_serving: weakref.ref[asyncio.AbstractEventLoop] | None = None


def attach(loop: asyncio.AbstractEventLoop | None = None) -> Disposable:
    """Has an asyncio loop run the main scheduler, until disposed: the running one if
    none is given. The loop has to be that of the main thread. Where trio runs, its run
    does.

    Subscribing in a coroutine, and all that awaits, do it by themselves. Call it where
    signals were subscribed to before the loop began, and to end it.
    """
    loop = _loop_given(loop, "attach")
    _serve(loop)
    return Disposable(lambda: _desert(loop))


def _loop_given(
    loop: asyncio.AbstractEventLoop | None, function: str
) -> asyncio.AbstractEventLoop:
    if loop is None:
        return running()
    if not hasattr(loop, "call_soon_threadsafe"):
        raise TypeError(f"{function}(): loop must be an asyncio event loop, not {loop!r}")
    return loop


def running() -> asyncio.AbstractEventLoop:
    """The loop of this task, or a run of trio in its place."""
    return running_or_none() or asyncio.get_running_loop()  # which raises


def running_or_none() -> asyncio.AbstractEventLoop | None:
    loop: asyncio.AbstractEventLoop | None = asyncio._get_running_loop() or trio_loop.running()
    return loop


async def turn() -> None:
    """Other tasks have their turn."""
    if asyncio._get_running_loop() is None:
        await trio_loop.running().turn()
    else:
        await asyncio.sleep(0)


def serve_running(loop: asyncio.AbstractEventLoop) -> None:
    """attach(), for a loop that is running in this thread and may be another's than
    the main one's, which serves no scheduler."""
    serving = _serving() if _serving is not None else None
    if serving is not loop and _librac.is_main_thread():
        _serve(loop)


def serve_where_running() -> None:
    """attach(), if a loop is running in this thread."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    serve_running(loop)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    global _serving
    loop.add_reader(_librac.main_fd(), _librac.main_drain)
    _serving = weakref.ref(loop)


def _desert(loop: asyncio.AbstractEventLoop) -> None:
    global _serving
    if _serving is not None and _serving() is loop:
        _serving = None
    if not loop.is_closed():
        loop.remove_reader(_librac.main_fd())


def refuse_to_wait(function: str, instead: str) -> None:
    """Waiting stops a loop that is running in this thread, and perhaps for ever. Cells of
    a notebook run inside of one, too, and have nothing else."""
    from . import notebooks

    if asyncio._get_running_loop() is not None and not notebooks.is_notebook():
        raise _librac.Deadlock(f"{function}(): use `{instead}` where an asyncio loop is running")


_librac.set_loop_hook(asyncio._get_running_loop, serve_running, refuse_to_wait)


def attach_tkinter(widget: Any) -> Disposable:
    """Has tkinter's mainloop() run the main scheduler, until disposed. `widget` is the
    root or any other; call it on the thread of mainloop()."""
    import tkinter

    descriptor = _librac.main_fd()
    tk: Any = getattr(widget, "tk", None)
    if not hasattr(tk, "createfilehandler"):
        raise TypeError(f"attach_tkinter(): widget must be one of tkinter's, not {widget!r}")

    tk.createfilehandler(descriptor, tkinter.READABLE, lambda *_: _librac.main_drain())

    def detach() -> None:
        try:
            tk.deletefilehandler(descriptor)
        except tkinter.TclError:
            pass  # the application is gone, and its handlers with it

    return Disposable(detach)


def attach_qt(application: Any = None) -> Disposable:
    """Has Qt's event loop run the main scheduler, until disposed: PySide6, PyQt6,
    PySide2 or PyQt5, whichever the program has imported."""
    core = _qt_core()
    if application is None:
        application = core.QCoreApplication.instance()
        if application is None:
            raise RuntimeError("attach_qt(): make the QApplication first")
    kinds = getattr(core.QSocketNotifier, "Type", core.QSocketNotifier)
    notifier = core.QSocketNotifier(_librac.main_fd(), kinds.Read, application)
    notifier.activated.connect(lambda *_: _librac.main_drain())

    def detach() -> None:
        notifier.setEnabled(False)
        notifier.deleteLater()

    return Disposable(detach)


def _qt_core() -> Any:
    import importlib
    import sys

    names = ["PySide6", "PyQt6", "PySide2", "PyQt5"]
    for name in sorted(names, key=lambda name: name + ".QtCore" not in sys.modules):
        try:
            return importlib.import_module(name + ".QtCore")
        except ImportError:
            continue
    raise ImportError("attach_qt(): none of " + ", ".join(names) + " is installed")


def _for_loop(loop: asyncio.AbstractEventLoop | None = None) -> Scheduler:
    """A scheduler whose jobs run in an asyncio loop, whichever thread has it; the
    running one, or trio's run, if none is given. For deliver_on, mostly: callbacks
    behind it run in the loop."""
    loop = _loop_given(loop, "Scheduler.for_loop")

    def enqueue(scheduler: Scheduler) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(scheduler.take_turn)

    return Scheduler.over_queue(enqueue, "asyncio")


def _for_tkinter(widget: Any) -> Scheduler:
    """The main scheduler, which tkinter's mainloop() runs from now on."""
    attach_tkinter(widget)
    return Scheduler.main()


def _for_qt(application: Any = None) -> Scheduler:
    """The main scheduler, which Qt's event loop runs from now on."""
    attach_qt(application)
    return Scheduler.main()


_makers: dict[str, Any] = {
    "for_loop": _for_loop,
    "for_tkinter": _for_tkinter,
    "for_qt": _for_qt,
}
for _name, _make in _makers.items():
    _make.__name__ = _name
    _make.__qualname__ = "Scheduler." + _name
    setattr(Scheduler, _name, staticmethod(_make))
