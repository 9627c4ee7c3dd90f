"""Rates of a log: how many requests of each status there were in each second, and an alarm
where too many failed.

    python3 examples-python/log_rates.py            a log that it makes itself
    python3 examples-python/log_rates.py FILE       one with lines of "SECONDS STATUS PATH"

Time is the log's own: a virtual clock goes on as lines are read, so an hour is there in a
moment. rac.tail(path) instead of the lines, and no clock, would show the rates of now.
"""

import collections
import itertools
import random
import sys
from collections.abc import Iterator

import librac as rac

LIMIT = 0.2  # of all requests in a second


def made() -> Iterator[str]:
    """Ten seconds of a server, which is in trouble in the seventh."""
    chance = random.Random(7)
    for number in range(6000):
        seconds = number / 600
        broken = 6 <= seconds < 7 and chance.random() < 0.4
        status = 503 if broken else chance.choice((200, 200, 200, 200, 304, 404))
        yield f"{seconds:.3f} {status} /page/{chance.randrange(50)}"


def line_of(second: int, statuses: tuple[str, ...]) -> str:
    counts = sorted(collections.Counter(statuses).items())
    failed = sum(count for status, count in counts if status >= "500")
    alarm = "   too many failed" if failed > LIMIT * len(statuses) else ""
    return f"{second:3} s  " + "  ".join(f"{s} {n:4}" for s, n in counts) + alarm


def main(log: Iterator[str]) -> None:
    clock = rac.Scheduler.virtual()
    requests: rac.Subject[tuple[str, ...]] = rac.Subject()
    statuses = requests.filter(lambda fields: len(fields) == 3).map(lambda fields: fields[1])
    seconds = statuses.window(seconds=1, scheduler=clock)
    rates = seconds.flat_map(lambda second: second.collect())
    numbers = itertools.count()
    rates.map(lambda all: line_of(next(numbers), all)).subscribe(print)
    for line in log:
        fields = tuple(line.split())
        clock.advance_to(float(fields[0]))
        requests.send(fields)
    requests.send_completed()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with open(sys.argv[1]) as file:
            main(iter(file))
    else:
        main(made())
