"""Makes a Recording of the file that a program records into, while it runs or afterwards.

`refresh` reads what came since the last time, so that a page can follow a program for days.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from . import fileformat as f
from . import values
from .definitions import Definitions
from .drawing import printable
from .places import Places
from .recording import (
    COMPLETED,
    DISPOSED,
    DROP,
    ERROR,
    NEXT,
    SUBSCRIBE,
    Bound,
    Counter,
    Event,
    Failure,
    Job,
    Note,
    Reading,
    Recording,
    Refusal,
    Scheduler,
    Send,
    Subject,
    Subscription,
)

POLICIES = {1: "drop oldest", 2: "drop newest", 3: "latest", 4: "error", 5: "wait", 6: "refuse"}
SCHEDULERS = {1: "immediate", 2: "main", 3: "background", 4: "virtual", 5: "host's"}
SUBJECTS = {1: "subject", 2: "behavior subject", 3: "replay subject", 4: "group"}


class Reader:
    """`recording` is what is known; `refresh` adds to it."""

    def __init__(self, path: str, *, most_events: int = 2_000_000) -> None:
        self._most_events = most_events
        self._file = f.File(path)
        self.recording = Recording(path=path)
        self._definitions = Definitions()
        self._places = Places(self._definitions)
        self._jobs: dict[int, list[Job]] = {}  # that have not ended, by key
        self._slots: dict[int, f.Slot] = {}
        self._went_on: dict[int, Bound] = {}  # of each thread, the bound that held it up
        self._targets: set[int] = set()  # what subscriptions end in

    def close(self) -> None:
        self._file.close()

    def refresh(self) -> bool:
        """Reads what is new; answers whether anything is."""
        self._file.read_header()
        # Events first: what they name is defined by then.
        events = self._file.read_events()
        self._file.read_header()
        slots = {slot.node: slot for slot in self._file.read_slots()}
        self._definitions.read(self._file.read, self._file.header)
        self.recording.is_python = self._definitions.is_python
        state = self._state()
        if not events and slots == self._slots and state == self.recording.state:
            return False
        changed = [slot for node, slot in slots.items() if slot != self._slots.get(node)]
        self._slots = slots
        self.recording.state = state
        for slot in sorted(changed):
            self._apply(slot)
        for raw in events:
            self._take(raw)
        self._finish()
        return True

    def _state(self) -> str:
        header = self._file.header
        state = {2: "stopped", 3: "exited"}.get(header["state"], "running")
        return state if state != "running" or _is_running(header["pid"]) else "killed"

    # ---- Slots

    def _subscription(self, id: int) -> Subscription:
        found = self.recording.subscriptions.get(id)
        if found is None:
            found = self.recording.subscriptions[id] = Subscription(id)
        return found

    def _apply(self, slot: f.Slot) -> None:
        recording, id = self.recording, slot.node
        if slot.kind == f.SUBSCRIPTION:
            self._apply_subscription(self._subscription(id), slot)
        elif slot.kind in (f.SUBJECT, f.PROPERTY, f.COMMAND):
            subject = recording.subjects.setdefault(id, Subject(id))
            self._describe(subject, slot)
            kinds = {f.PROPERTY: "property", f.COMMAND: "command"}
            subject.kind = kinds.get(slot.kind, SUBJECTS.get(slot.detail, "subject"))
            subject.values, subject.subscribers = slot.values, slot.waiting
        elif slot.kind == f.SCHEDULER:
            scheduler = recording.schedulers.setdefault(id, Scheduler(id))
            self._describe(scheduler, slot)
            scheduler.kind = SCHEDULERS.get(slot.detail, "")
            scheduler.jobs, scheduler.waiting, scheduler.most = slot[11:14]
            scheduler.longest = max(scheduler.longest, slot.slow * 1000)
        elif slot.kind == f.BOUND:
            bound = recording.bounds.setdefault(id, Bound(id))
            self._describe(bound, slot)
            bound.policy = POLICIES.get(slot.detail, "")
            bound.below, bound.source = slot.below, slot.source
            bound.values, bound.held = slot.values, slot.slow
        elif slot.kind == f.COUNTER:
            counter = recording.counters.setdefault(id, Counter(id))
            self._describe(counter, slot)
            counter.value = slot.values - (slot.values >> 63 << 64)
        elif slot.kind == f.EDGE:
            derived = recording.subjects.setdefault(slot.below, Subject(slot.below))
            derived.parts.add(slot.source)

    def _describe(self, node: Any, slot: f.Slot) -> None:
        node.thread, node.made = slot.thread, slot.made
        node.name = self._definitions.text(slot.name)
        node.place = self._places.of(slot.place)
        if slot.flags & f.IS_GONE and node.gone is None:
            node.gone = self.recording.duration

    def _apply_subscription(self, each: Subscription, slot: f.Slot) -> None:
        self._describe(each, slot)
        each.operator = self._definitions.operator(slot.place)
        each.word = self._definitions.word(each.operator)
        # The lowest bit says that values may wait before it.
        each.identity, each.has_queue = slot.detail & ~1, bool(slot.detail & 1)
        each.below, each.source, each.target = slot[4:7]
        self._targets.add(each.target)
        each.values, each.waiting, each.most, each.lost = slot[11:15]
        each.longest = max(each.longest, slot.slow * 1000)
        each.is_sender_gone = bool(slot.flags & f.LOST_SENDER)
        each.is_unhandled = bool(slot.flags & f.UNHANDLED)
        if each.how:
            return
        if slot.flags & f.HAS_FAILED:
            each.how = ERROR
        elif slot.flags & f.HAS_COMPLETED:
            each.how = COMPLETED
        elif slot.flags & f.WAS_DISPOSED:
            each.how = DISPOSED

    # ---- Events

    def _take(self, raw: f.Raw) -> None:
        self.recording.duration = max(self.recording.duration, raw.time)
        take = _TAKERS.get(raw.kind)
        if take:
            take(self, raw)

    def _add(self, raw: f.Raw, kind: str, text: str = "") -> None:
        self.recording.events.append(
            Event(raw.time, kind, raw.node, text, raw.thread, raw.cause, raw.depth)
        )

    def _take_made(self, raw: f.Raw) -> None:
        slot = self._slots.get(raw.node)
        if slot and slot.kind != f.SUBSCRIPTION:
            return
        place = raw.bits >> 32
        if slot is None:
            # Its slot has been used again.
            if not self._definitions.operator(place):
                return
            each = self._subscription(raw.node)
            each.below, each.thread, each.made = raw.extra, raw.thread, raw.time
            each.operator = self._definitions.operator(place)
            each.word = self._definitions.word(each.operator)
            each.place = self._places.of(place)
        self._add(raw, SUBSCRIBE)

    def _take_value(self, raw: f.Raw) -> None:
        each = self._subscription(raw.node)
        each.seen += 1
        # The thread's next send is the one that was held up.
        bound = self._went_on.pop(raw.thread, None)
        if bound and not bound.below:
            bound.below, bound.source = each.id, each.source
        if raw.node not in self._slots:
            each.values += 1
        self._add(raw, NEXT, values.text(raw))

    def _take_change(self, raw: f.Raw) -> None:
        """A property's value: the one that it began with, or a new one."""
        found = self.recording.subjects.setdefault(raw.node, Subject(raw.node, kind="property"))
        value, is_whole = values.value(raw)
        text = values.text(raw)
        self.recording.changes.append(
            Event(raw.time, NEXT, raw.node, text, raw.thread, raw.cause, raw.depth)
        )
        if raw.kind == f.PROPERTY_BEGINS:
            found.initial = value if is_whole else None
        elif not found.parts and not self._follows(raw):
            self._add_send(raw, NEXT, value, text, is_whole)

    def _follows(self, raw: f.Raw) -> bool:
        """Whether a property changed because it is bound to a signal, or to another property."""
        if raw.cause in (0, raw.node):
            return False
        cause = self.recording.subjects.get(raw.cause)
        return raw.node in self._targets or cause is not None and cause.kind == "property"

    def _take_end(self, raw: f.Raw) -> None:
        kind = {f.FAILED: ERROR, f.ENDED: COMPLETED}.get(raw.kind, DISPOSED)
        each = self._subscription(raw.node)
        if each.end is not None:
            return
        each.end, each.how = raw.time, kind
        self._add(raw, kind, values.error_text(raw) if kind == ERROR else "")

    def _take_gone(self, raw: f.Raw) -> None:
        for nodes in (self.recording.subscriptions, self.recording.subjects):
            found: Any = nodes.get(raw.node)
            if found:
                found.gone = raw.time

    def _take_host(self, raw: f.Raw) -> None:
        kind = {f.HOST_ERROR: ERROR, f.HOST_END: COMPLETED}.get(raw.kind, NEXT)
        value, is_whole = values.value(raw) if kind == NEXT else (None, kind == COMPLETED)
        text = values.text(raw) if kind == NEXT else ""
        self._add_send(raw, kind, value, text, is_whole)

    def _add_send(self, raw: f.Raw, kind: str, value: object, text: str, is_whole: bool) -> None:
        readings = len(self.recording.readings)
        self.recording.sends.append(
            Send(
                raw.time, raw.node, kind, value, text, is_whole, raw.thread, raw.cause, readings
            )
        )

    def _take_dropped(self, raw: f.Raw) -> None:
        self._subscription(raw.node).policy = POLICIES.get(raw.extra, "")
        self._add(raw, DROP)

    def _take_held(self, raw: f.Raw) -> None:
        bound = self.recording.bounds.get(raw.node)
        if bound:
            bound.held_time += raw.bits
            bound.longest_held = max(bound.longest_held, raw.bits)
            self._went_on[raw.thread] = bound

    def _take_long_call(self, raw: f.Raw) -> None:
        each = self._subscription(raw.node)
        each.long_calls += 1
        each.long_time += raw.bits
        each.longest = max(each.longest, raw.bits)

    def _take_job(self, raw: f.Raw) -> None:
        """Jobs are told by their keys. One that repeats asks again while it runs: what is to
        come then is behind it."""
        line = self._jobs.setdefault(raw.extra, [])
        runs = bool(line) and line[0].begin is not None
        if raw.kind in (f.BEGINS, f.ENDS):
            at = 0
        else:
            at = 1 if runs else 0
        if at >= len(line):
            line.append(Job(raw.node, None, None, None, None, None, raw.thread, raw.cause, None))
            at = len(line) - 1
        job = line[at]
        scheduler = self.recording.schedulers.get(raw.node)
        if raw.kind == f.ASKED and job.due is None:
            line[at] = job._replace(asked=raw.time)
        elif raw.kind == f.TIMER:
            line[at] = job._replace(asked=raw.time, due=raw.bits)
        elif raw.kind == f.FIRED:
            line[at] = job._replace(fired=raw.time, due=raw.bits)
        elif raw.kind == f.BEGINS:
            line[at] = job._replace(
                begin=raw.time, thread=raw.thread, readings=len(self.recording.readings)
            )
            if scheduler:
                scheduler.last_begin = raw.time
        elif raw.kind == f.ENDS:
            begin = raw.time - raw.bits if job.begin is None else job.begin
            self.recording.jobs.append(job._replace(begin=begin, end=raw.time))
            if scheduler:
                scheduler.longest = max(scheduler.longest, raw.bits)
            del line[at]
        elif raw.kind == f.TAKEN_BACK:
            self.recording.taken_back.append(job._replace(end=raw.time))
            del line[at]
        if not line:
            del self._jobs[raw.extra]

    def _take_reading(self, raw: f.Raw) -> None:
        self.recording.readings.append(Reading(raw.bits, raw.thread))

    def _take_nobody(self, raw: f.Raw) -> None:
        self.recording.failures.append(Failure(raw.time, raw.node, values.error_text(raw)))

    def _take_refused(self, raw: f.Raw) -> None:
        text, place = printable(values.text_of(raw)), self._places.of(raw.node)
        self.recording.refusals.append(Refusal(raw.time, raw.thread, text, place))

    def _take_examined(self, raw: f.Raw) -> None:
        refusals = self.recording.refusals
        for at in reversed(range(len(refusals))):
            if refusals[at].thread == raw.thread:
                del refusals[at]
                return

    def _take_note(self, raw: f.Raw) -> None:
        self.recording.notes.append(Note(raw.time, printable(values.text_of(raw))))

    def _take_exit(self, raw: f.Raw) -> None:
        self.recording.exits_inside = raw.depth > 0 or raw.cause != 0

    # ---- Afterwards

    def _finish(self) -> None:
        header, recording = self._file.header, self.recording
        recording.pid = header["pid"]
        recording.started, recording.origin = header["clock"] / 1e9, header["start"]
        recording.command = self._definitions.command
        recording.threads = self._file.threads
        recording.leaked, recording.is_settled = header["leaked"], bool(header["settled"])
        recording.missed = self._file.missed + header["lost_events"]
        recording.missed_nodes = header["lost_nodes"]
        recording.duration = max(recording.duration, header["stop"])
        recording.has_events = bool(recording.events or recording.changes)
        recording.waiting_jobs = [job for line in self._jobs.values() for job in line]
        for kept in (
            recording.events, recording.changes, recording.jobs, recording.sends,
            recording.taken_back, recording.readings,
        ):  # fmt: skip
            del kept[: -self._most_events]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


