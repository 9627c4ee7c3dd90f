"""Runs fetch_once against a real HTTP server and counts the requests in the
server's own log.
"""

import contextlib
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading

from checks import Checks, example, run

LOADING = "title: Loading…\ndescription: Loading…\nrendered: Loading…\n"
ERRORS = "title: Error\ndescription: Error\nrendered: Error\n"

DOCUMENT = {
    "id": 7,
    "nested": {"title": "a trap", "list": [{"description": "another \"trap\", {["}]},
    "quoted": "\"title\": \"a third one\"",
    "title": "Cold & \"hot\" signals",
    "description": "A *cold* signal works for each subscriber, a *hot* one once. ☕ 😀",
}


def shown(title, description, rendered, alert=None):
    text = "title: %s\ndescription: %s\nrendered: %s\n" % (title, description, rendered)
    return LOADING + text + ("alert: %s\n" % alert if alert else "")


# Name, text of the document, what is printed, exit status.
CASES = [
    (
        "no_title",
        '{"description": "a *b*"}',
        shown("Error", "a *b*", "a <b>b</b>", "no such text in the document: title"),
        1,
    ),
    (
        "no_description",
        '{"title": "t", "more": {"description": "x"}}',
        shown("t", "Error", "Error", "no such text in the document: description"),
        1,
    ),
    (
        "title_is_no_text",
        '{"title": 5, "description": "d"}',
        shown("Error", "d", "d", "no such text in the document: title"),
        1,
    ),
    (
        "unpaired_star",
        '{"title": "t", "description": "a *b"}',
        shown("t", "a *b", "Error", "cannot render: a star is not closed"),
        1,
    ),
    (
        "escapes",
        r' { "t\u0069tle" : "\u00e4\u20AC\ud83d\ude00\/\\", "a" : [[ "]" ], {}], '
        r'"description" : "" } ',
        shown("ä€😀/\\", "", ""),
        0,
    ),
    (
        "half_a_pair",
        r'{"description": "d", "title": "\ud83d"}',
        shown("Error", "d", "d", "no such text in the document: title"),
        1,
    ),
    (
        "cut_off",
        '{"title": "t", "description": "never clo',
        shown("t", "Error", "Error", "no such text in the document: description"),
        1,
    ),
    (
        "no_object",
        '["title"]',
        LOADING + ERRORS + "alert: no such text in the document: title\n",
        1,
    ),
]


class Server:
    """`python3 -m http.server` on a free port, with its log in a file."""

    def __init__(self, folder, log):
        self.log = log
        command = [sys.executable, "-u", "-m", "http.server", "0"]
        with open(str(log), "wb") as errors:
            self.process = subprocess.Popen(
                command + ["--bind", "127.0.0.1"],
                cwd=str(folder),
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        line = self.process.stdout.readline().decode("utf-8")
        self.port = int(re.search(r"port (\d+)", line).group(1))

    def requests(self, path):
        """How many GETs of `path` the log has."""
        return self.log.read_text(encoding="utf-8").count('"GET %s HTTP' % path)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def rude_server():
    """Reads a request and answers something that is not HTTP, once."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)

        def answer():
            client, _ = listener.accept()
            client.recv(4096)
            client.sendall(b"hello?\r\n\r\n")
            client.close()

        thread = threading.Thread(target=answer)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_counts(checks, program, server):
    """The point of the example: six requests cold, one hot."""
    text = DOCUMENT["description"]
    bold = re.sub(r"\*(\w+)\*", r"<b>\1</b>", text)
    expected = shown(DOCUMENT["title"], text, bold)
    hot = "/document.json?hot"
    for arguments, path, right in (
        ([], "/document.json", 6),
        ([hot, "--once"], hot, 1),
    ):
        what = " ".join(["good document"] + arguments)
        result = run([program, server.port] + arguments)
        checks.program(result, 0, expected, what)
        count = server.requests(path)
        checks.check(count == right, "%s: %d requests, not %d" % (what, count, right))


def test_documents(checks, program, server):
    """An error ends the merge, which cancels the requests not yet made: cold,
    there are four to six, and the last may reach the log after the program has
    ended. So each run asks for an address of its own."""
    for name, _, expected, status in CASES:
        for flags, right in ([], [4, 5, 6]), (["--once"], [1]):
            what = " ".join([name] + flags)
            path = "/%s.json?%s" % (name, "once" if flags else "cold")
            result = run([program, server.port, path] + flags)
            checks.program(result, status, expected, what)
            count = server.requests(path)
            checks.check(count in right, "%s: %d requests, not %s" % (what, count, right))


def test_refusals(checks, program, server):
    for flags in [], ["--once"]:
        result = run([program, server.port, "/missing.json"] + flags)
        expected = LOADING + ERRORS + "alert: the server refused: HTTP 404\n"
        checks.program(result, 1, expected, "missing document")

        result = run([program, free_port()] + flags)
        expected = LOADING + ERRORS + "alert: cannot reach the server: Connection refused\n"
        checks.program(result, 1, expected, "server down")

    with rude_server() as port:
        result = run([program, port, "--once"])
    expected = LOADING + ERRORS + "alert: no answer: this is not HTTP\n"
    checks.program(result, 1, expected, "rude server")

    for arguments in [], ["0"], ["65536"], ["80x"], ["80", "no-slash"], ["80", "/a", "/b"]:
        result = run([program] + arguments)
        checks.program(result, 2, "", "arguments %s" % arguments)
        checks.check(b"usage" in result.stderr, "usage for %s" % arguments)


def main():
    program = example("fetch_once")
    checks = Checks("fetch_once")
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder, "site")
        site.mkdir()
        (site / "document.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
        for name, text, _, _ in CASES:
            (site / (name + ".json")).write_text(text, encoding="utf-8")
        (site / "latin1.json").write_bytes(b'{"title": "\xe9", "description": "d"}')
        server = Server(site, pathlib.Path(folder, "server.log"))
        try:
            test_counts(checks, program, server)
            test_documents(checks, program, server)
            test_refusals(checks, program, server)
            # Not UTF-8: the label shows its error, the rest is as it should be.
            result = run([program, server.port, "/latin1.json", "--once"])
            checks.check(result.returncode == 1, "latin1: exit status")
            text = result.stdout.decode("utf-8", "replace")
            checks.check("title: Error\ndescription: d\n" in text, "latin1: labels", text)
        finally:
            server.stop()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
