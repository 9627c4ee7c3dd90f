"""librac from Python, through ctypes, as a contestant.

SPDX-License-Identifier: MIT
"""

import importlib.util
import time

import worker

_start = time.perf_counter_ns()
import ctypes  # noqa: E402

import rac as binding  # noqa: E402
from rac import rac, send_numbers  # noqa: E402

LOAD_TIME = time.perf_counter_ns() - _start

import ctypes_threads  # noqa: E402


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
            send, view = rac.rac_subject_send, rac.rac_value_string
            for _ in range(n):
                data = worker.TEXT.encode()  # stays until the send has returned
                send(self.subject, view(data))

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
        import numpy  # only now: to load it takes longer than anything else here

        self.frombuffer = numpy.frombuffer
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
        self.total += int(self.frombuffer(kind.from_address(address), "i8").sum())

    def run(self, n):
        n = worker.round_up(n, self.size)
        self.total = 0

        def work():
            for _ in range(n // self.size):
                self.emit()

        return worker.outcome(n, worker.timed(work), self.total)

    def emit(self):
        rac.rac_subject_send_array(self.subject, 2, self.address, self.size)


class CreateBatch(Batch):
    def __init__(self, size):
        super().__init__(size)
        self.create = binding.Subscribe(self.subscribe)

    def subscribe(self, _, subscriber, out):
        rac.rac_subscriber_send_array(subscriber, 2, self.address, self.size)
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
    "bytes-subscription": WeighSubscription,
    "bytes-signal": WeighSignal,
    "bytes-disposable": WeighDisposable,
}

WORKLOADS.update(ctypes_threads.WORKLOADS)
if importlib.util.find_spec("numpy"):
    WORKLOADS.update({"batch": Batch, "create-batch": CreateBatch})

if __name__ == "__main__":
    worker.main(WORKLOADS, LOAD_TIME)
