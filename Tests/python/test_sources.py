"""Sources from Python: descriptors, POSIX signals, children, the clock, files."""

import os
import signal
import subprocess
import tempfile
import time

from racffi import C, Recorder, rac
from ractest import RacTest, release

LENT, OWNED = C.RAC_DESCRIPTOR_LENT, C.RAC_DESCRIPTOR_OWNED


def ended(recorder):
    return "completed" in recorder.events


class SourcesTest(RacTest):
    def hear(self, source, until):
        """What comes on the main scheduler until the recorder says that it is enough."""
        recorder = Recorder(source)
        release(source)
        limit = time.monotonic() + 10
        while not until(recorder) and time.monotonic() < limit:
            rac.rac_main_run_for(0.01)
        recorder.dispose()
        recorder.release()
        rac.rac_main_drain(0)
        return recorder.events

    def test_lines_and_chunks(self):
        for make, expected in (
            (rac.rac_signal_lines, ["one", "two", "completed"]),
            (rac.rac_signal_chunks, [b"one\ntwo", "completed"]),
        ):
            reading, writing = os.pipe()
            os.write(writing, b"one\ntwo")
            os.close(writing)
            events = self.hear(make(reading, OWNED, 0, None), ended)
            self.assertEqual(events, expected)

    def test_readiness(self):
        reading, writing = os.pipe()
        source = rac.rac_signal_readable(reading, LENT, None)
        os.write(writing, b"x")
        events = self.hear(source, lambda r: r.events)
        self.assertEqual(set(events), {reading})
        source = rac.rac_signal_writable(writing, LENT, None)
        events = self.hear(source, lambda r: r.events)
        self.assertEqual(set(events), {writing})
        os.close(reading)
        os.close(writing)

    def test_posix_signal_gives_pythons_handler_back(self):
        heard = []
        before = signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
        source = rac.rac_signal_posix_signal(signal.SIGUSR1, None)
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertEqual(heard, [signal.SIGUSR1])
        recorder = Recorder(source)
        os.kill(os.getpid(), signal.SIGUSR1)
        while not recorder.events:
            rac.rac_main_run_for(0.01)
        self.assertEqual(recorder.events, [signal.SIGUSR1])
        recorder.dispose()
        recorder.release()
        release(source)
        self.assertEqual(len(heard), 1)
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertEqual(len(heard), 2)
        signal.signal(signal.SIGUSR1, before)

    def test_posix_signal_takes_over_from_python(self):
        heard = []
        before = signal.getsignal(signal.SIGUSR1)
        source = rac.rac_signal_posix_signal(signal.SIGUSR1, None)
        first = Recorder(source)
        signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertEqual(heard, [signal.SIGUSR1])
        second = Recorder(source)
        os.kill(os.getpid(), signal.SIGUSR1)
        while not (first.events and second.events):
            rac.rac_main_run_for(0.01)
        self.assertEqual(len(heard), 1)
        for recorder in first, second:
            self.assertEqual(recorder.events, [signal.SIGUSR1])
            recorder.dispose()
            recorder.release()
        release(source)
        os.kill(os.getpid(), signal.SIGUSR1)
        self.assertEqual(len(heard), 2)
        signal.signal(signal.SIGUSR1, before)

    def test_child_exit_beside_subprocess(self):
        other = subprocess.Popen(["true"])
        mine = os.fork()
        if mine == 0:
            os._exit(3)
        events = self.hear(rac.rac_signal_child_exit(mine, None), ended)
        self.assertEqual(os.WEXITSTATUS(events[0]), 3)
        self.assertEqual(other.wait(), 0)

    def test_clock(self):
        now = time.time()
        events = self.hear(rac.rac_signal_at_time(now + 0.02, None), ended)
        self.assertAlmostEqual(events[0], now + 0.02, places=3)
        self.assertGreaterEqual(time.time(), now + 0.02)
        source = rac.rac_signal_at_times(0.01, 0.0, C.RAC_CLOCK_UTC, None)
        self.assertTrue(self.hear(source, lambda r: r.events))

    def test_file_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            source = rac.rac_signal_file_changes(folder.encode(), 0x100, None)
            recorder = Recorder(source)
            release(source)
            with open(os.path.join(folder, "a"), "w", encoding="utf-8"):
                pass
            while not recorder.events:
                rac.rac_main_run_for(0.01)
            self.assertEqual(recorder.events[0][:2], (0x100, "a"))
            recorder.dispose()
            recorder.release()
