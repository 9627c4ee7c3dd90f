"""`async with subscription`: disposed at its end, as by `with`."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ._librac import Disposable


async def enter(self: Any) -> Any:
    return self


async def leave(
    self: Any,
    kind: type[BaseException] | None,
    error: BaseException | None,
    traceback: TracebackType | None,
) -> None:
    self.dispose()


for _name, _function in {"__aenter__": enter, "__aexit__": leave}.items():
    _function.__name__ = _name
    _function.__qualname__ = "Disposable." + _name
    setattr(Disposable, _name, _function)
