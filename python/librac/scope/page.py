"""A live page on localhost: the page itself, and a stream of what changed (server-sent events).

Drawing is done here, once for all who look; the browser only puts it in its place. Its messages
are bounded, however much the program does: the last columns, the boxes that matter, the busiest.
"""

from __future__ import annotations

import json
import os
import threading
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .following import Follower

_BEAT = 10.0  # seconds after which a comment shows that the connection is there


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        # A name of another site that leads here is not ours to answer.
        host = self.headers.get("Host", "").rsplit(":", 1)[0]
        if host not in ("127.0.0.1", "localhost"):
            self.send_error(403)
        elif url.path == "/":
            self._send_page()
        elif url.path == "/events":
            words = urllib.parse.parse_qs(url.query).get("only", [""])[0]
            self._send_events(words[:200])
        else:
            self.send_error(404)

    def _send_page(self) -> None:
        with open(os.path.join(os.path.dirname(__file__), "page.html"), "rb") as file:
            content = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def _send_events(self, words: str) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        follower = self.server.follower
        seen, shown = -1, dict[str, str]()
        try:
            while not follower.is_over:
                found = follower.next(seen, words, _BEAT)
                if found is None:
                    self.wfile.write(b": still here\n\n")
                    continue
                seen, parts = found
                changed = {n: part for n, part in parts.items() if shown.get(n) != part}
                shown = parts
                self.wfile.write(f"data: {json.dumps(changed)}\n\n".encode())
            self.wfile.write(b"event: over\ndata: 1\n\n")
        except (BrokenPipeError, ConnectionResetError):
            pass

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, follower: Follower, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.follower = follower

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"


def serve(
    path: str, port: int, is_enough: Callable[[], bool], tell: Callable[[str], object]
) -> None:
    """Serves until `is_enough` says so, or ctrl-C."""
    follower = Follower(path)
    server = Server(follower, port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tell(server.address)
    try:
        follower.run(is_enough)
    finally:
        follower.close()
        server.shutdown()
        server.server_close()
