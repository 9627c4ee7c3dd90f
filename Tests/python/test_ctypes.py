"""Operators, lifetimes, the main loop, threads and virtual time through ctypes."""

import ctypes
import gc
import selectors
import threading
import time
import unittest

import racffi
from racffi import C, Contexts, Recorder, Value, rac, register
from ractest import RacTest, filtered, flat_mapped, mapped, release, returning, send


class TraceTest(RacTest):
    def test_two_subscriptions_on_two_threads(self):
        seen = []

        def note(context, event):
            event = event.contents
            self.assertEqual(event.size, ctypes.sizeof(racffi.TraceEvent))
            if event.type == C.RAC_TRACE_NEXT:
                seen.append((event.subscription, event.thread, event.name))

        hook = racffi.CALLBACKS["rac_trace_fn"](note)
        subject, signal = self.subject()
        rac.rac_signal_set_name(signal, b"numbers")
        rac.rac_set_trace(None, hook, racffi.CALLBACKS["rac_destroy_fn"]())
        heard = [Recorder(signal), Recorder(signal)]
        send(subject, 1)
        other = threading.Thread(target=send, args=(subject, 2))
        other.start()
        other.join()
        rac.rac_set_trace(
            None,
            racffi.CALLBACKS["rac_trace_fn"](),
            racffi.CALLBACKS["rac_destroy_fn"](),
        )
        for recorder in heard:
            recorder.dispose()
            recorder.release()
        here = threading.get_native_id()
        subscriptions, threads, names = zip(*seen)
        self.assertEqual(subscriptions[0:2], subscriptions[2:4])
        self.assertEqual(len(set(subscriptions)), 2)
        self.assertEqual(threads[0:2], (here, here))
        self.assertEqual(threads[2], threads[3])
        self.assertNotEqual(threads[2], here)
        self.assertEqual(set(names), {b"numbers"})


