"""Commands and lifted functions through ctypes."""

import ctypes
import unittest

import racffi
from racffi import C, Recorder, UNIT, rac, register, to_rac
from ractest import RacTest, returning, send


class CommandTest(RacTest):
    def command(self, function, enabled=None):
        """On the immediate scheduler, so that all is over when a call returns."""
        scheduler = self.own(rac.rac_scheduler_immediate())
        return self.own(
            rac.rac_command_create(
                enabled,
                scheduler,
                register(function),
                racffi.call_execute,
                racffi.destroy,
            )
        )

    def record(self, signal):
        recorder = Recorder(self.own(signal))
        self.own(recorder.subscription)
        return recorder

    def execute(self, command, value):
        held = to_rac(value)
        recorder = self.record(rac.rac_command_execute(command, held))
        rac.rac_value_release(held)
        return recorder.events

    def test_executions(self):
        command = self.command(lambda text: returning(text.upper()))
        executing = self.record(rac.rac_command_executing(command))
        enabled = self.record(rac.rac_command_enabled(command))
        errors = self.record(rac.rac_command_errors(command))
        signals = self.record(rac.rac_command_execution_signals(command))
        self.assertEqual(self.execute(command, "ada"), ["ADA", "completed"])
        self.assertEqual(executing.events, [False, True, False])
        self.assertEqual(enabled.events, [True, False, True])
        self.assertEqual(errors.events, [])
        self.assertEqual(signals.events, ["signal"])

    def test_a_function_that_raises(self):
        def fail(value):
            raise ValueError(value)

        command = self.command(fail)
        errors = self.record(rac.rac_command_errors(command))
        heard = self.execute(command, 3)
        self.assertEqual(heard, [("error", "python", 1, "ValueError: 3")])
        self.assertEqual([error.args for error in errors.events], [heard[0][1:]])

    def test_a_function_without_a_signal(self):
        command = self.command(lambda value: None)
        (event,) = self.execute(command, 3)
        self.assertEqual(event[:3], ("error", "rac.command", C.RAC_COMMAND_NO_SIGNAL))

    def test_the_enabled_signal(self):
        subject, signal = self.subject()
        command = self.command(lambda value: returning(value), signal)
        send(subject, False)
        (event,) = self.execute(command, 1)
        self.assertEqual(event[:3], ("error", "rac.command", C.RAC_COMMAND_NOT_ENABLED))
        send(subject, True)
        self.assertEqual(self.execute(command, UNIT), [UNIT, "completed"])

    def test_concurrent_executions(self):
        subject, signal = self.subject()
        command = self.command(lambda value: rac.rac_retain(signal))
        self.assertFalse(rac.rac_command_allows_concurrent_execution(command))
        rac.rac_command_set_allows_concurrent_execution(command, True)
        self.assertTrue(rac.rac_command_allows_concurrent_execution(command))
        one, other = self.execute(command, 1), self.execute(command, 2)
        send(subject, 7)
        rac.rac_subject_send_completed(subject)
        self.assertEqual([one, other], [[7, "completed"]] * 2)


class LiftTest(RacTest):
    def test_a_function_of_two_signals(self):
        a, first = self.subject()
        b, second = self.subject()
        signals = (racffi.pointer * 2)(first, second)
        subscription = racffi.pointer()
        results = self.own(
            rac.rac_lift(
                signals,
                2,
                ctypes.byref(subscription),
                register(lambda x, y: x + y),
                racffi.call_reduce_each,
                racffi.destroy,
            )
        )
        send(a, 1)
        send(b, 2, 3)
        heard = Recorder(results)
        send(a, 10)
        rac.rac_dispose(self.own(subscription.value))
        send(a, 100)
        self.own(heard.subscription)
        self.assertEqual(heard.events, [4, 13])

    def test_tuples_as_arguments(self):
        subject, signal = self.subject()
        results = self.own(
            rac.rac_lift_arguments(
                signal,
                None,
                register(lambda x, y: x * y),
                racffi.call_reduce_each,
                racffi.destroy,
            )
        )
        send(subject, (3, 4))
        heard = Recorder(results)
        self.own(heard.subscription)
        send(subject, (5, 6), 7)
        self.assertEqual(heard.events[:2], [12, 30])
        self.assertEqual(heard.events[2][:3], ("error", "rac", C.RAC_EKIND))


class ReadingTest(RacTest):
    def test_the_unit(self):
        self.assertIs(racffi.from_rac(to_rac(UNIT)), UNIT)

    def test_numbers_of_any_kind(self):
        whole, real = ctypes.c_int64(), ctypes.c_double()
        for value, expected in ((2.9, 2), (True, 1), (-7, -7)):
            racffi.check(rac.rac_value_to_int64(to_rac(value), ctypes.byref(whole)))
            self.assertEqual(whole.value, expected)
            racffi.check(rac.rac_value_to_double(to_rac(value), ctypes.byref(real)))
            self.assertEqual(real.value, value)

    def test_the_parts_of_events(self):
        error = to_rac(ValueError("no"))
        event = rac.rac_value_event_error(error)
        self.assertTrue(rac.rac_event_is_finished(event))
        self.assertEqual(
            racffi.from_rac(rac.rac_event_get_error(event)).args[2], "ValueError: no"
        )
        rac.rac_value_release(event)
        rac.rac_value_release(error)
        following = rac.rac_value_event_next(to_rac(1))
        self.assertFalse(rac.rac_event_is_finished(following))
        rac.rac_value_release(following)


if __name__ == "__main__":
    unittest.main()
