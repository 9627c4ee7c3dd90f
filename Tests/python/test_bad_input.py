"""NULL, garbage, stale and wrong-kind handles in every function of the header."""

import ctypes
import random
import unittest

import racffi
from racffi import C, Value, rac


def filler(parameter, kind):
    """A harmless argument for a parameter of the description, of that ctypes type."""
    if "role" in parameter and parameter["type"] in racffi.CALLBACKS:
        return kind()
    if kind is Value:
        return Value()
    if kind is ctypes.c_double:
        return 0.5
    if kind is ctypes.c_bool:
        return False
    if kind in (ctypes.c_char_p, ctypes.c_void_p):
        return None
    if issubclass(kind, ctypes._Pointer):
        return kind(kind._type_())
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
        """Those that take a handle of one kind first."""
        for name, function in sorted(racffi.FUNCTIONS.items()):
            first = (function["parameters"] or [{"type": ""}])[0]
            if first.get("handle", "any") != "any" and first["type"].count("*") == 1:
                yield name, function

    def arguments(self, name, function):
        types = getattr(rac, name).argtypes
        return [filler(*each) for each in zip(function["parameters"], types)]

    def refused(self, name, result, answer, handle):
        text = "{}({}) answered {}".format(name, handle, answer)
        # Any number may be a counter's.
        if name == "rac_counter_get":
            result = "size_t"
        if result in ("rac_status", "int64_t"):
            self.assertLess(answer, 0, text)
        elif result == "bool":
            self.assertFalse(answer, text)
        elif result.endswith("*"):
            self.assertFalse(answer, text)
        elif result in ("size_t", "int32_t", "uint64_t"):
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
        for name, function in self.functions():
            names += 1
            for label, handle in bad_handles():
                if handle is None and function["parameters"][0]["nullable"]:
                    continue
                rac.rac_clear_last_error()
                arguments = [handle] + self.arguments(name, function)[1:]
                answer = getattr(rac, name)(*arguments)
                with self.subTest(function=name, handle=label):
                    self.refused(name, function["returns"]["type"], answer, handle)
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
            "signal": (clock, disposable),
            "scheduler": (signal, disposable),
            "disposable": (clock, signal),
            "property": (clock, signal, disposable, subject),
            "channel": (clock, signal, disposable, subject),
        }
        for name, function in self.functions():
            kind = function["parameters"][0]["handle"]
            for handle in others.get(kind, (clock, signal, disposable)):
                rac.rac_clear_last_error()
                arguments = [handle] + self.arguments(name, function)[1:]
                answer = getattr(rac, name)(*arguments)
                with self.subTest(function=name):
                    self.refused(name, function["returns"]["type"], answer, handle)
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
        names = [name for name in vars(C) if name.startswith("RAC_E")]
        names = [name for name in names if getattr(C, name) < 0]
        self.assertIn("RAC_ESTALE", names)
        for name in names:
            self.assertEqual(rac.rac_status_name(getattr(C, name)), name.encode())
