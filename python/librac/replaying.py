"""Replays a recording: what the program sent, and every timer that fired, in the recorded order.

    def build(inputs):
        keys = inputs.subject("keys")
        return keys.debounce(0.3).switch_map(search)

    heard = librac.replay("run.rac", build)

The graph that `build` makes runs on virtual time, so a run that went wrong becomes a test. What
cannot be replayed exactly is refused with a sentence: see CannotReplay.
"""

from __future__ import annotations

import bisect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._librac import Error, Property, Scheduler, Signal, Subject
from .diagram import Diagram, Recorded

if TYPE_CHECKING:
    from .scope.recording import Job, Recording, Send

__all__ = ["CannotReplay", "Inputs", "replay"]

_FOREVER = 1 << 62


class CannotReplay(Error, ValueError):
    """The recording does not determine the run; the text says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)


class Inputs:
    """What the program sent into, by name, for the graph that is built anew."""

    def __init__(self, initials: dict[str, Any], clock: Scheduler) -> None:
        self.clock = clock
        self._initials = initials
        self._made: dict[str, Any] = {}

    def subject(self, name: str) -> Subject[Any]:
        """The subject of that name."""
        made: Subject[Any] = self._make(name, Subject)
        return made

    def property(self, name: str, initial: Any = None) -> Property[Any]:
        """The property of that name, with the value that it began with; `initial` is for one
        whose beginning is not in the recording."""
        began = self._initials.get(name)
        value = initial if began is None else began
        made: Property[Any] = self._make(name, lambda: Property(value))
        return made

    def _make(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def _send(self, name: str, send: Send) -> None:
        target = self._made.get(name)
        if target is None:
            return
        if send.kind == "completed":
            target.send_completed()
        elif isinstance(target, Property):
            target.value = send.value
        else:
            target.send(send.value)


class _Step(NamedTuple):
    """A send of the program, or a job that ran."""

    time: int
    readings: int  # of the clock, by all threads, before
    send: Send | None
    job: Job | None


def replay(
    recording: str | os.PathLike[str] | Recording, build: Callable[[Inputs], Signal[Any]]
) -> Diagram:
    """Plays a recording through a graph, and gives what was heard of the signal that
    `build` returns, with the times of the virtual clock.

    recording: a file that RAC_RECORD or record_start() made, or what scope.read() gave.
    build: makes the graph of `inputs.subject(name)` and `inputs.property(name)`; it is
        called, and its signal is subscribed to, when the program first subscribed.
    """
    from .scope import read

    if isinstance(recording, (str, os.PathLike)):
        recording = read(os.fspath(recording))
    names = _check(recording)
    return _Player(recording, names, build).play()


def _check(recording: Recording) -> dict[int, str]:
    """The names of what was sent into, by node; CannotReplay where it is not enough."""
    if not recording.has_events:
        raise CannotReplay("the recording has counters alone, and no events")
    if recording.missed:
        raise CannotReplay(
            f"{recording.missed:,} events were written over: how it began is not known"
        )
    threads = {send.thread for send in recording.sends} | {job.thread for job in recording.jobs}
    if len(threads) > 1:
        raise CannotReplay(f"{len(threads)} threads took part, in an order that is not recorded")
    names: dict[int, str] = {}
    for send in recording.sends:
        subject = recording.subjects.get(send.node)
        name = subject.name if subject else ""
        if not name:
            raise CannotReplay(
                f"something without a name was sent into, at {send.time / 1e9:g} s"
            )
        if subject and subject.kind not in ("subject", "property"):
            raise CannotReplay(f"{name} remembers: only plain subjects are replayed")
        if name in names.values() and send.node not in names:
            raise CannotReplay(f"two are named {name!r}")
        names[send.node] = name
        if send.cause and send.cause == send.node:
            raise CannotReplay(f"{name} was set in a batch, or while it told of another value")
        if send.cause:
            raise CannotReplay(f"{name} was sent into by a callback, which may be in the graph")
        if not send.is_whole:
            what = "an error" if send.kind == "error" else send.text or "a value"
            raise CannotReplay(f"{name} was sent what a recording does not hold whole: {what}")
    _check_beginning(recording, names)
    return names


def _check_beginning(recording: Recording, names: dict[int, str]) -> None:
    """What was made before the recording began is seen by its subscribers alone."""
    for event in recording.events:
        each = recording.subscriptions.get(event.subscription)
        subject = recording.subjects.get(each.source) if each else None
        if subject is None or subject.kind == "property" or subject.id in names:
            continue
        if subject.name and event.kind == "next" and event.cause == 0:
            raise CannotReplay(f"{subject.name} was there before the recording began")


class _Player:
    def __init__(
        self,
        recording: Recording,
        names: dict[int, str],
        build: Callable[[Inputs], Signal[Any]],
    ) -> None:
        self.recording, self.names, self.build = recording, names, build
        self.clock = Scheduler.virtual()
        subjects = recording.subjects
        initials = {name: subjects[node].initial for node, name in names.items()}
        self.inputs = Inputs(initials, self.clock)
        steps = [_Step(send.time, send.readings, send, None) for send in recording.sends]
        steps += [
            _Step(job.begin, job.readings, None, job)
            for job in recording.jobs
            if job.begin is not None and job.readings is not None
        ]
        self.steps = sorted(steps, key=lambda step: (step.time, step.readings))
        self.threads = {send.thread for send in recording.sends}
        self.threads |= {job.thread for job in recording.jobs}
        ends = ("next", "error", "completed")
        self.delivered = sorted(
            (each.time, each.thread)
            for each in recording.events
            if each.kind in ends and each.depth == 0 and self._waited(each.subscription)
        )

    def _waited(self, subscription: int) -> bool:
        found = self.recording.subscriptions.get(subscription)
        return found is not None and found.has_queue

    def play(self) -> Diagram:
        made = [each.made for each in self.recording.subscriptions.values()]
        start = min([*made, *(step.time for step in self.steps)], default=0)
        events: list[Recorded] = []
        held: list[Any] = []

        def note(kind: str, value: Any = None) -> None:
            events.append(Recorded(self._now(), kind, value))

        def begin() -> None:
            signal = self.build(self.inputs)
            held.append(signal.description)
            held.append(
                signal.subscribe(
                    lambda value: note("next", value),
                    lambda error: note("error", error),
                    lambda: note("completed"),
                )
            )

        failures: list[BaseException] = []

        def play() -> None:
            try:
                begin()
                for step, after in zip(self.steps, [*self.steps[1:], None]):
                    self._set_time(step.time)
                    self._plan(step.readings, after)
                    self._play_step(step)
                self._set_time(max(self.recording.duration, start))
            except BaseException as failure:
                failures.append(failure)

        self._set_time(start)
        self._plan(0, self.steps[0] if self.steps else None)
        try:
            # All of it is one job: what it subscribes to takes its times from the virtual
            # clock, and what is sent does not wait for jobs that do.
            self.clock.schedule(play)
            self.clock.step()
            if failures:
                raise failures[0]
            return Diagram(held[0], self._now(), events, 60)
        finally:
            for each in held[1:]:
                each.dispose()
            # deliver_on lets go of its subscriber in a job. Left to the clock it would hold
            # what holds the clock.
            for _ in range(len(self.steps) + 1):
                if self.clock.next_deadline() != 0:
                    break
                self.clock.step()

    def _now(self) -> float:
        return self.clock.now() - self.recording.origin / 1e9

    def _set_time(self, time: int) -> None:
        try:
            self.clock.set_time(self.recording.origin + time)
        except ValueError:
            raise CannotReplay(
                f"before {time / 1e9:g} s the graph reads the clock more or less often than the "
                "program did: it is another graph"
            ) from None

    def _plan(self, first: int, after: _Step | None) -> None:
        """What is read of the clock from the first reading on until a step."""
        end = after.readings if after else len(self.recording.readings)
        for reading in self.recording.readings[first:end]:
            if not self.threads or reading.thread in self.threads:
                self.clock.plan_reading(self.recording.origin + reading.time)

    def _play_step(self, step: _Step) -> None:
        if step.send is not None:
            self.inputs._send(self.names[step.send.node], step.send)
        elif step.job is not None:
            self._run_job(step.job, step.time)

    def _run_job(self, job: Job, time: int) -> None:
        due = -1 if job.due is None else self.recording.origin + job.due
        # Values gathered by deliver_on are one job of a main scheduler, and here a step each.
        for _ in range(self._count_steps(job)):
            try:
                self.clock.step_due(due)
            except ValueError:
                raise CannotReplay(
                    f"a {'job ran' if due < 0 else 'timer fired'} at {time / 1e9:g} s that the "
                    "graph has not asked for: it is another graph, or another part of the "
                    "program asked for it"
                ) from None

    def _count_steps(self, job: Job) -> int:
        if job.due is not None:
            return 1
        first = bisect.bisect_left(self.delivered, (job.begin or 0, 0))
        last = bisect.bisect_right(self.delivered, (job.end or 0, _FOREVER))
        return max(1, sum(1 for _, thread in self.delivered[first:last] if thread == job.thread))
