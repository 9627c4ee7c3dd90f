"""Graph, marbles and exports of recordings."""

import itertools
import random
import sys
import unittest
import xml.dom.minidom

import programs
import scope
from case import Case
from writer import HOST_VALUE, PROPERTY_BEGINS, PROPERTY_SET, Writer

find = scope.load().find
graph, graph_svg, marbles, marbles_svg, text, dot, layout, perfetto = map(
    scope.part,
    ["graph", "graph_svg", "marbles", "marbles_svg", "text", "dot", "layout", "perfetto"],
)


def volume_that_nobody_hears():
    w = Writer()
    volume = w.node(3, name="volume", values=2)
    w.value(volume.id, 3, kind=PROPERTY_BEGINS)
    for level in 4, 5:
        w.advance(1)
        w.value(volume.id, level, kind=PROPERTY_SET)
    return w


class GraphTest(Case):
    def build(self, writer, **options):
        recording = self.read(writer)
        return graph.build(recording, find(recording), **options)

    def arrows(self, built):
        names = {key: box.title for key, box in built.boxes.items()}
        return sorted((names[a.source], names[a.target], a.values) for a in built.arrows)

    def test_arrows_go_from_what_sends_to_what_listens(self):
        self.assertEqual(
            self.arrows(self.build(programs.price())),
            [
                ("gross (map)", "label (combineLatest)", 1),
                ("label (combineLatest)", "faults.c:24 labels()", 1),
                ("net (map)", "label (combineLatest)", 1),
                ("price (createSignal)", "gross (map)", 1),
                ("price (createSignal)", "net (map)", 1),
            ],
        )

    def test_a_subject_is_one_box_for_all_its_subscribers(self):
        w = Writer()
        subject = w.subject("keys")
        for name in "ab":
            step = w.subscription("map", name)
            w.subscription("subject", "keys", below=step, source=subject)
        built = self.build(w)
        self.assertEqual(
            self.arrows(built)[-2:],
            [("keys (subject)", "a (map)", 0), ("keys (subject)", "b (map)", 0)],
        )

    def test_a_property_that_nobody_listens_to(self):
        built = self.build(volume_that_nobody_hears())
        self.assertEqual(
            [(box.title, box.lines) for box in built.boxes.values()],
            [("volume (property)", ["2 changes, alive"])],
        )

    def test_a_binding_and_a_derived_property(self):
        w = Writer()
        side, area = w.node(3, name="side"), w.node(3, name="area")
        w.node(7, below=area.id, source=side.id)
        w.subscription("map", "input", target=side.id)
        built = self.build(w)
        self.assertEqual(
            self.arrows(built),
            [("input (map)", "side (property)", 0), ("side (property)", "area (property)", 0)],
        )

    def test_a_million_inner_signals_are_one_box(self):
        w = Writer(events=64)
        outer = w.subscription("flattenMap", "search")
        for _ in range(500):
            inner = w.subscription("map", at="s.c:3 ask()", below=outer)
            w.value(inner, 1)
            w.end(inner)
        built = self.build(w)
        box = next(box for box in built.boxes.values() if box.title == "map")
        self.assertEqual((box.number, box.lines[0]), ("×500", "500 values, 0 alive, 500 over"))

    def test_findings_mark_their_boxes(self):
        built = self.build(programs.orders())
        marked = [box.title for box in built.boxes.values() if box.marks]
        self.assertEqual(marked, ["to clerk (deliverOn)"])

    def test_words_choose_parts(self):
        w = programs.price()
        w.subscription("map", "other")
        titles = [box.title for box in self.build(w, words="OTHER").boxes.values()]
        self.assertEqual(titles, ["other (map)", "the program"])

    def test_a_large_graph_keeps_what_matters(self):
        w = Writer(events=4096)
        for number in range(300):
            w.end(w.subscription("map", f"old {number}"))
        w.subscription("map", "bad", slow=190_000)
        built = self.build(w)
        self.assertLessEqual(len(built.boxes), graph.MOST_BOXES)
        self.assertEqual(len(built.boxes) + built.left_out, 602)
        self.assertIn("bad (map)", [box.title for box in built.boxes.values()])

    def test_pictures_are_well_formed_and_hostile_names_do_no_harm(self):
        w = Writer()
        w.subscription("map", '<script>"&\x00\x1b[31m' + "é" * 300, 'a"b.c:1 <f>()', slow=190_000)
        w.value(w.nodes[0], "</text><script>\x07&\"'")
        for writer in [w, Writer(), *(make() for make in programs.FAULTS.values())]:
            recording = self.read(writer)
            found = find(recording)
            built, arranged = graph.build(recording, found), marbles.arrange(recording, found)
            for svg in graph_svg.draw(built, "a <b>"), marbles_svg.draw(arranged, "a <b>"):
                document = xml.dom.minidom.parseString(svg)
                self.assertFalse(document.getElementsByTagName("script"))
                self.assertTrue(document.getElementsByTagName("title"))
                self.assertNotRegex(svg, "nan|inf[^o]")
            plain = text.marbles(arranged) + text.findings(found) + dot.write(built, "a")
            self.assertNotRegex(plain, "[\x00\x07\x1b]")
            self.assertGreater(len(perfetto.write(recording)), 20)


