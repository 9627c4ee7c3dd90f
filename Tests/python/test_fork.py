"""Forked children of an interpreter: multiprocessing's, and os.fork()'s."""

import os
import subprocess
import sys
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

# Each test has an interpreter of its own: threads of the library's stay.
PRELUDE = """
import multiprocessing, os, select, sys, threading, time
sys.path.insert(0, {here!r})
from racffi import C, Recorder, rac
from ractest import mapped, returning, send

fork = multiprocessing.get_context("fork")
subject = rac.rac_subject_create()
doubled = mapped(rac.rac_subject_as_signal(subject), lambda n: 2 * n)
main = rac.rac_scheduler_main()
delivered = Recorder(rac.rac_signal_deliver_on(doubled, main))


def drain(count):
    while len(delivered.events) < count:
        readable, _, _ = select.select([rac.rac_main_fd()], [], [], 10)
        assert readable, "no wake-up"
        assert rac.rac_main_drain(0) >= 0
    return delivered.events


def first_on_a_thread(number):
    background = rac.rac_scheduler_background(0, None)
    signal = rac.rac_signal_deliver_on(returning(number), background)
    heard = Recorder(signal)
    deadline = time.monotonic() + 10
    while len(heard.events) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    rac.rac_release(signal)
    rac.rac_release(background)
    return heard.events
"""


class ForkTest(unittest.TestCase):
    def check(self, body):
        program = PRELUDE.format(here=HERE) + textwrap.dedent(body)
        result = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program],
            timeout=60,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_a_pool_of_workers(self):
        self.check(
            """
            def work(number):
                heard = len(delivered.events)
                send(subject, number)
                return os.getpid(), drain(heard + 1)[-1], first_on_a_thread(number)

            rac.rac_main_fd()
            with fork.Pool(3) as pool:
                answers = pool.map(work, range(60), 1)
            assert all(pid != os.getpid() for pid, _, _ in answers)
            assert [answer for _, answer, _ in answers] == list(range(0, 120, 2))
            assert [t for _, _, t in answers] == [[n, "completed"] for n in range(60)]
            assert delivered.events == []
            send(subject, 1)
            assert drain(1) == [2]
            """
        )

    def test_both_sides_drain(self):
        self.check(
            """
            def side(first):
                for number in range(first, first + 300):
                    send(subject, number)
                    drain(number - first + 1)
                assert delivered.events == list(range(2 * first, 2 * first + 600, 2))

            number = rac.rac_main_fd()
            children = [fork.Process(target=side, args=(1000 * i,)) for i in range(3)]
            for child in children:
                child.start()
            side(5000)
            for child in children:
                child.join()
                assert child.exitcode == 0, child.exitcode
            assert rac.rac_main_fd() == number
            """
        )

    def test_beside_a_thread_that_has_called(self):
        self.check(
            """
            sent, leave = threading.Event(), threading.Event()

            def wait():
                send(subject, 1)
                sent.set()
                leave.wait()

            def in_child(check):
                pid = os.fork()
                if pid == 0:
                    os._exit(0 if check() else 1)
                assert os.waitpid(pid, 0)[1] == 0

            def anew():
                refused = send(subject, 2) == [C.RAC_EFORK]
                begun = rac.rac_reinitialize() == C.RAC_OK
                return refused and begun and send(subject, 2) == [C.RAC_ESTALE]

            def on():
                send(subject, 2)
                return drain(2) == [2, 4]

            thread = threading.Thread(target=wait)
            thread.start()
            sent.wait()
            drain(1)
            in_child(anew)
            leave.set()
            thread.join()
            in_child(on)
            """
        )

    def test_a_child_begins_anew(self):
        self.check(
            """
            assert first_on_a_thread(1) == [1, "completed"]

            def anew():
                assert not rac.rac_subject_create()
                assert rac.rac_last_error_code() == C.RAC_EFORK
                assert rac.rac_reinitialize() == C.RAC_OK
                assert send(subject, 1) == [C.RAC_ESTALE]
                assert rac.rac_scheduler_main() == main
                assert first_on_a_thread(2) == [2, "completed"]
                assert rac.rac_live_objects() < 20
                mine = rac.rac_subject_create()
                heard = Recorder(rac.rac_subject_as_signal(mine))
                send(mine, 3)
                assert heard.events == [3]

            child = fork.Process(target=anew)
            child.start()
            child.join()
            assert child.exitcode == 0, child.exitcode
            send(subject, 4)
            assert drain(1) == [8]
            """
        )


if __name__ == "__main__":
    unittest.main()
