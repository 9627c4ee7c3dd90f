"""Arrays in one call, in both directions: of ctypes, of the module array, and of
numpy where that is installed."""

import array
import ctypes
import os
import subprocess
import sys
import threading
import time
import unittest

import racffi
from racffi import C, BatchObserver, Recorder, Value, rac, register, to_rac
from ractest import RacTest

try:
    import numpy
except ImportError:
    numpy = None

INFINITY = float("inf")
UNLIMITED = ctypes.c_size_t(-1).value
DOUBLES, INT64S = ctypes.c_double, ctypes.c_int64


def from_values(values, count):
    return [racffi.from_rac(values[index]) for index in range(count)]


def lent(kind, address, count):
    return (kind * count).from_address(address)


call_values = racffi.trampoline(
    "rac_next_values_fn", lambda t, values, count: t.next(from_values(values, count))
)
call_int64s = racffi.trampoline(
    "rac_next_int64s_fn", lambda t, at, count: t.next(lent(INT64S, at, count))
)
call_doubles = racffi.trampoline(
    "rac_next_doubles_fn", lambda t, at, count: t.next(lent(DOUBLES, at, count))
)
call_error = racffi.trampoline("rac_error_fn", lambda t, e: t.error(racffi.from_rac(e)))
call_completed = racffi.trampoline("rac_completed_fn", lambda t: t.completed())
FORMS = {
    "values": ("next_values", call_values),
    "int64s": ("next_int64s", call_int64s),
    "doubles": ("next_doubles", call_doubles),
}


class Taker:
    """Subscribes and writes down its batches as lists."""

    def __init__(self, signal, form, count, interval=INFINITY, scheduler=None):
        self.events = []
        self.on_batch = None
        observer = BatchObserver(ctypes.sizeof(BatchObserver), register(self))
        name, function = FORMS[form]
        setattr(observer, name, function)
        observer.error, observer.completed = call_error, call_completed
        observer.destroy = racffi.destroy
        self.subscription = rac.rac_subscribe_batches(
            signal, count, interval, scheduler, ctypes.byref(observer)
        )

    def next(self, batch):
        self.events.append(list(batch))
        if self.on_batch:
            self.on_batch(batch)

    def error(self, error):
        self.events.append(("error",) + error.args[:2])

    def completed(self):
        self.events.append("completed")

    def release(self):
        racffi.check(rac.rac_release(self.subscription))


class SendTest(RacTest):
    def heard(self, send):
        """What a subscriber hears of what send(subject) sends."""
        subject, signal = self.subject()
        recorder = Recorder(signal)
        racffi.check(send(subject))
        recorder.dispose()
        recorder.release()
        return recorder.events

    def test_arrays_of_ctypes(self):
        numbers = (INT64S * 3)(1, 2, 3)
        self.assertEqual(
            self.heard(lambda s: rac.rac_subject_send_array(s, C.RAC_ARRAY_INT64S, numbers, 3)), [1, 2, 3]
        )
        numbers = (DOUBLES * 2)(0.5, 1e300)
        self.assertEqual(
            self.heard(lambda s: rac.rac_subject_send_array(s, C.RAC_ARRAY_DOUBLES, numbers, 2)),
            [0.5, 1e300],
        )

    def test_values_of_every_kind(self):
        wanted = [1, "two", None, 3.5, (4, b"five"), True]
        values = (Value * len(wanted))(*map(to_rac, wanted))
        heard = self.heard(
            lambda s: rac.rac_subject_send_array(s, C.RAC_ARRAY_VALUES, values, len(wanted))
        )
        for value in values:
            rac.rac_value_release(value)
        self.assertEqual(heard, wanted)

    def test_the_module_array(self):
        packed = array.array("d", [1.5, 2.5])
        numbers = (DOUBLES * 2).from_buffer(packed)
        self.assertEqual(
            self.heard(lambda s: rac.rac_subject_send_array(s, C.RAC_ARRAY_DOUBLES, numbers, 2)),
            [1.5, 2.5],
        )

    def test_a_producer(self):
        codes = []

        def send(subscriber):
            numbers = (INT64S * 3)(1, 2, 3)
            codes.append(rac.rac_subscriber_send_array(subscriber, C.RAC_ARRAY_INT64S, numbers, 3))

        signal = rac.rac_signal_create(
            register(send), racffi.call_subscribe, racffi.destroy
        )
        first = self.own(rac.rac_signal_take(signal, 2))
        recorder = Recorder(first)
        recorder.release()
        rac.rac_release(signal)
        self.assertEqual(recorder.events, [1, 2, "completed"])
        self.assertEqual(codes, [C.RAC_EDONE])

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy(self):
        for kind, type in (
            (numpy.float64, C.RAC_ARRAY_DOUBLES),
            (numpy.int64, C.RAC_ARRAY_INT64S),
        ):
            numbers = numpy.arange(1000, dtype=kind)
            numbers.flags.writeable = False
            start = numbers.ctypes.data
            heard = self.heard(
                lambda s: rac.rac_subject_send_array(s, type, start, numbers.size)
            )
            self.assertEqual(heard, list(range(1000)))


