"""Measures what values cost over a broker, in one run, and prints the tables of docs/Machines.md.

    run.py BUILD [REDIS-SERVER [MOSQUITTO]]

The peers in Python are measured where redis-py and reactivex are there. Microseconds of CPU a
value, the least of three rounds, in each of which all have their turn.
"""

import importlib.util
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
REDIS = sys.argv[2] if len(sys.argv) > 2 else "redis-server"
MOSQUITTO = sys.argv[3] if len(sys.argv) > 3 else "/usr/sbin/mosquitto"
HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 2
TICK = os.sysconf("SC_CLK_TCK")
# So many subscriptions, of which all but one have nothing to do.
GROWTH = [1, 10, 100, 1000]


def wait_for(family, address):
    for _ in range(2000):
        with socket.socket(family) as probe:
            if probe.connect_ex(address) == 0:
                return
        time.sleep(0.01)
    raise RuntimeError("the broker does not answer")


def cpu_of(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Broker:
    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.process = subprocess.Popen(self.start(), stderr=subprocess.DEVNULL)
        wait_for(*self.at)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Redis(Broker):
    def start(self):
        path = os.path.join(self.folder, "s")
        self.at, self.argument = (socket.AF_UNIX, path), path
        return [REDIS, "--dir", self.folder, "--port", "0", "--unixsocket", path, "--save", "",
                "--logfile", "log"]  # fmt: skip


class Mosquitto(Broker):
    def start(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        settings = os.path.join(self.folder, "conf")
        with open(settings, "w") as file:
            file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\n"
                       "log_dest none\nmax_queued_messages 0\nset_tcp_nodelay true\n")
        self.at, self.argument = (socket.AF_INET, ("127.0.0.1", port)), str(port)
        return [MOSQUITTO, "-c", settings]


def numbers(line):
    return [float(each) for each in line.split()]


def run(broker, program, mode, count, *more):
    """Values a second, and microseconds a value of the program and of the broker."""
    before = cpu_of(broker.process)
    command = [*program, broker.argument, mode, str(count), *map(str, more)]
    seconds, used = numbers(subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                           text=True).stdout)
    return count / seconds, used / count * 1e6, (cpu_of(broker.process) - before) / count * 1e6


def listen(broker, program, mode, count, *topics):
    """The same of one that listens, while libmosquitto alone publishes to the first topic."""
    command = [*program, broker.argument, mode, str(count), *map(str, topics)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout.readline() == "ready\n"
        before = cpu_of(broker.process)
        run(broker, program, "publish_by_hand", count)
        seconds, used = numbers(listener.stdout.readline())
        listener.wait()
    return count / seconds, used / count * 1e6, (cpu_of(broker.process) - before) / count * 1e6


def best(rounds):
    """The round in which program and broker needed least."""
    return min(rounds, key=lambda each: each[1] + each[2])


def table(rows, found):
    print("\n| | values a second | the program | the broker |\n|---|--:|--:|--:|")
    for key, name in rows:
        if key in found:
            rate, program, broker = best(found[key])
            print(f"| {name} | {round(rate, -3):,.0f} | {program:.1f} | {broker:.1f} |")


def of_redis(folder):
    program = [str(BUILD / "benchmarks" / "machines_redis")]
    peer = [sys.executable, str(HERE / "redis_peer.py")]
    has_peer = all(map(importlib.util.find_spec, ("redis", "reactivex")))
    many, few = 300_032, 30_208
    steps = [("publish_by_hand", "read_by_hand"), ("publish", "read"), ("unique", None)]
    found, delays = {}, {}
    for number in range(ROUNDS):
        for writes, reads in steps:
            with tempfile.TemporaryDirectory() as place, Redis(place) as broker:
                found.setdefault(writes, []).append(run(broker, program, writes, many))
                if reads:
                    found.setdefault(reads, []).append(run(broker, program, reads, many))
                for each in GROWTH[1:] if reads == "read" else ():
                    found.setdefault(each, []).append(run(broker, program, reads, many, each - 1))
        with tempfile.TemporaryDirectory() as place, Redis(place) as broker:
            run(broker, program, "publish_numbers", many)
            found.setdefault("work", []).append(run(broker, program, "work", many))
        if has_peer:
            with tempfile.TemporaryDirectory() as place, Redis(place) as broker:
                for mode in "publish", "read":
                    found.setdefault(f"peer_{mode}", []).append(run(broker, peer, mode, few))
        for mode in "latency_by_hand", "latency":
            with tempfile.TemporaryDirectory() as place, Redis(place) as broker:
                command = [*program, broker.argument, mode, "2000"]
                out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                delays.setdefault(mode, []).append(numbers(out.stdout))
    table(
        [
            ("publish_by_hand", "publish by hand"),
            ("publish", "`publish`"),
            ("unique", "`publish` with `unique`"),
            ("peer_publish", "publish with redis-py and reactivex"),
            ("read_by_hand", "read by hand"),
            ("read", "`read`, one of 1"),
            *((each, f"`read`, one of {each:,}") for each in GROWTH[1:]),
            ("peer_read", "read with redis-py and reactivex"),
            ("work", "`work`, 256 in flight"),
        ],
        found,
    )
    for mode, rounds in delays.items():
        middle, most = min(rounds)
        print(f"{mode}: {middle:.0f} µs in the middle, 99 of 100 in {most:.0f} µs")


def of_mqtt(folder):
    program = [str(BUILD / "benchmarks" / "machines_mqtt")]
    count, found = 50_000, {}
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as place, Mosquitto(place) as broker:
            for mode in "publish_by_hand", "publish":
                found.setdefault(mode, []).append(run(broker, program, mode, count))
            found.setdefault("subscribe_by_hand", []).append(
                listen(broker, program, "subscribe_by_hand", count))  # fmt: skip
            for topics in GROWTH:
                found.setdefault(topics, []).append(
                    listen(broker, program, "subscribe", count, topics))  # fmt: skip
    table(
        [
            ("publish_by_hand", "publish by hand"),
            ("publish", "`publish`"),
            ("subscribe_by_hand", "subscribe by hand"),
            *((topics, f"`subscribe`, one of {topics:,}") for topics in GROWTH),
        ],
        found,
    )


for part in of_redis, of_mqtt:
    part(None)
