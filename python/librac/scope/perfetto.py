"""A recording as a trace for Perfetto (ui.perfetto.dev): TrackEvent in protobuf.

Threads and schedulers are tracks, jobs and long calls are slices, events of subscriptions are
instants. A flow leads from where a job was asked for to where it ran. Numbers of fields are those
of perfetto/trace/trace.proto; a message is written by hand, since the few kinds that are needed
are a tag, a number of variable length and bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .recording import DROP, NEXT, Event, Job, Recording

_BEGIN, _END, _INSTANT = 1, 2, 3
_SEQUENCE = 1
_PROCESS, _THREAD, _SCHEDULER, _LANE = (n << 48 for n in range(1, 5))  # kinds of tracks


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _fixed(field: int, value: int) -> bytes:
    return _varint(field << 3 | 1) + value.to_bytes(8, "little")


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, content: str) -> bytes:
    return _bytes(field, content.encode("utf-8", "replace"))


def _packet(content: bytes, time: int | None = None) -> bytes:
    """TracePacket in Trace.packet."""
    head = b"" if time is None else _number(8, time)
    return _bytes(1, head + content + _number(10, _SEQUENCE))


def _track(uuid: int, name: str, *, parent: int = 0, extra: bytes = b"") -> bytes:
    """TrackDescriptor: uuid 1, name 2, process 3, thread 4, parent_uuid 5, counter 8."""
    content = _number(1, uuid) + _text(2, name) + extra
    if parent:
        content += _number(5, parent)
    return _packet(_bytes(60, content))


def _annotation(name: str, value: str | int) -> bytes:
    """DebugAnnotation: name 10, int_value 4, string_value 6."""
    content = _text(10, name)
    content += _number(4, value) if isinstance(value, int) else _text(6, value)
    return _bytes(4, content)


def _event(
    time: int,
    kind: int,
    track: int,
    name: str = "",
    *,
    category: str = "",
    extra: bytes = b"",
    flows: Iterable[int] = (),
) -> bytes:
    """TrackEvent: type 9, track_uuid 11, categories 22, name 23, flow_ids 47."""
    content = _number(9, kind) + _number(11, track)
    if category:
        content += _text(22, category)
    if name:
        content += _text(23, name)
    content += b"".join(_fixed(47, flow) for flow in flows) + extra
    return _packet(_bytes(11, content), time)


def write(recording: Recording) -> bytes:
    return b"".join(_packets(recording))


def _packets(recording: Recording) -> Iterator[bytes]:
    # The first packet says that nothing refers to what came before.
    yield _packet(_number(13, 1))
    yield from _tracks(recording)
    for number, job in enumerate([*recording.jobs, *recording.waiting_jobs], 1):
        yield from _job(recording, job, number)
    for event in recording.events:
        yield _instant(recording, event)
    for note in recording.notes:
        yield _event(note.time, _INSTANT, _PROCESS, note.text, category="note")


def _tracks(recording: Recording) -> Iterator[bytes]:
    process = _number(1, recording.pid) + _text(6, recording.title)
    yield _track(_PROCESS, recording.title, extra=_bytes(3, process))
    threads = {event.thread for event in recording.events}
    threads |= {job.thread for job in recording.jobs}
    for thread in sorted(threads):
        name = recording.threads.get(thread) or f"thread {thread}"
        content = _number(1, recording.pid) + _number(2, thread) + _text(5, name)
        yield _track(_THREAD | thread, name, parent=_PROCESS, extra=_bytes(4, content))
    for scheduler in recording.schedulers.values():
        name = f"{scheduler.kind} scheduler {scheduler.name}".strip()
        yield _track(_SCHEDULER | scheduler.id, name, parent=_PROCESS)
    for each in recording.subscriptions.values():
        name = f"#{each.id} {each.title}"
        yield _track(_LANE | each.id, name, parent=_PROCESS)


def _job(recording: Recording, job: Job, number: int) -> Iterator[bytes]:
    track = _SCHEDULER | job.scheduler
    # The flow begins where the job was asked for.
    if job.asked is not None and job.begin is not None:
        yield _event(
            job.asked, _INSTANT, _THREAD | job.thread if not job.cause else _lane(recording, job),
            "timer asked" if job.due is not None else "job asked", category="job", flows=[number],
        )  # fmt: skip
    if job.begin is None:
        return
    extra = b""
    if job.due is not None:
        extra = _annotation("late, ns", max(0, job.begin - job.due))
    name = "timer" if job.due is not None else "job"
    flows = [number] if job.asked is not None else []
    yield _event(job.begin, _BEGIN, track, name, category="job", extra=extra, flows=flows)
    yield _event(recording.duration if job.end is None else job.end, _END, track)


def _lane(recording: Recording, job: Job) -> int:
    if job.cause in recording.subscriptions:
        return _LANE | job.cause
    return _THREAD | job.thread


def _instant(recording: Recording, event: Event) -> bytes:
    each = recording.subscriptions.get(event.subscription)
    extra = _annotation("subscription", event.subscription)
    if event.text:
        extra += _annotation("value", event.text)
    if each:
        extra += _annotation("signal", each.title)
        if each.place:
            extra += _annotation("place", each.place)
    if event.cause:
        extra += _annotation("cause", event.cause)
    name = event.text if event.kind == NEXT and event.text else event.kind
    if event.kind == DROP:
        name = f"dropped {event.text}"
    return _event(
        event.time, _INSTANT, _LANE | event.subscription, name, category=event.kind, extra=extra
    )
