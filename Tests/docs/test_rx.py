"""docs/IfYouKnowRx.md names what there is, and says "none" only of what there is not."""

import re
import unittest

from documents import read
from test_tables import functions


# What Rx calls so is another thing than what we do.
OTHER_THINGS = {"throttle"}


def snake(name):
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def rows():
    """Rx's names, and what stands beside them."""
    for line in read("docs", "IfYouKnowRx.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "Rx":
            names = re.sub(r" \([^)]*\)", "", cells[0]).split(", ")
            yield names, cells[1], cells


class RxTest(unittest.TestCase):
    def test_rows_are_complete(self):
        self.assertGreater(len(list(rows())), 40)
        for names, _, cells in rows():
            with self.subTest(row=names):
                self.assertEqual(len(cells), 3)
                self.assertTrue(cells[1] or cells[2])

    def test_none_means_none(self):
        missing = [name for names, here, _ in rows() if here == "none" for name in names]
        self.assertGreater(len(missing), 8)
        there = [
            name
            for name in set(missing) - OTHER_THINGS
            if {"rac_signal_" + snake(name), "rac_" + snake(name) + "_create"} & functions()
        ]
        self.assertEqual(there, [])

    def test_a_name_that_both_have_is_in_its_row(self):
        for names, here, cells in rows():
            ours = {"rac_signal_" + snake(name) for name in names} & functions()
            told = {name for name in ours if "`{}`".format(name) in cells[1] + cells[2]}
            if here != "none":
                with self.subTest(row=names):
                    self.assertEqual(ours - told, set())


if __name__ == "__main__":
    unittest.main()
