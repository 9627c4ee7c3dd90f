#!/usr/bin/env python3
"""What librac costs beside the same by hand: ratios, of which both sides are measured in turns.

    pip install . && python benchmarks/python/by_hand.py

The best of many rounds counts, in processor time: a slow moment of the machine falls on neither
side.
"""

import asyncio
import collections
import os
import signal
import socket
import subprocess
import sys
import time

import librac as rac

MANY = 2000


def best(functions, count, rounds):
    """Nanoseconds an event."""
    found = [float("inf")] * len(functions)
    for _ in range(rounds):
        for place, function in enumerate(functions):
            start = time.thread_time()
            function()
            found[place] = min(found[place], time.thread_time() - start)
    return [each / count * 1e9 for each in found]


def hear(value):
    pass


def a_send():
    """A send to one function, and the call of that function."""
    subject = rac.Subject()
    subject.subscribe(hear)
    send, values = subject.send, list(range(1000, 1000 + MANY))

    def by_hand():
        for value in values:
            hear(value)

    def librac():
        for value in values:
            send(value)

    return (by_hand, librac), MANY, 1000


def map_and_filter():
    """Two lambdas and a function, called one after the other."""
    double, is_large = (lambda value: value * 2), (lambda value: value > 5)
    subject = rac.Subject()
    subject.map(lambda value: value * 2).filter(lambda value: value > 5).subscribe(hear)
    send, values = subject.send, list(range(1000, 1000 + MANY))

    def by_hand():
        for value in values:
            doubled = double(value)
            if is_large(doubled):
                hear(doubled)

    def librac():
        for value in values:
            send(value)

    return (by_hand, librac), MANY, 1000


def five_maps():
    """A list through five maps, and a tuple."""
    subject = rac.Subject()
    made = subject
    for _ in range(5):
        made = made.map(lambda value: value)
    made.subscribe(hear)
    send = subject.send
    tuples = [(n, str(n)) for n in range(MANY)]
    lists = [list(each) for each in tuples]

    def of_lists():
        for each in lists:
            send(each)

    def of_tuples():
        for each in tuples:
            send(each)

    return (of_lists, of_tuples), MANY, 1000


def rates_of_a_log():
    """20,000 lines: split, and counted by status in each second."""
    lines = [f"{n / 100:.2f} {(200, 304, 404)[n % 3]} /page" for n in range(20_000)]

    def by_hand():
        rates, counts, second = [], collections.Counter(), 0
        for line in lines:
            stamp, status, _ = line.split()
            if int(float(stamp)) != second:
                rates.append(counts)
                counts, second = collections.Counter(), int(float(stamp))
            counts[status] += 1
        return [*rates, counts]

    def count(counted, fields):
        second = int(float(fields[0]))
        if counted is None or counted[0] != second:
            counted = (second, collections.Counter())
        counted[1][fields[1]] += 1
        return counted

    def librac():
        source, rates = rac.Subject(), []
        counted = source.map(str.split).scan(count, None)
        counted.distinct_until_changed(lambda counts: counts[0]).subscribe(rates.append)
        source.send_many(lines)
        return [counts for _, counts in rates]

    assert by_hand() == librac()
    return (by_hand, librac), len(lines), 80


# ---- A service -----------------------------------------------------------------------------

CLIENTS, LINES, TIMES = 20, 200, 50


def serve_by_librac():
    def serve(connection):
        return rac.lines(connection, 0, True).map(lambda line: line.upper() + "\n").write(
            connection, True)

    addresses = rac.ReplaySubject()
    rac.listen("127.0.0.1:0", listening=addresses).flat_map(serve).subscribe()
    print(addresses.first().wait(), flush=True)
    rac.posix_signal(signal.SIGTERM).first().wait()


def serve_by_asyncio():
    async def serve(reader, writer):
        while line := await reader.readline():
            writer.write(line.decode().upper().encode())
            await writer.drain()
        writer.close()

    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        print("127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
        end = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)
        await end.wait()

    asyncio.run(main())


SERVERS = {"asyncio": serve_by_asyncio, "librac": serve_by_librac}


def processor_time(name):
    """Nanoseconds a line of the server's."""
    server = subprocess.Popen([sys.executable, __file__, name], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    host, _, port = server.stdout.readline().strip().rpartition(":")
    clients = [socket.create_connection((host, int(port))) for _ in range(CLIENTS)]
    portion = b"a line of some length\n" * LINES
    before = os.sysconf("SC_CLK_TCK"), sum(times_of(server.pid))
    for _ in range(TIMES):
        for client in clients:
            client.sendall(portion)
        for client in clients:
            left = len(portion)
            while left:
                left -= len(client.recv(65536))
    spent = (sum(times_of(server.pid)) - before[1]) / before[0]
    for client in clients:
        client.close()
    server.terminate()
    server.communicate()
    return spent / (CLIENTS * LINES * TIMES) * 1e9


def times_of(process):
    """In the program and for it, in ticks of the clock."""
    with open(f"/proc/{process}/stat") as file:
        return [int(each) for each in file.read().rpartition(")")[2].split()[11:13]]


def main():
    for each in (a_send, map_and_filter, five_maps, rates_of_a_log):
        one, other = best(*each())
        title = each.__name__.replace("_", " ")
        print(f"{title:16} {one:6,.0f} ns by hand {other:6,.0f} ns {other / one:5.2f} ×", flush=True)
    one, other = (min(processor_time(name) for _ in range(5)) for name in SERVERS)
    print(f"{'a line echoed':16} {one:6,.0f} ns asyncio {other:6,.0f} ns {other / one:6.2f} ×")


if __name__ == "__main__":
    SERVERS[sys.argv[1]]() if len(sys.argv) > 1 else main()
