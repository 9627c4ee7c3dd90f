"""Every operator once through ctypes, as Tests/operators/operators.def has it, and
what else there is of rac_signal_…; that none is missing is a test, too."""

import ctypes
import os
import re
import unittest

import racffi
from example import Example, heard, rows
from racffi import Recorder, Value, rac, register, to_rac
from ractest import RacTest, release, returning, send

DONE = "completed"
ERROR = ("error", "python", 1, "ValueError: no")


def nothing(kind):
    return racffi.CALLBACKS[kind]()


@racffi.CALLBACKS["rac_log_fn"]
def keep_quiet(context, line):
    pass


class EveryOperator(RacTest):
    def setUp(self):
        super().setUp()
        rac.rac_set_log(None, keep_quiet, nothing("rac_destroy_fn"))

    def tearDown(self):
        rac.rac_set_log(None, nothing("rac_log_fn"), nothing("rac_destroy_fn"))
        super().tearDown()

    def test_every_operator(self):
        for row in rows.of_signals():
            with self.subTest(operator=row.name):
                example = Example("signal")
                signal = example.call(row)
                if row.result.endswith(" ..."):
                    signal = example.first(len(row.result.split()) - 1, signal)
                    expected = row.result.replace("...", "|")
                else:
                    expected = row.result
                result = heard(example, signal)
                example.release()
                self.assertEqual(result, expected)

    def test_callbacks_that_may_be_missing(self):
        example = Example("signal")
        for signal, expected in (
            (
                rac.rac_signal_group_by(
                    example.values(1, 2),
                    register(lambda n: "same"),
                    racffi.call_map,
                    nothing("rac_map_fn"),
                    racffi.destroy,
                ),
                "? |",
            ),
            (
                rac.rac_signal_any(
                    example.values(1, 2),
                    register(bool),
                    nothing("rac_predicate_fn"),
                    racffi.destroy,
                ),
                "true |",
            ),
        ):
            self.assertEqual(heard(example, example.own(signal)), expected)
        example.release()

    def test_errors_keep_their_domain_and_message(self):
        example = Example("signal")
        tried = rac.rac_signal_try(
            example.values(2, 1),
            register(lambda n: 1 // (1 - n)),
            racffi.call_try,
            racffi.destroy,
        )
        divided = "ZeroDivisionError: integer division or modulo by zero"
        for signal, expected in (
            (example.own(tried), [2, ("error", "python", 1, divided)]),
            (example.failing(), [0, 2, ERROR]),
            (
                example.own(rac.rac_signal_log_error(example.failing())),
                [0, 2, ERROR],
            ),
        ):
            recorder = Recorder(signal)
            recorder.release()
            self.assertEqual(recorder.events, expected)
        example.release()

    def test_sources(self):
        def start(subscriber):
            rac.rac_subscriber_send(subscriber, rac.rac_value_int64(5))
            rac.rac_subscriber_send_completed(subscriber)

        def started():
            immediate = example.own(rac.rac_scheduler_immediate())
            return immediate, register(start), racffi.call_start, racffi.destroy

        example = Example("signal")
        seven = register(lambda: 7)
        deferred = register(lambda: returning(7))
        for signal, expected in (
            (rac.rac_signal_empty(), "|"),
            (rac.rac_signal_defer(deferred, racffi.call_defer, racffi.destroy), "7 |"),
            (
                rac.rac_signal_from_factory(seven, racffi.call_factory, racffi.destroy),
                "7 |",
            ),
            (
                rac.rac_signal_using(
                    register(lambda *resource: returning(*resource) if resource else 7),
                    racffi.call_factory,
                    racffi.call_signal,
                    nothing("rac_next_fn"),
                    racffi.destroy,
                ),
                "7 |",
            ),
            (rac.rac_signal_start_eagerly(*started()), "5 |"),
            (rac.rac_signal_start_lazily(*started()), "5 |"),
        ):
            self.assertEqual(heard(example, example.own(signal)), expected)
        example.release()

    def test_interval(self):
        clock = rac.rac_scheduler_virtual()
        for signal in (
            rac.rac_signal_interval(1.5, clock),
            rac.rac_signal_interval_with_leeway(1.5, 0.5, clock),
        ):
            recorder = Recorder(signal)
            racffi.check(rac.rac_virtual_advance_by(clock, 4.0))
            recorder.dispose()
            recorder.release()
            release(signal)
            self.assertEqual(recorder.events, [0, 1])
        release(clock)

    def test_connections(self):
        subject, signal = self.subject()
        other = self.own(rac.rac_subject_create())
        for connection in (
            rac.rac_signal_publish(signal),
            rac.rac_signal_multicast(signal, other),
        ):
            shared = rac.rac_connection_signal(connection)
            recorder = Recorder(shared)
            send(subject, 1)
            connected = rac.rac_connection_connect(connection)
            send(subject, 2)
            racffi.check(rac.rac_dispose(connected))
            recorder.dispose()
            recorder.release()
            release(connected, shared, connection)
            self.assertEqual(recorder.events, [2])

    def test_blocking_reads(self):
        example = Example("signal")
        numbers = example.values(1, 2)
        out = Value()
        racffi.check(rac.rac_signal_to_array(numbers, 1.0, ctypes.byref(out)))
        self.assertEqual(racffi.from_rac(out), (1, 2))
        rac.rac_value_release(out)
        failing = example.failing()
        code = rac.rac_signal_wait_until_completed(failing, 1.0, ctypes.byref(out))
        self.assertEqual(code, racffi.C.RAC_ESTREAM)
        rac.rac_value_release(out)
        empty = example.own(rac.rac_signal_empty())
        for read in (
            rac.rac_signal_first_or_default,
            rac.rac_signal_asynchronous_first_or_default,
        ):
            racffi.check(read(empty, 1.0, to_rac(5), ctypes.byref(out), None))
            self.assertEqual(racffi.from_rac(out), 5)
        racffi.check(
            rac.rac_signal_asynchronously_wait_until_completed(numbers, 1.0, None)
        )
        example.release()

    def test_names_and_keys(self):
        example = Example("signal")
        numbers = example.values(1)
        racffi.check(rac.rac_signal_set_name(numbers, b"numbers"))
        text = ctypes.create_string_buffer(40)
        rac.rac_signal_describe(numbers, text, 40)
        self.assertIn(b"numbers", text.value)
        out = Value()
        code = rac.rac_signal_get_key(numbers, ctypes.byref(out))
        self.assertEqual(code, racffi.C.RAC_EKIND)
        example.release()

    def test_a_producer_with_a_bound(self):
        codes = []

        def produce(subscriber):
            codes.append(rac.rac_subscriber_send(subscriber, to_rac(1)))

        bound = self.own(rac.rac_bound_create(2, racffi.C.RAC_BOUND_REFUSE))
        signal = rac.rac_signal_create_bounded(
            bound, register(produce), racffi.call_subscribe, racffi.destroy
        )
        recorder = Recorder(signal)
        recorder.dispose()
        recorder.release()
        release(signal)
        self.assertEqual(recorder.events, [1])
        self.assertEqual(codes, [racffi.C.RAC_OK])

    def test_no_operator_is_missing(self):
        """Those that are not in the table are called in another test."""
        here = os.path.dirname(os.path.abspath(__file__))
        called = {"rac_signal_" + row.name for row in rows.of_signals()}
        for name in os.listdir(here):
            if name.endswith(".py"):
                with open(os.path.join(here, name), encoding="utf-8") as file:
                    called |= set(re.findall(r"rac\.(rac_signal_\w+)", file.read()))
        operators = {n for n in racffi.FUNCTIONS if n.startswith("rac_signal_")}
        self.assertEqual(sorted(operators - called), [])


if __name__ == "__main__":
    unittest.main()
