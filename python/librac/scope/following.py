"""Follows a recording while the program runs, and draws it for those who look."""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable

from . import graph, graph_svg, marbles, marbles_svg, tables, text
from .fileformat import WANTED_AT
from .findings import Finding, find
from .reader import Reader

PARTS = ("status", "findings", "graph", "names", "marbles", "busiest", "counters")
_INTERVAL = 0.25


class Follower:
    """Any number of pages look at it; each has its own words."""

    def __init__(self, path: str, *, events: int = 40_000) -> None:
        self.path = path
        self._events = events
        self._reader: Reader | None = None
        self._changed = threading.Condition()
        self._version = 0
        self._found: list[Finding] = []
        self._drawn: dict[str, tuple[int, dict[str, str]]] = {}
        self._is_over = False
        self._was_wanted: int | None = None

    # ---- Reading

    def run(self, is_enough: Callable[[], bool]) -> None:
        """Reads until `is_enough` says so, then once more."""
        pause = _INTERVAL
        while not is_enough():
            pause = self.read_once()
            time.sleep(pause)
        self.read_once()

    def read_once(self) -> float:
        """Answers how long to wait: reading takes no more than a part of the time."""
        begin = time.monotonic()
        with self._changed:
            if self._is_over or self._reader is None and not self._open():
                return _INTERVAL
            assert self._reader
            if self._reader.refresh():
                self._version += 1
                self._found = find(self._reader.recording)
                self._changed.notify_all()
        return max(_INTERVAL, 4 * (time.monotonic() - begin))

    def _open(self) -> bool:
        try:
            reader = Reader(self.path, most_events=self._events)
            reader.refresh()
        except (OSError, ValueError):
            return False  # the program has not begun to record
        self._reader = reader
        self._version += 1
        self._found = find(reader.recording)
        self._changed.notify_all()
        self._want_events()
        return True

    def _want_events(self) -> None:
        """A program that only counts records events while somebody looks."""
        try:
            with open(self.path, "r+b", buffering=0) as file:
                before = struct.unpack("=I", os.pread(file.fileno(), 4, WANTED_AT))[0]
                if before == 0:
                    os.pwrite(file.fileno(), struct.pack("=I", 1), WANTED_AT)
                    self._was_wanted = 0
        except OSError:
            pass  # it may be read, not written

    def close(self) -> None:
        with self._changed:
            if self._is_over:
                return
            self._is_over = True
            self._changed.notify_all()
            if self._reader:
                self._reader.close()
        if self._was_wanted is not None:
            with open(self.path, "r+b", buffering=0) as file:
                os.pwrite(file.fileno(), struct.pack("=I", self._was_wanted), WANTED_AT)

    # ---- Drawing

    def next(self, seen: int, words: str, timeout: float) -> tuple[int, dict[str, str]] | None:
        """What there is to see once it is newer than `seen`; None when nothing came in time."""
        with self._changed:
            if self._version == seen and not self._is_over:
                self._changed.wait(timeout)
            if self._is_over or self._reader is None or self._version == seen:
                return None
            kept = self._drawn.get(words)
            if kept is None or kept[0] != self._version:
                kept = self._version, self._draw(words)
                if len(self._drawn) > 20:
                    self._drawn.clear()
                self._drawn[words] = kept
            return kept

    @property
    def is_over(self) -> bool:
        return self._is_over

    def _draw(self, words: str) -> dict[str, str]:
        assert self._reader
        recording = self._reader.recording
        built = graph.build(recording, self._found, words=words)
        arranged = marbles.arrange(recording, self._found, columns=80, lanes=40, words=words)
        drawn = (
            text.summary(recording),
            tables.findings(self._found),
            graph_svg.draw(built, "Who listens to whom", has_heading=False),
            *marbles_svg.draw_apart(arranged, "Marbles"),
            tables.busiest(recording, words),
            tables.counters(recording, words),
        )
        return dict(zip(PARTS, drawn))
