"""librac from Python, through ctypes, as a contestant.

SPDX-License-Identifier: MIT
"""

import random
import threading
import time

import worker

_start = time.perf_counter_ns()
import ctypes  # noqa: E402

import rac as binding  # noqa: E402
from rac import blocking, rac  # noqa: E402

LOAD_TIME = time.perf_counter_ns() - _start

try:
    import numpy
except ImportError:
    numpy = None


def send_numbers(handle, n):
    send, value = rac.rac_subject_send, binding.number()
    for i in range(n):
        value.bits = i & 1023
        send(handle, value)


class Heard:
    """A sum, and the callback that adds to it."""

    def __init__(self):
        self.total = 0
        self.next = binding.Next(self.hear)

    def hear(self, _, kind, bits):
        self.total += bits

    def listen(self, signal):
        rac.rac_release(rac.rac_subscribe_next(signal, None, self.next, None))


class Send:
    def __init__(self, subscribers):
        self.subscribers = subscribers
        self.subject, self.signal = binding.subject()
        self.sum = Heard()
        for _ in range(subscribers):
            self.sum.listen(self.signal)

    def run(self, n):
        n = worker.round_up(n, self.subscribers)
        self.sum.total = 0
        sends = n // self.subscribers
        taken = worker.timed(lambda: send_numbers(self.subject, sends))
        return worker.outcome(n, taken, self.sum.total)

    def close(self):
        rac.rac_release(self.subject)


class Subscribe(Send):
    def run(self, n):
        def work():
            subscribe, dispose = rac.rac_subscribe_next, rac.rac_dispose
            release, signal, hear = rac.rac_release, self.signal, self.sum.next
            for _ in range(n):
                one = subscribe(signal, None, hear, None)
                dispose(one)
                release(one)

        taken = worker.timed(work)
        self.sum.total = 0
        send_numbers(self.subject, 2)
        return worker.outcome(n, taken, self.sum.total)


class String(Send):
    def __init__(self, _):
        super().__init__(0)
        self.subscribers = 1
        self.next = binding.Next(self.hear)
        self.text, self.length = ctypes.c_char_p(), ctypes.c_size_t()
        self.out = ctypes.byref(self.text), ctypes.byref(self.length)
        rac.rac_release(rac.rac_subscribe_next(self.signal, None, self.next, None))

    def hear(self, _, kind, bits):
        rac.rac_value_get_string(kind, bits, *self.out)
        data = self.text.value
        if len(data) != self.length.value:  # there is a NUL in it
            data = ctypes.string_at(self.text, self.length.value)
        text = data.decode()
        self.sum.total += len(text) + ord(text[0])

    def run(self, n):
        self.sum.total = 0

        def work():
            send, view = rac.rac_subject_send, rac.rac_value_string_view
            for _ in range(n):
                data = worker.TEXT.encode()
                send(self.subject, view(data, len(data)))

        return worker.outcome(n, worker.timed(work), self.sum.total)


# ---- Operators ----------------------------------------------------------------


@binding.Map
def plus_one(_, kind, bits, out):
    out[0] = kind
    out[1] = bits + 1
    return 0


@binding.Keep
def keep_all(_, kind, bits, out):
    out[0] = bits >= 0
    return 0


@binding.Reduce
def add(_, running_kind, running, kind, bits, out):
    out[0] = kind
    out[1] = running + bits
    return 0


@binding.Inner
def returned(_, kind, bits, out):
    out[0] = rac.rac_signal_return(kind, bits)
    return 0


class Maps(Send):
    def __init__(self, argument):
        super().__init__(0)
        self.subscribers = 1
        self.sum.listen(self.build(self.signal, argument))

    def build(self, signal, stages):
        for _ in range(stages):
            signal = rac.rac_signal_map(signal, None, plus_one, None)
        return signal


class MapFilterScan(Maps):
    def build(self, signal, _):
        signal = rac.rac_signal_map(signal, None, plus_one, None)
        signal = rac.rac_signal_filter(signal, None, keep_all, None)
        zero = rac.rac_value_int64(0)
        return rac.rac_signal_scan(signal, zero, None, add, None)

    def run(self, n):
        self.__init__(0)
        return super().run(n)


class FlattenMap(Maps):
    def build(self, signal, _):
        return rac.rac_signal_flatten_map(signal, None, returned, None)


class Inputs:
    """Several subjects that send in turn, and one subscriber."""

    def __init__(self, count):
        self.inputs = [binding.subject() for _ in range(count)]
        array = (ctypes.c_void_p * count)(*[signal.value for _, signal in self.inputs])
        self.total = 0
        self.count = count
        self.next = binding.Next(self.hear)
        signal = type(self).combine(array, count)
        rac.rac_release(rac.rac_subscribe_next(signal, None, self.next, None))

    def hear(self, _, kind, bits):
        element = rac.rac_tuple_get
        for i in range(self.count):
            self.total += element(kind, bits, i).bits

    def run(self, n):
        n = worker.round_up(n, self.count)
        self.total = 0

        def work():
            send, value = rac.rac_subject_send, binding.number()
            subjects, count = [subject for subject, _ in self.inputs], self.count
            for i in range(n):
                value.bits = i & 1023
                send(subjects[i % count], value)

        return worker.outcome(n, worker.timed(work), self.total)


