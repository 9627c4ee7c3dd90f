"""psygnal, eventkit and blinker as contestants: Python's signals with slots.

Each at its quickest: psygnal's emit_fast, no weak references, no checks that can
be turned off.

SPDX-License-Identifier: MIT
"""

import sys
import time

import worker

WHO = sys.argv.pop()  # which of the three

_start = time.perf_counter_ns()
if WHO == "psygnal":
    import psygnal
elif WHO == "eventkit":
    import eventkit
else:
    import blinker

LOAD_TIME = time.perf_counter_ns() - _start


class Psygnal:
    """A signal of one argument."""

    def __init__(self):
        self.signal = psygnal.SignalInstance((object,))
        self.send = self.signal.emit_fast

    def connect(self, function):
        self.signal.connect(function, check_nargs=False, max_args=1)
        return function

    def disconnect(self, connected):
        self.signal.disconnect(connected)


class Eventkit:
    def __init__(self):
        self.event = eventkit.Event()
        self.send = self.event.emit

    def connect(self, function):
        self.event.connect(function, keep_ref=True)
        return function

    def disconnect(self, connected):
        self.event.disconnect(connected)


class Blinker:
    """What is sent is the sender: the one argument that is always there."""

    def __init__(self):
        self.signal = blinker.Signal()
        self.send = self.signal.send

    def connect(self, function):
        self.signal.connect(function, weak=False)
        return function

    def disconnect(self, connected):
        self.signal.disconnect(connected)


Made = {"psygnal": Psygnal, "eventkit": Eventkit, "blinker": Blinker}[WHO]


def leaf(total):
    """A callback of its own for each subscriber: they may not be one twice."""
    return lambda number: total.add(number)


class Send:
    def __init__(self, subscribers):
        self.subscribers = subscribers
        self.signal = Made()
        self.sum = worker.Sum()
        for _ in range(subscribers):
            self.signal.connect(self.hearer())

    def hearer(self):
        return self.sum.add if self.subscribers == 1 else leaf(self.sum)

    def run(self, n):
        n = worker.round_up(n, self.subscribers)
        self.sum.total = 0
        taken = worker.send_all(self.signal.send, n // self.subscribers)
        return worker.outcome(n, taken, self.sum.total)


class Elsewhere(Send):
    def run(self, n):
        return worker.elsewhere(super().run, n)


class Subscribe(Send):
    def hearer(self):
        return leaf(self.sum)

    def run(self, n):
        add = leaf(self.sum)

        def work():
            connect, disconnect = self.signal.connect, self.signal.disconnect
            for _ in range(n):
                disconnect(connect(add))

        taken = worker.timed(work)
        self.sum.total = 0
        self.signal.send(1)
        return worker.outcome(n, taken, self.sum.total)


class String:
    def __init__(self, _):
        self.total = 0
        self.signal = Made()
        self.signal.connect(self.hear)

    def hear(self, text):
        self.total += len(text) + ord(text[0])

    def run(self, n):
        self.total = 0

        def work():
            send = self.signal.send
            for _ in range(n):
                send(worker.TEXT)

        return worker.outcome(n, worker.timed(work), self.total)


class Subjects:
    def __init__(self, count):
        self.sum = worker.Sum()
        self.each = [Made() for _ in range(count)]
        for one in self.each:
            one.connect(self.sum.add)

    def run(self, n):
        n = worker.round_up(n, len(self.each))
        self.sum.total = 0
        taken = worker.send_in_turn([one.send for one in self.each], n)
        return worker.outcome(n, taken, self.sum.total)


class Merge(Subjects):
    """A signal that is a slot of others."""

    def __init__(self, count):
        self.sum = worker.Sum()
        self.each = [Made() for _ in range(count)]
        self.merged = Made()
        self.merged.connect(self.sum.add)
        for one in self.each:
            one.connect(self.forward())

    def forward(self):
        send = self.merged.send
        return lambda number: send(number)


class WeighSubscription:
    def __init__(self, _):
        self.signal = Made()
        self.sum = worker.Sum()

    def run(self, n):
        def make(count):
            return [self.signal.connect(leaf(self.sum)) for _ in range(count)]

        return worker.weigh(n, make)


class WeighSignal:
    def __init__(self, _):
        pass

    def run(self, n):
        return worker.weigh(n, lambda count: [Made() for _ in range(count)])


# ---- eventkit's operators ---------------------------------------------------------


class Chain:
    """An event, what is built on it, and one subscriber."""

    def __init__(self, argument):
        self.argument = argument
        self.listen()

    def listen(self):
        self.event, self.total = eventkit.Event(), 0
        self.built = self.build()
        self.built.connect(self.hear, keep_ref=True)

    def hear(self, number):
        self.total += number

    def run(self, n):
        self.listen()
        taken = worker.send_all(self.event.emit, n)
        return worker.outcome(n, taken, self.total)


class Maps(Chain):
    def build(self):
        built = self.event
        for _ in range(self.argument):
            built = built.map(lambda x: x + 1)
        return built


class MapFilterScan(Chain):
    def build(self):
        kept = self.event.map(lambda x: x + 1).filter(lambda x: x >= 0)
        return kept.reduce(lambda running, x: running + x, 0)


class Inputs:
    """Several events that send in turn, and one subscriber."""

    def __init__(self, count):
        self.inputs = [eventkit.Event() for _ in range(count)]
        self.total = 0
        self.built = self.combine()
        self.built.connect(self.hear, keep_ref=True)

    def hear(self, *row):
        self.total += sum(row)

    def run(self, n):
        n = worker.round_up(n, len(self.inputs))
        self.total = 0
        taken = worker.send_in_turn([event.emit for event in self.inputs], n)
        return worker.outcome(n, taken, self.total)


class Zip(Inputs):
    def combine(self):
        return eventkit.Event.zip(*self.inputs)


class CombineLatest(Inputs):
    def combine(self):
        return eventkit.Event.ziplatest(*self.inputs, partial=False)

    def run(self, n):
        for event in self.inputs:
            event.emit(0)
        return super().run(n)


WORKLOADS = {
    "send": Send,
    "send-elsewhere": Elsewhere,
    "subjects": Subjects,
    "subscribe": Subscribe,
    "string": String,
    "merge": Merge,
    "bytes-subscription": WeighSubscription,
    "bytes-signal": WeighSignal,
}
OPERATORS = {
    "maps": Maps,
    "map-filter-scan": MapFilterScan,
    "zip": Zip,
    "combine-latest": CombineLatest,
}

if __name__ == "__main__":
    if WHO == "eventkit":
        WORKLOADS.update(OPERATORS)
    worker.main(WORKLOADS, LOAD_TIME)
