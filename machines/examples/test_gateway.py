"""The gateway, with sensors that write, brokers that are killed, and its own death.

    test_gateway.py REDIS-SERVER MOSQUITTO GATEWAY
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

SERVER, MOSQUITTO, GATEWAY = sys.argv[1:]


def wait_until(condition):
    end = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)
    return found


def answers(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(address) == 0


class Brokers:
    def __init__(self, folder):
        self.folder, self.redis_socket = folder, os.path.join(folder, "s")
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.settings = os.path.join(folder, "conf")
        with open(self.settings, "w") as file:
            file.write(
                f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\nlog_dest none\n"
                f"persistence true\npersistence_location {folder}/\n"
                "autosave_on_changes true\nautosave_interval 1\n"
            )

    def start(self):
        command = [SERVER, "--dir", self.folder, "--port", "0", "--unixsocket", self.redis_socket]
        command += ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
        self.processes = [
            subprocess.Popen([*command, "--logfile", "log"]),
            subprocess.Popen([MOSQUITTO, "-c", self.settings], stderr=subprocess.DEVNULL),
        ]
        wait_until(lambda: answers(socket.AF_UNIX, self.redis_socket))
        wait_until(lambda: answers(socket.AF_INET, ("127.0.0.1", self.port)))

    def kill(self):
        for each in self.processes:
            each.kill()
            each.wait()

    def medians(self):
        """How many the stream has."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.redis_socket)
            client.sendall(b"XLEN medians\r\n")
            answer = client.recv(100)
            # One that was killed loads its data at first.
            return int(answer[1:]) if answer.startswith(b":") else -1

    def retained(self, topic):
        command = ["mosquitto_sub", "-p", str(self.port), "-t", topic, "-C", "1", "-W", "5"]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def start_gateway(brokers):
    command = [GATEWAY, "127.0.0.1:0", str(brokers.port), brokers.redis_socket]
    gateway = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=dict(os.environ, GATEWAY_PAUSE="0.3")
    )
    host, _, port = gateway.stdout.readline().split()[-1].rpartition(":")
    return gateway, (host, int(port))


def main(folder):
    brokers = Brokers(folder)
    brokers.start()
    gateway, address = start_gateway(brokers)
    hall, loft = (socket.create_connection(address) for _ in range(2))
    listening = ["mosquitto_sub", "-p", str(brokers.port), "-t", "sensors/+/median", "-v"]
    listener = subprocess.Popen(listening, stdout=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: brokers.retained("gateway/state") == "there")
        hall.sendall(b"hall 3\nnonsense\nhall 1\nhall 2\nhall x\nhall 5\nhall 4\n")
        loft.sendall(b"loft -1.5\n" * 5)
        wait_until(lambda: brokers.medians() == 2)
        lines = sorted(listener.stdout.readline().strip() for _ in range(2))
        assert lines == ['sensors/hall/median {"median":3}', 'sensors/loft/median {"median":-1.5}']
        # A sensor that says nothing more is silent, and alive when it does.
        wait_until(lambda: brokers.retained("sensors/hall/state") == "silent")
        hall.sendall(b"hall 1\n")
        wait_until(lambda: brokers.retained("sensors/hall/state") == "alive")
        # Both brokers die: what comes meanwhile is stored when they are there again.
        brokers.kill()
        hall.sendall(b"hall 7\n" * 49)
        time.sleep(0.1)
        brokers.start()
        wait_until(lambda: brokers.medians() == 12)
        wait_until(lambda: brokers.retained("gateway/state") == "there")
        gateway.send_signal(signal.SIGTERM)
        assert gateway.wait(60) == 0
        assert brokers.retained("gateway/state") == "gone"
        # One that dies has a last will.
        gateway, _ = start_gateway(brokers)
        wait_until(lambda: brokers.retained("gateway/state") == "there")
        gateway.kill()
        gateway.wait()
        wait_until(lambda: brokers.retained("gateway/state") == "gone")
    finally:
        for each in [gateway, listener, *brokers.processes]:
            each.kill()
            each.wait()
    print("medians went to both brokers")


with tempfile.TemporaryDirectory() as place:
    main(place)
