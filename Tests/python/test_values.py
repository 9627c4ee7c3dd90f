"""rac_value by value, both ways."""

import ctypes
import unittest

from racffi import C, Recorder, UNIT, Value, from_rac, rac, to_rac
from ractest import RacTest, send


class ValueTest(RacTest):
    def test_structure_is_16_bytes(self):
        self.assertEqual(ctypes.sizeof(Value), 16)

    def test_scalars_go_in_and_out(self):
        for value in (None, True, False, 0, -1, 2**63 - 1, -(2**63), 0.5, -1e300):
            with self.subTest(value=value):
                there = to_rac(value)
                self.assertEqual(from_rac(there), value)
                self.assertEqual(type(from_rac(there)), type(value))
                rac.rac_value_release(there)

    def test_strings_bytes_and_tuples(self):
        nested = ("deep", (None, 1, b"\0\xff"), "")
        texts = ("", "plain", "Grüße 🎉", "nul\0inside")
        for value in texts + (b"", b"\0\1\2", (), nested):
            with self.subTest(value=value):
                there = to_rac(value)
                self.assertEqual(from_rac(there), value)
                rac.rac_value_release(there)

    def test_values_through_a_subject(self):
        subject, signal = self.subject()
        heard = Recorder(signal)
        values = [None, UNIT, True, 7, 2.5, "text", b"\0bytes", (1, None, "three")]
        self.assertEqual(send(subject, *values), [C.RAC_OK] * len(values))
        heard.dispose()
        heard.release()
        self.assertEqual(heard.events, values)

    def test_errors_carry_domain_code_and_message(self):
        error = rac.rac_value_error(b"net", -7, "kaputt \u2603".encode())
        subject, signal = self.subject()
        heard = Recorder(signal)
        rac.rac_subject_send_error(subject, error)
        rac.rac_value_release(error)
        heard.release()
        self.assertEqual(heard.events, [("error", "net", -7, "kaputt \u2603")])
