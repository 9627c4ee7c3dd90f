"""Callbacks, their errors and lifetimes, the main loop, threads and structures through ctypes."""

import ctypes
import gc
import selectors
import threading
import time

import racffi
from racffi import C, Contexts, Recorder, callbacks, rac, to_rac
from ractest import RacTest, filtered, flat_mapped, mapped, release, returning, send


class CallbackTest(RacTest):
    def test_a_chain(self):
        subject, signal = self.subject()
        even = self.own(filtered(signal, lambda n: n % 2 == 0))
        named = self.own(mapped(even, "<{}>".format))
        twice = self.own(
            flat_mapped(named, lambda text: returning((text, text)) if text != "<6>" else None)
        )
        heard = Recorder(twice)
        send(subject, 1, 2, 3, 4, 6)
        rac.rac_subject_send_completed(subject)
        heard.release()
        self.assertEqual(heard.events, [("<2>", "<2>"), ("<4>", "<4>"), "completed"])

    def test_exceptions_become_the_streams_error(self):
        def fail(subscriber):
            raise OSError("no such file")

        created = callbacks("subscribe", fail)
        for make, message in (
            (lambda signal: mapped(signal, lambda n: n // 0), "ZeroDivisionError: "),
            (lambda signal: filtered(signal, lambda n: {}[n]), "KeyError: 1"),
            (lambda signal: flat_mapped(signal, lambda n: [][n]), "IndexError: "),
            (lambda signal: rac.rac_signal_create(*created), "OSError: no such file"),
        ):
            with self.subTest(message=message):
                subject, signal = self.subject()
                heard = Recorder(self.own(make(signal)))
                send(subject, 1, 2)
                heard.release()
                self.assertEqual([event[:3] for event in heard.events], [("error", "python", 1)])
                self.assertTrue(heard.events[0][3].startswith(message), heard.events)

    def test_many_leave_no_python_object(self):
        subject, signal = self.subject()
        for _ in range(200):
            other = mapped(signal, lambda value: value)
            heard = Recorder(other, on_next=lambda value: heard.dispose())
            send(subject, 1, 2)
            self.assertEqual(heard.events, [1])
            heard.release()
            release(other)
        before = Contexts.destroyed
        self.assertIsNone(mapped(0x123456789ABCDEF, lambda value: value))
        self.assertEqual(Contexts.destroyed, before + 1)
        gc.collect()
        self.finish()
        self.assertEqual(self.counts(), self.before)

    def test_assigning_to_a_chain(self):
        chain = ctypes.c_void_p(returning(1))
        slot = ctypes.cast(ctypes.pointer(chain), ctypes.POINTER(ctypes.c_void_p))
        for _ in range(3):
            rac.rac_assign(slot, mapped(chain.value, lambda n: n * 2))
        heard = Recorder(chain.value)
        heard.release()
        self.assertEqual(heard.events, [8, "completed"])
        rac.rac_assign(slot, rac.rac_signal_delay(chain.value, -1.0, None))
        self.assertIsNone(chain.value)
        self.assertEqual(rac.rac_last_error_code(), C.RAC_EINVAL)
        self.assertEqual(rac.rac_last_error_function(), b"rac_signal_delay")


class ThreadTest(RacTest):
    def test_values_of_a_thread_arrive_in_the_hosts_loop(self):
        main = rac.rac_scheduler_main()
        subject, signal = self.subject()
        delivered = self.own(rac.rac_signal_deliver_on(signal, main))
        threads = set()
        heard = Recorder(delivered, on_next=lambda value: threads.add(threading.get_ident()))

        def work():
            send(subject, *range(100))
            rac.rac_subject_send_completed(subject)

        worker = threading.Thread(target=work)
        worker.start()
        deadline = time.monotonic() + 20
        with selectors.DefaultSelector() as selector:
            selector.register(rac.rac_main_fd(), selectors.EVENT_READ)
            while heard.events[-1:] != ["completed"]:
                self.assertLess(time.monotonic(), deadline, "nothing came")
                selector.select(1.0)
                racffi.check(rac.rac_main_drain(0))
        worker.join()
        # What lets go of the subscription may come behind the completion.
        racffi.check(rac.rac_main_drain(0))
        heard.release()
        release(main)
        self.assertEqual(heard.events, list(range(100)) + ["completed"])
        self.assertEqual(threads, {threading.get_ident()})

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


class StructureTest(RacTest):
    def test_a_trace(self):
        seen = []

        def note(context, event):
            event = event.contents
            self.assertEqual(event.size, ctypes.sizeof(racffi.C.rac_trace_event))
            if event.type == C.RAC_TRACE_NEXT:
                seen.append((event.subscription > 0, event.thread, event.name))

        none = racffi.CALLBACKS["rac_destroy_fn"]()
        hook = racffi.CALLBACKS["rac_trace_fn"](note)
        subject, signal = self.subject()
        rac.rac_signal_set_name(signal, b"numbers")
        rac.rac_set_trace(None, hook, none)
        heard = Recorder(signal)
        send(subject, 1)
        rac.rac_set_trace(None, racffi.CALLBACKS["rac_trace_fn"](), none)
        heard.dispose()
        heard.release()
        self.assertEqual(seen, [(True, threading.get_native_id(), b"numbers")])

    def test_batches(self):
        batches = []

        def of_values(values, count):
            batches.append([racffi.from_rac(values[i]) for i in range(count)])

        def of_numbers(kind):
            return lambda at, count: batches.append(list((kind * count).from_address(at)))

        for name, take, wanted in (
            ("next_values", of_values, [1, "two", None, 3.5, (4, b"five"), True]),
            ("next_int64s", of_numbers(ctypes.c_int64), [1, 2, 3]),
            ("next_doubles", of_numbers(ctypes.c_double), [0.5, 1e300]),
        ):
            with self.subTest(form=name):
                del batches[:]
                subject, signal = self.subject()
                context, function, destroy = callbacks(name, take)
                observer = C.rac_batch_observer(ctypes.sizeof(C.rac_batch_observer), context)
                setattr(observer, name, function)
                observer.destroy = destroy
                subscription = rac.rac_subscribe_batches(
                    signal, 2, float("inf"), None, ctypes.byref(observer)
                )
                values = (racffi.Value * len(wanted))(*map(to_rac, wanted))
                sent = rac.rac_subject_send_array(subject, C.RAC_ARRAY_VALUES, values, len(wanted))
                self.assertEqual(racffi.check(sent), C.RAC_OK)
                for value in values:
                    rac.rac_value_release(value)
                rac.rac_subject_send_completed(subject)
                release(subscription)
                self.assertEqual(batches, [wanted[i : i + 2] for i in range(0, len(wanted), 2)])
