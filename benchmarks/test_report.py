"""The page of measurements: what is not reached and where a peer is ahead stand in it,
each with its reason."""

import collections
import re
import sys
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from race import aims, reasons, report, table, workloads  # noqa: E402
from race.aims_of_packages import ASYNC, FACE, TIMES, TYPES  # noqa: E402
from race.figures import Figures  # noqa: E402
from race.parts import Part  # noqa: E402


def result(key, **cells):
    """A row of the race with one figure."""
    workload = next(w for w in workloads.WORKLOADS if w.key == key)
    return {
        "key": key,
        "workload": workload.name,
        "argument": workload.argument,
        "title": workload.title,
        "figures": [("ns", "", "ns")],
        "cells": {name.replace("_", " "): {"ns": ns} for name, ns in cells.items()},
    }


def race(*results):
    names = list({name: 1 for each in results for name in each["cells"]})
    found = {"rounds": 3, "names": names, "results": list(results)}
    return {"race": Part(found, 0.5, 1.0, [])}


def python(**times):
    titles = {"send": "an int to one function"}
    found = {"results": {"send": times}, "titles": titles, "versions": dict.fromkeys(times, "")}
    return {"python": Part({"newest": found}, 0.5, 1.0, [])}


def verdicts(parts):
    found = aims.check(Figures(parts)).values()
    return {one.aim.key: one.reached for each in found for one in each}


class AimsTest(unittest.TestCase):
    def test_keys_are_their_own(self):
        keys = [aim.key for aim in aims.all_aims()]
        self.assertEqual(sorted(keys), sorted(set(keys)))

    def test_at_most(self):
        for librac, reached in ((39, True), (41, False)):
            found = verdicts(race(result("send:1", floor=10, librac=librac)))
            self.assertIs(found["floor send:1"], reached)
            self.assertIsNone(found["floor batch:1000"])

    def test_at_least(self):
        for reactivex, reached in ((79, False), (81, True)):
            self.assertIs(verdicts(python(librac=10, reactivex=reactivex))["python send"], reached)

    def test_every_row_that_is_named_is_raced(self):
        """An aim that asks for a row which is none would never be measured."""
        keys = [w.key for w in workloads.WORKLOADS]
        figures = [figure.key for w in workloads.WORKLOADS for figure in w.figures]
        who = ("librac", "floor", "slot list", "sigc++")
        cells = {name: dict.fromkeys(figures, 1.0) for name in who}
        results = [dict(result(key), cells=cells) for key in keys]
        times = dict.fromkeys(("librac", "reactivex", "psygnal", "eventkit", "bare Python"), 1)
        each = {"results": {row[0]: times for row in TIMES}}
        rows = [row[0] for row in FACE + TYPES + ASYNC]
        face = [{"name": name, "names": 1.0, "face": 1.0} for name in rows]
        parts = dict(
            race(*results),
            python=Part({"newest": each, "older": each}, 0, 0, []),
            swift=Part({"shared": face, "static": face}, 0, 0, []),
            instructions=Part({key: {"librac": 1.0} for key in keys}, 0, 0, []),
            size=Part({"engine": 1, "operators": {"rac_signal_map": 1}}, 0, 0, []),
        )
        known = Figures(parts)
        for aim in aims.all_aims():
            with self.subTest(aim=aim.key):
                self.assertIsNotNone(aim.value(known))


class ReasonsTest(unittest.TestCase):
    def test_headings_name_aims_or_rows(self):
        known = {aim.key for aim in aims.all_aims()} | {w.key for w in workloads.WORKLOADS}
        known |= {"python " + row[0] for row in TIMES} | {"ctypes"}
        self.assertEqual(sorted(set(reasons.read()) - known), [])

    def test_of_several(self):
        found = reasons.read("# x\n\n## a; b c\nOne\ntwo.\n\n## d\nThree.\n")
        self.assertEqual(found, {"a": "One two.", "b c": "One two.", "d": "Three."})


@unittest.mock.patch("race.machine.describe", collections.defaultdict(str).copy)
class PageTest(unittest.TestCase):
    def of(self, parts):
        page = report.text(parts, aims.check(Figures(parts)))
        sections = re.split(r"^## ", page, flags=re.M)
        return {each.split("\n")[0]: each for each in sections}, page

    def test_what_is_not_reached_comes_first(self):
        sections, page = self.of(race(result("send:1", floor=1, librac=9, slot_list=5)))
        self.assertEqual(list(sections)[1], "What is not reached")
        found = sections["What is not reached"]
        self.assertIn("send to 1 subscriber** ≤ 4.00 × the C loop, measured 9.00. ", found)
        self.assertIn(reasons.read()["floor send:1"], found)
        self.assertIn("Not measured: ", found)
        self.assertIn("**9.00** | **1.80**", page)

    def test_where_a_peer_is_ahead(self):
        sections, _ = self.of(
            race(
                result("send:1", librac=5, slot_list=9, ctypes=9, psygnal=5),
                result("subscribe:0", librac=9, slot_list=5),
                result("send:10", librac=1.01, slot_list=1),
                result("zip:2", librac=9, sigc=5),
            )
        )
        found = sections["Where a peer is ahead"]
        self.assertNotIn("librac 5.00", found)
        told = "librac 9.00, slot list 5.00 ns (1.80 ×). " + reasons.read()["subscribe:0"]
        self.assertIn(told, found)
        self.assertRegex(found, r"- a delivery, 10 .*1\.01 ×\)\. Level, within 5 %")
        self.assertIn("psygnal 5.00 ns (1.80 ×). " + reasons.read()["ctypes"], found)

    def test_what_has_no_reason_says_so(self):
        parts = python(librac=9, blinker=5)
        why = {}
        self.assertIn(report.NO_REASON, "".join(report.behind(parts, why)))
        checked = aims.check(Figures(race(result("send:1", floor=1, librac=9))))
        self.assertIn(report.NO_REASON, "".join(report.unreached(checked, why)))

    def test_what_was_measured_earlier_says_so(self):
        _, page = self.of(race(result("send:1", floor=1, librac=9)))
        self.assertIn("Of an earlier state of the sources: race", page)

    def test_what_is_missing_is_a_dash(self):
        rows = list(table.rows([result("send:1", floor=1)], ["floor", "librac"]))
        self.assertEqual(rows[1][2:], ["1.00", table.DASH] + [table.DASH] * 3)


if __name__ == "__main__":
    unittest.main()
