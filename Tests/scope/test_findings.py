"""Each planted fault is found, by its own finder alone, with its place and its numbers."""

import unittest

import programs
import scope
from case import Case
from writer import ASKED, DISPOSAL, DROPPED, EXAMINED, LONG_CALL, TAKEN_BACK, TIMER, Writer

find = scope.load().find


class FindingsTest(Case):
    def find(self, writer):
        return find(self.read(writer))

    def test_each_fault_is_found_and_nothing_else(self):
        for kind, program in programs.FAULTS.items():
            with self.subTest(kind):
                found = self.find(program())
                others = {"end waits": {"leak"}}.get(kind, set())
                self.assertEqual({each.kind for each in found} - others, {kind})
                first = found[0]
                self.assertTrue(first.advice and first.mark, first)
                # A refused call has made nothing.
                self.assertEqual(bool(first.nodes), kind != "refused", first)
                if kind != "not run":
                    self.assertRegex(first.place, r"^\w+\.c:\d+ \w+\(\)$")

    def test_a_program_without_a_fault_has_none(self):
        self.assertEqual(self.find(programs.good()), [])

    def test_sentences_have_the_numbers(self):
        for program, words in (
            (programs.price, "price: it is cold and was subscribed to 2 times (#3, #5)"),
            (programs.orders, "orders → to clerk: 10 of 24 values were dropped"),
            (programs.worker, "up to 80 values waited, 76 still do; each takes 3 ms below"),
            (programs.clicks, "its source clicks, made at faults.c:29 window_open(), is alive"),
            (programs.end_waits, "words has ended, but the end still waits behind 2 values"),
            (programs.not_run, "main scheduler main: 2 jobs wait, and nobody runs it"),
            (programs.late, "a timer fired 120 ms late, at 150 ms: a job before it took 150 ms"),
            (programs.long_call, "the subscriber of report (map) took 200 ms for one value"),
            (programs.held, "held up 5 times, 160 ms in all, 80 % of the time"),
            (programs.unheard, "checked: it failed and nobody heard: error shop 2: no pairs, at 1 ms"),
            (programs.refused, "rac_signal_map: the call answered NULL, 2 times: the function is"),
        ):
            with self.subTest(words):
                self.assertIn(words, self.find(program())[0].sentence)

    def test_an_end_on_its_way_to_a_worker_is_no_fault(self):
        w = Writer()
        later = w.subscription("deliverOn", "later", waiting=1)
        above = w.subscription("createSignal", "page", below=later)
        w.end(above)
        w.advance(0.05)
        w.exit(leaked=3)
        self.assertEqual(self.find(w), [])

    def test_a_refusal_that_was_asked_about_is_no_fault(self):
        w = programs.refused()
        w.event(EXAMINED)
        self.assertNotIn("times", self.find(w)[0].sentence)
        w.event(EXAMINED, thread=2)
        self.assertEqual(len(self.find(w)), 1)
        w.event(EXAMINED)
        self.assertEqual(self.find(w), [])

    def test_two_subscribers_of_a_cold_signal_are_no_fault(self):
        w = Writer()
        for _ in range(2):
            step = w.subscription("map", "tens")
            cold = w.subscription("createSignal", "price", below=step, detail=9)
            w.end(cold)
            w.end(step)
        self.assertEqual(self.find(w), [])

    def test_cold_work_is_found_through_properties_that_it_is_bound_to(self):
        w = Writer()
        parts = [w.node(3, name=name) for name in ("net", "gross")]
        both = w.node(3, name="label")
        for part, place in zip(parts, ("a.c:3 net()", "b.c:9 gross()")):
            w.node(7, below=both.id, source=part.id)
            step = w.subscription("map", part.name and "step", place, target=part.id)
            cold = w.subscription("createSignal", "price", place, below=step, detail=9)
            w.end(cold)
            w.end(step)
        found = self.find(w)
        self.assertEqual([each.kind for each in found], ["twice"])
        self.assertIn("by step at a.c:3 net() and step at b.c:9 gross()", found[0].text)

    def test_cold_work_of_one_subject_again_and_again_is_no_fault(self):
        w = Writer()
        answers = w.subject("answers")
        pair = w.subscription("combineLatest", "pair")
        w.subscription("subject", "answers", below=pair, source=answers)
        for _ in range(200):
            w.end(w.subscription("createSignal", "ask", detail=9, target=answers.id))
        self.assertEqual(self.find(w), [])

    def test_cold_work_once_an_inner_signal_is_no_fault(self):
        w = Writer()
        polls = w.subscription("flattenMap", "polls")
        for _ in range(3):
            step = w.subscription("map", below=polls)
            cold = w.subscription("createSignal", "ask", below=step, detail=9)
            w.end(cold)
            w.end(step)
        w.end(polls)
        self.assertEqual(self.find(w), [])

    def test_two_signals_of_one_place_are_no_fault(self):
        w = Writer()
        pair = w.subscription("zip", "pair", "a.c:3 main()")
        for identity in (5, 6):
            w.end(w.subscription("createSignal", at="a.c:3 main()", below=pair, detail=identity))
        w.end(pair)
        self.assertEqual(self.find(w), [])

    def test_latest_is_meant_to_drop(self):
        w = Writer()
        step = w.subscription("deliverOn", "screen", lost=1)
        w.event(DROPPED, step, extra=3)
        w.end(step)
        self.assertEqual(self.find(w), [])

    def test_a_burst_that_was_taken_is_no_backlog(self):
        w = Writer()
        step = w.subscription("deliverOn", "burst", most=400, values=400)
        w.end(step)
        self.assertEqual(self.find(w), [])

    def test_a_merge_whose_inputs_have_not_all_ended_waits_rightly(self):
        w = Writer()
        both = w.subscription("merge")
        one = w.subscription("createSignal", below=both)
        w.subscription("interval", below=both)
        w.end(one)
        w.exit(leaked=0)
        self.assertEqual(self.find(w), [])

    def test_a_program_that_runs_is_not_told_what_remains(self):
        w = programs.clicks()
        w.state, w.pid = 1, 1
        self.assertEqual(self.find(w), [])

    def test_a_job_that_was_asked_for_just_now_is_not_missed(self):
        w = Writer(pid=1)
        main = w.node(4, detail=2, waiting=1)
        w.event(ASKED, main, extra=1)
        w.advance(10)
        w.value(w.subscription("map"), 1)
        self.assertEqual(self.find(w), [])
        w.advance(1500)
        w.value(w.nodes[-1], 1)
        self.assertEqual([each.kind for each in self.find(w)], ["not run"])

    def test_the_slow_one_is_named(self):
        w = Writer()
        queue = w.subscription("deliverOn", "queue", most=500, waiting=400)
        below = w.subscription("map", "work", "w.c:7 run()")
        queue.below = below.id
        for node in (queue, below):
            for _ in range(4):
                w.value(node, 1)
                w.event(LONG_CALL, node, bits=5_000_000)
        found = [each for each in self.find(w) if each.kind == "backlog"]
        self.assertIn("The subscriber at w.c:7 run() is slow", found[0].advice)
        self.assertIn("each takes 5 ms below", found[0].text)

    def test_one_place_is_told_once(self):
        w = Writer()
        for number in range(100):
            w.subscription("map", f"s{number}", "loop.c:4 main()", slow=190_000)
            w.end(w.nodes[-1])
        self.assertEqual(len(self.find(w)), 1)

    def test_how_many_are_alike_is_told(self):
        w = Writer()
        for _ in range(3):
            w.subscription("interval", at="p.c:6 log_in()")
        w.exit(leaked=16)
        found = self.find(w)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].text.endswith("; and 2 more like it"), found[0].text)

    def test_a_property_without_a_name_is_told_when_it_leaks(self):
        w = Writer()
        volume = w.node(3, at="p.c:4 main()")
        w.end(w.subscription("property", source=volume))
        w.exit(leaked=3)
        self.assertEqual([each.subject for each in self.find(w)], [f"property #{volume.id}"])

    def test_what_a_flatten_drops_is_told_once(self):
        w = Writer()
        queue = w.subscription("flattenMap", lost=16, values=4)
        w.event(DROPPED, queue, extra=2)
        step = w.subscription("map", below=queue, lost=16, values=20)
        w.event(DROPPED, step, extra=2)
        w.end(step)
        w.end(queue)
        self.assertEqual([each.nodes for each in self.find(w)], [(queue.id,)])

    def test_timers_that_nobody_ran_are_told_when_they_were_taken_back(self):
        for waited, kinds in (400, ["not run"]), (20, []):
            w = Writer()
            main = w.node(4, detail=2, name="main", most=1)
            w.event(TIMER, main, extra=1, bits=50_000_000)
            w.advance(waited)
            w.event(TAKEN_BACK, extra=1)
            w.exit()
            self.assertEqual([each.kind for each in self.find(w)], kinds)

    def test_what_a_running_callback_holds_was_disposed(self):
        w = Writer()
        step = w.subscription("map")
        queue = w.subscription("deliverOn", below=step)
        above = w.subscription("subject", below=queue)
        w.event(DISPOSAL, above)
        above.flags |= 4
        w.exit(leaked=9)
        self.assertEqual(self.find(w), [])

    def test_a_slow_step_is_not_taken_for_the_one_above_it(self):
        w = Writer()
        step = w.subscription("map", "compute")
        w.subscription("subject", "reports", below=step, slow=300_000)
        found = self.find(w)
        self.assertIn("what follows it, compute, took 300 ms", found[0].text)

    def test_an_end_behind_values_that_come_is_slow_and_not_stuck(self):
        w = programs.end_waits()
        self.assertIn("does not run", self.find(w)[0].advice)
        w.value(next(each for each in w.nodes if each.waiting), 1, thread=2)
        self.assertIn("is slow", self.find(w)[0].advice)


if __name__ == "__main__":
    unittest.main()
