"""How the size of librac.so is measured, and what is said to be hot."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from race import aims, hot, size  # noqa: E402
from race.figures import Figures  # noqa: E402
from race.parts import Part  # noqa: E402

ASSEMBLY = """\
\t.section\t.text.f,"ax",@progbits
f:
\tret
\t.size\tf, 1
\t.data
\t.p2align\t3
a:
\t.quad\tf
\t.size\ta, 8
b:
\t.quad\ta
\t.size\tb, 8
\t.section\t.rodata.cst8,"aM",@progbits,8
\t.quad\t1
"""

SYMBOLS = """\
0000000000001000 0000000000000010 t f
0000000000001000 0000000000000010 T alias
0000000000002000 0000000000000008 d a
0000000000002010 0000000000000010 d b
0000000000003000 0000000000000100 b zeros
0000000000003100 T unsized
"""
RELOCATIONS = """\
0000000000002000  0000000000000008 R_X86_64_RELATIVE                         1000
0000000000002008  0000000000000008 R_X86_64_RELATIVE                         1000
0000000000002010  0000000000000008 R_X86_64_RELATIVE                         1000
0000000000002018  0000000000000008 R_X86_64_RELATIVE                         1000
"""

CALLS = """\
fn=(1) send
3 5
+1 2
cfn=(2) take'2
calls=1 7
+2 90
-1 1
fn=(2)
* 40
fn=(1)
9 1
"""


class SizeTest(unittest.TestCase):
    def test_each_datum_has_a_section(self):
        lines = [line.strip() for line in size.split(ASSEMBLY.splitlines(True))]
        self.assertEqual(
            [line for line in lines if line.startswith(".section")],
            [
                '.section\t.text.f,"ax",@progbits',
                '.section\t.data.1,"aw",@progbits',
                '.section\t.data.2,"aw",@progbits',
                '.section\t.data.3,"aw",@progbits',
                '.section\t.rodata.cst8,"aM",@progbits,8',
            ],
        )
        self.assertLess(lines.index("b:"), lines.index('.section\t.data.3,"aw",@progbits'))
        self.assertGreater(lines.index("b:"), lines.index('.section\t.data.2,"aw",@progbits'))
        self.assertNotIn(".data", lines)

    def test_what_a_command_is_of_ninja(self):
        compiling = size.replaced("cd /b && cc -c a -o b", {"-c": "-S"})
        self.assertEqual(compiling, ["cc", "-S", "a", "-o", "b"])
        removing = size.replaced("cd /b && rm -f b && cc -c a -o b", {"-c": "-S"})
        self.assertEqual(removing, ["cc", "-S", "a", "-o", "b"])
        linking = size.replaced(": && cc -o a && :", {"a": "x y"})
        self.assertEqual(linking, ["cc", "-o", "x y"])

    def test_what_addresses_in_a_table_take_is_the_tables(self):
        """An address between two of them is nobody's."""
        self.assertEqual(
            size.parts(SYMBOLS, RELOCATIONS), {"f": 0x10, "a": 8 + 24, "b": 0x10 + 2 * 24}
        )

    def test_what_several_need_is_divided(self):
        needed = {"share": {"all": 300, "a": 50}, "replay": {"all": 300}, "race": {"b": 9}}
        alone = {"share": 400, "replay": 320, "race": 20}
        self.assertEqual(
            size.divided(alone, needed), {"share": 250, "replay": 170, "race": 20}
        )

    def test_aims(self):
        found = {"whole": 700, "engine": 614401, "operators": {"a": 1000, "b": 4000}}
        checked = aims.check(Figures({"size": Part(found, 0.5, 1.0, [])}))
        reached = {one.aim.key: one.reached for each in checked.values() for one in each}
        self.assertIs(reached["size engine"], False)
        self.assertIs(reached["size operator"], True)
        self.assertIs(reached["size dearest"], False)


class HotTest(unittest.TestCase):
    def test_what_is_called_counts_for_itself(self):
        self.assertEqual(hot.self_costs(CALLS), {"send": 9, "take": 40})


if __name__ == "__main__":
    unittest.main()
