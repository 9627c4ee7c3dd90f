"""The formulas that prove the work of the contestants, against loops that do it."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from race import sums, workloads  # noqa: E402


def value(i):
    return i % 1024


class SumsTest(unittest.TestCase):
    counts = (0, 1, 2, 100, 1023, 1024, 1025, 5000)

    def test_plain(self):
        for n in self.counts:
            self.assertEqual(sums.plain(n), sum(map(value, range(n))))

    def test_scanned(self):
        for n in self.counts:
            running = total = 0
            for i in range(n):
                running += value(i) + 1
                total += running
            self.assertEqual(sums.scanned(n, 0), total)

    def test_remembered(self):
        for n in self.counts:
            for capacity in (0, 1, 100, 10000):
                kept = [value(i) for i in range(n)][-capacity:]
                self.assertEqual(sums.remembered(n, capacity), sum(kept))

    def test_latest(self):
        for inputs in (1, 2, 3):
            for n in self.counts:
                row, total = [0] * inputs, 0
                for i in range(n):
                    row[i % inputs] = value(i)
                    total += sum(row)
                self.assertEqual(sums.latest(n, inputs), total)

    def test_seen_first_and_last(self):
        for n in self.counts:
            values = [value(i) for i in range(n)]
            self.assertEqual(sums.seen_first(n, 0), sum(set(values)))
            self.assertEqual(sums.last(n, 0), values[-1] if values else 0)

    def test_every_workload_has_a_name_of_its_own(self):
        keys = [workload.key for workload in workloads.WORKLOADS]
        self.assertEqual(len(keys), len(set(keys)))


if __name__ == "__main__":
    unittest.main()
