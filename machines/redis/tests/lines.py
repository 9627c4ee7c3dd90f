"""redis_lines: what goes in comes out, also when the broker is killed in between.

    lines.py REDIS-SERVER REDIS_LINES
"""

import os
import subprocess
import sys
import tempfile
import time

SERVER, PROGRAM = sys.argv[1:]
COUNT = 20000


def start(folder):
    server = subprocess.Popen(
        [SERVER, "--dir", folder, "--port", "0", "--unixsocket", "socket", "--save", ""]
        + ["--appendonly", "yes", "--appendfsync", "always", "--logfile", "log"]
    )
    return server


def main(folder):
    environment = dict(os.environ, REDIS_SOCKET=os.path.join(folder, "socket"))
    server = start(folder)
    out = subprocess.Popen([PROGRAM, "out", "s", "0"], stdout=subprocess.PIPE, env=environment)
    into = subprocess.Popen([PROGRAM, "in", "s"], stdin=subprocess.PIPE, env=environment)
    try:
        for number in range(COUNT):
            into.stdin.write(b"line %d\n" % number)
            if number == COUNT // 2:
                into.stdin.flush()
                server.kill()
                server.wait()
                time.sleep(0.1)
                server = start(folder)
        into.stdin.close()
        heard = out.stdout.read().splitlines()
        assert into.wait() == 0 and out.wait() == 0
    finally:
        for process in (server, into, out):
            process.kill()
            process.wait()
    assert heard == [b"line %d" % number for number in range(COUNT)], len(heard)
    wrong = subprocess.run([PROGRAM, "out", "s", "never"], capture_output=True, env=environment)
    assert wrong.returncode == 2 and b"from is no position" in wrong.stderr
    print(f"{COUNT} lines went in and came out")


with tempfile.TemporaryDirectory() as place:
    main(place)
