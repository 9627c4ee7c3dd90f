"""What is known of a program with librac: who listens to whom, and what happened.

The reader of a file makes it; findings, pictures and exports read it. Numbers of nodes are those
of docs/Recording.md, 0 is the program itself. Times are nanoseconds since the recording began.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# The events of a subscription; the first three are how it may be over.
COMPLETED, ERROR, DISPOSED = "completed", "error", "disposed"
SUBSCRIBE, NEXT, DROP = "subscribe", "next", "drop"


class Event(NamedTuple):
    """Something that happened to a subscription, or a property's new value."""

    time: int
    kind: str
    subscription: int
    text: str  # of the value
    thread: int
    cause: int  # the node whose event the thread was delivering; 0: none
    depth: int  # how many events of the thread it is inside of


@dataclass(slots=True)
class Node:
    """What a program makes that has counters."""

    id: int
    name: str = ""  # which the program gave it
    place: str = ""  # where the program made it: "faults.c:31 window_open()"
    thread: int = 0
    made: int = 0
    gone: int | None = None  # when its memory was given back

    @property
    def label(self) -> str:
        return self.name or f"{type(self).__name__.lower()} #{self.id}"


@dataclass(slots=True)
class Subscription(Node):
    """One listening to one signal."""

    operator: str = ""  # the one that made the signal, as the engine says it
    word: str = ""  # the same in the program's language
    identity: int = 0  # the same for all subscriptions to one signal; 0: not known
    below: int = 0  # the subscription that listens to this one; 0: the program
    source: int = 0  # the subject or property it listens to
    target: int = 0  # the subject, property or command into which it sends
    end: int | None = None
    how: str = ""  # it is over: completed, error or disposed
    values: int = 0
    seen: int = 0  # values of which the event was read
    waiting: int = 0
    most: int = 0  # that ever waited
    lost: int = 0  # on their way to it, by a policy
    policy: str = ""
    has_queue: bool = False  # values may wait before it
    longest: int = 0  # that one call below it took, in nanoseconds
    long_calls: int = 0  # those that took more than a millisecond
    long_time: int = 0
    is_sender_gone: bool = False
    is_unhandled: bool = False  # it failed, and nobody took the error

    @property
    def title(self) -> str:
        """Its name and its operator, or the one that it has."""
        if self.name and self.word and self.name != self.word:
            return f"{self.name} ({self.word})"
        return self.name or self.word or "signal"

    @property
    def label(self) -> str:
        return self.name or f"{self.word or 'signal'} #{self.id}"

    @property
    def is_over(self) -> bool:
        return self.how != "" or self.gone is not None


@dataclass(slots=True)
class Subject(Node):
    """A subject, a property or a command: something to send into."""

    kind: str = "subject"
    values: int = 0  # that the program sent into it; of a property its changes
    subscribers: int = 0
    parts: set[int] = field(default_factory=set)  # of a derived property: what it is made of
    initial: object = None  # of a property: its value before the first change, if that is kept


@dataclass(slots=True)
class Scheduler(Node):
    kind: str = ""
    jobs: int = 0
    waiting: int = 0
    most: int = 0
    longest: int = 0  # job, in nanoseconds
    last_begin: int | None = None  # of a job


@dataclass(slots=True)
class Bound(Node):
    """Where a sender has waited."""

    policy: str = ""
    values: int = 0
    held: int = 0  # senders
    held_time: int = 0
    longest_held: int = 0
    below: int = 0  # the subscription that it belongs to
    source: int = 0  # the subject that it belongs to


@dataclass(slots=True)
class Counter(Node):
    """A number of the program's, or of a source's outside of the library."""

    value: int = 0


class Job(NamedTuple):
    """What a scheduler ran, or has still to run."""

    scheduler: int
    asked: int | None  # None: before what is known begins
    due: int | None  # of a timer: its deadline
    fired: int | None
    begin: int | None
    end: int | None
    thread: int
    cause: int
    readings: int | None  # of the clock that were made before it began


