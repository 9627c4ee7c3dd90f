"""What a C compiler says of rac.h's manners: what compiles clean, and what must not.

    test_manners.py INCLUDE COMPILER...

Each compiler takes the program in every standard that it is for; with one of the
lines below in it, it has to refuse it.
"""

import subprocess
import sys
import unittest

INCLUDE, COMPILERS = sys.argv[1], sys.argv[2:]
PROGRAM = """
#include <rac.h>
#include <rac_marbles.h>
#include <rac_replay.h>
static void print(void *context, rac_value value) { (void)context, (void)value; }
int main(void) {
  RAC_AUTO rac_signal *signal = rac_signal_never();
  RAC_AUTO rac_subject *subject = rac_subject_create();
  RAC_AUTO_DISPOSE rac_disposable *subscription =
      rac_subscribe_next(signal, subject, print, NULL);
  RAC_AUTO_VALUE rac_value text = rac_value_string_copy("a", 1);
  rac_observer observer = rac_observer_init(NULL, print, NULL, NULL, NULL);
  enum rac_kind kind = RAC_STRING;
  RAC_ASSIGN(signal, rac_signal_start_with(signal, text));
  if (RAC_ASSIGN(subject, rac_subject_create()) == NULL || kind != text.kind) return 1;
  rac_subscribe_detached(signal, rac_retain(subject), print, NULL, NULL,
                         rac_release_context);
  RAC_ASSIGN(subscription, rac_subscribe(signal, &observer));
  LINE
  return RAC_OK;
}
"""
C, CXX = ("c99", "c11", "c17"), ("c++17", "c++20")
REFUSED = {
    "a scheduler for a signal": "RAC_ASSIGN(signal, rac_scheduler_main());",
    "a value for a signal": "RAC_ASSIGN(signal, text);",
    "a variable that is none": "RAC_ASSIGN(rac_signal_never(), signal);",
    "a reference dropped": "rac_signal_delay(signal, 1, NULL);",
    "a subscription dropped": "rac_subscribe(signal, &observer);",
    "a value dropped": 'rac_value_string_copy("a", 1);',
}


def complaint(compiler, language, standard, line):
    """What the compiler has to say; "" when it takes it."""
    command = [compiler, "-x", language, "-std=" + standard, "-S", "-Wall"]
    command += ["-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE, "-", "-o", "/dev/null"]
    result = subprocess.run(
        command,
        input=PROGRAM.replace("LINE", line),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    return result.stdout if result.returncode else ""


class MannersTest(unittest.TestCase):
    def each(self):
        for compiler in COMPILERS:
            for language, standards in (("c", C), ("c++", CXX)):
                for standard in standards:
                    with self.subTest(compiler=compiler, standard=standard):
                        yield compiler, language, standard

    def test_it_compiles_clean(self):
        for case in self.each():
            self.assertEqual(complaint(*case, ""), "")

    def test_what_must_not_compile(self):
        for compiler, language, standard in self.each():
            if standard not in ("c11", "c++17"):
                continue
            for name, line in REFUSED.items():
                with self.subTest(name):
                    self.assertNotEqual(complaint(compiler, language, standard, line), "")

    def test_a_handle_of_another_type_is_an_error_not_a_warning(self):
        for compiler in COMPILERS:
            command = [compiler, "-xc", "-w", "-fsyntax-only", "-I", INCLUDE, "-"]
            wrong = PROGRAM.replace("LINE", REFUSED["a scheduler for a signal"])
            result = subprocess.run(
                command, input=wrong.encode(), stderr=subprocess.DEVNULL)
            self.assertNotEqual(result.returncode, 0, compiler)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
