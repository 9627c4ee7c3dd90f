"""The pictures of docs/Operators.md: they are of the runs of today, small, and each is shown."""

import os
import unittest
import xml.etree.ElementTree as xml

import pictures
from documents import TREE, read
from marble_svg import COLOURS, PLAIN, Box, Event, Lane, draw

PLACE = os.path.join(TREE, "docs", "operators")
SVG = "{http://www.w3.org/2000/svg}"


def lane(text, begin=0, **more):
    """Of single characters, a second each."""
    events = [
        Event(begin + time, sign if sign in "|#" else " ", sign.strip("|#"), "#123456", False)
        for time, sign in enumerate(text)
        if sign != "-"
    ]
    return Lane("a", begin, events, **more)


def shapes(rows, kind):
    drawn = xml.fromstring(draw("name", "words", rows, 9))
    return [each.attrib for each in drawn.iter(SVG + kind)]


def contrast(one, other):
    """As WCAG counts it; letters need 4.5, shapes 3."""

    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lighter, darker = sorted([luminance(one), luminance(other)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


class DrawingTest(unittest.TestCase):
    def test_marbles_stand_apart(self):
        """Those of a second beside each other, those of a moment on top of each other."""
        at = [Event(2, " ", each, None, False) for each in "abc"] + [Event(3, " ", "d", None, False)]
        places = [
            (float(each["cx"]), float(each["cy"]), float(each["r"]))
            for each in shapes([Lane("", 0, at)], "circle")
        ]
        self.assertEqual(len(places), 4)
        for index, (x, y, r) in enumerate(places):
            for x2, y2, r2 in places[:index]:
                self.assertGreater((x - x2) ** 2 + (y - y2) ** 2, (r + r2) ** 2)

    def test_a_long_text_widens_the_seconds(self):
        short, long = lane("-12"), Lane("", 0, [Event(t, " ", "(1,2,3)", None, False) for t in (1, 2)])
        x = [float(each["cx"]) for each in shapes([short], "circle")]
        pills = [each for each in shapes([long], "rect") if each["width"] != "100%"]
        left = [float(each["x"]) for each in pills]
        self.assertGreater(left[1] - left[0], float(pills[0]["width"]))
        self.assertGreater(left[1] - left[0], x[1] - x[0])

    def test_an_end_a_disposal_and_an_inner_signal_are_drawn(self):
        source = lane("--1--|")
        inner = lane("1-#", 2, colour="#123456", spans=[[2, 3]], parent=(source, 2))
        kinds = [each.get("class") for each in shapes([source, Box("flatten", [inner])], "path")]
        self.assertEqual((kinds.count("e"), kinds.count("k")), (1, 1))  # an end, and a disposal
        self.assertIn("x", kinds)
        self.assertIn("d s0", kinds)  # from the value to its signal

    def test_colours_can_be_told_from_their_letters_and_backgrounds(self):
        for colour in COLOURS + [PLAIN]:
            self.assertGreaterEqual(contrast(colour, "#ffffff"), 4.5, colour)
            self.assertGreaterEqual(contrast(colour, "#0d1117"), 3, colour)

    def test_texts_are_escaped(self):
        value = Event(1, " ", "<1>", None, False)
        drawn = draw("a & b", "a < b", [Lane("<", 0, [value]), Box("&", [])], 3)
        texts = {each.text for each in xml.fromstring(drawn).iter(SVG + "text")}
        self.assertEqual(texts, {"<", "<1>", "&"})


class PicturesTest(unittest.TestCase):
    maxDiff = 400

    @classmethod
    def setUpClass(cls):
        cls.made = pictures.pictures()

    def test_those_of_the_manual_are_of_the_runs_of_today(self):
        self.assertGreater(len(self.made), 130)
        there = {name: read(PLACE, name) for name in os.listdir(PLACE)}
        self.assertEqual(sorted(there), sorted(self.made))
        stale = sorted(name for name, text in self.made.items() if there[name] != text)
        self.assertEqual(stale, [], "run scripts/draw-operators")

    def test_they_are_small_and_have_words(self):
        for name, text in self.made.items():
            with self.subTest(name):
                self.assertLess(len(text.encode()), 6 * 1024)
                drawn = xml.fromstring(text)
                self.assertEqual(drawn.get("role"), "img")
                self.assertTrue(drawn.find(SVG + "title").text)
                self.assertIn("Operator", drawn.find(SVG + "desc").text)

    def test_each_is_shown(self):
        page = read("docs", "Operators.md")
        self.assertEqual([name for name in self.made if "(operators/{})".format(name) not in page], [])

    def test_inner_signals_and_disposals_are_those_of_the_run(self):
        score = pictures.Score("rac_signal_switch_map", "source        -1---2--|\nx -> x---x-x| -1---2---2-2|")
        box = next(row for row in score.rows if isinstance(row, pictures.Box))
        self.assertEqual([each.spans for each in box.lanes], [[[1, 5]], [[5, None]]])
        self.assertEqual([each.is_late for each in box.lanes[0].events], [False, True, True, True])


if __name__ == "__main__":
    unittest.main()
