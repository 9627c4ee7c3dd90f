"""Several properties set at once: nobody hears one without the others."""

from __future__ import annotations

from types import TracebackType

from . import _librac

__all__ = ["batch"]


class batch:
    """Sets properties together: with batch(): a.value = 1; b.value = 2.

    Until the end of the block other threads get the values from before, and the block
    what it has set, of derived properties too. Then all change, and what is derived
    from several is computed once. If the block raises, nothing is
    set. Inside of a callback it is refused (Deadlock): there, set the properties one by
    one, or schedule() what begins a batch.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        _librac.property_batch_begin()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            _librac.property_batch_end()
        else:
            _librac.property_batch_cancel()
