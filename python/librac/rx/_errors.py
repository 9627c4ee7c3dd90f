"""reactivex.internal.exceptions."""

from __future__ import annotations


class SequenceContainsNoElementsError(Exception):
    def __init__(self, msg: str | None = None) -> None:
        super().__init__(msg or "Sequence contains no elements")


class ArgumentOutOfRangeException(ValueError):
    def __init__(self, msg: str | None = None) -> None:
        super().__init__(msg or "Argument out of range")


class DisposedException(Exception):
    def __init__(self, msg: str | None = None) -> None:
        super().__init__(msg or "Object has been disposed")
