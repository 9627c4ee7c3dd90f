#!/usr/bin/env python3
"""The fuzzer itself: no function escapes its table, and one thread does the same again.

    test_fuzzer.py INCLUDE FUZZ LIBRARY RUNTIME

RUNTIME is that of LIBRARY, as check_library.py says it.
"""

import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ADDR_NO_RANDOMIZE = 0x0040000


def declared(comment, declaration):
    return "/**\n * Something new.\n *\n{} */\nRAC_API {};\n".format(comment, declaration)


class Table(unittest.TestCase):
    def generate(self, declarations="", without=None):
        """What generate.py says, and the table it makes of a header that is a little different."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ("rac.h", "rac_types.h"):
                shutil.copy(str(INCLUDE / name), str(folder))
            text = (folder / "rac.h").read_text()
            if without:
                self.assertIn(without, text)
                text = text.replace(without, "rac_something_else(")
            (folder / "rac.h").write_text(text + declarations)
            done = subprocess.run(
                [sys.executable, str(HERE / "generate.py"), str(folder), str(folder)],
                stderr=subprocess.PIPE,
                universal_newlines=True,
            )
            table = folder / "calls.c"
            text = table.read_text() if done.returncode == 0 else ""
            return done.stderr, text

    def test_a_new_function_is_called(self):
        said, table = self.generate(
            declared(
                " * @return one reference. Since: 0.1\n",
                "rac_signal *rac_signal_new_one(rac_signal *source, double seconds)",
            )
        )
        self.assertEqual(said, "")
        self.assertIn("rac_signal_new_one(a_source, a_seconds)", table)
        self.assertIn('{"rac_signal_new_one", fuzz_rac_signal_new_one, 8}', table)

    def test_an_argument_of_an_unknown_type_is_an_error(self):
        said, _ = self.generate(declared("", "void rac_new_one(rac_unknown *thing)"))
        self.assertIn("rac_new_one: no way to make a rac_unknown *thing", said)

    def test_a_result_that_nobody_is_said_to_own_is_an_error(self):
        said, _ = self.generate(
            declared(" * @return a signal. Since: 0.1\n", "rac_signal *rac_new_one(void)")
        )
        self.assertIn("rac_new_one: does its comment say who owns the result?", said)

    def test_a_rule_for_what_is_gone_is_an_error(self):
        said, _ = self.generate(without="rac_sequence_range(")
        self.assertIn("a rule for rac_sequence_range, which is not in the header", said)

    def test_every_function_of_the_header_is_in_the_table(self):
        _, table = self.generate()
        text = (INCLUDE / "rac.h").read_text()
        # rules.py says why
        left_out = {"rac_raise", "rac_raise_errno", "rac_virtual_step_all", "rac_virtual_set_time", "rac_virtual_plan_reading", "rac_close", "rac_main_run_until"}
        left_out |= {"rac_record_start", "rac_record_stop"}
        sources = (
            "readable writable chunks lines posix_signal child_exit at_time at_times file_changes"
            " tail spawn write connect listen datagrams"
        )
        left_out.update("rac_signal_" + name for name in sources.split())
        for line in text.splitlines():
            if line.startswith("RAC_API"):
                name = line.split("(")[0].split()[-1].lstrip("*")
                self.assertEqual('{{"{}",'.format(name) in table, name not in left_out, name)


def timeless(trace):
    """Without what a clock has said, such as a timestamp: that is another time the next time."""
    return re.sub(rb"\b\d+\.\d{3,}(e-\d+)?\b|\b\d(\.\d+)?e-\d+\b", b"TIME", trace)


class OneThread(unittest.TestCase):
    def test_it_does_the_same_again(self):
        libc = ctypes.CDLL(None)
        before = libc.personality(0xFFFFFFFF)
        if before < 0 or libc.personality(before | ADDR_NO_RANDOMIZE) < 0:
            self.skipTest("addresses cannot be fixed here")
        libc.personality(before)
        command = [FUZZ, "--seed", "5", "--rounds", "5", "--patience", "50", "--trace"]

        def play():
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertGreater(done.stderr.count(b"\n"), 1000)
            return timeless(done.stderr)

        # A timer of the main scheduler is due by the real clock: one call later, now and then, on a
        # machine that does something else.
        self.assertTrue(any(play() == play() for _ in range(3)))

    def test_only_what_is_named_is_called(self):
        command = [FUZZ, "--seed", "5", "--rounds", "2", "--trace", "--only"]
        done = subprocess.run(
            command + ["rac_property_,rac_dispose"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        called = set(re.findall(rb"^\d+\.\d+ +(rac_\w+)", done.stderr, re.MULTILINE))
        self.assertIn(b"rac_property_set", called)
        self.assertEqual({name for name in called if not name.startswith((b"rac_property_", b"rac_dispose"))}, set())
        done = subprocess.run(command + ["rac_nothing"], stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (2, b"fuzz: nothing is left to be called\n"))

    def calls_of(self, *arguments):
        command = [FUZZ, "--seed", "5", "--trace", *arguments]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return set(re.findall(rb"^\d+\.\d+ +(rac_\w+)", done.stderr, re.MULTILINE))

    def test_a_set_is_called_alone_or_each_in_turn(self):
        arrays = self.calls_of("--rounds", "1", "--set", "arrays")
        self.assertIn(b"rac_subject_send_array", arrays)
        self.assertNotIn(b"rac_property_set", arrays)
        each = self.calls_of("--rounds", "12", "--set", "each")
        self.assertEqual({b"rac_property_set", b"rac_command_execute"} - each, set())
        self.assertNotIn(b"rac_signal_using", each - self.calls_of("--round", "11", "--rounds", "1", "--set", "each"))
        done = subprocess.run([FUZZ, "--set", "nothing"], stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr[:11]), (2, b"usage: fuzz"))

    def test_a_round_may_close_the_library(self):
        self.assertIn(b"rac_close", self.calls_of("--rounds", "3", "--close"))
        self.assertNotIn(b"rac_close", self.calls_of("--rounds", "3"))
        self.assertNotIn(b"rac_property_set", self.calls_of("--rounds", "2", "--close", "--set", "arrays"))


# A merge that holds a subject's subscription, and a disposable that nobody else holds.
LEAVES_SOMETHING = """
import ctypes, os, subprocess, sys
rac = ctypes.CDLL(sys.argv[1])
for name in ("rac_subject_create", "rac_signal_merge_with", "rac_subscribe_next"):
    getattr(rac, name).restype = ctypes.c_void_p
subject, other = (ctypes.c_void_p(rac.rac_subject_create()) for _ in range(2))
merged = ctypes.c_void_p(rac.rac_signal_merge_with(subject, other))
rac.rac_subscribe_next(merged, None, None, None)
rac.rac_release(merged)
sys.exit(subprocess.run([sys.executable, sys.argv[2], str(os.getpid())]).returncode)
"""


class Living(unittest.TestCase):
    def test_it_tells_who_holds_what(self):
        if RUNTIME != "embedded":
            self.skipTest("living.py reads the Embedded build alone")
        done = subprocess.run(
            [sys.executable, "-c", LEAVES_SOMETHING, LIBRARY, str(HERE / "living.py")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        self.assertEqual(done.stderr, "")
        entries = re.split(r"^  (?=\S)", done.stdout, flags=re.MULTILINE)
        core = [entry for entry in entries if entry.startswith("MergeCore ")]
        self.assertEqual(len(core), 1, done.stdout)
        self.assertEqual(core[0].count("held by Input "), 2, done.stdout)


if __name__ == "__main__":
    INCLUDE = pathlib.Path(sys.argv.pop(1))
    FUZZ, LIBRARY, RUNTIME = (sys.argv.pop(1) for _ in range(3))
    unittest.main()
