"""What the contestants in Python share: worker/worker.c in Python.

SPDX-License-Identifier: MIT
"""

import json
import sys
import threading
import time

TEXT = "a string of 32 bytes, no less..."


def value(i):
    return i & 1023


def round_up(n, step):
    return -(-n // step) * step if step else n


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


class Sum:
    """What a run's callbacks add up to."""

    def __init__(self):
        self.total = 0

    def add(self, number):
        self.total += number


def timed(work):
    start = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - start


def send_all(send, n):
    """Sends n values; nanoseconds."""

    def work():
        for i in range(n):
            send(i & 1023)

    return timed(work)


def send_in_turn(sends, n):
    """The same into several, one after the other."""

    def work():
        count = len(sends)
        for i in range(n):
            sends[i % count](i & 1023)

    return timed(work)


def elsewhere(run, n):
    """What run(n) returns, called on a thread of its own."""
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(run(n)))
    thread.start()
    thread.join()
    return outcomes[0]


def outcome(n, ns, total, **more):
    return dict({"n": n, "ns": ns, "sum": total}, **more)


def late(seconds):
    """How late timers were: half of them, all but one in a hundred, the latest."""
    ordered = [max(0, int(each * 1e9)) for each in sorted(seconds)]
    count = len(ordered)
    return {
        "late_median_ns": ordered[count // 2],
        "late_p99_ns": ordered[count * 99 // 100],
        "late_ns": ordered[-1],
    }


def weigh(n, make):
    """What each of the n things weighs that make(n) returns."""
    kept = [make(1)]
    before = resident()
    start = time.perf_counter_ns()
    kept.append(make(n))
    taken = time.perf_counter_ns() - start
    return outcome(n, taken, n, bytes=(resident() - before) / n)


class Racing:
    """Two threads that send, and a leaf that notices when it runs twice at once."""

    def __init__(self):
        self.inside = self.overlaps = self.arrived = 0
        self.total = 0
        self.lock = threading.Lock()

    def hear(self, number):
        if self.inside:
            self.overlaps += 1
        self.inside = True
        with self.lock:
            self.total += number
            self.arrived += 1
        self.inside = False

    def run(self, n, make_send, receive=lambda: None):
        """`make_send` is called in each thread and returns what sends there;
        `receive` returns when all has arrived, if this thread has to do anything
        for that."""
        self.overlaps = self.arrived = self.total = 0
        gate = threading.Barrier(3)

        def sender(first):
            send = make_send()
            gate.wait()
            for i in range(first, n, 2):
                send(value(i))

        threads = [threading.Thread(target=sender, args=(f,)) for f in (0, 1)]
        for thread in threads:
            thread.start()
        gate.wait()
        start = time.perf_counter_ns()
        receive()
        for thread in threads:
            thread.join()
        while self.arrived < n:
            time.sleep(0.0001)
        taken = time.perf_counter_ns() - start
        return outcome(n, taken, self.total, overlaps=self.overlaps)


def park():
    """A second thread, as in the contestants in C."""
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def serve(workloads):
    opened = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "open":
            make = workloads.get(words[1])
            opened = make(int(words[2])) if make else None
            answer = "{}" if make else "-"
        elif words[0] == "run":
            answer = json.dumps(opened.run(int(words[1])))
        else:
            getattr(opened, "close", lambda: None)()
            opened, answer = None, "{}"
        print(answer, flush=True)


def main(workloads, load_time):
    """`workloads`: name -> class, made with the argument, with run(n) in it."""
    park()
    if sys.argv[1] == "--serve":
        serve(workloads)
    elif sys.argv[1] == "--load":
        print(load_time)
    else:
        workloads["send"](1).run(1)
        print(time.monotonic_ns() - int(sys.argv[3]))
