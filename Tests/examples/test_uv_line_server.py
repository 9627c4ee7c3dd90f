"""Talks to uv_line_server, and to the one by hand, as several clients at once, and ends
it."""

import signal
import socket
import subprocess
import sys
import threading

from checks import TIMEOUT, Checks, example, with_by_hand

CLIENTS = 8
LINES = 5000


def talk(port, text, answers, number):
    """Asks while it hears, as a client does that has much to ask."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as client:
        asking = threading.Thread(target=ask, args=(client, text))
        asking.start()
        heard = []
        while True:
            chunk = client.recv(65536)
            if not chunk:
                break
            heard.append(chunk)
        asking.join()
    answers[number] = b"".join(heard)


def ask(client, text):
    client.sendall(text)
    client.shutdown(socket.SHUT_WR)


def expected(text):
    lines = text.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
    return b"".join(line[::-1] + b"\n" for line in lines)


def try_server(checks, name):
    process = subprocess.Popen(
        [example(name), "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    port = int(process.stdout.readline().split()[1])

    texts = [
        b"".join(b"client %d, line %d\n" % (client, line) for line in range(LINES))
        for client in range(CLIENTS)
    ]
    texts += [b"", b"\n\n", b"no line feed", b"\xff\0\xfe\nbytes", b"\r\nreturn\r\n"]
    answers = [None] * len(texts)
    threads = [
        threading.Thread(target=talk, args=(port, text, answers, number))
        for number, text in enumerate(texts)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    for number, (text, answer) in enumerate(zip(texts, answers)):
        checks.check(answer == expected(text), "the answers of client %d" % number)

    # One that goes away without listening must not disturb the others.
    rude = socket.create_connection(("127.0.0.1", port), TIMEOUT)
    rude.sendall(b"a question\n" * 1000)
    rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    rude.close()
    late = [None]
    talk(port, b"still there\n", late, 0)
    checks.check(late[0] == b"ereht llits\n", "an answer after somebody has gone")

    # One that asks and asks, and never reads, is hung up.
    greedy = socket.create_connection(("127.0.0.1", port), TIMEOUT)
    try:
        for _ in range(500):
            greedy.sendall((b"x" * 999 + b"\n") * 100)
        checks.check(False, "who does not read is hung up")
    except ConnectionError:
        checks.check(True, "who does not read is hung up")
    greedy.close()

    # A line that is too long ends its client, and that one alone.
    talk(port, b"before\n" + b"x" * 5000, late, 0)
    checks.check(late[0] == b"erofeb\n", "a line that is too long", repr(late[0])[:99])

    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=TIMEOUT)
    checks.check(process.returncode == 0, "a clean end", errors.decode())
    checks.check(output == b"" and errors == b"", "nothing more is said", errors.decode())


def main():
    checks = Checks("uv_line_server")
    for name in with_by_hand("uv_line_server"):
        try_server(checks, name)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
