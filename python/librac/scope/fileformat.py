"""The file that a program records into, as docs/Recording.md has it: header, slots, raw events."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

MAGIC, VERSION, ORDER = b"librac\0\0", 1, 0x01020304
HEADER = struct.Struct("=8sIIIIQQqqqQIIQQQQQIIIIQQQqI")
HEADER_FIELDS = (
    "magic version order wanted state pid parent start clock stop slots_at slots_room slots_used "
    "definitions_at definitions_room definitions_used rings_at ring_size rings_room rings_used "
    "ring_events nodes lost_nodes lost_definitions lost_events leaked settled"
).split()
WANTED_AT = 16
SLOT = struct.Struct("=IBBHIIIIIIQQIIII")
RING = struct.Struct("=QQII16s")
RING_HEADER = 4096
EVENT = struct.Struct("=QIIBBHIQ")

# Kinds of nodes, and their flags.
SUBSCRIPTION, SUBJECT, PROPERTY, SCHEDULER, BOUND, COMMAND, EDGE, COUNTER = range(1, 9)
HAS_COMPLETED, HAS_FAILED, WAS_DISPOSED, IS_GONE, LOST_SENDER, UNHANDLED = 1, 2, 4, 8, 16, 32

# Kinds of events.
(TAKEN, MADE, VALUE, FAILED, ENDED, DISPOSAL, SENDER_GONE, GONE, HOST_VALUE, HOST_ERROR,
 HOST_END, DROPPED, HELD, HELD_END, MORE_WAIT, LONG_CALL, ASKED, BEGINS, ENDS, TIMER, FIRED,
 TAKEN_BACK, EXAMINED, NAMED, RUN_BEGINS, RUN_ENDS, NOBODY, NOTE, REFUSED, EXIT,
 MORE_TEXT, PROPERTY_BEGINS, PROPERTY_SET, CLOCK_READ) = range(1, 35)  # fmt: skip


class NotARecording(ValueError):
    """The file cannot be read, and the text says why."""


class Slot(NamedTuple):
    """The counters of a node."""

    node: int
    kind: int
    flags: int
    detail: int
    below: int
    source: int
    target: int
    place: int
    name: int
    thread: int
    made: int
    values: int
    waiting: int
    most: int
    lost: int
    slow: int


class Raw(NamedTuple):
    """An event, with the rest of its text."""

    time: int
    kind: int
    node: int
    cause: int
    depth: int
    type: int
    length: int
    extra: int
    bits: int
    thread: int
    more: bytes


class File:
    """Reads what is new each time; the program may go on meanwhile."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = open(path, "rb", buffering=0)
        self._read: dict[int, int] = {}  # of each ring, how many events
        self._owners: dict[int, int] = {}  # of each ring, the thread of what comes next
        self.header: dict[str, int] = {}
        self.threads: dict[int, str] = {}
        self.missed = 0  # events that were written over before they were read

    def close(self) -> None:
        self._file.close()

    def read(self, size: int, offset: int) -> bytes:
        """As much of it as there is: numbers of a file that was cut may be anything."""
        end = os.fstat(self._file.fileno()).st_size
        if offset >= end:
            return b""
        return os.pread(self._file.fileno(), min(size, end - offset), offset)

    def read_header(self) -> None:
        data = self.read(HEADER.size, 0)
        if not any(data[:8]):
            raise NotARecording(
                f"{self.path}: its program has not begun to record, or was killed before it had"
            )
        if len(data) < HEADER.size or data[:8] != MAGIC:
            raise NotARecording(f"{self.path}: this is no recording of librac")
        header = dict(zip(HEADER_FIELDS, HEADER.unpack(data)))
        if header["order"] != ORDER:
            raise NotARecording(f"{self.path}: made by a machine of another byte order")
        if header["version"] != VERSION:
            raise NotARecording(
                f"{self.path}: version {header['version']} of the format; this reads {VERSION}"
            )
        self.header = header

    def read_slots(self) -> list[Slot]:
        used = min(self.header["slots_used"], self.header["slots_room"])
        data = self.read(used * SLOT.size, self.header["slots_at"])
        data = data[: len(data) - len(data) % SLOT.size]
        return [Slot._make(each) for each in SLOT.iter_unpack(data) if each[0]]

    def read_events(self) -> list[Raw]:
        """What all threads added, in the order of time."""
        found: list[Raw] = []
        for index in range(min(self.header["rings_used"], self.header["rings_room"])):
            events = self._read_ring(index)
            if events is None:
                break
            found += events
        found.sort(key=lambda raw: raw.time)
        return found

    def _read_ring(self, index: int) -> list[Raw] | None:
        """What is new in it; None where the file ends before it."""
        room = self.header["ring_events"]
        at = self.header["rings_at"] + index * self.header["ring_size"]
        head = self.read(RING.size, at)
        if len(head) < RING.size or room == 0:
            return None
        written, _, thread, _, name = RING.unpack(head)
        read = self._read.get(index, 0)
        first = max(read, written - room)
        if written <= first:
            return []
        data = bytearray()
        place, left = first % room, written - first
        while left:
            part = min(left, room - place)
            data += self.read(part * EVENT.size, at + RING_HEADER + place * EVENT.size)
            place, left = (place + part) % room, left - part
        # Those that were written over meanwhile may be torn.
        again = RING.unpack(self.read(RING.size, at))[0]
        whole = max(first, again - room + 1) if again > written else first
        self.missed += whole - read
        self._read[index] = written
        self._name_thread(thread, name)
        return list(self._decode(bytes(data[(whole - first) * EVENT.size :]), index, thread))

    def _decode(self, data: bytes, index: int, thread: int) -> Iterator[Raw]:
        """The events; a ring that several threads used has a mark where the next begins."""
        data = data[: len(data) - len(data) % EVENT.size]
        events = list(EVENT.iter_unpack(data))
        owner = self._owners.get(index, thread)
        last: Raw | None = None
        for number, (stamp, node, cause, depth, type, length, extra, bits) in enumerate(events):
            kind = stamp & 255
            if kind == MORE_TEXT:
                if last:
                    start = number * EVENT.size + 8
                    last = last._replace(more=last.more + data[start : start + 24])
                continue
            if last:
                yield last
            if kind == TAKEN:
                owner = extra
                self._name_thread(owner, struct.pack("=Q", bits))
            last = Raw(
                stamp >> 8, kind, node, cause, depth, type, length, extra, bits, owner, b""
            )
        self._owners[index] = owner
        if last:
            yield last

    def _name_thread(self, thread: int, name: bytes) -> None:
        text = name.split(b"\0")[0].decode("utf-8", "replace")
        if len(text) >= len(self.threads.get(thread, "")):
            self.threads[thread] = text
