"""Faults that rac-scope finds, as examples-c/faults.c has them in C.

rac-scope python3 examples-python/faults.py                 all of them
rac-scope python3 examples-python/faults.py label error     those that are named
"""

import sys
import time

import librac as rac


def label() -> None:
    """A request that is made twice, since two parts of a label are made of it."""

    def ask(server: rac.Observer[int]) -> None:
        server.send(100)
        server.send_completed()

    price = rac.create(ask).named("price")
    net, gross = (
        price.map(lambda p: p * 10).named("net"),
        price.map(lambda p: p * 12).named("gross"),
    )
    rac.combine_latest(net, gross).named("label").subscribe(lambda both: None)


def backlog() -> None:
    """Readings that come faster than a worker takes them."""
    readings: rac.Subject[int] = rac.Subject().named("readings")
    worker = rac.Scheduler.background("worker")
    there = readings.deliver_on(worker).named("to worker")
    with there.subscribe(lambda reading: time.sleep(0.003)):
        readings.send_many(range(200))
        time.sleep(0.1)


def drops() -> None:
    """Orders that a bound drops."""
    orders: rac.Subject[int] = rac.Subject().named("orders")
    clerk = rac.Scheduler.background("clerk")
    there = orders.deliver_on(clerk, rac.Bound(4, "drop_oldest")).named("to clerk")
    with there.subscribe(lambda order: time.sleep(0.003)):
        orders.send_many(range(24))
        time.sleep(0.05)


def error() -> None:
    """An error that nobody hears, since the log is silent."""
    rac.on_unhandled = None
    shares = rac.interval(0.01).map(lambda pairs: 1 // pairs).named("shares")
    shares.subscribe(lambda share: None)
    rac.host.main_run_for(0.05)


FAULTS = {each.__name__: each for each in (label, backlog, drops, error)}

if __name__ == "__main__":
    for name in sys.argv[1:] or FAULTS:
        FAULTS[name]()