class Zip(Inputs):
    combine = rac.rac_signal_zip


class CombineLatest(Inputs):
    combine = rac.rac_signal_combine_latest

    def run(self, n):
        for subject, _ in self.inputs:
            rac.rac_subject_send(subject, rac.rac_value_int64(0))
        return super().run(n)


class Merge(Inputs):
    combine = rac.rac_signal_merge

    def hear(self, _, kind, bits):
        self.total += bits


# ---- Cold signals and replays ---------------------------------------------------


class Create:
    def __init__(self, values):
        self.values = values
        self.sum = Heard()
        self.create = binding.Subscribe(self.subscribe)

    def subscribe(self, _, subscriber, out):
        subscriber = ctypes.c_void_p(subscriber)
        send, value = rac.rac_subscriber_send, binding.number()
        for i in range(self.values):
            value.bits = i & 1023
            send(subscriber, value)
        rac.rac_subscriber_send_completed(subscriber)
        return 0

    def run(self, n):
        n = worker.round_up(n, self.values)
        self.sum.total = 0

        def work():
            for _ in range(n // self.values):
                signal = rac.rac_signal_create(None, self.create, None)
                self.sum.listen(signal)
                rac.rac_release(signal)

        return worker.outcome(n, worker.timed(work), self.sum.total)


class Batch:
    """Arrays in and out, which numpy looks at where they lie."""

    def __init__(self, size):
        self.numbers = numpy.arange(size, dtype=numpy.int64) & 1023
        self.address, self.size = self.numbers.ctypes.data, size
        self.subject, signal = binding.subject()
        self.total = 0
        self.observer = binding.BatchObserver(ctypes.sizeof(binding.BatchObserver))
        self.observer.next_int64s = type(self.observer.next_int64s)(self.hear)
        self.reference = ctypes.byref(self.observer)
        self.type = ctypes.c_int64 * size
        self.listen(signal)

    def listen(self, signal):
        subscribe, endless = rac.rac_subscribe_batches, float("inf")
        rac.rac_release(subscribe(signal, self.size, endless, None, self.reference))

    def hear(self, _, address, count):
        # A batch of another size would be the last one of a stream.
        kind = self.type if count == self.size else ctypes.c_int64 * count
        self.total += int(numpy.frombuffer(kind.from_address(address), "i8").sum())

    def run(self, n):
        n = worker.round_up(n, self.size)
        self.total = 0

        def work():
            for _ in range(n // self.size):
                self.emit()

        return worker.outcome(n, worker.timed(work), self.total)

    def emit(self):
        rac.rac_subject_send_int64s(self.subject, self.address, self.size)


class CreateBatch(Batch):
    def __init__(self, size):
        super().__init__(size)
        self.create = binding.Subscribe(self.subscribe)

    def subscribe(self, _, subscriber, out):
        rac.rac_subscriber_send_int64s(subscriber, self.address, self.size)
        rac.rac_subscriber_send_completed(subscriber)
        return 0

    def emit(self):
        signal = rac.rac_signal_create(None, self.create, None)
        self.listen(signal)
        rac.rac_release(signal)


class Replay:
    def __init__(self, capacity):
        self.capacity = capacity or ctypes.c_size_t(-1).value

    def fill(self, n):
        create = rac.rac_replay_subject_create
        handle, signal = binding.subject(create, self.capacity)
        heard = Heard()
        sending = worker.timed(lambda: send_numbers(handle, n))
        replaying = worker.timed(lambda: heard.listen(signal))
        rac.rac_release(handle)
        return sending, replaying, heard.total

    def run(self, n):
        sending, _, total = self.fill(n)
        return worker.outcome(n, sending, total)


class ReplayAgain(Replay):
    def run(self, n):
        _, replaying, total = self.fill(n)
        return worker.outcome(n, replaying, total)


# ---- Threads ----------------------------------------------------------------------


class DeliverOn:
    """Sent by a thread of ours, received where callbacks are cheap: on the main
    scheduler, which this program runs."""

    def __init__(self, _):
        self.handles, self.callbacks = [], []
        self.total = self.left = 0
        self.there = self.lane(rac.rac_scheduler_main(), self.arrive)

    def lane(self, scheduler, hear):
        handle, signal = binding.subject()
        delivered = rac.rac_signal_deliver_on(signal, scheduler)
        self.callbacks.append(binding.Next(hear))
        subscription = rac.rac_subscribe_next(
            delivered, None, self.callbacks[-1], None
        )
        self.handles += [scheduler, handle, delivered, subscription]
        return handle

    def arrive(self, _, kind, bits):
        self.total += bits
        self.left -= 1
        if self.left == 0:
            blocking.rac_main_stop()

    def run(self, n):
        self.total, self.left = 0, n
        thread = threading.Thread(target=send_numbers, args=(self.there, n))

        def work():
            thread.start()
            blocking.rac_main_run()

        taken = worker.timed(work)
        thread.join()
        return worker.outcome(n, taken, self.total)

    def close(self):
        for handle in self.handles:
            rac.rac_release(handle)


class PingPong(DeliverOn):
    """Between the main scheduler and a background one."""

    def __init__(self, _):
        super().__init__(_)
        self.back = self.there
        scheduler = rac.rac_scheduler_background(0, b"bench")
        self.there = self.lane(scheduler, self.ping)

    def ping(self, _, kind, bits):
        rac.rac_subject_send(self.back, binding.Value(kind=kind, bits=bits))

    def arrive(self, _, kind, bits):
        super().arrive(_, kind, bits)
        if self.left:
            rac.rac_subject_send(self.there, binding.Value(kind=kind, bits=bits))

    def run(self, n):
        self.total, self.left = 0, n

        def work():
            rac.rac_subject_send(self.there, rac.rac_value_int64(1))
            blocking.rac_main_run()

        return worker.outcome(n, worker.timed(work), self.total)


class TwoThreads:
    def __init__(self, _):
        self.race = worker.Racing()
        self.subject, signal = binding.subject()
        self.next = binding.Next(lambda _, kind, bits: self.race.hear(bits))
        rac.rac_release(rac.rac_subscribe_next(signal, None, self.next, None))

    def run(self, n):
        return self.race.run(n, lambda: binding.sender(self.subject))


class Timers:
    """Timers of the main scheduler."""

    time_the_cancels = False

    def __init__(self, _):
        self.scheduler = ctypes.c_void_p(rac.rac_scheduler_main())
        self.action = binding.Action(lambda context: None)

    def run(self, n):
        delays = [100 + 100 * i / n for i in range(n)]
        random.Random(1).shuffle(delays)
        timers = []

        def schedule():
            after, scheduler, action = (
                rac.rac_schedule_after,
                self.scheduler,
                self.action,
            )
            for delay in delays:
                timers.append(after(scheduler, delay, None, action, None))

        def cancel():
            for timer in timers:
                rac.rac_dispose(timer)
                rac.rac_release(timer)

        scheduling = worker.timed(schedule)
        cancelling = worker.timed(cancel)
        taken = cancelling if self.time_the_cancels else scheduling
        return worker.outcome(n, taken, len(timers))


class Cancels(Timers):
    time_the_cancels = True


class Fires(Timers):
    def run(self, n):
        lead = 0.05 + 5e-5 * n
        offsets = [i / n for i in range(n)]
        random.Random(1).shuffle(offsets)
        lateness = []

        def fired(i):
            lateness.append(time.monotonic() - first - offsets[(i or n) - 1])
            if len(lateness) == n:
                blocking.rac_main_stop()

        action = binding.Action(fired)
        cpu = time.process_time_ns()
        first = time.monotonic() + lead
        for i, offset in enumerate(offsets, 1):
            delay = max(0, first + offset - time.monotonic())
            rac.rac_release(
                rac.rac_schedule_after(self.scheduler, delay, i, action, None)
            )
        blocking.rac_main_run()
        cpu = time.process_time_ns() - cpu
        late = int(max(lateness) * 1e9)
        return worker.outcome(n, cpu, len(lateness), cpu_ns=cpu, late_ns=late)


# ---- Memory -------------------------------------------------------------------------


class WeighSubscription:
    def __init__(self, _):
        self.subject, self.signal = binding.subject()
        self.heard = Heard()

    def run(self, n):
        def make(count):
            for _ in range(count):
                self.heard.listen(self.signal)

        return worker.weigh(n, make)


class WeighSignal:
    def __init__(self, _):
        self.action = binding.Action(lambda context: None)

    def make(self, count):
        return [rac.rac_subject_create() for _ in range(count)]

    def run(self, n):
        return worker.weigh(n, self.make)


class WeighDisposable(WeighSignal):
    def make(self, count):
        create, action = rac.rac_disposable_create, self.action
        return [create(None, action, None) for _ in range(count)]


WORKLOADS = {
    "send": Send,
    "subscribe": Subscribe,
    "string": String,
    "maps": Maps,
    "map-filter-scan": MapFilterScan,
    "flatten-map": FlattenMap,
    "zip": Zip,
    "combine-latest": CombineLatest,
    "merge": Merge,
    "create": Create,
    "replay": Replay,
    "replay-again": ReplayAgain,
    "deliver-on": DeliverOn,
    "ping-pong-threads": PingPong,
    "two-threads": TwoThreads,
    "timer-schedule": Timers,
    "timer-cancel": Cancels,
    "timer-fire": Fires,
    "bytes-subscription": WeighSubscription,
    "bytes-signal": WeighSignal,
    "bytes-disposable": WeighDisposable,
}

if binding.has_batches and numpy is not None:
    WORKLOADS.update({"batch": Batch, "create-batch": CreateBatch})

if __name__ == "__main__":
    worker.main(WORKLOADS, LOAD_TIME)