class Send(NamedTuple):
    """What the program sent into a subject, or set in a property."""

    time: int
    node: int
    kind: str  # next, error or completed
    value: object
    text: str
    is_whole: bool  # `value` is what was sent
    thread: int
    cause: int  # the node in whose callback it was sent; 0: none
    readings: int  # of the clock that were made before


class Reading(NamedTuple):
    """What an operator found that asked for the time."""

    time: int
    thread: int


class Failure(NamedTuple):
    """An error that nobody handled."""

    time: int
    subscription: int
    text: str


class Refusal(NamedTuple):
    """A call that was refused and answered NULL, and nobody asked why."""

    time: int
    thread: int
    text: str  # its function and why
    place: str


class Note(NamedTuple):
    time: int
    text: str


@dataclass(slots=True)
class Recording:
    path: str = ""
    pid: int = 0
    command: list[str] = field(default_factory=list)
    started: float = 0.0  # seconds since 1970
    origin: int = 0  # when it began by the clock that operators read
    duration: int = 0  # until the last that is known
    state: str = "running"  # or "killed", "stopped", "exited"
    is_python: bool = False  # its places are lines of Python
    has_events: bool = True  # False: only counters were kept
    leaked: int = -1  # objects that were alive at the exit; -1: not known
    is_settled: bool = False
    exits_inside: bool = False  # exit() was called while an event was delivered
    subscriptions: dict[int, Subscription] = field(default_factory=dict)
    subjects: dict[int, Subject] = field(default_factory=dict)
    schedulers: dict[int, Scheduler] = field(default_factory=dict)
    bounds: dict[int, Bound] = field(default_factory=dict)
    counters: dict[int, Counter] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    changes: list[Event] = field(default_factory=list)  # of properties
    jobs: list[Job] = field(default_factory=list)
    waiting_jobs: list[Job] = field(default_factory=list)
    taken_back: list[Job] = field(default_factory=list)  # `end` is when; they did not begin
    sends: list[Send] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    threads: dict[int, str] = field(default_factory=dict)
    missed: int = 0  # events that were written over, or found no room
    missed_nodes: int = 0

    def in_words(self, of_c: str, of_python: str) -> str:
        """What to do, by the functions that the program has."""
        return of_python if self.is_python else of_c

    @property
    def title(self) -> str:
        """The program: of Python its file or its module."""
        names = [part.rsplit("/", 1)[-1] for part in self.command]
        if names and names[0].startswith("python"):
            names = [name for name in names[1:] if not name.startswith("-")] or names
        return names[0] if names else self.path.rsplit("/", 1)[-1]

    @property
    def is_final(self) -> bool:
        """Nothing more will come."""
        return self.state != "running"

    def below(self, each: Subscription) -> Iterator[Subscription]:
        """What listens to it, and what listens to that, down to the program."""
        seen = {each.id}
        found = self.subscriptions.get(each.below)
        while found and found.id not in seen:
            yield found
            seen.add(found.id)
            found = self.subscriptions.get(found.below)

    def bottom(self, each: Subscription) -> Subscription:
        """The subscription of the program's that it is a part of."""
        last = each
        for last in self.below(each):
            pass
        return last

    def inputs(self) -> dict[int, list[Subscription]]:
        """What each subscription listens to, by its number; under 0 what the program does."""
        found: dict[int, list[Subscription]] = {}
        for each in self.subscriptions.values():
            below = each.below if each.below in self.subscriptions else 0
            found.setdefault(below, []).append(each)
        return found

    def place_of(self, each: Subscription) -> str:
        """Its own place, or that of the next one below that has one."""
        if each.place:
            return each.place
        return next((one.place for one in self.below(each) if one.place), "")

    def text(self, width: int = 100) -> str:
        """Findings and marbles, for a terminal."""
        from . import findings, text

        return text.report(self, findings.find(self), width)

    def _repr_html_(self) -> str:
        from . import notebook

        return notebook.html(self)
