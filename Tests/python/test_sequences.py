"""Sequences through ctypes: a class with Python's iteration, and every function."""

import ctypes
import itertools
import re
import unittest

import racffi
from example import Example, rows, value_text
from racffi import C, Contexts, Recorder, Value, rac, register, to_rac
from ractest import RacTest, release


class Sequence:
    """A rac_sequence that for, list() and itertools can go through."""

    def __init__(self, handle):
        if not handle:
            raise RuntimeError(rac.rac_last_error_message().decode())
        self.handle = handle

    def __del__(self):
        rac.rac_release(self.handle)

    def __iter__(self):
        each = rac.rac_sequence_iterate(self.handle)
        try:
            while True:
                value = Value()
                code = rac.rac_sequence_next(each, ctypes.byref(value))
                if code == C.RAC_EEMPTY:
                    return
                result = racffi.from_rac(value)
                rac.rac_value_release(value)
                if code == C.RAC_ESTREAM:
                    raise result
                racffi.check(code)
                yield result
        finally:
            rac.rac_release(each)

    def apply(self, name, *arguments):
        return Sequence(getattr(rac, "rac_sequence_" + name)(self.handle, *arguments))


def sequence(*values):
    held = (Value * len(values))(*[to_rac(value) for value in values])
    result = rac.rac_sequence_from_values(held, len(values))
    for value in held:
        rac.rac_value_release(value)
    return Sequence(result)


def callback(function, call):
    return register(function), call, racffi.destroy


def counting(step=1):
    return Sequence(rac.rac_sequence_range(0, step, 2**64 - 1))


def is_even(number):
    return number % 2 == 0


def handles(*sequences):
    return (ctypes.c_void_p * len(sequences))(*[s.handle for s in sequences])


