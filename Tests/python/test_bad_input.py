"""NULL, garbage, stale and wrong-kind handles in every function of the header."""

import ctypes
import random
import unittest

import racffi
from racffi import C, Value, rac

# These take handles of every kind, and the last one NULL as well: it is a no-op.
EVERY_KIND = {"rac_retain", "rac_release"}
NULL_IS_FINE = {"rac_dispose"}


def filler(text):
    """A harmless argument of that C type."""
    if text in racffi.CALLBACKS:
        return racffi.CALLBACKS[text]()
    if text == "rac_value":
        return Value()
    kind = racffi.type_of(text)
    if kind is ctypes.c_double:
        return 0.5
    if kind is ctypes.c_bool:
        return False
    if kind is ctypes.c_char_p:
        return None
    if isinstance(kind, type) and issubclass(kind, ctypes._Pointer):
        return kind(kind._type_())
    if kind is ctypes.c_void_p:
        return None
    return 0


def bad_handles():
    """(name, handle): never a live one of any kind."""
    subject = rac.rac_subject_create()
    rac.rac_release(subject)
    dice = random.Random(20260101)
    yield "null", None
    yield "stale", subject
    yield "one", 1
    yield "all ones", 2**64 - 1
    for _ in range(20):
        yield "garbage", dice.getrandbits(64)
        yield "garbage below 2^53", dice.getrandbits(53)


class BadHandleTest(unittest.TestCase):
    def functions(self):
        for name, (result, parameters) in sorted(racffi.PROTOTYPES.items()):
            if name in EVERY_KIND:
                continue
            if parameters and racffi.HANDLE.fullmatch(parameters[0]):
                yield name, result, parameters

    def refused(self, name, result, answer, handle):
        text = "{}({}) answered {}".format(name, handle, answer)
        if result in ("rac_status", "int64_t"):
            self.assertLess(answer, 0, text)
        elif result == "bool":
            self.assertFalse(answer, text)
        elif result.endswith("*"):
            self.assertFalse(answer, text)
        elif result == "size_t":
            self.assertEqual(answer, 0, text)
        elif result == "double":
            pass
        elif result == "rac_value":
            self.assertEqual(answer.kind, C.RAC_NIL, text)
        else:
            self.fail("{} returns {}".format(name, result))

    def test_every_function_refuses_them(self):
        names = 0
        live = rac.rac_live_objects()
        for name, result, parameters in self.functions():
            names += 1
            for label, handle in bad_handles():
                if handle is None and name in NULL_IS_FINE:
                    continue
                rac.rac_clear_last_error()
                arguments = [filler(parameter) for parameter in parameters]
                arguments[0] = handle
                answer = getattr(rac, name)(*arguments)
                with self.subTest(function=name, handle=label):
                    self.refused(name, result, answer, handle)
                    if handle is not None:
                        self.assertLess(rac.rac_last_error_code(), 0)
                        self.assertTrue(rac.rac_last_error_message())
        self.assertGreater(names, 50)
        self.assertEqual(rac.rac_live_objects(), live)

    def test_every_function_refuses_another_kind(self):
        live = rac.rac_live_objects()
        subject = rac.rac_subject_create()
        clock = rac.rac_scheduler_virtual()
        signal = rac.rac_signal_never()
        nothing = racffi.CALLBACKS["rac_action_fn"]()
        disposable = rac.rac_disposable_create(None, nothing, nothing)
        others = {
            "rac_signal *": (clock, disposable),
            "rac_subject *": (clock, signal, disposable),
            "rac_subscriber *": (clock, signal, disposable),
            "rac_disposable *": (clock, signal),
            "rac_scheduler *": (signal, disposable),
            "rac_connection *": (clock, signal, disposable),
            "rac_recursion *": (clock, signal, disposable),
            "rac_command *": (clock, signal, disposable),
            "rac_sequence *": (clock, signal, disposable),
            "rac_sequence_iterator *": (clock, signal, disposable),
            "rac_property *": (clock, signal, disposable, subject),
            "rac_channel *": (clock, signal, disposable, subject),
        }
        for name, result, parameters in self.functions():
            for handle in others[parameters[0]]:
                rac.rac_clear_last_error()
                arguments = [filler(parameter) for parameter in parameters]
                arguments[0] = handle
                answer = getattr(rac, name)(*arguments)
                with self.subTest(function=name):
                    self.refused(name, result, answer, handle)
                    self.assertLess(rac.rac_last_error_code(), 0)
        for handle in (subject, clock, signal, disposable):
            self.assertEqual(rac.rac_release(handle), C.RAC_OK)
        self.assertEqual(rac.rac_live_objects(), live)

    def test_double_release(self):
        subject = rac.rac_subject_create()
        self.assertEqual(rac.rac_release(subject), C.RAC_OK)
        self.assertEqual(rac.rac_release(subject), C.RAC_ESTALE)
        self.assertEqual(rac.rac_last_error_function(), b"rac_release")
        self.assertEqual(rac.rac_release(None), C.RAC_OK)

    def test_handles_stay_below_2_to_the_53(self):
        handles = [rac.rac_subject_create() for _ in range(1000)]
        self.assertLess(max(handles), 2**53)
        for handle in handles:
            self.assertEqual(rac.rac_release(handle), C.RAC_OK)

    def test_constants_and_names_agree(self):
        names = [name for name, number in vars(C).items() if number < 0]
        names = [name for name in names if name.startswith("RAC_E")]
        self.assertIn("RAC_ESTALE", names)
        for name in names:
            self.assertEqual(rac.rac_status_name(getattr(C, name)), name.encode())


if __name__ == "__main__":
    unittest.main()
