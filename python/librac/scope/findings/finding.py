"""A finding: a sentence about a fault that a recording shows, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    kind: str
    subject: str  # what it is about: "orders → to clerk"
    text: str  # what is wrong, with numbers
    advice: str  # what to do
    place: str  # "faults.c:31 window_open()", or ""
    nodes: tuple[int, ...]  # that a picture marks
    mark: str  # in few words, for a picture

    @property
    def sentence(self) -> str:
        return f"{self.subject}: {self.text}"
