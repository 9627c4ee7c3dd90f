"""reactivex (RxPY) as a contestant.

SPDX-License-Identifier: MIT
"""

import random
import threading
import time

import worker

_start = time.perf_counter_ns()
import reactivex  # noqa: E402
from reactivex import operators as ops  # noqa: E402
from reactivex.disposable import Disposable  # noqa: E402
from reactivex.scheduler import EventLoopScheduler  # noqa: E402
from reactivex.subject import ReplaySubject, Subject  # noqa: E402

LOAD_TIME = time.perf_counter_ns() - _start


class Send:
    def __init__(self, subscribers):
        self.subscribers = subscribers
        self.subject = Subject()
        self.sum = worker.Sum()
        for _ in range(subscribers):
            self.subject.subscribe(self.sum.add)

    def run(self, n):
        n = worker.round_up(n, self.subscribers)
        self.sum.total = 0
        taken = worker.send_all(self.subject.on_next, n // self.subscribers)
        return worker.outcome(n, taken, self.sum.total)


class Elsewhere(Send):
    def run(self, n):
        return worker.elsewhere(super().run, n)


class Subjects:
    def __init__(self, count):
        self.sum = worker.Sum()
        self.each = [Subject() for _ in range(count)]
        for one in self.each:
            one.subscribe(self.sum.add)

    def run(self, n):
        n = worker.round_up(n, len(self.each))
        self.sum.total = 0
        taken = worker.send_in_turn([one.on_next for one in self.each], n)
        return worker.outcome(n, taken, self.sum.total)


class Subscribe(Send):
    def run(self, n):
        def work():
            for _ in range(n):
                self.subject.subscribe(self.sum.add).dispose()

        taken = worker.timed(work)
        self.sum.total = 0
        self.subject.on_next(1)
        return worker.outcome(n, taken, self.sum.total)


class Chain:
    """A subject, what is built on it, and one subscriber."""

    def __init__(self, argument):
        self.argument = argument
        self.listen()

    def listen(self):
        self.subject = Subject()
        self.sum = worker.Sum()
        self.build().subscribe(self.hear)

    def hear(self, number):
        self.sum.total += number

    def run(self, n):
        self.sum.total = 0
        taken = worker.send_all(self.subject.on_next, n)
        return worker.outcome(n, taken, self.sum.total)


class String(Chain):
    def build(self):
        return self.subject

    def hear(self, text):
        self.sum.total += len(text) + ord(text[0])

    def run(self, n):
        self.sum.total = 0

        def work():
            send = self.subject.on_next
            for _ in range(n):
                send(worker.TEXT)

        return worker.outcome(n, worker.timed(work), self.sum.total)


class Maps(Chain):
    def build(self):
        return self.subject.pipe(*[ops.map(lambda x: x + 1)] * self.argument)


class MapFilterScan(Chain):
    def build(self):
        return self.subject.pipe(
            ops.map(lambda x: x + 1),
            ops.filter(lambda x: x >= 0),
            ops.scan(lambda running, x: running + x, 0),
        )

    def run(self, n):
        self.listen()
        return super().run(n)


class FlattenMap(Chain):
    def build(self):
        return self.subject.pipe(ops.flat_map(reactivex.return_value))


class FlattenMapCreate(Chain):
    def build(self):
        def become(number):
            def subscribe(observer, scheduler=None):
                observer.on_next(number)
                observer.on_completed()

            return reactivex.create(subscribe)

        return self.subject.pipe(ops.flat_map(become))


class FlattenMapHot(Chain):
    """Each value subscribes to the hot signal, which then sends it and is left."""

    def build(self):
        self.hot = Subject()
        next_of_hot = self.hot.pipe(ops.take(1))
        return self.subject.pipe(ops.flat_map(lambda _: next_of_hot))

    def run(self, n):
        self.sum.total = 0

        def work():
            send, answer = self.subject.on_next, self.hot.on_next
            for i in range(n):
                send(i & 1023)
                answer(i & 1023)

        return worker.outcome(n, worker.timed(work), self.sum.total)


class Inputs:
    """Several subjects that send in turn, and one subscriber."""

    combine = None

    def __init__(self, count):
        self.inputs = [Subject() for _ in range(count)]
        self.sum = worker.Sum()
        type(self).combine(*self.inputs).subscribe(self.hear)

    def hear(self, row):
        self.sum.total += sum(row)

    def run(self, n):
        n = worker.round_up(n, len(self.inputs))
        self.sum.total = 0
        taken = worker.send_in_turn([subject.on_next for subject in self.inputs], n)
        return worker.outcome(n, taken, self.sum.total)


class Zip(Inputs):
    combine = reactivex.zip


class CombineLatest(Inputs):
    combine = reactivex.combine_latest

    def run(self, n):
        for subject in self.inputs:
            subject.on_next(0)
        return super().run(n)


class ZipKept(Zip):
    def hear(self, row):
        self.kept = row
        super().hear(row)


class CombineLatestKept(CombineLatest):
    def hear(self, row):
        self.kept = row
        super().hear(row)


class Merge(Inputs):
    combine = reactivex.merge

    def hear(self, number):
        self.sum.total += number


class Create:
    def __init__(self, values):
        self.values = values

    def run(self, n):
        n = worker.round_up(n, self.values)
        total = worker.Sum()
        values = self.values

        def subscribe(observer, scheduler=None):
            send = observer.on_next
            for i in range(values):
                send(i & 1023)
            observer.on_completed()

        def work():
            for _ in range(n // values):
                reactivex.create(subscribe).subscribe(total.add)

        return worker.outcome(n, worker.timed(work), total.total)


class Batch(Send):
    """reactivex has no arrays of events: it sends them one at a time."""

    def __init__(self, size):
        super().__init__(1)
        self.numbers = [worker.value(i) for i in range(size)]

    def run(self, n):
        n = worker.round_up(n, len(self.numbers))
        self.sum.total = 0

        def work():
            send = self.subject.on_next
            for _ in range(n // len(self.numbers)):
                for number in self.numbers:
                    send(number)

        return worker.outcome(n, worker.timed(work), self.sum.total)


class Replay:
    def __init__(self, capacity):
        self.capacity = capacity or None

    def fill(self, n):
        subject, total = ReplaySubject(self.capacity), worker.Sum()

        def work():
            for i in range(n):
                subject.on_next(i & 1023)

        sending = worker.timed(work)
        replaying = worker.timed(lambda: subject.subscribe(total.add))
        return sending, replaying, total.total

    def run(self, n):
        sending, _, total = self.fill(n)
        return worker.outcome(n, sending, total)


class ReplayAgain(Replay):
    def run(self, n):
        _, replaying, total = self.fill(n)
        return worker.outcome(n, replaying, total)


class DeliverOn:
    """Values that arrive on the thread of an EventLoopScheduler."""

    def __init__(self, _):
        self.schedulers = []
        self.done = threading.Event()
        self.total = self.left = 0
        self.there = self.lane(self.arrive)

    def lane(self, hear):
        subject, scheduler = Subject(), EventLoopScheduler()
        self.schedulers.append(scheduler)
        subject.pipe(ops.observe_on(scheduler)).subscribe(hear)
        return subject

    def arrive(self, number):
        self.total += number
        self.left -= 1
        if self.left == 0:
            self.done.set()

    def start(self, n):
        send = self.there.on_next
        for i in range(n):
            send(i & 1023)

    def run(self, n):
        self.total, self.left = 0, n
        self.done.clear()

        def work():
            self.start(n)
            self.done.wait()

        return worker.outcome(n, worker.timed(work), self.total)

    def close(self):
        for scheduler in self.schedulers:
            scheduler.dispose()


class PingPong(DeliverOn):
    def __init__(self, argument):
        super().__init__(argument)
        back = self.lane(self.pong)
        self.there = self.lane(back.on_next)

    def pong(self, number):
        self.arrive(number)
        if self.left:
            self.there.on_next(number)

    def start(self, n):
        self.there.on_next(1)


class TwoThreads:
    def __init__(self, _):
        self.race = worker.Racing()
        self.subject = Subject()
        self.subject.subscribe(self.race.hear)

    def run(self, n):
        return self.race.run(n, lambda: self.subject.on_next)


class Timers:
    """Timers of one EventLoopScheduler."""

    time_the_cancels = False

    def __init__(self, _):
        self.scheduler = EventLoopScheduler()

    def run(self, n):
        delays = [100 + 100 * i / n for i in range(n)]
        random.Random(1).shuffle(delays)
        timers = []

        def schedule():
            add, relative = timers.append, self.scheduler.schedule_relative
            for delay in delays:
                add(relative(delay, lambda *_: None))

        def cancel():
            for timer in timers:
                timer.dispose()

        scheduling = worker.timed(schedule)
        cancelling = worker.timed(cancel)
        taken = cancelling if self.time_the_cancels else scheduling
        return worker.outcome(n, taken, len(timers))

    def close(self):
        self.scheduler.dispose()


class Cancels(Timers):
    time_the_cancels = True


class Fires(Timers):
    def run(self, n):
        lead = 0.05 + 5e-5 * n
        offsets = [i / n for i in range(n)]
        random.Random(1).shuffle(offsets)
        lateness, done = [], threading.Event()

        def fired(_, deadline):
            lateness.append(time.monotonic() - deadline)
            if len(lateness) == n:
                done.set()

        cpu = time.process_time_ns()
        first = time.monotonic() + lead
        for offset in offsets:
            deadline = first + offset
            delay = max(0, deadline - time.monotonic())
            self.scheduler.schedule_relative(delay, fired, deadline)
        done.wait(120)
        cpu = time.process_time_ns() - cpu
        return worker.outcome(n, cpu, len(lateness), cpu_ns=cpu, **worker.late(lateness))


class WeighSubscription(Send):
    def __init__(self, _):
        super().__init__(0)

    def run(self, n):
        def make(count):
            return [self.subject.subscribe(self.sum.add) for _ in range(count)]

        return worker.weigh(n, make)


class WeighSignal:
    def __init__(self, _):
        pass

    def run(self, n):
        return worker.weigh(n, lambda count: [Subject() for _ in range(count)])


class WeighDisposable(WeighSignal):
    def run(self, n):
        def make(count):
            return [Disposable(worker.park) for _ in range(count)]

        return worker.weigh(n, make)


WORKLOADS = {
    "send": Send,
    "send-elsewhere": Elsewhere,
    "subjects": Subjects,
    "subscribe": Subscribe,
    "string": String,
    "maps": Maps,
    "map-filter-scan": MapFilterScan,
    "flatten-map": FlattenMap,
    "flatten-map-create": FlattenMapCreate,
    "flatten-map-hot": FlattenMapHot,
    "zip": Zip,
    "zip-kept": ZipKept,
    "combine-latest": CombineLatest,
    "combine-latest-kept": CombineLatestKept,
    "merge": Merge,
    "create": Create,
    "batch": Batch,
    "create-batch": Create,
    "replay": Replay,
    "replay-again": ReplayAgain,
    "deliver-on": DeliverOn,
    "ping-pong": PingPong,
    "ping-pong-threads": PingPong,
    "two-threads": TwoThreads,
    "timer-schedule": Timers,
    "timer-cancel": Cancels,
    "timer-fire": Fires,
    "bytes-subscription": WeighSubscription,
    "bytes-signal": WeighSignal,
    "bytes-disposable": WeighDisposable,
}

if __name__ == "__main__":
    worker.main(WORKLOADS, LOAD_TIME)