class OperatorTest(RacTest):
    def test_map_filter_flat_map(self):
        subject, signal = self.subject()
        even = self.own(filtered(signal, lambda n: n % 2 == 0))
        named = self.own(mapped(even, "<{}>".format))
        twice = self.own(
            flat_mapped(named, lambda text: returning((text, text)))
        )
        heard = Recorder(twice)
        send(subject, 1, 2, 3, 4)
        rac.rac_subject_send_completed(subject)
        heard.release()
        self.assertEqual(
            heard.events, [("<2>", "<2>"), ("<4>", "<4>"), "completed"]
        )

    def test_scan(self):
        subject, signal = self.subject()
        joined = self.own(
            rac.rac_signal_scan(
                signal,
                rac.rac_value_int64(100),
                register(lambda running, value: running + value),
                racffi.call_reduce,
                racffi.destroy,
            )
        )
        heard = Recorder(joined)
        send(subject, 1, 2, 3)
        heard.dispose()
        heard.release()
        self.assertEqual(heard.events, [101, 103, 106])

    def test_flat_map_to_nothing_is_empty(self):
        subject, signal = self.subject()
        dropped = self.own(flat_mapped(signal, lambda value: None))
        heard = Recorder(dropped)
        send(subject, 1, 2)
        rac.rac_subject_send_completed(subject)
        heard.release()
        self.assertEqual(heard.events, ["completed"])

    def test_exception_becomes_the_stream_error(self):
        operators = {
            "map": lambda signal: mapped(signal, lambda n: n // 0),
            "filter": lambda signal: filtered(signal, lambda n: {}[n]),
            "flatten_map": lambda signal: flat_mapped(signal, lambda n: [][n]),
        }
        expected = {
            "map": "ZeroDivisionError",
            "filter": "KeyError",
            "flatten_map": "IndexError",
        }
        for name, operator in operators.items():
            with self.subTest(operator=name):
                subject, signal = self.subject()
                failing = self.own(operator(signal))
                heard = Recorder(failing)
                send(subject, 1, 2)
                heard.release()
                self.finish()
                self.assertEqual(len(heard.events), 1)
                kind, domain, code, message = heard.events[0]
                self.assertEqual((kind, domain, code), ("error", "python", 1))
                self.assertTrue(message.startswith(expected[name]), message)

    def test_exception_in_a_subscribe_callback(self):
        def fail(subscriber):
            raise OSError("no such file")

        signal = rac.rac_signal_create(
            register(fail), racffi.call_subscribe, racffi.destroy
        )
        heard = Recorder(signal)
        heard.release()
        release(signal)
        self.assertEqual(
            heard.events, [("error", "python", 1, "OSError: no such file")]
        )

    def test_catch_replaces_a_python_exception(self):
        subject, signal = self.subject()
        failing = self.own(mapped(signal, lambda n: 10 // n))
        caught = self.own(
            rac.rac_signal_catch(
                failing,
                register(lambda error: returning(error.args[0])),
                racffi.call_signal,
                racffi.destroy,
            )
        )
        heard = Recorder(caught)
        send(subject, 5, 0, 1)
        heard.release()
        self.assertEqual(heard.events, [2, "python", "completed"])

    def test_chain_with_assign(self):
        chain = ctypes.c_void_p(returning(1))
        slot = ctypes.cast(ctypes.pointer(chain), ctypes.POINTER(ctypes.c_void_p))
        for _ in range(3):
            rac.rac_assign(slot, mapped(chain.value, lambda n: n * 2))
        heard = Recorder(chain.value)
        heard.release()
        release(chain.value)
        self.assertEqual(heard.events, [8, "completed"])

    def test_broken_chain_keeps_the_first_error(self):
        rac.rac_clear_last_error()
        chain = ctypes.c_void_p(returning(1))
        slot = ctypes.cast(ctypes.pointer(chain), ctypes.POINTER(ctypes.c_void_p))
        rac.rac_assign(slot, rac.rac_signal_delay(chain.value, -1.0, None))
        rac.rac_assign(slot, mapped(chain.value, lambda n: n))
        self.assertIsNone(chain.value)
        self.assertEqual(rac.rac_last_error_code(), C.RAC_EINVAL)
        self.assertEqual(rac.rac_last_error_function(), b"rac_signal_delay")


class LifetimeTest(RacTest):
    def test_destroy_runs_once_when_the_signal_goes(self):
        before = Contexts.destroyed
        subject, signal = self.subject()
        other = mapped(signal, lambda value: value)
        self.assertEqual(Contexts.destroyed, before)
        release(other)
        self.assertEqual(Contexts.destroyed, before + 1)

    def test_destroy_waits_for_the_subscription(self):
        subject, signal = self.subject()
        other = mapped(signal, lambda value: value + 1)
        heard = Recorder(other)
        before = Contexts.destroyed
        release(other)
        send(subject, 1)
        self.assertEqual(heard.events, [2])
        self.assertEqual(Contexts.destroyed, before)
        heard.dispose()
        self.assertEqual(Contexts.destroyed, before + 2)
        heard.release()

    def test_destroy_runs_when_registering_fails(self):
        before = Contexts.destroyed
        self.assertIsNone(mapped(None, lambda value: value))
        self.assertIsNone(mapped(0x123456789ABCDEF, lambda value: value))
        self.assertEqual(Contexts.destroyed, before + 2)

    def test_dispose_inside_next(self):
        subject, signal = self.subject()
        heard = Recorder(signal, on_next=lambda value: heard.dispose())
        send(subject, 1, 2)
        heard.release()
        self.assertEqual(heard.events, [1])

    def test_sends_after_the_end(self):
        kept = []

        def keep(subscriber):
            kept.append(rac.rac_retain(subscriber))

        signal = rac.rac_signal_create(
            register(keep), racffi.call_subscribe, racffi.destroy
        )
        heard = Recorder(signal)
        self.assertEqual(rac.rac_subscriber_send_completed(kept[0]), C.RAC_OK)
        late = rac.rac_subscriber_send(kept[0], rac.rac_value_int64(1))
        self.assertEqual(late, C.RAC_EDONE)
        heard.release()
        release(kept[0], signal)
        self.assertEqual(heard.events, ["completed"])

    def test_many_callbacks_leave_no_python_object(self):
        subject, signal = self.subject()
        for _ in range(200):
            other = mapped(signal, lambda value: value)
            heard = Recorder(other)
            send(subject, 1)
            heard.dispose()
            heard.release()
            release(other)
        gc.collect()
        self.finish()
        self.assertEqual(self.counts(), self.before)


class MainLoopTest(RacTest):
    def drain_until(self, done, seconds=20):
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
            while not done():
                self.assertLess(time.monotonic(), deadline, "nothing came")
                selector.select(1.0)
                racffi.check(rac.rac_main_drain(0))

    def test_values_of_a_thread_arrive_in_the_drain(self):
        main = rac.rac_scheduler_main()
        subject, signal = self.subject()
        delivered = self.own(rac.rac_signal_deliver_on(signal, main))
        threads = set()
        heard = Recorder(
            delivered, on_next=lambda value: threads.add(threading.get_ident())
        )

        def work():
            send(subject, *range(100))
            rac.rac_subject_send_completed(subject)

        worker = threading.Thread(target=work)
        worker.start()
        self.drain_until(lambda: heard.events[-1:] == ["completed"])
        worker.join()
        heard.release()
        release(main)
        self.assertEqual(heard.events, list(range(100)) + ["completed"])
        self.assertEqual(threads, {threading.get_ident()})

    def test_descriptor_is_level_triggered(self):
        main = rac.rac_scheduler_main()
        ran = []
        for number in range(3):
            release(
                rac.rac_schedule(
                    main,
                    register(lambda number=number: ran.append(number)),
                    racffi.call_action,
                    racffi.destroy,
                )
            )
        with selectors.DefaultSelector() as selector:
            selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
            for expected in (1, 2, 3):
                self.assertTrue(selector.select(5.0))
                self.assertTrue(selector.select(0))
                self.assertEqual(rac.rac_main_drain(1), 1)
                self.assertEqual(ran, list(range(expected)))
            self.assertFalse(selector.select(0))
        release(main)

    def test_timer_wakes_the_descriptor(self):
        self.assertLess(rac.rac_scheduler_next_deadline(rac.rac_scheduler_main()), 0)
        main = rac.rac_scheduler_main()
        ran = []
        start = time.monotonic()
        release(
            rac.rac_schedule_after(
                main,
                0.02,
                register(lambda: ran.append(1)),
                racffi.call_action,
                racffi.destroy,
            )
        )
        self.assertLessEqual(rac.rac_scheduler_next_deadline(rac.rac_scheduler_main()), 0.02)
        self.drain_until(lambda: ran)
        self.assertGreaterEqual(time.monotonic() - start, 0.015)
        release(main)

    def test_blocking_read_inside_the_drain_is_refused(self):
        main = rac.rac_scheduler_main()
        never = rac.rac_signal_never()
        answers = []

        def read():
            out = Value()
            answers.append(rac.rac_signal_first(never, 5.0, ctypes.byref(out)))

        release(
            rac.rac_schedule(main, register(read), racffi.call_action, racffi.destroy)
        )
        self.drain_until(lambda: answers)
        release(never, main)
        self.assertEqual(answers, [C.RAC_EDEADLK])


class ThreadTest(RacTest):
    def test_two_threads_one_subject(self):
        subject, signal = self.subject()
        inside = []
        overlaps = []

        def on_next(value):
            inside.append(value)
            if len(inside) != 1:
                overlaps.append(value)
            inside.pop()

        heard = Recorder(signal, on_next=on_next)
        other = Recorder(signal)
        threads = [
            threading.Thread(target=send, args=(subject, *range(base, base + 500)))
            for base in (0, 1000)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for recorder in (heard, other):
            recorder.dispose()
            recorder.release()
        self.assertEqual(overlaps, [])
        self.assertEqual(heard.events, other.events)
        for base in (0, 1000):
            mine = [v for v in heard.events if base <= v < base + 500]
            self.assertEqual(mine, list(range(base, base + 500)))

    def test_cold_signal_on_a_foreign_thread(self):
        # Without a current scheduler the subscription starts in the background.
        idents = []
        arrived = threading.Event()

        def start(subscriber):
            idents.append(threading.get_ident())
            rac.rac_subscriber_send_completed(subscriber)
            arrived.set()

        def work(attached):
            if attached:
                racffi.check(rac.rac_thread_attach())
            signal = rac.rac_signal_create(
                register(start), racffi.call_subscribe, racffi.destroy
            )
            heard = Recorder(signal)
            arrived.wait(20)
            self.assertEqual(rac.rac_dispose_and_wait(heard.subscription, 20.0), 0)
            heard.release()
            release(signal)
            idents.append(threading.get_ident())
            if attached:
                racffi.check(rac.rac_thread_detach())

        for attached in (False, True):
            del idents[:]
            arrived.clear()
            thread = threading.Thread(target=work, args=(attached,))
            thread.start()
            thread.join()
            self.assertEqual(len(idents), 2)
            self.assertEqual(idents[0] == idents[1], attached)


class VirtualTimeTest(RacTest):
    def test_delay_on_virtual_time(self):
        clock = rac.rac_scheduler_virtual()
        subject, signal = self.subject()
        late = self.own(rac.rac_signal_delay(signal, 60.0, None))
        times = []
        heard = Recorder(
            late, on_next=lambda value: times.append(rac.rac_scheduler_now(clock))
        )
        release(
            rac.rac_schedule_after(
                clock,
                1.0,
                register(lambda: send(subject, "x")),
                racffi.call_action,
                racffi.destroy,
            )
        )
        racffi.check(rac.rac_virtual_advance_to(clock, 60.5))
        self.assertEqual(heard.events, [])
        racffi.check(rac.rac_virtual_step_all(clock))
        heard.dispose()
        heard.release()
        release(clock)
        self.assertEqual(heard.events, ["x"])
        self.assertAlmostEqual(times[0], 61.0, places=5)


if __name__ == "__main__":
    unittest.main()
