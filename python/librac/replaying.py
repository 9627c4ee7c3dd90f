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

_CLOSE = 1_000  # nanoseconds: what the clock of a virtual scheduler can tell apart
_ASKING = 100_000  # between reading the clock and writing down what a timer was asked for
_BUSY = 1_000_000
_FOREVER = 1 << 62
#: They ask what time it is, and that is not recorded.
_CLOCKS = {"throttleFirst", "timestamp", "timeInterval", "rateLimit"}


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
    clocks = {each.operator for each in recording.subscriptions.values()} & _CLOCKS
    if clocks:
        raise CannotReplay(f"{min(clocks)} reads the clock, which is not recorded")
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


def _is_near(time: int, first: int, last: int) -> bool:
    return first - _CLOSE <= time <= last + _CLOSE


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
        # Of a timer, by when it began: its time, and from when to when the graph had it due.
        self.fired: dict[int | None, tuple[int, int, int]] = {}
        self.played: list[tuple[int, int]] = []  # the time of each step, recorded and virtual
        steps = [_Step(send.time, send, None) for send in recording.sends]
        steps += [_Step(job.begin, None, job) for job in recording.jobs if job.begin is not None]
        self.steps = sorted(steps, key=lambda step: step.time)
        self.known = [*recording.jobs, *recording.waiting_jobs, *recording.taken_back]
        self.timers = [job for job in self.known if job.due is not None and job.asked is not None]
        self.asked = sorted(job.asked for job in self.timers if job.asked is not None)
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
            events.append(Recorded(self.clock.now(), kind, value))

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
                    self._play_step(step, after.time if after else _FOREVER)
            except BaseException as failure:
                failures.append(failure)

        first = self._moment(start, self.steps[0].time if self.steps else _FOREVER)
        self.clock.advance_to(first / 1e9)
        self._note(start)
        try:
            # All of it is one job: what it subscribes to takes its times from the virtual
            # clock, and what is sent does not wait for jobs that do.
            self.clock.schedule(play)
            self.clock.step()
            if failures:
                raise failures[0]
            return Diagram(held[0], self.clock.now(), events, 60)
        finally:
            for each in held[1:]:
                each.dispose()
            # deliver_on lets go of its subscriber in a job. Left to the clock it would hold
            # what holds the clock.
            for _ in range(len(self.steps) + 1):
                if self.clock.next_deadline() != 0:
                    break
                self.clock.step()

    def _now(self) -> int:
        return round(self.clock.now() * 1e9)

    def _note(self, time: int) -> None:
        self.played.append((time, self._now()))

    def _moment(self, time: int, after: int) -> int:
        """Of a step that begins then: when it first asked for a timer, so that this one is due as
        in the recording, else its beginning."""
        at = bisect.bisect_left(self.asked, time)
        return self.asked[at] if at < len(self.asked) and self.asked[at] < after else time

    def _play_step(self, step: _Step, after: int) -> None:
        if step.send is not None:
            send = step.send
            name = self.names[send.node]
            self._advance(self._moment(step.time, after))
            self._note(step.time)
            self.inputs._send(name, send)
        elif step.job is not None:
            self._run_job(step.job, step.time, after)

    def _advance(self, time: int) -> None:
        """To a time. Timers that are due by then were late in the recording, too."""
        now = self._now()
        if time > now:
            self.clock.sleep((time - now) / 1e9)

    def _run_job(self, job: Job, time: int, after: int) -> None:
        wait = self.clock.next_deadline()
        if wait < 0:
            raise CannotReplay(
                f"a job ran at {time / 1e9:g} s that the graph has not asked for: it is another "
                "graph, or another part of the program asked for it"
            )
        due = self._now() + round(wait * 1e9)
        if job.due is not None and job.asked is not None:
            self._check_order(job, due if wait > 0 else None)
        self._advance(max(self._moment(time, after), due))
        self.played.append((time, self._now()))
        # Values gathered by deliver_on are one job of a main scheduler, and here a step each.
        for _ in range(self._count_steps(job)):
            if self.clock.next_deadline() != 0:
                raise CannotReplay(f"a job at {time / 1e9:g} s sent more: it is another graph")
            self.clock.step()

    def _count_steps(self, job: Job) -> int:
        if job.due is not None:
            return 1
        first = bisect.bisect_left(self.delivered, (job.begin or 0, 0))
        last = bisect.bisect_right(self.delivered, (job.end or 0, _FOREVER))
        return max(1, sum(1 for _, thread in self.delivered[first:last] if thread == job.thread))

    def _check_order(self, job: Job, due: int | None) -> None:
        """Refuses where it is not certain that the virtual clock fires this timer next. `due`:
        None if the clock is past it."""
        first, last = self._expect(job)
        earliest, latest = (first, last) if due is None else (due, due)
        self.fired[job.begin] = (job.due or 0, earliest, latest)
        if self._now() < first - _CLOSE if due is None else not _is_near(due, first, last):
            raise CannotReplay(
                f"a timer was due at {(job.due or 0) / 1e9:g} s, and in the graph at another time: "
                "it is another graph, or something took its time from a clock"
            )
        if due is None:
            due = last
            if any(each.due is None and self._is_pending(each, job) for each in self.known):
                raise CannotReplay(
                    f"a timer fired at {(job.fired or 0) / 1e9:g} s before a job that was ready"
                )
        for other in self.timers:
            if other is job or not self._is_pending(other, job):
                continue
            if self._expect(other)[0] > due + _CLOSE or self._comes_after(other, job):
                continue
            raise CannotReplay(
                f"two timers at {due / 1e9:g} s were closer than the time that it took to ask for "
                "them: their order is not certain"
            )

    def _step_of(self, time: int) -> int:
        """The step in which something happened, by its place in `played`."""
        return bisect.bisect_right(self.played, (time, _FOREVER)) - 1

    def _expect(self, job: Job) -> tuple[int, int]:
        """From when to when the virtual clock may have it due: it was asked for while a step
        was played, which takes no time there."""
        assert job.due is not None and job.asked is not None
        recorded, virtual = self.played[self._step_of(job.asked)]
        first, last = virtual + job.due - job.asked, virtual + job.due - recorded
        if job.again in self.fired:
            # Perhaps from one time to the next, however late it was.
            due, earliest, latest = self.fired[job.again]
            first, last = min(first, earliest + job.due - due), max(last, latest + job.due - due)
        return first, last

    def _is_pending(self, other: Job, job: Job) -> bool:
        assert job.begin is not None
        if other.asked is None:
            return False
        until = other.begin or other.end
        return other.asked < job.begin and (until is None or until > job.begin)

    def _comes_after(self, other: Job, job: Job) -> bool:
        """Asked for in the same step, and later, for as long or longer: what is due at one time
        fires in that order. A step that took long says too little of how long that was."""
        assert other.asked and other.due and job.asked and job.due
        step = self._step_of(job.asked)
        if step != self._step_of(other.asked) or other.asked - self.played[step][0] > _BUSY:
            return False
        is_longer = other.due - other.asked >= job.due - job.asked - _ASKING
        return is_longer and other.asked > job.asked and other.due >= job.due
