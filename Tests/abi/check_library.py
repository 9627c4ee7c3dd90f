"""What librac.so looks like from outside.

    check_library.py LIBRARY embedded|swift

It exports the functions of the header and nothing else. The Embedded build is
small, needs libc alone, loads on glibc 2.25, and its trap instructions stay
under a ceiling: each is a place where Swift would end the process.
"""

import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from later_operators import later_operators  # noqa: E402

LIBRARY, RUNTIME = sys.argv[1], sys.argv[2]
# With so many operators that RAC 2.5 did not have; and for each one more.
SIZE_LIMIT, OPERATORS = 830000, 55
SIZE_OF_AN_OPERATOR = 3000
NEWEST_GLIBC = (2, 25)
ALLOWED = re.compile(r"(libc|libm|libpthread|ld-linux.*)\.so\.\d+")


def run(*command):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout


def dynamic(tag):
    pattern = r"\(" + tag + r"\).*?\[(.*?)\]"
    return re.findall(pattern, run("readelf", "-dW", LIBRARY))


class Library(unittest.TestCase):
    def test_exports_what_the_header_declares(self):
        header = (ROOT / "include" / "rac.h").read_text(encoding="utf-8")
        declared = set(re.findall(r"^RAC_API [^(]*?(rac_\w+)\(", header, flags=re.M))
        listing = run("nm", "-D", "--defined-only", "--format=posix", LIBRARY)
        exported = {line.split()[0].split("@")[0] for line in listing.splitlines()}
        exported -= {"RAC_0.1"}  # the node that their version is
        self.assertTrue(declared, "no function found in rac.h")
        self.assertEqual(sorted(exported - declared), [], "exported, not declared")
        self.assertEqual(sorted(declared - exported), [], "declared, not exported")

    def test_new_operators_are_those_without_a_name_in_rac(self):
        """Nothing else may count as one where the size is measured."""
        header = (ROOT / "include" / "rac.h").read_text(encoding="utf-8")
        comments = re.findall(
            r"/\*\*((?:(?!\*/).)*)\*/\s*(?:/\*(?:(?!\*/).)*\*/\s*)?"
            r"RAC_API RAC_NODISCARD rac_signal \*(rac_signal_\w+)\(",
            header,
            flags=re.S,
        )
        table = (ROOT / "Tests" / "operators" / "operators.def").read_text(encoding="utf-8")
        operators = re.findall(r"^\w*OPERATOR\((\w+),", table, flags=re.M)
        new = {name for comment, name in comments if not re.search(" RAC: (?!none)", comment)}
        new &= {"rac_signal_" + name for name in operators}
        self.assertEqual(sorted(later_operators()), sorted(new))

    def test_soname(self):
        self.assertEqual(dynamic("SONAME"), ["librac.so.0.1"])

    def test_symbols_have_a_version(self):
        """Two minor versions in one process do not take each other's functions."""
        listing = run("readelf", "--dyn-syms", "-W", LIBRARY)
        self.assertRegex(listing, r"\brac_subject_send@@RAC_0\.1\b")

    def test_stays_loaded(self):
        # dlclose() with worker threads alive would unmap their code.
        self.assertIn("NODELETE", run("readelf", "-dW", LIBRARY))


@unittest.skipUnless(RUNTIME == "embedded", "the Swift runtime is inside")
class Embedded(unittest.TestCase):
    def test_size(self):
        with tempfile.TemporaryDirectory() as folder:
            stripped = pathlib.Path(folder) / "librac.so"
            run("strip", "-o", str(stripped), LIBRARY)
            whole = stripped.stat().st_size
            tables = sum(
                int(size, 16)
                for size in re.findall(
                    r" \.eh_frame(?:_hdr)? +PROGBITS +\w+ \w+ (\w+)",
                    run("readelf", "-SW", str(stripped)),
                )
            )
        size = whole - tables
        limit = SIZE_LIMIT + SIZE_OF_AN_OPERATOR * (len(later_operators()) - OPERATORS)
        print("\nstripped: {} bytes of at most {}".format(size, limit), end=", ")
        print("and {} of unwind tables".format(tables))
        self.assertLessEqual(size, limit)
        # As much as backtraces cost: Linking.md.
        self.assertGreater(tables, 0)
        self.assertLessEqual(tables, whole * 26 // 100)

    def test_what_is_said_to_be_hot_is_there(self):
        """A function by another name is kept short, and events that pass it pay for that."""
        text = (ROOT / "cmake" / "hot_functions.txt").read_text(encoding="utf-8")
        listed = {line.split()[0] for line in text.splitlines() if not line.startswith("#")}
        # A release's engine has an underscore before the dollar sign: some assemblers want it.
        there = {line.split()[-1].replace("_$", "$") for line in run("nm", LIBRARY).splitlines()}
        gone = sorted(listed - there)
        self.assertGreater(len(listed), 100)
        self.assertEqual(gone, [], "benchmarks/run --hot lists them anew")

    def test_has_no_strings_of_swift(self):
        """One text that is no literal brings in 8 KB."""
        self.assertNotIn("_StringGuts", run("nm", LIBRARY))

    def test_needs_libc_alone(self):
        for name in dynamic("NEEDED"):
            self.assertRegex(name, "^" + ALLOWED.pattern + "$")

    def test_loads_on_old_systems(self):
        late = []
        for line in run("readelf", "-W", "--dyn-syms", LIBRARY).splitlines():
            version = re.search(r"(\S+)@GLIBC_(\d+)\.(\d+)", line)
            if version and tuple(map(int, version.groups()[1:])) > NEWEST_GLIBC:
                late.append(version.group(0))
        self.assertEqual(late, [])

    @unittest.skipUnless(platform.machine() == "x86_64", "counts ud2")
    def test_traps(self):
        code = run("objdump", "-d", "--no-show-raw-insn", LIBRARY)
        traps = len(re.findall(r"\sud2\b", code))
        ceiling_file = ROOT / "Tests" / "abi" / "traps.txt"
        ceiling = int(ceiling_file.read_text(encoding="utf-8").split()[0])
        print("\ntrap instructions: {} of at most {}".format(traps, ceiling))
        self.assertLessEqual(
            traps, ceiling, "new traps: is caller data checked before it is used?"
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
