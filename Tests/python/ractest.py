"""What the test cases share: operators in one line, and the count of what lives."""

import time
import unittest

import racffi
from racffi import Contexts, callbacks, rac, to_rac


def mapped(source, function):
    return rac.rac_signal_map(source, *callbacks("map", function))


def filtered(source, function):
    return rac.rac_signal_filter(source, *callbacks("predicate", function))


def flat_mapped(source, function):
    return rac.rac_signal_flatten_map(source, *callbacks("signal", function))


def returning(value):
    held = to_rac(value)
    signal = rac.rac_signal_return(held)
    rac.rac_value_release(held)
    return signal


def send(subject, *values):
    codes = []
    for value in values:
        held = to_rac(value)
        codes.append(rac.rac_subject_send(subject, held))
        rac.rac_value_release(held)
    return codes


def release(*handles):
    for handle in handles:
        racffi.check(rac.rac_release(handle))


class RacTest(unittest.TestCase):
    """After each test nothing is alive, and destroy ran once a context."""

    def setUp(self):
        self.handles = []
        del Contexts.escaped[:]
        self.before = self.counts()

    def tearDown(self):
        self.finish()
        # A worker of the library may still be letting go of its last job.
        deadline = time.monotonic() + 20
        while self.counts() != self.before and time.monotonic() < deadline:
            time.sleep(0.001)
        self.assertEqual(self.counts(), self.before)
        self.assertEqual(Contexts.escaped, [])

    def counts(self):
        """Live objects, and contexts that were not destroyed yet."""
        return rac.rac_live_objects(), Contexts.registered - Contexts.destroyed

    def subject(self):
        subject = rac.rac_subject_create()
        self.own(subject)
        return subject, rac.rac_subject_as_signal(subject)

    def own(self, handle):
        """Released at the end of the test."""
        self.assertTrue(handle, rac.rac_last_error_message())
        self.handles.append(handle)
        return handle

    def finish(self):
        release(*reversed(self.handles))
        self.handles = []
