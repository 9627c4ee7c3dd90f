"""librac through ctypes: what crosses threads, and timers.

SPDX-License-Identifier: MIT
"""

import ctypes
import random
import threading
import time

import rac as binding
import worker
from rac import rac, send_numbers


class DeliverOn:
    """Sent by a thread of ours, received where callbacks are cheap: on the main
    scheduler, which this program runs."""

    def __init__(self, _):
        self.loop = binding.MainLoop()
        self.handles, self.callbacks = [], []
        self.total = self.left = 0
        self.there = self.lane(rac.rac_scheduler_main(), self.arrive)

    def lane(self, scheduler, hear):
        handle, signal = binding.subject()
        delivered = rac.rac_signal_deliver_on(signal, scheduler)
        self.callbacks.append(binding.Next(hear))
        subscription = rac.rac_subscribe_next(delivered, None, self.callbacks[-1], None)
        self.handles += [scheduler, handle, delivered, subscription]
        return handle

    def arrive(self, _, kind, bits):
        self.total += bits
        self.left -= 1
        if self.left == 0:
            self.loop.stop()

    def run(self, n):
        self.total, self.left = 0, n
        thread = threading.Thread(target=send_numbers, args=(self.there, n))

        def work():
            thread.start()
            self.loop.run()

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
            self.loop.run()

        return worker.outcome(n, worker.timed(work), self.total)


class TwoThreads(DeliverOn):
    """Two threads of ours send. Received on the main scheduler as well: otherwise
    what one of them leaves to the other may come on a thread of the library's,
    which has to get the interpreter's lock first."""

    def __init__(self, _):
        self.race = worker.Racing()
        super().__init__(_)

    def arrive(self, _, kind, bits):
        self.race.hear(bits)
        if self.race.arrived == self.left:
            self.loop.stop()

    def run(self, n):
        self.left = n
        return self.race.run(n, lambda: binding.sender(self.there), self.loop.run)


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
        lateness, loop = [], binding.MainLoop()

        def fired(i):
            lateness.append(time.monotonic() - first - offsets[(i or n) - 1])
            if len(lateness) == n:
                loop.stop()

        action = binding.Action(fired)
        cpu = time.process_time_ns()
        first = time.monotonic() + lead
        for i, offset in enumerate(offsets, 1):
            delay = max(0, first + offset - time.monotonic())
            rac.rac_release(
                rac.rac_schedule_after(self.scheduler, delay, i, action, None)
            )
        loop.run()
        cpu = time.process_time_ns() - cpu
        return worker.outcome(n, cpu, len(lateness), cpu_ns=cpu, **worker.late(lateness))


WORKLOADS = {
    "deliver-on": DeliverOn,
    "ping-pong-threads": PingPong,
    "two-threads": TwoThreads,
    "timer-schedule": Timers,
    "timer-cancel": Cancels,
    "timer-fire": Fires,
}
