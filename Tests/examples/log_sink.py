"""The sink of test_log_shipper, a process that may be killed: stores batches in a file and
answers each with its number.

    log_sink.py HOST PORT STORE [--slow SECONDS] [--limit BYTES] [--dies BATCHES]

The store has the batches as they came. One that is not whole is cut off at the start. Beyond
the limit the disk is full; after so many batches the process kills itself, before the answer.
"""

import argparse
import os
import resource
import signal
import socket
import time


def batches(text):
    """What is behind each whole batch of the text, its session and number, its lines."""
    lines = text.split(b"\n")
    place, end = 0, 0
    while place + 1 < len(lines):
        _, session, number, count = lines[place].split()
        batch = lines[place + 1 : place + 1 + int(count)]
        end += len(lines[place]) + 1 + sum(map(len, batch)) + len(batch)
        place += 1 + len(batch)
        # Behind the last feed is no line.
        if place >= len(lines):
            return
        yield end, (session, number), batch


class Store:
    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_CREAT)
        self.end, self.last = 0, None
        with open(path, "rb") as file:
            for self.end, self.last, _ in batches(file.read()):
                pass
        self.cut()

    def cut(self):
        os.ftruncate(self.file, self.end)
        os.lseek(self.file, self.end, os.SEEK_SET)

    def add(self, header, lines):
        _, session, number, _ = header.split()
        if (session, number) == self.last:
            return
        text = header + b"".join(lines)
        try:
            left = text
            while left:
                left = left[os.write(self.file, left) :]
        except OSError:
            self.cut()
            raise
        self.end += len(text)
        self.last = (session, number)


def serve(connection, store, arguments):
    source = connection.makefile("rb", buffering=65536)
    while True:
        header = source.readline()
        if not header.endswith(b"\n"):
            return
        lines = [source.readline() for _ in range(int(header.split()[3]))]
        if lines[-1][-1:] != b"\n":
            return
        time.sleep(arguments.slow)
        store.add(header, lines)
        arguments.dies -= 1
        if arguments.dies == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        connection.sendall(header.split()[2] + b"\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("store")
    parser.add_argument("--slow", type=float, default=0)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--dies", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.limit is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (arguments.limit, arguments.limit))
    store = Store(arguments.store)
    server = socket.create_server((arguments.host, arguments.port))
    while True:
        connection, _ = server.accept()
        try:
            with connection:
                serve(connection, store, arguments)
        except OSError as error:
            # It is told by the end of the connection.
            print("log_sink:", error, flush=True)


if __name__ == "__main__":
    main()
