"""Every marble diagram of Reactive is what the engine sends: it has the lines of one in rac.h,
which docs.diagrams plays, or is played itself."""

import unittest

import played
from same_diagrams import are_some_of, differences, lines
from swift_diagrams import DRAWN_AS, declared, own

# They hear of the system.
OF_THE_SYSTEM = ("Descriptors", "FileChanges", "Spawn", "Tail", "WallClock")


class SwiftDiagramsTest(unittest.TestCase):
    def test_every_diagram_is_of_a_run(self):
        texts, count = played.texts(), 0
        for each in declared():
            if each.path.split("/")[-1][: -len(".swift")] in OF_THE_SYSTEM:
                continue
            if set(each.functions) & played.OF_THE_SYSTEM:
                continue
            with self.subTest(path=each.path, label=each.label):
                count += 1
                known = ["rac_signal_" + DRAWN_AS.get(each.label, "")] + each.functions
                drawn = [text for name in known for text in texts.get(name, [])]
                few = lines(each.text)
                if not any(are_some_of(few, lines(text)) for text in drawn):
                    make = own(each)
                    self.assertIsNotNone(make, "not a diagram of rac.h:\n" + each.text)
                    self.assertEqual(differences(each.text, make), [], each.text)
        self.assertGreater(count, 120)

    def test_lines_are_compared(self):
        take = lines("source --1--2--3--|\ntake 2 --1--(2|)")
        self.assertTrue(are_some_of(lines("source     --1--2--3--|\nprefix(2)  --1--(2|)"), take))
        self.assertFalse(are_some_of(lines("source     --1--2--3--|\nprefix(2)  --1--2|"), take))
        self.assertFalse(are_some_of(lines("prefix(2)  --1--(2|)\nsource     --1--2--3--|"), take))


if __name__ == "__main__":
    unittest.main()
