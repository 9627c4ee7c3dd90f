"""What is raced: each workload gives, for a contestant, a function that does it n times.
A contestant that cannot do one has none. Callbacks do nothing, or as little as can be."""

import array
import functools


def nothing(value):
    pass


def repeat(call):
    def run(n):
        for i in range(n):
            call(i)

    return run


class Bare:
    """Python itself, for the least there can be."""

    name = "bare Python"

    def send(self):
        return repeat(nothing)

    def send_text(self):
        def run(n):
            for _ in range(n):
                nothing("text")

        return run

    def thousand(self):
        each = [nothing] * 1000

        def run(n):
            for i in range(n // 1000):
                for function in each:
                    function(i)

        return run

    def stages(self):
        add, test, take, running = (lambda v: v + 1), (lambda v: True), (lambda a, v: v), [0]

        def run(value):
            value = add(value)
            if test(value):
                running[0] = take(running[0], value)
                nothing(running[0])

        return repeat(run)


class Partial:
    """The least that a function in C can do: call one of Python's."""

    name = "partial"

    def send(self):
        return repeat(functools.partial(nothing))


class Librac:
    name = "librac"

    def __init__(self):
        import librac

        self.rac = librac

    def send(self):
        subject = self.rac.Subject()
        subject.subscribe(nothing)
        return repeat(subject.send)

    def send_text(self):
        subject = self.rac.Subject()
        subject.subscribe(nothing)

        def run(n):
            for _ in range(n):
                subject.send("text")

        return run

    def thousand(self):
        subject = self.rac.Subject()
        for _ in range(1000):
            subject.subscribe(nothing)

        def run(n):
            for i in range(n // 1000):
                subject.send(i)

        return run

    def stages(self):
        subject = self.rac.Subject()
        chain = subject.map(lambda v: v + 1).filter(lambda v: True).scan(lambda a, v: v, 0)
        chain.subscribe(nothing)
        return repeat(subject.send)

    def life(self):
        def one(i):
            subject = self.rac.Subject()
            subscription = subject.subscribe(nothing)
            subject.send(i)
            subscription.dispose()

        return repeat(one)

    def flat_map(self):
        subject, just = self.rac.Subject(), self.rac.of
        subject.flat_map(lambda v: just(v)).subscribe(nothing)
        return repeat(subject.send)

    def native(self):
        subject = self.rac.Subject()
        chain = subject.distinct_until_changed().take(1 << 60).merge(self.rac.never())
        chain.subscribe(nothing)
        return repeat(subject.send)

    def combine_latest(self):
        one, other = self.rac.Subject(), self.rac.Subject()
        one.combine_latest(other).subscribe(nothing)
        other.send(0)
        return repeat(one.send)

    def replay(self):
        return repeat(self.rac.ReplaySubject(100).send)

    def numbers(self):
        """In arrays."""
        subject = self.rac.Subject()
        chain = subject.distinct_until_changed().skip(1).take(1 << 60)
        chain.subscribe_arrays(nothing, 4096)
        numbers = array.array("d", range(4096))

        def run(n):
            for _ in range(n // 4096):
                subject.send_array(numbers)

        return run


class Reactivex:
    name = "reactivex"

    def __init__(self):
        import reactivex
        from reactivex import operators

        self.rx, self.ops = reactivex, operators

    def send(self):
        subject = self.rx.Subject()
        subject.subscribe(nothing)
        return repeat(subject.on_next)

    def send_text(self):
        subject = self.rx.Subject()
        subject.subscribe(nothing)

        def run(n):
            for _ in range(n):
                subject.on_next("text")

        return run

    def thousand(self):
        subject = self.rx.Subject()
        for _ in range(1000):
            subject.subscribe(nothing)

        def run(n):
            for i in range(n // 1000):
                subject.on_next(i)

        return run

    def stages(self):
        subject, ops = self.rx.Subject(), self.ops
        subject.pipe(
            ops.map(lambda v: v + 1), ops.filter(lambda v: True), ops.scan(lambda a, v: v, 0)
        ).subscribe(nothing)
        return repeat(subject.on_next)

    def life(self):
        def one(i):
            subject = self.rx.Subject()
            subscription = subject.subscribe(nothing)
            subject.on_next(i)
            subscription.dispose()

        return repeat(one)

    def flat_map(self):
        subject, just = self.rx.Subject(), self.rx.just
        subject.pipe(self.ops.flat_map(lambda v: just(v))).subscribe(nothing)
        return repeat(subject.on_next)

    def native(self):
        subject, ops = self.rx.Subject(), self.ops
        subject.pipe(
            ops.distinct_until_changed(), ops.take(1 << 60), ops.merge(self.rx.never())
        ).subscribe(nothing)
        return repeat(subject.on_next)

    def combine_latest(self):
        one, other = self.rx.Subject(), self.rx.Subject()
        one.pipe(self.ops.combine_latest(other)).subscribe(nothing)
        other.on_next(0)
        return repeat(one.on_next)

    def replay(self):
        return repeat(self.rx.subject.ReplaySubject(100).on_next)

    def numbers(self):
        subject, ops = self.rx.Subject(), self.ops
        subject.pipe(
            ops.distinct_until_changed(), ops.skip(1), ops.take(1 << 60)
        ).subscribe(nothing)
        return repeat(subject.on_next)


class Psygnal:
    name = "psygnal"

    def __init__(self):
        import psygnal

        class Emitter:
            changed = psygnal.Signal(object)

        self.make = Emitter

    def send(self):
        emitter = self.make()
        emitter.changed.connect(nothing)
        return repeat(emitter.changed.emit_fast)

    def thousand(self):
        emitter = self.make()
        for _ in range(1000):
            emitter.changed.connect(nothing, unique=False)

        def run(n):
            for i in range(n // 1000):
                emitter.changed.emit_fast(i)

        return run


class Eventkit:
    name = "eventkit"

    def __init__(self):
        import asyncio

        asyncio.set_event_loop(asyncio.new_event_loop())
        import eventkit

        self.make = eventkit.Event

    def send(self):
        event = self.make("e")
        event.connect(nothing)
        return repeat(event.emit)


class Blinker:
    name = "blinker"

    def __init__(self):
        import blinker

        self.make = blinker.Signal

    def send(self):
        signal = self.make()
        signal.connect(nothing)
        return repeat(signal.send)


CONTESTANTS = (Bare, Partial, Librac, Reactivex, Psygnal, Eventkit, Blinker)
# Its name, what it is, and how many times as fast as reactivex it is to be.
WORKLOADS = (
    ("send", "an int to one function", 8),
    ("send_text", "a str to one function", 0),
    ("thousand", "a delivery to one of 1000 functions", 1.8),
    ("stages", "map, filter, scan in Python", 5),
    ("life", "create, subscribe, send, dispose", 15),
    ("flat_map", "flat_map to just", 100),
    ("native", "distinct, take, merge", 30),
    ("combine_latest", "combine_latest of two", 10),
    ("replay", "into a replay subject of 100", 0),
    ("numbers", "numbers through distinct, skip, take", 100),
)
