"""Schedulers that nobody runs, timers that fire late, callbacks that take long."""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing import count, duration
from ..recording import Job, Recording, Scheduler, Subscription
from .finding import Finding

IDLE = 1_000_000_000  # nanoseconds that a job waits before somebody is missed
LATE = 100_000_000  # for a timer; a machine that is busy is late by less
VERY_LATE = 500_000_000  # without a job that was in the way
LONG = 150_000_000  # for a callback


def find_not_run(recording: Recording) -> Iterator[Finding]:
    now = recording.duration
    for each in recording.schedulers.values():
        if each.kind == "background":
            continue
        missed = _missed(recording, each)
        if missed:
            yield Finding(
                "not run",
                f"{each.kind} scheduler {each.name}".strip(),
                f"{count(len(missed), 'timer')} came due and had to wait until disposed; "
                "nobody runs it, no job has run",
                _advice(recording, each.kind),
                each.place,
                (each.id,),
                "nobody runs it",
            )
        if not each.waiting:
            continue
        ready = [job for job in recording.waiting_jobs if _is_ready(job, each, now)]
        if not ready and (recording.has_events or each.jobs):
            continue
        asked = min((job.due or job.asked or 0 for job in ready), default=0)
        last = max(asked, each.last_begin or 0)
        # A program may end with jobs that it asked for just now.
        least = IDLE if recording.state == "running" else LATE
        if now - last < least and (each.jobs or recording.state == "running"):
            continue
        ran = f"the last of {count(each.jobs, 'job')} began {duration(now - last)} ago"
        yield Finding(
            "not run",
            f"{each.kind} scheduler {each.name}".strip(),
            f"{count(max(len(ready), each.waiting), 'job')} wait"
            f"{'s' if max(len(ready), each.waiting) == 1 else ''}, and nobody runs it"
            + (f"; {ran}" if each.jobs else "; none has run"),
            _advice(recording, each.kind),
            each.place,
            (each.id,),
            "nobody runs it",
        )


def _advice(recording: Recording, kind: str) -> str:
    if kind == "main":
        return recording.in_words(
            "Run the main scheduler: rac_main_run, rac_main_drain, or a loop that it is attached to.",
            "Run the main scheduler: wait(), an asyncio loop, or host.main_run().",
        )
    if kind == "virtual":
        advance = recording.in_words("rac_virtual_advance_by", "advance_by()")
        return f"Advance its time: {advance}."
    if kind == "host's":
        return "The host has to run the jobs that the library gives it."
    return "Run it, or use another scheduler."


def _missed(recording: Recording, scheduler: Scheduler) -> list[Job]:
    """Its timers that were disposed long after their time, if it has never run."""
    if scheduler.jobs or scheduler.kind == "virtual":
        return []
    return [
        job
        for job in recording.taken_back
        if job.scheduler == scheduler.id and job.due and (job.end or 0) - job.due >= LATE
    ]


def _is_ready(job: Job, scheduler: Scheduler, now: int) -> bool:
    is_due = job.due is None or scheduler.kind != "virtual" and job.due <= now
    return job.scheduler == scheduler.id and job.begin is None and is_due


def find_late(recording: Recording) -> Iterator[Finding]:
    """For each scheduler the timer that was latest, and what was in its way."""
    worst: dict[int, tuple[int, Job]] = {}
    for job in recording.jobs:
        scheduler = recording.schedulers.get(job.scheduler)
        if job.due is None or job.begin is None or scheduler and scheduler.kind == "virtual":
            continue
        late = job.begin - job.due
        if late >= LATE and late > worst.get(job.scheduler, (0, job))[0]:
            worst[job.scheduler] = late, job
    for id, (late, job) in worst.items():
        culprit = _culprit(recording, job, late)
        if culprit is None and late < VERY_LATE:
            continue
        times = sum(
            1
            for one in recording.jobs
            if one.scheduler == id and one.due and one.begin and one.begin - one.due >= LATE
        )
        scheduler = recording.schedulers.get(id)
        name = (
            f"{scheduler.kind} scheduler {scheduler.name}".strip() if scheduler else "scheduler"
        )
        why = (
            f"a job before it took {duration((culprit.end or 0) - (culprit.begin or 0))}"
            if culprit
            else "nobody ran its scheduler in time"
        )
        yield Finding(
            "late",
            name,
            f"a timer fired {duration(late)} late, at {duration(job.begin or 0)}: {why}"
            + (f"; {times:,} timers were late" if times > 1 else ""),
            "Do what takes long on a background scheduler, or in smaller pieces.",
            (_place_at(recording, culprit) if culprit else "") or _place_at(recording, job),
            (id,),
            f"timer {duration(late)} late",
        )


def _culprit(recording: Recording, late: Job, by: int) -> Job | None:
    """The job that ran on the same thread when the timer was due."""
    found = [
        job
        for job in recording.jobs
        if job.thread == late.thread
        and job is not late
        and job.begin is not None
        and job.end is not None
        and job.begin < (late.begin or 0)
        and job.end > (late.due or 0)
        and job.end - job.begin >= by // 2
    ]
    return max(found, key=lambda job: (job.end or 0) - (job.begin or 0), default=None)


def _place_at(recording: Recording, job: Job) -> str:
    """Of the last subscription to which the job delivered."""
    place = ""
    for event in recording.events:
        if event.thread == job.thread and (job.begin or 0) <= event.time <= (job.end or 0):
            each = recording.subscriptions.get(event.subscription)
            place = (recording.place_of(each) if each else "") or place
    return place


def find_long_calls(recording: Recording) -> Iterator[Finding]:
    """The callbacks that took longest: those below which nothing takes as long."""
    long = [each for each in recording.subscriptions.values() if each.longest >= LONG]
    lowest = [each for each in long if not _is_below_as_long(recording, each)]
    told: set[str] = set()
    for each in sorted(lowest, key=lambda each: -each.longest)[:5]:
        place = recording.place_of(each)
        if place and place in told:
            continue
        told.add(place)
        below = recording.subscriptions.get(each.below)
        # A cascade is timed as a whole: which of the callbacks below took it is not known.
        ways = [one.label for one in recording.below(each)]
        who = f"the subscriber of {each.title}"
        if below:
            who = f"what follows it, {' → '.join(ways[:4])}{' → …' if len(ways) > 4 else ''},"
        often = (
            f"; {count(each.long_calls, 'call')} took longer than 1 ms" if each.long_calls else ""
        )
        yield Finding(
            "long call",
            each.label,
            f"{who} took {duration(each.longest)} for one value{often}",
            "Whoever sends waits for it. Do it on a background scheduler (deliver_on), or in "
            "smaller pieces.",
            place,
            (each.id,),
            f"call of {duration(each.longest)}",
        )


def _is_below_as_long(recording: Recording, each: Subscription) -> bool:
    return any(one.longest >= 0.7 * each.longest for one in recording.below(each))
