"""A scheduler over a pool of threads that is Python's."""

import concurrent.futures
import threading
import time
import unittest

import racffi
from racffi import Recorder, rac, register
from ractest import RacTest, release, send

call_enqueue = racffi.trampoline(
    "rac_enqueue_fn", lambda function, scheduler: function(scheduler)
)


class QueueSchedulerTest(RacTest):
    def over(self, pool):
        def enqueue(scheduler):
            rac.rac_retain(scheduler)
            pool.submit(take_turn, scheduler)

        def take_turn(scheduler):
            # Turns of 8 jobs, so that there are several.
            racffi.check(rac.rac_scheduler_take_turn(scheduler, 8))
            release(scheduler)

        return self.own(
            rac.rac_scheduler_over_queue(
                b"pool", register(enqueue), call_enqueue, racffi.destroy
            )
        )

    def test_jobs_run_in_order_on_the_pools_threads(self):
        ran, threads, done = [], set(), threading.Event()

        def job(number):
            ran.append(number)
            threads.add(threading.get_ident())
            if number == 99:
                done.set()

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            scheduler = self.over(pool)
            for number in range(100):
                release(
                    rac.rac_schedule(
                        scheduler,
                        register(lambda number=number: job(number)),
                        racffi.call_action,
                        racffi.destroy,
                    )
                )
            self.assertTrue(done.wait(20))
        self.assertEqual(ran, list(range(100)))
        self.assertNotIn(threading.get_ident(), threads)

    def test_a_signal_is_delivered_there(self):
        subject, signal = self.subject()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            scheduler = self.over(pool)
            delivered = self.own(rac.rac_signal_deliver_on(signal, scheduler))
            heard = Recorder(delivered)
            send(subject, *range(100))
            rac.rac_subject_send_completed(subject)
            deadline = time.monotonic() + 20
            while heard.events[-1:] != ["completed"] and time.monotonic() < deadline:
                time.sleep(0.001)
        heard.release()
        self.assertEqual(heard.events, list(range(100)) + ["completed"])


if __name__ == "__main__":
    unittest.main()
