"""Runs a program with a broker of its own, which is killed afterwards.

    with_broker.py redis REDIS-SERVER PROGRAM    its argument is the path of a socket
    with_broker.py mqtt MOSQUITTO PROGRAM        its argument is a port
"""

import os
import socket
import subprocess
import sys
import tempfile
import time

KIND, SERVER, *PROGRAM = sys.argv[1:]


def answers(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(address) == 0


def start(folder):
    """The command of a broker, its family and address, and the program's argument."""
    if KIND == "redis":
        path = os.path.join(folder, "s")
        command = [SERVER, "--dir", folder, "--port", "0", "--unixsocket", path, "--save", ""]
        return [*command, "--logfile", "log"], socket.AF_UNIX, path, path
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = os.path.join(folder, "conf")
    with open(settings, "w") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nlog_dest none\n")
    return [SERVER, "-c", settings], socket.AF_INET, ("127.0.0.1", port), str(port)


def main(folder):
    command, family, address, argument = start(folder)
    broker = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(2000):
            if answers(family, address):
                break
            time.sleep(0.01)
        return subprocess.run([*PROGRAM, argument], timeout=120).returncode
    finally:
        broker.kill()
        broker.wait()


with tempfile.TemporaryDirectory() as place:
    sys.exit(main(place))
