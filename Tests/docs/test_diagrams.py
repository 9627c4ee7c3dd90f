"""Every marble diagram of rac.h is what the engine sends: each is played on
virtual time with the inputs as they are drawn, and compared."""

import unittest

import played
from diagrams import Wrong, diagrams, read
from sequenced import Values
from staged import Stage, rac, racffi


def differences(stage, make):
    del racffi.Contexts.escaped[:]
    stage.play(stage.made(make(stage)))
    stage.release()
    live = rac.rac_live_objects()
    leaked = ["{} objects live on".format(live)] if live else []
    return stage.differences() + racffi.Contexts.escaped + leaked


class DiagramsTest(unittest.TestCase):
    maxDiff = None

    def test_every_diagram_is_played(self):
        drawn = played.texts()
        self.assertGreater(sum(map(len, drawn.values())), 150)
        for name, texts in drawn.items():
            make = played.maker(name)
            kind = Values if name.startswith("rac_sequence_") else Stage
            for text in texts:
                with self.subTest(function=name):
                    found = differences(kind(name, text), make)
                    if found:
                        self.fail("\n".join(["", text, "", *found]))
        named = {
            each
            for each in played.PLAYED
            if "rac_signal_" + each not in drawn and each not in drawn
        }
        self.assertEqual(named, set())

    def test_what_makes_signals_is_drawn(self):
        makers = [
            name
            for name, each in racffi.FUNCTIONS.items()
            if name.startswith("rac_signal_") and each["returns"].get("handle") == "signal"
        ]
        self.assertGreater(len(makers), 80)
        bare = [name for name in makers if not list(diagrams(racffi.FUNCTIONS[name]["doc"]))]
        self.assertEqual(bare, [])

    def test_a_wrong_diagram_is_found(self):
        for heard, subscribed in (("--1-|", "--1--2|"), ("--1-(2|)", "  --1--2|")):
            text = "source " + subscribed + "\ntake 2 " + heard
            said = differences(Stage("rac_signal_take", text), played.by_label)
            self.assertEqual(len(said), 2 if subscribed[0] == " " else 1, said)

    def test_what_is_no_diagram_is_refused(self):
        for text in ("a -(1(2))", "a -(1", "a -1)", "a (1-)", "a", "a -1\na -2"):
            with self.subTest(text=text), self.assertRaises(Wrong):
                read(text)


if __name__ == "__main__":
    unittest.main()
