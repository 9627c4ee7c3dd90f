"""Subscriptions that do not end, ends that do not arrive, and objects that are never released."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count, duration
from ..recording import COMPLETED, ERROR, Recording, Subscription
from .finding import Finding

#: A signal of the system is listened for as long as the program runs.
LASTING = {"rac_signal_posix_signal", "posix_signal"}
MOMENT = 1_000_000  # nanoseconds in which a worker delivers what waits
STUCK = 1_000_000_000  # nanoseconds after which an end that waits is one that got stuck


def find_never_ended(recording: Recording) -> Iterator[Finding]:
    """At the exit, what the program subscribed to and neither ended nor disposed."""
    inputs = recording.inputs()
    alive = [each for each in inputs.get(0, []) if not each.is_over and not each.target]
    # A program that disposes little leaves it to the exit; one that disposes nearly all forgot few.
    if not _cleans_up(recording) or len({recording.place_of(each) for each in alive}) > 2:
        return
    for each in alive:
        chain = list(_above(inputs, each))
        tops = [one for one in chain if one.id not in inputs and one is not each]
        if tops and all(one.is_over for one in tops):
            continue  # it has been disposed, and is held by a callback that runs yet
        if any(one.operator in LASTING for one in tops or [each]):
            continue
        above = [one for one in chain if one.source and not one.is_over]
        sources = [
            recording.subjects[one.source] for one in above if one.source in recording.subjects
        ]
        why = "nothing has ended it"
        if sources:
            made = f", made at {sources[0].place}," if sources[0].place else ""
            why = f"its source {sources[0].label}{made} is alive and has not ended"
        yield Finding(
            "never ended",
            each.label,
            f"neither ended nor disposed; {why}",
            "End the source, dispose the subscription, or bind it to something that goes "
            "(take_until). A context that keeps the source keeps both for ever.",
            recording.place_of(each),
            (each.id, *(source.id for source in sources)),
            "never ended",
        )


def _cleans_up(recording: Recording) -> bool:
    """Whether it has come to its end: what exit() in a callback leaves behind, and what jobs
    that were not run keep, says nothing."""
    if recording.state != "exited" or recording.exits_inside:
        return False
    return recording.leaked != 0 and not any(
        each.waiting for each in recording.schedulers.values()
    )


def _above(inputs: dict[int, list[Subscription]], each: Subscription) -> Iterator[Subscription]:
    waiting, seen = [each], {each.id}
    while waiting:
        one = waiting.pop()
        yield one
        for above in inputs.get(one.id, []):
            if above.id not in seen:
                seen.add(above.id)
                waiting.append(above)


def find_waiting_end(recording: Recording) -> Iterator[Finding]:
    """All its inputs have ended, and its own end has not come: it waits with the values."""
    inputs = recording.inputs()
    is_left = any(
        each.waiting and each.kind != "background" for each in recording.schedulers.values()
    )
    for each in recording.subscriptions.values():
        above = inputs.get(each.id, [])
        if each.is_over or each.is_sender_gone or not above:
            continue
        if any(one.how not in (COMPLETED, ERROR) for one in above):
            continue
        since = max(one.end or 0 for one in above)
        waited = recording.duration - since
        # At an exit the ends of what is released then are on their way, and what a worker is
        # about to deliver.
        is_stuck = each.waiting and (is_left or waited > MOMENT)
        if is_stuck if recording.is_final else waited > STUCK:
            behind = f" behind {count(each.waiting, 'value')}" if each.waiting else ""
            yield Finding(
                "end waits",
                each.label,
                f"{above[-1].label} has ended, but the end still waits{behind}"
                f"{', since ' + duration(waited) if since else ''}",
                _TAKE if each.waiting and each.values else _RUN,
                recording.place_of(each),
                (each.id,),
                "end waits",
            )


_RUN = (
    "Whatever delivers it does not run: run its scheduler, advance its time, or let what is below "
    "take the values."
)
_TAKE = (
    "Values have come through: what is below is slow, or the program was over before. Wait for "
    "the end, or make it faster; if its scheduler has stopped, run it."
)


def find_leaks(recording: Recording) -> Iterator[Finding]:
    """At the exit, subjects and properties that were not released."""
    # A subject neither named nor sent into may be an operator's own.
    left = [
        each
        for each in recording.subjects.values()
        if each.gone is None and each.kind != "group"
        and (each.name or each.values or each.kind == "property")
    ]
    if not _cleans_up(recording) or len(left) > 2:
        return
    is_waited = bool(recording.waiting_jobs) or any(
        one.waiting for one in recording.schedulers.values()
    )
    for each in left:
        if is_waited and not each.subscribers:
            continue  # a job that has not run may hold it
        heard = [one for one in recording.subscriptions.values() if one.source == each.id]
        listeners = [one.label for one in heard if not one.is_over]
        place = each.place or next((recording.place_of(one) for one in heard), "")
        kept = "a variable still holds it"
        if each.subscribers:
            kept = f"it has {count(each.subscribers, 'subscriber')}"
        yield Finding(
            "leak",
            f"{each.kind} {each.name or f'#{each.id}'}",
            f"never released; {kept} at the exit, where {count(recording.leaked, 'object')} lived",
            "Release it, and end it first: a context of its own subscriber"
            f"{' ' + listeners[0] if listeners else ''} may keep it (a cycle)."
            if each.subscribers
            else "Release it.",
            place,
            (each.id,),
            "leaked",
        )
