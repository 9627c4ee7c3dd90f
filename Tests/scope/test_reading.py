"""Files are read as docs/Recording.md has them, whole and while they grow."""

import os
import pathlib
import random
import struct
import subprocess
import sys
import unittest
from unittest import mock

import programs
import scope
from case import Case
from writer import HOST_VALUE, NOTE, PROPERTY_BEGINS, PROPERTY_SET, TAKEN, Writer

reader, fileformat, places = map(scope.part, ["reader", "fileformat", "places"])


class ReadingTest(Case):
    def test_subscriptions_subjects_and_the_process(self):
        recording = self.read(programs.price())
        self.assertEqual((recording.title, recording.command), ("shop", ["./shop", "-v"]))
        self.assertEqual(recording.state, "exited")
        label, net, price, gross, again = recording.subscriptions.values()
        self.assertEqual(
            [label.title, net.title, price.title],
            ["label (combineLatest)", "net (map)", "price (createSignal)"],
        )
        self.assertEqual([each.id for each in recording.below(price)], [net.id, label.id])
        self.assertEqual((price.how, price.values, price.end), ("completed", 1, 200_000))
        self.assertEqual(price.identity, again.identity)
        self.assertEqual(label.place, "faults.c:24 labels()")
        clicks = self.read(programs.clicks())
        self.assertEqual(clicks.subjects[1].name, "clicks")
        self.assertEqual(clicks.subscriptions[3].source, 1)

    def test_counters_those_of_one_source_together(self):
        w = Writer()
        lag = w.counter("redis orders: lag", 12)
        w.counter("redis orders: doubles", 0)
        w.counter("redis carts: lag", -(2**63))
        w.counter("errors", 1_234)
        gone = w.counter("gone", 7)
        w.gone(gone)
        recording = self.read(w)
        self.assertEqual(recording.counters[lag.id].value, 12)
        self.assertEqual(
            scope.part("text").counters(recording),
            [
                "errors 1,234, gone 7",
                "redis carts: lag -9,223,372,036,854,775,808",
                "redis orders: lag 12, doubles 0",
            ],
        )
        self.assertEqual(scope.part("text").counters(recording, 20, "orders"), [
            "redis orders: lag",
            "  12, doubles 0",
        ])  # fmt: skip
        lag.values = 13
        self.assertEqual(self.read(w).counters[lag.id].value, 13)
        # A counter that is gone is not shown beside one of the same name that goes on.
        w.gone(w.counter("errors", 1))
        w.gone(w.counter("gone", 8))
        lines = scope.part("text").counters(self.read(w))
        self.assertEqual(lines[0], "errors 1,234, gone 8")

    def test_values_of_each_kind(self):
        w = Writer()
        subject = w.subject("s")
        sent = [None, True, -5, 2.5, "", "a", "twelve bytes", "x" * 84, "y" * 85, "ä" * 50]
        for value in sent:
            w.value(subject, value, kind=HOST_VALUE)
        sends = self.read(w).sends
        whole = [send.value for send in sends if send.is_whole]
        self.assertEqual(whole, sent[:8])
        self.assertIs(whole[1], True)
        self.assertEqual(sends[8].value, "y" * 84)
        self.assertEqual(sends[8].text, "y" * 84 + "…")
        self.assertEqual(sends[9].text, "ä" * 42 + "…")
        self.assertEqual([send.text for send in sends[:5]], ["nil", "true", "-5", "2.5", ""])

    def test_what_the_program_set_and_what_followed(self):
        w = Writer()
        side, area, copy, bound = [w.node(3, name=name) for name in ("side", "area", "copy", "bound")]
        w.node(7, below=area.id, source=side.id)
        link = w.subscription("property", source=side, target=bound.id)
        w.value(side.id, 1, kind=PROPERTY_BEGINS)
        w.value(side.id, 2, kind=PROPERTY_SET)
        w.value(area.id, 4, kind=PROPERTY_SET)
        w.value(bound.id, 2, kind=PROPERTY_SET, cause=link)
        w.value(copy.id, 2, kind=PROPERTY_SET, cause=side)
        w.value(side.id, 3, kind=PROPERTY_SET, cause=side)
        recording = self.read(w)
        self.assertEqual(recording.subjects[side.id].initial, 1)
        self.assertEqual(
            [(send.node, send.value, send.cause) for send in recording.sends],
            [(side.id, 2, 0), (side.id, 3, side.id)],
        )
        texts = [(event.subscription, event.text) for event in recording.changes]
        self.assertEqual(len(texts), 6)

    def test_objects_of_python_are_those_that_their_repr_makes(self):
        w = Writer()
        subject = w.subject("s")
        for text in "'rac'", "(1, 'a')", "<list>", repr("x" * 80) + "…", "[" * 84:
            w.string(HOST_VALUE, subject, text.encode(), type=7)
        sends = self.read(w).sends
        self.assertEqual([s.value for s in sends if s.is_whole], ["rac", (1, "a")])
        self.assertEqual([s.text for s in sends[:3]], ["'rac'", "(1, 'a')", "<list>"])

    def test_what_comes_is_read_once(self):
        w = Writer()
        step = w.subscription("map")
        w.value(step, 1)
        r = reader.Reader(self.path(w))
        self.addCleanup(r.close)
        self.assertTrue(r.refresh())
        self.assertFalse(r.refresh())
        w.value(step, 2)
        w.end(step)
        w.string(NOTE, 0, b"a note of more than twelve bytes")
        self.path(w)
        self.assertTrue(r.refresh())
        kinds = [event.kind for event in r.recording.events]
        self.assertEqual(kinds, ["subscribe", "next", "next", "completed"])
        self.assertEqual(r.recording.notes[0].text, "a note of more than twelve bytes")
        self.assertEqual(r.recording.subscriptions[step.id].how, "completed")

    def test_a_ring_that_went_round(self):
        w = Writer(events=16)
        step = w.subscription("map")
        for number in range(40):
            w.advance(1)
            w.value(step, number)
        recording = self.read(w)
        self.assertEqual(
            [event.text for event in recording.events], [str(n) for n in range(24, 40)]
        )
        self.assertEqual(recording.missed, 41 - 16)
        self.assertEqual(recording.subscriptions[step.id].values, 40)

    def test_a_ring_that_is_written_over_while_it_is_read(self):
        w = Writer(events=16)
        step = w.subscription("map")
        for number in range(16):
            w.value(step, number)
        path = self.path(w)
        file = fileformat.File(path)
        self.addCleanup(file.close)
        file.read_header()
        read, rings = file.read, []

        def late(size, offset):
            data = read(size, offset)
            if size == fileformat.RING.size:
                rings.append(offset)
                if len(rings) == 2:  # `written` is read again: four more are there
                    data = struct.pack("=Q", 17 + 4) + data[8:]
            return data

        file.read = late
        found = file.read_events()
        # Number 5, counted from 0, is where the writer is.
        self.assertEqual([raw.bits for raw in found], list(range(5, 16)))

    def test_events_of_threads_are_in_the_order_of_time(self):
        w = Writer()
        step = w.subscription("map")
        for number in range(9):
            w.advance(1)
            w.value(step, number, thread=1 + number % 3)
        recording = self.read(w)
        texts = [event.text for event in recording.events if event.kind == "next"]
        self.assertEqual(texts, [str(number) for number in range(9)])
        self.assertEqual({event.thread for event in recording.events}, {1, 2, 3})

    def test_a_ring_that_a_second_thread_took(self):
        w = Writer()
        step = w.subscription("map")
        w.value(step, 1)
        w.event(TAKEN, extra=55, bits=int.from_bytes(b"second\0\0", sys.byteorder))
        w.value(step, 2)
        recording = self.read(w)
        self.assertEqual([event.thread for event in recording.events][-1], 55)
        self.assertEqual(recording.threads[55], "second")

    def test_a_slot_that_was_used_again(self):
        w = Writer()
        below = w.subscription("flattenMap", "search")
        inner = w.subscription("map", at="s.c:4 ask()", below=below)
        w.value(inner, 1)
        w.end(inner)
        w.gone(inner)
        # The next node has the slot of the inner one.
        inner.id, inner.flags, inner.values = 7, 0, 0
        recording = self.read(w)
        kept = recording.subscriptions[2]
        self.assertEqual(
            (kept.operator, kept.place, kept.below), ("map", "s.c:4 ask()", below.id)
        )
        self.assertEqual((kept.values, kept.how), (1, "completed"))

    def test_flags_tell_the_end_without_events(self):
        w = Writer()
        ids = [w.subscription("map", flags=flag).id for flag in (0, 1, 2, 4)]
        w.rings.clear()
        recording = self.read(w)
        self.assertFalse(recording.has_events)
        hows = [recording.subscriptions[id].how for id in ids]
        self.assertEqual(hows, ["", "completed", "error", "disposed"])

    def test_a_program_that_was_killed_is_told_from_one_that_runs(self):
        self.assertEqual(self.read(Writer()).state, "killed")
        self.assertEqual(self.read(Writer(pid=os.getpid())).state, "running")

    def test_what_is_no_recording_is_refused_in_a_sentence(self):
        data = bytearray(programs.good().pack())
        for change, words in (
            ((0, b"x"), "no recording"),
            ((8, b"\x02"), "version 2"),
            (
                (
                    12,
                    b"\x04\x03\x02\x01"[::-1] if sys.byteorder == "big" else b"\x01\x02\x03\x04",
                ),
                "byte order",
            ),
        ):
            with self.subTest(words):
                at, new = change
                bad = bytearray(data)
                bad[at : at + len(new)] = new
                path = self.folder / "bad.rac"
                path.write_bytes(bad)
                with self.assertRaisesRegex(fileformat.NotARecording, words):
                    reader.read(str(path))
        path.write_bytes(b"")
        with self.assertRaisesRegex(fileformat.NotARecording, "no recording|has not begun"):
            reader.read(str(path))

    def test_a_file_that_was_cut_is_read_as_far_as_it_goes(self):
        data = programs.orders().pack()
        path = self.folder / "cut.rac"
        for size in range(176, len(data), 997):
            path.write_bytes(data[:size])
            reader.read(str(path))

    def test_whatever_the_bytes_are_it_is_read_or_refused(self):
        package, seed = scope.load(), random.randrange(1 << 32)
        r, path = random.Random(seed), self.folder / "bad.rac"
        for _ in range(100):
            data = bytearray(r.choice(list(programs.FAULTS.values()))().pack())
            used = [at for at, byte in enumerate(data) if byte]
            for _ in range(r.randint(1, 12)):
                data[r.choice(used)] = r.randrange(256)
            path.write_bytes(data)
            with self.subTest(seed=seed):
                try:
                    package.read(str(path)).text()
                except fileformat.NotARecording:
                    pass