_TAKERS: dict[int, Callable[[Reader, f.Raw], None]] = {
    f.MADE: Reader._take_made,
    f.VALUE: Reader._take_value,
    f.FAILED: Reader._take_end,
    f.ENDED: Reader._take_end,
    f.DISPOSAL: Reader._take_end,
    f.GONE: Reader._take_gone,
    f.HOST_VALUE: Reader._take_host,
    f.HOST_ERROR: Reader._take_host,
    f.HOST_END: Reader._take_host,
    f.PROPERTY_BEGINS: Reader._take_change,
    f.PROPERTY_SET: Reader._take_change,
    f.DROPPED: Reader._take_dropped,
    f.HELD_END: Reader._take_held,
    f.LONG_CALL: Reader._take_long_call,
    **dict.fromkeys(
        (f.ASKED, f.BEGINS, f.ENDS, f.TIMER, f.FIRED, f.TAKEN_BACK), Reader._take_job
    ),
    f.CLOCK_READ: Reader._take_reading,
    f.NOBODY: Reader._take_nobody,
    f.REFUSED: Reader._take_refused,
    f.EXAMINED: Reader._take_examined,
    f.NOTE: Reader._take_note,
    f.EXIT: Reader._take_exit,
}


def read(path: str) -> Recording:
    """A file as it is now."""
    reader = Reader(path)
    try:
        reader.refresh()
    finally:
        reader.close()
    return reader.recording
