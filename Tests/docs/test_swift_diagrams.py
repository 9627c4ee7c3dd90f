"""Every marble diagram of Reactive is what the engine sends: it has the lines of one in rac.h,
which docs.diagrams plays, or is played itself."""

import unittest

import played
from diagrams import read
from staged import Stage, rac
from swift_diagrams import DRAWN_AS, declared, own

# They hear of the system.
OF_THE_SYSTEM = ("Descriptors", "FileChanges", "Spawn", "Tail", "WallClock")


def lines(text):
    """Without their labels. A tuple is an array in Swift, and has its value first."""
    by_label, _ = read(text)
    return [
        (line.begin, [(at, kind, sorted(text.strip("()[]"))) for at, kind, text in line.events])
        for line in by_label.values()
    ]


def are_some_of(few, all):
    """In their order; one alone shows too little."""
    rest = iter(all)
    return few == all or len(few) > 1 and not [line for line in few if line not in rest]


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
                    self.assertEqual(played_differences(each.text, make), [], each.text)
        self.assertGreater(count, 120)

    def test_lines_are_compared(self):
        take = lines("source --1--2--3--|\ntake 2 --1--(2|)")
        self.assertTrue(are_some_of(lines("source     --1--2--3--|\nprefix(2)  --1--(2|)"), take))
        self.assertFalse(are_some_of(lines("source     --1--2--3--|\nprefix(2)  --1--2|"), take))
        self.assertFalse(are_some_of(lines("prefix(2)  --1--(2|)\nsource     --1--2--3--|"), take))


def played_differences(text, make):
    stage = Stage("", text)
    stage.play(stage.made(make(stage)))
    stage.release()
    live = rac.rac_live_objects()
    return stage.differences() + (["{} objects live on".format(live)] if live else [])


if __name__ == "__main__":
    unittest.main()