class LayoutTest(unittest.TestCase):
    def lay_out(self, sizes, ends):
        boxes = [layout.Box(key, *size) for key, size in sizes.items()]
        arrows = [layout.Arrow(*each) for each in ends]
        size = layout.lay_out(boxes, arrows)
        return {box.key: box for box in boxes}, arrows, size

    def test_random_graphs_have_no_box_on_another(self):
        for seed in range(60):
            r = random.Random(seed)
            keys = range(r.randint(1, 25))
            sizes = {key: (r.randint(20, 200), r.randint(20, 80)) for key in keys}
            ends = [
                (r.choice(keys), r.choice(keys), r.randint(0, 90))
                for _ in range(r.randint(0, 35))
            ]
            boxes, arrows, (width, height) = self.lay_out(sizes, ends)
            for one, two in itertools.combinations(boxes.values(), 2):
                apart = (
                    one.x + one.width <= two.x or two.x + two.width <= one.x
                    or one.y + one.height <= two.y + 1e-6 or two.y + two.height <= one.y + 1e-6
                )  # fmt: skip
                self.assertTrue(apart, (seed, one, two))
            for box in boxes.values():
                self.assertGreaterEqual(min(box.x, box.y), -1e-6)
                self.assertLessEqual(box.x + box.width, width + 1e-6)
                self.assertLessEqual(box.y + box.height, height + 1e-6)
            self.assertTrue(all(len(arrow.points) >= 2 for arrow in arrows), seed)

    def test_a_chain_is_a_straight_line_and_leaves_room_for_labels(self):
        boxes, arrows, _ = self.lay_out(
            {"a": (50, 20), "b": (50, 60), "c": (50, 30)}, [("a", "b", 200), ("b", "c", 0)]
        )
        self.assertEqual(len({round(y, 3) for arrow in arrows for _, y in arrow.points}), 1)
        self.assertGreater(boxes["b"].x - boxes["a"].x - 50, 200)

    def test_arrows_that_need_not_cross_do_not(self):
        sizes = dict.fromkeys("abcdef", (40, 20))
        boxes, _, _ = self.lay_out(
            sizes, [("a", "f"), ("b", "e"), ("c", "d"), ("a", "e"), ("b", "d")]
        )
        order = sorted("abc", key=lambda key: boxes[key].y)
        targets = sorted("def", key=lambda key: boxes[key].y)
        self.assertIn((order, targets), [(list("abc"), list("fed")), (list("cba"), list("def"))])