class PlacesTest(Case):
    def test_a_text_of_the_host_is_a_place(self):
        w = Writer()
        w.subscription("map", at="shop.py:3 main")
        self.assertEqual(self.read(w).subscriptions[1].place, "shop.py:3 main")

    def test_an_address_becomes_file_line_and_function(self):
        if not (places.shutil.which("cc") and places.shutil.which("addr2line")):
            self.skipTest("needs cc and addr2line")
        source, program = self.folder / "p.c", self.folder / "p"
        source.write_text(
            "int f(int x) {\n  return x + 1;\n}\nint main(void) { return f(-1); }\n"
        )
        subprocess.run(["cc", "-g", "-O0", "-o", program, source], check=True)
        done = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
        symbols = done.stdout
        address = next(
            int(row.split()[0], 16) for row in symbols.splitlines() if row.endswith(" T f")
        )
        base = 0x5000_0000_0000
        w = Writer()
        w.module(base, base + 0x100000, base, str(program))
        w.module(base + 0x200000, base + 0x300000, base + 0x200000, str(self.folder / "gone.so"))
        for at in (base + address + 9, base + 0x200000 + 0x1234, 0x77):
            node = w.subscription("map")
            node.place = w.place("map", addresses=[at])
        one, two, three = self.read(w).subscriptions.values()
        self.assertRegex(one.place, r"^p\.c:[12] f\(\)$")
        self.assertEqual(two.place, "gone.so+0x1233")
        self.assertEqual(three.place, "0x77")

    def test_without_a_tool_it_is_module_and_offset(self):
        w = Writer()
        w.module(0x1000, 0x2000, 0x1000, sys.executable)
        w.subscription("map").place = w.place("map", addresses=[0x1801])
        with mock.patch.object(places.shutil, "which", return_value=None):
            recording = self.read(w)
        name = pathlib.Path(sys.executable).name
        self.assertEqual(recording.subscriptions[1].place, f"{name}+0x800")


if __name__ == "__main__":
    unittest.main()