class BatchTest(RacTest):
    def batches(self, form, count, *numbers):
        subject, signal = self.subject()
        taker = Taker(signal, form, count)
        kind, type = INT64S, C.RAC_ARRAY_INT64S
        if any(isinstance(number, float) for number in numbers):
            kind, type = DOUBLES, C.RAC_ARRAY_DOUBLES
        array = (kind * len(numbers))(*numbers)
        racffi.check(rac.rac_subject_send_array(subject, type, array, len(numbers)))
        rac.rac_subject_send_completed(subject)
        taker.release()
        return taker.events

    def test_by_count(self):
        for form in FORMS:
            with self.subTest(form=form):
                self.assertEqual(
                    self.batches(form, 2, 1, 2, 3), [[1, 2], [3], "completed"]
                )

    def test_another_kind_is_an_error(self):
        self.assertEqual(
            self.batches("int64s", 2, 1.5, 2.5), [("error", "rac", C.RAC_EKIND)]
        )

    def test_by_time(self):
        clock = self.own(rac.rac_scheduler_virtual())
        subject, signal = self.subject()
        taker = Taker(signal, "int64s", UNLIMITED, 0.5, clock)
        numbers = (INT64S * 3)(1, 2, 3)
        rac.rac_subject_send_array(subject, C.RAC_ARRAY_INT64S, numbers, 3)
        rac.rac_virtual_advance_by(clock, 0.25)
        self.assertEqual(taker.events, [])
        rac.rac_virtual_advance_by(clock, 0.25)
        self.assertEqual(taker.events, [[1, 2, 3]])
        rac.rac_dispose(taker.subscription)
        taker.release()

    def test_disposing_inside_a_batch(self):
        subject, signal = self.subject()
        taker = Taker(signal, "int64s", 2)
        taker.on_batch = lambda batch: rac.rac_dispose(taker.subscription)
        numbers = (INT64S * 5)(1, 2, 3, 4, 5)
        racffi.check(rac.rac_subject_send_array(subject, C.RAC_ARRAY_INT64S, numbers, 5))
        self.assertEqual(taker.events, [[1, 2]])
        taker.release()

    def test_from_several_threads(self):
        subject, signal = self.subject()
        taker = Taker(signal, "int64s", 64)

        def work():
            ones = (INT64S * 100)(*([1] * 100))
            for _ in range(50):
                racffi.check(rac.rac_subject_send_array(subject, C.RAC_ARRAY_INT64S, ones, 100))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rac.rac_subject_send_completed(subject)
        # A thread of the library may be delivering what was queued.
        deadline = time.monotonic() + 20
        while taker.events[-1:] != ["completed"] and time.monotonic() < deadline:
            time.sleep(0.001)
        taker.release()
        self.assertEqual(taker.events[-1], "completed")
        self.assertEqual(sum(map(sum, taker.events[:-1])), 15000)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy_looks_at_the_batch_where_it_lies(self):
        subject, signal = self.subject()
        taker = Taker(signal, "doubles", 1000)
        sums = []

        def look(batch):
            view = numpy.frombuffer(batch, numpy.float64)
            self.assertEqual(view.ctypes.data, ctypes.addressof(batch))
            sums.append(view.sum())

        taker.on_batch = look
        numbers = numpy.arange(2500.0)
        start = numbers.ctypes.data_as(ctypes.POINTER(DOUBLES))
        racffi.check(rac.rac_subject_send_array(subject, C.RAC_ARRAY_DOUBLES, start, numbers.size))
        rac.rac_subject_send_completed(subject)
        taker.release()
        self.assertEqual(len(sums), 3)
        self.assertEqual(sum(sums), numbers.sum())


EXPECTED = """\
librac {version}
10000 numbers in one call, 4096 at a time:
  4096 with a sum of 4193280.0
  4096 with a sum of 12581888.0
  1808 with a sum of 8222332.0
  completed
Sent by another thread, gathered until this loop's turn comes:
  10000 numbers
  with a sum of 247500.0
Callbacks still registered: 0
Objects still alive: 0
"""


class ExampleTest(unittest.TestCase):
    def run_example(self, *options):
        run = subprocess.run(
            [sys.executable, *options],
            cwd=os.path.join(racffi.TREE, "python"),
            env=dict(os.environ, RAC_LIBRARY=racffi.LIBRARY),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )
        version = rac.rac_version_string().decode()
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.stdout, EXPECTED.format(version=version))
        self.assertEqual(run.returncode, 0)

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_with_numpy(self):
        self.run_example("ctypes_batches.py")

    def test_without_numpy(self):
        # None in sys.modules makes the import fail.
        self.run_example(
            "-c",
            "import runpy, sys; sys.modules['numpy'] = None; "
            "runpy.run_path('ctypes_batches.py', run_name='__main__')",
        )


class ContiguityTest(unittest.TestCase):
    """The example refuses what does not lie side by side."""

    def test_refusals(self):
        script = os.path.join(racffi.TREE, "python", "ctypes_batches.py")
        code = (
            "import array, runpy\n"
            "example = runpy.run_path({!r})\n"
            "numpy = example['numpy']\n"
            "three = array.array('d', [1, 2, 3])\n"
            "bad = [array.array('f', [1]), memoryview(three)[::2]]\n"
            "if numpy:\n"
            "    bad += [numpy.arange(9.0)[::2], numpy.arange(9)]\n"
            "    bad.append(numpy.ones((3, 3)).T[1:])\n"
            "for data in bad:\n"
            "    try:\n"
            "        example['send_doubles'](None, data)\n"
            "        print('accepted', data)\n"
            "    except TypeError:\n"
            "        pass\n"
        ).format(script)
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=dict(os.environ, RAC_LIBRARY=racffi.LIBRARY),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=60,
        )
        self.assertEqual((run.returncode, run.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
