"""Every operator once through ctypes, as Tests/operators/operators.def has it."""

import racffi
from example import Example, heard, of_sequence, rows
from racffi import rac
from ractest import RacTest


def nothing(kind):
    return racffi.CALLBACKS[kind]()


@racffi.CALLBACKS["rac_log_fn"]
def keep_quiet(context, line):
    pass


class EveryOperator(RacTest):
    def setUp(self):
        super().setUp()
        rac.rac_set_log(None, keep_quiet, nothing("rac_destroy_fn"))

    def tearDown(self):
        rac.rac_set_log(None, nothing("rac_log_fn"), nothing("rac_destroy_fn"))
        super().tearDown()

    def test_of_signals(self):
        for row in rows.of_signals():
            with self.subTest(operator=row.name):
                example = Example("signal")
                signal = example.call(row)
                if row.result.endswith(" ..."):
                    signal = example.first(len(row.result.split()) - 1, signal)
                result = heard(example, signal)
                example.release()
                self.assertEqual(result, row.result.replace("...", "|"))

    def test_of_sequences(self):
        for row in rows.of_sequences():
            with self.subTest(operator=row.name):
                example = Example("sequence")
                made = example.call(row)
                # The second time from what was kept.
                results = [of_sequence(made), of_sequence(made)]
                example.release()
                self.assertEqual(results, [row.result.replace("|", "").strip()] * 2)
