"""The live page: what its server sends, and what a browser makes of it."""

import http.client
import json
import os
import shutil
import struct
import subprocess
import threading
import time
import unittest

import programs
import scope
from case import Case
from writer import Writer

page, following = scope.part("page"), scope.part("following")


class PageTest(Case):
    def serve(self, writer):
        """The server of a recording that is there, and what ends its reading."""
        follower = following.Follower(self.path(writer))
        server = page.Server(follower)
        self.over = over = threading.Event()
        self.follower = follower
        threads = [
            threading.Thread(target=server.serve_forever),
            threading.Thread(target=follower.run, args=(over.is_set,)),
        ]
        for thread in threads:
            thread.start()

        def end():
            over.set()
            threads[1].join()
            follower.close()
            server.shutdown()
            threads[0].join()
            server.server_close()

        self.addCleanup(end)
        return server

    def get(self, server, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def event(self, response):
        for line in response:
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def test_the_page_and_nothing_else(self):
        server = self.serve(programs.good())
        answer = self.get(server, "/")
        self.assertIn(b"<!DOCTYPE html>", answer.read())
        self.assertEqual(self.get(server, "/../page.py").status, 404)
        self.assertEqual(self.get(server, "/", Host="evil.example").status, 403)

    def test_all_parts_come_first_then_what_changed(self):
        w = programs.price()
        server = self.serve(w)
        events = self.get(server, "/events")
        first = self.event(events)
        self.assertEqual(list(first), list(following.PARTS))
        self.assertIn("subscribed to 2 times", first["findings"])
        self.assertIn("price (createSignal)", first["graph"])
        w.advance(5)
        w.value(w.subscription("map", "new one"), 1)
        self.path(w)
        second = self.event(events)
        self.assertNotIn("findings", second)
        self.assertIn("new one", second["names"])

    def test_words_choose_for_each_who_looks(self):
        w = programs.price()
        w.subscription("map", "other")
        server = self.serve(w)
        found = self.event(self.get(server, "/events?only=other"))
        self.assertNotIn("price", found["graph"] + found["marbles"] + found["busiest"])
        self.assertIn("price", found["findings"])
        self.assertIn("price", self.event(self.get(server, "/events"))["graph"])

    def test_counters_are_shown_as_they_grow(self):
        w = programs.price()
        lag = w.counter("redis <orders>: lag", 12)
        events = self.get(self.serve(w), "/events")
        first = self.event(events)["counters"]
        self.assertIn("redis &lt;orders&gt;</th><td>lag <b>12</b>", first)
        lag.values = 1300
        self.path(w)
        second = self.event(events)
        self.assertEqual(list(second), ["counters"])
        self.assertIn("lag <b>1,300</b>", second["counters"])

    def test_what_is_sent_is_bounded(self):
        w = Writer(events=65536)
        steps = [w.subscription("map", f"signal {n}", f"a.c:{n} main()") for n in range(3000)]
        for number in range(60_000):
            w.now += 1000
            w.value(steps[number % 3000], number)
        found = self.event(self.get(self.serve(w), "/events"))
        self.assertLess(len(json.dumps(found)), 400_000)

    def test_a_program_that_only_counts_records_while_somebody_looks(self):
        w = Writer()
        path = self.path(w)

        def wanted():
            with open(path, "rb") as file:
                return struct.unpack_from("=I", file.read(20), 16)[0]

        with open(path, "r+b") as file:
            os.pwrite(file.fileno(), struct.pack("=I", 0), 16)
        follower = following.Follower(path)
        follower.read_once()
        self.assertEqual(wanted(), 1)
        follower.close()
        self.assertEqual(wanted(), 0)

    def test_a_browser_shows_it(self):
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if not browser:
            self.skipTest("needs chromium")
        server = self.serve(programs.orders())
        # The browser draws what there is when the stream is over: a while after it has begun.
        asked, next = threading.Event(), self.follower.next

        def note(*arguments):
            asked.set()
            return next(*arguments)

        def end():
            asked.wait(100)
            time.sleep(3)
            self.over.set()
            self.follower.close()

        self.follower.next = note
        ending = threading.Thread(target=end)
        ending.start()
        self.addCleanup(ending.join)
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000",
            f"--user-data-dir={self.folder}/profile", "--dump-dom", address,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertIn("10 of 24 values were dropped", done.stdout)
        self.assertRegex(done.stdout, r'<g tabindex="0" role="img" id="n2" aria-label="to clerk')
        self.assertIn("rac-scope has ended", done.stdout)


if __name__ == "__main__":
    unittest.main()
