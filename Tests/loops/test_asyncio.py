"""librac under load in an asyncio loop: what load.c is to the loops of C.

100,000 numbered items a second from two threads, in arrays, delivered on the main
scheduler, which the loop runs when its descriptor is readable. RAC_LOOP_SECONDS
for another time than 3 seconds.
"""

import asyncio
import ctypes
import os
import signal
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from racffi import C, CALLBACKS, rac  # noqa: E402

SENDERS, RATE, TICK = 2, 100000, 0.010
SECONDS = float(os.environ.get("RAC_LOOP_SECONDS", "3"))
SLICE = 0.002
SHIFT = 40


def open_descriptors():
    return len(os.listdir("/proc/self/fd"))


class Load:
    """Sends, hears, and counts."""

    def __init__(self):
        self.next = [0] * SENDERS
        self.heard = self.wrong = self.ticks = 0
        # By the loop's own processor time: a busy machine takes none of that.
        self.begin = self.last = time.thread_time()
        self.missed = 0
        self.each = int(SECONDS * RATE) // SENDERS
        self.subject = rac.rac_subject_create()
        scheduler = rac.rac_scheduler_main()
        delivered = rac.rac_signal_deliver_on(
            rac.rac_subject_as_signal(self.subject), scheduler
        )
        self.callback = CALLBACKS["rac_next_fn"](self.hear)
        none = CALLBACKS["rac_destroy_fn"]()
        self.subscription = rac.rac_subscribe_next(delivered, None, self.callback, none)
        rac.rac_release(delivered)
        rac.rac_release(scheduler)

    def hear(self, _, value):
        sender, number = value.bits >> SHIFT, value.bits & (1 << SHIFT) - 1
        if number != self.next[sender]:
            self.wrong += 1
        self.next[sender] = number + 1
        self.heard += 1

    def send(self, sender):
        """A hundred times a second, as much as is due."""
        size = RATE // SENDERS // 100
        begin = time.monotonic()
        for turn, first in enumerate(range(0, self.each, size)):
            base = sender << SHIFT
            last = min(first + size, self.each)
            numbers = (ctypes.c_int64 * (last - first))(
                *range(base + first, base + last)
            )
            rac.rac_subject_send_array(
                self.subject, C.RAC_ARRAY_INT64S, numbers, last - first
            )
            time.sleep(max(0, begin + turn / 100 - time.monotonic()))

    def is_over(self):
        return self.heard >= self.each * SENDERS

    def tick(self):
        now = time.thread_time()
        if now - self.last > 4 * TICK:
            self.missed += now - self.last
        self.last = now
        self.ticks += 1

    def close(self):
        rac.rac_dispose(self.subscription)
        for handle in (self.subscription, self.subject):
            rac.rac_release(handle)


def in_loop(loop):
    """What a program with asyncio writes: two lines."""
    loop.add_reader(rac.rac_main_fd(), rac.rac_main_drain_for, SLICE)


async def play(load):
    loop = asyncio.get_running_loop()
    in_loop(loop)
    senders = [
        threading.Thread(target=load.send, args=(sender,)) for sender in range(SENDERS)
    ]
    for sender in senders:
        sender.start()
    while not load.is_over():
        await asyncio.sleep(TICK)
        load.tick()
    for sender in senders:
        sender.join()
    loop.remove_reader(rac.rac_main_fd())


class AsyncioTest(unittest.TestCase):
    def test_load(self):
        rac.rac_main_fd()  # opened for the life of the process
        objects, descriptors = rac.rac_live_objects(), open_descriptors()
        load = Load()
        asyncio.run(play(load))
        load.close()
        end = time.monotonic() + 10
        while rac.rac_live_objects() != objects and time.monotonic() < end:
            rac.rac_main_run_for(0.001)
        self.assertEqual(load.heard, load.each * SENDERS)
        self.assertEqual(load.wrong, 0)
        self.assertGreater(load.ticks, 10)
        self.assertLess(load.missed, (load.last - load.begin) / 10 + 10 * TICK)
        self.assertEqual(rac.rac_live_objects(), objects)
        self.assertEqual(open_descriptors(), descriptors)


class Listener:
    """What a source on the main scheduler sends."""

    def __init__(self, source, on_next=None):
        self.heard, self.is_over = [], False
        self.on_next = CALLBACKS["rac_next_fn"](
            on_next or (lambda _, value: self.heard.append(value.bits))
        )
        self.destroy = CALLBACKS["rac_destroy_fn"](self.end)
        self.subscription = rac.rac_subscribe_next(
            source, None, self.on_next, self.destroy
        )
        rac.rac_release(source)

    def end(self, _):
        self.is_over = True

    def close(self):
        rac.rac_dispose(self.subscription)
        rac.rac_release(self.subscription)


class SourcesTest(unittest.TestCase):
    """asyncio has a child and a signal of its own meanwhile."""

    LINES = 100000

    async def play(self):
        loop = asyncio.get_running_loop()
        in_loop(loop)
        reading, writing = os.pipe()
        text = ctypes.c_char_p()
        own, lines, wrong = [], 0, 0

        def line(_, value):
            nonlocal lines, wrong
            rac.rac_value_get_string(value, ctypes.byref(text), None)
            wrong += text.value != b"%d" % lines
            lines += 1

        seq = os.posix_spawnp(
            "seq", ["seq", "0", str(self.LINES - 1)], os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)],
        )
        os.close(writing)
        read = Listener(rac.rac_signal_lines(reading, 1, 0, None), line)
        child = Listener(rac.rac_signal_child_exit(seq, None))
        posix = Listener(rac.rac_signal_posix_signal(signal.SIGUSR1, None))
        loop.add_signal_handler(signal.SIGUSR2, own.append, 1)
        other = await asyncio.create_subprocess_exec("sh", "-c", "kill -USR1 $PPID; exit 3")
        os.kill(os.getpid(), signal.SIGUSR2)
        end = time.monotonic() + 30
        while time.monotonic() < end and not (
            read.is_over and child.is_over and posix.heard and own
        ):
            await asyncio.sleep(TICK)
        self.assertEqual(await other.wait(), 3)
        self.assertEqual((lines, wrong), (self.LINES, 0))
        self.assertEqual(child.heard, [0])
        self.assertEqual(posix.heard, [signal.SIGUSR1])
        self.assertEqual(own, [1])
        loop.remove_signal_handler(signal.SIGUSR2)
        for listener in (read, child, posix):
            listener.close()
        loop.remove_reader(rac.rac_main_fd())

    def test_sources(self):
        rac.rac_main_fd()
        objects, descriptors = rac.rac_live_objects(), open_descriptors()
        asyncio.run(self.play())
        while rac.rac_main_drain(0) > 0:
            pass
        self.assertEqual(rac.rac_live_objects(), objects)
        self.assertEqual(open_descriptors(), descriptors)


if __name__ == "__main__":
    unittest.main()
