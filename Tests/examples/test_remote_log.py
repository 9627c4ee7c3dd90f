"""Is the log server of remote_log, and of the one by hand: one that comes late, goes away,
comes back, and is not heard of for a while."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from checks import TIMEOUT, Checks, example, with_by_hand


def server_at(path):
    server = socket.socket(socket.AF_UNIX)
    server.settimeout(TIMEOUT)
    server.bind(path)
    server.listen()
    return server


def lines_after(server, text):
    """Takes a connection, sends it all of the text, and ends it."""
    connection, _ = server.accept()
    began = time.monotonic()
    connection.sendall(text)
    connection.close()
    return began


def try_program(checks, name, folder):
    path = os.path.join(folder, name.replace("/", "-"))
    process = subprocess.Popen(
        [example(name), path, "error"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    def heard(line, what):
        found = process.stdout.readline().decode()
        checks.check(found == line + "\n", name + ": " + what, repr(found))

    time.sleep(0.1)  # nobody listens yet
    server = server_at(path)
    lines_after(server, b"start\nan error\r\nall is well\nan error at the end")
    heard("an error", "a line")
    heard("an error at the end", "the last line, without a feed")

    # Ever more slowly while nothing comes, and anew behind a line.
    times = [lines_after(server, b"") for _ in range(3)]
    times.append(lines_after(server, b"all is well\n"))
    pauses = [after - before for before, after in zip(times, times[1:])]
    # On a machine that is busy it may take longer, but not each time.
    anew = []
    while len(anew) < 10 and not (anew and min(anew) < 0.79):
        times.append(lines_after(server, b"all is well\n"))
        anew.append(times[-1] - times[-2])
    lines_after(server, b"error 3\n")
    least = (0.1, 0.2, 0.4)
    enough = all(pause > wanted * 0.6 for pause, wanted in zip(pauses, least))
    checks.check(enough, name + ": pauses that grow", repr(pauses))
    # The next of those that grow would be 0.8.
    checks.check(min(anew) < 0.79, name + ": and begin anew", repr(anew))
    heard("error 3", "a line of a later connection")

    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=TIMEOUT)
    checks.check(output == b"3 lines\n" and errors == b"", name + ": the end", repr(output))
    checks.check(process.returncode == 0, name + ": a clean end", repr(errors))
    server.close()


def main():
    checks = Checks("remote_log")
    names = with_by_hand("remote_log")
    with tempfile.TemporaryDirectory() as folder:
        threads = [  # at once, since most of it is waiting
            threading.Thread(target=try_program, args=(checks, name, folder))
            for name in names
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    checks.check(checks.count == 7 * len(names), "all of it was tried")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
