"""A server of lines: each line that a client sends goes to all of them.

    python3 examples-python/broadcast.py 127.0.0.1:7000
    python3 examples-python/broadcast.py 127.0.0.1:7000 error 100000

A client that reads slowly has a place of its own, of 65,536 bytes or as many as are given,
where lines wait for it. The policy says what happens when that is full: with drop_oldest it
misses lines, with error it has to go when it has read what waits. Neither holds up the
others. SIGTERM ends the server.
"""

import os
import signal
import socket
import sys
from typing import Literal, get_args

import librac as rac

Policy = Literal["drop_oldest", "drop_newest", "error"]


def limit_buffer(sock: rac.types.Socket, size: int) -> None:
    """The system keeps megabytes for a client that does not read, unless it is told."""
    with socket.socket(fileno=os.dup(sock.fileno())) as own:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)


def main(address: str, policy: Policy = "drop_oldest", capacity: int = 65536) -> None:
    everybody: rac.Subject[str | bytes] = rac.Subject()
    addresses: rac.ReplaySubject[str] = rac.ReplaySubject()
    count = {"clients": 0, "lines": 0, "gone": 0, "dropped": 0}

    def say(line: str | bytes) -> None:
        count["lines"] += 1
        everybody.send(line + "\n" if isinstance(line, str) else line + b"\n")

    def serve(sock: rac.types.Socket) -> rac.Signal[object]:
        limit_buffer(sock, capacity)
        bound = rac.Bound(capacity, policy)

        def leave() -> None:
            count["dropped"] += bound.dropped

        def fail(error: Exception) -> rac.Signal[object]:
            count["gone"] += 1
            print(f"{sock.peer} has to go: {error}", file=sys.stderr)
            return rac.empty()

        count["clients"] += 1
        # It has left when its own lines are over.
        said = rac.lines(sock, 65536, True).do_next(say).catch(lambda error: rac.empty())
        heard = everybody.write(sock, True, bound)
        return heard.take_until(said.ignore_values()).catch(fail).do_finally(leave)

    server = rac.listen(address, listening=addresses).flat_map(serve).subscribe()
    print(addresses.first().wait(), flush=True)
    rac.posix_signal(signal.SIGTERM).first().wait()
    server.dispose()
    print("{clients} clients, {lines} lines, {dropped} dropped, {gone} gone".format(**count))


if __name__ == "__main__":
    policies: dict[str, Policy] = {each: each for each in get_args(Policy)}
    match sys.argv[1:]:
        case [address]:
            main(address)
        case [address, policy] if policy in policies:
            main(address, policies[policy])
        case [address, policy, size] if policy in policies:
            main(address, policies[policy], int(size))
        case _:
            sys.exit("usage: broadcast.py ADDRESS [drop_oldest | drop_newest | error [BYTES]]")