class MarblesTest(Case):
    def arrange(self, writer, **options):
        recording = self.read(writer)
        return marbles.arrange(recording, find(recording), **options)

    def test_a_cascade_is_a_column(self):
        w = Writer()
        subject = w.subject("s")
        steps = [w.subscription("map", name) for name in "ab"]
        above = [w.subscription("subject", below=step, source=subject) for step in steps]
        for number in range(3):
            w.advance(1)
            w.value(subject, number, kind=HOST_VALUE)
            for one, two in zip(above, steps):
                w.value(one, number)
                w.value(two, number * 10, depth=1, cause=one)
        arranged = self.arrange(w)
        columns = [sorted(lane.cells)[-3:] for lane in arranged.lanes]
        self.assertEqual(len(arranged.times), 4)
        self.assertEqual(columns, [[1, 2, 3]] * 4)

    def test_a_link_leads_from_a_value_to_the_signal_that_it_made(self):
        w = Writer()
        outer = w.subscription("flattenMap")
        above = w.subscription("map", below=outer)
        w.value(above, 1)
        w.subscription("interval", below=outer)
        self.assertNotIn('class="link"', marbles_svg.draw(self.arrange(w), "a"))
        w.subscription("delay", below=outer)
        # The cause of its event, which is the last one.
        w.rings[1][-20:-16] = above.id.to_bytes(4, sys.byteorder)
        self.assertEqual(marbles_svg.draw(self.arrange(w), "a").count('class="link"'), 1)

    def test_two_values_of_one_lane_are_two_columns(self):
        w = Writer()
        step = w.subscription("startWith")
        for number in range(5):
            w.value(step, number, depth=1)
        self.assertEqual(len(self.arrange(w).times), 5)

    def test_order_of_lanes_is_that_of_the_chain(self):
        arranged = self.arrange(programs.price())
        names = [(lane.subscription.name, lane.indent) for lane in arranged.lanes]
        self.assertEqual(
            names, [("price", 2), ("net", 1), ("price", 2), ("gross", 1), ("label", 0)]
        )

    def test_only_the_last_columns_and_the_lanes_with_something_in_them(self):
        w = Writer(events=4096)
        w.end(w.subscription("map", "over"))
        step = w.subscription("map", "on")
        w.subscription("map", "silent")
        for number in range(200):
            w.advance(1)
            w.value(step, number)
        arranged = self.arrange(w, columns=20)
        self.assertEqual(len(arranged.times), 20)
        self.assertEqual([lane.subscription.name for lane in arranged.lanes], ["on", "silent"])
        self.assertTrue(all(lane.begins_before for lane in arranged.lanes))
        self.assertEqual(arranged.left_out_columns, 183)

    def test_a_property_that_nobody_listens_to_has_a_lane(self):
        arranged = self.arrange(volume_that_nobody_hears())
        self.assertEqual([lane.subscription.title for lane in arranged.lanes], ["volume (property)"])
        texts = [[event.text for event in cell] for cell in arranged.lanes[0].cells.values()]
        self.assertEqual(texts, [["3"], ["4"], ["5"]])
        self.assertIn("#1 volume (property)", text.marbles(arranged))

    def test_as_text(self):
        said = text.marbles(self.arrange(programs.good()))
        self.assertRegex(said, r"(?m)^   #3 numbers \(subject\) +\^-?0-+1-+2-+3-+4-+\|$")
        self.assertRegex(said, r"(?m)^ #2 tens \(map\) +\^-?0-+10-+20-+30-+40-+\|$")

    def test_text_keeps_its_width(self):
        for width in (60, 80, 120):
            said = text.marbles(self.arrange(programs.orders(), columns=500), width)
            self.assertLessEqual(max(map(len, said.splitlines()[:-1])), width)
            self.assertIn("*", said)


class PerfettoTest(Case):
    """The trace read back by a reader of protobuf of its own."""

    def fields(self, data):
        found, at = [], 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        while at < len(data):
            tag = varint()
            if tag & 7 == 0:
                found.append((tag >> 3, varint()))
            elif tag & 7 == 1:
                found.append((tag >> 3, int.from_bytes(data[at : at + 8], "little")))
                at += 8
            else:
                size = varint()
                found.append((tag >> 3, data[at : at + size]))
                at += size
        return found

    def packets(self, writer):
        trace = self.fields(perfetto.write(self.read(writer)))
        self.assertEqual({field for field, _ in trace}, {1})
        return [dict(self.fields(packet)) for _, packet in trace]

    def test_tracks_slices_instants_and_flows(self):
        packets = self.packets(programs.late())
        tracks = {}
        for packet in packets:
            if 60 in packet:
                track = dict(self.fields(packet[60]))
                tracks[track[1]] = track[2].decode()
        self.assertIn("main scheduler main", tracks.values())
        self.assertIn("#2 slow (map)", tracks.values())
        events = [(p[8], dict(self.fields(p[11]))) for p in packets if 11 in p]
        slices = [(time, e[9], tracks[e[11]]) for time, e in events if e[9] in (1, 2)]
        name = "main scheduler main"
        ms = 1_000_000
        self.assertEqual(
            sorted(slices),
            sorted([(0, 1, name), (150 * ms, 2, name), (150 * ms, 1, name), (151 * ms, 2, name)]),
        )
        flows = [e[47] for _, e in events if 47 in e]
        self.assertEqual(sorted(flows), [1, 1, 2, 2])
        values = [e for _, e in events if e.get(22) == b"next"]
        self.assertEqual(values[0][23], b"1")


if __name__ == "__main__":
    unittest.main()