class OperatorTest(RacTest):
    def test_every_operator(self):
        for row in rows.of_sequences():
            with self.subTest(operator=row.name):
                example = Example("sequence")
                made = Sequence(rac.rac_retain(example.call(row)))
                expected = row.result.replace("|", "").split()
                # The second time from what was kept.
                results = [[value_text(value) for value in made] for _ in range(2)]
                del made
                example.release()
                self.assertEqual(results, [expected, expected])

    def test_operators_on_none_and_on_several(self):
        a, b = sequence(1, 2), sequence("x", None)
        self.assertEqual(list(a.apply("concat", b.handle)), [1, 2, "x", None])
        pairs = Sequence(rac.rac_sequence_zip(handles(a, b), 2))
        self.assertEqual(list(pairs), [(1, "x"), (2, None)])
        second = callback(lambda a, b: b, racffi.call_reduce_each)
        self.assertEqual(list(pairs.apply("reduce_each", *second)), ["x", None])
        none = callback(lambda n: None, racffi.call_sequence)
        self.assertEqual(list(a.apply("flatten_map", *none)), [])

    def test_sequences_as_values(self):
        first = sequence(1, 2)
        inner = rac.rac_value_sequence(first.handle)
        twice = Sequence(rac.rac_sequence_from_values((Value * 2)(inner, inner), 2))
        again = Sequence(rac.rac_value_to_sequence(inner))
        self.assertEqual(list(again), [1, 2])
        rac.rac_value_release(inner)
        self.assertEqual(list(twice), ["sequence", "sequence"])
        self.assertEqual(list(twice.apply("flatten")), [1, 2, 1, 2])

    def test_an_exception_is_where_the_sequence_ends(self):
        divided = sequence(2, 1, 0, 5).apply(
            "map", *callback(lambda n: 2 // n, racffi.call_map)
        )
        for _ in range(2):
            heard = []
            with self.assertRaises(racffi.StreamError) as caught:
                for value in divided:
                    heard.append(value)
            self.assertEqual(heard, [1, 2])
            self.assertIn("ZeroDivisionError", str(caught.exception))


class SourceTest(RacTest):
    def test_sources(self):
        self.assertEqual(list(Sequence(rac.rac_sequence_empty())), [])
        self.assertEqual(list(Sequence(rac.rac_sequence_return(to_rac(1)))), [1])
        for make, value, expected in (
            (rac.rac_sequence_from_elements, "aé", ["a", "é"]),
            (rac.rac_sequence_from_elements, b"\0\xff", [0, 255]),
            (rac.rac_sequence_from_elements, (1, None), [1, None]),
        ):
            held = to_rac(value)
            self.assertEqual(list(Sequence(make(held))), expected)
            rac.rac_value_release(held)

    def test_without_an_end(self):
        squares = counting().apply(
            "map", *callback(lambda n: n * n, racffi.call_map)
        )
        self.assertEqual(list(itertools.islice(squares, 5)), [0, 1, 4, 9, 16])
        # A loop that is left early lets go of its iterator.
        for number in squares:
            if number > 10:
                break
        self.assertEqual(number, 16)

    def test_head_and_tail_callbacks(self):
        calls = []

        def head(out):
            calls.append("head")
            return 1

        made = Sequence(
            rac.rac_sequence_create(
                register(lambda *nothing: head(None) if not nothing else None),
                racffi.call_factory,
                racffi.CALLBACKS["rac_sequence_tail_fn"](),
                racffi.destroy,
            )
        )
        self.assertEqual(calls, [])
        self.assertEqual(list(made), [1])
        self.assertEqual(list(made), [1])
        self.assertEqual(calls, ["head"])

    def test_a_python_iterator_as_a_generator(self):
        """Each value is taken from the iterator once, when it is asked for."""
        words = iter(["a", "b"])

        @racffi.CALLBACKS["rac_generate_fn"]
        def generate(context, state, next_state, out):
            try:
                out[0] = to_rac(next(Contexts.alive[context]))
                return C.RAC_OK
            except StopIteration:
                return C.RAC_EEMPTY

        made = Sequence(
            rac.rac_sequence_generate(
                to_rac(None), register(words), generate, racffi.destroy
            )
        )
        self.assertEqual(list(made), ["a", "b"])
        self.assertEqual(list(made), ["a", "b"])

    def test_of_a_signal_and_to_one(self):
        subject, signal = self.subject()
        values = Sequence(rac.rac_sequence_from_signal(signal, 0.0, None))
        rac.rac_subject_send(subject, to_rac(1))
        self.assertEqual(next(iter(values)), 1)
        with self.assertRaises(RuntimeError):
            list(values)  # nothing more has come in time
        rac.rac_subject_send_completed(subject)
        self.assertEqual(list(values), [1])
        sent = rac.rac_sequence_signal(values.handle, rac.rac_scheduler_immediate())
        heard = Recorder(sent)
        heard.release()
        release(sent)
        self.assertEqual(heard.events, [1, "completed"])


    def test_of_a_signal_that_is_faster(self):
        subject, signal = self.subject()
        bound = self.own(rac.rac_bound_create(2, C.RAC_BOUND_DROP_OLDEST))
        values = Sequence(rac.rac_sequence_from_signal(signal, 0.0, bound))
        each = self.own(rac.rac_sequence_iterate(values.handle))
        value = ctypes.byref(Value())
        self.assertEqual(rac.rac_sequence_next_for(each, 0, value), C.RAC_ETIMEDOUT)
        code = rac.rac_sequence_next_for(each, 0.001, value)
        self.assertEqual(code, C.RAC_ETIMEDOUT)
        for number in (1, 2, 3):
            rac.rac_subject_send(subject, to_rac(number))
        rac.rac_subject_send_completed(subject)
        self.assertEqual(list(values), [2, 3])
        self.assertEqual(rac.rac_bound_get(bound, C.RAC_BOUND_DROPPED), 1)


class ReadingTest(RacTest):
    def read(self, function, *arguments):
        out = Value()
        racffi.check(function(*arguments, ctypes.byref(out)))
        result = racffi.from_rac(out)
        rac.rac_value_release(out)
        return result

    def test_reading(self):
        s = sequence(1, 2, 3)
        self.assertEqual(self.read(rac.rac_sequence_head, s.handle), 1)
        self.assertEqual(self.read(rac.rac_sequence_to_array, s.handle), (1, 2, 3))
        rest = ctypes.c_void_p()
        racffi.check(rac.rac_sequence_tail(s.handle, ctypes.byref(rest)))
        self.assertEqual(list(Sequence(rest.value)), [2, 3])
        none = sequence()
        code = rac.rac_sequence_head(none.handle, None)
        self.assertEqual(code, C.RAC_EEMPTY)

    def test_folds(self):
        s = sequence(1, 2, 3)
        number = register(lambda a, b: a - b)
        self.assertEqual(
            self.read(
                rac.rac_sequence_fold_left,
                s.handle,
                to_rac(0),
                number,
                racffi.call_reduce,
            ),
            -6,
        )
        racffi.destroy(number)

        @racffi.CALLBACKS["rac_fold_right_fn"]
        def minus(context, value, rest, out):
            if not rest:
                return C.RAC_PENDING
            out[0] = to_rac(value.bits - rest[0].bits)
            return C.RAC_OK

        self.assertEqual(
            self.read(
                rac.rac_sequence_fold_right, s.handle, to_rac(0), None, minus
            ),
            2,
        )

    def test_searches(self):
        s = sequence(1, 2, 3)
        number = register(is_even)
        answer = ctypes.c_bool()
        for function, expected in (
            (rac.rac_sequence_any, True),
            (rac.rac_sequence_all, False),
        ):
            racffi.check(
                function(s.handle, number, racffi.call_filter, ctypes.byref(answer))
            )
            self.assertEqual(answer.value, expected)
        self.assertEqual(
            self.read(
                rac.rac_sequence_object_passing_test,
                s.handle,
                number,
                racffi.call_filter,
            ),
            2,
        )
        racffi.destroy(number)
        racffi.check(rac.rac_sequence_is_empty(s.handle, ctypes.byref(answer)))
        self.assertFalse(answer.value)

    def test_equality(self):
        a, b, answer = sequence(1, "x"), sequence(1, "x"), ctypes.c_bool()
        racffi.check(
            rac.rac_sequence_is_equal(a.handle, b.handle, ctypes.byref(answer))
        )
        self.assertTrue(answer.value)
        hashes = []
        for s in (a, b):
            out = ctypes.c_uint64()
            racffi.check(rac.rac_sequence_hash(s.handle, ctypes.byref(out)))
            hashes.append(out.value)
        self.assertEqual(hashes[0], hashes[1])


class CompletenessTest(unittest.TestCase):
    def test_no_function_is_missing(self):
        with open(__file__, encoding="utf-8") as file:
            called = set(re.findall(r"rac\.(rac_sequence_\w+)", file.read()))
        called |= {"rac_sequence_" + row.name for row in rows.of_sequences()}
        declared = {n for n in racffi.FUNCTIONS if n.startswith("rac_sequence_")}
        self.assertEqual(sorted(declared - called), [])


if __name__ == "__main__":
    unittest.main()
