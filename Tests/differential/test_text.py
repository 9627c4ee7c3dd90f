"""Events are written as docs/Testing.md says."""

import unittest

from failures import readable
from marbles import CALLED, COMPLETED, ERROR, NEXT, Error, Event, Group, put
from text import listed, text


class TextTest(unittest.TestCase):
    def test_values(self):
        self.assertEqual(text(None), "nil")
        self.assertEqual(text(True), "true")
        self.assertEqual(text((1, None, "5")), '(1,nil,"5")')
        self.assertEqual(text(Event(NEXT, 1)), "<1>")
        self.assertEqual(text(Event(COMPLETED, None)), "<|>")
        self.assertEqual(text(Group(2)), "?[2]")

    def test_errors(self):
        self.assertEqual(listed([(0, ERROR, Error(0, 3))]), "#3@0")
        self.assertEqual(listed([(0, ERROR, None)]), "#nil@0")
        self.assertEqual(listed([(0, ERROR, Error(3, 1))]), "#1[rac.signal]@0")

    def test_times(self):
        events = [(-1, NEXT, 1), (100000000, NEXT, 2), (2000000000, COMPLETED, None)]
        self.assertEqual(listed(events), "1 2@0.1 |@2")
        self.assertEqual(listed([(0, CALLED, 7)]), "called[7]@0")

    def test_recordings(self):
        numbers = []
        for time, line, kind, value in [
            (0, 0, NEXT, 1),
            (100000000, 1, NEXT, 2),
            (200000000, 0, ERROR, Error(0, 4)),
        ]:
            numbers += [time, line * 10 + kind]
            put(value, numbers)
        self.assertEqual(readable(numbers), "1@0 #4@0.2; line 1: 2@0.1")
        self.assertEqual(readable([]), "nothing")


if __name__ == "__main__":
    unittest.main()
