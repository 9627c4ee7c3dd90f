"""Properties, channels and two-way bindings through ctypes."""

import ctypes
import threading
import time
import unittest

import racffi
from racffi import C, Recorder, Value, destroy, from_rac, rac, register, to_rac
from ractest import RacTest, send


class PropertyTest(RacTest):
    def property(self, value, options=0):
        held = to_rac(value)
        made = rac.rac_property_create(held, options)
        rac.rac_value_release(held)
        return self.own(made)

    def record(self, signal):
        """The list of what the signal sends."""
        recorder = Recorder(signal)
        self.own(recorder.subscription)
        return recorder.events

    def set(self, prop, value):
        held = to_rac(value)
        code = rac.rac_property_set(prop, held)
        rac.rac_value_release(held)
        return code

    def get(self, prop):
        out = Value()
        racffi.check(rac.rac_property_get(prop, ctypes.byref(out)))
        result = from_rac(out)
        rac.rac_value_release(out)
        return result

    def test_every_kind_of_value(self):
        prop = self.property(None)
        for value in (1, 2.5, True, "text", b"bytes", (1, ("two", None)), None):
            self.assertEqual(self.set(prop, value), C.RAC_OK)
            self.assertEqual(self.get(prop), value)

    def test_observed(self):
        prop = self.property("a", C.RAC_PROPERTY_DISTINCT)
        values = self.record(rac.rac_property_as_signal(prop))
        changes = self.record(self.own(rac.rac_property_changes(prop)))
        for value in ("b", "b", "c"):
            self.set(prop, value)
        self.assertEqual(values, ["a", "b", "c"])
        self.assertEqual(changes, [("a", "b"), ("b", "c")])

    def test_modified_and_mapped(self):
        def add(value):
            return value + 1

        prop = self.property(1)
        more = self.own(
            rac.rac_property_map(prop, 0, register(add), racffi.call_map, destroy)
        )
        code = rac.rac_property_modify(prop, register(add), racffi.call_map, destroy)
        self.assertEqual(code, C.RAC_OK)
        self.assertEqual((self.get(prop), self.get(more)), (2, 3))
        self.assertEqual(self.set(more, 1), C.RAC_EKIND)

    def test_combined(self):
        props = [self.property(number) for number in range(3)]
        held = (racffi.pointer * 3)(*props)
        context = register(lambda *values: values)
        both = self.own(
            rac.rac_property_combine_latest(
                held, 3, 0, context, racffi.call_reduce_each, destroy
            )
        )
        self.set(props[1], "x")
        self.assertEqual(self.get(both), (0, "x", 2))

    def test_an_adapter_over_an_attribute(self):
        class Lamp:
            level = 5

            def __call__(self, *value):
                if value:
                    self.level = min(value[0], 100)
                return self.level

        lamp = Lamp()
        prop = self.own(
            rac.rac_property_create_adapter(
                0, register(lamp), racffi.call_factory, racffi.call_try, destroy
            )
        )
        values = self.record(rac.rac_property_as_signal(prop))
        self.set(prop, 300)
        lamp.level = 7
        self.assertEqual(self.get(prop), 7)
        self.assertEqual(values, [5, 100])

    def test_bound(self):
        prop = self.property(0)
        subject, signal = self.subject()
        binding = self.own(rac.rac_property_bind(prop, signal, to_rac(42)))
        self.assertFalse(rac.rac_property_bind(prop, signal, to_rac(0)))
        self.assertEqual(rac.rac_last_error_code(), C.RAC_EBUSY)
        send(subject, 1)
        self.assertEqual(self.get(prop), 1)
        send(subject, None)
        self.assertEqual(self.get(prop), 42)
        rac.rac_dispose(binding)
        send(subject, 3)
        self.assertEqual(self.get(prop), 42)

    def test_a_channel(self):
        channel = self.own(rac.rac_channel_create())
        leading = rac.rac_channel_get_leading(channel)
        following = rac.rac_channel_get_following(channel)
        send(leading, 1)
        view = self.record(rac.rac_subject_as_signal(following))
        model = self.record(rac.rac_subject_as_signal(leading))
        send(following, 2)
        self.assertEqual((view, model), ([1], [2]))

    def test_a_terminal(self):
        prop = self.property(1)
        terminal = self.own(rac.rac_property_terminal(prop, to_rac(0)))
        values = self.record(rac.rac_subject_as_signal(terminal))
        send(terminal, 2)
        self.set(prop, 3)
        self.assertEqual(values, [1, 3])

    def test_two_threads_at_a_two_way_binding(self):
        props = [self.property(0), self.property(0)]
        self.own(rac.rac_property_bind_two_way(*props))

        def hammer(prop, number):
            for value in range(2000):
                rac.rac_property_set(prop, to_rac(number * 10000 + value))

        threads = [
            threading.Thread(target=hammer, args=(prop, number))
            for number, prop in enumerate(props, 1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        deadline = time.monotonic() + 20
        while self.get(props[0]) != self.get(props[1]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        self.assertIn(self.get(props[0]), (11999, 21999))

    def test_a_conversion(self):
        def convert(value):
            return str(value) if isinstance(value, int) else int(value)

        text, number = self.property(""), self.property(7)
        self.own(
            rac.rac_property_bind_two_way_map(
                text,
                number,
                register(convert),
                racffi.call_map,
                racffi.call_map,
                destroy,
            )
        )
        self.assertEqual(self.get(text), "7")
        self.set(text, "12")
        self.set(text, "twelve")
        self.assertEqual((self.get(text), self.get(number)), ("twelve", 12))

    def test_the_report_of_live_handles(self):
        found = []

        @racffi.CALLBACKS["rac_live_fn"]
        def report(context, kind, name, references, subscribers):
            if name:
                found.append((kind, name, references, subscribers))

        prop = self.property(1)
        rac.rac_signal_set_name(rac.rac_property_as_signal(prop), b"price")
        self.assertGreaterEqual(rac.rac_report_live_handles(None, report), 1)
        self.assertEqual(found, [(b"property", b"price", 1, 0)])


if __name__ == "__main__":
    unittest.main()
