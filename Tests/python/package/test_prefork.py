"""A server that forks its workers after the library has had threads."""

import concurrent.futures
import socket
import subprocess
import sys

SERVER = """
import os, signal, socket, sys
import librac as rac

listening = socket.create_server(("127.0.0.1", 0))
rac.interval(0.001).deliver_on(rac.Scheduler.background()).take(5).wait(timeout=10)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        try:
            while True:
                connection, _ = listening.accept()
                with connection:
                    n = int(connection.recv(100))
                    squares = rac.from_(range(n)).map(lambda k: k * k)
                    answer = squares.deliver_on(rac.Scheduler.background()).sum().wait(timeout=10)
                    connection.sendall(str(answer).encode())
        finally:
            os._exit(1)
    children.append(child)
print(listening.getsockname()[1], flush=True)
sys.stdin.read()
for child in children:
    os.kill(child, signal.SIGTERM)
for child in children:
    os.waitpid(child, 0)
"""


def test_a_prefork_server_under_load():
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(server.stdout.readline())

        def ask(n):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                connection.sendall(str(n).encode())
                return int(connection.recv(100))

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(ask, [n % 20 for n in range(60)]))
        assert answers == [sum(k * k for k in range(n % 20)) for n in range(60)]
    finally:
        server.stdin.close()
        assert server.wait(timeout=20) == 0
        server.stdout.close()
